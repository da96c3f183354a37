import type { Transport } from "./transport.ts";

const REDIRECT_STATUSES = [301, 302, 303, 307, 308];
const REDIRECTS_MAX = 5;
const CREDENTIAL_HEADERS = ["Authorization", "X-Access-Token"];

/**
 * Follows the redirects of a download, to the document service or to the file store, and sends key and token only to
 * the origin of the first URL. `fetch` itself drops only the `Authorization` header when the origin changes.
 */
export async function fetchWithRedirects(transport: Transport, url: string, init: RequestInit): Promise<Response> {
  const headers = new Headers(init.headers);
  let address = new URL(url);
  for (let followed = 0; ; followed++) {
    const response = await transport(address.href, { ...init, headers, redirect: "manual" });
    if (response.type === "opaqueredirect") return followInBrowser(transport, address, { ...init, headers });
    // The caller throws for an unknown key, and the target of the redirect would not report it.
    if (response.headers.has("X-Ignored-Authorization")) return response;
    const location = response.headers.get("location");
    if (!REDIRECT_STATUSES.includes(response.status) || !location || followed >= REDIRECTS_MAX) return response;
    await response.body?.cancel();
    const next = new URL(location, address);
    if (next.origin !== address.origin) for (const name of CREDENTIAL_HEADERS) headers.delete(name);
    address = next;
  }
}

/**
 * A browser hides the target of a redirect and follows it itself. It drops the `Authorization` header when the origin
 * changes; the token is moved to the query, which a redirect does not carry over.
 */
function followInBrowser(transport: Transport, address: URL, init: RequestInit): Promise<Response> {
  const headers = new Headers(init.headers);
  const target = new URL(address);
  const token = headers.get("X-Access-Token");
  if (token) target.searchParams.set("acc_token", token);
  headers.delete("X-Access-Token");
  return transport(target.href, { ...init, headers, redirect: "follow" });
}
