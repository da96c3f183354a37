/** A life stops at every moment that it waits for, given in milliseconds since the epoch, and ends when it likes. */
export type Scenario = AsyncGenerator<number, void>;

export type SimulatedTime = {
  readonly startAt: number;
  readonly endAt: number;
  readonly moveTo: (at: number) => Promise<void>;
  readonly onPassed: (ms: number) => void;
};

/** Moments are told to these hours, so that more happens between two moves of the clock. */
const SLOT_MS = 3 * 3_600_000;

type PendingScenario = {
  readonly at: number;
  readonly place: number;
  readonly life: Scenario;
  readonly isNew: boolean;
};

/**
 * Lets lives go on in the order of their moments, on one clock; those that wait for a moment after the end stay where they
 * are. They begin one after the other, so that their numbers are the same every time; what comes later they do abreast.
 */
export async function runScenarios(
  lives: readonly { readonly from: number; readonly life: Scenario }[],
  { startAt, endAt, moveTo, onPassed }: SimulatedTime,
): Promise<void> {
  const slotOf = (at: number): number => Math.ceil(at / SLOT_MS) * SLOT_MS;
  let waiting: PendingScenario[] = lives.map(({ from, life }, place) => ({
    at: slotOf(from),
    place,
    life,
    isNew: true,
  }));
  let now = startAt;

  async function goOn({ life, place }: PendingScenario): Promise<void> {
    const { value, done } = await life.next();
    if (!done) waiting.push({ at: Math.max(now, slotOf(value)), place, life, isNew: false });
  }

  for (;;) {
    const next = waiting.reduce((least, { at }) => Math.min(least, at), Number.POSITIVE_INFINITY);
    const at = Math.min(next, endAt);
    if (at > now) {
      await moveTo(at);
      onPassed(at - now);
      now = at;
    }
    if (next > endAt) return;
    const due = waiting.filter((one) => one.at === next);
    waiting = waiting.filter((one) => one.at !== next);
    for (const one of due.filter(({ isNew }) => isNew).toSorted((a, b) => a.place - b.place)) await goOn(one);
    await Promise.all(due.filter(({ isNew }) => !isNew).map(goOn));
  }
}
