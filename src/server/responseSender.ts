import type { IncomingMessage, ServerResponse } from "node:http";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { encodedTag, etagOf, ifNoneMatchTag } from "../http/etags.ts";
import type { Quota } from "../http/rateLimit.ts";
import { type BodyStyle, type RenderedBody, renderBody } from "../http/responseBody.ts";
import type { HttpResponse } from "../http/responses.ts";
import { isReadMethod, type SecurityHeaders, securityHeadersFor } from "../http/securityHeaders.ts";
import type { Compression, EncodedBody } from "./compression.ts";
import type { CachedResponse } from "./responseCache.ts";

/** How a response goes out: its headers, its tag, the form its client accepts, and its body. */

export type SendOptions = { readonly securityHeaders: SecurityHeaders; readonly compression: Compression };

const PLAIN_STYLE: BodyStyle = { pretty: false };

/** A promise only where the response is a stream or has to be compressed first, as what need not be waited for is sent sooner. */
export function sendResponse(
  { securityHeaders, compression }: SendOptions,
  request: IncomingMessage,
  serverResponse: ServerResponse,
  { response, style = PLAIN_STYLE }: CachedResponse,
  requestId: string,
  quota: Quota | undefined,
): Promise<void> | undefined {
  const rendered = renderBody(response, style);
  if (serverResponse.destroyed) {
    response.stream?.destroy();
    return undefined;
  }
  const isFullyReceived = request.complete || request.readableEnded;
  if (!isFullyReceived) drainRequest(request);
  const head = securityHeadersFor(securityHeaders, request, response);
  head.push("X-Request-ID", requestId);
  for (const name in quota?.headers) head.push(name, quota.headers[name]!);
  const varies = rendered !== undefined && compression.isEncodable(request, response, style, rendered);
  const tag = rendered && etagFor(request, response, rendered);
  const held = tag === undefined ? undefined : ifNoneMatchTag(request.rawHeaders, tag);
  const outgoing = { request, serverResponse, response, rendered, head, varies, tag, held };
  if (!varies || held) return sendEncoded(outgoing, undefined);
  const encoded = compression.encode(request, response, rendered);
  if (!(encoded instanceof Promise)) return sendEncoded(outgoing, encoded);
  // What cannot be compressed can still be sent.
  return encoded.catch(() => undefined).then((encodedBody) => sendEncoded(outgoing, encodedBody));
}

type OutgoingResponse = {
  readonly request: IncomingMessage;
  readonly serverResponse: ServerResponse;
  readonly response: HttpResponse;
  readonly rendered: RenderedBody | undefined;
  readonly head: string[];
  readonly varies: boolean;
  /** Of the body as it was rendered. */
  readonly tag: string | undefined;
  /** The tag by which the client has it already, if it does. */
  readonly held: string | undefined;
};

function sendEncoded(outgoing: OutgoingResponse, encoded: EncodedBody | undefined): Promise<void> | undefined {
  const { request, serverResponse, response, rendered, held } = outgoing;
  if (serverResponse.destroyed) return undefined;
  serverResponse.writeHead(held ? 304 : response.status, headersOf(outgoing, encoded));
  if (held || request.method === "HEAD" || (!rendered && !response.stream)) {
    response.stream?.destroy();
    serverResponse.end();
  } else if (response.stream) {
    if (response.stallTimeoutMs) cutOffStalled(serverResponse, response.stream, response.stallTimeoutMs);
    return pipeline(response.stream, serverResponse);
  } else if (encoded) serverResponse.end(encoded.content, "latin1");
  else serverResponse.end(rendered!.content, rendered!.encoding);
  return undefined;
}

/** What names the body that was asked for, exactly: of JSON, and of pages that name it themselves. */
function etagFor(
  { method }: IncomingMessage,
  { status, json, headers }: HttpResponse,
  rendered: RenderedBody,
): string | undefined {
  if (status !== 200 || !isReadMethod(method)) return undefined;
  return json === undefined ? headers?.ETag : (rendered.etag ?? etagOf(rendered.content, rendered.encoding));
}

/** Whoever takes a little is not stalled, as the platform sees; nor is who has been given nothing to take. */
function cutOffStalled(serverResponse: ServerResponse, stream: Readable, stallMs: number): void {
  serverResponse.setTimeout(stallMs, () => {
    if (serverResponse.socket?.writableLength) serverResponse.socket.destroy();
  });
  // Its end is worth less waiting.
  stream.once("close", () => serverResponse.setTimeout(Math.min(stallMs, END_TIMEOUT_MS)));
}

const END_TIMEOUT_MS = 500;

/** Names and values in turn, which costs less than an object. Each form of a body has a tag of its own. */
function headersOf(
  { response, rendered, head, varies, tag, held }: OutgoingResponse,
  encoded: EncodedBody | undefined,
): string[] {
  const { headers } = response;
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
    if (!(name === "ETag" && tag !== undefined) && !(name === "Vary" && varies) && !(held && isBodyHeader(name)))
      head.push(name, headers[name]!);
  return head;
}

/** What a client that has the body already knows of it. */
const isBodyHeader = (name: string): boolean => name.startsWith("Content-");

const UNREAD_BYTES_MAX = 64 * 1024 * 1024;

/** A client that is still sending reads its response only if we go on reading, which we do within reason. */
function drainRequest(request: IncomingMessage): void {
  let bytes = 0;
  request.on("data", (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > UNREAD_BYTES_MAX) request.destroy();
  });
  request.on("error", () => {});
  request.resume();
}
