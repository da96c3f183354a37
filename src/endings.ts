/** How to end what was begun. */
export type Endings = { readonly add: (end: () => unknown) => void; readonly run: () => Promise<void> };

/** What was opened is closed in the opposite order, however far it came: one thing that cannot be closed leaves no other open. */
export function openEndings(): Endings {
  const ends: (() => unknown)[] = [];
  return {
    add: (end) => ends.push(end),
    run: async () => {
      const failures: unknown[] = [];
      for (const end of ends.toReversed()) {
        try {
          await end();
        } catch (error) {
          failures.push(error);
        }
      }
      if (failures.length > 1) throw new AggregateError(failures, "several things could not be ended");
      if (failures.length === 1) throw failures[0];
    },
  };
}
