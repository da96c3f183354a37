import { required } from "../base/required.ts";
import { EXAMPLE_IDS } from "../dialects/shapes/exampleIds.ts";
import { EXAMPLE_ORIGIN, jsonContent, schemaRef } from "./openapiBuilders.ts";

/** What responses have in common: headers, and why a request is refused. */

const header = (description: string, example: string | number, schema: object = { type: "string" }) => ({
  description,
  schema,
  example,
});

export const HEADERS = {
  "X-Request-ID": header(
    "Identifies the request in the log: the `X-Request-ID` that was sent, or one that the service made.",
    "b5b0f3d2c1a94e58a7c6d5e4f3a2b1c0",
  ),
  ETag: header(
    "Identifies this response: send it as `If-None-Match` to read again, as `If-Match` to change.",
    '"Zc2uXf0aUq8m4Yt1rB7vKw"',
  ),
  "Idempotency-Replayed": header(
    "`true` if this is the stored response to an earlier request with the same `Idempotency-Key`.",
    "true",
  ),
  "X-Dry-Run": header("`1` if `dry_run` was given: nothing is stored.", "1"),
  "X-Ignored-Parameters": header(
    "Query parameters that were not understood and ignored, separated by commas.",
    "ofset",
  ),
  "X-Ignored-Authorization": header("Why the key of a read was ignored: it is not known.", "unknown key"),
  "X-Server-Time": header("The time of the auction's clock, with microseconds.", "2026-11-30T10:11:05+02:00"),
  "Retry-After": header("Seconds to wait before the request is sent again.", 1, { type: "integer" }),
  RateLimit: header(
    "How many requests are left (`r`), and in how many seconds all of them are available again (`t`).",
    '"requests";r=5999;t=1',
  ),
  "RateLimit-Policy": header(
    "How many requests are allowed (`q`) in a window of so many seconds (`w`).",
    '"requests";q=6000;w=60',
  ),
  "WWW-Authenticate": header("How to send a key.", 'Basic realm="Tenderhall", charset="UTF-8"'),
};

export type HeaderName = keyof typeof HEADERS;

export const useHeaders = (...names: readonly HeaderName[]) =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

export const locationHeader = (
  description: string,
  example = `${EXAMPLE_ORIGIN}/api/…/tenders/${EXAMPLE_IDS.tender}`,
) => ({
  Location: { description, schema: { type: "string", format: "uri" }, example },
});

type Refusal = { readonly name: string; readonly description: string; readonly headers?: readonly HeaderName[] };

const REFUSALS: { readonly [status: string]: Refusal } = {
  401: { name: "Unauthorized", description: "No API key was sent, or it is not known.", headers: ["WWW-Authenticate"] },
  403: {
    name: "Forbidden",
    description:
      "You may not do this, or not now: the key or the owner token is not the right one, or the rules of the procedure forbid it. " +
      "Where time decides, `allowedFrom` and `allowedUntil` say when it is allowed.",
  },
  404: {
    name: "NotFound",
    description: "Something in the path does not exist, or a parameter names what does not exist.",
  },
  412: { name: "PreconditionFailed", description: "The object is not what `If-Match` says any more: read it again." },
  413: { name: "TooLarge", description: "The body or the file is larger than the service accepts." },
  415: {
    name: "UnsupportedMediaType",
    description: "The header `Content-Type` is wrong or missing, or the tender names a procedure that is not known.",
  },
  422: {
    name: "Invalid",
    description: "The body cannot be read, or fields or parameters are missing or wrong; all of them are listed.",
  },
  429: {
    name: "TooManyRequests",
    description: "Too many requests, or too many streams, from this address or with this key.",
    headers: ["Retry-After", "RateLimit", "RateLimit-Policy"],
  },
  503: {
    name: "Unavailable",
    description: "The service cannot answer now; nothing was done.",
    headers: ["Retry-After"],
  },
  default: {
    name: "Error",
    description:
      "Any other refusal or failure, such as 400 (malformed request), 405 (method), 429 (too many requests), 500 (a fault of the " +
      "service) or 503 (not available now).",
    headers: ["Retry-After"],
  },
};

/** By their names, each with a real refusal of this version as its example, where there is one. */
export const refusalResponses = (recorded: { readonly [status: string]: unknown }): object =>
  Object.fromEntries(
    Object.entries(REFUSALS).map(([status, { name, description, headers = [] }]) => [
      name,
      {
        description,
        headers: useHeaders("X-Request-ID", ...headers),
        content: jsonContent(
          schemaRef("Error"),
          recorded[status] ? { refused: { value: recorded[status] } } : undefined,
        ),
      },
    ]),
  );

/** The refusals that an operation may meet, and whatever else may go wrong. */
export const errorStatusesOf = (statuses: readonly number[]): object =>
  Object.fromEntries(
    [...statuses.map(String), "default"].map((status) => [
      status,
      { $ref: `#/components/responses/${required(REFUSALS[status], `the refusal ${status}`).name}` },
    ]),
  );
