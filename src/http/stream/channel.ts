import type { Instant } from "../../domain/time.ts";
import type { FeedRow } from "../../store/store.ts";
import { BEGINNING, type EntryOf, isAsListed } from "../entries.ts";

/**
 * What one question to the feed is answered with from now on: made once, however many listen. The latest events are kept;
 * whoever is behind them is served from the store, so that nobody's slowness costs memory.
 */

export type Channel = {
  /** Events after that place: some of them, none where there are none yet, or "behind" where they are not kept. */
  readonly after: (place: Instant) => Chunk | undefined | "behind";
  /** The same from the store. */
  readonly backfill: (place: Instant) => Promise<Chunk>;
  /** Takes in what is new, and says so after each page of it. */
  readonly refresh: (onNew: () => void) => Promise<void>;
};

/** Events as they are sent, and the place they lead to; the place may be further than the last of them. */
export type Chunk = { readonly bytes: Buffer; readonly upTo: Instant };

export type ChannelSettings = {
  readonly feed: (beyond: Instant | undefined, limit: number, descending?: boolean) => Promise<readonly FeedRow[]>;
  readonly entryOf: EntryOf;
  readonly offsetOf: (at: Instant) => string;
  /** How many rows are asked for at once. */
  readonly pageRows: number;
  /** How much it may keep at the moment. */
  readonly bytesMax: () => number;
};

type Event = { readonly at: Instant; readonly text: string };
type Page = { readonly events: readonly Event[]; readonly upTo: Instant; readonly isLast: boolean };

/** What one reader is given at once, and holds if it does not take it. */
export const CHUNK_BYTES = 64 * 1024;

/** Most readers are in one place, and those who are elsewhere are few. */
const CHUNKS_MAX = 16;

export function openChannel({ feed, entryOf, offsetOf, pageRows, bytesMax }: ChannelSettings): Channel {
  /** All events after `since`, up to `head`, are in `kept`, in their order. */
  let since: Instant;
  let head: Instant;
  let kept: Event[] = [];
  let bytesKept = 0;
  /** By the first event in them: readers at the same place are given the same bytes. */
  let chunks = new Map<Instant, Chunk>();
  const filling = new Map<Instant, Promise<Chunk>>();
  // Whatever is in the feed by now is committed, and whatever comes later is stamped later.
  let opened: Promise<void> | undefined;

  function open(): Promise<void> {
    opened ??= feed(undefined, 1, true).then(
      ([last]) => {
        since = last?.dateModified ?? BEGINNING;
        head = since;
      },
      (error) => {
        opened = undefined;
        throw error;
      },
    );
    return opened;
  }

  async function pageAfter(place: Instant): Promise<Page> {
    const rows = await feed(place, pageRows);
    const events: Event[] = [];
    let upTo = place;
    let length = 0;
    for (const row of rows) {
      if (length > CHUNK_BYTES) return { events, upTo, isLast: false };
      const told = entryOf(row);
      const entry = told instanceof Promise ? await told : told;
      const isTold = isAsListed(entry, row);
      upTo = row.dateModified;
      if (!isTold) continue;
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
      keep(page.events);
      onNew();
    }
  }

  function keep(events: readonly Event[]): void {
    for (const event of events) {
      kept.push(event);
      bytesKept += event.text.length;
    }
    chunks = new Map();
    if (bytesKept <= bytesMax()) return;
    // Half of it at once, so that this is seldom.
    let dropped = 0;
    while (dropped < kept.length && bytesKept > bytesMax() / 2) bytesKept -= kept[dropped++]!.text.length;
    since = kept[dropped - 1]!.at;
    kept = kept.slice(dropped);
  }

  function after(place: Instant): Chunk | undefined | "behind" {
    if (!(place >= since)) return "behind";
    const first = firstAfter(kept, place);
    if (first === kept.length) return undefined;
    const known = chunks.get(kept[first]!.at);
    if (known) return known;
    let end = first;
    for (let length = 0; end < kept.length && length < CHUNK_BYTES; end++) length += kept[end]!.text.length;
    const chunk = chunkOf(kept.slice(first, end), kept[end - 1]!.at);
    if (chunks.size >= CHUNKS_MAX) chunks.clear();
    chunks.set(kept[first]!.at, chunk);
    return chunk;
  }

  function backfill(place: Instant): Promise<Chunk> {
    const made = filling.get(place) ?? fill(place).finally(() => filling.delete(place));
    filling.set(place, made);
    return made;
  }

  async function fill(place: Instant): Promise<Chunk> {
    await open();
    // All up to here was committed before the page is read, so after the last page there is nothing left before it.
    const committed = since;
    const { events, upTo, isLast } = await pageAfter(place);
    return chunkOf(events, isLast ? Math.max(upTo, committed) : upTo);
  }

  return { after, backfill, refresh };
}

const chunkOf = (events: readonly Event[], upTo: Instant): Chunk => ({
  bytes: Buffer.from(events.map(({ text }) => text).join("")),
  upTo,
});

/** The place of the first event after that; they are in their order. */
function firstAfter(events: readonly Event[], place: Instant): number {
  let low = 0;
  let high = events.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (events[middle]!.at <= place) low = middle + 1;
    else high = middle;
  }
  return low;
}
