import type { IncomingMessage } from "node:http";
import { handleRequest, type RequestResult, type RouteTarget } from "../api/pipeline.ts";
import { matchRoute } from "../api/router.ts";
import type { ServicePorts } from "../api/servicePorts.ts";
import { handleAuctionEntry } from "../auctions/auctionLogin.ts";
import { CURRENT_SEGMENT, dialectNamed, OLDEST } from "../dialects/dialects.ts";
import { BAD_CALLBACK, METHOD_NOT_ALLOWED, NOT_FOUND, UNAVAILABLE } from "../http/errorResponses.ts";
import type { RequestTrace } from "../http/requestTrace.ts";
import { callbackOf, isCallback, wantsPretty } from "../http/responseBody.ts";
import { type CachedBody, type HttpResponse, OPTIONS_RESPONSE, toCachedBody } from "../http/responses.ts";
import { isReadMethod } from "../http/securityHeaders.ts";
import { describeApi } from "../openapi/openapi.ts";
import { describeSpore } from "../openapi/spore.ts";
import { describeUnversionedApi } from "../openapi/unversionedOpenapi.ts";
import { handleDocs } from "../portal/docs/docsHandler.ts";
import { handlePortal } from "../portal/portalRoutes.ts";
import { showLiveness, showReadiness } from "./health.ts";
import { showMetrics } from "./showMetrics.ts";

type PageHandler = (
  service: ServicePorts,
  origin: string,
  segment: string,
  request: IncomingMessage,
) => Promise<HttpResponse> | HttpResponse;

const METRICS_PATH = "/metrics";

const UNVERSIONED_PAGES: { readonly [path: string]: PageHandler } = {
  "/health": showHealth,
  "/openapi.json": (service) => openapiResponse(service, "unversioned", describeUnversionedApi),
  "/health/live": showLiveness,
  "/health/ready": showReadiness,
  [METRICS_PATH]: (service, _origin, _segment, request) => showMetrics(service, request),
};

/** The pages of each version. They are called only for segments that have a dialect. */
const VERSION_PAGES: { readonly [path: string]: PageHandler } = {
  "/health": showHealth,
  "/spore": (service, origin, segment) => ({
    status: 200,
    json: JSON.stringify(describeSpore(dialectNamed(service.dialects, segment), origin)),
  }),
  "/openapi.json": (service, _origin, segment) =>
    openapiResponse(service, segment, () =>
      describeApi(dialectNamed(service.dialects, segment), dialectNamed(service.dialects, OLDEST)),
    ),
};

const descriptions = new WeakMap<ServicePorts, Map<string, CachedBody>>();

/** The API description of a version, which is built once. */
function openapiResponse(service: ServicePorts, name: string, describe: () => unknown): HttpResponse {
  const cached = descriptions.get(service) ?? new Map<string, CachedBody>();
  const json = cached.get(name) ?? toCachedBody(JSON.stringify(describe()));
  descriptions.set(service, cached.set(name, json));
  return { status: 200, json, isConstant: true };
}

/**
 * Handles paths outside the route table of a version: unversioned routes, the docs, and read-only pages such as /health. Undefined if
 * the path is none of these.
 */
export function handleServicePath(
  service: ServicePorts,
  request: IncomingMessage,
  origin: string,
  { segment, path, query }: { readonly segment: string | undefined; readonly path: string; readonly query: string },
  trace: RequestTrace,
): Promise<RequestResult> | RequestResult | undefined {
  if (segment !== undefined && !service.dialects.has(segment)) return undefined;
  if (segment === undefined && isUnversionedRoute(path, service)) {
    const target: RouteTarget = {
      segment: CURRENT_SEGMENT,
      path,
      query: new URLSearchParams(query),
      table: "unversioned",
    };
    return handleRequest(service, request, target, origin, trace);
  }
  const pages = segment === undefined ? UNVERSIONED_PAGES : VERSION_PAGES;
  const handler = Object.hasOwn(pages, path) ? pages[path] : undefined;
  const auctionEntry = segment === undefined ? handleAuctionEntry(service, request, origin, path, query) : undefined;
  if (auctionEntry) return withStyle(auctionEntry, NO_PARAMS);
  const portalPage = segment === undefined ? handlePortal(service, request, origin, path, query) : undefined;
  if (portalPage) return withStyle(portalPage, NO_PARAMS);
  const docsPage = segment === undefined ? handleDocs(service, request, origin, path) : undefined;
  if (docsPage) return { response: docsPage };
  if (!handler) return undefined;
  if (!isReadMethod(request.method)) return { response: respondToWrite(service, request, path) };
  return withStyle(handler(service, origin, segment ?? "", request), new URLSearchParams(query));
}

const NO_PARAMS = new URLSearchParams();

/** The response to any other method than GET and HEAD on a read-only page. */
function respondToWrite({ config }: ServicePorts, { method }: IncomingMessage, path: string): HttpResponse {
  if (path === METRICS_PATH && config.metrics === "off") return NOT_FOUND("path");
  return method === "OPTIONS" ? OPTIONS_RESPONSE("GET, HEAD") : METHOD_NOT_ALLOWED("GET, HEAD");
}

/** The routes below /sandbox/ do not exist in production. */
function isUnversionedRoute(path: string, { config, dialects }: ServicePorts): boolean {
  const isRoute = matchRoute(path, dialectNamed(dialects, CURRENT_SEGMENT), "unversioned") !== undefined;
  return isRoute && (config.sandbox || !path.startsWith("/sandbox/"));
}

/** Applies the formatting options of the query to a JSON response. */
async function withStyle(
  pending: Promise<HttpResponse> | HttpResponse,
  query: URLSearchParams,
): Promise<RequestResult> {
  const response = await pending;
  if (response.json === undefined && !response.errors) return { response };
  const callback = callbackOf(query);
  if (callback && !isCallback(callback)) return { response: BAD_CALLBACK };
  return { response, style: { pretty: wantsPretty(query), callback } };
}

/** Pings the store, so that "ok" means that tenders can be read and written. */
async function showHealth({ registry }: ServicePorts): Promise<HttpResponse> {
  try {
    await registry.ping();
    return { status: 200, json: '{"status":"ok"}' };
  } catch {
    return UNAVAILABLE;
  }
}
