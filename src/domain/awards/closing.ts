import { auctionMode } from "../acceleration.ts";
import { lotBidsOn } from "../bids/bidsByLot.ts";
import type { TimeContext } from "../model/commands.ts";
import type { Lot, Period, Tender } from "../model/tender.ts";
import { generateAwards } from "./awardGeneration.ts";
import { withClaimsIgnored, withStatus, withStatusFromLots } from "./finalising.ts";

/**
 * Ends the tender period. Draft bids are deleted. Without bids the tender (or lot) is unsuccessful, one bid leads to
 * qualification, and two or more lead to the auction.
 */
export function closeTendering(tender: Tender, context: TimeContext): Tender {
  const bids = tender.bids.filter(({ status }) => status === "active");
  const closed = { ...tender, bids };
  const moved = tender.lots.length > 0 ? closeLots(closed, context) : closeTender(closed, context);
  return withClaimsIgnored(moved, context.at);
}

function closeTender(tender: Tender, context: TimeContext): Tender {
  if (tender.bids.length === 0) return withStatus("unsuccessful", withoutAuction(tender), context.at);
  if (tender.bids.length === 1) return generateAwards(withoutAuction(tender), context);
  return startAuction(tender, context);
}

function closeLots(tender: Tender, context: TimeContext): Tender {
  const lots = tender.lots.map((lot): Lot => {
    const bids = lotBidsOn(tender, lot).length;
    const planned = bids < 2 ? withoutAuction(lot) : lot;
    return lot.status === "active" && bids === 0 ? { ...planned, status: "unsuccessful", date: context.at } : planned;
  });
  const closed = withStatusFromLots({ ...tender, lots }, context.at);
  if (closed.status !== tender.status) return closed;
  const bidsOnBusiestLot = Math.max(
    ...lots.filter(({ status }) => status === "active").map((lot) => lotBidsOn(tender, lot).length),
  );
  return bidsOnBusiestLot === 1 ? generateAwards(closed, context) : startAuction(closed, context);
}

/** In the sandbox, a tender may skip its auction or end it at once; the prices of the bids are then final. */
function startAuction(tender: Tender, context: TimeContext): Tender {
  const inAuction = withStatus("active.auction", tender, context.at);
  const mode = auctionMode(tender.submissionMethodDetails, context.sandbox);
  if (mode === "no-auction") return generateAwards(inAuction, context);
  return mode === "fast-forward" ? { ...inAuction, auctionEndsAt: context.at } : inAuction;
}

/** Removes the planned start of an auction that will not take place. */
function withoutAuction<Planned extends { readonly auctionPeriod?: Period }>(planned: Planned): Planned {
  const { startDate: _dropped, ...rest } = planned.auctionPeriod ?? {};
  return planned.auctionPeriod ? { ...planned, auctionPeriod: rest } : planned;
}

/** Whether every active lot with two or more bids has been auctioned. */
export const isAuctionOver = (tender: Tender): boolean =>
  tender.lots
    .filter((lot) => lot.status === "active" && lotBidsOn(tender, lot).length > 1)
    .every(({ auctionPeriod }) => auctionPeriod?.endDate !== undefined);

/** Ends the auction of the tender, or of every lot that has one, with the prices of the bids, and generates the awards. Sandbox only. */
export function runAuctionAtOnce(tender: Tender, context: TimeContext): Tender {
  const endNow = (period: Period | undefined): Period => ({ startDate: context.at, ...period, endDate: context.at });
  const lots = tender.lots.map((lot) =>
    lot.status === "active" && lotBidsOn(tender, lot).length > 1
      ? { ...lot, auctionPeriod: endNow(lot.auctionPeriod) }
      : lot,
  );
  const tenderAuction = tender.lots.length === 0 ? { auctionPeriod: endNow(tender.auctionPeriod) } : {};
  return generateAwards({ ...tender, ...tenderAuction, lots, auctionEndsAt: undefined }, context);
}
