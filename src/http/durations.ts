import type { Instant } from "../domain/time.ts";

export const NOT_A_DURATION = "A duration is written as PT90M or P3D, or as a number of seconds, and does not go back";
/** Beyond it instants are not exact any more. */
const LAST_YEAR = 2254;

/** Days and months are those of the calendar, where a day may have 23 hours. */
export function laterBy(by: unknown, now: Instant, zone: string): Instant | undefined {
  try {
    if (typeof by !== "number" && typeof by !== "string") return undefined;
    const duration = Temporal.Duration.from(typeof by === "string" ? by : { microseconds: Math.round(by * 1_000_000) });
    const from = Temporal.Instant.fromEpochNanoseconds(BigInt(now) * 1000n).toZonedDateTimeISO(zone);
    const later = from.add(duration);
    if (Temporal.ZonedDateTime.compare(later, from) < 0 || later.year > LAST_YEAR) return undefined;
    return Number(later.epochNanoseconds / 1000n);
  } catch {
    return undefined;
  }
}
