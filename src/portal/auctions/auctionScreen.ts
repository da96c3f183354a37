import type { AuctionRule } from "../../domain/auctions/auctionRules.ts";
import type { AuctionStage, AuctionTurn } from "../../domain/auctions/model.ts";
import type { AuctionOfferView, LiveAuctionView } from "../../domain/auctions/view.ts";
import type { Decimal } from "../../domain/values/decimal.ts";
import type { Instant } from "../../domain/values/time.ts";
import { formatMoment, formatMoney, machineTime } from "../layout/formats.ts";
import type { Language } from "../layout/languages.ts";
import { html, type Markup } from "../markup.ts";
import type { AuctionMessages } from "./auctionMessages.ts";
import { auctionMessagesIn } from "./auctionMessages.ts";

/** What the parts of the auction page have in common. The server renders them first, and the browser again after each event. */

/** What the bidder's form sent last, if it was refused. */
export type PriceFormState = {
  /** As it was typed. */
  readonly amount: string;
  /** The rule by which it was refused. */
  readonly rule: AuctionRule | "price-format";
};

/** A bidder whose name is public. */
export type DisclosedBidder = {
  readonly bid: string;
  /** The name in the language of the page. */
  readonly name?: string;
  /** The page of the organisation, if it has one. */
  readonly profilePath?: string;
};

/** The state from which all parts of the page are rendered. */
export type AuctionScreen = {
  readonly view: LiveAuctionView;
  /** The time of the auction, by its own clock. */
  readonly now: Instant;
  readonly zoneName: string;
  readonly language: Language;
  /** The path of the page, to which the form is sent without scripts. */
  readonly pagePath: string;
  /** The path of the auction in the API. */
  readonly apiPath: string;
  /** The auction is on a test clock, which stands still. */
  readonly hasTestClock?: true;
  readonly form?: PriceFormState;
  /** What the page knows of the bidders besides the view, once names are public. The stream does not send it. */
  readonly bidders?: readonly DisclosedBidder[];
};

export const textsOf = ({ language }: AuctionScreen): AuctionMessages => auctionMessagesIn(language);

export const money = ({ view, language }: AuctionScreen, amount: Decimal): string =>
  formatMoney(amount, view.rules.currency, language);

/** A local time with seconds, for the ends of stages. */
export const clockTime = ({ zoneName, language }: AuctionScreen, at: Instant): Markup =>
  html`<time datetime="${machineTime(at)}">${formatMoment(at, "exact time", zoneName, language)}</time>`;

export const runningStageOf = ({ stages, current }: LiveAuctionView): AuctionStage | undefined =>
  current === undefined ? undefined : stages[current];

/** What is known of a bidder besides its offer. */
function detailsOf({ view, bidders = [] }: AuctionScreen, bidder: number): DisclosedBidder | undefined {
  const bid = view.offers.find((offer) => offer.bidder === bidder)?.bid;
  return bid === undefined ? undefined : bidders.find((candidate) => candidate.bid === bid);
}

/** The number of a bidder as text, with its name once names are public: in the language of the page, if that is known. */
export function bidderText(screen: AuctionScreen, bidder: number): string {
  const name = screen.view.offers.find((offer) => offer.bidder === bidder)?.name;
  return detailsOf(screen, bidder)?.name || name || textsOf(screen).auction.bidder(bidder);
}

/** As `bidderText`, as a link to the profile of the bidder if it has one. */
export function bidderLink(screen: AuctionScreen, bidder: number): Markup {
  const name = html`<bdi>${bidderText(screen, bidder)}</bdi>`;
  const path = detailsOf(screen, bidder)?.profilePath;
  return path === undefined ? name : html`<a href="${path}">${name}</a>`;
}

/** As `bidderText`, as markup in which the reader's own number is marked. */
export function bidderMarkup(screen: AuctionScreen, bidder: number): Markup {
  const text = bidderText(screen, bidder);
  return screen.view.own?.bidder === bidder
    ? html`<bdi>${text}</bdi> <span class="you">${textsOf(screen).auction.you}</span>`
    : html`<bdi>${text}</bdi>`;
}

/** What the countdown counts to: the end of the stage, or the planned start. `undefined` if nothing is expected. */
export function countdownTarget({ status, nextChange, plannedStart }: LiveAuctionView): Instant | undefined {
  return status === "planned" ? plannedStart : nextChange;
}

/** The turns that count, in their order: a turn that an interruption took has no result. */
export const turnsOf = ({ stages }: LiveAuctionView): readonly AuctionTurn[] =>
  stages.filter((stage) => stage.kind === "turn");

/** The price of a bidder after a round, and whether it is new; `undefined` until its turn has ended. */
export const roundResult = (view: LiveAuctionView, { bidder }: AuctionOfferView, round: number) =>
  turnsOf(view).find((turn) => turn.round === round && turn.bidder === bidder && turn.result)?.result;
