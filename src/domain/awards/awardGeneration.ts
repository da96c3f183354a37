import { lotBidsOn } from "../bids/bidsByLot.ts";
import { rank } from "../bids/ranking.ts";
import type { TimeContext } from "../model/commands.ts";
import type { Award, Bid, Lot, Tender } from "../model/tender.ts";
import { featuresOf } from "../tender/features.ts";

/** Generates awards: the best-ranked bid that has not been rejected becomes the next award to be qualified. */

const isUndecided = (award: Award | undefined): boolean => award?.status === "pending" || award?.status === "active";

/**
 * Adds the awards that are due, for the tender or for each active lot, and moves the tender to `active.qualification` if an award
 * is pending, else to `active.awarded`. Lots without bids become unsuccessful.
 */
export function generateAwards(tender: Tender, context: TimeContext): Tender {
  const withPeriod = { ...tender, awardPeriod: { startDate: context.at, ...tender.awardPeriod } };
  const awarded =
    tender.lots.length === 0 ? withNextAward(withPeriod, undefined, context) : withLotAwards(withPeriod, context);
  const pending = awarded.lots.length === 0 ? awarded.awards.at(-1)?.status === "pending" : isAnyLotPending(awarded);
  const { endDate: _open, ...period } = awarded.awardPeriod ?? {};
  const status = pending ? "active.qualification" : "active.awarded";
  return {
    ...awarded,
    ...(status === awarded.status ? {} : { status, date: context.at }),
    awardPeriod: pending ? period : { ...period, endDate: awarded.awardPeriod?.endDate ?? context.at },
  };
}

function withLotAwards(tender: Tender, context: TimeContext): Tender {
  return tender.lots
    .filter(({ status }) => status === "active")
    .reduce((current, lot) => {
      const hasNoBids = lotBidsOn(current, lot).length === 0;
      return hasNoBids
        ? withLot(current, { ...lot, status: "unsuccessful", date: context.at })
        : withNextAward(current, lot, context);
    }, tender);
}

/** The tender with this lot in place of the one with the same id. */
export const withLot = (tender: Tender, lot: Lot): Tender => ({
  ...tender,
  lots: tender.lots.map((existing) => (existing.id === lot.id ? lot : existing)),
});

const isAnyLotPending = ({ lots, awards }: Tender): boolean =>
  lots.some(({ id, status }) => status === "active" && awardsForLot(awards, id).at(-1)?.status === "pending");

/** The awards of a lot, or those of a tender without lots if `lotID` is undefined, in the order in which they were made. */
export const awardsForLot = (awards: readonly Award[], lotID: string | undefined): readonly Award[] =>
  awards.filter((award) => award.lotID === lotID);

function withNextAward(tender: Tender, lot: Lot | undefined, { at, newId }: TimeContext): Tender {
  const earlierAwards = awardsForLot(tender.awards, lot?.id);
  if (isUndecided(earlierAwards.at(-1))) return tender;
  const rejected = new Set(earlierAwards.filter(({ status }) => status === "unsuccessful").map(({ bid_id }) => bid_id));
  const best = rankedBids(tender, lot).find(({ id }) => !rejected.has(id));
  if (!best) return tender;
  const lotValue = lot && lotBidsOn(tender, lot).find(({ bid }) => bid === best)?.lotValue;
  const award: Award = {
    id: newId(),
    date: at,
    status: "pending",
    bid_id: best.id,
    ...(lot && { lotID: lot.id }),
    value: lot ? lotValue?.value : best.value,
    suppliers: best.tenderers,
    complaintPeriod: { startDate: at },
    documents: [],
    complaints: [],
  };
  return { ...tender, awards: [...tender.awards, award] };
}

/** The bids on a lot, or on the whole tender, ordered by normalised price. */
function rankedBids(tender: Tender, lot: Lot | undefined): readonly Bid[] {
  const offers = lot
    ? lotBidsOn(tender, lot).map(({ bid, lotValue }) => ({ bid, priced: lotValue }))
    : tender.bids.map((bid) => ({ bid, priced: bid }));
  const features = lot ? featuresOf(tender, [lot]) : (tender.features ?? []);
  // `checkPricedBid` requires the amounts, and code and value of each parameter, before a bid is stored.
  const order = rank(
    offers.map(({ bid, priced }) => {
      const parameters = (bid.parameters ?? []).map(({ code, value }) => ({ code: code!, value: value! }));
      return { id: bid.id, amount: priced.value!.amount!, date: priced.date ?? bid.date, parameters };
    }),
    features,
  );
  const bids = new Map(offers.map(({ bid }) => [bid.id, bid]));
  return order.flatMap(({ id }) => bids.get(id) ?? []);
}
