import { HELD_BY_SERVICE, hasAuctionBegun, withCurrentPrices } from "../auctions/liveAuctions.ts";
import { auctionsOf } from "../auctions/tenderAuctions.ts";
import { withDates } from "../bids/bidding.ts";
import { checkBid } from "../bids/bidRules.ts";
import { beforeDeadlineRefusal, mustStaySealed } from "../bids/sealRules.ts";
import { type Actor, isInGroup, owns, SERVICE_AUCTION } from "../model/actors.ts";
import type { AuctionInput, CommandOutcome, Patch, TenderCommand } from "../model/commands.ts";
import type { DomainResult, Path, Problem } from "../model/refusals.ts";
import { forbidden, invalidInput, problem, ruleRefusal, wrongStatus } from "../model/refusals.ts";
import { ok } from "../model/result.ts";
import type { Bid, LotValue, Tender } from "../model/tender.ts";
import { accepts, type Procedure, type RuleContext } from "../procedures/procedure.ts";
import { findLot, isLotActive } from "../tender/lotRules.ts";
import { actionWindow, lotActionWindow } from "../timeWindows.ts";
import { checkEach, checkUrl, hasDuplicates } from "../validation.ts";
import { isSameJson, merge } from "../values/merge.ts";
import type { Instant } from "../values/time.ts";
import { generateAwards, withLot } from "./awardGeneration.ts";
import { isAuctionOver } from "./closing.ts";

/**
 * Commands of the auction service, which runs between the tender period and the awards: it sets the URLs at which the auction is
 * held and reports the final prices.
 */

/** Whether the actor may act as the auction service: read opened bids, set URLs and report results. */
export const mayRunAuction = (actor: Actor): boolean => isInGroup(actor, "auction", "admins");

/** Whether the first pause of an auction of the tender has begun. */
const isHeldByService = (tender: Tender): boolean =>
  auctionsOf(tender).some(({ lot }) => hasAuctionBegun(tender, lot?.id));

const MISMATCH = "auction-results-mismatch";

type AuctionResults = NonNullable<Patch<AuctionInput>["bids"]>;
type AuctionResult = AuctionResults[number];

/**
 * Stores prices reported for the bids, matched by id or position, without ending the auction or making awards. If the
 * tender's owner holds the auction, the owner may report too.
 */
export function reportAuction(
  tender: Tender,
  { sent }: Extract<TenderCommand, { kind: "report auction" }>,
  { actor, at, procedure }: RuleContext,
): DomainResult<CommandOutcome> {
  const mayReport = isInGroup(actor, "auction") || (procedure.auction?.heldBy === "owner" && owns(actor, tender));
  if (!mayReport) return forbidden();
  const results = sent.fields.bids;
  if (!accepts(procedure, tender, "report auction")) {
    return (
      invalidInput(sent.problems, []) ??
      wrongStatus("report auction results", "tender", tender, actionWindow(procedure, tender, "report auction"))
    );
  }
  if (mustStaySealed(procedure, tender, at)) return invalidInput(sent.problems, []) ?? beforeDeadlineRefusal(tender);
  if (isHeldByService(tender)) return HELD_BY_SERVICE;
  const mismatches = checkResultsMatch(results ?? undefined, tender);
  const bids = results && mismatches.length === 0 ? withPrices(tender.bids, results, at) : tender.bids;
  const badInput = invalidInput(sent.problems, [...mismatches, ...checkBids(procedure, { ...tender, bids })]);
  return badInput ?? ok({ tender: withCurrentPrices({ ...tender, bids }, at) });
}

const checkBids = (procedure: Procedure, tender: Tender): readonly Problem[] =>
  checkEach(tender.bids, ["bids"], (bid, path) =>
    checkBid(procedure, bid, tender).map((found) => ({ ...found, path: [...path, ...found.path] })),
  );

/** Checks that the results refer to exactly the bids and lots of the tender. The protocol reports only the first difference. */
const checkAuction = ({ bids, lots }: Patch<AuctionInput>, tender: Tender): readonly Problem[] =>
  [
    ...checkResultsMatch(bids ?? undefined, tender),
    ...checkLotsMatch(lots ?? undefined, tender),
    ...checkLotResults(bids ?? undefined, tender),
  ].slice(0, 1);

/** In the protocol, the description of a mismatch in number or ids is a plain string instead of a list of strings. */
const mismatch = (name: "bids" | "lots", message: string): Problem => ({
  ...problem([name], message, MISMATCH, "cross"),
  isBareText: true,
});

/** Results are matched to bids by id, and results without an id by position. */
function checkResultsMatch(results: AuctionResults | undefined, { bids }: Tender): readonly Problem[] {
  if (!results) return [];
  if (results.length !== bids.length)
    return [mismatch("bids", "Number of auction results did not match the number of tender bids")];
  return isSameSet(results, bids) ? [] : [mismatch("bids", "Auction bids should be identical to the tender bids")];
}

/** Whether the sent elements refer to each known one exactly once. An element without an id refers to the one at its position. */
function isSameSet(
  sent: readonly { readonly id?: string | null }[],
  known: readonly { readonly id: string }[],
): boolean {
  const ids = new Set(sent.map(({ id }, i) => id ?? known[i]?.id));
  return ids.size === known.length && known.every(({ id }) => ids.has(id));
}

function resultOf(bid: Bid, i: number, results: AuctionResults): AuctionResult | undefined {
  return results.find(({ id }) => id === bid.id) ?? (results[i]?.id ? undefined : results[i]);
}

function withPrices(bids: readonly Bid[], results: AuctionResults, at: Instant): readonly Bid[] {
  return bids.map((bid, i) => {
    const value = resultOf(bid, i, results)?.value;
    return value ? withDates(bid, { ...bid, value: merge(bid.value, value) }, at) : bid;
  });
}

/**
 * Why the auction may not act now, if it may not. This check runs before any that depends on the stored bids: while bids are
 * sealed, the response must not reveal how many there are.
 */
function auctionRefusal(
  tender: Tender,
  lot: string | undefined,
  action: "finish auction" | "set auction urls",
  { actor, at, procedure }: RuleContext,
) {
  const description = action === "finish auction" ? "report auction results" : "update auction urls";
  if (!accepts(procedure, tender, action))
    return wrongStatus(description, "tender", tender, actionWindow(procedure, tender, action));
  if (mustStaySealed(procedure, tender, at)) return beforeDeadlineRefusal(tender);
  if (actor !== SERVICE_AUCTION && hasAuctionBegun(tender, lot)) return HELD_BY_SERVICE;
  if (findLot(tender, lot) && !isLotActive(tender, lot))
    return ruleRefusal("lot-not-active", `Can ${description} only in active lot status`, {
      window: lotActionWindow(procedure, tender, action, lot),
    });
  return undefined;
}

/** Sets the public URL of the auction and the participation URL of each bid; for a tender with lots, those of one lot. */
export function setAuctionUrls(
  tender: Tender,
  { lot, sent }: Extract<TenderCommand, { kind: "set auction urls" }>,
  context: RuleContext,
): DomainResult<CommandOutcome> {
  if (!mayRunAuction(context.actor)) return forbidden();
  const { auctionUrl, bids, lots } = sent.fields;
  const hasLots = tender.lots.length > 0;
  const shape = invalidInput(sent.problems, [
    ...checkUrl(auctionUrl ?? undefined, ["auctionUrl"]),
    ...(hasLots && auctionUrl
      ? [problem(["auctionUrl"], "url should be posted for each lot", "url-per-lot", "cross")]
      : []),
    ...checkEach(bids ?? undefined, ["bids"], (bid, path) => checkParticipationUrls(bid, path, hasLots)),
    ...checkEach(lots ?? undefined, ["lots"], (lotUrl, path) =>
      checkUrl(lotUrl.auctionUrl ?? undefined, [...path, "auctionUrl"]),
    ),
  ]);
  if (shape) return shape;
  const refusal =
    auctionRefusal(tender, lot, "set auction urls", context) ?? invalidInput([], checkAuction(sent.fields, tender));
  if (refusal) return refusal;
  if (!hasLots) {
    const bidsWithUrls = tender.bids.map((bid, i) => withUrl(bid, bids ? resultOf(bid, i, bids) : undefined));
    return ok({ tender: { ...tender, ...(auctionUrl && { auctionUrl }), bids: bidsWithUrls } });
  }
  const found = findLot(tender, lot);
  if (!found) return ok({ tender });
  const index = tender.lots.indexOf(found);
  const url = (lots?.find(({ id }) => id === lot) ?? (lots?.[index]?.id ? undefined : lots?.[index]))?.auctionUrl;
  const bidsWithUrls = tender.bids.map((bid, i) =>
    withLotUrl(bid, bids ? resultOf(bid, i, bids) : undefined, found.id),
  );
  return ok({ tender: { ...withLot(tender, { ...found, ...(url && { auctionUrl: url }) }), bids: bidsWithUrls } });
}

function checkParticipationUrls(bid: AuctionResult, path: Path, hasLots: boolean): readonly Problem[] {
  const at = [...path, "participationUrl"];
  const perLotProblems =
    hasLots && bid.participationUrl ? [problem(at, "url should be posted for each lot of bid", "url-per-lot")] : [];
  const ofLots = checkEach(bid.lotValues ?? undefined, [...path, "lotValues"], (lotValue, inner) =>
    checkUrl(lotValue.participationUrl ?? undefined, [...inner, "participationUrl"]),
  );
  return [...checkUrl(bid.participationUrl ?? undefined, at), ...perLotProblems, ...ofLots];
}

function checkLotsMatch(
  lots: NonNullable<Patch<AuctionInput>["lots"]> | undefined,
  tender: Tender,
): readonly Problem[] {
  if (!lots) return [];
  if (lots.length !== tender.lots.length)
    return [mismatch("lots", "Number of lots did not match the number of tender lots")];
  return isSameSet(lots, tender.lots) ? [] : [mismatch("lots", "Auction lots should be identical to the tender lots")];
}

function checkLotResults(results: AuctionResults | undefined, tender: Tender): readonly Problem[] {
  if (!results || tender.lots.length === 0) return [];
  return tender.bids.flatMap((bid, i) =>
    checkLotResultsOfBid(bid, resultOf(bid, i, results), ["bids", i, "lotValues"]),
  );
}

/** Checks that the results name each lot of the bid exactly once. A value that names no lot refers to the one at its position. */
function checkLotResultsOfBid(bid: Bid, result: AuctionResult | undefined, path: Path): readonly Problem[] {
  const sent = result?.lotValues;
  if (!sent) return [];
  const ownLotValues = bid.lotValues ?? [];
  if (sent.length !== ownLotValues.length)
    return [
      problem(path, "Number of lots of auction results did not match the number of tender lots", MISMATCH, "cross"),
    ];
  const lots = sent.map(({ relatedLot }, i) => relatedLot ?? ownLotValues[i]?.relatedLot);
  if (hasDuplicates(lots)) return [problem(path, "bids don't allow duplicated proposals", "lot-bid-twice", "cross")];
  const known = new Set(ownLotValues.map(({ relatedLot }) => relatedLot));
  const unknownIndex = lots.findIndex((lot) => !known.has(lot));
  return unknownIndex < 0
    ? []
    : [problem([...path, unknownIndex, "relatedLot"], "relatedLot should be one of lots of bid", MISMATCH, "cross")];
}

const withUrl = (bid: Bid, result: AuctionResult | undefined): Bid =>
  result?.participationUrl ? { ...bid, participationUrl: result.participationUrl } : bid;

/** The part of a result that is about one lot. Values that name no lot are in the order of the bid's own lot values. */
function lotResult(bid: Bid, result: AuctionResult | undefined, lot: string): Patch<LotValue> | undefined {
  const i = bid.lotValues?.findIndex(({ relatedLot }) => relatedLot === lot) ?? -1;
  const sent = result?.lotValues;
  return (
    sent?.find(({ relatedLot }) => relatedLot === lot) ?? (i >= 0 && !sent?.[i]?.relatedLot ? sent?.[i] : undefined)
  );
}

function withLotUrl(bid: Bid, result: AuctionResult | undefined, lot: string): Bid {
  const url = lotResult(bid, result, lot)?.participationUrl;
  if (!url) return bid;
  return {
    ...bid,
    lotValues: bid.lotValues?.map((lotValue) =>
      lotValue.relatedLot === lot ? { ...lotValue, participationUrl: url } : lotValue,
    ),
  };
}

/** Ends the auction (of a lot, if the tender has lots) with its final prices; after the last one, generates the awards. */
export function finishAuction(
  tender: Tender,
  { lot, sent }: Extract<TenderCommand, { kind: "finish auction" }>,
  context: RuleContext,
): DomainResult<CommandOutcome> {
  const { actor, at, procedure } = context;
  if (!mayRunAuction(actor)) return forbidden();
  const results = sent.fields.bids ?? undefined;
  const refusal =
    invalidInput(sent.problems, []) ??
    auctionRefusal(tender, lot, "finish auction", context) ??
    invalidInput([], checkAuction({ bids: results }, tender));
  if (refusal) return refusal;
  const hasLots = tender.lots.length > 0;
  const pricedBids = tender.bids.map((bid, i) => withResult(bid, i, results, hasLots ? lot : undefined));
  // The service itself has checked its prices. A refusal because of anything else in the bids could not be answered by anyone.
  const isChecked = actor === SERVICE_AUCTION || isSameJson(pricedBids, tender.bids);
  const badInput = isChecked ? undefined : invalidInput([], checkBids(procedure, { ...tender, bids: pricedBids }));
  if (badInput) return badInput;
  if (!hasLots) {
    const auctionPeriod = { ...tender.auctionPeriod, endDate: at };
    return ok({
      tender: generateAwards({ ...tender, bids: pricedBids, auctionPeriod, auctionEndsAt: undefined }, context),
    });
  }
  const found = findLot(tender, lot);
  if (!found) return ok({ tender });
  const over = withLot(
    { ...tender, bids: pricedBids },
    { ...found, auctionPeriod: { ...found.auctionPeriod, endDate: at } },
  );
  return ok({ tender: isAuctionOver(over) ? generateAwards(over, context) : over });
}

/** The bid with the reported price and the time of its offer. Fields that the auction leaves out are unchanged. */
function withResult(bid: Bid, i: number, results: AuctionResults | undefined, lot: string | undefined): Bid {
  const result = results && resultOf(bid, i, results);
  if (!result) return bid;
  if (lot === undefined)
    return { ...bid, ...(result.value && { value: merge(bid.value, result.value) }), date: result.date ?? bid.date };
  const sent = lotResult(bid, result, lot);
  if (!sent) return bid;
  const withReported = (lotValue: LotValue): LotValue => ({
    ...lotValue,
    ...(sent.value && { value: merge(lotValue.value, sent.value) }),
    date: sent.date ?? lotValue.date,
  });
  return {
    ...bid,
    lotValues: bid.lotValues?.map((lotValue) => (lotValue.relatedLot === lot ? withReported(lotValue) : lotValue)),
  };
}
