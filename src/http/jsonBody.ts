import { isUtf8 } from "node:buffer";
import type { IncomingMessage } from "node:http";
import { type JsonParseResult, LongNumber, parseJson } from "../dialects/json.ts";
import { isPlainObject } from "../domain/values/merge.ts";
import type { BodyLease, ExhaustedLimit } from "./bodyBudget.ts";
import {
  type HttpResponse,
  INVALID_JSON,
  INVALID_JSON_BECAUSE,
  MISSING_DATA,
  PAYLOAD_TOO_LARGE,
  TOO_MANY_BODIES,
  TOO_MANY_BODIES_PER_ACCOUNT,
} from "./responses.ts";

export type JsonBody = {
  readonly data: { readonly [name: string]: unknown };
  readonly envelope: { readonly [name: string]: unknown };
  /** As it was sent. */
  readonly text: string;
};

export type JsonBodySettings = {
  readonly lease: BodyLease;
  readonly bytesMax: number;
  readonly valuesMax: number;
  /** What is said of JSON without an object `data`. */
  readonly noData: string;
  /** What is said where it is a form in the wrong wrapping. */
  readonly ifForm?: HttpResponse;
};

type JsonBodyResult = { readonly body: JsonBody } | { readonly refused: HttpResponse };

/** The JSON object of a request, with its object `data`, or the answer that says why there is none. */
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
  if (isPlainObject(envelope) && isPlainObject(envelope.data) && !(envelope.data instanceof LongNumber))
    return { body: { envelope, data: envelope.data, text: text! } };
  if (text?.startsWith("--")) return { refused: ifForm };
  return { refused: parsed ? invalidJsonResponse(parsed, noData) : INVALID_JSON };
}

function invalidJsonResponse(parsed: JsonParseResult, noData: string): HttpResponse {
  if (parsed.ok) return MISSING_DATA(noData);
  if (parsed.kind === "malformed") return INVALID_JSON;
  return INVALID_JSON_BECAUSE(parsed.why, parsed.kind === "duplicate key" ? "duplicate-key" : "json-too-complex");
}

/** The client went away before its body was read. */
export class RequestAborted extends Error {}

type BodyReadFailure = "too large" | ExhaustedLimit;

const READ_FAILURE_RESPONSES: { readonly [why in BodyReadFailure]: (bytesMax: number) => HttpResponse } = {
  "too large": (bytesMax) => PAYLOAD_TOO_LARGE("data", bytesMax),
  account: () => TOO_MANY_BODIES_PER_ACCOUNT,
  process: () => TOO_MANY_BODIES,
};

/**
 * By events, as an iterator over the body would cost more than reading it. Whoever sends too much is still to be answered: what
 * comes after that is read by nobody, and nothing of it is kept.
 */
function readBytes(request: IncomingMessage, bytesMax: number, lease: BodyLease): Promise<Buffer | BodyReadFailure> {
  const contentLength = Number(request.headers["content-length"] ?? 0);
  if (contentLength > bytesMax) return Promise.resolve("too large");
  // Where the headers announce no body, the stream is at its end from the start and says nothing more.
  if (request.readableEnded) return Promise.resolve(Buffer.alloc(0));
  // It says so only once, and that may have been while its tender was looked up.
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
    // A body that has come is closed, too; to make an error each time only for nobody to see it costs 6 microseconds.
    request.on("close", () => {
      if (!request.readableEnded) reject(new RequestAborted());
    });
  });
}

const BUFFER_CAPACITY_MIN = 16 * 1024;

/** Copied together as they come: a body sent byte by byte would take hundreds of times its size as a list of pieces. */
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

/** As a strict decoder would, which takes twice as long. */
function decodeUtf8(bytes: Buffer): string | undefined {
  if (!isUtf8(bytes)) return undefined;
  const text = bytes.toString("utf8");
  return text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text;
}
