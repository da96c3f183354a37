import { type ServerResponse, STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import { MALFORMED_REQUEST, METHOD_NOT_ALLOWED } from "../http/errorResponses.ts";
import { newRequestId } from "../http/requestIds.ts";
import { JSON_CONTENT_TYPE } from "../http/responseBody.ts";
import { type ErrorContext, type HttpResponse, withErrorBody } from "../http/responses.ts";
import type { Log } from "../ops/log.ts";

type ParserError = Error & { readonly code?: string; readonly rawPacket?: Buffer; readonly bytesParsed?: number };

const CLOSE_DELAY_MS = 1000;
export const ALLOWED_METHODS = "GET, HEAD, POST, PUT, PATCH, DELETE";

/** The response to the last request of each connection. */
export const lastResponses = new WeakMap<Socket, ServerResponse>();
/** Connections that get an error and are closed, now or after the response to the previous request. */
const rejectedSockets = new WeakSet<Socket>();

/** Sends an error response to a request that the HTTP parser rejects, which therefore never reaches a handler. */
export function rejectMalformedRequest(error: ParserError, socket: Socket, log: Log, errorContext: ErrorContext): void {
  const lastResponse = lastResponses.get(socket);
  const isMidBody = lastResponse?.headersSent && !lastResponse.req.complete;
  const isStreaming = lastResponse?.headersSent && !lastResponse.writableEnded;
  if (error.code === "ECONNRESET" || !socket.writable || isMidBody || isStreaming) {
    socket.destroy();
    return;
  }
  if (rejectedSockets.has(socket)) return;
  rejectedSockets.add(socket);
  const sendError = () => sendErrorAndClose(socket, parserErrorResponse(error), error.code, log, errorContext);
  // If a complete request precedes the malformed one, its response is sent first.
  if (lastResponse?.req.complete && !lastResponse.writableFinished) lastResponse.once("close", sendError);
  else sendError();
}

/** Rejects CONNECT, for which Node emits its own event. */
export function rejectConnect(socket: Socket, log: Log, errorContext: ErrorContext): void {
  socket.on("error", () => {});
  sendErrorAndClose(socket, METHOD_NOT_ALLOWED(ALLOWED_METHODS), "CONNECT", log, errorContext);
}

function sendErrorAndClose(
  socket: Socket,
  response: HttpResponse,
  code: string | undefined,
  log: Log,
  errorContext: ErrorContext,
): void {
  if (!socket.writable) return;
  const requestId = newRequestId();
  const { status, headers, json } = withErrorBody(response, errorContext);
  const body = String(json);
  const fields = {
    "X-Content-Type-Options": "nosniff",
    "X-Request-ID": requestId,
    "Content-Type": JSON_CONTENT_TYPE,
    "Content-Length": Buffer.byteLength(body),
    ...headers,
    Date: new Date().toUTCString(),
    Connection: "close",
  };
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join("")}\r\n${body}`);
  // Not at once: a client that is still sending would get a reset and not read the response.
  setTimeout(() => socket.destroy(), CLOSE_DELAY_MS).unref();
  log.info("request refused", { requestId, status, code });
}

function parserErrorResponse(error: ParserError): HttpResponse {
  switch (error.code) {
    case "HPE_INVALID_METHOD":
      return isRequestLine(error) ? METHOD_NOT_ALLOWED(ALLOWED_METHODS) : MALFORMED_REQUEST("The request is not HTTP");
    case "HPE_HEADER_OVERFLOW":
      return MALFORMED_REQUEST("The headers are too long", 431, "headers-too-long");
    case "ERR_HTTP_REQUEST_TIMEOUT":
      return MALFORMED_REQUEST("The request took too long to arrive", 408, "request-timeout");
    default:
      return MALFORMED_REQUEST("The request is not HTTP");
  }
}

/** The parser reports every unknown start of a line as an invalid method, so this checks whether it is a request line at all. */
function isRequestLine({ rawPacket, bytesParsed = 0 }: ParserError): boolean {
  const text = rawPacket?.toString("latin1") ?? "";
  const from = text.lastIndexOf("\n", bytesParsed - 1) + 1;
  return /^[^\n]*[\w!#$%&'*+.^`|~-] \S+ HTTP\/1\.[01]\r?\n/.test(text.slice(from));
}
