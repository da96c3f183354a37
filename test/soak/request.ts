import assert from "node:assert/strict";

// biome-ignore lint/suspicious/noExplicitAny: tests access response bodies freely.
export type SoakResponse = { readonly status: number; readonly body: any };

const TIMEOUT_MS = 20_000;
const BROKER = `Basic ${btoa("broker:")}`;

/**
 * Sends a request. Returns undefined if the server was killed before it responded, or responded 503 with Retry-After. Fails on
 * timeouts and on other server errors.
 */
export async function sendRequest(
  url: string,
  method = "GET",
  data?: unknown,
  token?: string,
): Promise<SoakResponse | undefined> {
  let response: Response;
  let text: string;
  try {
    response = await fetch(url, {
      method,
      signal: AbortSignal.timeout(TIMEOUT_MS),
      headers: {
        Authorization: BROKER,
        ...(data !== undefined && { "Content-Type": "application/json" }),
        ...(token && { "X-Access-Token": token }),
      },
      body: data === undefined ? undefined : JSON.stringify({ data }),
    });
    text = await response.text();
  } catch (error) {
    assert.notEqual((error as Error).name, "TimeoutError", `${method} ${url} got no response in ${TIMEOUT_MS} ms`);
    return undefined;
  }
  if (response.status === 503) {
    assert.ok(response.headers.get("retry-after"), "a 503 must have Retry-After");
    return undefined;
  }
  assert.ok(response.status < 500, `${method} ${url}: ${response.status} ${text}`);
  return { status: response.status, body: JSON.parse(text) };
}

export const pickRandom = <Item>(items: readonly Item[]): Item => items[Math.floor(Math.random() * items.length)]!;
