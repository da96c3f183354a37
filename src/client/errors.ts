import { isTransient, retryAfterMs } from "./retries.ts";
import type { ErrorRule, UnknownText } from "./types.ts";

/**
 * The description of an error. If a rule forbids the request, it is a string. For an invalid field it is a list of
 * strings, or, for nested fields, an object or list with the structure of the field:
 * `[{ classification: { id: ["..."] } }]`. API versions before 2.5 always return a string.
 */
export type ErrorDescription = string | readonly ErrorDescription[] | { readonly [field: string]: ErrorDescription };

/** One error of a refused request. A request with several invalid fields has one entry for each. */
export type ErrorEntry = {
  /** The part of the request that is wrong: a header, the body, the path (`url`) or the query (`params`). */
  readonly location: "header" | "body" | "url" | "params";
  /** The name of the field, header or parameter. */
  readonly name: string;
  /** What is wrong with it. */
  readonly description: ErrorDescription;
  /** The stable id of the violated rule. A newer registry may have rules that are not in `ErrorRule`. */
  readonly rule?: ErrorRule | UnknownText;
  /** The URL of the rule's explanation. */
  readonly docs?: string;
  /** The time from which the request is allowed, if it came too early. */
  readonly allowedFrom?: string;
  /** The time until which the request is, or was, allowed. */
  readonly allowedUntil?: string;
};

/**
 * The error that all methods throw when the registry refuses a request or cannot be reached.
 *
 * @example
 * try {
 *   await client.tenders.create(tender);
 * } catch (error) {
 *   if (!(error instanceof TenderhallError)) throw error;
 *   for (const { name, description, rule } of error.errors) console.log(name, description, rule);
 * }
 */
export class TenderhallError extends Error {
  /** The name of the class, also in minified code. */
  override readonly name: string = "TenderhallError";
  /** The HTTP status code; 0 if there was no response, and then `cause` has the reason. */
  readonly status: number;
  /** The errors of the response body; empty if it has none. */
  readonly errors: readonly ErrorEntry[];
  /** The id under which the registry logged the request. Quote it when you report a problem. */
  readonly requestId: string | undefined;
  /** How many milliseconds to wait before a retry, from the header `Retry-After`; 0 if it is missing. */
  readonly retryAfterMs: number;
  /** The unparsed response body. */
  readonly text: string;

  constructor(
    message: string,
    details: {
      readonly status: number;
      readonly errors?: readonly ErrorEntry[];
      readonly requestId?: string;
      readonly retryAfterMs?: number;
      readonly text?: string;
      readonly cause?: unknown;
    },
  ) {
    super(message, { cause: details.cause });
    this.status = details.status;
    this.errors = details.errors ?? [];
    this.requestId = details.requestId;
    this.retryAfterMs = details.retryAfterMs ?? 0;
    this.text = details.text ?? "";
  }
}

/**
 * The registry does not know the API key. It answers such reads as if there were no key and reports that in the header
 * `X-Ignored-Authorization`. Because the response lacks what only the owner of the key sees, the client throws this
 * error instead, with the status 401 that a write with that key gets.
 */
export class UnknownKeyError extends TenderhallError {
  /** The name of the class, also in minified code. */
  override readonly name = "UnknownKeyError";
  /** Why the registry ignored the key: the value of the header `X-Ignored-Authorization`. */
  readonly reason: string;

  constructor(requestLine: string, reason: string, requestId: string | undefined) {
    const description = "The registry does not know the API key";
    super(`${requestLine}: the registry does not know the API key and returned only public data`, {
      status: 401,
      errors: [{ location: "header", name: "Authorization", description, rule: "key-needed" }],
      requestId,
    });
    this.reason = reason;
  }
}

/** The error for a response that ignored the key, if it did. Transient failures are retried first and return undefined. */
export function unknownKeyError(requestLine: string, { status, headers }: Response): UnknownKeyError | undefined {
  const reason = headers.get("X-Ignored-Authorization");
  if (reason === null || isTransient(status)) return undefined;
  return new UnknownKeyError(requestLine, reason, headers.get("X-Request-ID") ?? undefined);
}

/** The error for a response that is not successful. A proxy may have written it, so its body need not be JSON. */
export function errorFromResponse(requestLine: string, response: Response, text: string): TenderhallError {
  const { status, headers } = response;
  const errors = parseErrors(text);
  const summary = errors.map(formatEntry).join("; ");
  return new TenderhallError(`${requestLine} failed with ${status}${summary ? ` (${summary})` : ""}`, {
    status,
    errors,
    requestId: headers.get("X-Request-ID") ?? undefined,
    retryAfterMs: retryAfterMs(headers),
    text,
  });
}

/** For example `body/data: Not now (allowed from 2026-11-16T10:00:00+02:00)`. */
function formatEntry({ location, name, description, allowedFrom, allowedUntil }: ErrorEntry): string {
  const when = [allowedFrom && `from ${allowedFrom}`, allowedUntil && `until ${allowedUntil}`]
    .filter(Boolean)
    .join(" ");
  return `${location}/${name}: ${formatDescription(description)}${when && ` (allowed ${when})`}`;
}

function parseErrors(text: string): readonly ErrorEntry[] {
  try {
    const { errors } = JSON.parse(text);
    return Array.isArray(errors) ? errors : [];
  } catch {
    return [];
  }
}

const formatDescription = (description: ErrorDescription): string =>
  typeof description === "string" ? description : JSON.stringify(description);
