import assert from "node:assert/strict";

// biome-ignore lint/suspicious/noExplicitAny: what a server answered is looked into freely.
export type SoakResponse = { readonly status: number; readonly body: any };

const TIMEOUT_MS = 20_000;
const BROKER = `Basic ${btoa("broker:")}`;

/**
 * Asks one of the servers; nothing where it was gone, or went before it answered. Anything but an answer of the protocol,
 * or 503 with a word when to come again, is a failure.
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
    assert.notEqual((error as Error).name, "TimeoutError", `${method} ${url} was not answered in ${TIMEOUT_MS} ms`);
    return undefined;
  }
  if (response.status === 503) {
    assert.ok(response.headers.get("retry-after"), "503 says when to come again");
    return undefined;
  }
  assert.ok(response.status < 500, `${method} ${url}: ${response.status} ${text}`);
  return { status: response.status, body: JSON.parse(text) };
}

export const pickRandom = <T>(all: readonly T[]): T => all[Math.floor(Math.random() * all.length)]!;
