import type { Award, Bid, Tender } from "../domain/model/tender.ts";
import { FINAL_STATUSES } from "../domain/procedures/procedure.ts";

/**
 * Returns the check whether a bid of this tender is decided: it has won something, or can win nothing any more, because what it was for
 * has ended or the bid was rejected there. It depends on the status, the lots and the awards of the tender, and on that bid alone.
 */
export function openDecisionCheck({ status, lots, awards }: Tender): (bid: Bid) => boolean {
  if (FINAL_STATUSES.includes(status)) return () => true;
  const awardsOf = Map.groupBy(awards, ({ bid_id }) => bid_id);
  const openLots = new Set(lots.flatMap((lot) => (lot.status === "active" ? [lot.id] : [])));
  const isRejected = (own: readonly Award[], lot: string | undefined) =>
    own.some(({ status: decision, lotID }) => decision === "unsuccessful" && lotID === lot);
  return ({ id, lotValues = [] }) => {
    const own = awardsOf.get(id) ?? [];
    if (own.some(({ status: decision }) => decision === "active")) return true;
    if (lots.length === 0 || lotValues.length === 0) return isRejected(own, undefined);
    return lotValues.every(
      ({ relatedLot }) => relatedLot === undefined || !openLots.has(relatedLot) || isRejected(own, relatedLot),
    );
  };
}
