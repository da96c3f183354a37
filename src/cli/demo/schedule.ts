/** The time of a step, in milliseconds since 1970. Unless it must be exact, it is rounded up so that steps share a move of the clock. */
export type StepTime = number | { readonly exactly: number };

/** The steps of one tender. It yields the time of its next step, and is resumed at that time. */
export type Scenario<Result = void> = AsyncGenerator<StepTime, Result>;

/** The simulated time span, and how to move through it. */
export type SimulatedTime = {
  readonly startAt: number;
  readonly endAt: number;
  /** Moves the test clock. */
  readonly moveTo: (at: number) => Promise<void>;
  /** Called with the simulated time that passed. */
  readonly onPassed: (ms: number) => void;
};

/** Times are rounded up to multiples of this, so that more steps share one move of the clock. */
const SLOT_MS = 3 * 3_600_000;

type PendingScenario = {
  readonly at: number;
  /** The position among all scenarios. */
  readonly index: number;
  readonly scenario: Scenario;
  readonly isNew: boolean;
};

/**
 * Runs scenarios in the order of their times on one clock, until `endAt`. Scenarios start one after the other, so that
 * tenders get the same numbers every time; later steps that fall due together run concurrently.
 */
export async function runScenarios(
  scenarios: readonly { readonly from: number; readonly scenario: Scenario }[],
  { startAt, endAt, moveTo, onPassed }: SimulatedTime,
): Promise<void> {
  const slotOf = (at: number): number => Math.ceil(at / SLOT_MS) * SLOT_MS;
  let pending: PendingScenario[] = scenarios.map(({ from, scenario }, index) => ({
    at: slotOf(from),
    index,
    scenario,
    isNew: true,
  }));
  let now = startAt;

  async function runStep({ scenario, index }: PendingScenario): Promise<void> {
    const { value, done } = await scenario.next();
    if (done) return;
    const at = typeof value === "number" ? slotOf(value) : value.exactly;
    pending.push({ at: Math.max(now, at), index, scenario, isNew: false });
  }

  for (;;) {
    const next = pending.reduce((earliest, { at }) => Math.min(earliest, at), Number.POSITIVE_INFINITY);
    const at = Math.min(next, endAt);
    if (at > now) {
      await moveTo(at);
      onPassed(at - now);
      now = at;
    }
    if (next > endAt) return;
    const due = pending.filter((step) => step.at === next);
    pending = pending.filter((step) => step.at !== next);
    for (const step of due.filter(({ isNew }) => isNew).toSorted((a, b) => a.index - b.index)) await runStep(step);
    await Promise.all(due.filter(({ isNew }) => !isNew).map(runStep));
  }
}
