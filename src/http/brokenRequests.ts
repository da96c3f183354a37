import { type ServerResponse, STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import { type Answer, BROKEN_REQUEST, METHOD_NOT_ALLOWED, type Telling, told } from "./answers.ts";
import type { Log } from "./log.ts";
import { JSON_TYPE } from "./rendering.ts";
import { newRequestId } from "./requestIds.ts";

type ParserError = Error & { readonly code?: string; readonly rawPacket?: Buffer; readonly bytesParsed?: number };

const LAST_WORDS_MS = 1000;
export const METHODS = "GET, HEAD, POST, PUT, PATCH, DELETE";

/** The response to the request that a connection brought last. */
export const lastResponses = new WeakMap<Socket, ServerResponse>();
/** Where the last word is spoken, or will be once what was asked before is answered. */
const refused = new WeakSet<Socket>();

/** What is not HTTP, or a method nobody knows, never reaches a handler; it gets a clear answer all the same. */
export function refuseBroken(error: ParserError, socket: Socket, log: Log, telling: Telling): void {
  const last = lastResponses.get(socket);
  const isAmidBody = last?.headersSent && !last.req.complete;
  const isStreaming = last?.headersSent && !last.writableEnded;
  if (error.code === "ECONNRESET" || !socket.writable || isAmidBody || isStreaming) {
    socket.destroy();
    return;
  }
  if (refused.has(socket)) return;
  refused.add(socket);
  const speak = () => refuse(socket, refusalOf(error), error.code, log, telling);
  // What came after a whole request is no reason to keep from its client what became of it.
  if (last?.req.complete && !last.writableFinished) last.once("close", speak);
  else speak();
}

/** A tunnel to elsewhere, which is asked for by its own kind of request. */
export function refuseTunnel(socket: Socket, log: Log, telling: Telling): void {
  socket.on("error", () => {});
  refuse(socket, METHOD_NOT_ALLOWED(METHODS), "CONNECT", log, telling);
}

function refuse(socket: Socket, refusal: Answer, code: string | undefined, log: Log, telling: Telling): void {
  if (!socket.writable) return;
  const requestId = newRequestId();
  const { status, headers, json } = told(refusal, telling);
  const body = json as string;
  const fields = {
    "X-Content-Type-Options": "nosniff",
    "X-Request-ID": requestId,
    "Content-Type": JSON_TYPE,
    "Content-Length": Buffer.byteLength(body),
    ...headers,
    Date: new Date().toUTCString(),
    Connection: "close",
  };
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join("")}\r\n${body}`);
  // Not at once, as the client may still be sending and would then not read; but it must not stay either.
  setTimeout(() => socket.destroy(), LAST_WORDS_MS).unref();
  log.info("request refused", { requestId, status, code });
}

function refusalOf(error: ParserError): Answer {
  switch (error.code) {
    case "HPE_INVALID_METHOD":
      return isRequestLine(error) ? METHOD_NOT_ALLOWED(METHODS) : BROKEN_REQUEST("The request is not HTTP");
    case "HPE_HEADER_OVERFLOW":
      return BROKEN_REQUEST("The headers are too long", 431, "headers-too-long");
    case "ERR_HTTP_REQUEST_TIMEOUT":
      return BROKEN_REQUEST("The request took too long to arrive", 408, "request-timeout");
    default:
      return BROKEN_REQUEST("The request is not HTTP");
  }
}

/** The parser takes whatever does not begin with a method that it knows for a wrong method. */
function isRequestLine({ rawPacket, bytesParsed = 0 }: ParserError): boolean {
  const text = rawPacket?.toString("latin1") ?? "";
  const from = text.lastIndexOf("\n", bytesParsed - 1) + 1;
  return /^[^\n]*[\w!#$%&'*+.^`|~-] \S+ HTTP\/1\.[01]\r?\n/.test(text.slice(from));
}
