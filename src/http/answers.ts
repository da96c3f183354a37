import type { Readable } from "node:stream";
import type { Dialect } from "../dialects/dialects.ts";
import { nestedErrors } from "../dialects/nestedErrors.ts";
import type { ShapeName } from "../dialects/newest.ts";
import type { Problem, Refusal } from "../domain/refusals.ts";

export type Headers = { readonly [name: string]: string };

/** What goes back to the client: JSON text, bytes of another kind, or a stream. */
export type Answer = {
  readonly status: number;
  readonly headers?: Headers;
  readonly json?: string | KeptJson;
  readonly bytes?: Buffer;
  readonly stream?: Readable;
  /** Whoever takes nothing of the stream for this long is cut off. */
  readonly stallMs?: number;
  /** Whether whoever asks the same now is to be given the same. */
  readonly isStill?: () => boolean | Promise<boolean>;
};

/** JSON that will be sent again, as its UTF-8 bytes, one character each: that way it leaves in one piece with its head. */
export type KeptJson = { readonly latin1: string };

export const keptJson = (text: string): KeptJson => ({ latin1: Buffer.from(text).toString("latin1") });
export const textOf = ({ latin1 }: KeptJson): string => Buffer.from(latin1, "latin1").toString();

export type Location = "header" | "body" | "url" | "params";
export type ErrorEntry = { readonly location: Location; readonly name: string; readonly description: unknown };

export const failure = (status: number, errors: readonly ErrorEntry[], headers: Headers = {}): Answer => ({
  status,
  headers,
  json: JSON.stringify({ status: "error", errors }),
});

const single = (status: number, location: Location, name: string, description: string, headers?: Headers) =>
  failure(status, [{ location, name, description }], headers);

export const NOT_FOUND = (name: string) => single(404, "url", name, "Not Found");
export const METHOD_NOT_ALLOWED = (allow: string) =>
  single(405, "url", "method", `Method should be one of ${allow}`, { Allow: allow });
export const UNSUPPORTED = (wanted: string) =>
  single(415, "header", "Content-Type", `Content-Type header should be one of ['${wanted}']`);
export const TOO_LARGE = (name: string, bytesMax: number) =>
  single(413, "body", name, `The limit is ${bytesMax} bytes`);
export const NO_DATA = (description: string) => single(422, "body", "data", description);
export const CANNOT_VIEW = (what: string, status: string) =>
  single(403, "body", "data", `Can't view ${what} in current (${status}) tender status`);
export const NO_JSON = single(422, "body", "data", "No JSON object could be decoded");
/** The protocol's text stays first, so that clients which look for it find it. */
export const NO_JSON_BECAUSE = (why: string) => single(422, "body", "data", `No JSON object could be decoded: ${why}`);
export const UNAUTHORIZED = single(401, "header", "Authorization", "A known API key is needed", {
  "WWW-Authenticate": 'Basic realm="Tenderhall", charset="UTF-8"',
});
export const BAD_CALLBACK = single(400, "params", "opt_jsonp", "Invalid JSONP callback function name.");
export const BAD_OFFSET = single(404, "params", "offset", "Offset expired/invalid");
/** Everything that is wrong with what a query asks for, at once. */
export const BAD_PARAMS = (wrong: readonly { readonly name: string; readonly description: string }[]) =>
  failure(
    422,
    wrong.map((one) => ({ location: "params", ...one })),
  );
export const TOO_MANY_STREAMS = single(503, "url", "service", "Too many streams are open", { "Retry-After": "5" });
export const BAD_UPLOAD = (name: string, description: string) => single(422, "body", name, description);
export const NO_FILE = single(404, "body", "file", "Not Found");
export const TOO_MANY = single(429, "header", "Authorization", "Too many requests");
export const BROKEN_REQUEST = (description: string) => single(400, "header", "request", description);
export const OUT_OF_RANGE = (size: number) =>
  single(416, "header", "Range", `The file has ${size} bytes`, { "Content-Range": `bytes */${size}` });
export const UNEXPECTED = single(417, "header", "Expect", "The only expectation understood is 100-continue");
export const UNAVAILABLE = single(503, "url", "service", "The service cannot answer now", { "Retry-After": "1" });
export const FAILED = (requestId: string) =>
  single(500, "url", "request", `Something went wrong on our side; the request is known as ${requestId}`);

/** Enough for any honest mistake. */
const ERRORS_MAX = 1000;

function entriesOf(problems: readonly Problem[], dialect: Dialect, shape: ShapeName): readonly ErrorEntry[] {
  const named = dialect.named(shape, problems).slice(0, ERRORS_MAX);
  if (dialect.manners.errors === "nested") return nestedErrors(named).map((one) => ({ location: "body", ...one }));
  return named.map(({ path, message }) => ({ location: "body", name: path.join(".") || "data", description: message }));
}

/** The one table that turns refusals into answers: the domain knows no status codes, and nobody else chooses them. */
export function answerTo(refusal: Refusal, dialect: Dialect, shape: ShapeName): Answer {
  switch (refusal.kind) {
    case "not found":
      return NOT_FOUND(`${refusal.what}_id`);
    case "forbidden":
      return single(403, "url", "permission", "Forbidden");
    case "wrong role":
      return single(403, "url", "role", "Forbidden");
    case "not the author":
      return single(403, "url", "role", "Can update document only author");
    case "not accredited": {
      const text = `Broker Accreditation level does not permit ${refusal.for} creation`;
      return single(403, "url", refusal.because, text);
    }
    case "unknown procedure":
      return single(415, "body", "procurementMethodType", "Not implemented");
    case "invalid":
      return failure(422, entriesOf(refusal.problems, dialect, shape));
    case "hidden":
      return dialect.manners.hidden === "absent"
        ? NOT_FOUND(`${refusal.what}_id`)
        : single(403, "url", "permission", "Forbidden");
    case "wrong status": {
      const { doing, of, status } = refusal;
      const whose = of === "itself" ? "status" : `${of} status`;
      return single(403, "body", "data", `Can't ${doing} in current (${dialect.statusName(status)}) ${whose}`);
    }
    case "rule":
      return single(403, "body", refusal.name ?? "data", refusal.message);
  }
}
