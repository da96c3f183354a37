import type { Tender } from "../domain/tender.ts";
import type { Engine, Kept, Position } from "./engine.ts";
import { heapBytesOfTender } from "./heapBytes.ts";
import { openRecentBySize } from "./recent.ts";
import type { Stored } from "./store.ts";

const READ_ONCE_MAX = 4096;

/** More changes by others than this, and it is cheaper to forget everything. */
const FORGOTTEN_ONE_BY_ONE_MAX = 1000;

/**
 * Tenders kept parsed in memory, never staler than the last acknowledged change of any server: whatever is kept is true
 * up to a row of the ledger, and before it is used, the ledger is asked whether it has gone on.
 */
export function openTenders(engine: Engine, bytesMax: number, largeBytesMax: number) {
  const recent = openRecentBySize<Stored>(bytesMax, bytesMax > 0 ? largeBytesMax : 0);
  /** The last load of each tender that is under way; what changes meanwhile is not to be kept. */
  const loading = new Map<string, Promise<Stored | undefined>>();
  /** Whatever was read once not long ago: what is read again is worth its memory. */
  const readOnce = new Set<string>();
  let trueUpTo = 0;

  async function find(id: string): Promise<Stored | undefined> {
    if (!recent.has(id) && !loading.has(id)) return load(id);
    await bringUpTo(await engine.position());
    // A load that is still under way then has seen every change up to there, and a large tender is not parsed twice at once.
    return recent.get(id) ?? loading.get(id) ?? load(id);
  }

  function isStill(tender: Tender): boolean | Promise<boolean> {
    const isKept = () => recent.get(tender.id)?.tender === tender;
    return engine.knownPosition() ? isKept() : engine.position().then(bringUpTo).then(isKept);
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
    if (stillTrue && isReadAgain(tender.id)) recent.put(tender.id, stored, heapBytesOfTender(tender));
    return stored;
  }

  /** Somebody who reads everything once must not push out what many read, nor fill the memory with what nobody will. */
  function isReadAgain(id: string): boolean {
    if (readOnce.delete(id)) return true;
    if (readOnce.size >= READ_ONCE_MAX) readOnce.delete(readOnce.values().next().value!);
    readOnce.add(id);
    return false;
  }

  /** Forgets whatever others have changed up to there. */
  async function bringUpTo({ sequence }: Position): Promise<void> {
    if (sequence <= trueUpTo) return;
    const changed = await engine.changedSince(trueUpTo, FORGOTTEN_ONE_BY_ONE_MAX);
    if (changed === "many") {
      recent.clear();
      loading.clear();
    } else
      for (const id of changed) {
        recent.drop(id);
        loading.delete(id);
      }
    trueUpTo = Math.max(trueUpTo, sequence);
  }

  /** After a turn of our own, in which nobody else changed anything. */
  function keep(changed: ReadonlyMap<string, Stored>, upTo: number): void {
    // Somebody has heard of later changes before we heard that ours is done: what we would keep may be old already.
    if (trueUpTo > upTo) return;
    for (const [id, stored] of changed) {
      loading.delete(id);
      // A new tender is kept in memory once somebody asks for it: many are published and not read again for long.
      if (stored.revision > 1) recent.put(id, stored, heapBytesOfTender(stored.tender));
    }
    trueUpTo = upTo;
  }

  return { find, isStill, current, bringUpTo, keep, clear: recent.clear };
}
