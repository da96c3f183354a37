import type { Dialect } from "../dialects/dialects.ts";
import { type Decimal, parseDecimal } from "../domain/money.ts";
import { TENDER_STATUSES } from "../domain/tender.ts";
import { type Instant, parseInstant, type Zone } from "../domain/time.ts";
import type { Filter, FilteredDate, Range } from "../store/store.ts";

/** What tenders can be asked for by, the same for the feed, for streams and for whoever is told of changes. */

const DATES: { readonly [name: string]: FilteredDate } = {
  dateModified: "dateModified",
  "enquiryPeriod.endDate": "enquiryEnd",
  "tenderPeriod.startDate": "tenderStart",
  "tenderPeriod.endDate": "tenderEnd",
};

type Speaking = { readonly dialect: Dialect; readonly zone: Zone };
/** A part of the filter, or what is wrong with the value. */
type Part = Filter | string;

/** More than anyone asks for, and fewer than a database takes. */
const CODES_MAX = 100;

const READ: { readonly [name: string]: (value: string, speaking: Speaking) => Part } = {
  status: (value, { dialect }) => {
    const unknown = listOf(value).filter((name) => dialect.statusesNamed(name).length === 0);
    if (unknown.length === 0) return { statuses: [...new Set(listOf(value).flatMap(dialect.statusesNamed))] };
    const known = [...new Set(TENDER_STATUSES.map(dialect.statusName))];
    return `No such status: ${unknown.join(", ")}. Statuses are ${known.join(", ")}.`;
  },
  procuringEntity: (value) => ({ entity: value }),
  classification: (value) => {
    const classifications = [...new Set(listOf(value))];
    return classifications.length > CODES_MAX ? `Not more than ${CODES_MAX} codes at once.` : { classifications };
  },
  value_min: (value) => amountOf(value, (from) => ({ from })),
  value_max: (value) => amountOf(value, (to) => ({ to })),
  currency: (value) => ({ currency: value }),
  tenderID: (value, { dialect }) => (dialect.manners.numbers === "id" ? { id: idIn(value) } : { tenderID: value }),
  ...Object.fromEntries(
    Object.entries(DATES).flatMap(([name, date]) => [
      [`${name}_from`, (value: string, { zone }: Speaking) => dateOf(value, zone, date, "from")],
      [`${name}_to`, (value: string, { zone }: Speaking) => dateOf(value, zone, date, "to")],
    ]),
  ),
};

export const FILTER_NAMES: readonly string[] = Object.keys(READ);

export type WrongParam = { readonly name: string; readonly description: string };
export type ReadFilter =
  | {
      /** None, where nothing was asked for. */
      readonly filter: Filter | undefined;
      /** What was asked for, in the words of whoever asked. */
      readonly echoed: readonly (readonly [string, string])[];
    }
  | { readonly wrong: readonly WrongParam[] };

/** An empty value is the same as none. */
export function filterOf(query: URLSearchParams, dialect: Dialect, zone: Zone): ReadFilter {
  const wrong: WrongParam[] = [];
  const echoed: (readonly [string, string])[] = [];
  let filter: Filter = {};
  for (const name of FILTER_NAMES) {
    const value = query.get(name);
    if (!value || isEmptyList(name, value)) continue;
    const part = READ[name]!(value, { dialect, zone });
    if (typeof part === "string") wrong.push({ name, description: part });
    else filter = together(filter, part);
    echoed.push([name, value]);
  }
  if (wrong.length > 0) return { wrong };
  return { filter: echoed.length > 0 ? filter : undefined, echoed };
}

const listOf = (value: string): readonly string[] =>
  value
    .split(",")
    .map((one) => one.trim())
    .filter((one) => one !== "");

const isEmptyList = (name: string, value: string): boolean =>
  (name === "status" || name === "classification") && listOf(value).length === 0;

/** Both ends of a range come by names of their own. */
function together(one: Filter, other: Filter): Filter {
  const amount = one.amount && other.amount ? { amount: { ...one.amount, ...other.amount } } : {};
  const dates = { ...one.dates };
  for (const name in other.dates) {
    const date = name as FilteredDate;
    dates[date] = { ...dates[date], ...other.dates[date] };
  }
  return { ...one, ...other, ...amount, ...((one.dates || other.dates) && { dates }) };
}

function amountOf(value: string, rangeOf: (amount: Decimal) => Range<Decimal>): Part {
  const amount = parseDecimal(value);
  return amount === undefined ? "A number is needed, such as 1000 or 0.5." : { amount: rangeOf(amount) };
}

const NUMBERED = "UA-";

/** Where a tender is numbered by its id; what is no such number is the number of none. */
const idIn = (value: string): string => (value.startsWith(NUMBERED) ? value.slice(NUMBERED.length) : "");

function dateOf(value: string, zone: Zone, date: FilteredDate, end: "from" | "to"): Part {
  const at = momentOf(value, zone, end);
  return at === undefined
    ? "A time is needed, such as 2026-11-15 or 2026-11-15T10:00:00+02:00."
    : { dates: { [date]: { [end]: at } } };
}

const BARE_DATE = /^(\d{4})-?(\d\d)-?(\d\d)$/;

/** A day is meant from its first to its last microsecond. */
function momentOf(value: string, zone: Zone, end: "from" | "to"): Instant | undefined {
  if (BARE_DATE.test(value)) return dayOf(value.replace(BARE_DATE, "$1-$2-$3"), zone, end);
  const at = parseInstant(withPlus(value), zone);
  return typeof at === "number" ? at : undefined;
}

function dayOf(day: string, zone: Zone, end: "from" | "to"): Instant | undefined {
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
export const withPlus = (time: string): string =>
  time.length > TIME_LENGTH_MAX ? time : time.replace(UNESCAPED_PLUS, "+");
