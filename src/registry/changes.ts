/** Who wants to hear of changes at once, not only when they look. */
export function openChanges() {
  const listeners = new Set<() => void>();
  return {
    tell: (): void => {
      for (const told of listeners) told();
    },
    listen: (told: () => void): (() => void) => {
      listeners.add(told);
      return () => void listeners.delete(told);
    },
  };
}
