import { setTimeout as pause } from "node:timers/promises";
import { openBook } from "./book.ts";
import { follow, walkBack } from "./readers.ts";
import type { House } from "./servers.ts";
import { provesWhole } from "./whole.ts";
import { write } from "./writers.ts";

export type Soaked = {
  readonly acknowledged: number;
  readonly unanswered: number;
  readonly tenders: number;
  readonly pages: number;
  readonly blows: number;
};

export type SoakSettings = {
  readonly seconds: number;
  readonly writers: number;
  /** Between one blow and the next. */
  readonly blowEveryMs: number;
  readonly onProgress?: (told: string) => void;
};

const FORWARD = ["0?", "0.1?limit=7&", "2.3?", "2.5?feed=changes&limit=1000&"];
const BACKWARD = ["0", "2.5"];

/** Writers at full speed, readers in all directions, and blows at random: whatever was acknowledged is seen by everyone, in order. */
export async function soak(house: House, settings: SoakSettings): Promise<Soaked> {
  const { seconds, writers, blowEveryMs, onProgress = () => {} } = settings;
  const { urls } = house;
  const book = openBook();
  const end = performance.now() + seconds * 1000;
  let failed = false;
  const isTimeOver = () => failed || performance.now() > end;
  let blows = 0;
  let allWritten = false;

  const writing = Promise.all(Array.from({ length: writers }, () => write(urls, book, isTimeOver)));
  const following = FORWARD.map((one) => {
    const [version, query] = one.split("?");
    return follow(urls, book, `/api/${version}/tenders?${query}`, () => allWritten);
  });
  const walking = BACKWARD.map((version) => walkBack(urls, book, version, isTimeOver));

  async function strike(): Promise<void> {
    while (!isTimeOver()) {
      await pause(Math.min(blowEveryMs * (0.5 + Math.random()), Math.max(0, end - performance.now())));
      if (isTimeOver()) return;
      const names = Object.keys(house.blows);
      const name = names[blows % names.length]!;
      await house.blows[name]!();
      blows += 1;
      onProgress(`${JSON.stringify(book.counts())}, blow ${blows} killed ${name}`);
    }
  }

  const striking = strike();
  const all = Promise.all([writing, striking]).then(() => {
    allWritten = true;
  });
  const pages = await Promise.all([...following, ...walking, all.then(() => 0)]).catch((error) => {
    failed = true;
    allWritten = true;
    throw error;
  });
  await provesWhole(house, book);
  return { ...book.counts(), pages: pages.reduce((sum, one) => sum + one, 0), blows };
}
