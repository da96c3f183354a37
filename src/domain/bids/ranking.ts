import type { Feature } from "../model/tender.ts";
import { addDecimals, type Decimal, decimal, maxDecimal, subtractDecimals } from "../values/decimal.ts";
import type { Instant } from "../values/time.ts";

/**
 * Orders bids for the award. Amounts and weights are exact decimals, and normalised prices are exact fractions of them. The
 * established system is exact too, but starts from binary floats, so prices that are equal here can differ there in far digits.
 */

/** What ranking needs to know of a bid. `date` is when its amount was set. */
export type RankableBid = {
  readonly id: string;
  readonly amount: Decimal;
  readonly date: Instant;
  readonly parameters: readonly { readonly code: string; readonly value: Decimal }[];
};

/** A fraction in lowest terms with a positive denominator. */
export type Fraction = { readonly numerator: bigint; readonly denominator: bigint };

const ZERO = decimal("0");
const ONE = decimal("1");

/** The bids by normalised price, lowest first; equal prices by date, and equal dates in the given order. */
export function rank(bids: readonly RankableBid[], features: readonly Feature[]): readonly RankableBid[] {
  return bids
    .map((bid) => ({ bid, price: normalisedPrice(bid, features) }))
    .toSorted((a, b) => compareFractions(a.price, b.price) || a.bid.date - b.bid.date)
    .map(({ bid }) => bid);
}

/**
 * The amount divided by 1 + V / (1 - Vmax), where V is the sum of the bid's parameters for these features and Vmax the sum of their
 * largest options. `checkFeatures` limits Vmax to 0.3, so the divisor is never zero.
 */
export function normalisedPrice(bid: RankableBid, features: readonly Feature[]): Fraction {
  const codes = new Set(features.map(({ code }) => code));
  const offered = bid.parameters.filter(({ code }) => codes.has(code)).map(({ value }) => value);
  const priceWeight = subtractDecimals(ONE, addDecimals(...features.map(maxWeight)));
  const amount = fractionOf(bid.amount);
  const numerator = fractionOf(priceWeight);
  const denominator = fractionOf(addDecimals(priceWeight, ...offered));
  return reduced(
    amount.numerator * numerator.numerator * denominator.denominator,
    amount.denominator * numerator.denominator * denominator.numerator,
  );
}

const maxWeight = (feature: Feature): Decimal =>
  maxDecimal(ZERO, ...(feature.enum ?? []).map(({ value }) => value ?? ZERO));

function fractionOf(value: Decimal): Fraction {
  const [whole = "", places = ""] = value.split(".");
  return { numerator: BigInt(whole + places), denominator: 10n ** BigInt(places.length) };
}

function reduced(numerator: bigint, denominator: bigint): Fraction {
  let [divisor, rest] = [denominator, numerator < 0n ? -numerator : numerator];
  while (rest !== 0n) [divisor, rest] = [rest, divisor % rest];
  return { numerator: numerator / divisor, denominator: denominator / divisor };
}

function compareFractions(a: Fraction, b: Fraction): number {
  const left = a.numerator * b.denominator;
  const right = b.numerator * a.denominator;
  return left < right ? -1 : left > right ? 1 : 0;
}
