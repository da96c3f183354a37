import type { Instant } from "../domain/values/time.ts";

/**
 * The clock of the database, so that all servers of a registry live by one clock, however far their own are off. It is
 * told by the machine's own clock and the difference; the quicker an answer came, the better the difference is known.
 */
export type SharedClock = { readonly now: () => Instant; readonly close: () => void };

const SAMPLES = 5;
const RESYNC_MS = 10_000;

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
      // What was known goes on being true until the database answers again.
      () => {},
    );
  }, RESYNC_MS).unref();
  return { now: () => localClock() + offset, close: () => clearInterval(timer) };
}

async function measureOffset(localClock: () => Instant, readRemoteClock: () => Promise<Instant>): Promise<number> {
  let best = { took: Number.POSITIVE_INFINITY, difference: 0 };
  for (let i = 0; i < SAMPLES; i++) {
    const sentAt = localClock();
    const remote = await readRemoteClock();
    const roundTrip = localClock() - sentAt;
    if (roundTrip < best.took) best = { took: roundTrip, difference: remote - Math.round(sentAt + roundTrip / 2) };
  }
  return best.difference;
}
