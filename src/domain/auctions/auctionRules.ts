import type { Topics } from "../model/ruleTopics.ts";

/**
 * The rules by which an auction refuses, in the form of `model/rules.ts`. They become part of the catalogues there, and of the page of
 * errors, together with the operations of the API that they refuse.
 */

/** Rules about the price itself. */
export const AUCTION_PROBLEMS = {
  "Auctions and contracts": {
    "price-not-positive": {
      title: "A price in the auction is not greater than zero",
      text: "Offer a price greater than zero.",
    },
    "price-decimals": {
      title: "A price in the auction has more than two decimal places",
      text: "Round the price to two decimal places.",
    },
    "price-step": {
      title: "A price in the auction is too high",
      text: "Offer at most your previous price minus minimalStep. The error entry gives the highest price that is allowed.",
    },
    "price-unconfirmed": {
      title: "A price that is far below the previous one must be confirmed",
      text: "Check the price for a typing mistake. If it is right, send it again with confirmed: true.",
    },
  },
} as const satisfies Topics;

/** Rules about the moment and the bidder. */
export const AUCTION_REFUSALS = {
  Auctions: {
    "auction-stage": {
      title: "The auction does not allow this in its current stage",
      text: "Prices are accepted only in the turns of a running auction. The auction's page shows its stages.",
    },
    "auction-participant": {
      title: "The bid does not take part in this auction",
      text: "Each lot has its own auction. Use the participation URL of the bid, or of its value for the lot.",
    },
    "not-your-turn": {
      title: "Another bidder has the turn, or none has",
      text: "Place the price in your own turn: allowedFrom and allowedUntil give the next one.",
    },
    "turn-ended": {
      title: "The turn ended before the price was stored",
      text: "The previous price counts. The error entry names the turn that was missed; use your next turn, if there is one.",
    },
    "no-participation-link": {
      title: "The bid has no participation link",
      text: "Links exist from active.auction on, until the auction of the bid is over.",
    },
    "held-by-service": {
      title: "The registry itself holds the auction",
      text: "Its first pause has begun, so no other service can set URLs or report results. The bidders place their prices at auctionUrl.",
    },
    "no-price-to-take-back": {
      title: "No price was placed in this turn",
      text: "There is nothing to take back: your previous price counts.",
    },
  },
} as const satisfies Topics;

/** The id of a rule about a price. */
export type PriceRule = keyof (typeof AUCTION_PROBLEMS)["Auctions and contracts"];
/** The id of a rule about the moment or the bidder. */
export type StageRule = keyof (typeof AUCTION_REFUSALS)["Auctions"];
/** The id of any rule by which an auction refuses. */
export type AuctionRule = PriceRule | StageRule;
