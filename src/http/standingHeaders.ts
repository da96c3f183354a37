import type { IncomingMessage } from "node:http";
import type { Config } from "../config.ts";
import type { Answer } from "./answers.ts";

/** Headers that are the same in every answer, made once: what is decided for each request costs, a constant does not. */

/** Names and values in turn, which costs less than an object. */
export type StandingHeaders = {
  readonly reads: readonly string[];
  readonly writes: readonly string[];
  /** Where pages of other sites have nothing to look for. */
  readonly ours: readonly string[];
};

/** Addresses may hold an owner token, so they are told to nobody; nothing here is to be framed. */
const ALWAYS = [
  ...["X-Content-Type-Options", "nosniff"],
  ...["Referrer-Policy", "no-referrer"],
  ...["X-Frame-Options", "DENY"],
];

const EXPOSED =
  "ETag, Location, RateLimit, RateLimit-Policy, Retry-After, X-Request-ID, Idempotency-Replayed, X-Dry-Run, X-Ignored-Parameters, X-Ignored-Authorization";

/** Pages of other sites may read what everybody may read. `*` also says that no cookie or remembered password is meant. */
const FOR_OTHER_SITES = [
  ...["Access-Control-Allow-Origin", "*"],
  ...["Access-Control-Expose-Headers", EXPOSED],
  ...["Cross-Origin-Resource-Policy", "cross-origin"],
];

const OVER_TLS = ["Strict-Transport-Security", "max-age=31536000"];

export function standingHeadersOf({ sandbox, publicUrl }: Pick<Config, "sandbox" | "publicUrl">): StandingHeaders {
  const always = [...ALWAYS, ...(publicUrl?.startsWith("https:") ? OVER_TLS : [])];
  const reads = [...always, ...FOR_OTHER_SITES];
  return { reads, writes: sandbox ? reads : always, ours: always };
}

export const isRead = (method: string | undefined): boolean => method === "GET" || method === "HEAD";

/** A list of one's own to add to; what the answer says itself is not said twice. */
export function standingFor(
  { reads, writes, ours }: StandingHeaders,
  { method }: IncomingMessage,
  { headers, isOurs }: Pick<Answer, "headers" | "isOurs">,
): string[] {
  const all = isOurs ? ours : isRead(method) || method === "OPTIONS" ? reads : writes;
  if (!headers) return all.slice();
  const list: string[] = [];
  for (let i = 0; i < all.length; i += 2) if (!(all[i]! in headers)) list.push(all[i]!, all[i + 1]!);
  return list;
}

const READS = "GET, HEAD";
const ALL = "GET, HEAD, POST, PUT, PATCH, DELETE";
const SENT = [
  ...["Authorization", "Content-Type", "X-Access-Token", "X-Request-ID", "If-None-Match", "If-Match", "Range"],
  ...["If-Range", "Last-Event-ID", "Idempotency-Key", "X-Test-Clock", "Traceparent", "Tracestate"],
].join(", ");

/** As long as any browser believes it. */
const BELIEVED_SECONDS = 86_400;

/**
 * What a browser asks before it lets a page of another site ask more than a form could. Whatever the path, the answer is the
 * same, so it tells nothing of what is there.
 */
export function preflightAnswer({ method, headers }: IncomingMessage, sandbox: boolean): Answer | undefined {
  if (method !== "OPTIONS" || headers["access-control-request-method"] === undefined) return undefined;
  return {
    status: 204,
    headers: {
      "Access-Control-Allow-Methods": sandbox ? ALL : READS,
      "Access-Control-Allow-Headers": SENT,
      "Access-Control-Max-Age": String(BELIEVED_SECONDS),
    },
  };
}
