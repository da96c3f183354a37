/** Error correction of QR codes: Reed–Solomon codes over the field of 256 elements with the polynomial x⁸ + x⁴ + x³ + x² + 1. */

const POLYNOMIAL = 0x11d;
const ORDER = 255;

/** The powers of the generator 2, twice, so that a sum of two logarithms needs no reduction. */
const POWERS = new Uint8Array(2 * ORDER);
const LOGARITHMS = new Uint8Array(256);
for (let exponent = 0, power = 1; exponent < ORDER; exponent++) {
  POWERS[exponent] = power;
  POWERS[exponent + ORDER] = power;
  LOGARITHMS[power] = exponent;
  power = power << 1 > 255 ? (power << 1) ^ POLYNOMIAL : power << 1;
}

/** The product of two elements of the field. */
export const multiply = (a: number, b: number): number =>
  a === 0 || b === 0 ? 0 : (POWERS[(LOGARITHMS[a] ?? 0) + (LOGARITHMS[b] ?? 0)] ?? 0);

/** The coefficients of (x − 1)(x − 2)…(x − 2ⁿ⁻¹), without the leading 1, highest power first. */
function generatorOf(count: number): Uint8Array {
  const generator = new Uint8Array(count);
  generator[count - 1] = 1;
  for (let i = 0; i < count; i++)
    for (let j = 0; j < count; j++)
      generator[j] = multiply(generator[j] ?? 0, POWERS[i] ?? 0) ^ (generator[j + 1] ?? 0);
  return generator;
}

/** The `count` error correction codewords of a block of data codewords: the remainder of the division by the generator. */
export function errorCorrectionOf(data: Uint8Array, count: number): Uint8Array {
  const generator = generatorOf(count);
  const remainder = new Uint8Array(count);
  for (const byte of data) {
    const factor = byte ^ (remainder[0] ?? 0);
    remainder.copyWithin(0, 1);
    remainder[count - 1] = 0;
    for (let i = 0; i < count; i++) remainder[i] = (remainder[i] ?? 0) ^ multiply(generator[i] ?? 0, factor);
  }
  return remainder;
}
