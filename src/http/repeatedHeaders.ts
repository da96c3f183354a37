import type { IncomingMessage } from "node:http";
import { type Answer, REPEATED_HEADER } from "./answers.ts";

/**
 * Headers that decide what is done, or for whom. Of two, this server and a proxy before it might each believe another one;
 * node:http takes the first of some and joins others.
 */
const SINGLE = new Map(
  [
    ...["Host", "Authorization", "X-Access-Token", "Idempotency-Key", "X-Test-Clock", "Content-Type", "Content-Length"],
    ...["Transfer-Encoding", "Expect", "Last-Event-ID", "Range"],
  ].map((name) => [name.toLowerCase(), name]),
);

export function refusedHeaders({ headers, rawHeaders }: IncomingMessage): Answer | undefined {
  // Names and values stand in turn: nearly always there are as many as different names, and nothing comes twice.
  if (rawHeaders.length === 2 * Object.keys(headers).length) return undefined;
  const seen = new Set<string>();
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]!.toLowerCase();
    if (seen.has(name) && SINGLE.has(name)) return REPEATED_HEADER(SINGLE.get(name)!);
    seen.add(name);
  }
  return undefined;
}
