import type { Instant } from "../../domain/values/time.ts";
import type { FeedRow } from "../../store/store.ts";
import { FEED_START, isAsListed, type RenderEntry } from "../feedEntries.ts";

/**
 * What one question to the feed is answered with from now on: made once, however many listen. The latest events are kept;
 * whoever is behind them is served from the store, so that nobody's slowness costs memory.
 */

export type Channel = {
  /** Events after that place: some of them, none where there are none yet, or "behind" where they are not kept. */
  readonly after: (place: Instant) => EventChunk | undefined | "behind";
  /** The same from the store. */
  readonly backfill: (place: Instant) => Promise<EventChunk>;
  /** Takes in what is new, and says so after each page of it. */
  readonly refresh: (onNew: () => void) => Promise<void>;
};

/** Events as they are sent, and the place they lead to; the place may be further than the last of them. */
export type EventChunk = { readonly bytes: Buffer; readonly upTo: Instant };

export type ChannelSettings = {
  readonly feed: (beyond: Instant | undefined, limit: number, descending?: boolean) => Promise<readonly FeedRow[]>;
  readonly entryOf: RenderEntry;
  readonly offsetOf: (at: Instant) => string;
  /** How many rows are asked for at once. */
  readonly pageRows: number;
  /** How much it may keep at the moment. */
  readonly bytesMax: () => number;
};

type StreamEvent = { readonly at: Instant; readonly text: string };
type EventPage = { readonly events: readonly StreamEvent[]; readonly upTo: Instant; readonly isLast: boolean };

/** What one reader is given at once, and holds if it does not take it. */
export const CHUNK_BYTES = 64 * 1024;

/** Most readers are in one place, and those who are elsewhere are few. */
const CHUNKS_MAX = 16;

export function openChannel({ feed, entryOf, offsetOf, pageRows, bytesMax }: ChannelSettings): Channel {
  /** All events after `since`, up to `head`, are in `kept`, in their order. */
  let since: Instant;
  let head: Instant;
  let buffered: StreamEvent[] = [];
  let bufferedBytes = 0;
  /** By the first event in them: readers at the same place are given the same bytes. */
  let chunks = new Map<Instant, EventChunk>();
  const backfills = new Map<Instant, Promise<EventChunk>>();
  // Whatever is in the feed by now is committed, and whatever comes later is stamped later.
  let opened: Promise<void> | undefined;

  function open(): Promise<void> {
    opened ??= feed(undefined, 1, true).then(
      ([last]) => {
        since = last?.dateModified ?? FEED_START;
        head = since;
      },
      (error) => {
        opened = undefined;
        throw error;
      },
    );
    return opened;
  }

  async function pageAfter(position: Instant): Promise<EventPage> {
    const rows = await feed(position, pageRows);
    const events: StreamEvent[] = [];
    let upTo = position;
    let length = 0;
    for (const row of rows) {
      if (length > CHUNK_BYTES) return { events, upTo, isLast: false };
      const pendingEntry = entryOf(row);
      const entry = pendingEntry instanceof Promise ? await pendingEntry : pendingEntry;
      const isCurrent = isAsListed(entry, row);
      upTo = row.dateModified;
      if (!isCurrent) continue;
      events.push({ at: row.dateModified, text: `id: ${offsetOf(row.dateModified)}\ndata: ${entry.text}\n\n` });
      length += entry.text.length;
    }
    return { events, upTo, isLast: rows.length < pageRows };
  }

  async function refresh(onNew: () => void): Promise<void> {
    await open();
    for (let isLast = false; !isLast; ) {
      const page = await pageAfter(head);
      isLast = page.isLast;
      head = page.upTo;
      if (page.events.length === 0) continue;
      addToBuffer(page.events);
      onNew();
    }
  }

  function addToBuffer(events: readonly StreamEvent[]): void {
    for (const event of events) {
      buffered.push(event);
      bufferedBytes += event.text.length;
    }
    chunks = new Map();
    if (bufferedBytes <= bytesMax()) return;
    // Half of it at once, so that this is seldom.
    let dropped = 0;
    while (dropped < buffered.length && bufferedBytes > bytesMax() / 2)
      bufferedBytes -= buffered[dropped++]!.text.length;
    since = buffered[dropped - 1]!.at;
    buffered = buffered.slice(dropped);
  }

  function after(position: Instant): EventChunk | undefined | "behind" {
    if (!(position >= since)) return "behind";
    const first = indexAfter(buffered, position);
    if (first === buffered.length) return undefined;
    const cached = chunks.get(buffered[first]!.at);
    if (cached) return cached;
    let end = first;
    for (let length = 0; end < buffered.length && length < CHUNK_BYTES; end++) length += buffered[end]!.text.length;
    const chunk = chunkOf(buffered.slice(first, end), buffered[end - 1]!.at);
    if (chunks.size >= CHUNKS_MAX) chunks.clear();
    chunks.set(buffered[first]!.at, chunk);
    return chunk;
  }

  function backfill(position: Instant): Promise<EventChunk> {
    const backfilling = backfills.get(position) ?? readChunk(position).finally(() => backfills.delete(position));
    backfills.set(position, backfilling);
    return backfilling;
  }

  async function readChunk(position: Instant): Promise<EventChunk> {
    await open();
    // All up to here was committed before the page is read, so after the last page there is nothing left before it.
    const committed = since;
    const { events, upTo, isLast } = await pageAfter(position);
    return chunkOf(events, isLast ? Math.max(upTo, committed) : upTo);
  }

  return { after, backfill, refresh };
}

const chunkOf = (events: readonly StreamEvent[], upTo: Instant): EventChunk => ({
  bytes: Buffer.from(events.map(({ text }) => text).join("")),
  upTo,
});

/** The place of the first event after that; they are in their order. */
function indexAfter(events: readonly StreamEvent[], position: Instant): number {
  let low = 0;
  let high = events.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (events[middle]!.at <= position) low = middle + 1;
    else high = middle;
  }
  return low;
}
