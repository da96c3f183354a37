import type { Bid, Feature } from "../model/tender.ts";
import { addDecimals, type Decimal, decimal, maxDecimal, subtractDecimals } from "../values/decimal.ts";
import { compareFractions, divideFractions, type Fraction, fractionOf } from "../values/fraction.ts";
import type { Instant } from "../values/time.ts";

/**
 * Orders bids for the auction and the award. Amounts and weights are exact decimals, and normalised prices are exact fractions of
 * them. The established system is exact too, but starts from binary floats, so prices that are equal here can differ there in far
 * digits.
 */

/** A bid's answer to a feature: the feature's code and the weight of the chosen option. */
type Weight = { readonly code: string; readonly value: Decimal };

/** What ranking needs to know of a bid. `date` is when its amount was set. */
export type RankableBid = {
  readonly id: string;
  readonly amount: Decimal;
  readonly date: Instant;
  readonly parameters: readonly Weight[];
};

/** An amount with the coefficient by which it is divided to compare it with others. */
export type RankablePrice = { readonly amount: Decimal; readonly date: Instant; readonly coefficient: Fraction };

const ZERO = decimal("0");
const ONE = decimal("1");

/** The answers of a bid that count: those with a code and a value. */
export const weightsOf = ({ parameters = [] }: Pick<Bid, "parameters">): readonly Weight[] =>
  parameters.flatMap(({ code, value }) => (code === undefined || value === undefined ? [] : [{ code, value }]));

/** The bids by normalised price, lowest first; equal prices by date, and equal dates in the given order. */
export function rank(bids: readonly RankableBid[], features: readonly Feature[]): readonly RankableBid[] {
  const prices = bids.map((bid) => {
    const { amount, date, parameters } = bid;
    return { bid, amount, date, coefficient: coefficientOf(parameters, features) };
  });
  return rankPrices(prices).map(({ bid }) => bid);
}

/** As `rank`, for prices whose coefficients are known. */
export function rankPrices<Price extends RankablePrice>(prices: readonly Price[]): readonly Price[] {
  return prices
    .map((price) => ({ price, normalised: divideFractions(fractionOf(price.amount), price.coefficient) }))
    .toSorted((a, b) => compareFractions(a.normalised, b.normalised) || a.price.date - b.price.date)
    .map(({ price }) => price);
}

/** The amount divided by the bid's coefficient. */
export const normalisedPrice = (bid: RankableBid, features: readonly Feature[]): Fraction =>
  divideFractions(fractionOf(bid.amount), coefficientOf(bid.parameters, features));

/**
 * 1 + V / (1 - Vmax), where V is the sum of the bid's parameters for these features and Vmax the sum of their largest options.
 * `checkFeatures` limits Vmax to 0.3, so the divisor is never zero.
 */
export function coefficientOf(parameters: readonly Weight[], features: readonly Feature[]): Fraction {
  const codes = new Set(features.map(({ code }) => code));
  const offered = parameters.filter(({ code }) => codes.has(code)).map(({ value }) => value);
  const priceWeight = subtractDecimals(ONE, addDecimals(...features.map(maxWeight)));
  return divideFractions(fractionOf(addDecimals(priceWeight, ...offered)), fractionOf(priceWeight));
}

const maxWeight = (feature: Feature): Decimal =>
  maxDecimal(ZERO, ...(feature.enum ?? []).map(({ value }) => value ?? ZERO));
