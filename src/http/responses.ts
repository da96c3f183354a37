import type { Readable } from "node:stream";
import type { TimeWindow } from "../domain/model/refusals.ts";
import { type Decimal, withFraction } from "../domain/values/decimal.ts";
import { formatInstant, type Zone } from "../domain/values/time.ts";
import type { ErrorRuleId } from "./errorRules.ts";
import { etagOf } from "./etags.ts";

export type ResponseHeaders = { readonly [name: string]: string };

/** The response of a handler. Its body is at most one of `json`, `errors`, `text`, `bytes` and `stream`. */
export type HttpResponse = {
  readonly status: number;
  readonly headers?: ResponseHeaders;
  /** Values of `Set-Cookie`, which is sent once for each. */
  readonly cookies?: readonly string[];
  readonly json?: string | CachedBody;
  /** The errors of a refused request; `withErrorBody` turns them into JSON. */
  readonly errors?: readonly ErrorEntry[];
  /** A page or another text, whose type is in the headers. */
  readonly text?: CachedBody;
  readonly bytes?: Buffer;
  readonly stream?: Readable;
  /** Disconnects a client that reads nothing of the stream for this long. */
  readonly stallTimeoutMs?: number;
  /** The body never changes while the process runs, so it is compressed once, at the best level. */
  readonly isConstant?: true;
  /** For operators of the service: pages of other origins must not read it. */
  readonly isOperatorOnly?: true;
  /** The credentials were used, although they are no API key: those of a bidder in an auction. */
  readonly usesCredentials?: true;
  /** Whether the same request would still get this response. Only responses with this check are cached. */
  readonly isFresh?: () => boolean | Promise<boolean>;
};

/**
 * A body that is sent repeatedly. `latin1` has one character for each byte of its UTF-8 encoding: Node sends such a string in one write
 * with the headers.
 */
export type CachedBody = { readonly latin1: string; readonly etag: string };

/** Encodes a text for caching and computes its ETag. */
export function toCachedBody(text: string): CachedBody {
  const bytes = Buffer.from(text);
  return { latin1: bytes.toString("latin1"), etag: etagOf(bytes) };
}

/** The text of a cached body. */
export const cachedBodyText = ({ latin1 }: CachedBody): string => Buffer.from(latin1, "latin1").toString();

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
  /** The highest amount that would be accepted. */
  readonly highestAllowed?: Decimal;
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
  const errors = response.errors.map(({ window, highestAllowed, ...entry }) => {
    const json = JSON.stringify({
      ...entry,
      name: truncate(entry.name),
      description: truncateTexts(entry.description),
      docs: `${origin}/docs/errors#${entry.rule}`,
      allowedFrom: formatTime(window?.from),
      allowedUntil: formatTime(window?.until),
    });
    // Added as text, so that it keeps its digits.
    return highestAllowed ? `${json.slice(0, -1)},"highestAllowed":${withFraction(highestAllowed)}}` : json;
  });
  return { ...response, errors: undefined, json: `{"status":"error","errors":[${errors.join(",")}]}` };
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

/** Marks a response as that of a dry run. */
export const withDryRunHeader = (response: HttpResponse): HttpResponse => ({
  ...response,
  headers: { ...response.headers, "X-Dry-Run": "1" },
});

/** The response to OPTIONS. */
export const OPTIONS_RESPONSE = (allow: string): HttpResponse => ({ status: 204, headers: { Allow: allow } });
