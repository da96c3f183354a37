import type { IncomingMessage } from "node:http";
import { LongNumber, parseJson } from "../dialects/json.ts";
import { isPlain } from "../domain/merge.ts";
import { type Answer, NO_JSON, TOO_LARGE } from "./answers.ts";

export type JsonBody = {
  readonly data: { readonly [name: string]: unknown };
  readonly whole: { readonly [name: string]: unknown };
};

/** The JSON object of a request, with its object `data`, or the answer that says why there is none. */
export async function readJsonBody(
  request: IncomingMessage,
  bytesMax: number,
): Promise<{ readonly body: JsonBody } | { readonly refused: Answer }> {
  const bytes = await readBytes(request, bytesMax);
  if (bytes === "too large") return { refused: TOO_LARGE("data", bytesMax) };
  const text = decode(bytes);
  const parsed = text === undefined ? undefined : parseJson(text);
  const whole = parsed?.ok ? parsed.value : undefined;
  if (isPlain(whole) && isPlain(whole.data) && !(whole.data instanceof LongNumber))
    return { body: { whole, data: whole.data } };
  if (parsed && !parsed.ok && parsed.why.startsWith("duplicate key"))
    return { refused: { ...NO_JSON, body: withReason(parsed.why) } };
  return { refused: NO_JSON };
}

/** The protocol's text stays first, so that clients which look for it find it. */
const withReason = (why: string) => ({
  status: "error",
  errors: [{ location: "body", name: "data", description: `No JSON object could be decoded: ${why}` }],
});

async function readBytes(request: IncomingMessage, bytesMax: number): Promise<Buffer | "too large"> {
  if (Number(request.headers["content-length"] ?? 0) > bytesMax) return "too large";
  const chunks: Buffer[] = [];
  let size = 0;
  // Whoever sent too much is still to be answered, so leaving the loop must not end the connection.
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > bytesMax) return "too large";
    chunks.push(chunk);
  }
  return chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, size);
}

const utf8 = new TextDecoder("utf-8", { fatal: true });

function decode(bytes: Buffer): string | undefined {
  try {
    return utf8.decode(bytes);
  } catch {
    return undefined;
  }
}
