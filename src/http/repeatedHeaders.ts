import type { IncomingMessage } from "node:http";
import { type HttpResponse, REPEATED_HEADER } from "./responses.ts";

/**
 * Headers that decide what is done, or for whom. If one came twice, this server and a proxy in front of it could each use a
 * different value; node:http takes the first of some and joins others.
 */
const UNREPEATABLE = new Map(
  [
    ...["Host", "Authorization", "X-Access-Token", "Idempotency-Key", "X-Test-Clock", "Content-Type", "Content-Length"],
    ...["Transfer-Encoding", "Expect", "Last-Event-ID", "Range"],
  ].map((name) => [name.toLowerCase(), name]),
);

export function checkRepeatedHeaders({ headers, rawHeaders }: IncomingMessage): HttpResponse | undefined {
  // Fast path: rawHeaders alternates names and values, so equal counts mean that no header was repeated.
  if (rawHeaders.length === 2 * Object.keys(headers).length) return undefined;
  const earlierNames = new Set<string>();
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]!.toLowerCase();
    if (earlierNames.has(name) && UNREPEATABLE.has(name)) return REPEATED_HEADER(UNREPEATABLE.get(name)!);
    earlierNames.add(name);
  }
  return undefined;
}
