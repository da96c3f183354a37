/** A stack of steps that release what was opened. */
export type Cleanup = {
  /** Adds a step. It may return a promise, which `run` awaits. */
  readonly add: (step: () => unknown) => void;
  /** Runs all steps, the last one added first. */
  readonly run: () => Promise<void>;
};

/**
 * Opens an empty cleanup stack. A step that fails does not prevent the others: `run` throws its error after the last step, or an
 * `AggregateError` if several fail.
 */
export function openCleanup(): Cleanup {
  const steps: (() => unknown)[] = [];
  return {
    add: (step) => steps.push(step),
    run: async () => {
      const failures: unknown[] = [];
      for (const step of steps.toReversed()) {
        try {
          await step();
        } catch (error) {
          failures.push(error);
        }
      }
      if (failures.length > 1) throw new AggregateError(failures, "several cleanup steps failed");
      if (failures.length === 1) throw failures[0];
    },
  };
}
