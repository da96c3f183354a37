import { isUtf8 } from "node:buffer";
import type { IncomingMessage } from "node:http";
import { LongNumber, parseJson } from "../dialects/json.ts";
import { isPlain } from "../domain/merge.ts";
import { type Answer, NO_DATA, NO_JSON, NO_JSON_BECAUSE, TOO_LARGE } from "./answers.ts";

export type JsonBody = {
  readonly data: { readonly [name: string]: unknown };
  readonly whole: { readonly [name: string]: unknown };
  /** As it was sent. */
  readonly text: string;
};

/** The JSON object of a request, with its object `data`, or the answer that says why there is none; `ifForm`, where it is a form in the wrong wrapping. */
export async function readJsonBody(
  request: IncomingMessage,
  bytesMax: number,
  noData: string,
  ifForm: Answer = NO_JSON,
): Promise<{ readonly body: JsonBody } | { readonly refused: Answer }> {
  const bytes = await readBytes(request, bytesMax);
  if (bytes === "too large") return { refused: TOO_LARGE("data", bytesMax) };
  const text = decode(bytes);
  const parsed = text === undefined ? undefined : parseJson(text);
  const whole = parsed?.ok ? parsed.value : undefined;
  if (isPlain(whole) && isPlain(whole.data) && !(whole.data instanceof LongNumber))
    return { body: { whole, data: whole.data, text: text! } };
  if (parsed && !parsed.ok && parsed.why.startsWith("duplicate key")) return { refused: NO_JSON_BECAUSE(parsed.why) };
  if (text?.startsWith("--")) return { refused: ifForm };
  return { refused: parsed?.ok ? NO_DATA(noData) : NO_JSON };
}

/** By events, as an iterator over the body would cost more than reading it. Whoever sends too much is still to be answered. */
function readBytes(request: IncomingMessage, bytesMax: number): Promise<Buffer | "too large"> {
  if (Number(request.headers["content-length"] ?? 0) > bytesMax) return Promise.resolve("too large");
  // Where the headers announce no body, the stream is at its end from the start and says nothing more.
  if (request.readableEnded) return Promise.resolve(Buffer.alloc(0));
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size > bytesMax) resolve("too large");
      else chunks.push(chunk);
    });
    request.on("end", () => resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, size)));
    request.on("error", reject);
    // A body that has come is closed, too; to make an error each time only for nobody to see it costs 6 microseconds.
    request.on("close", () => {
      if (!request.readableEnded) reject(new Error("the request was cut off"));
    });
  });
}

const BYTE_ORDER_MARK = "\ufeff";

/** As a strict decoder would, which takes twice as long. */
function decode(bytes: Buffer): string | undefined {
  if (!isUtf8(bytes)) return undefined;
  const text = bytes.toString("utf8");
  return text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text;
}
