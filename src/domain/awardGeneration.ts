import { lotBidsOn } from "./bidsByLot.ts";
import { featuresOf } from "./features.ts";
import type { TimeContext } from "./model/commands.ts";
import type { Award, Bid, Lot, Tender } from "./model/tender.ts";
import { rank } from "./ranking.ts";

/** The service makes awards: the best bid that has not been rejected is next to be looked at. */

const isUndecided = (award: Award | undefined): boolean => award?.status === "pending" || award?.status === "active";

/** Makes the awards that are due, and moves the tender to where they leave it. */
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

export const withLot = (tender: Tender, lot: Lot): Tender => ({
  ...tender,
  lots: tender.lots.map((existing) => (existing.id === lot.id ? lot : existing)),
});

const isAnyLotPending = ({ lots, awards }: Tender): boolean =>
  lots.some(({ id, status }) => status === "active" && awardsForLot(awards, id).at(-1)?.status === "pending");

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

/** The bids in the order of their normalised prices. */
function rankedBids(tender: Tender, lot: Lot | undefined): readonly Bid[] {
  const offers = lot
    ? lotBidsOn(tender, lot).map(({ bid, lotValue }) => ({ bid, priced: lotValue }))
    : tender.bids.map((bid) => ({ bid, priced: bid }));
  const features = lot ? featuresOf(tender, [lot]) : (tender.features ?? []);
  const order = rank(
    offers.map(({ bid, priced }) => {
      const parameters = (bid.parameters ?? []).map(({ code, value }) => ({ code: code!, value: value! }));
      return { id: bid.id, amount: priced.value!.amount!, date: priced.date ?? bid.date, parameters };
    }),
    features,
  );
  const bids = new Map(offers.map(({ bid }) => [bid.id, bid]));
  return order.map(({ id }) => bids.get(id)!);
}
