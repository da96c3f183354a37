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

/** Sends responses: headers, ETag, content encoding and body. */

export type SendOptions = { readonly securityHeaders: SecurityHeaders; readonly compression: Compression };

const PLAIN_STYLE: BodyStyle = { pretty: false };

/** Sends a response. Returns a promise only for a stream, or if the body has to be compressed first: an await would cost time. */
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
  // If the compression fails, the body is sent without it.
  return encoded.catch(() => undefined).then((encodedBody) => sendEncoded(outgoing, encodedBody));
}

type OutgoingResponse = {
  readonly request: IncomingMessage;
  readonly serverResponse: ServerResponse;
  readonly response: HttpResponse;
  readonly rendered: RenderedBody | undefined;
  readonly head: string[];
  readonly varies: boolean;
  /** The ETag of the body without compression. */
  readonly tag: string | undefined;
  /** The ETag under which the client already has the body; then the status is 304. */
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
  else if (rendered) serverResponse.end(rendered.content, "latin1");
  return undefined;
}

/** The ETag of a 200 response to a read: of JSON or of a text, or as the handler has set it. */
function etagFor(
  { method }: IncomingMessage,
  { status, json, headers }: HttpResponse,
  rendered: RenderedBody,
): string | undefined {
  if (status !== 200 || !isReadMethod(method)) return undefined;
  return rendered.etag ?? (json === undefined ? headers?.ETag : etagOf(rendered.content));
}

/**
 * Disconnects a client that reads nothing for `stallMs`. Node restarts the timeout whenever the client reads something, and a client to
 * which nothing was sent does not count as stalled.
 */
function cutOffStalled(serverResponse: ServerResponse, stream: Readable, stallMs: number): void {
  serverResponse.setTimeout(stallMs, () => {
    if (serverResponse.socket?.writableLength) serverResponse.socket.destroy();
  });
  // When the stream has ended, the client gets less time to read the rest.
  stream.once("close", () => serverResponse.setTimeout(Math.min(stallMs, END_TIMEOUT_MS)));
}

const END_TIMEOUT_MS = 500;

/** The headers as a list in which names and values alternate, which is cheaper than an object. Each encoding has its own ETag. */
function headersOf(
  { response, rendered, head, varies, tag, held }: OutgoingResponse,
  encoded: EncodedBody | undefined,
): string[] {
  const { headers } = response;
  if (tag !== undefined) {
    head.push("ETag", held ?? (encoded ? encodedTag(tag, encoded.encoding) : tag));
    // Caches may store the response, but must revalidate it.
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
  for (const cookie of response.cookies ?? []) head.push("Set-Cookie", cookie);
  return head;
}

/** Headers about the body, which a 304 does not repeat. */
const isBodyHeader = (name: string): boolean => name.startsWith("Content-");

const UNREAD_BYTES_MAX = 64 * 1024 * 1024;

/** Reads and discards the rest of a request, up to a limit: many clients read the response only after they have sent everything. */
function drainRequest(request: IncomingMessage): void {
  let bytes = 0;
  request.on("data", (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > UNREAD_BYTES_MAX) request.destroy();
  });
  request.on("error", () => {});
  request.resume();
}
