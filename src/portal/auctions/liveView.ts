import { type AuctionEvent, type AuctionStage, bidderLabel } from "../../domain/auctions/model.ts";
import { rankOffers } from "../../domain/auctions/order.ts";
import { phaseOf } from "../../domain/auctions/phases.ts";
import { confirmationThreshold, highestAllowedPrice } from "../../domain/auctions/prices.ts";
import { withTurnOrder } from "../../domain/auctions/timeline.ts";
import type { AuctionOfferView, LiveAuctionView, OwnOfferView } from "../../domain/auctions/view.ts";

/** Keeps a view of an auction up to date from the events of its stream, with the functions of the engine. Runs in browsers. */

type EventOf<Kind extends AuctionEvent["kind"]> = Extract<AuctionEvent, { kind: Kind }>;

/** Whether the view is that of a bidder: the ids of a bidder's events have a second number. */
export const isBidderView = ({ lastEvent }: LiveAuctionView): boolean => lastEvent.includes(".");

/**
 * The view after an event. `undefined` if events were missed in between, or if the event is not enough to know what the audience
 * sees now: the client must then ask for a snapshot. An event that the view includes already changes nothing.
 */
export function applyAuctionEvent(view: LiveAuctionView, id: string, event: AuctionEvent): LiveAuctionView | undefined {
  const [shared = 0, own = 0] = numbersOf(id);
  const [lastShared = 0, lastOwn = 0] = numbersOf(view.lastEvent);
  if (shared <= lastShared && own <= lastOwn) return view;
  const isNext = shared - lastShared + (own - lastOwn) === 1;
  const changed = isNext ? applyChange(view, event) : undefined;
  return changed && { ...changed, phase: phaseOf(changed), lastEvent: id };
}

const numbersOf = (id: string): readonly number[] => id.split(".").map(Number);

function applyChange(view: LiveAuctionView, event: AuctionEvent): LiveAuctionView | undefined {
  switch (event.kind) {
    case "planned":
      return planAgain(view, event);
    case "begun":
      return begin(view, event);
    case "stage":
      return enterStage(view, event);
    case "turn result":
      return publishResult(view, event);
    case "turn repeated":
      return withStage({ ...view, stages: [...view.stages.slice(0, event.index), ...event.stages] }, event.index + 1);
    case "interrupted":
      return { ...stop(view), status: "interrupted" };
    case "cancelled":
      return { ...stop(view), status: "cancelled" };
    case "ended":
      return view;
    // The event has no ids of bids, and the record becomes public with the names.
    case "names":
      return undefined;
    case "price placed":
      return view.own && { ...view, own: { ...view.own, unpublished: { amount: event.amount, date: event.date } } };
    case "price taken back":
      return view.own && { ...view, own: withoutUnpublished(view.own) };
  }
}

function planAgain(view: LiveAuctionView, { start }: EventOf<"planned">): LiveAuctionView {
  const hadBegun = view.stages.length > 0;
  const earlierAttempts = view.earlierAttempts + (hadBegun ? 1 : 0);
  return { ...stop(view), status: "planned", plannedStart: start, stages: [], offers: [], earlierAttempts };
}

/** A bidder's own number is not in the event, so its view needs a snapshot. */
function begin(view: LiveAuctionView, { at, offers, stages }: EventOf<"begun">): LiveAuctionView | undefined {
  if (isBidderView(view)) return undefined;
  const begun = offers.map(({ bidder, amount, date, coefficient }) => {
    const price = { amount, date };
    return { bidder, label: bidderLabel(bidder), place: 0, ...price, coefficient, initial: price };
  });
  return { ...view, status: "running", plannedStart: at, stages, offers: placed(begun) };
}

function enterStage(view: LiveAuctionView, { index, order }: EventOf<"stage">): LiveAuctionView {
  const stage = view.stages[index];
  if (stage?.kind === "announcement") return { ...stop(view), status: "ended", current: index };
  const stages = stage?.kind === "pause" && order ? withTurnOrder(view.stages, stage.round, order) : view.stages;
  return withStage({ ...view, stages }, index);
}

/** The view in which the stage at `index` runs. */
function withStage(view: LiveAuctionView, current: number): LiveAuctionView {
  const stage = view.stages[current];
  const { nextChange: _ended, ...rest } = view;
  const end = endOf(stage);
  const own = view.own && { ...view.own, isOwnTurn: stage?.kind === "turn" && stage.bidder === view.own.bidder };
  return { ...rest, current, ...(end !== undefined && { nextChange: end }), ...(own && { own }) };
}

const endOf = (stage: AuctionStage | undefined) => (stage && "end" in stage ? stage.end : undefined);

function publishResult(view: LiveAuctionView, event: EventOf<"turn result">): LiveAuctionView {
  const { index, bidder, amount, date, isNew } = event;
  const turn = view.stages[index];
  const stages =
    turn?.kind === "turn" ? view.stages.with(index, { ...turn, result: { amount, date, isNew } }) : view.stages;
  const offers = placed(view.offers.map((offer) => (offer.bidder === bidder ? { ...offer, amount, date } : offer)));
  if (view.own?.bidder !== bidder) return { ...view, stages, offers };
  const { highestAllowed: _before, ...own } = withoutUnpublished(view.own);
  const highestAllowed = highestAllowedPrice(amount, view.rules);
  const confirmBelow = confirmationThreshold(amount, view.rules);
  const changed = { ...own, previous: { amount, date }, ...(highestAllowed && { highestAllowed }), confirmBelow };
  return { ...view, stages, offers, own: changed };
}

/** The offers, best first. Of equal bids the better one has the higher number, which the order of the tender decided. */
function placed(offers: readonly AuctionOfferView[]): readonly AuctionOfferView[] {
  const ranked = rankOffers(offers.toSorted((a, b) => b.bidder - a.bidder));
  return ranked.map((offer, i) => ({ ...offer, place: i + 1 }));
}

function withoutUnpublished(own: OwnOfferView): OwnOfferView {
  const { unpublished: _dropped, ...rest } = own;
  return rest;
}

/** The view without a running stage and without a form. */
function stop(view: LiveAuctionView): LiveAuctionView {
  const { current: _current, nextChange: _nextChange, own: _own, ...rest } = view;
  return rest;
}
