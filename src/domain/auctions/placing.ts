import type { TimeWindow } from "../model/refusals.ts";
import type { Instant } from "../values/time.ts";
import { withEvent, withoutUnpublished } from "./advance.ts";
import type { AuctionCommand, AuctionOffer, AuctionState, AuctionTurn } from "./model.ts";
import { checkPrice } from "./prices.ts";
import { type AuctionRefusal, stageRefusal } from "./refusals.ts";
import { runningStage, runningTurn } from "./timeline.ts";

/** What bidders do in their turns: place a price, change it, take it back. */

type PriceResult = AuctionState | { readonly refusal: AuctionRefusal };

/** The bidder's offer if it has the turn, or else why it may not act. */
function offerInTurn(state: AuctionState, bid: string): AuctionOffer | { readonly refusal: AuctionRefusal } {
  const offer = state.offers.find((other) => other.bid === bid);
  return offer && runningTurn(state)?.bidder === offer.bidder ? offer : { refusal: outOfTurnRefusal(state, bid) };
}

/** Places or replaces the price of the running turn. Only the last one counts, and its time is the date of the price. */
export function placePrice(
  state: AuctionState,
  { bid, amount, confirmed }: Extract<AuctionCommand, { kind: "place price" }>,
  at: Instant,
): PriceResult {
  const offer = offerInTurn(state, bid);
  if ("refusal" in offer) return offer;
  const refusal = checkPrice(amount, confirmed === true, offer.amount, state.rules);
  if (refusal) return { refusal };
  const placed = { ...state, unpublished: { amount, date: at } };
  return withEvent(placed, at, { kind: "price placed", amount, date: at }, bid);
}

/** Takes the price of the running turn back. */
export function takeBackPrice(
  state: AuctionState,
  { bid }: Extract<AuctionCommand, { kind: "take back price" }>,
  at: Instant,
): PriceResult {
  const offer = offerInTurn(state, bid);
  if ("refusal" in offer) return offer;
  if (state.unpublished === undefined)
    return { refusal: stageRefusal("no-price-to-take-back", "No price was placed in this turn.") };
  return withEvent(withoutUnpublished(state), at, { kind: "price taken back" }, bid);
}

/** Why a bidder may not place a price now, with the turn that it missed and the time of the next one, as far as they are known. */
export function outOfTurnRefusal(state: AuctionState, bid: string): AuctionRefusal {
  // Until an auction has its bids, nobody knows who takes part.
  if (state.bids.length > 0 && !state.bids.some(({ id }) => id === bid))
    return stageRefusal("auction-participant", "The bid does not take part in this auction.");
  const bidder = state.offers.find((offer) => offer.bid === bid)?.bidder;
  const running = state.current ?? state.stages.length;
  const turns = state.stages.flatMap((stage, index) =>
    stage.kind === "turn" && bidder !== undefined && stage.bidder === bidder ? [{ turn: stage, index }] : [],
  );
  // Same either way: a bidder whose turn runs is not out of turn.
  const missed = turns.findLast(({ index }) => index < running);
  const next = turns.find(({ index }) => index > running);
  const window = next ? { from: next.turn.start, until: next.turn.end } : windowBeforeStart(state);
  const details = { ...(missed && { missedTurn: missed.turn }), ...(window && { window }) };
  const stage = runningStage(state);
  if (stage === undefined)
    return stageRefusal("auction-stage", `The auction is ${state.status}: it accepts no prices.`, details);
  const isLate = missed !== undefined && (missed.index + 1 === running || isOfRunningRound(missed.turn, state));
  return isLate
    ? stageRefusal("turn-ended", `The turn in round ${missed.turn.round} has ended.`, details)
    : stageRefusal("not-your-turn", "It is not the turn of this bidder.", details);
}

function isOfRunningRound({ round }: AuctionTurn, state: AuctionState): boolean {
  const stage = runningStage(state);
  return stage?.kind === "pre-announcement" || (stage !== undefined && "round" in stage && stage.round === round);
}

/** Before the auction, only its start is known. */
const windowBeforeStart = ({ status, plannedStart }: AuctionState): TimeWindow | undefined =>
  status === "planned" ? { from: plannedStart } : undefined;
