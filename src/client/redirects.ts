import type { Transport } from "./transport.ts";

/** Downloads are redirected: to the registry's document service, or to where it stores its files. */

const REDIRECT_STATUSES = [301, 302, 303, 307, 308];
const REDIRECTS_MAX = 5;
const CREDENTIAL_HEADERS = ["Authorization", "X-Access-Token"];

/**
 * Follows redirects and shows key and token to no other origin. `fetch` itself takes only the key off on the way to another
 * origin, and would show it the token.
 */
export async function fetchWithRedirects(transport: Transport, url: string, init: RequestInit): Promise<Response> {
  const headers = new Headers(init.headers);
  let address = new URL(url);
  for (let followed = 0; ; followed++) {
    const response = await transport(address.href, { ...init, headers, redirect: "manual" });
    if (response.type === "opaqueredirect") return fetchInBrowser(transport, address, { ...init, headers });
    // Only the first response says whether the key is unknown.
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
 * A browser does not reveal where a redirect leads. It drops the key by itself on the way to another origin; the token goes into
 * the query, which is not passed on.
 */
function fetchInBrowser(transport: Transport, address: URL, init: RequestInit): Promise<Response> {
  const headers = new Headers(init.headers);
  const target = new URL(address);
  const token = headers.get("X-Access-Token");
  if (token) target.searchParams.set("acc_token", token);
  headers.delete("X-Access-Token");
  return transport(target.href, { ...init, headers, redirect: "follow" });
}
