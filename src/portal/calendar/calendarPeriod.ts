import { DAY, dayOf, type Instant, type Zone } from "../../domain/values/time.ts";
import { unknownParameters } from "../../indexing/unknownParameters.ts";

/** The days that a calendar shows, as its parameters say. Days are texts such as 2026-11-17, in the zone of the registry. */

export type CalendarView = "month" | "week" | "day";

export type CalendarPeriod = {
  readonly view: CalendarView;
  /** The value of the parameter: 2026-11, 2026-W47 or 2026-11-17. */
  readonly name: string;
  /** All days, in order. */
  readonly days: readonly string[];
};

/** What is wrong with the parameters. The text of the rule is in the message catalogue. */
export type CalendarProblem = { readonly rule: CalendarView | "mode" | "several" | "unknown"; readonly value: string };

/** What the parameters ask for. */
export type CalendarRequest = {
  /** Undefined if the parameters do not say. */
  readonly period: CalendarPeriod | undefined;
  readonly mode: "real" | "test";
  readonly problems: readonly CalendarProblem[];
};

const MS_PER_DAY = DAY / 1000;
const timeOf = (day: string): number => Date.parse(`${day}T00:00:00Z`);
const dayAt = (time: number): string => new Date(time).toISOString().slice(0, 10);

/** The day so many days later, or earlier if negative. */
export const addDays = (day: string, count: number): string => dayAt(timeOf(day) + count * MS_PER_DAY);

/** The day of the week, from 0 for Monday to 6 for Sunday. */
export const weekdayOf = (day: string): number => (new Date(timeOf(day)).getUTCDay() + 6) % 7;

const daysFrom = (first: string, count: number): readonly string[] =>
  Array.from({ length: count }, (_, i) => addDays(first, i));

const DATE = /^(?:19|20|21)\d\d-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/;
const MONTH = /^(?:19|20|21)\d\d-(?:0[1-9]|1[0-2])$/;
const WEEK = /^((?:19|20|21)\d\d)-W(0[1-9]|[1-4]\d|5[0-3])$/;

/** The month such as 2026-11; undefined if the text names none. */
export function monthPeriod(name: string): CalendarPeriod | undefined {
  if (!MONTH.test(name)) return undefined;
  const count = new Date(Date.UTC(Number(name.slice(0, 4)), Number(name.slice(5)), 0)).getUTCDate();
  return { view: "month", name, days: daysFrom(`${name}-01`, count) };
}

/** The week such as 2026-W47 by ISO 8601; undefined if the text names none, as many years have no week 53. */
export function weekPeriod(name: string): CalendarPeriod | undefined {
  const [, year, week] = WEEK.exec(name) ?? [];
  if (year === undefined || week === undefined) return undefined;
  // The fourth of January is always in the first week.
  const anchor = `${year}-01-04`;
  const monday = addDays(anchor, (Number(week) - 1) * 7 - weekdayOf(anchor));
  return weekNameOf(monday) === name ? { view: "week", name, days: daysFrom(monday, 7) } : undefined;
}

/** The name of the week of a day. */
export function weekNameOf(day: string): string {
  // A week belongs to the year of its Thursday.
  const thursday = addDays(day, 3 - weekdayOf(day));
  const year = thursday.slice(0, 4);
  const number = Math.floor((timeOf(thursday) - timeOf(`${year}-01-01`)) / MS_PER_DAY / 7) + 1;
  return `${year}-W${String(number).padStart(2, "0")}`;
}

/** The day such as 2026-11-17; undefined if there is none. */
export const dayPeriod = (name: string): CalendarPeriod | undefined =>
  DATE.test(name) && dayAt(timeOf(name)) === name ? { view: "day", name, days: [name] } : undefined;

const PERIOD_OF: { readonly [view in CalendarView]: (name: string) => CalendarPeriod | undefined } = {
  month: monthPeriod,
  week: weekPeriod,
  day: dayPeriod,
};

const isView = (name: string): name is CalendarView => Object.hasOwn(PERIOD_OF, name);

/** Reads the parameters `month`, `week`, `day` and `mode`. */
export function readCalendarQuery(query: URLSearchParams): CalendarRequest {
  const problems: CalendarProblem[] = [];
  const periods: CalendarPeriod[] = [];
  const named: string[] = [];
  const unknown = unknownParameters(query, [...Object.keys(PERIOD_OF), "mode"]);
  for (const [parameter, value] of query) {
    if (parameter === "mode") {
      if (value !== "test") problems.push({ rule: "mode", value });
    } else if (isView(parameter)) {
      const period = PERIOD_OF[parameter](value);
      named.push(parameter);
      if (period) periods.push(period);
      else problems.push({ rule: parameter, value });
    } else if (unknown.includes(parameter)) problems.push({ rule: "unknown", value: parameter });
  }
  if (named.length > 1) problems.push({ rule: "several", value: named.join(", ") });
  const mode = query.get("mode") === "test" ? "test" : "real";
  return { period: problems.length > 0 ? undefined : periods[0], mode, problems };
}

/** The month of an instant. */
export function presentMonth(now: Instant, zone: Zone): CalendarPeriod {
  const today = dayOf(now, zone);
  return monthPeriod(today.slice(0, 7)) ?? { view: "day", name: today, days: [today] };
}

/** The period of the same kind before (-1) or after (1) this one; undefined beyond the years that the calendar has. */
export function neighbourOf({ view, days }: CalendarPeriod, step: -1 | 1): CalendarPeriod | undefined {
  const edge = step < 0 ? days[0] : days.at(-1);
  if (edge === undefined) return undefined;
  return periodAround(addDays(edge, step), view);
}

/** The period of a kind that contains a day. */
export const periodAround = (day: string, view: CalendarView): CalendarPeriod | undefined =>
  PERIOD_OF[view](view === "month" ? day.slice(0, 7) : view === "week" ? weekNameOf(day) : day);

/** The instant at which a day begins in the zone: its first one, if clocks skip midnight. */
export function startOfDay(day: string, zone: Zone): Instant {
  const midnight = timeOf(day) * 1000;
  for (let local = midnight; local < midnight + DAY; local += DAY / 48) {
    const at = zone.instantOf(local);
    if (at !== undefined) return at;
  }
  return midnight;
}

/** The instants of the period: from its first one, up to but not including the end. */
export function instantsOf({ days }: CalendarPeriod, zone: Zone): { readonly from: Instant; readonly to: Instant } {
  const [first = "", last = first] = [days[0], days.at(-1)];
  return { from: startOfDay(first, zone), to: startOfDay(addDays(last, 1), zone) };
}
