import type { Instant } from "../../domain/values/time.ts";

/** The time of the auction in the browser. */

/** Microseconds in a millisecond, in which browsers measure. */
const MICROS = 1000;
/** A message is never older than this when the connection is good, so a larger difference is one of the clocks. */
const DEVICE_CLOCK_TOLERANCE_MS = 10_000;

export type ServerClock = {
  /** The time of the auction now. */
  readonly now: () => Instant;
  /** Takes the server time of a message that has just arrived. */
  readonly adjust: (serverTime: Instant) => void;
  /** Forgets earlier messages, and takes the server time of this one. */
  readonly reset: (serverTime: Instant) => void;
  /** By how many seconds the clock of the device is wrong; 0 if it is right. */
  readonly deviceErrorSeconds: () => number;
};

/**
 * A clock that follows the server. It counts with the monotonic clock of the browser, because that of the device may be moved. Of all
 * messages the fastest one is believed: the others were longer on their way. With a test clock, time stands still.
 */
export function openServerClock(serverTime: Instant, hasTestClock: boolean): ServerClock {
  let base = serverTime - performance.now() * MICROS;
  let fixed = serverTime;
  const now = () => (hasTestClock ? fixed : base + performance.now() * MICROS);
  return {
    now,
    adjust: (time) => {
      fixed = time;
      base = Math.max(base, time - performance.now() * MICROS);
    },
    reset: (time) => {
      fixed = time;
      base = time - performance.now() * MICROS;
    },
    deviceErrorSeconds: () => {
      const difference = Math.abs(Date.now() - now() / MICROS);
      return hasTestClock || difference < DEVICE_CLOCK_TOLERANCE_MS ? 0 : Math.round(difference / 1000);
    },
  };
}
