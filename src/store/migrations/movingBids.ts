import { parseOwnJson } from "../../base/ownJson.ts";
import type { Tender } from "../../domain/model/tender.ts";
import { bidBytes, bidTotalsOf } from "../../domain/tender/sizeRules.ts";

/**
 * Moves the bids of tenders into rows of their own. In schema 3 and older they are part of the JSON of their tender. A large registry
 * takes minutes, so tenders are moved in batches, each in a transaction that also records how far it came: a server that is stopped
 * continues there when it starts again.
 */
export const MOVING_BIDS = "bids into rows of their own";

/** How many tenders are moved in one transaction. */
export const TENDERS_AT_ONCE = 200;
/** A tender with thousands of bids can have hundreds of megabytes, and not many of those fit into memory together. */
export const BYTES_AT_ONCE = 16 * 1024 * 1024;

/** A tender without its bids, and its bids as rows. */
export type MovedTender = {
  readonly id: string;
  readonly document: string;
  readonly bids: readonly {
    readonly id: string;
    readonly owner: string;
    readonly bytes: number;
    readonly document: string;
  }[];
  readonly totals: readonly { readonly owner: string; readonly count: number; readonly bytes: number }[];
};

/** Splits the JSON of a tender of an older schema. */
export function splitTender({ id, document }: { readonly id: string; readonly document: string }): MovedTender {
  const { bids = [], ...tender } = parseOwnJson<Omit<Tender, "bids"> & { readonly bids?: Tender["bids"] }>(document);
  return {
    id,
    document: JSON.stringify(tender),
    bids: bids.map((bid) => ({ id: bid.id, owner: bid.owner, bytes: bidBytes(bid), document: JSON.stringify(bid) })),
    totals: [...bidTotalsOf(bids)].map(([owner, total]) => ({ owner, ...total })),
  };
}
