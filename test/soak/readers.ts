import assert from "node:assert/strict";
import { waitForNextPoll } from "../support/processes.ts";
import { type AcknowledgedWrites, microsOf } from "./acknowledgedWrites.ts";
import { pickRandom, sendRequest } from "./request.ts";

/** An entry of the feed. The oldest versions call the time `modified`. */
type FeedEntry = { readonly id: string; readonly dateModified?: string; readonly modified?: string };
const timeOf = ({ dateModified, modified }: FeedEntry): number => microsOf((dateModified ?? modified)!);

/** Fetches a page of the feed from a random server, until one responds. */
async function fetchPage(urls: readonly string[], path: string) {
  for (;;) {
    const response = await sendRequest(`${pickRandom(urls)}${path}`);
    if (!response) {
      await waitForNextPoll();
      continue;
    }
    assert.equal(response.status, 200, JSON.stringify(response.body));
    const { data, next_page, prev_page } = response.body;
    return {
      entries: data as readonly FeedEntry[],
      next: next_page.path as string,
      previous: prev_page?.path as string,
    };
  }
}

/**
 * Follows `next_page` until writing has ended and the feed is at its end. Asserts the order of changes, and that none is missing.
 * Returns the number of pages.
 */
export async function followFeed(
  urls: readonly string[],
  writes: AcknowledgedWrites,
  from: string,
  isOver: () => boolean,
): Promise<number> {
  const seenTimes = new Map<string, number>();
  let path = from;
  let before = 0;
  let pages = 0;
  for (;;) {
    const wasOver = isOver();
    const { entries, next } = await fetchPage(urls, path);
    for (const entry of entries) {
      const at = timeOf(entry);
      assert.ok(at > before, `${path} is out of order: ${at} after ${before}`);
      before = at;
      seenTimes.set(entry.id, at);
    }
    path = next;
    pages += 1;
    if (entries.length === 0 && wasOver) break;
    if (entries.length === 0) await waitForNextPoll();
  }
  writes.assertSeen(seenTimes, `the reader of ${from}`);
  return pages;
}

/**
 * Reads the feed backwards from now to the oldest change, then forwards from where it started. Asserts that the two together
 * contain everything that was acknowledged at the start. Returns the number of pages.
 */
export async function walkFeedBack(
  urls: readonly string[],
  writes: AcknowledgedWrites,
  version: string,
  isOver: () => boolean,
) {
  let pages = 0;
  while (!isOver()) {
    const expected = new Map(writes.last);
    const seenTimes = new Map<string, number>();
    let { entries, next, previous } = await fetchPage(urls, `/api/${version}/tenders?descending=1&limit=50`);
    const forward = previous;
    for (let before = Number.POSITIVE_INFINITY; entries.length > 0; { entries, next } = await fetchPage(urls, next)) {
      before = recordDescending(entries, before, seenTimes);
      pages += 1;
    }
    for (let ahead = await fetchPage(urls, forward); ; ahead = await fetchPage(urls, ahead.next)) {
      for (const entry of ahead.entries) seenTimes.set(entry.id, timeOf(entry));
      pages += 1;
      if (ahead.entries.length === 0) break;
    }
    writes.assertSeen(seenTimes, `the backward reader of ${version}`, expected);
    const { acknowledged } = writes.counts();
    while (!isOver() && writes.counts().acknowledged === acknowledged) await waitForNextPoll();
  }
  return pages;
}

function recordDescending(entries: readonly FeedEntry[], from: number, seenTimes: Map<string, number>): number {
  let before = from;
  for (const entry of entries) {
    const at = timeOf(entry);
    assert.ok(at < before, `the descending feed is out of order: ${at} after ${before}`);
    before = at;
    seenTimes.set(entry.id, Math.max(at, seenTimes.get(entry.id) ?? 0));
  }
  return before;
}
