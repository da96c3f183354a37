import type { Readable } from "node:stream";
import type { Dialect } from "../dialects/dialects.ts";
import { nestedErrors } from "../dialects/nestedErrors.ts";
import type { ShapeName } from "../dialects/newestShapes.ts";
import type { Problem, Refusal, TimeWindow } from "../domain/model/refusals.ts";
import { formatInstant, type Zone } from "../domain/values/time.ts";
import type { ErrorRuleId } from "./errorRules.ts";
import { etagOf } from "./etags.ts";

export type ResponseHeaders = { readonly [name: string]: string };

/** What goes back to the client: JSON text, the errors of a refusal, bytes of another kind, or a stream. */
export type HttpResponse = {
  readonly status: number;
  readonly headers?: ResponseHeaders;
  readonly json?: string | CachedJson;
  /** Why not: told in full once it is known where the rules are explained. */
  readonly errors?: readonly ErrorEntry[];
  readonly bytes?: Buffer;
  readonly stream?: Readable;
  /** Whoever takes nothing of the stream for this long is cut off. */
  readonly stallTimeoutMs?: number;
  /** The same for as long as the service runs, so that it may be compressed as well as can be, once. */
  readonly isConstant?: true;
  /** For those who run the service: no page of another site is let in. */
  readonly isOurs?: true;
  /** Whether whoever asks the same now is to be given the same. */
  readonly isFresh?: () => boolean | Promise<boolean>;
};

/** JSON that will be sent again, as its UTF-8 bytes, one character each: that way it leaves in one piece with its head. */
export type CachedJson = { readonly latin1: string; readonly etag: string };

export function toCachedJson(text: string): CachedJson {
  const bytes = Buffer.from(text);
  return { latin1: bytes.toString("latin1"), etag: etagOf(bytes) };
}
export const cachedJsonText = ({ latin1 }: CachedJson): string => Buffer.from(latin1, "latin1").toString();

export type ErrorLocation = "header" | "body" | "url" | "params";
export type ErrorEntry = {
  readonly location: ErrorLocation;
  readonly name: string;
  readonly description: unknown;
  readonly rule: ErrorRuleId;
  readonly window?: TimeWindow;
};

/** Enough for any honest mistake. */
const ERRORS_MAX = 1000;

export const errorResponse = (
  status: number,
  errors: readonly ErrorEntry[],
  headers: ResponseHeaders = {},
): HttpResponse => ({
  status,
  headers,
  errors: errors.slice(0, ERRORS_MAX),
});

/** How those who ask reach us, and the zone they read times in. */
export type ErrorContext = { readonly origin: string; readonly zone: Zone };

/** The same answer with its errors in JSON, each with where its rule is explained and when it would not be broken. */
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

/** Longer than any name or sentence of ours; what is longer repeats what a client sent. */
const ECHOED_LENGTH_MAX = 200;

const truncate = (text: string): string =>
  text.length <= ECHOED_LENGTH_MAX ? text : `${text.slice(0, ECHOED_LENGTH_MAX).toWellFormed()}…`;

/** Under 2.5 a description may be lists and objects, whose keys are names that the client sent. */
function truncateTexts(value: unknown): unknown {
  if (typeof value === "string") return truncate(value);
  if (Array.isArray(value)) return value.map(truncateTexts);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [truncate(name), truncateTexts(inner)]));
}

type SingleErrorOptions = { readonly headers?: ResponseHeaders; readonly window?: TimeWindow };

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
export const CANNOT_VIEW = (what: string, status: string) =>
  singleErrorResponse(403, "body", "data", `Can't view ${what} in current (${status}) tender status`, "sealed-bids");
export const INVALID_JSON = singleErrorResponse(422, "body", "data", "No JSON object could be decoded", "not-json");
/** The protocol's text stays first, so that clients which look for it find it. */
export const INVALID_JSON_BECAUSE = (reason: string, rule: "duplicate-key" | "json-too-complex") =>
  singleErrorResponse(422, "body", "data", `No JSON object could be decoded: ${reason}`, rule);
/** Room for bodies comes back as soon as requests are answered. */
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
  "A page of another site cannot write with a key that the browser remembers",
  "cross-site",
);
export const REPEATED_HEADER = (name: string) =>
  singleErrorResponse(400, "header", name, "This header can only be sent once", "repeated-header");
export const NO_JSONP = singleErrorResponse(400, "params", "opt_jsonp", "JSONP is not available here", "no-jsonp");
/** What OPTIONS answers. */
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
/** Everything that is wrong with what a query asks for, at once. */
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
  "The only expectation understood is 100-continue",
  "bad-expectation",
);
export const INVALID_IDEMPOTENCY_KEY = singleErrorResponse(
  422,
  "header",
  "Idempotency-Key",
  "A key is 1 to 255 printable characters of ASCII",
  "idempotency-key",
);
export const IDEMPOTENCY_KEY_REUSED = singleErrorResponse(
  422,
  "header",
  "Idempotency-Key",
  "This key came with another request before",
  "idempotency-key-reused",
);
/** Rather than to be done without its record, which would let the same key carry it out twice. */
export const IDEMPOTENCY_QUOTA_EXCEEDED = singleErrorResponse(
  403,
  "header",
  "Idempotency-Key",
  "The answers remembered for this account within a day take up its whole quota",
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
  "It is not what it was when you read it",
  "precondition-failed",
);
export const UNAVAILABLE = singleErrorResponse(503, "url", "service", "The service cannot answer now", "unavailable", {
  headers: { "Retry-After": "1" },
});
export const INTERNAL_ERROR = (requestId: string) =>
  singleErrorResponse(
    500,
    "url",
    "request",
    `Something went wrong on our side; the request is known as ${requestId}`,
    "internal-error",
  );

/** The same, said to be of a dry run. */
export const withDryRunHeader = (response: HttpResponse): HttpResponse => ({
  ...response,
  headers: { ...response.headers, "X-Dry-Run": "1" },
});

function errorEntriesOf(problems: readonly Problem[], dialect: Dialect, shape: ShapeName): readonly ErrorEntry[] {
  const namedProblems = dialect.renameProblems(shape, problems).slice(0, ERRORS_MAX);
  if (dialect.behaviour.errors === "nested")
    return nestedErrors(namedProblems).map((nestedError) => ({ location: "body", ...nestedError }));
  return namedProblems.map(({ path, message, rule, window }) => ({
    location: "body",
    name: path.join(".") || "data",
    description: message,
    rule,
    ...(window && { window }),
  }));
}

export const FORBIDDEN = singleErrorResponse(403, "url", "permission", "Forbidden", "forbidden");

const ACCREDITATION_RULES = { accreditation: "accreditation-level", mode: "test-mode-only" } as const;

/** The one table that turns refusals into answers: the domain knows no status codes, and nobody else chooses them. */
export function refusalResponse(refusal: Refusal, dialect: Dialect, shape: ShapeName): HttpResponse {
  switch (refusal.kind) {
    case "not found":
      return NOT_FOUND(`${refusal.objectName}_id`);
    case "forbidden":
      return FORBIDDEN;
    case "wrong role":
      return singleErrorResponse(403, "url", "role", "Forbidden", "wrong-role", { window: refusal.window });
    case "not the author":
      return singleErrorResponse(403, "url", "role", "Can update document only author", "not-the-author");
    case "not accredited": {
      const text = `Broker Accreditation level does not permit ${refusal.for} creation`;
      return singleErrorResponse(403, "url", refusal.because, text, ACCREDITATION_RULES[refusal.because]);
    }
    case "unknown procedure":
      return singleErrorResponse(415, "body", "procurementMethodType", "Not implemented", "unknown-procedure");
    case "invalid":
      return errorResponse(422, errorEntriesOf(refusal.problems, dialect, shape));
    case "hidden":
      return dialect.behaviour.hidden === "absent" ? NOT_FOUND(`${refusal.objectName}_id`) : FORBIDDEN;
    case "wrong status": {
      const { action, of, status, window } = refusal;
      const statusPhrase = of === "itself" ? "status" : `${of} status`;
      const text = `Can't ${action} in current (${dialect.statusName(status)}) ${statusPhrase}`;
      return singleErrorResponse(403, "body", "data", text, "wrong-status", { window });
    }
    case "rule":
      return singleErrorResponse(403, "body", refusal.name ?? "data", refusal.message, refusal.rule, {
        window: refusal.window,
      });
  }
}
