import type { Instant } from "../../domain/values/time.ts";

/** The time of the auction, as far as a browser can know it. */

/** The clocks of the device, in milliseconds. */
export type DeviceClocks = {
  /** Never moved by anybody, and begins at any number. */
  readonly monotonicMs: () => number;
  /** What the device takes for the time since 1970. */
  readonly wallMs: () => number;
};

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

const MICROS_PER_MS = 1000;
/** A message is never older than this when the connection is good, so a larger difference is one of the clocks. */
const DEVICE_ERROR_MS_MIN = 10_000;

const BROWSER_CLOCKS: DeviceClocks = { monotonicMs: () => performance.now(), wallMs: () => Date.now() };

/**
 * A clock that follows the server. It counts with the monotonic clock, because that of the device may be moved. Of all messages the
 * fastest one is believed: the others were longer on their way. On a test clock, time stands still between messages.
 */
export function openServerClock(
  serverTime: Instant,
  hasTestClock: boolean,
  { monotonicMs, wallMs }: DeviceClocks = BROWSER_CLOCKS,
): ServerClock {
  const baseOf = (time: Instant) => time - monotonicMs() * MICROS_PER_MS;
  let base = baseOf(serverTime);
  let latest = serverTime;
  const now = () => (hasTestClock ? latest : base + monotonicMs() * MICROS_PER_MS);
  return {
    now,
    adjust: (time) => {
      latest = time;
      base = Math.max(base, baseOf(time));
    },
    reset: (time) => {
      latest = time;
      base = baseOf(time);
    },
    deviceErrorSeconds: () => {
      const differenceMs = Math.abs(wallMs() - now() / MICROS_PER_MS);
      return hasTestClock || differenceMs < DEVICE_ERROR_MS_MIN ? 0 : Math.round(differenceMs / 1000);
    },
  };
}
