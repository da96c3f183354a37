import { openLruBySize } from "../base/lru.ts";
import type { Tender } from "../domain/model/tender.ts";
import type { Instant } from "../domain/values/time.ts";
import type { Engine, Position, StoredRow } from "./engine.ts";
import { heapBytesOfTender } from "./heapBytes.ts";
import type { PublicView, StoredTender } from "./store.ts";

const READ_ONCE_MAX = 4096;
const VIEWS_MAX = 10_000;

/** More changes by others than this, and it is cheaper to forget everything. */
const INVALIDATIONS_MAX = 1000;

/**
 * Tenders kept parsed in memory, never staler than the last acknowledged change of any server: whatever is kept is true
 * up to a row of the ledger, and before it is used, the ledger is asked whether it has gone on.
 */
export function openTenderCache(engine: Engine, bytesMax: number, largeBytesMax: number) {
  const cache = openLruBySize<StoredTender>(bytesMax, bytesMax > 0 ? largeBytesMax : 0);
  /** The last load of each tender that is under way; what changes meanwhile is not to be kept. */
  const loading = new Map<string, Promise<StoredTender | undefined>>();
  /** Whatever was read once not long ago: what is read again is worth its memory. */
  const readOnce = new Set<string>();
  /** When the public view of a tender last changed, of those that are read again. */
  const views = openViewCache(bytesMax > 0 ? VIEWS_MAX : 0);
  let validUpTo = 0;
  /** When any public view last changed, as far as that row. */
  let publicChangeAt: Instant = 0;

  async function find(id: string): Promise<StoredTender | undefined> {
    if (!cache.has(id) && !loading.has(id)) return load(id);
    await syncTo(await engine.position());
    // A load that is still under way then has seen every change up to there, and a large tender is not parsed twice at once.
    const found = cache.get(id);
    if (found) views.put(found.tender);
    return found ?? loading.get(id) ?? load(id);
  }

  function isFresh(view: PublicView): boolean | Promise<boolean> {
    const isKnown = () => views.has(view);
    return engine.knownPosition() ? isKnown() : engine.position().then(syncTo).then(isKnown);
  }

  async function publicPosition(): Promise<Instant> {
    await syncTo(await engine.position());
    return publicChangeAt;
  }

  function knownPublicPosition(): Instant | undefined {
    return engine.knownPosition()?.sequence === validUpTo ? publicChangeAt : undefined;
  }

  /** As `find`, for whoever has the turn of writing and has brought this up to it. */
  function current(id: string): StoredTender | undefined | Promise<StoredTender | undefined> {
    return cache.get(id) ?? load(id);
  }

  function load(id: string): Promise<StoredTender | undefined> {
    const mine: Promise<StoredTender | undefined> = engine.load(id).then(
      (found) => {
        const isCurrent = loading.get(id) === mine;
        if (isCurrent) loading.delete(id);
        return found && cacheLoaded(found, isCurrent);
      },
      (error) => {
        if (loading.get(id) === mine) loading.delete(id);
        throw error;
      },
    );
    loading.set(id, mine);
    return mine;
  }

  function cacheLoaded({ document, revision }: StoredRow, isCurrent: boolean): StoredTender {
    const stored = { tender: JSON.parse(document) as Tender, revision };
    // Not the id that was asked with: it is part of an address that may be long.
    const { tender } = stored;
    if (!isCurrent || !isRepeatedRead(tender.id)) return stored;
    cache.put(tender.id, stored, heapBytesOfTender(tender));
    views.put(tender);
    return stored;
  }

  /** Somebody who reads everything once must not push out what many read, nor fill the memory with what nobody will. */
  function isRepeatedRead(id: string): boolean {
    if (readOnce.delete(id)) return true;
    if (readOnce.size >= READ_ONCE_MAX) readOnce.delete(readOnce.values().next().value!);
    readOnce.add(id);
    return false;
  }

  /** Forgets whatever others have changed up to there; of public views, only those that did change. */
  async function syncTo({ sequence, at }: Position): Promise<void> {
    if (sequence <= validUpTo) return;
    const changed = await engine.changedSince(validUpTo, INVALIDATIONS_MAX);
    if (changed === "many") {
      cache.clear();
      loading.clear();
      views.clear();
      publicChangeAt = Math.max(publicChangeAt, at);
    } else
      for (const view of changed) {
        cache.drop(view.id);
        loading.delete(view.id);
        views.update(view);
        publicChangeAt = Math.max(publicChangeAt, view.dateModified);
      }
    validUpTo = Math.max(validUpTo, sequence);
  }

  /** After a turn of our own, in which nobody else changed anything. */
  function storeCommitted(changed: ReadonlyMap<string, StoredTender>, upTo: number): void {
    // Somebody has heard of later changes before we heard that ours is done: what we would keep may be old already.
    if (validUpTo > upTo) return;
    for (const [id, stored] of changed) {
      loading.delete(id);
      publicChangeAt = Math.max(publicChangeAt, stored.tender.dateModified);
      views.update(stored.tender);
      // A new tender is kept in memory once somebody asks for it: many are published and not read again for long.
      if (stored.revision === 1) continue;
      cache.put(id, stored, heapBytesOfTender(stored.tender));
      views.put(stored.tender);
    }
    validUpTo = upTo;
  }

  return {
    ...{ find, current, bringUpTo: syncTo, keep: storeCommitted, clear: cache.clear },
    ...{ isStill: isFresh, isWorthCaching: views.has, publicPosition, knownPublicPosition },
  };
}

/** The public views of the tenders that were used last; they outlive the tenders in the cache, which sealed bids replace. */
function openViewCache(countMax: number) {
  const dates = new Map<string, Instant>();
  return {
    has: ({ id, dateModified }: PublicView): boolean => dates.get(id) === dateModified,
    put({ id, dateModified }: PublicView): void {
      dates.delete(id);
      dates.set(id, dateModified);
      if (dates.size > countMax) dates.delete(dates.keys().next().value!);
    },
    /** Only where it is known at all. */
    update({ id, dateModified }: PublicView): void {
      if (dates.has(id)) dates.set(id, dateModified);
    },
    clear: () => dates.clear(),
  };
}
