import { auctionMode } from "./acceleration.ts";
import { lotBidsOn } from "./bidsByLot.ts";
import type { Making } from "./commands.ts";
import { endedAs, endedByLots, withClaimsIgnored } from "./finalising.ts";
import { generateAwards } from "./nextAward.ts";
import type { Lot, Period, Tender } from "./tender.ts";

/** The end of the tender period: drafts are forgotten, then the number of bids decides what follows. */
export function closeTendering(tender: Tender, making: Making): Tender {
  const bids = tender.bids.filter(({ status }) => status === "active");
  const closed = { ...tender, bids };
  const moved = tender.lots.length > 0 ? closeLots(closed, making) : closeWhole(closed, making);
  return withClaimsIgnored(moved, making.at);
}

function closeWhole(tender: Tender, making: Making): Tender {
  if (tender.bids.length === 0) return endedAs("unsuccessful", tender, making.at);
  if (tender.bids.length === 1) return generateAwards(withoutAuction(tender), making);
  return toAuction(tender, making);
}

function closeLots(tender: Tender, making: Making): Tender {
  const lots = tender.lots.map((lot): Lot => {
    const bids = lotBidsOn(tender, lot).length;
    const planned = bids < 2 ? withoutAuction(lot) : lot;
    return lot.status === "active" && bids === 0 ? { ...planned, status: "unsuccessful", date: making.at } : planned;
  });
  const closed = endedByLots({ ...tender, lots }, making.at);
  if (closed.status !== tender.status) return closed;
  const most = Math.max(
    ...lots.filter(({ status }) => status === "active").map((lot) => lotBidsOn(tender, lot).length),
  );
  return most === 1 ? generateAwards(closed, making) : toAuction(closed, making);
}

/** In the sandbox a tender may ask for no auction at all, or for one that is over at once: the prices of the bids stand. */
function toAuction(tender: Tender, making: Making): Tender {
  const inAuction = endedAs("active.auction", tender, making.at);
  const mode = auctionMode(tender.submissionMethodDetails, making.sandbox);
  if (mode === "no-auction") return generateAwards(inAuction, making);
  return mode === "fast-forward" ? { ...inAuction, auctionEndsAt: making.at } : inAuction;
}

/** Where nothing is auctioned, nothing is planned. */
function withoutAuction<Planned extends { readonly auctionPeriod?: Period }>(planned: Planned): Planned {
  const { startDate: _dropped, ...rest } = planned.auctionPeriod ?? {};
  return planned.auctionPeriod ? { ...planned, auctionPeriod: rest } : planned;
}

/** Whether every lot that has something to auction has been auctioned. */
export const isAuctionOver = (tender: Tender): boolean =>
  tender.lots
    .filter((lot) => lot.status === "active" && lotBidsOn(tender, lot).length > 1)
    .every(({ auctionPeriod }) => auctionPeriod?.endDate !== undefined);

/** An auction that is over as soon as it begins: of the tender, or of every lot that has one. */
export function runAuction(tender: Tender, making: Making): Tender {
  const over = (period: Period | undefined): Period => ({ startDate: making.at, ...period, endDate: making.at });
  const lots = tender.lots.map((lot) =>
    lot.status === "active" && lotBidsOn(tender, lot).length > 1
      ? { ...lot, auctionPeriod: over(lot.auctionPeriod) }
      : lot,
  );
  const own = tender.lots.length === 0 ? { auctionPeriod: over(tender.auctionPeriod) } : {};
  return generateAwards({ ...tender, ...own, lots, auctionEndsAt: undefined }, making);
}
