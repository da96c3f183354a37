import type { IncomingMessage } from "node:http";
import { type Answer, REPEATED_HEADER } from "./answers.ts";

/**
 * Headers that decide what is done, or for whom. If one came twice, this server and a proxy in front of it could each use a
 * different value; node:http takes the first of some and joins others.
 */
const SINGLE = new Map(
  [
    ...["Host", "Authorization", "X-Access-Token", "Idempotency-Key", "X-Test-Clock", "Content-Type", "Content-Length"],
    ...["Transfer-Encoding", "Expect", "Last-Event-ID", "Range"],
  ].map((name) => [name.toLowerCase(), name]),
);

export function refusedHeaders({ headers, rawHeaders }: IncomingMessage): Answer | undefined {
  // Fast path: rawHeaders alternates names and values, so equal counts mean that no header was repeated.
  if (rawHeaders.length === 2 * Object.keys(headers).length) return undefined;
  const seen = new Set<string>();
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]!.toLowerCase();
    if (seen.has(name) && SINGLE.has(name)) return REPEATED_HEADER(SINGLE.get(name)!);
    seen.add(name);
  }
  return undefined;
}
