import { formatInstant, type Instant, parseInstant, parseUnix, unixOf, type Zone } from "../domain/time.ts";
import type { FeedRow, Filter, Modes } from "../store/store.ts";
import { publicTender } from "../views/publicTender.ts";
import { type Exchange, lookingAt, type ViewPorts } from "./exchange.ts";
import { filterOf, type WrongParam, withPlus } from "./filters.ts";
import type { RegistryPort } from "./runCommand.ts";

/** What the feed and the streams have in common: which tenders are asked for, and how each is told of. */

/** Where every feed begins: before any change there can be. */
export const BEGINNING: Instant = 0;

const MODES: { readonly [mode: string]: Modes } = { test: "test", _all_: "all" };
const FEEDS = ["changes", "dateModified"];

export type Question = {
  readonly modes: Modes;
  readonly filter: Filter | undefined;
  /** Fields of the tender beside those that an entry has anyway. */
  readonly fields: readonly string[];
  /** What links to another page of the same repeat: only what was understood. */
  readonly echoed: readonly (readonly [string, string])[];
  /** Parameters whose values make no sense, in versions that take the default for them. */
  readonly ignored: readonly string[];
};

type Asking = Pick<Exchange<ViewPorts>, "query" | "dialect" | "ports">;
/** Who is told, in which words. */
export type EntryPorts = RegistryPort & ViewPorts;
export type Speaking = Pick<Exchange<EntryPorts>, "ports" | "dialect" | "root">;

export function questionOf({ query, dialect, ports }: Asking): Question | { readonly wrong: readonly WrongParam[] } {
  const read = filterOf(query, dialect, ports.config.zone);
  const senseless = senselessIn(query);
  const wrong = [
    ...("wrong" in read ? read.wrong : []),
    ...(dialect.manners.badParameters === "refused" ? senseless : []),
  ];
  if ("wrong" in read || wrong.length > 0) return { wrong };
  return {
    ignored: senseless.map(({ name }) => name),
    modes: modesAsked(query.get("mode"), read.filter),
    filter: read.filter,
    fields: fieldsOf(query.get("opt_fields")),
    echoed: [...echoedOf(query), ...read.echoed],
  };
}

/** Empty values mean absent; `descending` and `opt_pretty` take any value. */
function senselessIn(query: URLSearchParams): readonly WrongParam[] {
  const mode = query.get("mode");
  const feed = query.get("feed");
  return [
    ...(mode && !Object.hasOwn(MODES, mode) ? [{ name: "mode", description: oneOf(Object.keys(MODES)) }] : []),
    ...(feed && !FEEDS.includes(feed) ? [{ name: "feed", description: oneOf(FEEDS) }] : []),
  ];
}

const oneOf = (values: readonly string[]): string => `Value must be one of ${values.join(", ")}.`;

export const fieldsOf = (text: string | null | undefined): readonly string[] =>
  (text ?? "").split(",").filter((field) => field !== "");

/** Whoever names one tender means that one, whichever mode it is in. */
export const modesAsked = (mode: string | null | undefined, filter: Filter | undefined): Modes =>
  !mode && (filter?.tenderID ?? filter?.id) !== undefined ? "all" : modesOf(mode);

const modesOf = (mode: string | null | undefined): Modes =>
  mode && Object.hasOwn(MODES, mode) ? MODES[mode]! : "real";

function echoedOf(query: URLSearchParams): readonly (readonly [string, string])[] {
  const known: { readonly [name: string]: (value: string) => boolean } = {
    limit: () => true,
    opt_fields: () => true,
    feed: (value) => FEEDS.includes(value),
    mode: (value) => Object.hasOwn(MODES, value),
  };
  return Object.entries(known).flatMap(([name, isUsable]) => {
    const value = query.get(name);
    return value && isUsable(value) ? [[name, value] as const] : [];
  });
}

/** As newer systems of this protocol give them: unix seconds with a fraction, then a number and a hash of their own. */
const LONG_OFFSET = /^(\d{1,16}\.\d{1,16})\.\d{1,16}\.[0-9a-f]{1,128}$/i;

/**
 * Offsets of every version are understood: unix seconds, and times with or without a zone, also where `+` came as a space; and
 * those that a client saved while it followed another system.
 */
export function parseOffset(offset: string, zone: Zone): Instant | undefined {
  const unix = parseUnix(LONG_OFFSET.exec(offset)?.[1] ?? offset);
  if (unix !== undefined) return unix;
  const parsed = parseInstant(withPlus(offset), zone);
  return typeof parsed === "number" ? parsed : undefined;
}

/** A place in the feed, as this version writes it. */
export const offsetOf = (at: Instant, { dialect, ports }: Pick<Exchange<ViewPorts>, "dialect" | "ports">): string =>
  dialect.manners.offsets === "unix" ? unixOf(at) : formatInstant(at, ports.config.zone);

export type Entry = {
  readonly text: string;
  /** When what it shows had last changed, which may be after it was listed. */
  readonly dateModified: Instant;
};

/**
 * Whether it shows what was listed: what has changed since comes again in its new place, if it is still asked for. What is listed
 * but not known yet would never be told, if one went on.
 */
export function isAsListed({ dateModified }: Pick<Entry, "dateModified">, row: FeedRow): boolean {
  if (dateModified < row.dateModified) throw new Error(`a change at ${row.dateModified} is listed, but not known yet`);
  return dateModified === row.dateModified;
}

export type EntryOf = (row: FeedRow) => Entry | Promise<Entry>;

/** What an entry has anyway, and these fields besides. */
export const wantedIn = (
  { shapes }: Pick<Speaking["dialect"], "shapes">,
  fields: readonly string[],
): ReadonlySet<string> => new Set([...fields, ...Object.keys(shapes.Entry!)]);

/** Tells of rows of the feed in one version, with these fields. */
export function entriesFor({ ports, dialect, root }: Speaking, fields: readonly string[]): EntryOf {
  const plain = (row: FeedRow): Entry => ({
    text: dialect.write("Entry", row, root),
    dateModified: row.dateModified,
  });
  if (fields.length === 0) return plain;
  const wanted = wantedIn(dialect, fields);
  return async (row: FeedRow): Promise<Entry> => {
    const tender = await ports.registry.tender(row.id);
    if (!tender) return plain(row);
    const text = dialect.write(
      "Tender",
      publicTender(tender, lookingAt(ports, await ports.registry.nowFor(tender))),
      root,
      wanted,
    );
    return { text, dateModified: tender.dateModified };
  };
}
