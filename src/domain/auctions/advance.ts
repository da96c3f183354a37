import type { Instant } from "../values/time.ts";
import type { AuctionChange, AuctionOffer, AuctionState, AuctionTurn, TurnResult } from "./model.ts";
import { placeOffers, turnOrder } from "./order.ts";
import { layOutStages, runningStage, withTurnOrder } from "./timeline.ts";

/** The passing of time: carries out the ends of stages, each at its exact instant. */

/** When time alone will next change the auction, if ever: the caller should wake up then. */
export function nextStageChange(state: AuctionState): Instant | undefined {
  if (state.status === "planned") return state.bids.length > 0 ? state.plannedStart : undefined;
  const stage = runningStage(state);
  return stage && stage.kind !== "announcement" ? stage.end : undefined;
}

/**
 * Carries out, in order, every stage that ends at or before `at`. Returns the same object if none does. It does not matter how often
 * or when it is called: the stages have the same instants.
 */
export function advanceAuction(state: AuctionState, at: Instant): AuctionState {
  let current = state;
  for (;;) {
    const due = nextStageChange(current);
    if (due === undefined || due > at) return current;
    current = carryOutStageEnd(current, due);
  }
}

/** Ends the stage that runs, or begins the first pause, at the instant that `nextStageChange` returns. */
export function carryOutStageEnd(state: AuctionState, at: Instant): AuctionState {
  const stage = runningStage(state);
  if (stage === undefined || state.current === undefined) return startAuction(state, at);
  const ended = stage.kind === "turn" ? endTurn(state, stage, state.current, at) : state;
  return enterStage(ended, state.current + 1, at);
}

/** The state with an event for everyone, or for the bidder with one bid only. */
export function withEvent(state: AuctionState, at: Instant, change: AuctionChange, onlyTo?: string): AuctionState {
  const event = onlyTo === undefined ? { at, ...change } : { at, onlyTo, ...change };
  return { ...state, events: [...state.events, event] };
}

/** The state without the price of the running turn. */
export function withoutUnpublished(state: AuctionState): AuctionState {
  const { unpublished: _dropped, ...rest } = state;
  return rest;
}

function startAuction(state: AuctionState, at: Instant): AuctionState {
  const order = turnOrder(state.bids).map(({ id }) => id);
  const offers = state.bids.map(
    ({ id, amount, coefficient, date }): AuctionOffer => ({
      bid: id,
      bidder: order.indexOf(id) + 1,
      coefficient,
      amount,
      date,
      initial: { amount, date },
    }),
  );
  const stages = layOutStages(state.rules, offers.length, at);
  const initialOffers = offers
    .toSorted((a, b) => a.bidder - b.bidder)
    .map(({ bidder, amount, coefficient, date }) => ({ bidder, amount, coefficient, date }));
  const begun = withEvent({ ...state, status: "running", offers, stages }, at, {
    kind: "begun",
    offers: initialOffers,
    stages,
  });
  return enterStage(begun, 0, at);
}

function enterStage(state: AuctionState, index: number, at: Instant): AuctionState {
  const entered = { ...state, at, current: index };
  const stage = state.stages[index];
  if (stage?.kind === "announcement") {
    const announced = withEvent({ ...entered, status: "ended" }, at, { kind: "stage", index });
    return withEvent(announced, at, { kind: "ended", places: placeOffers(state.offers) });
  }
  if (stage?.kind !== "pause") return withEvent(entered, at, { kind: "stage", index });
  const order = turnOrder(state.offers).map(({ bidder }) => bidder);
  const stages = withTurnOrder(state.stages, stage.round, order);
  return withEvent({ ...entered, stages }, at, { kind: "stage", index, order });
}

/** Publishes the price of the turn to everyone at once. */
function endTurn(state: AuctionState, turn: AuctionTurn, index: number, at: Instant): AuctionState {
  const offer = state.offers.find(({ bidder }) => bidder === turn.bidder);
  if (offer === undefined) throw new Error(`turn ${index} of auction ${state.id} has no bidder`);
  const { amount, date } = state.unpublished ?? offer;
  const result: TurnResult = { amount, date, isNew: state.unpublished !== undefined };
  const published = {
    ...withoutUnpublished(state),
    offers: state.offers.map((other) => (other === offer ? { ...offer, amount, date } : other)),
    stages: state.stages.with(index, { ...turn, result }),
  };
  return withEvent(published, at, { kind: "turn result", index, bidder: offer.bidder, ...result });
}
