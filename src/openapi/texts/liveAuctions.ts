import type { OperationTexts } from "./text.ts";

/** The auctions that the registry itself holds. */

const AUCTION = "/auctions/{auction_id}";
const BIDDER =
  "Needs the signature in the bid's `participationUrl` as a Bearer token, the cookie that opening it sets (then only from a page of " +
  "the service), or the key of the account that placed the bid, with the bid's owner token and its id in `bid`.";
const PRICES = "A bidder may send 10 prices in a second; more are refused with 429.";

export const LIVE_AUCTION_TEXTS: OperationTexts = {
  "GET /auctions":
    "Lists the auctions that the registry itself holds, by their planned start, page by page. Everyone may read it, without a key. " +
    "Auctions on test clocks are listed only with `tender`.",
  [`GET ${AUCTION}`]:
    "Returns an auction: its stages, and the published prices of bidders who have numbers instead of names until the tender reaches " +
    "`active.qualification`. Before the first pause it shows the planned start only. Everyone may read it, without a key; a bidder also " +
    "gets `own`, with the price that nobody else sees before the turn ends. The header `X-Server-Time` has the time of the auction's " +
    "clock.",
  [`GET ${AUCTION}/events`]:
    "Streams an auction as Server-Sent Events. The first event, named snapshot, has the whole auction; each later one, named change, " +
    "has what changed. Events are numbered without gaps: a client that reconnects sends the last `id` as `Last-Event-ID` and gets what it " +
    "missed, or a new snapshot if the registry cannot continue there. Every event has `serverTime`. A bidder also gets its own " +
    "unpublished prices, in all of its windows. A stream that is not read is cut off. Everyone may read it, without a key.",
  [`POST ${AUCTION}/bids`]:
    `Places a price in your turn, or replaces the one that you have placed: only the last one counts. The response comes when the price is ` +
    `stored, and has your part of the auction. Nobody else sees the price before the turn ends. ${BIDDER} Refused with 422 if the price ` +
    "is too high, not positive, has more than two decimals, or is far below your previous one and not confirmed; with 403 if it is not " +
    `your turn, or the turn has ended. ${PRICES}`,
  [`DELETE ${AUCTION}/bids/current`]:
    `Takes back the price that you have placed in the running turn: your previous price counts again. ${BIDDER} Refused with 403 if it is ` +
    `not your turn, or you have placed no price in it. ${PRICES}`,
  [`POST ${AUCTION}/links`]:
    "Replaces the participation links of your bid, in all its auctions, for example because somebody else has seen one. The response has " +
    "the new link; earlier ones, their cookies and their streams end at once. Needs the key of the account that placed the bid, and the " +
    "bid's owner token. Possible until the auctions of the bid are over; refused with 403 after that.",
  [`GET ${AUCTION}/record`]:
    "Returns the record of an auction: its rules, all bids, and every price that was placed or refused, with its time. Anyone can compute " +
    "the result again from it. Everyone may read it, without a key, once the tender has reached `active.qualification`; refused with 403 " +
    "before that.",
};
