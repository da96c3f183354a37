import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { isFull } from "../files/files.ts";
import { Unavailable } from "../store/store.ts";
import {
  ALLOWED,
  type Answer,
  BROKEN_REQUEST,
  FAILED,
  TOO_MANY,
  told as toldInFull,
  UNAVAILABLE,
  UNEXPECTED,
} from "./answers.ts";
import { recordAct } from "./auditTrail.ts";
import { accountOf, ignoredAuthorization } from "./auth.ts";
import { lastResponses, METHODS, refuseBroken } from "./brokenRequests.ts";
import { type Compression, type Encoded, NO_COMPRESSION, openCompression } from "./compression.ts";
import { encodedTag, etagOf, tagHeldBy } from "./conditional.ts";
import type { Service } from "./exchange.ts";
import { type Hot, openHot, type Told } from "./hot.ts";
import type { Log } from "./log.ts";
import { hostInUrl, originOf, ownOrigin } from "./origins.ts";
import { type Handled, handle } from "./pipeline.ts";
import { callersOf, openRateLimit, type RateLimit, type Turn } from "./rateLimit.ts";
import { type Rendered, render, type Style } from "./rendering.ts";
import { refusedHeaders } from "./repeatedHeaders.ts";
import { newRequestId } from "./requestIds.ts";
import { openRequestMetrics, type RequestMetrics } from "./requestMetrics.ts";
import { pathForLog, type RequestTrace, requestIdOf, whoAsked } from "./requestTrace.ts";
import { besideTheApi } from "./siteRoutes.ts";
import { isRead, preflightAnswer, type StandingHeaders, standingFor, standingHeadersOf } from "./standingHeaders.ts";
import { answerStray } from "./stray.ts";

export type Listening = {
  readonly url: string;
  /** Finishes what is in flight, then ends. */
  readonly close: () => Promise<void>;
};

const KEEP_ALIVE_MS = 65_000;
const LOOK_AT_TIMES_MS = 30_000;
const PLAIN: Style = { pretty: false };

/** What all requests share. */
type Serving = {
  readonly service: Service;
  readonly log: Log;
  readonly rateLimit: RateLimit | undefined;
  readonly hot: Hot;
  readonly standing: StandingHeaders;
  readonly requests: RequestMetrics;
  readonly compression: Compression;
};

export async function listen(service: Service, log: Log): Promise<Listening> {
  const { host, port, limits, requestSecondsMax, shutdownSeconds } = service.config;
  const serving: Serving = {
    service,
    log,
    rateLimit: limits.ratePerMinute > 0 ? openRateLimit(limits.ratePerMinute) : undefined,
    hot: openHot(),
    standing: standingHeadersOf(service.config),
    compression: service.config.compresses ? openCompression() : NO_COMPRESSION,
    requests: openRequestMetrics(service.oversight.metrics, service.dialects),
  };
  const answer = (request: IncomingMessage, response: ServerResponse) => void serve(serving, request, response);
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
  server.on("checkContinue", (request: IncomingMessage, response: ServerResponse) => {
    // Only whoever is not refused by the headers alone is told to send the body.
    request.once("resume", () => response.headersSent || response.writeContinue());
    answer(request, response);
  });
  server.on("clientError", (error, socket: Socket) =>
    refuseBroken(error, socket, log, { origin: ownOrigin(service, socket), zone: service.config.zone }),
  );
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host.replace(/^\[|\]$/g, ""), resolve);
  });
  const { port: bound } = server.address() as AddressInfo;
  return {
    url: `http://${hostInUrl(host)}:${bound}`,
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

async function serve(serving: Serving, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { service, log, rateLimit, hot, requests } = serving;
  const started = performance.now();
  const target = targetOf(request.url ?? "/");
  const { path } = target;
  const rate = rateLimit && !HEALTH.test(path) ? rateLimit.take(callersOf(request, service.config)) : undefined;
  const trace: RequestTrace = {};
  let requestId = "";
  let told: Told | undefined;
  requests.begin();
  try {
    const found = rate?.allowed === false ? undefined : hot.find(request);
    told = found instanceof Promise ? await found : found;
    if (told) requestId = newRequestId();
    else {
      told = rate?.allowed === false ? { answer: TOO_MANY } : await answerAnew(serving, request, target, trace);
      requestId = trace.requestId ?? requestIdOf(request, path, trace);
    }
  } catch (error) {
    if (isCutOff(request)) return requests.drop();
    told = { answer: failed(error, request, log, path, trace) };
    requestId = trace.requestId!;
  }
  if (told.answer.errors) told = { ...told, answer: inFull(told.answer, service, request) };
  const { answer, meter = requests.meterOf(path) } = told;
  try {
    const sending = send(serving, request, response, told, requestId, rate);
    if (sending) await sending;
  } catch (error) {
    if (!response.destroyed) response.destroy();
    if (!isReaderGone(error)) log.error("sending failed", error, { requestId, path: pathForLog(path, trace) });
  }
  const ms = Math.round((performance.now() - started) * 1000) / 1000;
  const status = response.headersSent ? response.statusCode : answer.status;
  requests.end(meter, request.method!, answer, status, ms);
  if (!service.config.logs.health && status < 400 && HEALTH.test(path)) return;
  log.request({ requestId, method: request.method!, status, ms, ...whoAsked(request, path, trace, service.config) });
}

/** The whole way. What somebody did who may do more than others is recorded also where it failed: part of it may be done. */
async function answerAnew(
  { service, log, hot, requests }: Serving,
  request: IncomingMessage,
  { path, query }: Target,
  trace: RequestTrace,
): Promise<Told> {
  let told: Told;
  try {
    const handled = await handleAny(service, request, path, query, trace);
    told = { ...sayingWhatIsIgnored(handled, service, request, query), meter: requests.meterOf(path) };
    trace.account = told.account;
    trace.requestId = requestIdOf(request, path, trace);
    hot.keep(request, told);
  } catch (error) {
    if (isCutOff(request)) throw error;
    trace.account = accountOf(request.headers.authorization, service.config.accounts);
    told = { answer: failed(error, request, log, path, trace) };
  }
  const { requestId = "" } = trace;
  const recording = recordAct(service, log, request, { path, query, requestId, answer: told.answer, trace });
  if (recording) await recording;
  return told;
}

/** Readers with a key that is not known are answered like everybody, as existing clients expect; they are told so. */
function sayingWhatIsIgnored(handled: Handled, { config }: Service, request: IncomingMessage, query: string): Handled {
  const ignored = isRead(request.method) && ignoredAuthorization(request.headers, query, config.accounts);
  if (!ignored) return handled;
  const { answer } = handled;
  return { ...handled, answer: { ...answer, headers: { ...answer.headers, "X-Ignored-Authorization": ignored } } };
}

function failed(error: unknown, request: IncomingMessage, log: Log, path: string, trace: RequestTrace): Answer {
  const requestId = trace.requestId ?? requestIdOf(request, path, trace);
  trace.requestId = requestId;
  log.error("request failed", error, { requestId, method: request.method, path: pathForLog(path, trace) });
  return error instanceof Unavailable || isFull(error) ? UNAVAILABLE : FAILED(requestId);
}

/** The client went away before it had sent everything; a request without a body counts as read from the start. */
const isCutOff = ({ destroyed, complete, readableEnded }: IncomingMessage): boolean =>
  destroyed && !complete && !readableEnded;

/** That a client does not wait for the end of its answer is its own affair. */
const isReaderGone = (error: unknown): boolean =>
  (error as { readonly code?: string }).code === "ERR_STREAM_PREMATURE_CLOSE";

type Target = { readonly path: string; readonly query: string };

/** Some ask as they would ask a proxy, with the whole address; only what follows the host matters. */
function targetOf(url: string): Target {
  const target = url.startsWith("/") ? url : url.replace(/^https?:\/\/[^/?]*/i, "") || "/";
  const queryAt = target.indexOf("?");
  return queryAt < 0
    ? { path: target, query: "" }
    : { path: target.slice(0, queryAt), query: target.slice(queryAt + 1) };
}

/** Whoever watches the service must not be told that it asks too often. */
const HEALTH = /^(\/api\/[^/]+)?\/health$|^\/health\/(live|ready)$/;

const API = "/api/";
/** Asked of by many, changed by none. */
const NO_QUERY = new URLSearchParams();

function handleAny(
  service: Service,
  request: IncomingMessage,
  path: string,
  query: string,
  trace: RequestTrace,
): Promise<Handled> | Handled {
  const { host, expect } = request.headers;
  const repeated = refusedHeaders(request);
  if (repeated) return { answer: repeated };
  if (host === undefined && request.httpVersion === "1.1")
    return { answer: BROKEN_REQUEST("The header Host is missing") };
  if (expect !== undefined && expect.toLowerCase() !== "100-continue") return { answer: UNEXPECTED };
  const preflight = preflightAnswer(request, service.config.sandbox);
  if (preflight) return { answer: preflight };
  if (path === "*" && request.method === "OPTIONS") return { answer: ALLOWED(METHODS) };
  const origin = originOf(service, request);
  const segmentEnd = path.indexOf("/", API.length);
  const named = path.startsWith(API) ? path.slice(API.length, segmentEnd < 0 ? path.length : segmentEnd) : "";
  const segment = named === "" ? undefined : named;
  const rest = segment === undefined || segmentEnd < 0 ? undefined : path.slice(segmentEnd);
  const beside = besideTheApi(service, request, origin, { segment, path: rest ?? path, query }, trace);
  if (beside) return beside;
  if (segment === undefined) return { answer: answerStray(service, request, origin, path) };
  const asked = query === "" ? NO_QUERY : new URLSearchParams(query);
  return handle(service, request, { segment, path: rest ?? "/", query: asked }, origin, trace);
}

const inFull = (answer: Answer, service: Service, request: IncomingMessage): Answer =>
  toldInFull(answer, { origin: originOf(service, request), zone: service.config.zone });

/** A promise only where the answer is a stream or has to be compressed first, as what need not be waited for is sent sooner. */
function send(
  { standing, compression }: Serving,
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
  const sending = { request, response, answer, rendered, head, varies, tag, held, isWholeIn };
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
  readonly isWholeIn: boolean;
};

function sendEncoded(sending: Sending, encoded: Encoded | undefined): Promise<void> | undefined {
  const { request, response, answer, rendered, held, isWholeIn } = sending;
  if (response.destroyed) return undefined;
  const { socket } = request;
  response.writeHead(held ? 304 : answer.status, headOf(sending, encoded));
  if (held || request.method === "HEAD" || (!rendered && !answer.stream)) {
    answer.stream?.destroy();
    response.end();
  } else if (answer.stream) {
    lastResponses.set(socket, response);
    if (answer.stallMs) cutOffStalled(response, answer.stream, answer.stallMs);
    return pipeline(answer.stream, response);
  } else if (encoded) response.end(encoded.content, "latin1");
  else response.end(rendered!.content, rendered!.encoding);
  if (!isWholeIn || !response.writableFinished) lastResponses.set(socket, response);
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
function headOf({ answer, rendered, head, varies, tag, held }: Sending, encoded: Encoded | undefined): string[] {
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
