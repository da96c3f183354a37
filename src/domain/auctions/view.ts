import type { Decimal } from "../values/decimal.ts";
import type { Instant } from "../values/time.ts";
import { nextStageChange } from "./advance.ts";
import { type AuctionAudience, formatPosition, lastPosition } from "./events.ts";
import {
  type AuctionOffer,
  type AuctionRules,
  type AuctionStage,
  type AuctionState,
  type AuctionStatus,
  bidderLabel,
  type DatedPrice,
} from "./model.ts";
import { placeOffers } from "./order.ts";
import { type AuctionPhase, phaseOf } from "./phases.ts";
import { confirmationThreshold, highestAllowedPrice } from "./prices.ts";
import { runningTurn } from "./timeline.ts";

/** What leaves the engine: the state of an auction for one audience. */

/** A bidder's published price. `bid` and `name` are there once names are public. */
export type AuctionOfferView = DatedPrice & {
  readonly bidder: number;
  readonly label: string;
  readonly place: number;
  readonly coefficient: string;
  readonly initial: DatedPrice;
  readonly bid?: string;
  readonly name?: string;
};

/** What a bidder sees of its own part in the auction. */
export type OwnOfferView = {
  readonly bidder: number;
  readonly isOwnTurn: boolean;
  /** The published price, from which steps are counted. */
  readonly previous: DatedPrice;
  /** The price placed in the running turn. */
  readonly unpublished?: DatedPrice;
  /** Absent if no lower price is possible. */
  readonly highestAllowed?: Decimal;
  /** Prices below this one need a confirmation. */
  readonly confirmBelow: Decimal;
};

/** An auction as one audience sees it. Before the first pause it shows the planned start only: not even how many bids there are. */
export type LiveAuctionView = {
  readonly id: string;
  readonly status: AuctionStatus;
  readonly phase: AuctionPhase;
  readonly rules: AuctionRules;
  readonly plannedStart: Instant;
  readonly stages: readonly AuctionStage[];
  readonly current?: number;
  /** When the running stage ends. */
  readonly nextChange?: Instant;
  /** Best offer first. */
  readonly offers: readonly AuctionOfferView[];
  /** How often the auction was broken off and planned again. */
  readonly earlierAttempts: number;
  /** The id of the last event that this view includes. */
  readonly lastEvent: string;
  /** Only for a bidder of a running auction. */
  readonly own?: OwnOfferView;
};

/** The auction as this audience may see it. Call `advanceAuction` first, so that the view shows the present stage. */
export function viewAuction(state: AuctionState, audience: AuctionAudience): LiveAuctionView {
  const { id, status, rules, plannedStart, stages, current, earlierAttempts } = state;
  const own = audience === "everyone" ? undefined : ownOffer(state, audience.bid);
  const nextChange = status === "running" ? nextStageChange(state) : undefined;
  return {
    id,
    status,
    phase: phaseOf(state),
    rules,
    plannedStart,
    stages,
    ...(current !== undefined && { current }),
    ...(nextChange !== undefined && { nextChange }),
    offers: offerViews(state),
    earlierAttempts: earlierAttempts.length,
    lastEvent: formatPosition(lastPosition(state, audience), audience),
    ...(own && { own }),
  };
}

function offerViews({ offers, names }: AuctionState): readonly AuctionOfferView[] {
  const nameOf = new Map(names?.map(({ bid, name }) => [bid, name]));
  const offerOf = new Map(offers.map((offer) => [offer.bidder, offer]));
  return placeOffers(offers).flatMap(({ place, bidder }) => {
    const offer = offerOf.get(bidder);
    return offer ? [offerView(offer, place, names && { bid: offer.bid, name: nameOf.get(offer.bid) ?? "" })] : [];
  });
}

const offerView = (
  { bidder, amount, date, coefficient, initial }: AuctionOffer,
  place: number,
  identity: { readonly bid: string; readonly name: string } | undefined,
): AuctionOfferView => ({
  bidder,
  label: bidderLabel(bidder),
  place,
  amount,
  date,
  coefficient,
  initial,
  ...identity,
});

function ownOffer(state: AuctionState, bid: string): OwnOfferView | undefined {
  const offer = state.status === "running" ? state.offers.find((other) => other.bid === bid) : undefined;
  if (!offer) return undefined;
  const { bidder, amount, date } = offer;
  const isOwnTurn = runningTurn(state)?.bidder === bidder;
  const highestAllowed = highestAllowedPrice(amount, state.rules);
  return {
    bidder,
    isOwnTurn,
    previous: { amount, date },
    ...(isOwnTurn && state.unpublished && { unpublished: state.unpublished }),
    ...(highestAllowed !== undefined && { highestAllowed }),
    confirmBelow: confirmationThreshold(amount, state.rules),
  };
}
