import type { Config } from "../config.ts";
import type { Instant } from "../domain/time.ts";
import type { FeedQuery, FeedRow } from "../store/store.ts";
import { type Answer, BAD_OFFSET, BAD_PARAMS, type KeptJson, keptJson } from "./answers.ts";
import {
  BEGINNING,
  type EntryPorts,
  entriesFor,
  fieldsOf,
  isAsListed,
  offsetOf,
  parseOffset,
  type Question,
  questionOf,
} from "./entries.ts";
import type { Exchange } from "./exchange.ts";
import { FILTER_NAMES } from "./filters.ts";
import { ignoredParametersHeader } from "./ignoredParameters.ts";
import { keptPages } from "./kept.ts";
import { pageLimitOf } from "./pageLimit.ts";

const ENTRIES_WITH_FIELDS_MAX = 100;

type FeedExchange = Exchange<EntryPorts & { readonly config: Pick<Config, "limits"> }>;
type Wish = FeedQuery & Question;

/** A page of the feed. Whoever follows `next_page` sees every tender that changed, in the order of change. */
export async function showFeed(exchange: FeedExchange): Promise<Answer> {
  const { ports, request, root } = exchange;
  const version = await ports.registry.catchUp();
  const pages = keptPages(ports.registry, version);
  const name = `${root} ${request.url}`;
  const kept = pages.get(name) as Answer | undefined;
  if (kept) return kept;
  const wish = wishOf(exchange);
  if ("status" in wish) return wish;
  const json = await pageOf(exchange, wish);
  // Pages with fields may be long, and what few ask for is not worth its memory.
  const headers = ignoredParametersHeader(exchange.query, UNDERSTOOD, wish.ignored);
  if (wish.fields.length > 0) return { status: 200, headers, json };
  const page: Answer = { status: 200, headers, json, isStill: () => ports.registry.isStillAt(version) };
  pages.set(name, page);
  return page;
}

const UNDERSTOOD = new Set([
  ...["offset", "limit", "descending", "mode", "feed"],
  ...["opt_fields", "opt_pretty", "opt_jsonp", "acc_token", ...FILTER_NAMES],
]);
async function pageOf(exchange: FeedExchange, wish: Wish): Promise<KeptJson> {
  const rows = await exchange.ports.registry.feed(wish);
  const links = JSON.stringify(linksOf(exchange, wish, rows));
  const entries = await Promise.all(rows.map(entriesFor(exchange, wish.fields)));
  // What has changed since may not meet the filter any more.
  const told = wish.filter ? entries.filter((entry, i) => isAsListed(entry, rows[i]!)) : entries;
  return keptJson(`{"data":[${told.map(({ text }) => text).join(",")}],${links.slice(1)}`);
}

function wishOf(exchange: FeedExchange): Wish | Answer {
  const { query, ports } = exchange;
  const { zone, limits } = ports.config;
  const offset = query.get("offset");
  const beyond = offset ? parseOffset(offset, zone) : undefined;
  if (offset && beyond === undefined) return BAD_OFFSET;
  const question = questionOf(exchange);
  const hasFields = fieldsOf(query.get("opt_fields")).length > 0;
  const max = hasFields ? Math.min(ENTRIES_WITH_FIELDS_MAX, limits.pageMax) : limits.pageMax;
  const limit = pageLimitOf(query, Math.min(limits.pageDefault, max), max, hasFields ? " with opt_fields" : "");
  const badLimit = limit.wrong ? [limit.wrong] : [];
  const wrong = exchange.dialect.manners.badParameters === "refused" ? badLimit : [];
  if ("wrong" in question) return BAD_PARAMS([...question.wrong, ...wrong]);
  if (wrong.length > 0) return BAD_PARAMS(wrong);
  return {
    ...question,
    ignored: [...question.ignored, ...badLimit.map(({ name }) => name)],
    descending: !!query.get("descending"),
    beyond,
    limit: limit.value,
  };
}

function linksOf(exchange: FeedExchange, wish: Wish, rows: readonly FeedRow[]) {
  const { descending, beyond, echoed } = wish;
  const last = rows.at(-1)?.dateModified ?? beyond ?? BEGINNING;
  const first = beyond ?? rows[0]?.dateModified ?? BEGINNING;
  const asked = exchange.query.get("offset") || descending;
  return {
    next_page: linkTo(exchange, last, echoed, descending),
    ...(asked && { prev_page: linkTo(exchange, first, echoed, !descending) }),
  };
}

function linkTo(exchange: FeedExchange, at: Instant, echoed: Question["echoed"], descending: boolean) {
  const { root } = exchange;
  const offset = offsetOf(at, exchange);
  const query = [["offset", offset] as const, ...echoed, ...(descending ? [["descending", "1"] as const] : [])]
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join("&");
  const path = `${root.replace(/^\w+:\/\/[^/]+/, "")}/tenders?${query}`;
  return { offset, path, uri: `${root}/tenders?${query}` };
}
