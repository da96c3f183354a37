import { createServer, type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { pipeline } from "node:stream/promises";
import { newId } from "../registry/secrets.ts";
import { Unavailable } from "../store/store.ts";
import {
  type Answer,
  BROKEN_REQUEST,
  FAILED,
  type Headers,
  METHOD_NOT_ALLOWED,
  NOT_FOUND,
  TOO_MANY,
  UNAVAILABLE,
  UNEXPECTED,
} from "./answers.ts";
import { accountOf } from "./auth.ts";
import type { Service } from "./exchange.ts";
import type { Log } from "./log.ts";
import { type Handled, handle } from "./pipeline.ts";
import { clientAddressOf, openRateLimit, type RateLimit } from "./rateLimit.ts";
import { JSON_TYPE, type Rendered, render, type Style } from "./rendering.ts";
import { besideTheApi } from "./siteRoutes.ts";

export type Listening = {
  readonly url: string;
  /** Finishes what is in flight, then ends. */
  readonly close: () => Promise<void>;
};

const KEEP_ALIVE_MS = 65_000;
const LOOK_AT_TIMES_MS = 30_000;
const PLAIN: Style = { pretty: false };

export async function listen(service: Service, log: Log): Promise<Listening> {
  const { host, port, limits, requestSecondsMax, shutdownSeconds } = service.config;
  const rateLimit = limits.ratePerMinute > 0 ? openRateLimit(limits.ratePerMinute) : undefined;
  const answer = (request: IncomingMessage, response: ServerResponse) =>
    void serve(service, log, rateLimit, request, response);
  const options = {
    requestTimeout: requestSecondsMax * 1000,
    connectionsCheckingInterval: Math.min(LOOK_AT_TIMES_MS, requestSecondsMax * 500),
    keepAliveTimeout: KEEP_ALIVE_MS,
    requireHostHeader: false,
  };
  const server = createServer(options, answer);
  server.on("checkExpectation", answer);
  server.on("clientError", (error, socket) => refuseBroken(error, socket as Socket, log));
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host.replace(/^\[|\]$/g, ""), resolve);
  });
  const { port: bound } = server.address() as AddressInfo;
  return {
    url: `http://${host.includes(":") && !host.startsWith("[") ? `[${host}]` : host}:${bound}`,
    close: () => close(server, shutdownSeconds * 1000),
  };
}

/** Whoever is still busy after the grace is cut off: a client that stalls must not keep the server from ending. */
function close(server: Server, graceMs: number): Promise<void> {
  return new Promise((resolve) => {
    const looking = setInterval(() => server.closeIdleConnections(), 50);
    const waiting = setTimeout(() => server.closeAllConnections(), graceMs);
    server.close(() => {
      clearInterval(looking);
      clearTimeout(waiting);
      resolve();
    });
    server.closeIdleConnections();
  });
}

type ParserError = Error & { readonly code?: string; readonly rawPacket?: Buffer; readonly bytesParsed?: number };

const LAST_WORDS_MS = 1000;
const METHODS = "GET, HEAD, POST, PUT, PATCH, DELETE";

/** The answer that a connection is owed or has got last. */
const lastResponses = new WeakMap<Socket, ServerResponse>();

/** What is not HTTP, or a method nobody knows, never reaches a handler; it gets a clear answer all the same. */
function refuseBroken(error: ParserError, socket: Socket, log: Log): void {
  const last = lastResponses.get(socket);
  const isAnswered = last?.headersSent && (!last.req.complete || !last.writableFinished);
  if (error.code === "ECONNRESET" || !socket.writable || isAnswered) {
    socket.destroy();
    return;
  }
  const requestId = newId();
  const { status, headers, json } = refusalOf(error);
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
  log.info("request refused", { requestId, status, code: error.code });
}

function refusalOf(error: ParserError): Answer {
  switch (error.code) {
    case "HPE_INVALID_METHOD":
      return isRequestLine(error) ? METHOD_NOT_ALLOWED(METHODS) : BROKEN_REQUEST("The request is not HTTP");
    case "HPE_HEADER_OVERFLOW":
      return { ...BROKEN_REQUEST("The headers are too long"), status: 431 };
    case "ERR_HTTP_REQUEST_TIMEOUT":
      return { ...BROKEN_REQUEST("The request took too long to arrive"), status: 408 };
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

async function serve(
  service: Service,
  log: Log,
  rateLimit: RateLimit | undefined,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const started = performance.now();
  const requestId = requestIdOf(request);
  const [path = "/", query = ""] = splitOnce(targetOf(request.url ?? "/"), "?");
  lastResponses.set(request.socket, response);
  const rate = rateLimit && !HEALTH.test(path) ? takeTurn(rateLimit, service, request) : undefined;
  let handled: Handled;
  try {
    handled = rate?.allowed === false ? { answer: TOO_MANY } : await handleAny(service, request, path, query);
  } catch (error) {
    if (request.destroyed && !request.complete) return;
    log.error("request failed", error, { requestId, method: request.method, path });
    handled = { answer: error instanceof Unavailable ? UNAVAILABLE : FAILED(requestId) };
  }
  const { answer, style = PLAIN, account } = handled;
  try {
    await send(request, response, answer, style, { "X-Request-ID": requestId, ...rate?.headers });
  } catch (error) {
    if (!response.destroyed) response.destroy();
    if (!request.destroyed) log.error("sending failed", error, { requestId, path });
  }
  const ms = Math.round((performance.now() - started) * 1000) / 1000;
  log.info("request", { requestId, method: request.method, path, status: answer.status, ms, user: account?.name });
}

/** Some ask as they would ask a proxy, with the whole address; only what follows the host matters. */
const targetOf = (url: string): string => (url.startsWith("/") ? url : url.replace(/^https?:\/\/[^/?]*/i, "") || "/");

function splitOnce(text: string, at: string): readonly string[] {
  const i = text.indexOf(at);
  return i < 0 ? [text] : [text.slice(0, i), text.slice(i + 1)];
}

const requestIdOf = ({ headers }: IncomingMessage): string => {
  const given = headers["x-request-id"];
  return typeof given === "string" && /^[\w.:@/+=-]{1,128}$/.test(given) ? given : newId();
};

/** Whoever watches the service must not be told that it asks too often. */
const HEALTH = /^(\/api\/[^/]+)?\/health$/;

/** Both the address and the key that it uses are counted; a key is the same however it is written. */
function takeTurn(rateLimit: RateLimit, { config }: Service, request: IncomingMessage) {
  const account = accountOf(request.headers.authorization, config.accounts);
  const address = clientAddressOf(request, config.trustedProxies);
  return rateLimit.take([`address ${address}`, ...(account ? [`key of ${account.name}`] : [])]);
}

async function handleAny(service: Service, request: IncomingMessage, path: string, query: string): Promise<Handled> {
  const { host, expect } = request.headers;
  if (host === undefined && request.httpVersion === "1.1")
    return { answer: BROKEN_REQUEST("The header Host is missing") };
  if (expect !== undefined && expect.toLowerCase() !== "100-continue") return { answer: UNEXPECTED };
  const origin = originOf(service, request);
  const [, segment, rest] = /^\/api\/([^/]+)(\/.*)?$/.exec(path) ?? [];
  const beside = besideTheApi(service, request, origin, { segment, path: rest ?? path, query });
  if (beside) return beside;
  if (segment === undefined) return { answer: NOT_FOUND("path") };
  return handle(service, request, { segment, path: rest ?? "/", query: new URLSearchParams(query) }, origin);
}

const HOST = /^(?:[A-Za-z0-9.-]{1,253}|\[[0-9a-fA-F:.]{2,45}\])(?::\d{1,5})?$/;

/** How clients reach us: as configured, or as this one did, where what it says can be an address. */
function originOf({ config }: Service, { headers, socket }: IncomingMessage): string {
  if (config.publicUrl) return config.publicUrl;
  const origin = `http://${headers.host}`;
  return HOST.test(headers.host ?? "") && URL.canParse(origin) ? origin : `http://${config.host}:${socket.localPort}`;
}

async function send(
  request: IncomingMessage,
  response: ServerResponse,
  answer: Answer,
  style: Style,
  common: Headers,
): Promise<void> {
  const rendered = render(answer, style);
  if (response.destroyed) {
    answer.stream?.destroy();
    return;
  }
  if (!request.complete) readToTheEnd(request);
  response.writeHead(answer.status, headersOf(answer, rendered, common));
  if (request.method === "HEAD" || (!rendered && !answer.stream)) {
    answer.stream?.destroy();
    response.end();
  } else if (answer.stream) await pipeline(answer.stream, response);
  else response.end(rendered!.content, rendered!.encoding);
}

/** Names and values in turn, which costs less than an object. */
function headersOf({ headers }: Answer, rendered: Rendered | undefined, common: Headers): string[] {
  const list = ["X-Content-Type-Options", "nosniff"];
  for (const [name, value] of Object.entries(common)) list.push(name, value);
  for (const name in rendered?.headers) if (!headers?.[name]) list.push(name, rendered.headers[name]!);
  if (rendered) list.push("Content-Length", String(rendered.length));
  for (const name in headers) list.push(name, headers[name]!);
  return list;
}

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
