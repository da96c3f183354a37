import type { Dialect } from "../dialects/dialects.ts";
import { TENDER_STATUSES } from "../domain/model/tender.ts";
import { type Decimal, parseDecimal } from "../domain/values/decimal.ts";
import { parseRangeEnd } from "../domain/values/rangeEnds.ts";
import type { Zone } from "../domain/values/time.ts";
import { FILTERED_DATES, type Filter, type FilteredDate, type ValueRange } from "../store/store.ts";

/** The filters of the feed, of streams and of webhooks. */

const DATE_FILTERS: { readonly [name: string]: FilteredDate } = {
  dateModified: "dateModified",
  "enquiryPeriod.endDate": "enquiryEnd",
  "tenderPeriod.startDate": "tenderStart",
  "tenderPeriod.endDate": "tenderEnd",
};

type FilterContext = { readonly dialect: Dialect; readonly zone: Zone };
/** The part of the filter that a parameter adds, or the error text for an invalid value. */
type ParsedPart = Filter | string;

/** Well below the number of parameters that a database statement can take. */
const CODES_MAX = 100;

const FILTER_PARSERS: { readonly [name: string]: (value: string, context: FilterContext) => ParsedPart } = {
  status: (value, { dialect }) => {
    const unknown = splitList(value).filter((name) => dialect.statusesNamed(name).length === 0);
    if (unknown.length === 0) return { statuses: [...new Set(splitList(value).flatMap(dialect.statusesNamed))] };
    const known = [...new Set(TENDER_STATUSES.map(dialect.statusName))];
    return `No such status: ${unknown.join(", ")}. Statuses are ${known.join(", ")}.`;
  },
  procuringEntity: (value) => ({ entity: value }),
  classification: (value) => {
    const classifications = [...new Set(splitList(value))];
    return classifications.length > CODES_MAX ? `At most ${CODES_MAX} codes are allowed.` : { classifications };
  },
  value_min: (value) => parseAmount(value, (from) => ({ from })),
  value_max: (value) => parseAmount(value, (to) => ({ to })),
  currency: (value) => ({ currency: value }),
  tenderID: (value, { dialect }) =>
    dialect.behaviour.numbers === "id" ? { id: tenderIdIn(value) } : { tenderID: value },
  ...Object.fromEntries(
    Object.entries(DATE_FILTERS).flatMap(([name, date]) => [
      [`${name}_from`, (value: string, { zone }: FilterContext) => parseDateFilter(value, zone, date, "from")],
      [`${name}_to`, (value: string, { zone }: FilterContext) => parseDateFilter(value, zone, date, "to")],
    ]),
  ),
};

const FILTER_ENTRIES = Object.entries(FILTER_PARSERS);

/** The names of all filter parameters. */
export const FILTER_NAMES: readonly string[] = Object.keys(FILTER_PARSERS);

/** An invalid query parameter, with the error text. */
export type ParamProblem = { readonly name: string; readonly description: string };

export type FilterResult =
  | {
      /** Undefined if the query has no filter. */
      readonly filter: Filter | undefined;
      /** The filter parameters as they were sent, for links to other pages. */
      readonly echoed: readonly (readonly [string, string])[];
    }
  | { readonly problems: readonly ParamProblem[] };

/** Parses all filter parameters of a query. A parameter with an empty value counts as absent. */
export function parseFilter(query: URLSearchParams, dialect: Dialect, zone: Zone): FilterResult {
  const problems: ParamProblem[] = [];
  const echoed: (readonly [string, string])[] = [];
  let filter: Filter = {};
  for (const [name, parse] of FILTER_ENTRIES) {
    const value = query.get(name);
    if (!value || isEmptyList(name, value)) continue;
    const part = parse(value, { dialect, zone });
    if (typeof part === "string") problems.push({ name, description: part });
    else filter = mergeFilters(filter, part);
    echoed.push([name, value]);
  }
  if (problems.length > 0) return { problems };
  return { filter: echoed.length > 0 ? filter : undefined, echoed };
}

const splitList = (value: string): readonly string[] =>
  value
    .split(",")
    .map((code) => code.trim())
    .filter((code) => code !== "");

const isEmptyList = (name: string, value: string): boolean =>
  (name === "status" || name === "classification") && splitList(value).length === 0;

/** Merges ranges as well, because the two ends of a range come from different parameters. */
function mergeFilters(base: Filter, addition: Filter): Filter {
  const amount = base.amount && addition.amount ? { amount: { ...base.amount, ...addition.amount } } : {};
  const dates = { ...base.dates };
  for (const date of FILTERED_DATES) {
    const range = addition.dates?.[date];
    if (range) dates[date] = { ...dates[date], ...range };
  }
  return { ...base, ...addition, ...amount, ...((base.dates || addition.dates) && { dates }) };
}

function parseAmount(value: string, rangeOf: (amount: Decimal) => ValueRange<Decimal>): ParsedPart {
  const amount = parseDecimal(value);
  return amount === undefined ? "Value must be a number, such as 1000 or 0.5." : { amount: rangeOf(amount) };
}

const TENDER_NUMBER_PREFIX = "UA-";

/** The id in a tender number of versions that number tenders by their ids; empty, so that nothing matches, if it is not one. */
const tenderIdIn = (value: string): string =>
  value.startsWith(TENDER_NUMBER_PREFIX) ? value.slice(TENDER_NUMBER_PREFIX.length) : "";

function parseDateFilter(value: string, zone: Zone, date: FilteredDate, end: "from" | "to"): ParsedPart {
  const at = parseRangeEnd(value, zone, end);
  return at === undefined
    ? "Value must be a date or time, such as 2026-11-15 or 2026-11-15T10:00:00+02:00."
    : { dates: { [date]: { [end]: at } } };
}
