import type { Bid } from "../model/tender.ts";
import { isSameJson } from "../values/merge.ts";

/** A bid that a change adds, replaces or, without a bid, removes. */
export type BidChange = { readonly id: string; readonly before: Bid | undefined; readonly bid: Bid | undefined };

/** The bids that differ between two states of a tender. */
export type BidChanges = {
  readonly changes: readonly BidChange[];
  /** Whether bids have another order than before, apart from new ones at the end. All bids are then in `changes`. */
  readonly isReordered: boolean;
};

const NO_CHANGES: BidChanges = { changes: [], isReordered: false };

/** What a change does to the bids of a tender. Most bids are the same objects as before, which makes the comparison cheap. */
export function bidChangesBetween(before: readonly Bid[], after: readonly Bid[]): BidChanges {
  if (before === after) return NO_CHANGES;
  const left = new Map(before.map((bid) => [bid.id, bid]));
  const changes: BidChange[] = [];
  for (const bid of after) {
    const existing = left.get(bid.id);
    left.delete(bid.id);
    if (!existing || !isSameJson(existing, bid)) changes.push({ id: bid.id, before: existing, bid });
  }
  const removed = [...left.values()].map((bid): BidChange => ({ id: bid.id, before: bid, bid: undefined }));
  if (isInOrder(before, after, left)) return { changes: [...removed, ...changes], isReordered: false };
  const existing = new Map(before.map((bid) => [bid.id, bid]));
  const all = after.map((bid): BidChange => ({ id: bid.id, before: existing.get(bid.id), bid }));
  return { changes: [...removed, ...all], isReordered: true };
}

/** Whether the bids that are left have the same order, and new ones come after them. */
function isInOrder(before: readonly Bid[], after: readonly Bid[], removed: ReadonlyMap<string, Bid>): boolean {
  let at = 0;
  for (const { id } of before) {
    if (removed.has(id)) continue;
    if (after[at]?.id !== id) return false;
    at += 1;
  }
  return true;
}
