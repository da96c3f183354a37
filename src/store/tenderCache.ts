import { openLruBySize } from "../base/lru.ts";
import { parseOwnJson } from "../base/ownJson.ts";
import type { Tender } from "../domain/model/tender.ts";
import type { Instant } from "../domain/values/time.ts";
import type { Engine, Position, StoredRow } from "./engine.ts";
import { heapBytesOfTender } from "./heapBytes.ts";
import type { PublicView, StoredTender } from "./store.ts";

const READ_ONCE_MAX = 4096;
const VIEWS_MAX = 10_000;

/** After more changes by other servers than this, clearing the cache is cheaper than invalidating entries. */
const INVALIDATIONS_MAX = 1000;

/**
 * A cache of parsed tenders that is never stale: its content is valid up to a position in the ledger (`validUpTo`), and before each
 * use, changes after that position invalidate what they affect.
 */
export function openTenderCache(engine: Engine, bytesMax: number, largeBytesMax: number) {
  const cache = openLruBySize<StoredTender>(bytesMax, bytesMax > 0 ? largeBytesMax : 0);
  /** The latest load in progress of each tender. If the tender changes in the meantime it is removed here, and its result is not cached. */
  const loading = new Map<string, Promise<StoredTender | undefined>>();
  /** Tenders that were read once recently; only tenders that are read again are cached. */
  const readOnce = new Set<string>();
  /** The current public views of tenders that were read repeatedly. */
  const views = openViewCache(bytesMax > 0 ? VIEWS_MAX : 0);
  let validUpTo = 0;
  /** When any public view last changed, up to `validUpTo`. */
  let publicChangeAt: Instant = 0;

  async function find(id: string): Promise<StoredTender | undefined> {
    if (!cache.has(id) && !loading.has(id)) return load(id);
    await syncTo(await engine.position());
    // A load that is still registered has seen every change up to this position; sharing it avoids parsing a large tender twice.
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

  /** As `find`, inside a write transaction after `syncTo`. */
  function current(id: string): StoredTender | undefined | Promise<StoredTender | undefined> {
    return cache.get(id) ?? load(id);
  }

  function load(id: string): Promise<StoredTender | undefined> {
    const pendingLoad: Promise<StoredTender | undefined> = engine.load(id).then(
      (found) => {
        const isCurrent = loading.get(id) === pendingLoad;
        if (isCurrent) loading.delete(id);
        return found && cacheLoaded(found, isCurrent);
      },
      (error) => {
        if (loading.get(id) === pendingLoad) loading.delete(id);
        throw error;
      },
    );
    loading.set(id, pendingLoad);
    return pendingLoad;
  }

  function cacheLoaded({ document, revision }: StoredRow, isCurrent: boolean): StoredTender {
    const stored = { tender: parseOwnJson<Tender>(document), revision };
    // The id of the tender is the key, not that of the request, which may be a slice of a long URL and would keep it alive.
    const { tender } = stored;
    if (!isCurrent || !isRepeatedRead(tender.id)) return stored;
    cache.put(tender.id, stored, heapBytesOfTender(tender));
    views.put(tender);
    return stored;
  }

  /** A client that reads every tender once must not evict those that are read often. */
  function isRepeatedRead(id: string): boolean {
    if (readOnce.delete(id)) return true;
    if (readOnce.size >= READ_ONCE_MAX) deleteOldest(readOnce);
    readOnce.add(id);
    return false;
  }

  /** Invalidates what other servers have changed up to this position. */
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

  /** Stores the new states after a commit of this process, during which no other server wrote anything. */
  function storeCommitted(changed: ReadonlyMap<string, StoredTender>, upTo: number): void {
    // A reader has already synced to later changes by other servers, which may have replaced these states.
    if (validUpTo > upTo) return;
    for (const [id, stored] of changed) {
      loading.delete(id);
      publicChangeAt = Math.max(publicChangeAt, stored.tender.dateModified);
      views.update(stored.tender);
      // New tenders are not cached: many are not read for a long time after publication.
      if (stored.revision === 1) continue;
      cache.put(id, stored, heapBytesOfTender(stored.tender));
      views.put(stored.tender);
    }
    validUpTo = upTo;
  }

  return {
    find,
    current,
    syncTo,
    storeCommitted,
    clear: cache.clear,
    isFresh,
    isWorthCaching: views.has,
    publicPosition,
    knownPublicPosition,
  };
}

/** Deletes the element that was added first. */
function deleteOldest(keys: {
  readonly keys: () => Iterator<string>;
  readonly delete: (key: string) => boolean;
}): void {
  const oldest = keys.keys().next();
  if (!oldest.done) keys.delete(oldest.value);
}

/** The public views of recently used tenders. A view stays valid when a sealed bid replaces the cached tender. */
function openViewCache(countMax: number) {
  const dates = new Map<string, Instant>();
  return {
    has: ({ id, dateModified }: PublicView): boolean => dates.get(id) === dateModified,
    put({ id, dateModified }: PublicView): void {
      dates.delete(id);
      dates.set(id, dateModified);
      if (dates.size > countMax) deleteOldest(dates);
    },
    /** Updates the view if it is in the cache. */
    update({ id, dateModified }: PublicView): void {
      if (dates.has(id)) dates.set(id, dateModified);
    },
    clear: () => dates.clear(),
  };
}
