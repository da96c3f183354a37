declare const canonical: unique symbol;

/**
 * An exact decimal in canonical text: optional minus, no exponent, no leading zeros, no trailing zeros after the
 * point: "500", "0.1", "-3.25", "0".
 */
export type Decimal = string & { readonly [canonical]: true };

const DIGITS_MAX = 34;
const ZERO = "0" as Decimal;
const SHORT_CANONICAL = /^(?:-?(?:[1-9]\d{0,15}(?:\.\d{0,15}[1-9])?|0\.\d{0,15}[1-9])|0)$/;
const LITERAL = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d+))?$/;

/**
 * Parses a decimal literal, with or without an exponent. Returns `undefined` for anything else, and for numbers that need more than
 * 34 digits on either side of the point or in total.
 */
export function parseDecimal(text: string): Decimal | undefined {
  if (SHORT_CANONICAL.test(text)) return text as Decimal;
  const parts = LITERAL.exec(text.trim());
  if (parts === null) return undefined;
  const integerDigits = parts[2] ?? "";
  const digits = integerDigits + (parts[3] ?? "");
  if (digits === "") return undefined;
  let first = 0;
  while (digits.charCodeAt(first) === 48) first++;
  if (first === digits.length) return ZERO;
  let end = digits.length;
  while (digits.charCodeAt(end - 1) === 48) end--;
  const point = integerDigits.length - first + Number(parts[4] ?? 0);
  const significant = end - first;
  if (significant > DIGITS_MAX || point > DIGITS_MAX || significant - point > DIGITS_MAX) return undefined;
  return formatWithPoint(parts[1] === "-", digits.slice(first, end), point);
}

/** As `parseDecimal`, for constants in code: throws a `RangeError` if the text is not a decimal. */
export function decimal(text: string): Decimal {
  const parsed = parseDecimal(text);
  if (parsed === undefined) throw new RangeError("Not a decimal: " + text);
  return parsed;
}

const CANONICAL = /^(?:-?(?:[1-9]\d*(?:\.\d*[1-9])?|0\.\d*[1-9])|0)$/;
const isCanonical = (text: string): text is Decimal => CANONICAL.test(text);

/** A decimal that was stored as such, of any length: sums may have more digits than what clients may send. */
export function storedDecimal(text: string): Decimal {
  if (!isCanonical(text)) throw new RangeError("Not a stored decimal: " + text);
  return text;
}

// Same either way: for longer texts the general way gives the same order.
const isShort = (text: Decimal): boolean => text.length <= 15;

/** -1, 0 or 1 as `a` is less than, equal to or greater than `b`. */
export function compareDecimals(a: Decimal, b: Decimal): -1 | 0 | 1 {
  if (a === b) return 0;
  // Doubles represent decimals of up to fifteen digits in the right order.
  const areShort = isShort(a) && isShort(b);
  // Same either way: equal decimals have the same text, and have returned already.
  if (areShort) return Number(a) < Number(b) ? -1 : 1;
  const places = Math.max(decimalPlaces(a), decimalPlaces(b));
  // Same either way: they are not equal.
  return toScaledInteger(a, places) < toScaledInteger(b, places) ? -1 : 1;
}

/** The exact sum; 0 of no values. */
export function addDecimals(...values: readonly Decimal[]): Decimal {
  const places = Math.max(0, ...values.map(decimalPlaces));
  return fromScaledInteger(
    values.reduce((sum, value) => sum + toScaledInteger(value, places), 0n),
    places,
  );
}

/** The exact difference a - b. */
export function subtractDecimals(a: Decimal, b: Decimal): Decimal {
  const places = Math.max(decimalPlaces(a), decimalPlaces(b));
  return fromScaledInteger(toScaledInteger(a, places) - toScaledInteger(b, places), places);
}

/** The exact product. */
export function multiplyDecimals(a: Decimal, b: Decimal): Decimal {
  const [placesA, placesB] = [decimalPlaces(a), decimalPlaces(b)];
  return fromScaledInteger(toScaledInteger(a, placesA) * toScaledInteger(b, placesB), placesA + placesB);
}

/** The value without the digits after this many decimal places: the next one towards zero. */
export function truncateDecimal(value: Decimal, places: number): Decimal {
  const excess = decimalPlaces(value) - places;
  return excess <= 0
    ? value
    : fromScaledInteger(toScaledInteger(value, decimalPlaces(value)) / 10n ** BigInt(excess), places);
}

/** The largest value. Throws if there is none. */
export function maxDecimal(...values: readonly Decimal[]): Decimal {
  // Same either way: of equal values any is the largest.
  return values.reduce((best, value) => (compareDecimals(value, best) > 0 ? value : best));
}

/** The smallest value. Throws if there is none. */
export function minDecimal(...values: readonly Decimal[]): Decimal {
  return values.reduce((best, value) => (compareDecimals(value, best) < 0 ? value : best));
}

/** The wire format of money, which always has a fraction: "500" becomes "500.0". */
export function withFraction(amount: Decimal): string {
  return amount.includes(".") ? amount : amount + ".0";
}

/** The number of digits after the point. */
export function decimalPlaces(value: Decimal): number {
  const point = value.indexOf(".");
  return point < 0 ? 0 : value.length - point - 1;
}

function toScaledInteger(value: Decimal, places: number): bigint {
  return BigInt(value.replace(".", "") + "0".repeat(places - decimalPlaces(value)));
}

function fromScaledInteger(value: bigint, places: number): Decimal {
  if (value === 0n) return ZERO;
  const digits = String(value < 0n ? -value : value);
  let end = digits.length;
  while (digits.charCodeAt(end - 1) === 48) end--;
  return formatWithPoint(value < 0n, digits.slice(0, end), digits.length - places);
}

/** `digits` neither starts nor ends with a zero; the decimal point is `point` digits after its start. */
function formatWithPoint(negative: boolean, digits: string, point: number): Decimal {
  const sign = negative ? "-" : "";
  if (point <= 0) return (sign + "0." + "0".repeat(-point) + digits) as Decimal;
  if (point >= digits.length) return (sign + digits.padEnd(point, "0")) as Decimal;
  return (sign + digits.slice(0, point) + "." + digits.slice(point)) as Decimal;
}
