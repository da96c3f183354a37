import { type Actor, isIn, owns } from "./actors.ts";
import { withDates } from "./bidding.ts";
import { checkUrl, each, repeats } from "./checking.ts";
import { isAuctionOver } from "./closing.ts";
import type { AuctionSent, Command, Context, Patch } from "./commands.ts";
import type { Outcome } from "./decide.ts";
import { merge, same } from "./merge.ts";
import { generateAwards, withLot } from "./nextAward.ts";
import { accepts, procedureOf } from "./procedures/index.ts";
import { isLotActive, lotOf } from "./qualifying.ts";
import type { Decided, Path, Problem } from "./refusals.ts";
import { forbidden, invalid, problem, rule, wrongStatus } from "./refusals.ts";
import { ok } from "./result.ts";
import { beforeDeadline, isBeforeDeadline } from "./sealing.ts";
import type { Bid, LotValue, Tender } from "./tender.ts";
import type { Instant } from "./time.ts";
import { windowOf, windowOfLot } from "./windows.ts";

/** Between the bids and the awards stands the auction: it is told the prices, says where it is held, and reports what came of it. */

export const mayAuction = (actor: Actor): boolean => isIn(actor, "auction", "admins");

const MISMATCH = "auction-results-mismatch";

type Results = NonNullable<Patch<AuctionSent>["bids"]>;
type Result = Results[number];

/** Prices reported one by one, in the order of the bids or by their ids: nothing follows from it yet. */
export function reportAuction(
  tender: Tender,
  { sent }: Extract<Command, { kind: "report auction" }>,
  { actor, at }: Context,
): Decided<Outcome> {
  const mayReport = isIn(actor, "auction") || (tender.procedure === "basic" && owns(actor, tender));
  if (!mayReport) return forbidden();
  const results = sent.fields.bids;
  if (!accepts(tender, "report auction")) {
    return (
      invalid(sent.problems, []) ??
      wrongStatus("report auction results", "tender", tender, windowOf(tender, "report auction"))
    );
  }
  if (isBeforeDeadline(tender, at)) return invalid(sent.problems, []) ?? beforeDeadline(tender);
  const matches = checkMatch(results ?? undefined, tender);
  const bids = results && matches.length === 0 ? withPrices(tender.bids, results, at) : tender.bids;
  const wrong = invalid(sent.problems, [...matches, ...checkBids({ ...tender, bids })]);
  return wrong ?? ok({ tender: { ...tender, bids } });
}

const checkBids = (tender: Tender): readonly Problem[] =>
  each(tender.bids, ["bids"], (bid, path) =>
    procedureOf(tender)
      .checkBid(bid, tender)
      .map((one) => ({ ...one, path: [...path, ...one.path] })),
  );

/** Whether the auction speaks of the tender's own bids and lots: only the first difference is reported. */
const checkAuction = ({ bids, lots }: Patch<AuctionSent>, tender: Tender): readonly Problem[] =>
  [
    ...checkMatch(bids ?? undefined, tender),
    ...checkLotsMatch(lots ?? undefined, tender),
    ...checkLotValues(bids ?? undefined, tender),
  ].slice(0, 1);

/** The protocol describes a difference in number or ids by the text itself, not by a list with the text. */
const mismatch = (name: "bids" | "lots", message: string): Problem => ({
  ...problem([name], message, MISMATCH, "cross"),
  isPlain: true,
});

/** Results are taken by the ids they name, and those that name none by their place. */
function checkMatch(results: Results | undefined, { bids }: Tender): readonly Problem[] {
  if (!results) return [];
  if (results.length !== bids.length)
    return [mismatch("bids", "Number of auction results did not match the number of tender bids")];
  return isSameSet(results, bids) ? [] : [mismatch("bids", "Auction bids should be identical to the tender bids")];
}

/** What names no id stands for the one at its place; each must be there once. */
function isSameSet(
  sent: readonly { readonly id?: string | null }[],
  known: readonly { readonly id: string }[],
): boolean {
  const ids = new Set(sent.map(({ id }, i) => id ?? known[i]?.id));
  return ids.size === known.length && known.every(({ id }) => ids.has(id));
}

function resultOf(bid: Bid, i: number, results: Results): Result | undefined {
  return results.find(({ id }) => id === bid.id) ?? (results[i]?.id ? undefined : results[i]);
}

function withPrices(bids: readonly Bid[], results: Results, at: Instant): readonly Bid[] {
  return bids.map((bid, i) => {
    const value = resultOf(bid, i, results)?.value;
    return value ? withDates(bid, { ...bid, value: merge(bid.value, value) }, at) : bid;
  });
}

/**
 * Whether the auction may act now. It is answered before anything that depends on the stored bids: while these are
 * sealed, the answer must not tell how many there are.
 */
function refusedNow(tender: Tender, lot: string | undefined, act: "finish auction" | "set auction urls", at: Instant) {
  const words = act === "finish auction" ? "report auction results" : "update auction urls";
  if (!accepts(tender, act)) return wrongStatus(words, "tender", tender, windowOf(tender, act));
  if (isBeforeDeadline(tender, at)) return beforeDeadline(tender);
  if (lotOf(tender, lot) && !isLotActive(tender, lot))
    return rule("lot-not-active", `Can ${words} only in active lot status`, { window: windowOfLot(tender, act, lot) });
  return undefined;
}

/** Where the auction is held: one address for all, one for each who takes part. */
export function setAuctionUrls(
  tender: Tender,
  { lot, sent }: Extract<Command, { kind: "set auction urls" }>,
  { actor, at }: Context,
): Decided<Outcome> {
  if (!mayAuction(actor)) return forbidden();
  const { auctionUrl, bids, lots } = sent.fields;
  const hasLots = tender.lots.length > 0;
  const shape = invalid(sent.problems, [
    ...checkUrl(auctionUrl ?? undefined, ["auctionUrl"]),
    ...(hasLots && auctionUrl
      ? [problem(["auctionUrl"], "url should be posted for each lot", "url-per-lot", "cross")]
      : []),
    ...each(bids ?? undefined, ["bids"], (bid, path) => checkUrls(bid, path, hasLots)),
    ...each(lots ?? undefined, ["lots"], (one, path) => checkUrl(one.auctionUrl ?? undefined, [...path, "auctionUrl"])),
  ]);
  if (shape) return shape;
  const refused = refusedNow(tender, lot, "set auction urls", at) ?? invalid([], checkAuction(sent.fields, tender));
  if (refused) return refused;
  if (!hasLots) {
    const named = tender.bids.map((bid, i) => withUrl(bid, bids ? resultOf(bid, i, bids) : undefined));
    return ok({ tender: { ...tender, ...(auctionUrl && { auctionUrl }), bids: named } });
  }
  const found = lotOf(tender, lot);
  if (!found) return ok({ tender });
  const place = tender.lots.indexOf(found);
  const url = (lots?.find(({ id }) => id === lot) ?? (lots?.[place]?.id ? undefined : lots?.[place]))?.auctionUrl;
  const named = tender.bids.map((bid, i) => withLotUrl(bid, bids ? resultOf(bid, i, bids) : undefined, lot!));
  return ok({ tender: { ...withLot(tender, { ...found, ...(url && { auctionUrl: url }) }), bids: named } });
}

function checkUrls(bid: Result, path: Path, hasLots: boolean): readonly Problem[] {
  const at = [...path, "participationUrl"];
  const apart =
    hasLots && bid.participationUrl ? [problem(at, "url should be posted for each lot of bid", "url-per-lot")] : [];
  const ofLots = each(bid.lotValues ?? undefined, [...path, "lotValues"], (one, inner) =>
    checkUrl(one.participationUrl ?? undefined, [...inner, "participationUrl"]),
  );
  return [...checkUrl(bid.participationUrl ?? undefined, at), ...apart, ...ofLots];
}

function checkLotsMatch(lots: NonNullable<Patch<AuctionSent>["lots"]> | undefined, tender: Tender): readonly Problem[] {
  if (!lots) return [];
  if (lots.length !== tender.lots.length)
    return [mismatch("lots", "Number of lots did not match the number of tender lots")];
  return isSameSet(lots, tender.lots) ? [] : [mismatch("lots", "Auction lots should be identical to the tender lots")];
}

function checkLotValues(results: Results | undefined, tender: Tender): readonly Problem[] {
  if (!results || tender.lots.length === 0) return [];
  return tender.bids.flatMap((bid, i) => checkLotValuesOf(bid, resultOf(bid, i, results), ["bids", i, "lotValues"]));
}

/** A value that names no lot stands for the one at its place; then each lot of the bid must be there once. */
function checkLotValuesOf(bid: Bid, result: Result | undefined, path: Path): readonly Problem[] {
  const sent = result?.lotValues;
  if (!sent) return [];
  const own = bid.lotValues ?? [];
  if (sent.length !== own.length)
    return [
      problem(path, "Number of lots of auction results did not match the number of tender lots", MISMATCH, "cross"),
    ];
  const lots = sent.map(({ relatedLot }, i) => relatedLot ?? own[i]!.relatedLot);
  if (repeats(lots)) return [problem(path, "bids don't allow duplicated proposals", "lot-bid-twice", "cross")];
  const known = new Set(own.map(({ relatedLot }) => relatedLot));
  const strange = lots.findIndex((lot) => !known.has(lot));
  return strange < 0
    ? []
    : [problem([...path, strange, "relatedLot"], "relatedLot should be one of lots of bid", MISMATCH, "cross")];
}

const withUrl = (bid: Bid, result: Result | undefined): Bid =>
  result?.participationUrl ? { ...bid, participationUrl: result.participationUrl } : bid;

/** The part of a result that is about one lot; results that name no lots stand in the order of the bid's own. */
function lotResult(bid: Bid, result: Result | undefined, lot: string): Patch<LotValue> | undefined {
  const i = bid.lotValues?.findIndex(({ relatedLot }) => relatedLot === lot) ?? -1;
  const sent = result?.lotValues;
  return (
    sent?.find(({ relatedLot }) => relatedLot === lot) ?? (i >= 0 && !sent?.[i]?.relatedLot ? sent?.[i] : undefined)
  );
}

function withLotUrl(bid: Bid, result: Result | undefined, lot: string): Bid {
  const url = lotResult(bid, result, lot)?.participationUrl;
  if (!url) return bid;
  return {
    ...bid,
    lotValues: bid.lotValues?.map((one) => (one.relatedLot === lot ? { ...one, participationUrl: url } : one)),
  };
}

/** The auction is over: its prices stand, and the service makes the awards. */
export function finishAuction(
  tender: Tender,
  { lot, sent }: Extract<Command, { kind: "finish auction" }>,
  context: Context,
): Decided<Outcome> {
  const { actor, at } = context;
  if (!mayAuction(actor)) return forbidden();
  const results = sent.fields.bids ?? undefined;
  const refused =
    invalid(sent.problems, []) ??
    refusedNow(tender, lot, "finish auction", at) ??
    invalid([], checkAuction({ bids: results }, tender));
  if (refused) return refused;
  const hasLots = tender.lots.length > 0;
  const priced = tender.bids.map((bid, i) => withResult(bid, i, results, hasLots ? lot : undefined));
  const wrong = same(priced, tender.bids) ? undefined : invalid([], checkBids({ ...tender, bids: priced }));
  if (wrong) return wrong;
  if (!hasLots) {
    const auctionPeriod = { ...tender.auctionPeriod, endDate: at };
    return ok({
      tender: generateAwards({ ...tender, bids: priced, auctionPeriod, auctionEndsAt: undefined }, context),
    });
  }
  const found = lotOf(tender, lot);
  if (!found) return ok({ tender });
  const over = withLot(
    { ...tender, bids: priced },
    { ...found, auctionPeriod: { ...found.auctionPeriod, endDate: at } },
  );
  return ok({ tender: isAuctionOver(over) ? generateAwards(over, context) : over });
}

/** The price and the moment it was offered; whatever the auction leaves out stays as it was. */
function withResult(bid: Bid, i: number, results: Results | undefined, lot: string | undefined): Bid {
  const result = results && resultOf(bid, i, results);
  if (!result) return bid;
  if (lot === undefined)
    return { ...bid, ...(result.value && { value: merge(bid.value, result.value) }), date: result.date ?? bid.date };
  const sent = lotResult(bid, result, lot);
  if (!sent) return bid;
  const changed = (one: LotValue): LotValue => ({
    ...one,
    ...(sent.value && { value: merge(one.value, sent.value) }),
    date: sent.date ?? one.date,
  });
  return { ...bid, lotValues: bid.lotValues?.map((one) => (one.relatedLot === lot ? changed(one) : one)) };
}
