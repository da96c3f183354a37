import { lotBidsOn } from "../bids/bidsByLot.ts";
import { coefficientOf, weightsOf } from "../bids/ranking.ts";
import type { AuctionInput, Patch, TenderCommand } from "../model/commands.ts";
import type { Bid, Lot, Tender } from "../model/tender.ts";
import { featuresOf } from "../tender/features.ts";
import { decimal } from "../values/decimal.ts";
import { formatFraction } from "../values/fraction.ts";
import { MINUTE, SECOND } from "../values/time.ts";
import type { AuctionRules, AuctionState, BidderName, DatedPrice, InitialBid } from "./model.ts";

/** What a tender gives to its auctions, and gets back from them. */

/** Everything in the rules of an auction that does not depend on the tender. */
export type AuctionSettings = Omit<AuctionRules, "minimalStep" | "currency" | "hasFeatures">;

/** The lengths of stages that bidders know, and the limits for interruptions. */
export const DEFAULT_AUCTION_SETTINGS: AuctionSettings = {
  rounds: 3,
  firstPauseMicros: 5 * MINUTE,
  pauseMicros: 2 * MINUTE,
  turnMicros: 2 * MINUTE,
  preAnnouncementMicros: 2 * MINUTE,
  turnLossMicrosMax: 5 * SECOND,
  interruptionMicrosMax: 10 * MINUTE,
  confirmedDrop: decimal("0.3"),
};

/** The auction of a tender, or of one of its lots. */
export type TenderAuction = { readonly id: string; readonly lot?: Lot };

/** The id of the auction of a tender, or of its lot. */
export const auctionId = (tenderId: string, lotId?: string): string =>
  lotId === undefined ? tenderId : `${tenderId}_${lotId}`;

/** The auctions that a tender may have, however many bids there are: one, or one for each active lot. */
export const auctionsOf = (tender: Tender): readonly TenderAuction[] =>
  tender.lots.length === 0
    ? [{ id: auctionId(tender.id) }]
    : tender.lots.filter(({ status }) => status === "active").map((lot) => ({ id: auctionId(tender.id, lot.id), lot }));

/** The rules of an auction. The step of a lot is its own; a tender without a step has none to keep. */
export function auctionRulesOf(tender: Tender, lot: Lot | undefined, settings: AuctionSettings): AuctionRules {
  const { minimalStep, value } = lot ?? tender;
  const features = lot ? featuresOf(tender, [lot]) : (tender.features ?? []);
  return {
    ...settings,
    minimalStep: minimalStep?.amount ?? decimal("0"),
    currency: minimalStep?.currency ?? value?.currency ?? tender.value?.currency ?? "UAH",
    hasFeatures: features.length > 0,
  };
}

/** The bids of the auction in the order of the tender, which decides between equal prices of the same instant. */
export function initialBidsOf(tender: Tender, lot?: Lot): readonly InitialBid[] {
  const features = lot ? featuresOf(tender, [lot]) : (tender.features ?? []);
  const offers = lot
    ? lotBidsOn(tender, lot).map(({ bid, lotValue }) => ({ bid, priced: lotValue }))
    : tender.bids.filter(({ status }) => status === "active").map((bid) => ({ bid, priced: bid }));
  return offers.flatMap(({ bid, priced }) => {
    const amount = priced.value?.amount;
    // Bids are stored with their amounts; one without cannot take part.
    if (amount === undefined) return [];
    const coefficient = formatFraction(coefficientOf(weightsOf(bid), features));
    return [{ id: bid.id, amount, coefficient, date: priced.date ?? bid.date }];
  });
}

/** The names of the bidders of an auction, to be published with `disclose names`. */
export function bidderNamesOf(tender: Tender, state: AuctionState): readonly BidderName[] {
  const bids = new Map(tender.bids.map((bid) => [bid.id, bid]));
  return state.bids.map(({ id }) => ({ bid: id, name: bids.get(id)?.tenderers?.[0]?.name ?? "" }));
}

/**
 * The command with which an external auction would report these results. It names every bid of the tender, and every lot of each
 * bid, as the protocol requires; only those of this auction have prices. Currency and VAT stay those of the bid.
 */
export function resultsCommand(
  state: AuctionState,
  tender: Tender,
  lot?: Lot,
): Extract<TenderCommand, { kind: "finish auction" }> {
  const offers = new Map(state.offers.map((offer) => [offer.bid, offer]));
  const bids = tender.bids.map((bid) => reportedBid(bid, offers.get(bid.id), lot));
  return { kind: "finish auction", ...(lot && { lot: lot.id }), sent: { fields: { bids }, problems: [] } };
}

type ReportedBid = NonNullable<Patch<AuctionInput>["bids"]>[number];

function reportedBid(bid: Bid, price: DatedPrice | undefined, lot: Lot | undefined): ReportedBid {
  const result = price && { value: { amount: price.amount }, date: price.date };
  if (!lot) return { id: bid.id, ...result };
  const lotValues = bid.lotValues?.map(({ relatedLot }) =>
    relatedLot === lot.id ? { relatedLot, ...result } : { relatedLot },
  );
  return { id: bid.id, ...(lotValues && { lotValues }) };
}
