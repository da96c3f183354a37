import { openLruBySize } from "../domain/lru.ts";
import type { Tender } from "../domain/tender.ts";
import type { Instant } from "../domain/time.ts";
import type { Engine, Kept, Position } from "./engine.ts";
import { heapBytesOfTender } from "./heapBytes.ts";
import type { PublicView, Stored } from "./store.ts";

const READ_ONCE_MAX = 4096;
const VIEWS_MAX = 10_000;

/** More changes by others than this, and it is cheaper to forget everything. */
const FORGOTTEN_ONE_BY_ONE_MAX = 1000;

/**
 * Tenders kept parsed in memory, never staler than the last acknowledged change of any server: whatever is kept is true
 * up to a row of the ledger, and before it is used, the ledger is asked whether it has gone on.
 */
export function openTenders(engine: Engine, bytesMax: number, largeBytesMax: number) {
  const recent = openLruBySize<Stored>(bytesMax, bytesMax > 0 ? largeBytesMax : 0);
  /** The last load of each tender that is under way; what changes meanwhile is not to be kept. */
  const loading = new Map<string, Promise<Stored | undefined>>();
  /** Whatever was read once not long ago: what is read again is worth its memory. */
  const readOnce = new Set<string>();
  /** When the public view of a tender last changed, of those that are read again. */
  const views = openViews(bytesMax > 0 ? VIEWS_MAX : 0);
  let trueUpTo = 0;
  /** When any public view last changed, as far as that row. */
  let publicUpTo: Instant = 0;

  async function find(id: string): Promise<Stored | undefined> {
    if (!recent.has(id) && !loading.has(id)) return load(id);
    await bringUpTo(await engine.position());
    // A load that is still under way then has seen every change up to there, and a large tender is not parsed twice at once.
    const found = recent.get(id);
    if (found) views.put(found.tender);
    return found ?? loading.get(id) ?? load(id);
  }

  function isStill(view: PublicView): boolean | Promise<boolean> {
    const isKnown = () => views.has(view);
    return engine.knownPosition() ? isKnown() : engine.position().then(bringUpTo).then(isKnown);
  }

  async function publicPosition(): Promise<Instant> {
    await bringUpTo(await engine.position());
    return publicUpTo;
  }

  function knownPublicPosition(): Instant | undefined {
    return engine.knownPosition()?.sequence === trueUpTo ? publicUpTo : undefined;
  }

  /** As `find`, for whoever has the turn of writing and has brought this up to it. */
  function current(id: string): Stored | undefined | Promise<Stored | undefined> {
    return recent.get(id) ?? load(id);
  }

  function load(id: string): Promise<Stored | undefined> {
    const mine: Promise<Stored | undefined> = engine.load(id).then(
      (found) => {
        const stillTrue = loading.get(id) === mine;
        if (stillTrue) loading.delete(id);
        return found && remembered(found, stillTrue);
      },
      (error) => {
        if (loading.get(id) === mine) loading.delete(id);
        throw error;
      },
    );
    loading.set(id, mine);
    return mine;
  }

  function remembered({ document, revision }: Kept, stillTrue: boolean): Stored {
    const stored = { tender: JSON.parse(document) as Tender, revision };
    // Not the id that was asked with: it is part of an address that may be long.
    const { tender } = stored;
    if (!stillTrue || !isAskedAgain(tender.id)) return stored;
    recent.put(tender.id, stored, heapBytesOfTender(tender));
    views.put(tender);
    return stored;
  }

  /** Somebody who reads everything once must not push out what many read, nor fill the memory with what nobody will. */
  function isAskedAgain(id: string): boolean {
    if (readOnce.delete(id)) return true;
    if (readOnce.size >= READ_ONCE_MAX) readOnce.delete(readOnce.values().next().value!);
    readOnce.add(id);
    return false;
  }

  /** Forgets whatever others have changed up to there; of public views, only those that did change. */
  async function bringUpTo({ sequence, at }: Position): Promise<void> {
    if (sequence <= trueUpTo) return;
    const changed = await engine.changedSince(trueUpTo, FORGOTTEN_ONE_BY_ONE_MAX);
    if (changed === "many") {
      recent.clear();
      loading.clear();
      views.clear();
      publicUpTo = Math.max(publicUpTo, at);
    } else
      for (const view of changed) {
        recent.drop(view.id);
        loading.delete(view.id);
        views.update(view);
        publicUpTo = Math.max(publicUpTo, view.dateModified);
      }
    trueUpTo = Math.max(trueUpTo, sequence);
  }

  /** After a turn of our own, in which nobody else changed anything. */
  function keep(changed: ReadonlyMap<string, Stored>, upTo: number): void {
    // Somebody has heard of later changes before we heard that ours is done: what we would keep may be old already.
    if (trueUpTo > upTo) return;
    for (const [id, stored] of changed) {
      loading.delete(id);
      publicUpTo = Math.max(publicUpTo, stored.tender.dateModified);
      views.update(stored.tender);
      // A new tender is kept in memory once somebody asks for it: many are published and not read again for long.
      if (stored.revision === 1) continue;
      recent.put(id, stored, heapBytesOfTender(stored.tender));
      views.put(stored.tender);
    }
    trueUpTo = upTo;
  }

  return {
    ...{ find, current, bringUpTo, keep, clear: recent.clear },
    ...{ isStill, isReadAgain: views.has, publicPosition, knownPublicPosition },
  };
}

/** The public views of the tenders that were used last; they outlive the tenders in the cache, which sealed bids replace. */
function openViews(countMax: number) {
  const known = new Map<string, Instant>();
  return {
    has: ({ id, dateModified }: PublicView): boolean => known.get(id) === dateModified,
    put({ id, dateModified }: PublicView): void {
      known.delete(id);
      known.set(id, dateModified);
      if (known.size > countMax) known.delete(known.keys().next().value!);
    },
    /** Only where it is known at all. */
    update({ id, dateModified }: PublicView): void {
      if (known.has(id)) known.set(id, dateModified);
    },
    clear: () => known.clear(),
  };
}
