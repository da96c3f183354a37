import { setImmediate } from "node:timers/promises";

/**
 * Opens a queue for long tasks on the event loop, which await it between slices of a few milliseconds: each iteration of the event loop
 * continues one of them, so that many tasks at once do not block other work for longer than one.
 */
export function openFairQueue(): () => Promise<void> {
  let last = Promise.resolve();
  return () => {
    last = last.then(() => setImmediate());
    return last;
  };
}
