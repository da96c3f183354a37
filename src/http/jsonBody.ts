import { isUtf8 } from "node:buffer";
import type { IncomingMessage } from "node:http";
import { type JsonParseResult, LongNumber, parseJson } from "../dialects/json.ts";
import { isPlainObject } from "../domain/values/merge.ts";
import type { BodyLease, ExhaustedLimit } from "./bodyBudget.ts";
import {
  INVALID_JSON,
  INVALID_JSON_BECAUSE,
  MISSING_DATA,
  PAYLOAD_TOO_LARGE,
  TOO_MANY_BODIES,
  TOO_MANY_BODIES_PER_ACCOUNT,
} from "./errorResponses.ts";
import type { HttpResponse } from "./responses.ts";

/** A JSON request body that has an object `data`. */
export type JsonBody = {
  readonly data: { readonly [name: string]: unknown };
  /** The outer object, which contains `data`. */
  readonly envelope: { readonly [name: string]: unknown };
  /** The body as it was sent, without a byte order mark. */
  readonly text: string;
};

export type JsonBodySettings = {
  readonly lease: BodyLease;
  readonly bytesMax: number;
  readonly valuesMax: number;
  /** The error text for JSON without an object `data`. */
  readonly noData: string;
  /** The response to a multipart form that was sent with a JSON content type; otherwise it is invalid JSON. */
  readonly ifForm?: HttpResponse;
};

type JsonBodyResult = { readonly body: JsonBody } | { readonly refused: HttpResponse };

/**
 * Reads and parses the JSON body of a request. `refused` is the error response if the body is too large, does not fit into the budget,
 * or is not a JSON object with an object `data`. Throws `RequestAborted` if the client disconnects first.
 */
export async function readJsonBody(request: IncomingMessage, settings: JsonBodySettings): Promise<JsonBodyResult> {
  const { lease, bytesMax, valuesMax, noData, ifForm = INVALID_JSON } = settings;
  const bytes = await readBytes(request, bytesMax, lease);
  if (typeof bytes === "string") {
    lease.release();
    return { refused: READ_FAILURE_RESPONSES[bytes](bytesMax) };
  }
  const text = decodeUtf8(bytes);
  const parsed = text === undefined ? undefined : parseJson(text, { valuesMax });
  const envelope = parsed?.ok ? parsed.value : undefined;
  if (
    text !== undefined &&
    isPlainObject(envelope) &&
    isPlainObject(envelope.data) &&
    !(envelope.data instanceof LongNumber)
  )
    return { body: { envelope, data: envelope.data, text } };
  if (text?.startsWith("--")) return { refused: ifForm };
  return { refused: parsed ? invalidJsonResponse(parsed, noData) : INVALID_JSON };
}

function invalidJsonResponse(parsed: JsonParseResult, noData: string): HttpResponse {
  if (parsed.ok) return MISSING_DATA(noData);
  if (parsed.kind === "malformed") return INVALID_JSON;
  return INVALID_JSON_BECAUSE(parsed.why, parsed.kind === "duplicate key" ? "duplicate-key" : "json-too-complex");
}

/** The client disconnected before its body was read. */
export class RequestAborted extends Error {}

type BodyReadFailure = "too large" | ExhaustedLimit;

const READ_FAILURE_RESPONSES: { readonly [why in BodyReadFailure]: (bytesMax: number) => HttpResponse } = {
  "too large": (bytesMax) => PAYLOAD_TOO_LARGE("data", bytesMax),
  account: () => TOO_MANY_BODIES_PER_ACCOUNT,
  process: () => TOO_MANY_BODIES,
};

/**
 * Uses events, because async iteration costs more than the reading itself. After a failure the rest of the body is neither read nor
 * stored, but the connection stays open for the error response.
 */
function readBytes(request: IncomingMessage, bytesMax: number, lease: BodyLease): Promise<Buffer | BodyReadFailure> {
  const contentLength = Number(request.headers["content-length"] ?? 0);
  if (contentLength > bytesMax) return Promise.resolve("too large");
  // Without a body the stream has ended from the start and emits no "end" event.
  if (request.readableEnded) return Promise.resolve(Buffer.alloc(0));
  // The "close" event is emitted once, and may have been emitted while the tender was loaded.
  if (request.destroyed) return Promise.reject(new RequestAborted());
  return new Promise((resolve, reject) => {
    let bodyBuffer = openBodyBuffer(contentLength || bytesMax);
    const onData = (chunk: Buffer) => {
      const failure = bodyBuffer.size() + chunk.length > bytesMax ? "too large" : lease.take(chunk.length);
      if (failure === undefined) return bodyBuffer.add(chunk);
      request.off("data", onData);
      bodyBuffer = openBodyBuffer(0);
      resolve(failure);
    };
    request.on("data", onData);
    request.on("end", () => resolve(bodyBuffer.bytes()));
    request.on("error", () => reject(new RequestAborted()));
    // "close" also follows a complete body. Without the check every request would create an unused Error, which takes 6 microseconds.
    request.on("close", () => {
      if (!request.readableEnded) reject(new RequestAborted());
    });
  });
}

const BUFFER_CAPACITY_MIN = 16 * 1024;

/** Copies chunks into one buffer: as a list of chunks, a body sent byte by byte would take hundreds of times its size. */
function openBodyBuffer(bytesMax: number) {
  let bytes: Buffer | undefined;
  let size = 0;
  return {
    size: () => size,
    add(chunk: Buffer): void {
      if (bytes === undefined) bytes = chunk;
      else {
        if (size + chunk.length > bytes.length) bytes = grow(bytes, size, size + chunk.length, bytesMax);
        chunk.copy(bytes, size);
      }
      size += chunk.length;
    },
    bytes: (): Buffer => bytes?.subarray(0, size) ?? Buffer.alloc(0),
  };
}

function grow(bytes: Buffer, size: number, needed: number, bytesMax: number): Buffer {
  const capacity = Math.max(needed, Math.min(bytesMax, Math.max(2 * needed, BUFFER_CAPACITY_MIN)));
  const larger = Buffer.allocUnsafeSlow(capacity);
  bytes.copy(larger, 0, 0, size);
  return larger;
}

const BYTE_ORDER_MARK = "\ufeff";

/** Undefined if the bytes are not valid UTF-8. A TextDecoder with `fatal` gives the same result and takes twice as long. */
function decodeUtf8(bytes: Buffer): string | undefined {
  if (!isUtf8(bytes)) return undefined;
  const text = bytes.toString("utf8");
  return text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text;
}
