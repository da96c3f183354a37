import { formatInstant, formatUnix, type Instant, parseInstant, parseUnix, type Zone } from "../domain/values/time.ts";
import { type Exchange, type ViewPorts, viewContextAt } from "../http/exchange.ts";
import type { RegistryPort } from "../http/runCommand.ts";
import type { FeedRow, Filter, Modes } from "../store/store.ts";
import { publicTender } from "../views/publicTender.ts";
import { type ParamProblem, parseFilter, restorePlus } from "./filters.ts";

/** What the feed and the streams have in common: which tenders are asked for, and how each is told of. */

/** Where every feed begins: before any change there can be. */
export const FEED_START: Instant = 0;

const MODES: { readonly [mode: string]: Modes } = { test: "test", _all_: "all" };
const FEED_NAMES = ["changes", "dateModified"];

export type FeedSelection = {
  readonly modes: Modes;
  readonly filter: Filter | undefined;
  /** Fields of the tender beside those that an entry has anyway. */
  readonly fields: readonly string[];
  /** What links to another page of the same repeat: only what was understood. */
  readonly echoed: readonly (readonly [string, string])[];
  /** Parameters whose values make no sense, in versions that take the default for them. */
  readonly ignoredParams: readonly string[];
};

type SelectionContext = Pick<Exchange<ViewPorts>, "query" | "dialect" | "ports">;
/** Who is told, in which words. */
export type EntryPorts = RegistryPort & ViewPorts;
export type VersionContext = Pick<Exchange<EntryPorts>, "ports" | "dialect" | "root">;

export function parseFeedSelection({
  query,
  dialect,
  ports,
}: SelectionContext): FeedSelection | { readonly wrong: readonly ParamProblem[] } {
  const parsedFilter = parseFilter(query, dialect, ports.config.zone);
  const invalidParams = invalidParamsIn(query);
  const problems = [
    ...("wrong" in parsedFilter ? parsedFilter.wrong : []),
    ...(dialect.behaviour.badParameters === "refused" ? invalidParams : []),
  ];
  if ("wrong" in parsedFilter || problems.length > 0) return { wrong: problems };
  return {
    ignoredParams: invalidParams.map(({ name }) => name),
    modes: requestedModes(query.get("mode"), parsedFilter.filter),
    filter: parsedFilter.filter,
    fields: parseOptFields(query.get("opt_fields")),
    echoed: [...echoedParams(query), ...parsedFilter.echoed],
  };
}

/** Empty values mean absent; `descending` and `opt_pretty` take any value. */
function invalidParamsIn(query: URLSearchParams): readonly ParamProblem[] {
  const mode = query.get("mode");
  const feed = query.get("feed");
  return [
    ...(mode && !Object.hasOwn(MODES, mode) ? [{ name: "mode", description: mustBeOneOf(Object.keys(MODES)) }] : []),
    ...(feed && !FEED_NAMES.includes(feed) ? [{ name: "feed", description: mustBeOneOf(FEED_NAMES) }] : []),
  ];
}

const mustBeOneOf = (values: readonly string[]): string => `Value must be one of ${values.join(", ")}.`;

export const parseOptFields = (text: string | null | undefined): readonly string[] =>
  (text ?? "").split(",").filter((field) => field !== "");

/** Whoever names one tender means that one, whichever mode it is in. */
export const requestedModes = (mode: string | null | undefined, filter: Filter | undefined): Modes =>
  !mode && (filter?.tenderID ?? filter?.id) !== undefined ? "all" : parseModes(mode);

const parseModes = (mode: string | null | undefined): Modes =>
  mode && Object.hasOwn(MODES, mode) ? MODES[mode]! : "real";

function echoedParams(query: URLSearchParams): readonly (readonly [string, string])[] {
  const known: { readonly [name: string]: (value: string) => boolean } = {
    limit: () => true,
    opt_fields: () => true,
    feed: (value) => FEED_NAMES.includes(value),
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
  const parsed = parseInstant(restorePlus(offset), zone);
  return typeof parsed === "number" ? parsed : undefined;
}

/** A place in the feed, as this version writes it. */
export const formatOffset = (
  at: Instant,
  { dialect, ports }: Pick<Exchange<ViewPorts>, "dialect" | "ports">,
): string => (dialect.behaviour.offsets === "unix" ? formatUnix(at) : formatInstant(at, ports.config.zone));

export type FeedEntry = {
  readonly text: string;
  /** When what it shows had last changed, which may be after it was listed. */
  readonly dateModified: Instant;
};

/**
 * Whether it shows what was listed: what has changed since comes again in its new place, if it is still asked for. What is listed
 * but not known yet would never be told, if one went on.
 */
export function isAsListed({ dateModified }: Pick<FeedEntry, "dateModified">, row: FeedRow): boolean {
  if (dateModified < row.dateModified) throw new Error(`a change at ${row.dateModified} is listed, but not known yet`);
  return dateModified === row.dateModified;
}

export type RenderEntry = (row: FeedRow) => FeedEntry | Promise<FeedEntry>;

/** What an entry has anyway, and these fields besides. */
export const entryFieldNames = (
  { shapes }: Pick<VersionContext["dialect"], "shapes">,
  fields: readonly string[],
): ReadonlySet<string> => new Set([...fields, ...Object.keys(shapes.Entry!)]);

/** Tells of rows of the feed in one version, with these fields. */
export function entryRenderer({ ports, dialect, root }: VersionContext, fields: readonly string[]): RenderEntry {
  const renderRow = (row: FeedRow): FeedEntry => ({
    text: dialect.write("Entry", row, root),
    dateModified: row.dateModified,
  });
  if (fields.length === 0) return renderRow;
  const fieldNames = entryFieldNames(dialect, fields);
  return async (row: FeedRow): Promise<FeedEntry> => {
    const tender = await ports.registry.tender(row.id);
    if (!tender) return renderRow(row);
    const text = dialect.write(
      "Tender",
      publicTender(tender, viewContextAt(ports, await ports.registry.nowFor(tender))),
      root,
      fieldNames,
    );
    return { text, dateModified: tender.dateModified };
  };
}
