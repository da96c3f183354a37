import type { Instant } from "../domain/time.ts";

/**
 * The clock of the database, so that all servers of a registry live by one clock, however far their own are off. It is
 * told by the machine's own clock and the difference; the quicker an answer came, the better the difference is known.
 */
export type SharedClock = { readonly now: () => Instant; readonly close: () => void };

const SAMPLES = 5;
const ASK_AGAIN_MS = 10_000;

export async function openSharedClock(own: () => Instant, ask: () => Promise<Instant>): Promise<SharedClock> {
  let ahead = await differenceOf(own, ask);
  const timer = setInterval(() => {
    differenceOf(own, ask).then(
      (found) => {
        ahead = found;
      },
      // What was known goes on being true until the database answers again.
      () => {},
    );
  }, ASK_AGAIN_MS).unref();
  return { now: () => own() + ahead, close: () => clearInterval(timer) };
}

async function differenceOf(own: () => Instant, ask: () => Promise<Instant>): Promise<number> {
  let best = { took: Number.POSITIVE_INFINITY, difference: 0 };
  for (let i = 0; i < SAMPLES; i++) {
    const asked = own();
    const theirs = await ask();
    const took = own() - asked;
    if (took < best.took) best = { took, difference: theirs - Math.round(asked + took / 2) };
  }
  return best.difference;
}
