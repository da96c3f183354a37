import { createHash } from "node:crypto";
import http from "node:http";
import https from "node:https";
import { text } from "node:stream/consumers";
import { setTimeout as pause } from "node:timers/promises";
import { AwsV4Signer } from "aws4fetch";
import { errorCode, errorMessage } from "../../base/errors.ts";
import type { S3Location } from "../documentsUrl.ts";
import { elementOf } from "./xml.ts";

export type S3Request = {
  readonly method: "GET" | "HEAD" | "PUT" | "POST" | "DELETE";
  /** The path of the object in the bucket; absent for requests to the bucket itself. */
  readonly path?: string;
  readonly query?: { readonly [name: string]: string };
  readonly headers?: { readonly [name: string]: string };
  readonly body?: RequestBody;
  /** Statuses besides 2xx that are not errors. */
  readonly acceptedStatuses?: readonly number[];
};

/** A body with its hashes, which are sent along so that S3 rejects a body that was altered on the way. */
export type RequestBody = { readonly bytes: Uint8Array; readonly md5: Buffer; readonly sha256: string };

export type S3Response = { readonly status: number; readonly headers: http.IncomingHttpHeaders; readonly text: string };
export type S3StreamResponse = { readonly status: number; readonly stream: http.IncomingMessage };

export type S3Client = {
  /** Sends a request and reads the whole response, which must be small. */
  readonly request: (request: S3Request) => Promise<S3Response>;
  /** Sends a request and returns the response as a stream, which must be read to its end or destroyed. */
  readonly open: (request: S3Request) => Promise<S3StreamResponse>;
  /** A signed URL from which anyone can download `path` for some seconds. */
  readonly link: (path: string, seconds: number, query: { readonly [name: string]: string }) => Promise<string>;
};

/** The idle timeout, the number of attempts, and the pause before the second one, which doubles with each further one. */
export type RetryPolicy = { readonly idleMs: number; readonly attempts: number; readonly pauseMs: number };

const DEFAULT_RETRY_POLICY: RetryPolicy = { idleMs: 60_000, attempts: 4, pauseMs: 100 };
const FREE_SOCKET_MS = 10_000;

const TRANSIENT_STATUSES = [408, 429, 500, 502, 503, 504];
/** The body was altered or cut off on the way; it is still in memory and can be sent again. */
const TRANSIENT_CODES = ["RequestTimeout", "BadDigest", "XAmzContentSHA256Mismatch", "IncompleteBody"];

/** Opens a client that sends signed requests to one bucket. Requests that fail temporarily are retried. Rejects with `S3Failure`. */
export function openS3Client(location: S3Location, retryPolicy: Partial<RetryPolicy> = {}): S3Client {
  const { endpoint, region, credentials } = location;
  const { idleMs, ...retryOptions } = { ...DEFAULT_RETRY_POLICY, ...retryPolicy };
  const withRetries = openRetries(endpoint, retryOptions);
  const secure = endpoint.protocol === "https:";
  const agent = new (secure ? https : http).Agent({ keepAlive: true, timeout: FREE_SOCKET_MS, maxFreeSockets: 32 });
  const signingKeys = new Map<string, ArrayBuffer>();
  const signing = () => ({ ...credentials(), service: "s3", region, cache: signingKeys });

  async function send({ method, path, query, headers, body }: S3Request): Promise<http.IncomingMessage> {
    const url = urlOf(location, path, query).href;
    const signed = await new AwsV4Signer({ ...signing(), method, url, headers: headersOf(headers, body) }).sign();
    const options = { method, agent, timeout: idleMs, headers: Object.fromEntries(signed.headers) };
    const request = (secure ? https : http).request(signed.url, options);
    const { promise, resolve, reject } = Promise.withResolvers<http.IncomingMessage>();
    let response: http.IncomingMessage | undefined;
    request.on("response", (incoming) => {
      response = incoming;
      resolve(incoming);
    });
    request.on("error", reject);
    request.on("timeout", () => {
      // If data has arrived that nobody reads, the reader is slow and not S3.
      if (!response?.readableLength) request.destroy(new Error(`nothing moved for ${idleMs / 1000} seconds`));
    });
    request.end(body?.bytes);
    return promise;
  }

  const request = (s3Request: S3Request) =>
    withRetries(s3Request, async () => {
      const response = await send(s3Request);
      return checkResponse(s3Request, response, await text(response));
    });

  const open = (s3Request: S3Request) =>
    withRetries(s3Request, async () => {
      const stream = await send(s3Request);
      const status = statusOf(stream);
      if (!isAccepted(s3Request, status)) checkResponse(s3Request, stream, await text(stream));
      return { status, stream };
    });

  async function link(path: string, seconds: number, query: { readonly [name: string]: string }): Promise<string> {
    const { href } = urlOf(location, path, { ...query, "X-Amz-Expires": String(seconds) });
    const { url } = await new AwsV4Signer({ ...signing(), method: "GET", url: href, signQuery: true }).sign();
    // The signature is over %20 for a space, and not every server treats a plus as one.
    return url.href.replaceAll("+", "%20");
  }

  return { request, open, link };
}

function urlOf(
  { endpoint, bucket, pathStyle }: S3Location,
  path = "",
  query: { readonly [name: string]: string } = {},
): URL {
  const url = new URL(endpoint);
  if (!pathStyle) url.hostname = `${bucket}.${url.hostname}`;
  url.pathname = pathStyle ? `/${bucket}/${path}`.replace(/\/$/, "") : `/${path}`;
  url.search = new URLSearchParams(query).toString();
  return url;
}

const EMPTY_SHA256 = createHash("sha256").digest("hex");

function headersOf(headers: S3Request["headers"] = {}, body: RequestBody | undefined) {
  if (!body) return { ...headers, "x-amz-content-sha256": EMPTY_SHA256 };
  return {
    ...headers,
    "content-length": String(body.bytes.length),
    "content-md5": body.md5.toString("base64"),
    "x-amz-content-sha256": body.sha256,
  };
}

/** The body with this text. */
export function requestBodyOf(content: string): RequestBody {
  const bytes = Buffer.from(content);
  const md5 = createHash("md5").update(bytes).digest();
  return { bytes, md5, sha256: createHash("sha256").update(bytes).digest("hex") };
}

/** An error response of S3 (with `status` and its error code in `reason`) or a failure to reach it. */
export type S3Failure = Error & { readonly code: "S3"; readonly status?: number; readonly reason?: string };

const failureOf = (message: string, details: object = {}): S3Failure =>
  Object.assign(new Error(message), { code: "S3" as const, ...details });

const isAccepted = ({ acceptedStatuses = [] }: S3Request, status: number): boolean =>
  (status >= 200 && status < 300) || acceptedStatuses.includes(status);

/** `statusCode` is always set on a response of a client request. */
const statusOf = ({ statusCode = 0 }: http.IncomingMessage): number => statusCode;

/** Throws for an error response. Only its code and message are repeated, as the rest may contain signatures. */
function checkResponse(s3Request: S3Request, response: http.IncomingMessage, text: string): S3Response {
  // For operations that take long, S3 sends the status 200 first and may report an error in the body.
  const failedLate = response.statusCode === 200 && /<Error>/.test(text);
  const status = failedLate ? 500 : statusOf(response);
  if (isAccepted(s3Request, status)) return { status, headers: response.headers, text };
  const reason = elementOf(text, "Code");
  const details = [reason, elementOf(text, "Message")].filter(Boolean).join(": ");
  throw failureOf(`S3 returned ${status}${details && ` ${details}`} for ${describeRequest(s3Request)}`, {
    status,
    reason,
  });
}

const describeRequest = ({ method, path = "the bucket" }: S3Request): string => `${method} ${path}`;

function openRetries({ origin }: URL, { attempts, pauseMs }: Omit<RetryPolicy, "idleMs">) {
  return async <Result>(s3Request: S3Request, attempt: () => Promise<Result>): Promise<Result> => {
    for (let attemptNumber = 1; ; attemptNumber++) {
      try {
        return await attempt();
      } catch (error) {
        if (attemptNumber === attempts || !isTransient(error)) {
          if (isS3Failure(error)) throw error;
          throw failureOf(`S3 at ${origin} failed for ${describeRequest(s3Request)}: ${messageOf(error)}`, {
            cause: error,
          });
        }
        await pause(pauseMs * 2 ** (attemptNumber - 1) * (0.5 + Math.random()));
      }
    }
  };
}

const isS3Failure = (error: unknown): error is S3Failure => error instanceof Error && errorCode(error) === "S3";

const isTransient = (error: unknown): boolean =>
  !isS3Failure(error) || TRANSIENT_STATUSES.includes(error.status ?? 0) || TRANSIENT_CODES.includes(error.reason ?? "");

/** If a host name has several addresses, the error has one inner error for each and no message of its own. */
const messageOf = (error: unknown): string => {
  const inner = error instanceof AggregateError ? error.errors.map(errorMessage).join(", ") : "";
  return errorMessage(error) || inner || errorCode(error) || String(error);
};
