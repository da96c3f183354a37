import { bidChangesBetween } from "../domain/bids/bidChanges.ts";
import type { Tender } from "../domain/model/tender.ts";
import { isSameJson } from "../domain/values/merge.ts";
import type { RecordKind } from "../store/store.ts";
import { type PatchOperation, patchBetween } from "./patch.ts";

/** The record that changed between two states of a tender, and the text of its patch. */
export type RecordPatch = { readonly kind: RecordKind; readonly patch: string };

/** The patch of a change: that of a bid if nothing else changed, otherwise that of the tender with all its bids that changed. */
export function tenderPatch(before: Tender, after: Tender): RecordPatch {
  const { changes, isReordered } = bidChangesBetween(before.bids, after.bids);
  const [change, ...others] = changes;
  if (change && others.length === 0 && !isReordered && isSameExceptBids(before, after))
    return { kind: "bid", patch: JSON.stringify(recordPatch(change.before, change.bid, "")) };
  return { kind: "tender", patch: JSON.stringify(tenderOperations(before, after)) };
}

/** All operations that turn one state of a tender into another, with bids found by their ids. */
export function tenderOperations(before: Tender, after: Tender): readonly PatchOperation[] {
  const { changes, isReordered } = bidChangesBetween(before.bids, after.bids);
  const operations = patchBetween({ ...before, bids: undefined }, { ...after, bids: undefined });
  if (isReordered) return [...operations, { op: "replace", path: "/bids", value: after.bids }];
  return [...operations, ...changes.flatMap(({ id, before, bid }) => recordPatch(before, bid, bidPath(id)))];
}

/** The path of a bid in patches of its tender. */
export const bidPath = (id: string): string => `/bids/${id.replaceAll("~", "~0").replaceAll("/", "~1")}`;

function recordPatch(before: object | undefined, after: object | undefined, path: string): readonly PatchOperation[] {
  if (!after) return [{ op: "remove", path }];
  return before ? patchBetween(before, after, path) : [{ op: "add", path, value: after }];
}

/** Whether two states of a tender differ in nothing but their bids. */
const isSameExceptBids = (before: Tender, after: Tender): boolean =>
  isSameJson({ ...before, bids: undefined }, { ...after, bids: undefined });
