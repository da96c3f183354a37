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
/** A pause itself takes about this part of a short one, without any other work. */
const OVERHEAD = 0.1;
/** The event loop is busy if it spends this part of its time on other work. */
const BUSY_WORK = 0.5;
/** Other work is averaged over so many milliseconds of pauses: in a single short pause there is either none or nothing else. */
const AVERAGED_MS = 20;

/** The time as the pacing sees it; tests have their own. */
export type PacingClock = {
  readonly now: () => number;
  /** Waits. Resolves to the part of the time that the event loop spent on other work, from 0 to 1. */
  readonly pause: (ms: number) => Promise<number>;
};

const SYSTEM_CLOCK: PacingClock = {
  now: () => performance.now(),
  pause: async (ms) => {
    const before = performance.eventLoopUtilization();
    await pause(ms);
    return performance.eventLoopUtilization(before).utilization;
  },
};

/**
 * Opens the pacing of one task. While `isUrgent`, requests wait for the task itself: it only lets others run in between.
 *
 * Pauses grow in proportion to the other work. So a server that is somewhat busy still makes progress in its idle time. They reach their
 * maximum before there is no idle time left: a request that arrives in a slice waits for its end, and under load the processor time that
 * the task takes is lost to requests.
 */
export function openPacing(isUrgent: () => boolean = () => false, clock: PacingClock = SYSTEM_CLOCK): Pacing {
  let sliceStart = clock.now();
  let averageWork = 0;
  return {
    step: async () => {
      const sliceEnd = clock.now();
      const sliceMs = Math.min(sliceEnd - sliceStart, COUNTED_MS_MAX);
      if (sliceMs < SLICE_MS) return;
      if (isUrgent()) await setImmediate();
      else {
        const work = await clock.pause(Math.ceil(sliceMs * pauseFactor(averageWork)));
        averageWork += (work - averageWork) * Math.min(1, (clock.now() - sliceEnd) / AVERAGED_MS);
      }
      sliceStart = clock.now();
    },
  };
}

function pauseFactor(work: number): number {
  const share = Math.min(Math.max(0, work - OVERHEAD) / (BUSY_WORK - OVERHEAD), 1);
  return IDLE_FACTOR + (BUSY_FACTOR - IDLE_FACTOR) * share;
}
