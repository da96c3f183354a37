/** Calls listeners after each change by this process, with the id of the tender. `subscribe` returns a function that unsubscribes. */
export function openChangeNotifier() {
  const listeners = new Set<(tender: string) => void>();
  return {
    notify: (tender: string): void => {
      for (const listener of listeners) listener(tender);
    },
    subscribe: (listener: (tender: string) => void): (() => void) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
