/** How to end what was begun. */
export type Cleanup = { readonly add: (end: () => unknown) => void; readonly run: () => Promise<void> };

/** What was opened is closed in the opposite order, however far it came: one thing that cannot be closed leaves no other open. */
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
      if (failures.length > 1) throw new AggregateError(failures, "several things could not be ended");
      if (failures.length === 1) throw failures[0];
    },
  };
}
