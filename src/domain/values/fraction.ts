import type { Decimal } from "./decimal.ts";

/** A fraction in lowest terms with a positive denominator. */
export type Fraction = { readonly numerator: bigint; readonly denominator: bigint };

const FRACTION_TEXT = /^(\d{1,200})(?:\/([1-9]\d{0,199}))?$/;

/** The decimal as a fraction. */
export function fractionOf(value: Decimal): Fraction {
  const [whole = "", places = ""] = value.split(".");
  return reduced(BigInt(whole + places), 10n ** BigInt(places.length));
}

/** The exact quotient a / b. The divisor must be greater than zero. */
export const divideFractions = (a: Fraction, b: Fraction): Fraction =>
  reduced(a.numerator * b.denominator, a.denominator * b.numerator);

/** Negative, 0 or positive as `a` is less than, equal to or greater than `b`. */
export function compareFractions(a: Fraction, b: Fraction): number {
  const left = a.numerator * b.denominator;
  const right = b.numerator * a.denominator;
  return left < right ? -1 : left > right ? 1 : 0;
}

/** The fraction as text, which `parseFraction` reads: "20/17", or "3" for a whole number. */
export const formatFraction = ({ numerator, denominator }: Fraction): string =>
  denominator === 1n ? String(numerator) : `${numerator}/${denominator}`;

/** Reads what `formatFraction` writes. Returns `undefined` for anything else, and for fractions that are negative. */
export function parseFraction(text: string): Fraction | undefined {
  const [, numerator, denominator = "1"] = FRACTION_TEXT.exec(text) ?? [];
  if (numerator === undefined) return undefined;
  const fraction = reduced(BigInt(numerator), BigInt(denominator));
  return formatFraction(fraction) === text ? fraction : undefined;
}

function reduced(numerator: bigint, denominator: bigint): Fraction {
  let [divisor, rest] = [denominator, numerator < 0n ? -numerator : numerator];
  while (rest !== 0n) [divisor, rest] = [rest, divisor % rest];
  return { numerator: numerator / divisor, denominator: denominator / divisor };
}
