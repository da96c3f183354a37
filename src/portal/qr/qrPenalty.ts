/** How hard a symbol is to read, by the four rules of ISO/IEC 18004, section 7.8.3. The mask with the lowest penalty is used. */

const RUN_LENGTH_MIN = 5;
const RUN_PENALTY = 3;
const SQUARE_PENALTY = 3;
const FINDER_PENALTY = 40;
const BALANCE_PENALTY = 10;
/** A finder pattern with four light modules before or after it, as 11 bits. */
const FINDER_LIKE: ReadonlySet<number> = new Set([0b00001011101, 0b10111010000]);

/** The penalty of a symbol. */
export function penaltyOf(modules: Uint8Array, size: number): number {
  let penalty = balancePenalty(modules) + squarePenalty(modules, size);
  for (let i = 0; i < size; i++)
    penalty += linePenalty(modules, i * size, 1, size) + linePenalty(modules, i, size, size);
  return penalty;
}

/** The penalty of a row or column: for runs of one colour, and for what looks like a finder pattern. */
function linePenalty(modules: Uint8Array, start: number, step: number, size: number): number {
  let penalty = 0;
  let run = 0;
  let previous = -1;
  let window = 0;
  for (let i = 0, index = start; i < size; i++, index += step) {
    const module = modules[index] ?? 0;
    run = module === previous ? run + 1 : 1;
    previous = module;
    if (run === RUN_LENGTH_MIN) penalty += RUN_PENALTY;
    else if (run > RUN_LENGTH_MIN) penalty++;
    window = ((window << 1) | module) & 0b11111111111;
    if (i >= 10 && FINDER_LIKE.has(window)) penalty += FINDER_PENALTY;
  }
  return penalty;
}

/** The penalty of squares of two by two modules of one colour. */
function squarePenalty(modules: Uint8Array, size: number): number {
  let penalty = 0;
  for (let row = 0; row + 1 < size; row++)
    for (let column = 0; column + 1 < size; column++) {
      const index = row * size + column;
      const sum =
        (modules[index] ?? 0) +
        (modules[index + 1] ?? 0) +
        (modules[index + size] ?? 0) +
        (modules[index + size + 1] ?? 0);
      if (sum === 0 || sum === 4) penalty += SQUARE_PENALTY;
    }
  return penalty;
}

/** The penalty of a share of dark modules that is far from a half, in steps of five percent. */
function balancePenalty(modules: Uint8Array): number {
  let dark = 0;
  for (const module of modules) dark += module;
  return BALANCE_PENALTY * Math.floor(Math.abs((dark / modules.length) * 20 - 10));
}
