/** Chance that comes out the same for the same seed. */
export type Chance = {
  /** From 0 up to, but not, 1. */
  readonly share: () => number;
  /** Both ends included. */
  readonly whole: (from: number, to: number) => number;
  readonly pick: <One>(all: readonly One[]) => One;
  readonly some: <One>(all: readonly One[], count: number) => readonly One[];
  readonly hex: (digits: number) => string;
  /** Another chance, whose draws do not move this one's. */
  readonly split: () => Chance;
};

/** One multiplication and a few shifts of 32 bits: enough to choose titles and prices by. */
export function openChance(seed: number): Chance {
  let state = seed >>> 0;
  const share = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const whole = (from: number, to: number): number => from + Math.floor(share() * (to - from + 1));
  return {
    share,
    whole,
    pick: (all) => all[whole(0, all.length - 1)]!,
    some: (all, count) => {
      const left = [...all];
      return Array.from({ length: Math.min(count, left.length) }, () => left.splice(whole(0, left.length - 1), 1)[0]!);
    },
    hex: (digits) => Array.from({ length: digits }, () => whole(0, 15).toString(16)).join(""),
    split: () => openChance(whole(0, 2 ** 32 - 1)),
  };
}
