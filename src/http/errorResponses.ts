import type { ErrorRuleId } from "./errorRules.ts";
import { errorResponse, type ResponseHeaders, singleErrorResponse } from "./responses.ts";

/** The error responses of the HTTP interface. Those of the domain come from `refusalResponse`. */

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
export const BIDDER_NEEDED = singleErrorResponse(
  401,
  "header",
  "Authorization",
  "The secret of a participation link, or an API key with the owner token of the bid, is needed",
  "bidder-needed",
  { headers: { "WWW-Authenticate": 'Bearer realm="Tenderhall"' } },
);
export const AUCTION_LINK_INVALID = singleErrorResponse(
  403,
  "header",
  "Authorization",
  "This is not the participation link of a bid in this auction, or it was replaced",
  "auction-link",
);
/** As the engine says it of a bidder that it knows. */
export const AUCTION_CANCELLED = singleErrorResponse(
  403,
  "body",
  "data",
  "The auction is cancelled: it accepts no prices.",
  "auction-stage",
);
export const TOO_MANY_PRICES = (headers: ResponseHeaders) =>
  singleErrorResponse(429, "header", "Authorization", "Too many prices of this bidder", "too-many-prices", { headers });
export const RECORD_NOT_PUBLIC = singleErrorResponse(
  403,
  "url",
  "record",
  "The record is published when the tender reaches its qualification",
  "record-not-public",
);
export const BAD_CALLBACK = singleErrorResponse(
  400,
  "params",
  "opt_jsonp",
  "Invalid JSONP callback function name.",
  "bad-callback",
);
export const BAD_OFFSET = singleErrorResponse(404, "params", "offset", "Offset expired/invalid", "bad-offset");
/** Never ignored: a reader must not take the present tender for a past one. */
export const BAD_AT = (description: string) => singleErrorResponse(422, "params", "at", description, "bad-at");
/** 422 with all invalid query parameters. */
export const BAD_PARAMS = (problems: readonly { readonly name: string; readonly description: string }[]) =>
  errorResponse(
    422,
    problems.map((problem) => ({ location: "params", ...problem, rule: "bad-filter" })),
  );
/** Open data is not configured: see the section of settings about it. */
export const OPEN_DATA_OFF = singleErrorResponse(
  404,
  "url",
  "path",
  "This registry does not publish open data yet",
  "open-data-off",
);
/** The standard does not allow a package without releases. */
export const NO_RELEASES = singleErrorResponse(404, "url", "releases", "There are no such releases", "no-releases");
/** A server makes the bulk files soon after it starts, and checks every minute whether it can. */
export const FILES_PENDING = singleErrorResponse(
  404,
  "url",
  "data_file",
  "The files are being prepared",
  "files-pending",
  { headers: { "Retry-After": "60" } },
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
export const MALFORMED_PATH = singleErrorResponse(
  400,
  "url",
  "path",
  "The path is not percent-encoded correctly",
  "path-malformed",
);
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

export const FORBIDDEN = singleErrorResponse(403, "url", "permission", "Forbidden", "forbidden");
