import {
  compareDecimals,
  type Decimal,
  decimal,
  decimalPlaces,
  multiplyDecimals,
  subtractDecimals,
  truncateDecimal,
} from "../values/decimal.ts";
import type { AuctionRules } from "./model.ts";
import { type AuctionRefusal, priceRefusal } from "./refusals.ts";

/** What a price in a turn may be. All amounts are exact decimals. */

const ZERO = decimal("0");
const ONE = decimal("1");
const PLACES_MAX = 2;

/** The highest price that may follow `previous`: one step lower, with two decimal places. `undefined` if it would not be greater than zero. */
export function highestAllowedPrice(previous: Decimal, { minimalStep }: AuctionRules): Decimal | undefined {
  const highest = truncateDecimal(subtractDecimals(previous, minimalStep), PLACES_MAX);
  return compareDecimals(highest, ZERO) > 0 ? highest : undefined;
}

/** Prices below this one need a confirmation: they are lower than the previous price by more than the share in the rules. */
export const confirmationThreshold = (previous: Decimal, { confirmedDrop }: AuctionRules): Decimal =>
  multiplyDecimals(previous, subtractDecimals(ONE, confirmedDrop));

/** Why `amount` may not follow `previous`, if it may not. */
export function checkPrice(
  amount: Decimal,
  isConfirmed: boolean,
  previous: Decimal,
  rules: AuctionRules,
): AuctionRefusal | undefined {
  const highest = highestAllowedPrice(previous, rules);
  if (compareDecimals(amount, ZERO) <= 0)
    return priceRefusal("price-not-positive", "The price must be greater than zero.", highest);
  if (decimalPlaces(amount) > PLACES_MAX)
    return priceRefusal("price-decimals", "The price must have at most two decimal places.", highest);
  if (highest === undefined)
    return priceRefusal(
      "price-step",
      "No lower price is possible: the minimal step would make it zero or less.",
      highest,
    );
  if (compareDecimals(amount, highest) > 0)
    return priceRefusal("price-step", `The price must be at most ${highest}.`, highest);
  if (!isConfirmed && compareDecimals(amount, confirmationThreshold(previous, rules)) < 0)
    return priceRefusal(
      "price-unconfirmed",
      `The price is more than ${multiplyDecimals(rules.confirmedDrop, decimal("100"))} % below the previous one: confirm it.`,
      highest,
      "confirmed",
    );
  return undefined;
}
