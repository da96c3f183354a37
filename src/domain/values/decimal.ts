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

/** For constants in code. */
export function decimal(text: string): Decimal {
  const parsed = parseDecimal(text);
  if (parsed === undefined) throw new RangeError("Not a decimal: " + text);
  return parsed;
}

export function compareDecimals(a: Decimal, b: Decimal): -1 | 0 | 1 {
  if (a === b) return 0;
  // Doubles keep the order of decimals of up to fifteen digits.
  if (a.length <= 15 && b.length <= 15) return Number(a) < Number(b) ? -1 : 1;
  const places = Math.max(placesOf(a), placesOf(b));
  return toScaledInteger(a, places) < toScaledInteger(b, places) ? -1 : 1;
}

export function addDecimals(...values: readonly Decimal[]): Decimal {
  const places = Math.max(0, ...values.map(placesOf));
  return fromScaledInteger(
    values.reduce((sum, value) => sum + toScaledInteger(value, places), 0n),
    places,
  );
}

export function subtractDecimals(a: Decimal, b: Decimal): Decimal {
  const places = Math.max(placesOf(a), placesOf(b));
  return fromScaledInteger(toScaledInteger(a, places) - toScaledInteger(b, places), places);
}

/** Of at least one. */
export function maxDecimal(...values: readonly Decimal[]): Decimal {
  return values.reduce((best, value) => (compareDecimals(value, best) > 0 ? value : best));
}

/** Of at least one. */
export function minDecimal(...values: readonly Decimal[]): Decimal {
  return values.reduce((best, value) => (compareDecimals(value, best) < 0 ? value : best));
}

/** The wire form of money, which always shows a fraction: "500" becomes "500.0". */
export function withFraction(amount: Decimal): string {
  return amount.includes(".") ? amount : amount + ".0";
}

function placesOf(value: Decimal): number {
  const point = value.indexOf(".");
  return point < 0 ? 0 : value.length - point - 1;
}

function toScaledInteger(value: Decimal, places: number): bigint {
  return BigInt(value.replace(".", "") + "0".repeat(places - placesOf(value)));
}

function fromScaledInteger(value: bigint, places: number): Decimal {
  if (value === 0n) return ZERO;
  const digits = String(value < 0n ? -value : value);
  let end = digits.length;
  while (digits.charCodeAt(end - 1) === 48) end--;
  return formatWithPoint(value < 0n, digits.slice(0, end), digits.length - places);
}

/** `digits` neither start nor end with a zero; the point stands `point` digits after their start. */
function formatWithPoint(negative: boolean, digits: string, point: number): Decimal {
  const sign = negative ? "-" : "";
  if (point <= 0) return (sign + "0." + "0".repeat(-point) + digits) as Decimal;
  if (point >= digits.length) return (sign + digits.padEnd(point, "0")) as Decimal;
  return (sign + digits.slice(0, point) + "." + digits.slice(point)) as Decimal;
}
