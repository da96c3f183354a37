import { HOLIDAYS } from "./holidays.ts";
import { DAY, dayOf, type Instant, type Zone } from "./time.ts";

/**
 * Arithmetic with calendar days and working days. It keeps the local time of day across changes of the clocks: a period that begins
 * at noon ends at noon. The established system keeps the UTC offset of the start instead and is then an hour off.
 */

const SATURDAY = 6;

/** A zone without offset, to format local times, which are microseconds as if local time were UTC. */
const LOCAL: Zone = { name: "UTC", offsetAt: () => 0, instantOf: (localMicros) => localMicros };

/** Whether a day (YYYY-MM-DD) is neither at a weekend nor a listed holiday. Years without a list have weekends only. */
export function isWorkingDay(day: string): boolean {
  if (Temporal.PlainDate.from(day).dayOfWeek >= SATURDAY) return false;
  return !HOLIDAYS[day.slice(0, 4)]?.includes(day.slice(5));
}

/** The instant after a number (0 or more) of working days. Counting from a day off begins with the next working day at midnight. */
export function addWorkingDays(at: Instant, days: number, zone: Zone): Instant {
  const local = at + zone.offsetAt(at);
  let end = isWorkingDayAt(local) ? local : nextWorkingDay(startOfDay(local));
  for (let left = days; left > 0; left--) end = nextWorkingDay(end);
  return end === local ? at : instantOf(end, zone);
}

/** The instant after a number of calendar days, at the same local time. */
export function addDays(at: Instant, days: number, zone: Zone): Instant {
  return days === 0 ? at : instantOf(at + zone.offsetAt(at) + days * DAY, zone);
}

/** The first local midnight at or after this instant. */
export function nextMidnight(at: Instant, zone: Zone): Instant {
  const local = at + zone.offsetAt(at);
  const start = startOfDay(local);
  return start === local ? at : instantOf(start + DAY, zone);
}

/** The local midnight after this instant, also if it is midnight already. */
export const startOfNextDay = (at: Instant, zone: Zone): Instant =>
  instantOf(startOfDay(at + zone.offsetAt(at)) + DAY, zone);

/** How long after midnight the clocks of the zone show, in microseconds. */
export function timeOfDay(at: Instant, zone: Zone): number {
  const local = at + zone.offsetAt(at);
  return local - startOfDay(local);
}

/** The instant at which the clocks show this time (microseconds after midnight) on the local day of `at`. */
export const atTimeOfDay = (at: Instant, time: number, zone: Zone): Instant =>
  instantOf(startOfDay(at + zone.offsetAt(at)) + time, zone);

/** The midnight with which the next working day begins, after the local day of this instant. */
export const startOfNextWorkingDay = (at: Instant, zone: Zone): Instant =>
  instantOf(nextWorkingDay(startOfDay(at + zone.offsetAt(at))), zone);

const isWorkingDayAt = (local: number): boolean => isWorkingDay(dayOf(local, LOCAL));

const startOfDay = (local: number): number => Math.floor(local / DAY) * DAY;

function nextWorkingDay(local: number): number {
  let next = local + DAY;
  while (!isWorkingDayAt(next)) next += DAY;
  return next;
}

function instantOf(local: number, zone: Zone): Instant {
  // A local time that clocks skip is taken with the offset before the change, so that no period ends early.
  return zone.instantOf(local) ?? local - zone.offsetAt(local - DAY);
}
