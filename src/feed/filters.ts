import type { Dialect } from "../dialects/dialects.ts";
import { TENDER_STATUSES } from "../domain/model/tender.ts";
import { type Decimal, parseDecimal } from "../domain/values/decimal.ts";
import { type Instant, parseInstant, type Zone } from "../domain/values/time.ts";
import type { Filter, FilteredDate, ValueRange } from "../store/store.ts";

/** What tenders can be asked for by, the same for the feed, for streams and for whoever is told of changes. */

const DATE_FILTERS: { readonly [name: string]: FilteredDate } = {
  dateModified: "dateModified",
  "enquiryPeriod.endDate": "enquiryEnd",
  "tenderPeriod.startDate": "tenderStart",
  "tenderPeriod.endDate": "tenderEnd",
};

type FilterContext = { readonly dialect: Dialect; readonly zone: Zone };
/** A part of the filter, or what is wrong with the value. */
type ParsedPart = Filter | string;

/** More than anyone asks for, and fewer than a database takes. */
const CODES_MAX = 100;

const FILTER_PARSERS: { readonly [name: string]: (value: string, speaking: FilterContext) => ParsedPart } = {
  status: (value, { dialect }) => {
    const unknown = splitList(value).filter((name) => dialect.statusesNamed(name).length === 0);
    if (unknown.length === 0) return { statuses: [...new Set(splitList(value).flatMap(dialect.statusesNamed))] };
    const known = [...new Set(TENDER_STATUSES.map(dialect.statusName))];
    return `No such status: ${unknown.join(", ")}. Statuses are ${known.join(", ")}.`;
  },
  procuringEntity: (value) => ({ entity: value }),
  classification: (value) => {
    const classifications = [...new Set(splitList(value))];
    return classifications.length > CODES_MAX ? `Not more than ${CODES_MAX} codes at once.` : { classifications };
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

export const FILTER_NAMES: readonly string[] = Object.keys(FILTER_PARSERS);

export type ParamProblem = { readonly name: string; readonly description: string };
export type FilterResult =
  | {
      /** None, where nothing was asked for. */
      readonly filter: Filter | undefined;
      /** What was asked for, in the words of whoever asked. */
      readonly echoed: readonly (readonly [string, string])[];
    }
  | { readonly wrong: readonly ParamProblem[] };

/** An empty value is the same as none. */
export function parseFilter(query: URLSearchParams, dialect: Dialect, zone: Zone): FilterResult {
  const problems: ParamProblem[] = [];
  const echoed: (readonly [string, string])[] = [];
  let filter: Filter = {};
  for (const name of FILTER_NAMES) {
    const value = query.get(name);
    if (!value || isEmptyList(name, value)) continue;
    const part = FILTER_PARSERS[name]!(value, { dialect, zone });
    if (typeof part === "string") problems.push({ name, description: part });
    else filter = mergeFilters(filter, part);
    echoed.push([name, value]);
  }
  if (problems.length > 0) return { wrong: problems };
  return { filter: echoed.length > 0 ? filter : undefined, echoed };
}

const splitList = (value: string): readonly string[] =>
  value
    .split(",")
    .map((code) => code.trim())
    .filter((code) => code !== "");

const isEmptyList = (name: string, value: string): boolean =>
  (name === "status" || name === "classification") && splitList(value).length === 0;

/** Both ends of a range come by names of their own. */
function mergeFilters(base: Filter, addition: Filter): Filter {
  const amount = base.amount && addition.amount ? { amount: { ...base.amount, ...addition.amount } } : {};
  const dates = { ...base.dates };
  for (const name in addition.dates) {
    const date = name as FilteredDate;
    dates[date] = { ...dates[date], ...addition.dates[date] };
  }
  return { ...base, ...addition, ...amount, ...((base.dates || addition.dates) && { dates }) };
}

function parseAmount(value: string, rangeOf: (amount: Decimal) => ValueRange<Decimal>): ParsedPart {
  const amount = parseDecimal(value);
  return amount === undefined ? "A number is needed, such as 1000 or 0.5." : { amount: rangeOf(amount) };
}

const TENDER_NUMBER_PREFIX = "UA-";

/** Where a tender is numbered by its id; what is no such number is the number of none. */
const tenderIdIn = (value: string): string =>
  value.startsWith(TENDER_NUMBER_PREFIX) ? value.slice(TENDER_NUMBER_PREFIX.length) : "";

function parseDateFilter(value: string, zone: Zone, date: FilteredDate, end: "from" | "to"): ParsedPart {
  const at = parseMoment(value, zone, end);
  return at === undefined
    ? "A time is needed, such as 2026-11-15 or 2026-11-15T10:00:00+02:00."
    : { dates: { [date]: { [end]: at } } };
}

const BARE_DATE = /^(\d{4})-?(\d\d)-?(\d\d)$/;

/** A day is meant from its first to its last microsecond. */
function parseMoment(value: string, zone: Zone, end: "from" | "to"): Instant | undefined {
  if (BARE_DATE.test(value)) return dayBoundary(value.replace(BARE_DATE, "$1-$2-$3"), zone, end);
  const at = parseInstant(restorePlus(value), zone);
  return typeof at === "number" ? at : undefined;
}

function dayBoundary(day: string, zone: Zone, end: "from" | "to"): Instant | undefined {
  try {
    const date = Temporal.PlainDate.from(day);
    const start = (end === "from" ? date : date.add({ days: 1 })).toZonedDateTime(zone.name);
    const at = Number(start.epochNanoseconds / 1000n) - (end === "from" ? 0 : 1);
    return Number.isSafeInteger(at) ? at : undefined;
  } catch {
    return undefined;
  }
}

const UNESCAPED_PLUS = /(?<=[T ]\d.*) (?=\d\d(:?\d\d)?$)/;
/** Longer than any time is; looking for the space costs the square of the length. */
const TIME_LENGTH_MAX = 64;

/** In an address a `+` that was not escaped comes as a space. */
export const restorePlus = (time: string): string =>
  time.length > TIME_LENGTH_MAX ? time : time.replace(UNESCAPED_PLUS, "+");
