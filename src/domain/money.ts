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
  const whole = parts[2] ?? "";
  const digits = whole + (parts[3] ?? "");
  if (digits === "") return undefined;
  let first = 0;
  while (digits.charCodeAt(first) === 48) first++;
  if (first === digits.length) return ZERO;
  let end = digits.length;
  while (digits.charCodeAt(end - 1) === 48) end--;
  const point = whole.length - first + Number(parts[4] ?? 0);
  const significant = end - first;
  if (significant > DIGITS_MAX || point > DIGITS_MAX || significant - point > DIGITS_MAX) return undefined;
  return withPoint(parts[1] === "-", digits.slice(first, end), point);
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
  return scaled(a, places) < scaled(b, places) ? -1 : 1;
}

export function addDecimals(...all: readonly Decimal[]): Decimal {
  const places = Math.max(0, ...all.map(placesOf));
  return unscaled(
    all.reduce((sum, each) => sum + scaled(each, places), 0n),
    places,
  );
}

export function subtractDecimals(a: Decimal, b: Decimal): Decimal {
  const places = Math.max(placesOf(a), placesOf(b));
  return unscaled(scaled(a, places) - scaled(b, places), places);
}

/** Of at least one. */
export function maxDecimal(...all: readonly Decimal[]): Decimal {
  return all.reduce((best, each) => (compareDecimals(each, best) > 0 ? each : best));
}

/** Of at least one. */
export function minDecimal(...all: readonly Decimal[]): Decimal {
  return all.reduce((best, each) => (compareDecimals(each, best) < 0 ? each : best));
}

/** The wire form of money, which always shows a fraction: "500" becomes "500.0". */
export function withFraction(amount: Decimal): string {
  return amount.includes(".") ? amount : amount + ".0";
}

function placesOf(value: Decimal): number {
  const point = value.indexOf(".");
  return point < 0 ? 0 : value.length - point - 1;
}

function scaled(value: Decimal, places: number): bigint {
  return BigInt(value.replace(".", "") + "0".repeat(places - placesOf(value)));
}

function unscaled(value: bigint, places: number): Decimal {
  if (value === 0n) return ZERO;
  const digits = String(value < 0n ? -value : value);
  let end = digits.length;
  while (digits.charCodeAt(end - 1) === 48) end--;
  return withPoint(value < 0n, digits.slice(0, end), digits.length - places);
}

/** `digits` neither start nor end with a zero; the point stands `point` digits after their start. */
function withPoint(negative: boolean, digits: string, point: number): Decimal {
  const sign = negative ? "-" : "";
  if (point <= 0) return (sign + "0." + "0".repeat(-point) + digits) as Decimal;
  if (point >= digits.length) return (sign + digits.padEnd(point, "0")) as Decimal;
  return (sign + digits.slice(0, point) + "." + digits.slice(point)) as Decimal;
}
