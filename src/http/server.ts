import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
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
import { RequestCutOff } from "./body.ts";
import { lastResponses, METHODS, refuseBroken, refuseTunnel } from "./brokenRequests.ts";
import { type Compression, NO_COMPRESSION, openCompression } from "./compression.ts";
import { type Hot, openHot, type Told } from "./hot.ts";
import type { Log } from "./log.ts";
import { hostInUrl, originOf, ownOrigin } from "./origins.ts";
import { type Handled, handle } from "./pipeline.ts";
import { callersOf, openRateLimit, type RateLimit } from "./rateLimit.ts";
import { refusedHeaders } from "./repeatedHeaders.ts";
import { newRequestId } from "./requestIds.ts";
import { openRequestMetrics, type RequestMetrics } from "./requestMetrics.ts";
import { pathForLog, type RequestTrace, requestIdOf, whoAsked } from "./requestTrace.ts";
import { send } from "./send.ts";
import type { Service } from "./service.ts";
import { besideTheApi } from "./siteRoutes.ts";
import { isRead, preflightAnswer, type StandingHeaders, standingHeadersOf } from "./standingHeaders.ts";
import { answerStray } from "./stray.ts";

export type Listening = {
  readonly url: string;
  /** Finishes what is in flight, then ends. */
  readonly close: () => Promise<void>;
};

const KEEP_ALIVE_MS = 65_000;
const LOOK_AT_TIMES_MS = 30_000;

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
  const answer = (request: IncomingMessage, response: ServerResponse) => {
    lastResponses.set(request.socket, response);
    void serve(serving, request, response);
  };
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
  const telling = (socket: Socket) => ({ origin: ownOrigin(service, socket), zone: service.config.zone });
  server.on("clientError", (error, socket: Socket) => refuseBroken(error, socket, log, telling(socket)));
  server.on("connect", (_request, socket: Socket) => refuseTunnel(socket, log, telling(socket)));
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
    if (isCutOff(request, error)) return requests.drop();
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
    if (isCutOff(request, error)) throw error;
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
const isCutOff = ({ destroyed, complete, readableEnded }: IncomingMessage, error: unknown): boolean =>
  error instanceof RequestCutOff || (destroyed && !complete && !readableEnded);

/** That a client does not wait for the end of its answer is its own affair. */
const isReaderGone = (error: unknown): boolean =>
  (error as { readonly code?: string }).code === "ERR_STREAM_PREMATURE_CLOSE";

type Target = { readonly path: string; readonly query: string };

/** Some ask as they would ask a proxy, with the whole address; only what follows the host matters. */
function targetOf(url: string): Target {
  const rest = url.startsWith("/") ? url : url.replace(/^https?:\/\/[^/?]*/i, "");
  const target = rest === "" || rest.startsWith("?") ? `/${rest}` : rest;
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
