import type { IncomingMessage, ServerResponse } from "node:http";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Answer } from "./answers.ts";
import type { Compression, EncodedBody } from "./compression.ts";
import { encodedTag, etagOf, tagHeldBy } from "./conditional.ts";
import type { Told } from "./hot.ts";
import type { Turn } from "./rateLimit.ts";
import { type Rendered, render, type Style } from "./rendering.ts";
import { isRead, type StandingHeaders, standingFor } from "./standingHeaders.ts";

/** How an answer goes out: its headers, its tag, the form its client accepts, and its body. */

export type SendingSettings = { readonly standing: StandingHeaders; readonly compression: Compression };

const PLAIN: Style = { pretty: false };

/** A promise only where the answer is a stream or has to be compressed first, as what need not be waited for is sent sooner. */
export function send(
  { standing, compression }: SendingSettings,
  request: IncomingMessage,
  response: ServerResponse,
  { answer, style = PLAIN }: Told,
  requestId: string,
  rate: Turn | undefined,
): Promise<void> | undefined {
  const rendered = render(answer, style);
  if (response.destroyed) {
    answer.stream?.destroy();
    return undefined;
  }
  const isWholeIn = request.complete || request.readableEnded;
  if (!isWholeIn) readToTheEnd(request);
  const head = standingFor(standing, request, answer);
  head.push("X-Request-ID", requestId);
  for (const name in rate?.headers) head.push(name, rate.headers[name]!);
  const varies = rendered !== undefined && compression.isEncodable(request, answer, style, rendered);
  const tag = rendered && tagOf(request, answer, rendered);
  const held = tag === undefined ? undefined : tagHeldBy(request.rawHeaders, tag);
  const sending = { request, response, answer, rendered, head, varies, tag, held };
  if (!varies || held) return sendEncoded(sending, undefined);
  const encoded = compression.encode(request, answer, rendered);
  if (!(encoded instanceof Promise)) return sendEncoded(sending, encoded);
  // What cannot be compressed can still be sent.
  return encoded.catch(() => undefined).then((made) => sendEncoded(sending, made));
}

type Sending = {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly answer: Answer;
  readonly rendered: Rendered | undefined;
  readonly head: string[];
  readonly varies: boolean;
  /** Of the body as it was rendered. */
  readonly tag: string | undefined;
  /** The tag by which the client has it already, if it does. */
  readonly held: string | undefined;
};

function sendEncoded(sending: Sending, encoded: EncodedBody | undefined): Promise<void> | undefined {
  const { request, response, answer, rendered, held } = sending;
  if (response.destroyed) return undefined;
  response.writeHead(held ? 304 : answer.status, headOf(sending, encoded));
  if (held || request.method === "HEAD" || (!rendered && !answer.stream)) {
    answer.stream?.destroy();
    response.end();
  } else if (answer.stream) {
    if (answer.stallMs) cutOffStalled(response, answer.stream, answer.stallMs);
    return pipeline(answer.stream, response);
  } else if (encoded) response.end(encoded.content, "latin1");
  else response.end(rendered!.content, rendered!.encoding);
  return undefined;
}

/** What names the body that was asked for, exactly: of JSON, and of pages that name it themselves. */
function tagOf({ method }: IncomingMessage, { status, json, headers }: Answer, rendered: Rendered): string | undefined {
  if (status !== 200 || !isRead(method)) return undefined;
  return json === undefined ? headers?.ETag : (rendered.etag ?? etagOf(rendered.content, rendered.encoding));
}

/** Whoever takes a little is not stalled, as the platform sees; nor is who has been given nothing to take. */
function cutOffStalled(response: ServerResponse, stream: Readable, stallMs: number): void {
  response.setTimeout(stallMs, () => {
    if (response.socket?.writableLength) response.socket.destroy();
  });
  // Its end is worth less waiting.
  stream.once("close", () => response.setTimeout(Math.min(stallMs, END_MS)));
}

const END_MS = 500;

/** Names and values in turn, which costs less than an object. Each form of a body has a tag of its own. */
function headOf({ answer, rendered, head, varies, tag, held }: Sending, encoded: EncodedBody | undefined): string[] {
  const { headers } = answer;
  if (tag !== undefined) {
    head.push("ETag", held ?? (encoded ? encodedTag(tag, encoded.encoding) : tag));
    // Kept anywhere, it is to be asked for again.
    if (!headers?.["Cache-Control"]) head.push("Cache-Control", "no-cache");
  }
  if (varies) head.push("Vary", headers?.Vary ? `${headers.Vary}, Accept-Encoding` : "Accept-Encoding");
  if (encoded) head.push("Content-Encoding", encoded.encoding);
  if (rendered && !held) {
    for (const name in rendered.headers) if (!headers?.[name]) head.push(name, rendered.headers[name]!);
    head.push("Content-Length", String(encoded ? encoded.content.length : rendered.length));
  }
  for (const name in headers)
    if (!(name === "ETag" && tag !== undefined) && !(name === "Vary" && varies) && !(held && isOfBody(name)))
      head.push(name, headers[name]!);
  return head;
}

/** What a client that has the body already knows of it. */
const isOfBody = (name: string): boolean => name.startsWith("Content-");

const UNREAD_BYTES_MAX = 64 * 1024 * 1024;

/** A client that is still sending reads its answer only if we go on reading, which we do within reason. */
function readToTheEnd(request: IncomingMessage): void {
  let bytes = 0;
  request.on("data", (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > UNREAD_BYTES_MAX) request.destroy();
  });
  request.on("error", () => {});
  request.resume();
}
