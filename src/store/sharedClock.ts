import type { Instant } from "../domain/values/time.ts";

/** The clock of the database, which all servers of a registry share, however far off their own clocks are. */
export type SharedClock = { readonly now: () => Instant; readonly close: () => void };

const SAMPLES = 5;
const RESYNC_MS = 10_000;

/**
 * Opens the shared clock: the local clock plus an offset, which is measured again every ten seconds. Of several measurements, the one
 * with the shortest round trip is the most accurate.
 */
export async function openSharedClock(
  localClock: () => Instant,
  readRemoteClock: () => Promise<Instant>,
): Promise<SharedClock> {
  let offset = await measureOffset(localClock, readRemoteClock);
  const timer = setInterval(() => {
    measureOffset(localClock, readRemoteClock).then(
      (measured) => {
        offset = measured;
      },
      // Keeps the last offset until the database can be reached again.
      () => {},
    );
  }, RESYNC_MS).unref();
  return { now: () => localClock() + offset, close: () => clearInterval(timer) };
}

async function measureOffset(localClock: () => Instant, readRemoteClock: () => Promise<Instant>): Promise<number> {
  let best = { roundTrip: Number.POSITIVE_INFINITY, offset: 0 };
  for (let i = 0; i < SAMPLES; i++) {
    const sentAt = localClock();
    const remote = await readRemoteClock();
    const roundTrip = localClock() - sentAt;
    if (roundTrip < best.roundTrip) best = { roundTrip, offset: remote - Math.round(sentAt + roundTrip / 2) };
  }
  return best.offset;
}
