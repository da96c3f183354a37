import { openRateLimit, type Quota } from "../http/rateLimit.ts";
import type { Metrics } from "../ops/metrics.ts";

/** What became of a price: `limited` ones came too quickly and were not looked at. */
export type PriceOutcome = "accepted" | "refused" | "limited";

/** Limits the prices of each bidder, so that one of them cannot harm the others, and counts what becomes of them. */
export type PriceLimit = {
  /** Whether the bidder may send one more price now. */
  readonly take: (bidder: string) => Quota;
  readonly count: (outcome: PriceOutcome) => void;
};

const PRICES_PER_SECOND_MAX = 10;

/** Opens the limit of this process. */
export function openPriceLimit(metrics: Metrics): PriceLimit {
  const limit = openRateLimit(PRICES_PER_SECOND_MAX * 60, undefined, PRICES_PER_SECOND_MAX);
  const help = "Prices that bidders sent to auctions, and took back, by outcome";
  const prices = metrics.counter("tenderhall_auction_prices_total", help, ["outcome"]);
  return {
    take: (bidder) => limit.take([bidder]),
    count: (outcome) => prices.with(outcome).add(),
  };
}
