import { setTimeout as pause, setImmediate } from "node:timers/promises";

/**
 * Runs background work on the event loop without delaying requests: in short slices, with pauses in between that are long while there
 * is other work to do.
 */
export type Pacing = {
  /** Called after each small step of the work; waits if it is time for a pause. */
  readonly step: () => Promise<void>;
};

/** The longest time that a request has to wait for background work. */
const SLICE_MS = 4;
/** What counts of a slice at most: the work may have waited in it, for the store or for something to do. */
const COUNTED_MS_MAX = 20;
/** Pauses as multiples of the slice before: the work gets four fifths of an idle event loop, and a fortieth of a busy one. */
const [IDLE_FACTOR, BUSY_FACTOR] = [1 / 4, 39];
/** The event loop is busy if it spends more than this part of a pause on other work. */
const BUSY_UTILIZATION = 0.1;

/** The time as the pacing sees it; tests have their own. */
export type PacingClock = {
  readonly now: () => number;
  readonly pause: (ms: number) => Promise<unknown>;
};

const SYSTEM_CLOCK: PacingClock = { now: () => performance.now(), pause };

/** Opens the pacing of one task. While `isUrgent`, requests wait for the task itself: it only lets others run in between. */
export function openPacing(isUrgent: () => boolean = () => false, clock: PacingClock = SYSTEM_CLOCK): Pacing {
  let sliceStart = clock.now();
  return {
    step: async () => {
      const sliceMs = Math.min(clock.now() - sliceStart, COUNTED_MS_MAX);
      if (sliceMs < SLICE_MS) return;
      if (isUrgent()) {
        await setImmediate();
        sliceStart = clock.now();
        return;
      }
      const before = performance.eventLoopUtilization();
      await clock.pause(Math.ceil(sliceMs * IDLE_FACTOR));
      const { utilization } = performance.eventLoopUtilization(before);
      if (utilization > BUSY_UTILIZATION) await clock.pause(sliceMs * (BUSY_FACTOR - IDLE_FACTOR));
      sliceStart = clock.now();
    },
  };
}
