import { restorePlus } from "../domain/values/rangeEnds.ts";
import { formatInstant, formatUnix, type Instant, parseInstant, parseUnix, type Zone } from "../domain/values/time.ts";
import { type Exchange, type ViewPorts, viewContextAt } from "../http/exchange.ts";
import type { RegistryPort } from "../http/runCommand.ts";
import type { FeedRow, Filter, Modes } from "../store/store.ts";
import { publicTender } from "../views/publicTender.ts";
import { type ParamProblem, parseFilter } from "./filters.ts";

/** What feed pages, streams and webhooks share: the selection of tenders, offsets, and the rendering of entries. */

/** The offset before all changes. */
export const FEED_START: Instant = 0;

const MODES: { readonly [mode: string]: Modes } = { test: "test", _all_: "all" };
const FEED_NAMES = ["changes", "dateModified"];

/** Which tenders a client selects, and with which fields. */
export type FeedSelection = {
  readonly modes: Modes;
  readonly filter: Filter | undefined;
  /** Fields of the tender in addition to those that every entry has. */
  readonly fields: readonly string[];
  /** The valid parameters, which links to other pages repeat. */
  readonly echoed: readonly (readonly [string, string])[];
  /** Parameters with invalid values, in versions that use the default instead of refusing them. */
  readonly ignoredParams: readonly string[];
};

type SelectionContext = Pick<Exchange<ViewPorts>, "query" | "dialect" | "ports">;
export type EntryPorts = RegistryPort & ViewPorts;

/** What the rendering of entries depends on besides the tender: the API version and the URL for links. */
export type VersionContext = Pick<Exchange<EntryPorts>, "ports" | "dialect" | "root">;

/** Parses the selection parameters of a feed page or a stream. */
export function parseFeedSelection({
  query,
  dialect,
  ports,
}: SelectionContext): FeedSelection | { readonly problems: readonly ParamProblem[] } {
  const parsedFilter = parseFilter(query, dialect, ports.config.zone);
  const invalidParams = invalidParamsIn(query);
  const problems = [
    ...("problems" in parsedFilter ? parsedFilter.problems : []),
    ...(dialect.behaviour.badParameters === "refused" ? invalidParams : []),
  ];
  if ("problems" in parsedFilter || problems.length > 0) return { problems };
  return {
    ignoredParams: invalidParams.map(({ name }) => name),
    modes: requestedModes(query.get("mode"), parsedFilter.filter),
    filter: parsedFilter.filter,
    fields: parseOptFields(query.get("opt_fields")),
    echoed: [...echoedParams(query), ...parsedFilter.echoed],
  };
}

/** An empty value counts as absent; `descending` and `opt_pretty` take any value. */
function invalidParamsIn(query: URLSearchParams): readonly ParamProblem[] {
  const mode = query.get("mode");
  const feed = query.get("feed");
  return [
    ...(mode && !Object.hasOwn(MODES, mode) ? [{ name: "mode", description: mustBeOneOf(Object.keys(MODES)) }] : []),
    ...(feed && !FEED_NAMES.includes(feed) ? [{ name: "feed", description: mustBeOneOf(FEED_NAMES) }] : []),
  ];
}

const mustBeOneOf = (values: readonly string[]): string => `Value must be one of ${values.join(", ")}.`;

/** The names in `opt_fields`, separated by commas. */
export const parseOptFields = (text: string | null | undefined): readonly string[] =>
  (text ?? "").split(",").filter((field) => field !== "");

/** The modes of the tenders to list. A filter for a single tender finds it in any mode, unless `mode` is set. */
export const requestedModes = (mode: string | null | undefined, filter: Filter | undefined): Modes =>
  !mode && (filter?.tenderID ?? filter?.id) !== undefined ? "all" : parseModes(mode);

const parseModes = (mode: string | null | undefined): Modes =>
  (mode && Object.hasOwn(MODES, mode) ? MODES[mode] : undefined) ?? "real";

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

/** An offset of newer systems with this protocol: Unix seconds with a fraction, then a number and a hash that are ignored here. */
const LONG_OFFSET = /^(\d{1,16}\.\d{1,16})\.\d{1,16}\.[0-9a-f]{1,128}$/i;

/**
 * The position of an offset; undefined if it is invalid. Accepts the offsets of all versions (Unix seconds, and times with or without
 * a zone, also if `+` arrived as a space) and those that a client has saved from another system.
 */
export function parseOffset(offset: string, zone: Zone): Instant | undefined {
  const unix = parseUnix(LONG_OFFSET.exec(offset)?.[1] ?? offset);
  if (unix !== undefined) return unix;
  const parsed = parseInstant(restorePlus(offset), zone);
  return typeof parsed === "number" ? parsed : undefined;
}

/** The offset of a position, in the format of the client's version. */
export const formatOffset = (
  at: Instant,
  { dialect, ports }: Pick<Exchange<ViewPorts>, "dialect" | "ports">,
): string => (dialect.behaviour.offsets === "unix" ? formatUnix(at) : formatInstant(at, ports.config.zone));

/** A rendered entry of the feed. */
export type FeedEntry = {
  readonly text: string;
  /** The last change of the state that is shown, which may be later than that of the row. */
  readonly dateModified: Instant;
};

/**
 * Whether an entry shows the state of its row. If the tender has changed since, it comes again at its new position if it still matches.
 * Throws if the entry is older than its row: to continue would skip that change forever.
 */
export function isAsListed({ dateModified }: Pick<FeedEntry, "dateModified">, row: FeedRow): boolean {
  if (dateModified < row.dateModified)
    throw new Error(`the feed lists a change at ${row.dateModified}, but the tender read is older (${dateModified})`);
  return dateModified === row.dateModified;
}

/** Renders a row of the feed; not a promise if the row alone is enough. */
export type RenderEntry = (row: FeedRow) => FeedEntry | Promise<FeedEntry>;

/** The names of the fields of an entry with these additional fields. */
export const entryFieldNames = (
  { shapes }: Pick<VersionContext["dialect"], "shapes">,
  fields: readonly string[],
): ReadonlySet<string> => new Set([...fields, ...Object.keys(shapes.Entry ?? {})]);

/** Renders entries for one API version with these additional fields, for which it has to read each tender. */
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
