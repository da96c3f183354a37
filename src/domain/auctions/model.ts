import type { Decimal } from "../values/decimal.ts";
import type { Instant } from "../values/time.ts";
import type { AuctionRule } from "./auctionRules.ts";

/**
 * The types of a live auction. All values are plain JSON, because the state of an auction is stored and its record is published.
 * No property is ever present with the value `undefined`.
 */

/** Lengths and limits of one auction. They are fixed when it is planned. All lengths are in microseconds. */
export type AuctionRules = {
  readonly rounds: number;
  /** The pause before the first round. */
  readonly firstPauseMicros: number;
  /** The pause before each later round. */
  readonly pauseMicros: number;
  readonly turnMicros: number;
  readonly preAnnouncementMicros: number;
  /** How much of a turn an interruption may take before the turn is given again. */
  readonly turnLossMicrosMax: number;
  /** An interruption that takes a turn and is longer than this ends the auction, which is then planned again. */
  readonly interruptionMicrosMax: number;
  readonly minimalStep: Decimal;
  readonly currency: string;
  /** A price that is lower than the previous one by more than this share needs a confirmation: "0.3" is 30 percent. */
  readonly confirmedDrop: Decimal;
  /** Whether prices are compared after a division by coefficients. */
  readonly hasFeatures: boolean;
};

/** A bid as it enters the auction. `coefficient` is an exact fraction such as "20/17", and "1" if there are no features. */
export type InitialBid = {
  readonly id: string;
  readonly amount: Decimal;
  readonly coefficient: string;
  /** When the amount was set, which decides between equal prices. */
  readonly date: Instant;
};

/** A price with the time at which it was placed. */
export type DatedPrice = { readonly amount: Decimal; readonly date: Instant };

/** A bidder's published price. Bidders are numbered in the order of the first round: the worst offer is 1. */
export type AuctionOffer = DatedPrice & {
  readonly bid: string;
  readonly bidder: number;
  readonly coefficient: string;
  readonly initial: DatedPrice;
};

/** The result of a turn: the bidder's price from then on. `isNew` says whether it was placed in this turn. */
export type TurnResult = DatedPrice & { readonly isNew: boolean };

/** A turn of a bidder. `bidder` is unknown until the pause before the round begins, `result` until the turn ends. */
export type AuctionTurn = {
  readonly kind: "turn";
  readonly round: number;
  readonly bidder?: number;
  readonly start: Instant;
  readonly end: Instant;
  /** An interruption took the turn, and the next stage gives it again. */
  readonly isInterrupted?: true;
  readonly result?: TurnResult;
};

/** A stage of the auction. `end` is exclusive: a price placed at that microsecond is late. The announcement does not end. */
export type AuctionStage =
  | { readonly kind: "pause"; readonly round: number; readonly start: Instant; readonly end: Instant }
  | AuctionTurn
  | { readonly kind: "pre-announcement"; readonly start: Instant; readonly end: Instant }
  | { readonly kind: "announcement"; readonly start: Instant };

/** A bidder's final place, 1 for the best offer. */
export type AuctionPlace = DatedPrice & { readonly place: number; readonly bidder: number };

/** The organisation that placed a bid. */
export type BidderName = { readonly bid: string; readonly name: string };

/** What can happen to an auction, besides the passing of time. */
export type AuctionCommand =
  /**
   * Plans the start of the first pause. An auction that has begun is planned again: its prices are discarded. `startMissed` says that
   * it has not begun, although the planned start has passed, because nobody was there; a replay could not tell otherwise.
   */
  | { readonly kind: "plan"; readonly start: Instant; readonly startMissed?: true }
  /** Gives the auction its bids, in the order of the tender. The first pause begins at the planned start, or at once if that has passed. */
  | { readonly kind: "begin"; readonly bids: readonly InitialBid[] }
  | {
      readonly kind: "place price";
      readonly bid: string;
      readonly amount: Decimal;
      /** The bidder has confirmed a price that is far below the previous one. */
      readonly confirmed?: true;
    }
  /** Takes the unpublished price back: the previous one counts. */
  | { readonly kind: "take back price"; readonly bid: string }
  /** The service could not be reached. `from` is inclusive, `until` exclusive. */
  | { readonly kind: "report interruption"; readonly from: Instant; readonly until: Instant }
  /** The tender or the lot was cancelled, or has too few bids. */
  | { readonly kind: "cancel" }
  /** The tender has reached qualification: names and the record become public. */
  | { readonly kind: "disclose names"; readonly names: readonly BidderName[] };

/** A command with the instant of its commit and, if it was refused, the rule. */
export type AuctionInputRecord = {
  readonly at: Instant;
  readonly command: AuctionCommand;
  readonly refused?: AuctionRule;
};

/** What an event says. Bidders have numbers here, so no event reveals whose price it is about. */
export type AuctionChange =
  | { readonly kind: "planned"; readonly start: Instant }
  | {
      readonly kind: "begun";
      readonly offers: readonly (DatedPrice & { readonly bidder: number; readonly coefficient: string })[];
      readonly stages: readonly AuctionStage[];
    }
  /** A stage begins. `order` has the bidders of the coming round in the order of their turns. */
  | { readonly kind: "stage"; readonly index: number; readonly order?: readonly number[] }
  | ({ readonly kind: "turn result"; readonly index: number; readonly bidder: number } & TurnResult)
  /** The turn is given again. `stages` replace all stages from `index` on. */
  | {
      readonly kind: "turn repeated";
      readonly from: Instant;
      readonly until: Instant;
      readonly index: number;
      readonly stages: readonly AuctionStage[];
    }
  | { readonly kind: "interrupted"; readonly from: Instant; readonly until: Instant }
  | { readonly kind: "ended"; readonly places: readonly AuctionPlace[] }
  | { readonly kind: "cancelled" }
  | { readonly kind: "names"; readonly names: readonly { readonly bidder: number; readonly name: string }[] }
  | ({ readonly kind: "price placed" } & DatedPrice)
  | { readonly kind: "price taken back" };

/** An event. One with `onlyTo` is visible to the bidder with this bid only. */
export type AuctionEvent = AuctionChange & { readonly at: Instant; readonly onlyTo?: string };

export const AUCTION_STATUSES = ["planned", "running", "interrupted", "ended", "cancelled"] as const;
export type AuctionStatus = (typeof AUCTION_STATUSES)[number];

/** A course of the auction that was broken off and planned again. Its prices do not count. */
export type AuctionAttempt = {
  readonly plannedStart: Instant;
  readonly stages: readonly AuctionStage[];
  readonly offers: readonly AuctionOffer[];
};

/** The state of one auction. `inputs` and `events` only grow at their end, so a store may keep their elements as rows. */
export type AuctionState = {
  /** The id of the tender, or `<tender id>_<lot id>`. */
  readonly id: string;
  readonly rules: AuctionRules;
  readonly status: AuctionStatus;
  /** The instant of the last input or stage. */
  readonly at: Instant;
  readonly plannedStart: Instant;
  /** The bids in the order of the tender; none until they are given by "begin". */
  readonly bids: readonly InitialBid[];
  /** The published prices in the order of the bids; none until the first pause begins. */
  readonly offers: readonly AuctionOffer[];
  readonly stages: readonly AuctionStage[];
  /** The index of the stage that runs, or of the announcement. */
  readonly current?: number;
  /** The price that was placed in the running turn, which only its bidder may see. */
  readonly unpublished?: DatedPrice;
  readonly earlierAttempts: readonly AuctionAttempt[];
  /** Present once names are public. */
  readonly names?: readonly BidderName[];
  readonly inputs: readonly AuctionInputRecord[];
  readonly events: readonly AuctionEvent[];
};

/** The name of a bidder until names are public. */
export const bidderLabel = (bidder: number): string => `Bidder ${bidder}`;
