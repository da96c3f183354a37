import { dayOf, type Instant, type Zone } from "../../domain/values/time.ts";
import { unknownParameters } from "../../indexing/unknownParameters.ts";

/** The months of a statistic, as the parameters `from` and `to` say. Both are included. */
export type StatisticsPeriod = { readonly from: string; readonly to: string };

/** A parameter that cannot be used, with what was sent. The text of the rule is in the message catalogue. */
export type PeriodProblem = {
  readonly parameter: string;
  readonly value: string;
  readonly rule: "month" | "order" | "length" | "unknown" | "repeated";
};

const MONTH = /^(?:19|20|21)\d\d-(?:0[1-9]|1[0-2])$/;
export const PERIOD_MONTHS_MAX = 120;
const DEFAULT_MONTHS = 12;

/** The month so many months later, or earlier if negative. */
export function addMonths(month: string, count: number): string {
  const total = Number(month.slice(0, 4)) * 12 + Number(month.slice(5)) - 1 + count;
  return `${String(Math.floor(total / 12)).padStart(4, "0")}-${String((total % 12) + 1).padStart(2, "0")}`;
}

/** All months of the period, in order. */
export function monthsOf({ from, to }: StatisticsPeriod): readonly string[] {
  const months: string[] = [];
  for (let month = from; month <= to && months.length < PERIOD_MONTHS_MAX; month = addMonths(month, 1))
    months.push(month);
  return months;
}

/** The last twelve months, including the present one. */
export function defaultPeriod(now: Instant, zone: Zone): StatisticsPeriod {
  const to = dayOf(now, zone).slice(0, 7);
  return { from: addMonths(to, 1 - DEFAULT_MONTHS), to };
}

/** Reads the period from the query, which may have `others` as well. With problems, it is the default one. */
export function readPeriod(
  query: URLSearchParams,
  now: Instant,
  zone: Zone,
  others: readonly string[] = [],
): { readonly period: StatisticsPeriod; readonly problems: readonly PeriodProblem[] } {
  const usual = defaultPeriod(now, zone);
  const problems: PeriodProblem[] = [];
  const unknown = unknownParameters(query, ["from", "to", ...others]);
  for (const [parameter, value] of query) {
    if (parameter === "from" || parameter === "to") {
      if (query.getAll(parameter).length > 1) problems.push({ parameter, value, rule: "repeated" });
      else if (value !== "" && !MONTH.test(value)) problems.push({ parameter, value, rule: "month" });
    } else if (unknown.includes(parameter)) problems.push({ parameter, value, rule: "unknown" });
  }
  if (problems.length > 0) return { period: usual, problems };
  // An empty field of the form is the same as none.
  const to = query.get("to") || undefined;
  const from = query.get("from") || undefined;
  const period = periodFrom(from, to, usual);
  if (period.from > period.to)
    return { period: usual, problems: [{ parameter: "from", value: period.from, rule: "order" }] };
  if (addMonths(period.from, PERIOD_MONTHS_MAX - 1) < period.to)
    return { period: usual, problems: [{ parameter: "from", value: period.from, rule: "length" }] };
  return { period, problems: [] };
}

/** Twelve months before a given end; from a given beginning to the present month, or for twelve months if it is later. */
function periodFrom(from: string | undefined, to: string | undefined, usual: StatisticsPeriod): StatisticsPeriod {
  if (from === undefined) return to === undefined ? usual : { from: addMonths(to, 1 - DEFAULT_MONTHS), to };
  return { from, to: to ?? (from <= usual.to ? usual.to : addMonths(from, DEFAULT_MONTHS - 1)) };
}

/** The query of a period, beginning with a question mark. */
export const periodQuery = ({ from, to }: StatisticsPeriod): string => `?from=${from}&to=${to}`;
