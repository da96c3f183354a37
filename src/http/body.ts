import { isUtf8 } from "node:buffer";
import type { IncomingMessage } from "node:http";
import { LongNumber, type Parsed, parseJson } from "../dialects/json.ts";
import { isPlain } from "../domain/merge.ts";
import {
  type Answer,
  NO_DATA,
  NO_JSON,
  NO_JSON_BECAUSE,
  TOO_LARGE,
  TOO_MANY_BODIES,
  TOO_MANY_BODIES_OF_ACCOUNT,
} from "./answers.ts";
import type { BodyLease, ExhaustedLimit } from "./bodyBudget.ts";

export type JsonBody = {
  readonly data: { readonly [name: string]: unknown };
  readonly whole: { readonly [name: string]: unknown };
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
  readonly ifForm?: Answer;
};

type JsonRead = { readonly body: JsonBody } | { readonly refused: Answer };

/** The JSON object of a request, with its object `data`, or the answer that says why there is none. */
export async function readJsonBody(request: IncomingMessage, settings: JsonBodySettings): Promise<JsonRead> {
  const { lease, bytesMax, valuesMax, noData, ifForm = NO_JSON } = settings;
  const bytes = await readBytes(request, bytesMax, lease);
  if (typeof bytes === "string") {
    lease.release();
    return { refused: UNREAD[bytes](bytesMax) };
  }
  const text = decode(bytes);
  const parsed = text === undefined ? undefined : parseJson(text, { valuesMax });
  const whole = parsed?.ok ? parsed.value : undefined;
  if (isPlain(whole) && isPlain(whole.data) && !(whole.data instanceof LongNumber))
    return { body: { whole, data: whole.data, text: text! } };
  if (text?.startsWith("--")) return { refused: ifForm };
  return { refused: parsed ? refusedJson(parsed, noData) : NO_JSON };
}

function refusedJson(parsed: Parsed, noData: string): Answer {
  if (parsed.ok) return NO_DATA(noData);
  if (parsed.kind === "malformed") return NO_JSON;
  return NO_JSON_BECAUSE(parsed.why, parsed.kind === "duplicate key" ? "duplicate-key" : "json-too-complex");
}

/** The client went away before its body was read. */
export class RequestCutOff extends Error {}

type Unread = "too large" | ExhaustedLimit;

const UNREAD: { readonly [why in Unread]: (bytesMax: number) => Answer } = {
  "too large": (bytesMax) => TOO_LARGE("data", bytesMax),
  account: () => TOO_MANY_BODIES_OF_ACCOUNT,
  process: () => TOO_MANY_BODIES,
};

/**
 * By events, as an iterator over the body would cost more than reading it. Whoever sends too much is still to be answered: what
 * comes after that is read by nobody, and nothing of it is kept.
 */
function readBytes(request: IncomingMessage, bytesMax: number, lease: BodyLease): Promise<Buffer | Unread> {
  const announced = Number(request.headers["content-length"] ?? 0);
  if (announced > bytesMax) return Promise.resolve("too large");
  // Where the headers announce no body, the stream is at its end from the start and says nothing more.
  if (request.readableEnded) return Promise.resolve(Buffer.alloc(0));
  // It says so only once, and that may have been while its tender was looked up.
  if (request.destroyed) return Promise.reject(new RequestCutOff());
  return new Promise((resolve, reject) => {
    let received = openReceived(announced || bytesMax);
    const onData = (chunk: Buffer) => {
      const why = received.size() + chunk.length > bytesMax ? "too large" : lease.take(chunk.length);
      if (why === undefined) return received.add(chunk);
      request.off("data", onData);
      received = openReceived(0);
      resolve(why);
    };
    request.on("data", onData);
    request.on("end", () => resolve(received.bytes()));
    request.on("error", () => reject(new RequestCutOff()));
    // A body that has come is closed, too; to make an error each time only for nobody to see it costs 6 microseconds.
    request.on("close", () => {
      if (!request.readableEnded) reject(new RequestCutOff());
    });
  });
}

const CAPACITY_MIN = 16 * 1024;

/** Copied together as they come: a body sent byte by byte would take hundreds of times its size as a list of pieces. */
function openReceived(bytesMax: number) {
  let bytes: Buffer | undefined;
  let size = 0;
  return {
    size: () => size,
    add(chunk: Buffer): void {
      if (bytes === undefined) bytes = chunk;
      else {
        if (size + chunk.length > bytes.length) bytes = grown(bytes, size, size + chunk.length, bytesMax);
        chunk.copy(bytes, size);
      }
      size += chunk.length;
    },
    bytes: (): Buffer => bytes?.subarray(0, size) ?? Buffer.alloc(0),
  };
}

function grown(bytes: Buffer, size: number, needed: number, bytesMax: number): Buffer {
  const capacity = Math.max(needed, Math.min(bytesMax, Math.max(2 * needed, CAPACITY_MIN)));
  const larger = Buffer.allocUnsafeSlow(capacity);
  bytes.copy(larger, 0, 0, size);
  return larger;
}

const BYTE_ORDER_MARK = "\ufeff";

/** As a strict decoder would, which takes twice as long. */
function decode(bytes: Buffer): string | undefined {
  if (!isUtf8(bytes)) return undefined;
  const text = bytes.toString("utf8");
  return text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text;
}
