import type { Instant } from "../domain/values/time.ts";

const ANCHORED_MS = 100;
let anchor = { micros: 0, ms: Number.NEGATIVE_INFINITY };

/** The system time in microseconds. Reading it is slow, so it is read every 100 ms and interpolated in between. */
export function systemClock(): Instant {
  const ms = performance.now();
  if (ms - anchor.ms > ANCHORED_MS) anchor = { micros: Number(Temporal.Now.instant().epochNanoseconds / 1000n), ms };
  return anchor.micros + Math.floor((ms - anchor.ms) * 1000);
}
