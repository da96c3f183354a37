import { HOLIDAYS } from "./holidays.ts";
import { DAY, dayOf, type Instant, type Zone } from "./time.ts";

/**
 * Days as people count them. The wall clock is kept when clocks change on the way, so that what began at noon ends at
 * noon; the established system keeps the offset of the start instead, and ends an hour off.
 */

const SATURDAY = 6;

/** Local time read as if it were UTC, which makes days of it by division. */
const LOCAL: Zone = { name: "UTC", offsetAt: () => 0, instantOf: (localMicros) => localMicros };

/** Of a day as YYYY-MM-DD; weekends alone count in a year whose holidays are not listed. */
export function isWorkingDay(day: string): boolean {
  if (Temporal.PlainDate.from(day).dayOfWeek >= SATURDAY) return false;
  return !HOLIDAYS[day.slice(0, 4)]?.includes(day.slice(5));
}

/** Whole days, none or more; what starts on a day off counts from the first moment of the next working day. */
export function addWorkingDays(at: Instant, days: number, zone: Zone): Instant {
  const local = at + zone.offsetAt(at);
  let end = isWorkingDayAt(local) ? local : nextWorkingDay(startOfDay(local));
  for (let left = days; left > 0; left--) end = nextWorkingDay(end);
  return end === local ? at : instantOf(end, zone);
}

/** Calendar days. */
export function addDays(at: Instant, days: number, zone: Zone): Instant {
  return days === 0 ? at : instantOf(at + zone.offsetAt(at) + days * DAY, zone);
}

/** The same instant when it is local midnight exactly. */
export function nextMidnight(at: Instant, zone: Zone): Instant {
  const local = at + zone.offsetAt(at);
  const start = startOfDay(local);
  return start === local ? at : instantOf(start + DAY, zone);
}

const isWorkingDayAt = (local: number): boolean => isWorkingDay(dayOf(local, LOCAL));

const startOfDay = (local: number): number => Math.floor(local / DAY) * DAY;

function nextWorkingDay(local: number): number {
  let next = local + DAY;
  while (!isWorkingDayAt(next)) next += DAY;
  return next;
}

function instantOf(local: number, zone: Zone): Instant {
  // A time that clocks skip is when a clock that nobody has put forward shows it: no limit ends early for that.
  return zone.instantOf(local) ?? local - zone.offsetAt(local - DAY);
}
