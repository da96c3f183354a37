import type { Instant } from "./time.ts";

export const INVALID_DURATION_MESSAGE =
  "A duration is written as PT90M or P3D, or as a number of seconds, and does not go back";
/** Beyond it instants are not exact any more. */
const YEAR_MAX = 2254;

/** Days and months are those of the calendar, where a day may have 23 hours. */
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
