import { heapBytesOfRecord } from "../base/heapBytes.ts";
import { openLruBySize } from "../base/lru.ts";
import { parseOwnJson } from "../base/ownJson.ts";
import type { BidTotals } from "../domain/model/sizeLimits.ts";
import type { Bid, Tender } from "../domain/model/tender.ts";
import type { Instant } from "../domain/values/time.ts";
import type { Engine, Position, StoredRow, StoredRowWithBids } from "./engine.ts";
import { documentIn } from "./rowMapping.ts";
import type { PublicView, ReadSelection, StoredTender } from "./store.ts";

const READ_ONCE_MAX = 4096;
const VIEWS_MAX = 10_000;

/** After more changes by other servers than this, clearing the cache is cheaper than invalidating entries. */
const INVALIDATIONS_MAX = 1000;

/** What is known of a tender: always the tender itself, and its bids and their totals if something needed them. */
export type KnownTender = {
  readonly tender: StoredTender;
  readonly withBids?: StoredTender | undefined;
  readonly totals?: BidTotals | undefined;
  /** Inside a commit group: the number of its changes that only changed a bid. */
  readonly bidChanges?: number;
};

/**
 * A cache of parsed tenders that is never stale: its content is valid up to a position in the ledger (`validUpTo`), and before each
 * use, changes after that position invalidate what they affect.
 */
export function openTenderCache(engine: Engine, bytesMax: number, largeBytesMax: number) {
  const cache = openLruBySize<KnownTender>(bytesMax, bytesMax > 0 ? largeBytesMax : 0);
  /** The latest load in progress of each tender. If it changes in the meantime it is removed here, and its result is not cached. */
  const loading = new Map<string, Promise<KnownTender | undefined>>();
  /** Tenders that were read once recently; only tenders that are read again are cached. */
  const readOnce = new Set<string>();
  /** The current public views of tenders that were read repeatedly. */
  const views = openViewCache(bytesMax > 0 ? VIEWS_MAX : 0);
  let validUpTo = 0;
  /** When any public view last changed, up to `validUpTo`. */
  let publicChangeAt: Instant = 0;

  async function find(
    id: string,
    select: ReadSelection | ((tender: Tender) => ReadSelection) = "all",
  ): Promise<StoredTender | undefined> {
    const isAtHand = cache.has(id) || loading.has(id);
    if (isAtHand) await syncTo(await engine.position());
    // Loading a tender that has all its bids selected takes a single query.
    const found = cache.get(id) ?? (await (isAtHand && loading.get(id) ? loading.get(id) : load(id, select === "all")));
    if (!found) return undefined;
    if (isAtHand) views.put(found.tender.tender);
    const selection = typeof select === "function" ? select(found.tender.tender) : select;
    if (selection === "none") return found.tender;
    if (selection === "all") return found.withBids ?? (await load(id, true))?.withBids;
    return selectBids(found, selection);
  }

  /** The tender with some of its bids, which are read from the database: nothing is cached for each bid. */
  async function selectBids(
    { tender: stored, withBids }: KnownTender,
    selection: Exclude<ReadSelection, string>,
  ): Promise<StoredTender> {
    const { tender } = stored;
    const bids = withBids
      ? withBids.tender.bids.filter((bid) =>
          "owner" in selection ? bid.owner === selection.owner : bid.id === selection.bid,
        )
      : "owner" in selection
        ? (await engine.loadBidsOf(tender.id, selection.owner)).map((document) => parseOwnJson<Bid>(document))
        : await bidsWithId(tender.id, selection.bid);
    return { ...stored, tender: { ...tender, bids }, bids: selection };
  }

  async function bidsWithId(tender: string, id: string | undefined): Promise<readonly Bid[]> {
    const document = id === undefined ? undefined : await engine.loadBid(tender, id);
    return document === undefined ? [] : [parseOwnJson<Bid>(document)];
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

  /** What is known of a tender, inside a write transaction after `syncTo`. */
  function current(id: string): KnownTender | undefined | Promise<KnownTender | undefined> {
    return cache.get(id) ?? load(id, false);
  }

  function load(id: string, withBids: boolean): Promise<KnownTender | undefined> {
    const rows: Promise<StoredRow | StoredRowWithBids | undefined> = withBids
      ? engine.loadWithBids(id)
      : engine.load(id);
    const pendingLoad: Promise<KnownTender | undefined> = rows.then(
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

  function cacheLoaded(row: StoredRow | StoredRowWithBids, isCurrent: boolean): KnownTender {
    const known = knownTenderOf(row);
    // The id of the tender is the key, not that of the request, which may be a slice of a long URL and would keep it alive.
    const { tender } = known.tender;
    if (!isCurrent || !(cache.has(tender.id) || isRepeatedRead(tender.id))) return known;
    putKnown(known);
    views.put(tender);
    return known;
  }

  function putKnown(known: KnownTender): void {
    if (bytesMax === 0) return;
    const { tender } = known.withBids ?? known.tender;
    cache.put(tender.id, known, heapBytesOfRecord(tender));
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
      for (const record of changed) {
        loading.delete(record.id);
        if (record.kind === "bid") forgetBids(record.id);
        else cache.drop(record.id);
        views.update(record);
        publicChangeAt = Math.max(publicChangeAt, record.dateModified);
      }
    validUpTo = Math.max(validUpTo, sequence);
  }

  /** A bid of another server leaves the tender itself as it was. */
  function forgetBids(id: string): void {
    const known = cache.get(id);
    if (known?.withBids || known?.totals) putKnown({ tender: known.tender });
  }

  /** Stores the new states after a commit of this process, during which no other server wrote anything. */
  function storeCommitted(changed: ReadonlyMap<string, KnownTender>, upTo: number): void {
    // A reader has already synced to later changes by other servers, which may have replaced these states.
    if (validUpTo > upTo) return;
    for (const [id, known] of changed) {
      loading.delete(id);
      const { tender, revision } = known.tender;
      publicChangeAt = Math.max(publicChangeAt, tender.dateModified);
      views.update(tender);
      // New tenders are not cached: many are not read for a long time after publication.
      if (revision === 1 && !known.totals && !cache.has(id)) continue;
      putKnown(known);
      views.put(tender);
    }
    validUpTo = upTo;
  }

  return {
    find,
    current,
    bidsWithId,
    syncTo,
    storeCommitted,
    clear: cache.clear,
    isFresh,
    isWorthCaching: views.has,
    publicPosition,
    knownPublicPosition,
  };
}

/** The tender of a row, and the same with its bids if the row has them. */
export function knownTenderOf(row: StoredRow | StoredRowWithBids): KnownTender {
  const { document, revision } = row;
  const tender: Tender = { ...parseOwnJson<Omit<Tender, "bids">>(documentIn(document)), bids: [] };
  const known: KnownTender = { tender: { tender, revision, bids: "none" } };
  if (!("bids" in row)) return known;
  const bids = parseOwnJson<readonly Bid[]>(`[${row.bids ?? ""}]`);
  return { ...known, withBids: { tender: { ...tender, bids }, revision, bids: "all", bidChanges: row.bidChanges } };
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
