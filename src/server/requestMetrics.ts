import { matchRoute } from "../api/router.ts";
import { CURRENT_SEGMENT, type Dialect } from "../dialects/dialects.ts";
import type { HttpResponse } from "../http/responses.ts";
import { type Counter, DURATION_BUCKETS, type Histogram, type Metrics } from "../ops/metrics.ts";
import { languagePrefixOf } from "../portal/layout/languages.ts";

/** Counts and durations of requests. */
export type RequestMetrics = {
  readonly begin: () => void;
  /** The meter of a path's route. Paths that clients make up share one route, so the number of labels is bounded. */
  readonly meterOf: (path: string) => RouteMeter;
  readonly end: (meter: RouteMeter, method: string, response: HttpResponse, status: number, ms: number) => void;
  /** The request ended without a response, because the client disconnected. */
  readonly drop: () => void;
};

/** The counters of a route, indexed by method and status class: a lookup by labels for each request would cost more. */
export type RouteMeter = { readonly route: string; readonly kind: RequestKind; readonly counts: Counter[] };

/**
 * Label values of `kind`: other reads of the API, feed pages, streams, requests that may concern bids, and `site` for everything outside
 * the API versions. Writes and downloads have their own values.
 */
type RequestKind = "read" | "feed" | "stream" | "bid" | "site";

const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];
const OTHER_METHOD = "other";
const STATUS_CLASSES = 6;

/** Outside the API versions, the route label has only the first segment of a path. */
const UNVERSIONED_PREFIXES = [
  ...["health", "metrics", "docs", "sandbox", "webhooks", "assets", "auctions", "tenders", "buyers", "suppliers"],
  ...["calendar", "statistics", "data", "about", "accessibility", "privacy", "status"],
  ...["sitemap", "robots", "opensearch"],
];
const SERVICE_PATHS = ["/health", "/spore", "/openapi.json"];
const UNKNOWN_ROUTE = "unknown";

export function openRequestMetrics(metrics: Metrics, dialects: ReadonlyMap<string, Dialect>): RequestMetrics {
  const labels = ["method", "route", "status"];
  const requests = metrics.counter("tenderhall_requests_total", "Requests that were answered", labels);
  const seconds = metrics.histogram(
    "tenderhall_request_seconds",
    "Time from the headers of a request to the end of its response, by kind of request",
    DURATION_BUCKETS,
    ["kind"],
  );
  const readHistogram = seconds.with("read");
  const meters = new Map<string, RouteMeter>();
  let inFlight = 0;
  metrics.gauge("tenderhall_requests_in_flight", "Requests in flight", () => inFlight);

  function histogramOf(kind: RequestKind, method: string, { stream }: HttpResponse): Histogram {
    if (kind === "read" && !stream && method === "GET") return readHistogram;
    if (kind === "stream" || kind === "bid" || kind === "site") return seconds.with(kind);
    if (method !== "GET" && method !== "HEAD") return seconds.with("write");
    return seconds.with(stream ? "download" : kind);
  }

  return {
    begin: () => {
      inFlight += 1;
    },
    meterOf(path) {
      const route = routeOf(path, dialects);
      const known = meters.get(route);
      if (known) return known;
      const meter: RouteMeter = { route, kind: kindOf(route), counts: [] };
      meters.set(route, meter);
      return meter;
    },
    end({ route, kind, counts }, method, response, status, ms) {
      inFlight -= 1;
      const statusClass = Math.floor(status / 100);
      const index = METHODS.indexOf(method) * STATUS_CLASSES + STATUS_CLASSES + statusClass;
      counts[index] ??= requests.with(METHODS.includes(method) ? method : OTHER_METHOD, route, `${statusClass}xx`);
      counts[index].add();
      histogramOf(kind, method, response).observe(ms / 1000);
    },
    drop: () => {
      inFlight -= 1;
    },
  };
}

/** Routes of bids and of their prices in auctions, and of uploads and downloads, which may be documents of bids. */
const BID_ROUTE =
  /^\/api\/\{version\}\/(tenders\/\{tender_id\}\/bids|auctions\/\{auction_id\}\/(bids|links))|^\/auctions\/\{auction_id\}\/|^\/(upload|register|get)\b/;

/** The addresses of the auction pages that only bidders use, in any language. */
const BIDDER_PAGE = /^(?:\/[a-z]{2})?\/auctions\/[^/]+\/(bids|login)$/;

/** Whether requests of this route may reveal that somebody bids. */
export const isBidRoute = (route: string): boolean => BID_ROUTE.test(route);

function kindOf(route: string): RequestKind {
  if (isBidRoute(route)) return "bid";
  if (route.endsWith("/events")) return "stream";
  if (!route.startsWith("/api/{version}/tenders") && !route.startsWith("/api/{version}/auctions")) return "site";
  if (route === "/api/{version}/tenders") return "feed";
  return route.endsWith("/stream") ? "stream" : "read";
}

function routeOf(path: string, dialects: ReadonlyMap<string, Dialect>): string {
  if (path === "/") return path;
  const [, first, second] = path.split("/", 3);
  const newest = dialects.get(CURRENT_SEGMENT);
  const unversioned = newest && matchRoute(path, newest, "unversioned");
  if (unversioned) return unversioned.route;
  const [, bidderPage] = BIDDER_PAGE.exec(path) ?? [];
  if (bidderPage !== undefined) return `/auctions/{auction_id}/${bidderPage}`;
  if (first !== "api") return siteRouteOf(languagePrefixOf(path)?.path ?? path);
  const dialect = dialects.get(second ?? "");
  const rest = path.slice(`/api/${second}`.length);
  if (!dialect || rest === "") return UNKNOWN_ROUTE;
  if (SERVICE_PATHS.includes(rest)) return `/api/{version}${rest}`;
  const matched = matchRoute(rest, dialect, "api");
  return matched ? `/api/{version}${matched.route}` : UNKNOWN_ROUTE;
}

/** The route of a page. All languages share it, and so do the forms of a page, such as `/tenders.csv`. */
function siteRouteOf(path: string): string {
  if (path === "/") return path;
  const [, first = "", second] = path.split("/", 3);
  // The parts of the sitemap are numbered.
  const section = first.replace(/\..*$|-\d.*$/, "");
  return UNVERSIONED_PREFIXES.includes(section) ? `/${section}${second === undefined ? "" : "/*"}` : UNKNOWN_ROUTE;
}
