import type { Config } from "../config/config.ts";
import type { Instant } from "../domain/values/time.ts";
import { BAD_OFFSET, BAD_PARAMS } from "../http/errorResponses.ts";
import type { Exchange } from "../http/exchange.ts";
import { ignoredParametersHeader } from "../http/ignoredParameters.ts";
import { openVersionedCache } from "../http/renderedCache.ts";
import { type CachedBody, type HttpResponse, toCachedBody } from "../http/responses.ts";
import type { FeedQuery, FeedRow } from "../store/store.ts";
import {
  type EntryPorts,
  entryRenderer,
  FEED_START,
  type FeedSelection,
  formatOffset,
  isAsListed,
  parseFeedSelection,
  parseOffset,
  parseOptFields,
} from "./feedEntries.ts";
import { FILTER_NAMES } from "./filters.ts";
import { pageLimitOf } from "./pageLimit.ts";

const ENTRIES_WITH_FIELDS_MAX = 100;

type FeedExchange = Exchange<EntryPorts & { readonly config: Pick<Config, "limits"> }>;
type FeedPageQuery = FeedQuery & FeedSelection;

const cachedPages = openVersionedCache<HttpResponse>();

/** A page of the feed. A client that follows `next_page` gets every tender that has changed, in the order of the changes. */
export async function showFeed(exchange: FeedExchange): Promise<HttpResponse> {
  const { ports, request, root } = exchange;
  const version = await ports.registry.catchUp();
  const pages = cachedPages(ports.registry, version);
  const cacheKey = `${root} ${request.url}`;
  const cachedPage = pages.get(cacheKey);
  if (cachedPage) return cachedPage;
  const pageQuery = parsePageQuery(exchange);
  if ("status" in pageQuery) return pageQuery;
  const json = await renderPage(exchange, pageQuery);
  const headers = ignoredParametersHeader(exchange.query, KNOWN_PARAMS, pageQuery.ignoredParams);
  // Pages with extra fields can be large and few clients request the same ones, so they are not cached.
  if (pageQuery.fields.length > 0) return { status: 200, headers, json };
  const page: HttpResponse = { status: 200, headers, json, isFresh: () => ports.registry.isFreshAt(version) };
  pages.set(cacheKey, page);
  return page;
}

const KNOWN_PARAMS = new Set([
  ...["offset", "limit", "descending", "mode", "feed"],
  ...["opt_fields", "opt_pretty", "opt_jsonp", "acc_token", ...FILTER_NAMES],
]);

async function renderPage(exchange: FeedExchange, pageQuery: FeedPageQuery): Promise<CachedBody> {
  const rows = await exchange.ports.registry.feed(pageQuery);
  const links = JSON.stringify(pageLinks(exchange, pageQuery, rows));
  const entries = await Promise.all(rows.map(entryRenderer(exchange, pageQuery.fields)));
  // A tender that has changed since the query may no longer match the filter. `entries` and `rows` have the same indexes.
  const currentEntries = pageQuery.filter ? entries.filter((entry, i) => isAsListed(entry, rows[i]!)) : entries;
  return toCachedBody(`{"data":[${currentEntries.map(({ text }) => text).join(",")}],${links.slice(1)}`);
}

function parsePageQuery(exchange: FeedExchange): FeedPageQuery | HttpResponse {
  const { query, ports } = exchange;
  const { zone, limits } = ports.config;
  const offset = query.get("offset");
  const beyond = offset ? parseOffset(offset, zone) : undefined;
  if (offset && beyond === undefined) return BAD_OFFSET;
  const selection = parseFeedSelection(exchange);
  const hasFields = parseOptFields(query.get("opt_fields")).length > 0;
  const max = hasFields ? Math.min(ENTRIES_WITH_FIELDS_MAX, limits.pageMax) : limits.pageMax;
  const limit = pageLimitOf(query, Math.min(limits.pageDefault, max), max, hasFields ? " with opt_fields" : "");
  const badLimit = limit.problem ? [limit.problem] : [];
  const limitProblems = exchange.dialect.behaviour.badParameters === "refused" ? badLimit : [];
  if ("problems" in selection) return BAD_PARAMS([...selection.problems, ...limitProblems]);
  if (limitProblems.length > 0) return BAD_PARAMS(limitProblems);
  return {
    ...selection,
    ignoredParams: [...selection.ignoredParams, ...badLimit.map(({ name }) => name)],
    descending: Boolean(query.get("descending")),
    beyond,
    limit: limit.value,
  };
}

function pageLinks(exchange: FeedExchange, pageQuery: FeedPageQuery, rows: readonly FeedRow[]) {
  const { descending, beyond, echoed } = pageQuery;
  const last = rows.at(-1)?.dateModified ?? beyond ?? FEED_START;
  const first = beyond ?? rows[0]?.dateModified ?? FEED_START;
  const hasPrevious = exchange.query.get("offset") || descending;
  return {
    next_page: pageLink(exchange, last, echoed, descending),
    ...(hasPrevious && { prev_page: pageLink(exchange, first, echoed, !descending) }),
  };
}

function pageLink(exchange: FeedExchange, at: Instant, echoed: FeedSelection["echoed"], descending: boolean) {
  const { root } = exchange;
  const offset = formatOffset(at, exchange);
  const query = [["offset", offset] as const, ...echoed, ...(descending ? [["descending", "1"] as const] : [])]
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join("&");
  const path = `${root.replace(/^\w+:\/\/[^/]+/, "")}/tenders?${query}`;
  return { offset, path, uri: `${root}/tenders?${query}` };
}
