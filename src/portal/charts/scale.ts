/** The range of an axis and the values at which it has a line, from the lowest to the highest. */
export type Scale = { readonly from: number; readonly to: number; readonly ticks: readonly number[] };

const STEPS = [1, 2, 2.5, 5, 10];
const TICKS_WANTED = 4;

/** The smallest step of 1, 2, 2.5 or 5 times a power of ten with which the range has at most `TICKS_WANTED` parts. */
function stepFor(range: number, isWhole: boolean): number {
  const power = 10 ** Math.floor(Math.log10(range / TICKS_WANTED));
  const steps = isWhole ? STEPS.map((step) => Math.max(1, Math.ceil(step * power))) : STEPS.map((step) => step * power);
  return steps.find((step) => range / step <= TICKS_WANTED) ?? 10 * power;
}

/** A scale with round ticks that includes zero and all values. `isWhole`: no tick has a fraction. */
export function scaleFor(values: readonly number[], { isWhole = false } = {}): Scale {
  const finite = values.filter(Number.isFinite);
  const lowest = Math.min(0, ...finite);
  const highest = Math.max(0, ...finite);
  if (lowest === highest) return { from: 0, to: 1, ticks: [0, 1] };
  const step = stepFor(highest - lowest, isWhole);
  const first = Math.floor(lowest / step);
  const last = Math.ceil(highest / step);
  // Multiples of the step have rounding errors such as 0.30000000000000004, which would show in labels.
  const ticks = Array.from({ length: last - first + 1 }, (_, i) => Number(((first + i) * step).toPrecision(12)));
  return { from: first * step, to: last * step, ticks };
}

/** Where the value lies on the scale: 0 at its beginning, 1 at its end. */
export const positionOn = ({ from, to }: Scale, value: number): number => (value - from) / (to - from);
