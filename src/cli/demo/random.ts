/** Chance that comes out the same for the same seed. */
export type Random = {
  /** From 0 up to, but not, 1. */
  readonly fraction: () => number;
  /** Both ends included. */
  readonly integer: (from: number, to: number) => number;
  readonly pick: <One>(items: readonly One[]) => One;
  readonly sample: <One>(items: readonly One[], count: number) => readonly One[];
  readonly hex: (digits: number) => string;
  /** Another chance, whose draws do not move this one's. */
  readonly split: () => Random;
};

/** One multiplication and a few shifts of 32 bits: enough to choose titles and prices by. */
export function openRandom(seed: number): Random {
  let state = seed >>> 0;
  const fraction = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const integer = (from: number, to: number): number => from + Math.floor(fraction() * (to - from + 1));
  return {
    fraction,
    integer,
    pick: (items) => items[integer(0, items.length - 1)]!,
    sample: (items, count) => {
      const remaining = [...items];
      return Array.from(
        { length: Math.min(count, remaining.length) },
        () => remaining.splice(integer(0, remaining.length - 1), 1)[0]!,
      );
    },
    hex: (digits) => Array.from({ length: digits }, () => integer(0, 15).toString(16)).join(""),
    split: () => openRandom(integer(0, 2 ** 32 - 1)),
  };
}
