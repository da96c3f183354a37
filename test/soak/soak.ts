import { setTimeout as pause } from "node:timers/promises";
import { openAcknowledgedWrites } from "./acknowledgedWrites.ts";
import { followFeed, walkFeedBack } from "./readers.ts";
import type { SoakTarget } from "./servers.ts";
import { verifyState } from "./verifyState.ts";
import { writeTenders } from "./writers.ts";

/** The counts of a soak. */
export type SoakResult = {
  readonly acknowledged: number;
  readonly unanswered: number;
  readonly tenders: number;
  readonly pages: number;
  readonly faults: number;
};

/** The options of a soak. */
export type SoakOptions = {
  readonly seconds: number;
  readonly writers: number;
  /** The average pause between two faults in milliseconds. */
  readonly faultEveryMs: number;
  readonly onProgress?: (message: string) => void;
};

const FORWARD = ["0?", "0.1?limit=7&", "2.3?", "2.5?feed=changes&limit=1000&"];
const BACKWARD = ["0", "2.5"];

/** Runs writers, readers and random faults at the same time. Fails unless every reader sees every acknowledged write, in order. */
export async function soak(target: SoakTarget, settings: SoakOptions): Promise<SoakResult> {
  const { seconds, writers, faultEveryMs, onProgress = () => {} } = settings;
  const { urls } = target;
  const writes = openAcknowledgedWrites();
  const end = performance.now() + seconds * 1000;
  let failed = false;
  const isTimeOver = () => failed || performance.now() > end;
  let faults = 0;
  let allWritten = false;

  const writing = Promise.all(Array.from({ length: writers }, () => writeTenders(urls, writes, isTimeOver)));
  const following = FORWARD.map((start) => {
    const [version, query] = start.split("?");
    return followFeed(urls, writes, `/api/${version}/tenders?${query}`, () => allWritten);
  });
  const walking = BACKWARD.map((version) => walkFeedBack(urls, writes, version, isTimeOver));

  async function injectFaults(): Promise<void> {
    while (!isTimeOver()) {
      await pause(Math.min(faultEveryMs * (0.5 + Math.random()), Math.max(0, end - performance.now())));
      if (isTimeOver()) return;
      const names = Object.keys(target.faults);
      const name = names[faults % names.length]!;
      await target.faults[name]!();
      faults += 1;
      onProgress(`${JSON.stringify(writes.counts())}, fault ${faults}: ${name}`);
    }
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
