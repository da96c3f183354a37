import { setTimeout as pause } from "node:timers/promises";
import { waitUntil } from "../support/processes.ts";
import { type AcknowledgedWrites, openAcknowledgedWrites } from "./acknowledgedWrites.ts";
import { followFeed, walkFeedBack } from "./readers.ts";
import type { SoakTarget } from "./servers.ts";
import { verifyState } from "./verifyState.ts";
import { writeTenders } from "./writers.ts";

export type SoakResult = {
  readonly acknowledged: number;
  readonly unanswered: number;
  readonly tenders: number;
  readonly pages: number;
  readonly faults: number;
};

export type SoakOptions = {
  readonly writers: number;
  /** Faults at random moments for a time, or a number of faults with as many acknowledged writes before and after each. */
  readonly length:
    | { readonly seconds: number; readonly faultEveryMs: number }
    | { readonly faults: number; readonly writesBetween: number };
  readonly onProgress?: (message: string) => void;
};

/** More writes than can be in flight when a server stalls. */
const WRITES_DURING_STALL = 10;
/** Longer than a server may hold the write lock. */
const STALL_MS_MAX = 6000;
const FORWARD = ["0?", "0.1?limit=7&", "2.3?", "2.5?feed=changes&limit=1000&"];
const BACKWARD = ["0", "2.5"];

/** Writers at full speed, readers in both directions, and random faults: everyone sees every acknowledged change in order. */
export async function soak(target: SoakTarget, settings: SoakOptions): Promise<SoakResult> {
  const { writers, length, onProgress = () => {} } = settings;
  const { urls } = target;
  const writes = openAcknowledgedWrites();
  let isStruck = false;
  let failed = false;
  const isOver = () => failed || isStruck;
  let faults = 0;
  let allWritten = false;

  const writing = Promise.all(Array.from({ length: writers }, () => writeTenders(urls, writes, isOver)));
  const following = FORWARD.map((start) => {
    const [version, query] = start.split("?");
    return followFeed(urls, writes, `/api/${version}/tenders?${query}`, () => allWritten);
  });
  const walking = BACKWARD.map((version) => walkFeedBack(urls, writes, version, isOver));

  /** Gives up after STALL_MS_MAX, because all servers may be waiting for the stalled one. */
  const waitForWrites = () => {
    const deadline = performance.now() + STALL_MS_MAX;
    const count = writes.counts().acknowledged + WRITES_DURING_STALL;
    return waitUntilAcknowledged(writes, count, () => failed || performance.now() > deadline);
  };

  async function injectFaults(): Promise<void> {
    const pacing = "faults" in length ? byWrites(length, writes) : byTime(length);
    while ((await pacing.nextFault(() => failed)) && !failed) {
      const names = Object.keys(target.faults);
      const name = names[faults % names.length]!;
      await target.faults[name]!(waitForWrites);
      faults += 1;
      onProgress(`${JSON.stringify(writes.counts())}, fault ${faults} killed ${name}`);
    }
    isStruck = true;
  }

  const faultInjection = injectFaults();
  const all = Promise.all([writing, faultInjection]).then(() => {
    allWritten = true;
  });
  const pages = await Promise.all([...following, ...walking, all.then(() => 0)]).catch((error) => {
    failed = true;
    allWritten = true;
    throw error;
  });
  await verifyState(target, writes);
  return { ...writes.counts(), pages: pages.reduce((sum, start) => sum + start, 0), faults };
}

const waitUntilAcknowledged = (writes: AcknowledgedWrites, count: number, isOver: () => boolean): Promise<void> =>
  waitUntil(
    () => isOver() || writes.counts().acknowledged >= count,
    () => `${JSON.stringify(writes.counts())}, waiting for ${count}`,
  );

/** When to inject the next fault: resolves to false when the soak is over. */
type Pacing = { readonly nextFault: (isFailed: () => boolean) => Promise<boolean> };

function byTime({ seconds, faultEveryMs }: { readonly seconds: number; readonly faultEveryMs: number }): Pacing {
  const end = performance.now() + seconds * 1000;
  return {
    nextFault: async () => {
      await pause(Math.min(faultEveryMs * (0.5 + Math.random()), Math.max(0, end - performance.now())));
      return performance.now() < end;
    },
  };
}

/** However slow the machine is, every fault hits working servers, and writes succeed after the last one. */
function byWrites(
  length: { readonly faults: number; readonly writesBetween: number },
  writes: AcknowledgedWrites,
): Pacing {
  let left = length.faults;
  return {
    nextFault: async (isFailed) => {
      await waitUntilAcknowledged(writes, writes.counts().acknowledged + length.writesBetween, isFailed);
      left -= 1;
      return left >= 0;
    },
  };
}
