import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { pipeline } from "node:stream/promises";
import { newId } from "../registry/secrets.ts";
import { type Answer, BROKEN_REQUEST, FAILED, type Headers, NOT_FOUND, TOO_MANY, UNEXPECTED } from "./answers.ts";
import { accountOf } from "./auth.ts";
import type { Service } from "./exchange.ts";
import type { Log } from "./log.ts";
import { type Handled, handle } from "./pipeline.ts";
import { openRateLimit, type RateLimit } from "./rateLimit.ts";
import { JSON_TYPE, type Rendered, render, type Style } from "./rendering.ts";
import { besideTheApi } from "./siteRoutes.ts";

export type Listening = {
  readonly url: string;
  /** Finishes what is in flight, then ends. */
  readonly close: () => Promise<void>;
};

const REQUEST_TIME_MAX_MS = 10 * 60 * 1000;
const PLAIN: Style = { pretty: false };

export async function listen(service: Service, log: Log): Promise<Listening> {
  const { host, port, limits } = service.config;
  const rateLimit = limits.ratePerMinute > 0 ? openRateLimit(limits.ratePerMinute) : undefined;
  const options = { requestTimeout: REQUEST_TIME_MAX_MS, keepAliveTimeout: 65_000, requireHostHeader: false };
  const answer = (request: IncomingMessage, response: ServerResponse) =>
    void serve(service, log, rateLimit, request, response);
  const server = createServer(options, answer);
  server.on("checkExpectation", answer);
  server.on("clientError", refuseBroken);
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host.replace(/^\[|\]$/g, ""), resolve);
  });
  const { port: bound } = server.address() as AddressInfo;
  return {
    url: `http://${host.includes(":") && !host.startsWith("[") ? `[${host}]` : host}:${bound}`,
    close: () => close(server),
  };
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
    const timer = setInterval(() => server.closeIdleConnections(), 50);
    server.on("close", () => clearInterval(timer));
  });
}

/** What is not HTTP, or a method nobody knows, never reaches a handler; it gets a clear answer all the same. */
function refuseBroken(error: Error & { code?: string }, socket: import("node:stream").Duplex): void {
  if (error.code === "ECONNRESET" || !socket.writable) {
    socket.destroy();
    return;
  }
  const tooLong = error.code === "HPE_HEADER_OVERFLOW";
  const status = tooLong ? "431 Request Header Fields Too Large" : "400 Bad Request";
  const body = BROKEN_REQUEST(tooLong ? "The headers are too long" : "The request is not HTTP").json as string;
  socket.end(
    `HTTP/1.1 ${status}\r\nContent-Type: ${JSON_TYPE}\r\nContent-Length: ${Buffer.byteLength(body)}\r\nDate: ${new Date().toUTCString()}\r\nConnection: close\r\n\r\n${body}`,
  );
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
  const rate = rateLimit && takeTurn(rateLimit, service, request);
  let handled: Handled;
  try {
    handled = rate?.allowed === false ? { answer: TOO_MANY } : await handleAny(service, request, path, query);
  } catch (error) {
    if (request.destroyed && !request.complete) return;
    log.error("request failed", error, { requestId, method: request.method, path });
    handled = { answer: FAILED(requestId) };
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

/** Both the address and the key that it uses are counted; a key is the same however it is written. */
function takeTurn(rateLimit: RateLimit, { config }: Service, { headers, socket }: IncomingMessage) {
  const account = accountOf(headers.authorization, config.accounts);
  return rateLimit.take([`address ${socket.remoteAddress}`, ...(account ? [`key of ${account.name}`] : [])]);
}

async function handleAny(service: Service, request: IncomingMessage, path: string, query: string): Promise<Handled> {
  const { host, expect } = request.headers;
  if (host === undefined && request.httpVersion === "1.1")
    return { answer: BROKEN_REQUEST("The header Host is missing") };
  if (expect !== undefined && expect.toLowerCase() !== "100-continue") return { answer: UNEXPECTED };
  const origin = originOf(service, request);
  const [, segment, rest] = /^\/api\/([^/]+)(\/.*)?$/.exec(path) ?? [];
  const beside = besideTheApi(service, request, origin, segment, rest ?? path);
  if (beside) return { answer: await beside };
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
