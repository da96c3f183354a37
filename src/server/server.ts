import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { handleRequest, type RequestResult } from "../api/pipeline.ts";
import type { ServicePorts } from "../api/servicePorts.ts";
import { isFull } from "../files/files.ts";
import { accountOf, ignoredCredentialsReason } from "../http/auth.ts";
import {
  EXPECTATION_FAILED,
  INTERNAL_ERROR,
  MALFORMED_REQUEST,
  TOO_MANY_REQUESTS,
  UNAVAILABLE,
} from "../http/errorResponses.ts";
import { RequestAborted } from "../http/jsonBody.ts";
import { localOrigin, originOf, urlHost } from "../http/origins.ts";
import { openRateLimit, type RateLimit, rateLimitKeysOf } from "../http/rateLimit.ts";
import { checkRepeatedHeaders } from "../http/repeatedHeaders.ts";
import { newRequestId } from "../http/requestIds.ts";
import { callerForLog, pathForLog, type RequestTrace, requestIdOf } from "../http/requestTrace.ts";
import { type HttpResponse, OPTIONS_RESPONSE, withErrorBody } from "../http/responses.ts";
import {
  buildSecurityHeaders,
  isReadMethod,
  preflightResponse,
  type SecurityHeaders,
} from "../http/securityHeaders.ts";
import type { Log } from "../ops/log.ts";
import { StoreUnavailableError } from "../store/store.ts";
import { recordAuditEntry } from "./auditTrail.ts";
import { type Compression, NO_COMPRESSION, openCompression } from "./compression.ts";
import { ALLOWED_METHODS, lastResponses, rejectConnect, rejectMalformedRequest } from "./malformedRequests.ts";
import { respondNotFound } from "./notFound.ts";
import { openRequestMetrics, type RequestMetrics } from "./requestMetrics.ts";
import { type CachedResponse, openResponseCache, type ResponseCache } from "./responseCache.ts";
import { sendResponse } from "./responseSender.ts";
import { handleServicePath } from "./servicePaths.ts";

/** A server that accepts requests. */
export type HttpServer = {
  readonly url: string;
  /** Finishes the requests in flight, for `shutdownSeconds` at most. */
  readonly close: () => Promise<void>;
};

const KEEP_ALIVE_MS = 65_000;
const TIMEOUT_CHECK_MS = 30_000;

/** What all requests share. */
type ServerContext = {
  readonly service: ServicePorts;
  readonly log: Log;
  readonly rateLimit: RateLimit | undefined;
  readonly responseCache: ResponseCache;
  readonly securityHeaders: SecurityHeaders;
  readonly requests: RequestMetrics;
  readonly compression: Compression;
};

/** Starts to listen; rejects if the port cannot be opened. */
export async function listen(service: ServicePorts, log: Log): Promise<HttpServer> {
  const { host, port, limits, requestSecondsMax, shutdownSeconds } = service.config;
  const context: ServerContext = {
    service,
    log,
    rateLimit: limits.ratePerMinute > 0 ? openRateLimit(limits.ratePerMinute) : undefined,
    responseCache: openResponseCache(),
    securityHeaders: buildSecurityHeaders(service.config),
    compression: service.config.compresses ? openCompression() : NO_COMPRESSION,
    requests: openRequestMetrics(service.observability.metrics, service.dialects),
  };
  const onRequest = (request: IncomingMessage, serverResponse: ServerResponse) => {
    lastResponses.set(request.socket, serverResponse);
    void serveRequest(context, request, serverResponse);
  };
  const options = {
    requestTimeout: requestSecondsMax * 1000,
    connectionsCheckingInterval: Math.min(TIMEOUT_CHECK_MS, requestSecondsMax * 500),
    keepAliveTimeout: KEEP_ALIVE_MS,
    requireHostHeader: false,
    // Without this, reading the end of an empty body costs as much as a cached response.
    optimizeEmptyRequests: true,
  };
  const server = createServer(options, onRequest);
  server.on("checkExpectation", onRequest);
  server.on("checkContinue", (request: IncomingMessage, serverResponse: ServerResponse) => {
    // Asks for the body only when it is read, so a request that is refused by its headers sends none.
    request.once("resume", () => serverResponse.headersSent || serverResponse.writeContinue());
    onRequest(request, serverResponse);
  });
  const errorContextOf = (socket: Socket) => ({ origin: localOrigin(service, socket), zone: service.config.zone });
  server.on("clientError", (error, socket: Socket) =>
    rejectMalformedRequest(error, socket, log, errorContextOf(socket)),
  );
  server.on("connect", (_request, socket: Socket) => rejectConnect(socket, log, errorContextOf(socket)));
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host.replace(/^\[|\]$/g, ""), resolve);
  });
  // A server that listens on a port, not on a socket file, has an address with a port.
  const { port: boundPort } = server.address() as AddressInfo;
  return {
    url: `http://${urlHost(host)}:${boundPort}`,
    close: () => closeServer(server, shutdownSeconds * 1000),
  };
}

/** Cuts off connections that are still busy after `graceMs`, so that a stalled client cannot prevent the shutdown. */
function closeServer(server: Server, graceMs: number): Promise<void> {
  return new Promise((resolve) => {
    const idleTimer = setInterval(() => server.closeIdleConnections(), 50);
    const graceTimer = setTimeout(() => server.closeAllConnections(), graceMs);
    server.close(() => {
      clearInterval(idleTimer);
      clearTimeout(graceTimer);
      resolve();
    });
    server.closeIdleConnections();
  });
}

async function serveRequest(
  context: ServerContext,
  request: IncomingMessage,
  serverResponse: ServerResponse,
): Promise<void> {
  const { service, log, rateLimit, responseCache, requests } = context;
  const started = performance.now();
  const target = requestTargetOf(request.url ?? "/");
  const { path } = target;
  const quota =
    rateLimit && !HEALTH_PATH.test(path) ? rateLimit.take(rateLimitKeysOf(request, service.config)) : undefined;
  const trace: RequestTrace = {};
  let requestId = "";
  let result: CachedResponse | undefined;
  requests.begin();
  try {
    const cached = quota?.allowed === false ? undefined : responseCache.find(request);
    result = cached instanceof Promise ? await cached : cached;
    if (result) requestId = newRequestId();
    else {
      result =
        quota?.allowed === false
          ? { response: TOO_MANY_REQUESTS }
          : await respondUncached(context, request, target, trace);
      requestId = trace.requestId ?? requestIdOf(request, path, trace);
    }
  } catch (error) {
    if (isCutOff(request, error)) return requests.drop();
    result = { response: failureResponse(error, request, log, path, trace) };
    requestId = trace.requestId ?? "";
  }
  if (result.response.errors) result = { ...result, response: withErrors(result.response, service, request) };
  try {
    const sent = sendResponse(context, request, serverResponse, result, requestId, quota);
    if (sent) await sent;
  } catch (error) {
    if (!serverResponse.destroyed) serverResponse.destroy();
    if (!isClientGone(error)) log.error("sending failed", error, { requestId, path: pathForLog(path, trace) });
  }
  const ms = Math.round((performance.now() - started) * 1000) / 1000;
  recordRequest(context, { request, serverResponse, result, requestId, path, trace, ms });
}

type ServedRequest = {
  readonly request: IncomingMessage;
  readonly serverResponse: ServerResponse;
  readonly result: CachedResponse;
  readonly requestId: string;
  readonly path: string;
  readonly trace: RequestTrace;
  readonly ms: number;
};

/** Counts and logs a request that was answered. */
function recordRequest({ service, log, requests }: ServerContext, served: ServedRequest): void {
  const { request, serverResponse, result, requestId, path, trace, ms } = served;
  const { response, meter = requests.meterOf(path) } = result;
  const { method = "" } = request;
  const status = serverResponse.headersSent ? serverResponse.statusCode : response.status;
  requests.end(meter, method, response, status, ms);
  if (!service.config.logs.health && status < 400 && HEALTH_PATH.test(path)) return;
  log.request({ requestId, method, status, ms, ...callerForLog(request, path, trace, service.config) });
}

/** Handles a request that is not cached. Failed requests are recorded in the audit trail as well, because a part may be done. */
async function respondUncached(
  { service, log, responseCache, requests }: ServerContext,
  request: IncomingMessage,
  { path, query }: RequestTarget,
  trace: RequestTrace,
): Promise<CachedResponse> {
  let result: CachedResponse;
  try {
    const handled = await dispatch(service, request, path, query, trace);
    result = { ...withIgnoredAuthorization(handled, service, request, query), meter: requests.meterOf(path) };
    trace.account = result.account;
    trace.requestId = requestIdOf(request, path, trace);
    responseCache.store(request, result);
  } catch (error) {
    if (isCutOff(request, error)) throw error;
    trace.account = accountOf(request.headers.authorization, service.config.accounts);
    result = { response: failureResponse(error, request, log, path, trace) };
  }
  const { requestId = "" } = trace;
  const auditing = recordAuditEntry(service, log, request, {
    path,
    query,
    requestId,
    response: result.response,
    trace,
  });
  if (auditing) await auditing;
  return result;
}

/** Reads with an unknown key are answered like anonymous ones, as existing clients expect; the header says so. */
function withIgnoredAuthorization(
  result: RequestResult,
  { config }: ServicePorts,
  request: IncomingMessage,
  query: string,
): RequestResult {
  const ignored = isReadMethod(request.method) && ignoredCredentialsReason(request.headers, query, config.accounts);
  if (!ignored) return result;
  const { response } = result;
  if (response.usesCredentials) return result;
  return { ...result, response: { ...response, headers: { ...response.headers, "X-Ignored-Authorization": ignored } } };
}

function failureResponse(
  error: unknown,
  request: IncomingMessage,
  log: Log,
  path: string,
  trace: RequestTrace,
): HttpResponse {
  const requestId = trace.requestId ?? requestIdOf(request, path, trace);
  trace.requestId = requestId;
  log.error("request failed", error, { requestId, method: request.method, path: pathForLog(path, trace) });
  return error instanceof StoreUnavailableError || isFull(error) ? UNAVAILABLE : INTERNAL_ERROR(requestId);
}

/** Whether the client disconnected before it had sent its request. A request without a body has ended from the start. */
const isCutOff = ({ destroyed, complete, readableEnded }: IncomingMessage, error: unknown): boolean =>
  error instanceof RequestAborted || (destroyed && !complete && !readableEnded);

/** Whether the client disconnected before the end of the response, which is not an error of the service. */
const isClientGone = (error: unknown): boolean =>
  error instanceof Error && "code" in error && error.code === "ERR_STREAM_PREMATURE_CLOSE";

type RequestTarget = { readonly path: string; readonly query: string };

/** The path and the query. Some clients send an absolute URL, as to a proxy; its host is ignored. */
function requestTargetOf(url: string): RequestTarget {
  const rest = url.startsWith("/") ? url : url.replace(/^https?:\/\/[^/?]*/i, "");
  const target = rest === "" || rest.startsWith("?") ? `/${rest}` : rest;
  const queryAt = target.indexOf("?");
  return queryAt < 0
    ? { path: target, query: "" }
    : { path: target.slice(0, queryAt), query: target.slice(queryAt + 1) };
}

/** Health checks are not rate-limited. */
const HEALTH_PATH = /^(\/api\/[^/]+)?\/health$|^\/health\/(live|ready)$/;

const API_PREFIX = "/api/";
/** Shared by all requests without a query; it is never modified. */
const NO_QUERY = new URLSearchParams();

/** Checks that concern every request, and then the handler for its path. */
function dispatch(
  service: ServicePorts,
  request: IncomingMessage,
  path: string,
  query: string,
  trace: RequestTrace,
): Promise<RequestResult> | RequestResult {
  const { host, expect } = request.headers;
  const repeated = checkRepeatedHeaders(request);
  if (repeated) return { response: repeated };
  if (host === undefined && request.httpVersion === "1.1")
    return { response: MALFORMED_REQUEST("The Host header is missing") };
  if (expect !== undefined && expect.toLowerCase() !== "100-continue") return { response: EXPECTATION_FAILED };
  const preflight = preflightResponse(request, service.config.sandbox);
  if (preflight) return { response: preflight };
  if (path === "*" && request.method === "OPTIONS") return { response: OPTIONS_RESPONSE(ALLOWED_METHODS) };
  const origin = originOf(service, request);
  const segmentEnd = path.indexOf("/", API_PREFIX.length);
  const versionName = path.startsWith(API_PREFIX)
    ? path.slice(API_PREFIX.length, segmentEnd < 0 ? path.length : segmentEnd)
    : "";
  const segment = versionName === "" ? undefined : versionName;
  const rest = segment === undefined || segmentEnd < 0 ? undefined : path.slice(segmentEnd);
  const serviceResult = handleServicePath(service, request, origin, { segment, path: rest ?? path, query }, trace);
  if (serviceResult) return serviceResult;
  if (segment === undefined) return { response: respondNotFound(service, request, origin, path) };
  const searchParams = query === "" ? NO_QUERY : new URLSearchParams(query);
  return handleRequest(service, request, { segment, path: rest ?? "/", query: searchParams }, origin, trace);
}

const withErrors = (response: HttpResponse, service: ServicePorts, request: IncomingMessage): HttpResponse =>
  withErrorBody(response, { origin: originOf(service, request), zone: service.config.zone });
