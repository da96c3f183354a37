import type { Instant } from "../../domain/values/time.ts";
import type { FeedRow } from "../../store/store.ts";
import { FEED_START, isAsListed, type RenderEntry } from "../feedEntries.ts";

/**
 * The events of one query of the feed. They are rendered once for all readers. The latest events are buffered in memory; readers that
 * have fallen behind the buffer are served from the store, so slow readers cost no memory.
 */
export type Channel = {
  /** The next buffered events after a position; undefined if there are none yet, "behind" if they are no longer buffered. */
  readonly after: (position: Instant) => EventChunk | undefined | "behind";
  /** The next events after a position, from the store. */
  readonly backfill: (position: Instant) => Promise<EventChunk>;
  /** Reads new events from the store into the buffer; calls `onNew` after each page of them. */
  readonly refresh: (onNew: () => void) => Promise<void>;
};

/** Events as they are sent. A reader continues at `upTo`, which may be later than the last event. */
export type EventChunk = { readonly bytes: Buffer; readonly upTo: Instant };

export type ChannelSettings = {
  readonly feed: (beyond: Instant | undefined, limit: number, descending?: boolean) => Promise<readonly FeedRow[]>;
  readonly entryOf: RenderEntry;
  readonly offsetOf: (at: Instant) => string;
  /** The number of rows that are read from the store at a time. */
  readonly pageRows: number;
  /** The current limit of the buffer; it depends on the number of channels. */
  readonly bytesMax: () => number;
};

type StreamEvent = { readonly at: Instant; readonly text: string };
type EventPage = { readonly events: readonly StreamEvent[]; readonly upTo: Instant; readonly isLast: boolean };

/** The approximate size of a chunk, and so the memory that a stalled reader takes. */
export const CHUNK_BYTES = 64 * 1024;

/** Few, because nearly all readers are at the same position. */
const CHUNKS_MAX = 16;

/** The channel of a query. It reads nothing until `refresh` or `backfill` is called. */
export function openChannel({ feed, entryOf, offsetOf, pageRows, bytesMax }: ChannelSettings): Channel {
  /** `buffered` has all events after `since` up to `head`, in order. */
  let since: Instant;
  let head: Instant;
  let buffered: StreamEvent[] = [];
  let bufferedBytes = 0;
  /** Chunks of buffered events by their first event, so that readers at the same position share the bytes. */
  let chunks = new Map<Instant, EventChunk>();
  const backfills = new Map<Instant, Promise<EventChunk>>();
  let opened: Promise<void> | undefined;

  /** Sets the start of the buffer to the last change. All changes before it are committed, and later ones get later stamps. */
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
    // Drops half of the buffer, so that this happens rarely.
    let dropped = 0;
    for (const { text, at } of buffered) {
      if (bufferedBytes <= bytesMax() / 2) break;
      bufferedBytes -= text.length;
      since = at;
      dropped += 1;
    }
    buffered = buffered.slice(dropped);
  }

  function after(position: Instant): EventChunk | undefined | "behind" {
    // Also true before `open`, while `since` is undefined.
    if (!(position >= since)) return "behind";
    const start = indexAfter(buffered, position);
    const first = buffered[start];
    if (!first) return undefined;
    const cached = chunks.get(first.at);
    if (cached) return cached;
    let last = first;
    let end = start + 1;
    let length = first.text.length;
    for (let next = buffered[end]; next && length < CHUNK_BYTES; next = buffered[end]) {
      length += next.text.length;
      last = next;
      end += 1;
    }
    const chunk = chunkOf(buffered.slice(start, end), last.at);
    if (chunks.size >= CHUNKS_MAX) chunks.clear();
    chunks.set(first.at, chunk);
    return chunk;
  }

  function backfill(position: Instant): Promise<EventChunk> {
    const backfilling = backfills.get(position) ?? readChunk(position).finally(() => backfills.delete(position));
    backfills.set(position, backfilling);
    return backfilling;
  }

  async function readChunk(position: Instant): Promise<EventChunk> {
    await open();
    // Every change up to here was committed before the page is read, so the last page includes all of them.
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

/** The index of the first event after a position, by binary search. */
function indexAfter(events: readonly StreamEvent[], position: Instant): number {
  let low = 0;
  let high = events.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    // `middle` is below `high`, so it is an index of the list.
    if (events[middle]!.at <= position) low = middle + 1;
    else high = middle;
  }
  return low;
}
