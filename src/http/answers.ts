import type { Readable } from "node:stream";
import type { Dialect } from "../dialects/dialects.ts";
import { nestedErrors } from "../dialects/nestedErrors.ts";
import type { ShapeName } from "../dialects/newest.ts";
import type { Problem, Refusal, Window } from "../domain/refusals.ts";
import { formatInstant, type Zone } from "../domain/time.ts";
import { etagOf } from "./conditional.ts";
import type { ErrorRuleId } from "./errorRules.ts";

export type Headers = { readonly [name: string]: string };

/** What goes back to the client: JSON text, the errors of a refusal, bytes of another kind, or a stream. */
export type Answer = {
  readonly status: number;
  readonly headers?: Headers;
  readonly json?: string | KeptJson;
  /** Why not: told in full once it is known where the rules are explained. */
  readonly errors?: readonly ErrorEntry[];
  readonly bytes?: Buffer;
  readonly stream?: Readable;
  /** Whoever takes nothing of the stream for this long is cut off. */
  readonly stallMs?: number;
  /** The same for as long as the service runs, so that it may be compressed as well as can be, once. */
  readonly isConstant?: true;
  /** For those who run the service: no page of another site is let in. */
  readonly isOurs?: true;
  /** Whether whoever asks the same now is to be given the same. */
  readonly isStill?: () => boolean | Promise<boolean>;
};

/** JSON that will be sent again, as its UTF-8 bytes, one character each: that way it leaves in one piece with its head. */
export type KeptJson = { readonly latin1: string; readonly etag: string };

export function keptJson(text: string): KeptJson {
  const bytes = Buffer.from(text);
  return { latin1: bytes.toString("latin1"), etag: etagOf(bytes) };
}
export const textOf = ({ latin1 }: KeptJson): string => Buffer.from(latin1, "latin1").toString();

export type Location = "header" | "body" | "url" | "params";
export type ErrorEntry = {
  readonly location: Location;
  readonly name: string;
  readonly description: unknown;
  readonly rule: ErrorRuleId;
  readonly window?: Window;
};

/** Enough for any honest mistake. */
const ERRORS_MAX = 1000;

export const failure = (status: number, errors: readonly ErrorEntry[], headers: Headers = {}): Answer => ({
  status,
  headers,
  errors: errors.slice(0, ERRORS_MAX),
});

/** How those who ask reach us, and the zone they read times in. */
export type Telling = { readonly origin: string; readonly zone: Zone };

/** The same answer with its errors in JSON, each with where its rule is explained and when it would not be broken. */
export function told(answer: Answer, { origin, zone }: Telling): Answer {
  if (!answer.errors) return answer;
  const shown = (at: number | undefined) => (at === undefined ? undefined : formatInstant(at, zone));
  const errors = answer.errors.map(({ window, ...entry }) => ({
    ...entry,
    name: shortened(entry.name),
    description: withShortTexts(entry.description),
    docs: `${origin}/docs/errors#${entry.rule}`,
    allowedFrom: shown(window?.from),
    allowedUntil: shown(window?.until),
  }));
  return { ...answer, errors: undefined, json: JSON.stringify({ status: "error", errors }) };
}

/** Longer than any name or sentence of ours; what is longer repeats what a client sent. */
const ECHOED_LENGTH_MAX = 200;

const shortened = (text: string): string =>
  text.length <= ECHOED_LENGTH_MAX ? text : `${text.slice(0, ECHOED_LENGTH_MAX).toWellFormed()}…`;

/** Under 2.5 a description may be lists and objects, whose keys are names that the client sent. */
function withShortTexts(value: unknown): unknown {
  if (typeof value === "string") return shortened(value);
  if (Array.isArray(value)) return value.map(withShortTexts);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [shortened(name), withShortTexts(inner)]));
}

type Said = { readonly headers?: Headers; readonly window?: Window };

export const single = (
  status: number,
  location: Location,
  name: string,
  description: string,
  rule: ErrorRuleId,
  { headers, window }: Said = {},
) => failure(status, [{ location, name, description, rule, ...(window && { window }) }], headers);

const UNKNOWN: { readonly [name: string]: ErrorRuleId } = { path: "unknown-path", version: "unknown-version" };

export const NOT_FOUND = (name: string) => single(404, "url", name, "Not Found", UNKNOWN[name] ?? "not-found");
export const METHOD_NOT_ALLOWED = (allow: string) =>
  single(405, "url", "method", `Method should be one of ${allow}`, "method-not-allowed", { headers: { Allow: allow } });
export const UNSUPPORTED = (wanted: string) =>
  single(415, "header", "Content-Type", `Content-Type header should be one of ['${wanted}']`, "content-type");
export const TOO_LARGE = (name: string, bytesMax: number) =>
  single(413, "body", name, `The limit is ${bytesMax} bytes`, "too-large");
export const NO_DATA = (description: string) => single(422, "body", "data", description, "no-data");
export const CANNOT_VIEW = (what: string, status: string) =>
  single(403, "body", "data", `Can't view ${what} in current (${status}) tender status`, "sealed-bids");
export const NO_JSON = single(422, "body", "data", "No JSON object could be decoded", "not-json");
/** The protocol's text stays first, so that clients which look for it find it. */
export const NO_JSON_BECAUSE = (why: string, rule: "duplicate-key" | "json-too-complex") =>
  single(422, "body", "data", `No JSON object could be decoded: ${why}`, rule);
/** Room for bodies comes back as soon as requests are answered. */
const SOON = { headers: { "Retry-After": "1" } };
export const TOO_MANY_BODIES = single(
  503,
  "url",
  "service",
  "Too many bytes of request bodies are in flight",
  "too-many-bodies",
  SOON,
);
export const TOO_MANY_BODIES_OF_ACCOUNT = single(
  429,
  "url",
  "service",
  "Too many bytes of request bodies are in flight with this key",
  "too-many-bodies",
  SOON,
);
export const CROSS_SITE = single(
  403,
  "header",
  "Sec-Fetch-Site",
  "A page of another site cannot write with a key that the browser remembers",
  "cross-site",
);
export const REPEATED_HEADER = (name: string) =>
  single(400, "header", name, "This header can only be sent once", "repeated-header");
export const NO_JSONP = single(400, "params", "opt_jsonp", "JSONP is not available here", "no-jsonp");
/** What OPTIONS answers. */
export const ALLOWED = (allow: string): Answer => ({ status: 204, headers: { Allow: allow } });
export const UNAUTHORIZED = single(401, "header", "Authorization", "A known API key is needed", "key-needed", {
  headers: { "WWW-Authenticate": 'Basic realm="Tenderhall", charset="UTF-8"' },
});
export const BAD_CALLBACK = single(400, "params", "opt_jsonp", "Invalid JSONP callback function name.", "bad-callback");
export const BAD_OFFSET = single(404, "params", "offset", "Offset expired/invalid", "bad-offset");
/** Everything that is wrong with what a query asks for, at once. */
export const BAD_PARAMS = (wrong: readonly { readonly name: string; readonly description: string }[]) =>
  failure(
    422,
    wrong.map((one) => ({ location: "params", ...one, rule: "bad-filter" })),
  );
export const TOO_MANY_STREAMS = single(503, "url", "service", "Too many streams are open", "too-many-streams", {
  headers: { "Retry-After": "5" },
});
export const TOO_MANY_STREAMS_EACH = single(
  429,
  "url",
  "service",
  "Too many streams are open from this address or with this key",
  "too-many-streams",
  { headers: { "Retry-After": "5" } },
);
export const TOO_MANY_STREAM_QUERIES = single(
  429,
  "url",
  "service",
  "Streams with too many different filters and fields are open from this address or with this key",
  "too-many-stream-queries",
  { headers: { "Retry-After": "5" } },
);
export const BAD_UPLOAD = (name: string, description: string, rule: ErrorRuleId) =>
  single(422, "body", name, description, rule);
export const NO_FILE = single(404, "body", "file", "Not Found", "file-missing");
export const TOO_MANY = single(429, "header", "Authorization", "Too many requests", "too-many-requests");
export const BROKEN_REQUEST = (description: string, status = 400, rule: ErrorRuleId = "request-malformed") =>
  single(status, "header", "request", description, rule);
export const OUT_OF_RANGE = (size: number) =>
  single(416, "header", "Range", `The file has ${size} bytes`, "bad-range", {
    headers: { "Content-Range": `bytes */${size}` },
  });
export const UNEXPECTED = single(
  417,
  "header",
  "Expect",
  "The only expectation understood is 100-continue",
  "bad-expectation",
);
export const UNUSABLE_KEY = single(
  422,
  "header",
  "Idempotency-Key",
  "A key is 1 to 255 printable characters of ASCII",
  "idempotency-key",
);
export const KEY_OF_ANOTHER = single(
  422,
  "header",
  "Idempotency-Key",
  "This key came with another request before",
  "idempotency-key-reused",
);
/** Rather than to be done without its record, which would let the same key carry it out twice. */
export const IDEMPOTENCY_QUOTA = single(
  403,
  "header",
  "Idempotency-Key",
  "The answers remembered for this account within a day take up its whole quota",
  "idempotency-quota",
);
export const NO_SUCH_CLOCK = single(422, "header", "X-Test-Clock", "There is no such test clock", "unknown-clock");
export const PRECONDITION_FAILED = single(
  412,
  "header",
  "If-Match",
  "It is not what it was when you read it",
  "precondition-failed",
);
export const UNAVAILABLE = single(503, "url", "service", "The service cannot answer now", "unavailable", {
  headers: { "Retry-After": "1" },
});
export const FAILED = (requestId: string) =>
  single(
    500,
    "url",
    "request",
    `Something went wrong on our side; the request is known as ${requestId}`,
    "internal-error",
  );

/** The same, said to be of a dry run. */
export const dry = (answer: Answer): Answer => ({ ...answer, headers: { ...answer.headers, "X-Dry-Run": "1" } });

function entriesOf(problems: readonly Problem[], dialect: Dialect, shape: ShapeName): readonly ErrorEntry[] {
  const named = dialect.named(shape, problems).slice(0, ERRORS_MAX);
  if (dialect.manners.errors === "nested") return nestedErrors(named).map((one) => ({ location: "body", ...one }));
  return named.map(({ path, message, rule, window }) => ({
    location: "body",
    name: path.join(".") || "data",
    description: message,
    rule,
    ...(window && { window }),
  }));
}

export const FORBIDDEN = single(403, "url", "permission", "Forbidden", "forbidden");

const UNACCREDITED = { accreditation: "accreditation-level", mode: "test-mode-only" } as const;

/** The one table that turns refusals into answers: the domain knows no status codes, and nobody else chooses them. */
export function answerTo(refusal: Refusal, dialect: Dialect, shape: ShapeName): Answer {
  switch (refusal.kind) {
    case "not found":
      return NOT_FOUND(`${refusal.what}_id`);
    case "forbidden":
      return FORBIDDEN;
    case "wrong role":
      return single(403, "url", "role", "Forbidden", "wrong-role", { window: refusal.window });
    case "not the author":
      return single(403, "url", "role", "Can update document only author", "not-the-author");
    case "not accredited": {
      const text = `Broker Accreditation level does not permit ${refusal.for} creation`;
      return single(403, "url", refusal.because, text, UNACCREDITED[refusal.because]);
    }
    case "unknown procedure":
      return single(415, "body", "procurementMethodType", "Not implemented", "unknown-procedure");
    case "invalid":
      return failure(422, entriesOf(refusal.problems, dialect, shape));
    case "hidden":
      return dialect.manners.hidden === "absent" ? NOT_FOUND(`${refusal.what}_id`) : FORBIDDEN;
    case "wrong status": {
      const { doing, of, status, window } = refusal;
      const whose = of === "itself" ? "status" : `${of} status`;
      const text = `Can't ${doing} in current (${dialect.statusName(status)}) ${whose}`;
      return single(403, "body", "data", text, "wrong-status", { window });
    }
    case "rule":
      return single(403, "body", refusal.name ?? "data", refusal.message, refusal.rule, { window: refusal.window });
  }
}
