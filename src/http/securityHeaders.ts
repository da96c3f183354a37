import type { IncomingMessage } from "node:http";
import type { Config } from "../config/config.ts";
import type { HttpResponse } from "./responses.ts";

/** Headers that are the same in every answer, made once: what is decided for each request costs, a constant does not. */

/** Names and values in turn, which costs less than an object. */
export type SecurityHeaders = {
  readonly reads: readonly string[];
  readonly writes: readonly string[];
  /** Where pages of other sites have nothing to look for. */
  readonly sameOrigin: readonly string[];
};

/** Addresses may hold an owner token, so they are told to nobody; nothing here is to be framed. */
const COMMON_HEADERS = [
  ...["X-Content-Type-Options", "nosniff"],
  ...["Referrer-Policy", "no-referrer"],
  ...["X-Frame-Options", "DENY"],
];

const EXPOSED_HEADERS =
  "ETag, Location, RateLimit, RateLimit-Policy, Retry-After, X-Request-ID, Idempotency-Replayed, X-Dry-Run, X-Ignored-Parameters, X-Ignored-Authorization";

/** Pages of other sites may read what everybody may read. `*` also says that no cookie or remembered password is meant. */
const CROSS_ORIGIN_HEADERS = [
  ...["Access-Control-Allow-Origin", "*"],
  ...["Access-Control-Expose-Headers", EXPOSED_HEADERS],
  ...["Cross-Origin-Resource-Policy", "cross-origin"],
];

const TLS_HEADERS = ["Strict-Transport-Security", "max-age=31536000"];

export function buildSecurityHeaders({ sandbox, publicUrl }: Pick<Config, "sandbox" | "publicUrl">): SecurityHeaders {
  const always = [...COMMON_HEADERS, ...(publicUrl?.startsWith("https:") ? TLS_HEADERS : [])];
  const reads = [...always, ...CROSS_ORIGIN_HEADERS];
  return { reads, writes: sandbox ? reads : always, sameOrigin: always };
}

export const isReadMethod = (method: string | undefined): boolean => method === "GET" || method === "HEAD";

/** A list of one's own to add to; what the answer says itself is not said twice. */
export function securityHeadersFor(
  { reads, writes, sameOrigin }: SecurityHeaders,
  { method }: IncomingMessage,
  { headers, isOperatorOnly }: Pick<HttpResponse, "headers" | "isOperatorOnly">,
): string[] {
  const applicable = isOperatorOnly ? sameOrigin : isReadMethod(method) || method === "OPTIONS" ? reads : writes;
  if (!headers) return applicable.slice();
  const list: string[] = [];
  for (let i = 0; i < applicable.length; i += 2)
    if (!(applicable[i]! in headers)) list.push(applicable[i]!, applicable[i + 1]!);
  return list;
}

const READ_METHODS = "GET, HEAD";
const ALL_METHODS = "GET, HEAD, POST, PUT, PATCH, DELETE";
const ALLOWED_HEADERS = [
  ...["Authorization", "Content-Type", "X-Access-Token", "X-Request-ID", "If-None-Match", "If-Match", "Range"],
  ...["If-Range", "Last-Event-ID", "Idempotency-Key", "X-Test-Clock", "Traceparent", "Tracestate"],
].join(", ");

/** As long as any browser believes it. */
const PREFLIGHT_MAX_AGE_SECONDS = 86_400;

/**
 * What a browser asks before it lets a page of another site ask more than a form could. Whatever the path, the answer is the
 * same, so it tells nothing of what is there.
 */
export function preflightResponse({ method, headers }: IncomingMessage, sandbox: boolean): HttpResponse | undefined {
  if (method !== "OPTIONS" || headers["access-control-request-method"] === undefined) return undefined;
  return {
    status: 204,
    headers: {
      "Access-Control-Allow-Methods": sandbox ? ALL_METHODS : READ_METHODS,
      "Access-Control-Allow-Headers": ALLOWED_HEADERS,
      "Access-Control-Max-Age": String(PREFLIGHT_MAX_AGE_SECONDS),
    },
  };
}
