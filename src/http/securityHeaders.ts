import type { IncomingMessage } from "node:http";
import type { Config } from "../config/config.ts";
import type { HttpResponse } from "./responses.ts";

/** Headers for security and CORS. They are built once at the start, because building them for each request is expensive. */

/** Lists in which names and values alternate, as `writeHead` takes them: that is cheaper than an object. */
export type SecurityHeaders = {
  readonly reads: readonly string[];
  readonly writes: readonly string[];
  /** For responses that pages of other origins must not read. */
  readonly sameOrigin: readonly string[];
};

/** `no-referrer`, because a URL may contain an owner token. */
const COMMON_HEADERS = [
  ...["X-Content-Type-Options", "nosniff"],
  ...["Referrer-Policy", "no-referrer"],
  ...["X-Frame-Options", "DENY"],
];

const EXPOSED_HEADERS =
  "ETag, Location, RateLimit, RateLimit-Policy, Retry-After, X-Request-ID, Idempotency-Replayed, X-Dry-Run, X-Ignored-Parameters, X-Ignored-Authorization, X-Server-Time";

/** Pages of any origin may read public data. With `*`, browsers send no cookies and no stored passwords. */
const CROSS_ORIGIN_HEADERS = [
  ...["Access-Control-Allow-Origin", "*"],
  ...["Access-Control-Expose-Headers", EXPOSED_HEADERS],
  ...["Cross-Origin-Resource-Policy", "cross-origin"],
];

const TLS_HEADERS = ["Strict-Transport-Security", "max-age=31536000"];

/** The headers for these settings. In the sandbox, writes are open to pages of other origins as well. */
export function buildSecurityHeaders({ sandbox, publicUrl }: Pick<Config, "sandbox" | "publicUrl">): SecurityHeaders {
  const always = [...COMMON_HEADERS, ...(publicUrl?.startsWith("https:") ? TLS_HEADERS : [])];
  const reads = [...always, ...CROSS_ORIGIN_HEADERS];
  return { reads, writes: sandbox ? reads : always, sameOrigin: always };
}

/** GET or HEAD. */
export const isReadMethod = (method: string | undefined): boolean => method === "GET" || method === "HEAD";

/** The security headers for a response, without those that it sets itself. Returns a new list, to which the caller may add. */
export function securityHeadersFor(
  { reads, writes, sameOrigin }: SecurityHeaders,
  { method }: IncomingMessage,
  { headers, isOperatorOnly }: Pick<HttpResponse, "headers" | "isOperatorOnly">,
): string[] {
  const applicable = isOperatorOnly ? sameOrigin : isReadMethod(method) || method === "OPTIONS" ? reads : writes;
  if (!headers) return applicable.slice();
  const list: string[] = [];
  for (let i = 0; i < applicable.length; i += 2) {
    // Names and values alternate.
    const name = applicable[i]!;
    if (!(name in headers)) list.push(name, applicable[i + 1]!);
  }
  return list;
}

const READ_METHODS = "GET, HEAD";
const ALL_METHODS = "GET, HEAD, POST, PUT, PATCH, DELETE";
const ALLOWED_HEADERS = [
  ...["Authorization", "Content-Type", "X-Access-Token", "X-Request-ID", "If-None-Match", "If-Match", "Range"],
  ...["If-Range", "Last-Event-ID", "Idempotency-Key", "X-Test-Clock", "Traceparent", "Tracestate"],
].join(", ");

/** The longest time that any browser accepts. */
const PREFLIGHT_MAX_AGE_SECONDS = 86_400;

/**
 * The response to a CORS preflight request; undefined for any other request. It is the same for every path, so that it does not
 * reveal which paths exist.
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
