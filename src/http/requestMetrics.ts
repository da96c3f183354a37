import { type Dialect, SEGMENTS } from "../dialects/dialects.ts";
import type { Answer } from "./answers.ts";
import { type Cell, type Metrics, SECONDS, type Timing } from "./metrics.ts";
import { match } from "./router.ts";

/** How many requests of each kind there were, and how long they took. */
export type RequestMetrics = {
  readonly begin: () => void;
  /** Where a path leads, as one of few: what clients make up is never a label. */
  readonly meterOf: (path: string) => Meter;
  readonly end: (meter: Meter, method: string, answer: Answer, status: number, ms: number) => void;
  /** It ended without an answer, as its client went away. */
  readonly drop: () => void;
};

/** What is counted of one route; its cells are found by number. */
export type Meter = { readonly route: string; readonly kind: Kind; readonly counts: Cell[] };

/** Reads of the API, a page of the feed, what stays open, what bids may be known by, and what is beside the API. */
type Kind = "read" | "feed" | "stream" | "bid" | "site";

const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];
const OTHER_METHOD = "other";
const STATUS_CLASSES = 6;

/** Beside the API: nothing is told but the first step of a path, and that there was more. */
const SITE = ["health", "metrics", "docs", "sandbox", "webhooks"];
const BESIDE_TENDERS = ["/health", "/spore", "/openapi.json"];
const UNKNOWN = "unknown";

export function openRequestMetrics(metrics: Metrics, dialects: ReadonlyMap<string, Dialect>): RequestMetrics {
  const labels = ["method", "route", "status"];
  const requests = metrics.counter("tenderhall_requests_total", "Requests that were answered", labels);
  const seconds = metrics.histogram(
    "tenderhall_request_seconds",
    "From the head of a request to the end of its answer, by kind of request",
    SECONDS,
    ["kind"],
  );
  const read = seconds.with("read");
  const meters = new Map<string, Meter>();
  let inFlight = 0;
  metrics.gauge("tenderhall_requests_in_flight", "Requests that are being answered", () => inFlight);

  function timingOf(kind: Kind, method: string, { stream }: Answer): Timing {
    if (kind === "read" && !stream && method === "GET") return read;
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
      const made: Meter = { route, kind: kindOf(route), counts: [] };
      meters.set(route, made);
      return made;
    },
    end({ route, kind, counts }, method, answer, status, ms) {
      inFlight -= 1;
      const statusClass = Math.floor(status / 100);
      const place = METHODS.indexOf(method) * STATUS_CLASSES + STATUS_CLASSES + statusClass;
      counts[place] ??= requests.with(METHODS.includes(method) ? method : OTHER_METHOD, route, `${statusClass}xx`);
      counts[place].add();
      timingOf(kind, method, answer).observe(ms / 1000);
    },
    drop: () => {
      inFlight -= 1;
    },
  };
}

/** What comes before the end of tendering with a sealed bid, or with a file that is or will be its document. */
const OF_BIDS = /^\/api\/\{version\}\/tenders\/\{tender_id\}\/bids|^\/(upload|register|get)\b/;

export const isOfBids = (route: string): boolean => OF_BIDS.test(route);

function kindOf(route: string): Kind {
  if (isOfBids(route)) return "bid";
  if (!route.startsWith("/api/{version}/tenders")) return "site";
  if (route === "/api/{version}/tenders") return "feed";
  return route.endsWith("/stream") ? "stream" : "read";
}

function routeOf(path: string, dialects: ReadonlyMap<string, Dialect>): string {
  if (path === "/") return path;
  const [, first = "", second] = path.split("/", 3);
  const newest = dialects.get(SEGMENTS.at(-1)!)!;
  const beside = match(path, newest, "site");
  if (beside) return beside.route;
  if (first !== "api") return SITE.includes(first) ? `/${first}${second === undefined ? "" : "/*"}` : UNKNOWN;
  const dialect = dialects.get(second ?? "");
  const rest = path.slice(`/api/${second}`.length);
  if (!dialect || rest === "") return UNKNOWN;
  if (BESIDE_TENDERS.includes(rest)) return `/api/{version}${rest}`;
  const matched = match(rest, dialect, "api");
  return matched ? `/api/{version}${matched.route}` : UNKNOWN;
}
