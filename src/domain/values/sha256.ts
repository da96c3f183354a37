/**
 * SHA-256 (FIPS 180-4) in plain JavaScript. The domain uses no platform, and the hash must also be computed in a browser page
 * without waiting, which `crypto.subtle` does not offer.
 */

const PRIMES = firstPrimes(64);
/** The first 32 bits of the fractional part. Roots of the first 64 primes have enough digits in a double. */
const fractionBits = (value: number): number => ((value - Math.floor(value)) * 2 ** 32) >>> 0;
const ROUND_CONSTANTS: readonly number[] = PRIMES.map((prime) => fractionBits(Math.cbrt(prime)));
const INITIAL_HASH: readonly number[] = PRIMES.slice(0, 8).map((prime) => fractionBits(Math.sqrt(prime)));
const BLOCK_BYTES = 64;

function firstPrimes(count: number): readonly number[] {
  const primes: number[] = [];
  for (let candidate = 2; primes.length < count; candidate++)
    if (primes.every((prime) => candidate % prime !== 0)) primes.push(candidate);
  return primes;
}

/** The SHA-256 of a text in UTF-8, as 64 hexadecimal digits. */
export function sha256Hex(text: string): string {
  const padded = pad(new TextEncoder().encode(text));
  const view = new DataView(padded.buffer);
  const hash = Uint32Array.from(INITIAL_HASH);
  for (let offset = 0; offset < padded.length; offset += BLOCK_BYTES) addBlock(hash, scheduleOf(view, offset));
  return [...hash].map((word) => word.toString(16).padStart(8, "0")).join("");
}

/** Appends a one bit, zeros up to a whole block, and the length in bits. */
function pad(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const padded = new Uint8Array(Math.ceil((bytes.length + 9) / BLOCK_BYTES) * BLOCK_BYTES);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  new DataView(padded.buffer).setBigUint64(padded.length - 8, BigInt(bytes.length) * 8n);
  return padded;
}

const rotate = (word: number, by: number): number => (word >>> by) | (word << (32 - by));

function scheduleOf(view: DataView, offset: number): Uint32Array {
  const words = new Uint32Array(64);
  const wordAt = (i: number): number => words[i] ?? 0;
  for (let i = 0; i < 16; i++) words[i] = view.getUint32(offset + 4 * i);
  for (let i = 16; i < 64; i++) {
    const [early, late] = [wordAt(i - 15), wordAt(i - 2)];
    const s0 = rotate(early, 7) ^ rotate(early, 18) ^ (early >>> 3);
    const s1 = rotate(late, 17) ^ rotate(late, 19) ^ (late >>> 10);
    words[i] = wordAt(i - 16) + s0 + wordAt(i - 7) + s1;
  }
  return words;
}

function addBlock(hash: Uint32Array, schedule: Uint32Array): void {
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = hash;
  for (const [i, constant] of ROUND_CONSTANTS.entries()) {
    const s1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
    const t1 = h + s1 + ((e & f) ^ (~e & g)) + constant + (schedule[i] ?? 0);
    const s0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22);
    const t2 = s0 + ((a & b) ^ (a & c) ^ (b & c));
    [a, b, c, d, e, f, g, h] = [(t1 + t2) | 0, a, b, c, (d + t1) | 0, e, f, g];
  }
  for (const [i, word] of [a, b, c, d, e, f, g, h].entries()) hash[i] = (hash[i] ?? 0) + word;
}
