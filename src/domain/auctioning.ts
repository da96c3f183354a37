import { type Actor, isIn, owns } from "./actors.ts";
import { withDates } from "./bidding.ts";
import { checkUrl, each } from "./checking.ts";
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
  const mismatch = checkMatch(results ?? undefined, tender);
  const bids = results && mismatch.length === 0 ? withPrices(tender.bids, results, at) : tender.bids;
  const wrong = invalid(sent.problems, [...mismatch, ...checkBids({ ...tender, bids })]);
  return wrong ?? ok({ tender: { ...tender, bids } });
}

const checkBids = (tender: Tender): readonly Problem[] =>
  each(tender.bids, ["bids"], (bid, path) =>
    procedureOf(tender)
      .checkBid(bid, tender)
      .map((one) => ({ ...one, path: [...path, ...one.path] })),
  );

/** Results are taken by the ids they name, and those that name none by their place. */
function checkMatch(results: Results | undefined, { bids }: Tender): Problem[] {
  if (!results) return [];
  if (results.length !== bids.length)
    return [problem(["bids"], "Number of auction results did not match the number of tender bids", MISMATCH, "cross")];
  return isSameSet(results, bids)
    ? []
    : [problem(["bids"], "Auction bids should be identical to the tender bids", MISMATCH, "cross")];
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

/** What both of the auction's own commands ask first, in the order in which it is answered. */
function refused(tender: Tender, lot: string | undefined, problems: readonly Problem[], doing: "report" | "update") {
  const words = doing === "report" ? "report auction results" : "update auction urls";
  const act = doing === "report" ? "finish auction" : "set auction urls";
  if (!accepts(tender, act)) return wrongStatus(words, "tender", tender, windowOf(tender, act));
  if (lotOf(tender, lot) && !isLotActive(tender, lot))
    return rule("lot-not-active", `Can ${words} only in active lot status`, { window: windowOfLot(tender, act, lot) });
  return invalid(problems, []);
}

/** Where the auction is held: one address for all, one for each who takes part. */
export function setAuctionUrls(
  tender: Tender,
  { lot, sent }: Extract<Command, { kind: "set auction urls" }>,
  { actor }: Context,
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
  const matches = [...checkMatch(bids ?? undefined, tender), ...checkLotsMatch(lots ?? undefined, tender)];
  const no = refused(tender, lot, [...matches, ...checkLotValues(bids ?? undefined, tender)], "update");
  if (no) return no;
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

function checkLotsMatch(lots: NonNullable<Patch<AuctionSent>["lots"]> | undefined, tender: Tender): Problem[] {
  if (!lots) return [];
  if (lots.length !== tender.lots.length)
    return [problem(["lots"], "Number of lots did not match the number of tender lots", MISMATCH, "cross")];
  return !isSameSet(lots, tender.lots)
    ? [problem(["lots"], "Auction lots should be identical to the tender lots", MISMATCH, "cross")]
    : [];
}

function checkLotValues(bids: Results | undefined, tender: Tender): readonly Problem[] {
  if (!bids || tender.lots.length === 0) return [];
  return tender.bids.flatMap((bid, i) => {
    const sent = resultOf(bid, i, bids)?.lotValues;
    if (!sent) return [];
    const path = ["bids", i, "lotValues"];
    if (sent.length !== bid.lotValues?.length)
      return [
        problem(path, "Number of lots of auction results did not match the number of tender lots", MISMATCH, "cross"),
      ];
    return sent.flatMap(({ relatedLot }, at) =>
      relatedLot && (!bid.lotValues?.some((one) => one.relatedLot === relatedLot) || isRepeated(sent, at))
        ? [problem([...path, at, "relatedLot"], "relatedLot should be one of lots of bid", MISMATCH, "cross")]
        : [],
    );
  });
}

const isRepeated = (sent: readonly Patch<LotValue>[], at: number): boolean =>
  sent.findIndex(({ relatedLot }) => relatedLot === sent[at]!.relatedLot) !== at;

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
  const matches = [...checkMatch(results, tender), ...checkLotValues(results, tender)];
  const hasLots = tender.lots.length > 0;
  const priced =
    matches.length > 0
      ? tender.bids
      : tender.bids.map((bid, i) => withResult(bid, i, results, hasLots ? lot : undefined));
  const shape = invalid(sent.problems, same(priced, tender.bids) ? [] : checkBids({ ...tender, bids: priced }));
  if (shape) return shape;
  const no = refused(tender, lot, matches, "report");
  if (no) return no;
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
