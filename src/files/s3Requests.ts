import { createHash } from "node:crypto";
import http from "node:http";
import https from "node:https";
import { text } from "node:stream/consumers";
import { setTimeout as pause } from "node:timers/promises";
import { AwsV4Signer } from "aws4fetch";
import type { S3Place } from "./documentsUrl.ts";
import { elementOf } from "./s3Xml.ts";

export type Asked = {
  readonly method: "GET" | "HEAD" | "PUT" | "POST" | "DELETE";
  /** What is asked for, below the bucket; the bucket itself where there is none. */
  readonly path?: string;
  readonly query?: { readonly [name: string]: string };
  readonly headers?: { readonly [name: string]: string };
  readonly body?: Body;
  /** Answers that are not failures, apart from success. */
  readonly alsoTaken?: readonly number[];
};

/** Its hashes go with it, so that the server takes it only as it was here. */
export type Body = { readonly bytes: Uint8Array; readonly md5: Buffer; readonly sha256: string };

export type Answered = { readonly status: number; readonly headers: http.IncomingHttpHeaders; readonly text: string };
export type Opened = { readonly status: number; readonly stream: http.IncomingMessage };

export type Requests = {
  /** For small answers, which are read whole. */
  readonly ask: (asked: Asked) => Promise<Answered>;
  /** For what is streamed; the stream must be read to its end or destroyed. */
  readonly open: (asked: Asked) => Promise<Opened>;
  /** An address that opens `path` to whoever has it, for some seconds. */
  readonly link: (path: string, seconds: number, query: { readonly [name: string]: string }) => Promise<string>;
};

/** How long nothing may move, how often a request is made, and how long before it is made again (then twice as long). */
export type Patience = { readonly idleMs: number; readonly attempts: number; readonly pauseMs: number };

const PATIENCE: Patience = { idleMs: 60_000, attempts: 4, pauseMs: 100 };
const FREE_SOCKET_MS = 10_000;

const PASSING_STATUSES = [408, 429, 500, 502, 503, 504];
/** The bytes that arrived were not the bytes that left, or stopped arriving: they are still here to be sent again. */
const PASSING_CODES = ["RequestTimeout", "BadDigest", "XAmzContentSHA256Mismatch", "IncompleteBody"];

/** Signed requests to one bucket. What fails and may pass is tried again a few times. */
export function openRequests(place: S3Place, patience: Partial<Patience> = {}): Requests {
  const { endpoint, region, credentials } = place;
  const { idleMs, ...retrying } = { ...PATIENCE, ...patience };
  const persistently = openPersistence(endpoint, retrying);
  const secure = endpoint.protocol === "https:";
  const agent = new (secure ? https : http).Agent({ keepAlive: true, timeout: FREE_SOCKET_MS, maxFreeSockets: 32 });
  const signingKeys = new Map<string, ArrayBuffer>();
  const signing = () => ({ ...credentials(), service: "s3", region, cache: signingKeys });

  async function send({ method, path, query, headers, body }: Asked): Promise<http.IncomingMessage> {
    const url = addressOf(place, path, query).href;
    const signed = await new AwsV4Signer({ ...signing(), method, url, headers: headersOf(headers, body) }).sign();
    const options = { method, agent, timeout: idleMs, headers: Object.fromEntries(signed.headers) };
    const request = (secure ? https : http).request(signed.url, options);
    const { promise, resolve, reject } = Promise.withResolvers<http.IncomingMessage>();
    let response: http.IncomingMessage | undefined;
    request.on("response", (arrived) => {
      response = arrived;
      resolve(arrived);
    });
    request.on("error", reject);
    request.on("timeout", () => {
      // A reader that does not take what has arrived is slow, S3 is not.
      if (!response?.readableLength) request.destroy(new Error(`nothing moved for ${idleMs / 1000} seconds`));
    });
    request.end(body?.bytes);
    return promise;
  }

  const ask = (asked: Asked) =>
    persistently(asked, async () => {
      const response = await send(asked);
      return refusedUnlessTaken(asked, response, await text(response));
    });

  const open = (asked: Asked) =>
    persistently(asked, async () => {
      const stream = await send(asked);
      const status = stream.statusCode!;
      if (!isTaken(asked, status)) refusedUnlessTaken(asked, stream, await text(stream));
      return { status, stream };
    });

  async function link(path: string, seconds: number, query: { readonly [name: string]: string }): Promise<string> {
    const { href } = addressOf(place, path, { ...query, "X-Amz-Expires": String(seconds) });
    const { url } = await new AwsV4Signer({ ...signing(), method: "GET", url: href, signQuery: true }).sign();
    // Signed is %20 for a space, and not every server reads a plus as one.
    return url.href.replaceAll("+", "%20");
  }

  return { ask, open, link };
}

function addressOf(
  { endpoint, bucket, pathStyle }: S3Place,
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

function headersOf(headers: Asked["headers"] = {}, body: Body | undefined) {
  if (!body) return { ...headers, "x-amz-content-sha256": EMPTY_SHA256 };
  return {
    ...headers,
    "content-length": String(body.bytes.length),
    "content-md5": body.md5.toString("base64"),
    "x-amz-content-sha256": body.sha256,
  };
}

export function bodyOf(content: string): Body {
  const bytes = Buffer.from(content);
  const md5 = createHash("md5").update(bytes).digest();
  return { bytes, md5, sha256: createHash("sha256").update(bytes).digest("hex") };
}

/** All that S3 refuses or fails to do. */
export type S3Failure = Error & { readonly code: "S3"; readonly status?: number; readonly reason?: string };

const failureOf = (message: string, more: object = {}): S3Failure =>
  Object.assign(new Error(message), { code: "S3" as const, ...more });

const isTaken = ({ alsoTaken = [] }: Asked, status: number): boolean =>
  (status >= 200 && status < 300) || alsoTaken.includes(status);

/** Of what a refusal says only its code and message are repeated: the rest may show what was signed. */
function refusedUnlessTaken(asked: Asked, { statusCode, headers }: http.IncomingMessage, text: string): Answered {
  // Where the work takes long, S3 answers 200 at once and says later that it failed.
  const failedLate = statusCode === 200 && /<Error>/.test(text);
  const status = failedLate ? 500 : statusCode!;
  if (isTaken(asked, status)) return { status, headers, text };
  const reason = elementOf(text, "Code");
  const said = [reason, elementOf(text, "Message")].filter(Boolean).join(": ");
  throw failureOf(`S3 answered ${status}${said && ` ${said}`} to ${nameOf(asked)}`, { status, reason });
}

const nameOf = ({ method, path = "the bucket" }: Asked): string => `${method} ${path}`;

function openPersistence({ origin }: URL, { attempts, pauseMs }: Omit<Patience, "idleMs">) {
  return async <T>(asked: Asked, attempt: () => Promise<T>): Promise<T> => {
    for (let tried = 1; ; tried++) {
      try {
        return await attempt();
      } catch (error) {
        if (tried === attempts || !passes(error as Partial<S3Failure>)) {
          if (isAnswer(error as Partial<S3Failure>)) throw error;
          throw failureOf(`S3 at ${origin} failed at ${nameOf(asked)}: ${messageOf(error)}`, { cause: error });
        }
        await pause(pauseMs * 2 ** (tried - 1) * (0.5 + Math.random()));
      }
    }
  };
}

const isAnswer = ({ code }: Partial<S3Failure>): boolean => code === "S3";

const passes = (error: Partial<S3Failure>): boolean =>
  !isAnswer(error) || PASSING_STATUSES.includes(error.status!) || PASSING_CODES.includes(error.reason ?? "");

/** Where a name has several addresses, the failure of each is inside, and nothing outside. */
const messageOf = (error: unknown): string => {
  const { message, code, errors } = error as Error & { code?: string; errors?: readonly Error[] };
  return message || errors?.map((one) => one.message).join(", ") || code || String(error);
};
