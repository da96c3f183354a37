import { type Instant, parseInstant, type Zone } from "./time.ts";

const BARE_DATE = /^(\d{4})-?(\d\d)-?(\d\d)$/;

/**
 * Parses an end of a range of time in a query: a date, or a date and time, in ISO 8601. A date without a time means the first
 * microsecond of the day in `zone` for `from`, and the last one for `to`. Undefined if it is neither.
 */
export function parseRangeEnd(value: string, zone: Zone, end: "from" | "to"): Instant | undefined {
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
/** Longer than any time. The limit is needed because the pattern takes quadratic time. */
const TIME_LENGTH_MAX = 64;

/** Restores the `+` of a time zone, which arrives as a space if the client did not escape it in the query. */
export const restorePlus = (time: string): string =>
  time.length > TIME_LENGTH_MAX ? time : time.replace(UNESCAPED_PLUS, "+");
