import { formatInstant, type Instant, parseInstant, parseUnix, unixOf, type Zone } from "../domain/time.ts";
import type { FeedQuery, FeedRow, Modes } from "../store/store.ts";
import { type Answer, BAD_OFFSET, type KeptJson, keptJson } from "./answers.ts";
import { type Exchange, lookingOf } from "./exchange.ts";
import { keptPages } from "./kept.ts";
import { publicTender } from "./tenders.ts";

/** Where a feed begins: before any change there can be. */
const BEGINNING: Instant = 0;
const ENTRIES_WITH_FIELDS_MAX = 100;

type Wish = FeedQuery & { readonly fields: readonly string[]; readonly echoed: readonly (readonly [string, string])[] };

/** A page of the feed. Whoever follows `next_page` sees every tender that changed, in the order of change. */
export async function showFeed(exchange: Exchange): Promise<Answer> {
  const { service, request, root } = exchange;
  const version = await service.registry.catchUp();
  const pages = keptPages(service.registry, version);
  const name = `${root} ${request.url}`;
  const kept = pages.get(name) as Answer | undefined;
  if (kept) return kept;
  const wish = wishOf(exchange.query, service.config.zone, service.config.limits);
  if (!wish) return BAD_OFFSET;
  const json = await pageOf(exchange, wish);
  // Pages with fields may be long, and what few ask for is not worth its memory.
  if (wish.fields.length > 0) return { status: 200, json };
  const page: Answer = { status: 200, json, isStill: () => service.registry.isStillAt(version) };
  pages.set(name, page);
  return page;
}

async function pageOf(exchange: Exchange, wish: Wish): Promise<KeptJson> {
  const rows = await exchange.service.registry.feed(wish);
  const links = JSON.stringify(linksOf(exchange, wish, rows));
  return keptJson(`{"data":[${(await entriesOf(exchange, rows, wish)).join(",")}],${links.slice(1)}`);
}

function wishOf(
  query: URLSearchParams,
  zone: Zone,
  limits: { pageDefault: number; pageMax: number },
): Wish | undefined {
  const offset = query.get("offset");
  const beyond = offset ? parseOffset(offset, zone) : undefined;
  if (offset && beyond === undefined) return undefined;
  const fields = fieldsOf(query.get("opt_fields"));
  const limit = query.get("limit") ?? "";
  const max = fields.length > 0 ? Math.min(ENTRIES_WITH_FIELDS_MAX, limits.pageMax) : limits.pageMax;
  const usable = /^\d{1,6}$/.test(limit) && Number(limit) >= 1 && Number(limit) <= max;
  return {
    modes: modesOf(query.get("mode")),
    descending: !!query.get("descending"),
    beyond,
    limit: usable ? Number(limit) : Math.min(limits.pageDefault, max),
    fields,
    echoed: echoedOf(query),
  };
}

export const fieldsOf = (text: string | null | undefined): readonly string[] =>
  (text ?? "").split(",").filter((field) => field !== "");

export function modesOf(mode: string | null | undefined): Modes {
  if (mode === "test") return "test";
  return mode === "_all_" ? "all" : "real";
}

/** What the links of a page repeat of the question: only what was understood. */
function echoedOf(query: URLSearchParams): readonly (readonly [string, string])[] {
  const known: { readonly [name: string]: (value: string) => boolean } = {
    limit: () => true,
    opt_fields: () => true,
    feed: (value) => value === "changes" || value === "dateModified",
    mode: (value) => value === "test" || value === "_all_",
  };
  return Object.entries(known).flatMap(([name, isUsable]) => {
    const value = query.get(name);
    return value && isUsable(value) ? [[name, value] as const] : [];
  });
}

/** Offsets of every version are understood: unix seconds, and times with or without a zone, also where `+` came as a space. */
export function parseOffset(offset: string, zone: Zone): Instant | undefined {
  const unix = parseUnix(offset);
  if (unix !== undefined) return unix;
  const parsed = parseInstant(offset.replace(/(?<=[T ]\d.*) (?=\d\d(:?\d\d)?$)/, "+"), zone);
  return typeof parsed === "number" ? parsed : undefined;
}

/** What an entry is written with: wherever it is sent, it is the same. */
export type Writing = Pick<Exchange, "dialect" | "root"> & {
  readonly service: Pick<Exchange["service"], "registry" | "config" | "clock">;
};

export async function entriesOf(
  { dialect, service, root }: Writing,
  rows: readonly FeedRow[],
  { fields }: Pick<Wish, "fields">,
): Promise<readonly string[]> {
  if (fields.length === 0) return rows.map((row) => dialect.write("Entry", row, root));
  const wanted = new Set([...fields, ...Object.keys(dialect.shapes.Entry!)]);
  return Promise.all(
    rows.map(async (row) => {
      const tender = await service.registry.tender(row.id);
      return tender
        ? dialect.write("Tender", publicTender(tender, lookingOf(service)), root, wanted)
        : dialect.write("Entry", row, root);
    }),
  );
}

function linksOf(exchange: Exchange, wish: Wish, rows: readonly FeedRow[]) {
  const { descending, beyond, echoed } = wish;
  const last = rows.at(-1)?.dateModified ?? beyond ?? BEGINNING;
  const first = beyond ?? rows[0]?.dateModified ?? BEGINNING;
  const asked = exchange.query.get("offset") || descending;
  return {
    next_page: linkTo(exchange, last, echoed, descending),
    ...(asked && { prev_page: linkTo(exchange, first, echoed, !descending) }),
  };
}

function linkTo(
  { root, service, dialect }: Exchange,
  at: Instant,
  echoed: readonly (readonly [string, string])[],
  descending: boolean,
) {
  const offset = dialect.manners.offsets === "unix" ? unixOf(at) : formatInstant(at, service.config.zone);
  const query = [["offset", offset] as const, ...echoed, ...(descending ? [["descending", "1"] as const] : [])]
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join("&");
  const path = `${root.replace(/^\w+:\/\/[^/]+/, "")}/tenders?${query}`;
  return { offset, path, uri: `${root}/tenders?${query}` };
}
