import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { Unavailable } from "../store/store.ts";
import { type Answer, BROKEN_REQUEST, FAILED, NOT_FOUND, TOO_MANY, UNAVAILABLE, UNEXPECTED } from "./answers.ts";
import { accountOf } from "./auth.ts";
import { lastResponses, refuseBroken } from "./brokenRequests.ts";
import type { Service } from "./exchange.ts";
import { type Hot, openHot } from "./hot.ts";
import type { Log } from "./log.ts";
import { type Handled, handle } from "./pipeline.ts";
import { clientAddressOf, openRateLimit, type RateLimit, type Turn } from "./rateLimit.ts";
import { type Rendered, render, type Style } from "./rendering.ts";
import { newRequestId } from "./requestIds.ts";
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
  const hot = openHot();
  const rateLimit = limits.ratePerMinute > 0 ? openRateLimit(limits.ratePerMinute) : undefined;
  const answer = (request: IncomingMessage, response: ServerResponse) =>
    void serve(service, log, rateLimit, hot, request, response);
  const options = {
    requestTimeout: requestSecondsMax * 1000,
    connectionsCheckingInterval: Math.min(LOOK_AT_TIMES_MS, requestSecondsMax * 500),
    keepAliveTimeout: KEEP_ALIVE_MS,
    requireHostHeader: false,
    // Reading a body that is not there to its end costs as much as finding a kept answer.
    optimizeEmptyRequests: true,
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

async function serve(
  service: Service,
  log: Log,
  rateLimit: RateLimit | undefined,
  hot: Hot,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const started = performance.now();
  const target = targetOf(request.url ?? "/");
  const queryAt = target.indexOf("?");
  const path = queryAt < 0 ? target : target.slice(0, queryAt);
  const query = queryAt < 0 ? "" : target.slice(queryAt + 1);
  const rate = rateLimit && !HEALTH.test(path) ? takeTurn(rateLimit, service, request) : undefined;
  let requestId = "";
  let handled: Handled;
  try {
    const told = rate?.allowed === false ? undefined : hot.find(request);
    const again = told instanceof Promise ? await told : told;
    requestId = again ? newRequestId() : requestIdOf(request);
    if (again) handled = { answer: again };
    else if (rate?.allowed === false) handled = { answer: TOO_MANY };
    else {
      handled = await handleAny(service, request, path, query);
      hot.keep(request, handled);
    }
  } catch (error) {
    if (isCutOff(request)) return;
    requestId ||= requestIdOf(request);
    log.error("request failed", error, { requestId, method: request.method, path });
    handled = { answer: error instanceof Unavailable ? UNAVAILABLE : FAILED(requestId) };
  }
  const { answer, style = PLAIN, account } = handled;
  try {
    const sending = send(request, response, answer, style, headersOf(requestId, rate));
    if (sending) await sending;
  } catch (error) {
    if (!response.destroyed) response.destroy();
    if (!isReaderGone(error)) log.error("sending failed", error, { requestId, path });
  }
  const ms = Math.round((performance.now() - started) * 1000) / 1000;
  log.request({ requestId, method: request.method!, path, status: answer.status, ms, user: account?.name });
}

/** The client went away before it had sent everything; a request without a body counts as read from the start. */
const isCutOff = ({ destroyed, complete, readableEnded }: IncomingMessage): boolean =>
  destroyed && !complete && !readableEnded;

/** That a client does not wait for the end of its answer is its own affair. */
const isReaderGone = (error: unknown): boolean =>
  (error as { readonly code?: string }).code === "ERR_STREAM_PREMATURE_CLOSE";

/** Some ask as they would ask a proxy, with the whole address; only what follows the host matters. */
const targetOf = (url: string): string => (url.startsWith("/") ? url : url.replace(/^https?:\/\/[^/?]*/i, "") || "/");

const requestIdOf = ({ headers }: IncomingMessage): string => {
  const given = headers["x-request-id"];
  return typeof given === "string" && /^[\w.:@/+=-]{1,128}$/.test(given) ? given : newRequestId();
};

/** Whoever watches the service must not be told that it asks too often. */
const HEALTH = /^(\/api\/[^/]+)?\/health$/;

/** Both the address and the key that it uses are counted; a key is the same however it is written. */
function takeTurn(rateLimit: RateLimit, { config }: Service, request: IncomingMessage): Turn {
  const account = accountOf(request.headers.authorization, config.accounts);
  const address = clientAddressOf(request, config.trustedProxies);
  return rateLimit.take([`address ${address}`, ...(account ? [`key of ${account.name}`] : [])]);
}

const API = "/api/";
/** Asked of by many, changed by none. */
const NO_QUERY = new URLSearchParams();

function handleAny(
  service: Service,
  request: IncomingMessage,
  path: string,
  query: string,
): Promise<Handled> | Handled {
  const { host, expect } = request.headers;
  if (host === undefined && request.httpVersion === "1.1")
    return { answer: BROKEN_REQUEST("The header Host is missing") };
  if (expect !== undefined && expect.toLowerCase() !== "100-continue") return { answer: UNEXPECTED };
  const origin = originOf(service, request);
  const segmentEnd = path.indexOf("/", API.length);
  const named = path.startsWith(API) ? path.slice(API.length, segmentEnd < 0 ? path.length : segmentEnd) : "";
  const segment = named === "" ? undefined : named;
  const rest = segment === undefined || segmentEnd < 0 ? undefined : path.slice(segmentEnd);
  const beside = besideTheApi(service, request, origin, { segment, path: rest ?? path, query });
  if (beside) return beside;
  if (segment === undefined) return { answer: NOT_FOUND("path") };
  const asked = query === "" ? NO_QUERY : new URLSearchParams(query);
  return handle(service, request, { segment, path: rest ?? "/", query: asked }, origin);
}

const HOST = /^(?:[A-Za-z0-9.-]{1,253}|\[[0-9a-fA-F:.]{2,45}\])(?::\d{1,5})?$/;
const ORIGINS_MAX = 1000;
/** By what clients wrote as the host: nearly all write the same, and looking closely takes a microsecond. */
const origins = new Map<string, string>();

function originAt(host: string): string | undefined {
  const known = origins.get(host);
  if (known !== undefined) return known;
  const origin = `http://${host}`;
  if (!HOST.test(host) || !URL.canParse(origin)) return undefined;
  if (origins.size >= ORIGINS_MAX) origins.clear();
  origins.set(host, origin);
  return origin;
}

/** How clients reach us: as configured, or as this one did, where what it says can be an address. */
function originOf({ config }: Service, { headers, socket }: IncomingMessage): string {
  if (config.publicUrl) return config.publicUrl;
  return originAt(headers.host ?? "") ?? `http://${config.host}:${socket.localPort}`;
}

/** A promise only where the answer is a stream, as what need not be waited for is sent sooner. */
function send(
  request: IncomingMessage,
  response: ServerResponse,
  answer: Answer,
  style: Style,
  head: string[],
): Promise<void> | undefined {
  const rendered = render(answer, style);
  if (response.destroyed) {
    answer.stream?.destroy();
    return undefined;
  }
  const isWholeIn = request.complete || request.readableEnded;
  if (!isWholeIn) readToTheEnd(request);
  const { socket } = request;
  response.writeHead(answer.status, withHeadersOf(answer, rendered, head));
  if (request.method === "HEAD" || (!rendered && !answer.stream)) {
    answer.stream?.destroy();
    response.end();
  } else if (answer.stream) {
    lastResponses.set(socket, response);
    if (answer.stallMs) cutOffStalled(response, answer.stream, answer.stallMs);
    return pipeline(answer.stream, response);
  } else response.end(rendered!.content, rendered!.encoding);
  if (!isWholeIn || !response.writableFinished) lastResponses.set(socket, response);
  return undefined;
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

/** Names and values in turn, which costs less than an object. */
function headersOf(requestId: string, rate: Turn | undefined): string[] {
  const list = ["X-Content-Type-Options", "nosniff", "X-Request-ID", requestId];
  for (const name in rate?.headers) list.push(name, rate.headers[name]!);
  return list;
}

function withHeadersOf({ headers }: Answer, rendered: Rendered | undefined, list: string[]): string[] {
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
