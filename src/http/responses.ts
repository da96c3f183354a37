import type { Readable } from "node:stream";
import type { TimeWindow } from "../domain/model/refusals.ts";
import { formatInstant, type Zone } from "../domain/values/time.ts";
import type { ErrorRuleId } from "./errorRules.ts";
import { etagOf } from "./etags.ts";

export type ResponseHeaders = { readonly [name: string]: string };

/** The response of a handler. Its body is at most one of `json`, `errors`, `bytes` and `stream`. */
export type HttpResponse = {
  readonly status: number;
  readonly headers?: ResponseHeaders;
  readonly json?: string | CachedJson;
  /** The errors of a refused request; `withErrorBody` turns them into JSON. */
  readonly errors?: readonly ErrorEntry[];
  readonly bytes?: Buffer;
  readonly stream?: Readable;
  /** Disconnects a client that reads nothing of the stream for this long. */
  readonly stallTimeoutMs?: number;
  /** The body never changes while the process runs, so it is compressed once, at the best level. */
  readonly isConstant?: true;
  /** For operators of the service: pages of other origins must not read it. */
  readonly isOperatorOnly?: true;
  /** Whether the same request would still get this response. Only responses with this check are cached. */
  readonly isFresh?: () => boolean | Promise<boolean>;
};

/**
 * JSON that is sent repeatedly. `latin1` has one character for each byte of its UTF-8 encoding: Node sends such a string in one write
 * with the headers.
 */
export type CachedJson = { readonly latin1: string; readonly etag: string };

/** Encodes JSON text for caching and computes its ETag. */
export function toCachedJson(text: string): CachedJson {
  const bytes = Buffer.from(text);
  return { latin1: bytes.toString("latin1"), etag: etagOf(bytes) };
}

/** The JSON text of a cached body. */
export const cachedJsonText = ({ latin1 }: CachedJson): string => Buffer.from(latin1, "latin1").toString();

/** The part of the request that an error is about. */
export type ErrorLocation = "header" | "body" | "url" | "params";

/** One entry of `errors` in an error response. */
export type ErrorEntry = {
  readonly location: ErrorLocation;
  readonly name: string;
  /** A text; in version 2.5 it may also be a nested structure of texts. */
  readonly description: unknown;
  readonly rule: ErrorRuleId;
  /** When the request would be allowed, if it only came at the wrong time. */
  readonly window?: TimeWindow;
};

/** More errors than this are not reported. */
export const ERRORS_MAX = 1000;

/** An error response with several entries. */
export const errorResponse = (
  status: number,
  errors: readonly ErrorEntry[],
  headers: ResponseHeaders = {},
): HttpResponse => ({
  status,
  headers,
  errors: errors.slice(0, ERRORS_MAX),
});

/** What error bodies depend on: the origin for links to the documentation, and the time zone for times. */
export type ErrorContext = { readonly origin: string; readonly zone: Zone };

/** Renders `errors` as JSON, each with a link to its rule and the times between which the request is allowed. */
export function withErrorBody(response: HttpResponse, { origin, zone }: ErrorContext): HttpResponse {
  if (!response.errors) return response;
  const formatTime = (at: number | undefined) => (at === undefined ? undefined : formatInstant(at, zone));
  const errors = response.errors.map(({ window, ...entry }) => ({
    ...entry,
    name: truncate(entry.name),
    description: truncateTexts(entry.description),
    docs: `${origin}/docs/errors#${entry.rule}`,
    allowedFrom: formatTime(window?.from),
    allowedUntil: formatTime(window?.until),
  }));
  return { ...response, errors: undefined, json: JSON.stringify({ status: "error", errors }) };
}

/** Longer than any name or text of the service. A longer text echoes what the client sent, so it is truncated. */
const ECHOED_LENGTH_MAX = 200;

const truncate = (text: string): string =>
  text.length <= ECHOED_LENGTH_MAX ? text : `${text.slice(0, ECHOED_LENGTH_MAX).toWellFormed()}…`;

/** Also truncates keys: in version 2.5 a description may contain objects whose keys were sent by the client. */
function truncateTexts(value: unknown): unknown {
  if (typeof value === "string") return truncate(value);
  if (Array.isArray(value)) return value.map(truncateTexts);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [truncate(name), truncateTexts(inner)]));
}

type SingleErrorOptions = { readonly headers?: ResponseHeaders; readonly window?: TimeWindow };

/** An error response with one entry. */
export const singleErrorResponse = (
  status: number,
  location: ErrorLocation,
  name: string,
  description: string,
  rule: ErrorRuleId,
  { headers, window }: SingleErrorOptions = {},
) => errorResponse(status, [{ location, name, description, rule, ...(window && { window }) }], headers);

const NOT_FOUND_RULES: { readonly [name: string]: ErrorRuleId } = { path: "unknown-path", version: "unknown-version" };

export const NOT_FOUND = (name: string) =>
  singleErrorResponse(404, "url", name, "Not Found", NOT_FOUND_RULES[name] ?? "not-found");
export const METHOD_NOT_ALLOWED = (allow: string) =>
  singleErrorResponse(405, "url", "method", `Method should be one of ${allow}`, "method-not-allowed", {
    headers: { Allow: allow },
  });
export const UNSUPPORTED_MEDIA_TYPE = (mediaType: string) =>
  singleErrorResponse(
    415,
    "header",
    "Content-Type",
    `Content-Type header should be one of ['${mediaType}']`,
    "content-type",
  );
export const PAYLOAD_TOO_LARGE = (name: string, bytesMax: number) =>
  singleErrorResponse(413, "body", name, `The limit is ${bytesMax} bytes`, "too-large");
export const MISSING_DATA = (description: string) => singleErrorResponse(422, "body", "data", description, "no-data");
export const CANNOT_VIEW = (resource: string, status: string) =>
  singleErrorResponse(
    403,
    "body",
    "data",
    `Can't view ${resource} in current (${status}) tender status`,
    "sealed-bids",
  );
export const INVALID_JSON = singleErrorResponse(422, "body", "data", "No JSON object could be decoded", "not-json");
/** Starts with the protocol's text, for clients that look for it. */
export const INVALID_JSON_BECAUSE = (reason: string, rule: "duplicate-key" | "json-too-complex") =>
  singleErrorResponse(422, "body", "data", `No JSON object could be decoded: ${reason}`, rule);
/** Bytes return to the budget as soon as requests are answered. */
const RETRY_SOON = { headers: { "Retry-After": "1" } };
export const TOO_MANY_BODIES = singleErrorResponse(
  503,
  "url",
  "service",
  "Too many bytes of request bodies are in flight",
  "too-many-bodies",
  RETRY_SOON,
);
export const TOO_MANY_BODIES_PER_ACCOUNT = singleErrorResponse(
  429,
  "url",
  "service",
  "Too many bytes of request bodies are in flight with this key",
  "too-many-bodies",
  RETRY_SOON,
);
export const CROSS_SITE = singleErrorResponse(
  403,
  "header",
  "Sec-Fetch-Site",
  "A page of another site cannot write with a key that the browser has stored",
  "cross-site",
);
export const REPEATED_HEADER = (name: string) =>
  singleErrorResponse(400, "header", name, "This header can only be sent once", "repeated-header");
export const NO_JSONP = singleErrorResponse(400, "params", "opt_jsonp", "JSONP is not available here", "no-jsonp");
export const OPTIONS_RESPONSE = (allow: string): HttpResponse => ({ status: 204, headers: { Allow: allow } });
export const UNAUTHORIZED = singleErrorResponse(
  401,
  "header",
  "Authorization",
  "A known API key is needed",
  "key-needed",
  {
    headers: { "WWW-Authenticate": 'Basic realm="Tenderhall", charset="UTF-8"' },
  },
);
export const BAD_CALLBACK = singleErrorResponse(
  400,
  "params",
  "opt_jsonp",
  "Invalid JSONP callback function name.",
  "bad-callback",
);
export const BAD_OFFSET = singleErrorResponse(404, "params", "offset", "Offset expired/invalid", "bad-offset");
/** 422 with all invalid query parameters. */
export const BAD_PARAMS = (problems: readonly { readonly name: string; readonly description: string }[]) =>
  errorResponse(
    422,
    problems.map((problem) => ({ location: "params", ...problem, rule: "bad-filter" })),
  );
export const TOO_MANY_STREAMS = singleErrorResponse(
  503,
  "url",
  "service",
  "Too many streams are open",
  "too-many-streams",
  {
    headers: { "Retry-After": "5" },
  },
);
export const TOO_MANY_STREAMS_PER_CLIENT = singleErrorResponse(
  429,
  "url",
  "service",
  "Too many streams are open from this address or with this key",
  "too-many-streams",
  { headers: { "Retry-After": "5" } },
);
export const TOO_MANY_STREAM_QUERIES = singleErrorResponse(
  429,
  "url",
  "service",
  "Streams with too many different filters and fields are open from this address or with this key",
  "too-many-stream-queries",
  { headers: { "Retry-After": "5" } },
);
export const BAD_UPLOAD = (name: string, description: string, rule: ErrorRuleId) =>
  singleErrorResponse(422, "body", name, description, rule);
export const MISSING_FILE = singleErrorResponse(404, "body", "file", "Not Found", "file-missing");
export const TOO_MANY_REQUESTS = singleErrorResponse(
  429,
  "header",
  "Authorization",
  "Too many requests",
  "too-many-requests",
);
export const MALFORMED_REQUEST = (description: string, status = 400, rule: ErrorRuleId = "request-malformed") =>
  singleErrorResponse(status, "header", "request", description, rule);
export const RANGE_NOT_SATISFIABLE = (size: number) =>
  singleErrorResponse(416, "header", "Range", `The file has ${size} bytes`, "bad-range", {
    headers: { "Content-Range": `bytes */${size}` },
  });
export const EXPECTATION_FAILED = singleErrorResponse(
  417,
  "header",
  "Expect",
  "The only supported expectation is 100-continue",
  "bad-expectation",
);
export const INVALID_IDEMPOTENCY_KEY = singleErrorResponse(
  422,
  "header",
  "Idempotency-Key",
  "A key must have 1 to 255 printable ASCII characters",
  "idempotency-key",
);
export const IDEMPOTENCY_KEY_REUSED = singleErrorResponse(
  422,
  "header",
  "Idempotency-Key",
  "This key was used for another request",
  "idempotency-key-reused",
);
/** The request is not carried out: without a record, a retry with the same key would carry it out twice. */
export const IDEMPOTENCY_QUOTA_EXCEEDED = singleErrorResponse(
  403,
  "header",
  "Idempotency-Key",
  "The responses stored for this account within a day have reached their quota",
  "idempotency-quota",
);
export const UNKNOWN_TEST_CLOCK = singleErrorResponse(
  422,
  "header",
  "X-Test-Clock",
  "There is no such test clock",
  "unknown-clock",
);
export const PRECONDITION_FAILED = singleErrorResponse(
  412,
  "header",
  "If-Match",
  "The resource has changed since you read it",
  "precondition-failed",
);
export const UNAVAILABLE = singleErrorResponse(
  503,
  "url",
  "service",
  "The service is temporarily unavailable",
  "unavailable",
  {
    headers: { "Retry-After": "1" },
  },
);
export const INTERNAL_ERROR = (requestId: string) =>
  singleErrorResponse(500, "url", "request", `Internal error; the id of the request is ${requestId}`, "internal-error");

/** Marks a response as that of a dry run. */
export const withDryRunHeader = (response: HttpResponse): HttpResponse => ({
  ...response,
  headers: { ...response.headers, "X-Dry-Run": "1" },
});

export const FORBIDDEN = singleErrorResponse(403, "url", "permission", "Forbidden", "forbidden");
