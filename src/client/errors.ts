import { isTransient, retryAfterMs } from "./retries.ts";
import type { ErrorRule, UnknownText } from "./types.ts";

/**
 * What is wrong. Versions before 2.5 always give a text. 2.5 gives a text where a rule forbids the request; of a field that is
 * wrong, a list of texts, or where it holds others, an object or list of the same form: `[{ classification: { id: ["..."] } }]`.
 */
export type ErrorDescription = string | readonly ErrorDescription[] | { readonly [field: string]: ErrorDescription };

/** One thing that is wrong with a request. */
export type ErrorEntry = {
  /** Where it is: in a header, in the body, in the path or in the query. */
  readonly location: "header" | "body" | "url" | "params";
  /** The field, header or parameter. */
  readonly name: string;
  /** What is wrong: a text, or for nested fields lists and objects of texts. */
  readonly description: ErrorDescription;
  /** The rule that refuses it: an id that stays the same. Newer registries may have rules that this client does not know. */
  readonly rule?: ErrorRule | UnknownText;
  /** Where the rule is explained. */
  readonly docs?: string;
  /** Where time decides: from when on it is allowed. */
  readonly allowedFrom?: string;
  /** Where time decides: until when it was, or is, allowed. */
  readonly allowedUntil?: string;
};

/** A request that was refused, or that never reached the registry. */
export class TenderhallError extends Error {
  override readonly name: string = "TenderhallError";
  /** The status of the answer; 0 where there was none, and then `cause` says why. */
  readonly status: number;
  /** What is wrong, entry by entry. */
  readonly errors: readonly ErrorEntry[];
  /** The name under which the registry logged the request. */
  readonly requestId: string | undefined;
  /** How long the registry asks to wait before trying again, by `Retry-After`; 0 where it says nothing of that. */
  readonly retryAfterMs: number;
  /** The body of the answer, as it came. */
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
 * The registry does not know the API key. It answers reads with what is public and says so in `X-Ignored-Authorization`; because
 * the response lacks what only the key's owner sees, the client throws, with the status 401 that a write with that key would get.
 */
export class UnknownKeyError extends TenderhallError {
  override readonly name = "UnknownKeyError";
  /** What the registry says about the key. */
  readonly reason: string;

  constructor(requestLine: string, reason: string, requestId: string | undefined) {
    const description = "The registry does not know the API key";
    super(`${requestLine}: the registry does not know the API key, and answered with what is public`, {
      status: 401,
      errors: [{ location: "header", name: "Authorization", description, rule: "key-needed" }],
      requestId,
    });
    this.reason = reason;
  }
}

/** The error if the registry ignored the key. Transient failures are left to the retries. */
export function unknownKeyError(requestLine: string, { status, headers }: Response): UnknownKeyError | undefined {
  const reason = headers.get("X-Ignored-Authorization");
  if (reason === null || isTransient(status)) return undefined;
  return new UnknownKeyError(requestLine, reason, headers.get("X-Request-ID") ?? undefined);
}

/** The refusal that an answer tells, whoever wrote it: something between us and the registry may answer other than JSON. */
export function errorFromResponse(requestLine: string, response: Response, text: string): TenderhallError {
  const { status, headers } = response;
  const errors = parseErrors(text);
  const summary = errors.map(formatEntry).join("; ");
  return new TenderhallError(`${requestLine} was answered ${status}${summary ? ` (${summary})` : ""}`, {
    status,
    errors,
    requestId: headers.get("X-Request-ID") ?? undefined,
    retryAfterMs: retryAfterMs(headers),
    text,
  });
}

/** As `body/data: Not now (allowed from 2026-11-16T10:00:00+02:00)`. */
function formatEntry({ location, name, description, allowedFrom, allowedUntil }: ErrorEntry): string {
  const when = [allowedFrom && `from ${allowedFrom}`, allowedUntil && `until ${allowedUntil}`]
    .filter(Boolean)
    .join(" ");
  return `${location}/${name}: ${formatDescription(description)}${when && ` (allowed ${when})`}`;
}

function parseErrors(text: string): readonly ErrorEntry[] {
  try {
    const { errors } = JSON.parse(text) as { readonly errors?: readonly ErrorEntry[] };
    return Array.isArray(errors) ? errors : [];
  } catch {
    return [];
  }
}

const formatDescription = (description: ErrorDescription): string =>
  typeof description === "string" ? description : JSON.stringify(description);
