import type { Instant } from "./time.ts";

/** The error text for durations that `addDuration` rejects. */
export const INVALID_DURATION_MESSAGE =
  "A duration must be an ISO 8601 duration such as PT90M or P3D, or a number of seconds, and must not be negative";
/** The last full year in which instants are exact. */
const YEAR_MAX = 2254;

/**
 * The instant after a duration, given in ISO 8601 or as a number of seconds. Days and months are those of the calendar in `zone`,
 * where a day may have 23 hours. Returns `undefined` if the duration is invalid or negative, or ends after the year 2254.
 */
export function addDuration(value: unknown, now: Instant, zone: string): Instant | undefined {
  try {
    if (typeof value !== "number" && typeof value !== "string") return undefined;
    const duration = Temporal.Duration.from(
      typeof value === "string" ? value : { microseconds: Math.round(value * 1_000_000) },
    );
    const from = Temporal.Instant.fromEpochNanoseconds(BigInt(now) * 1000n).toZonedDateTimeISO(zone);
    const later = from.add(duration);
    if (Temporal.ZonedDateTime.compare(later, from) < 0 || later.year > YEAR_MAX) return undefined;
    return Number(later.epochNanoseconds / 1000n);
  } catch {
    return undefined;
  }
}
