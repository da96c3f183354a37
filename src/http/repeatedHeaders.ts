import type { IncomingMessage } from "node:http";
import { REPEATED_HEADER } from "./errorResponses.ts";
import type { HttpResponse } from "./responses.ts";

/**
 * Headers that decide what a request does, or for whom. If one is repeated, this server and a proxy in front of it may use different
 * values: node:http takes the first value of some headers and joins the values of others.
 */
const UNREPEATABLE = new Map(
  [
    ...["Host", "Authorization", "X-Access-Token", "Idempotency-Key", "X-Test-Clock", "Content-Type", "Content-Length"],
    ...["Transfer-Encoding", "Expect", "Last-Event-ID", "Range"],
  ].map((name) => [name.toLowerCase(), name]),
);

/** The 400 response if one of these headers is repeated. */
export function checkRepeatedHeaders({ headers, rawHeaders }: IncomingMessage): HttpResponse | undefined {
  // Fast path: names and values alternate in rawHeaders, so equal counts mean that no header is repeated.
  if (rawHeaders.length === 2 * Object.keys(headers).length) return undefined;
  const earlierNames = new Set<string>();
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]!.toLowerCase();
    const canonicalName = UNREPEATABLE.get(name);
    if (canonicalName !== undefined && earlierNames.has(name)) return REPEATED_HEADER(canonicalName);
    earlierNames.add(name);
  }
  return undefined;
}
