import { required } from "../../base/required.ts";
/** A seeded random number generator: the same seed gives the same values. */
export type Random = {
  /** From 0 (inclusive) to 1 (exclusive). */
  readonly fraction: () => number;
  /** Both ends included. */
  readonly integer: (from: number, to: number) => number;
  /** One of the items, which must not be empty. */
  readonly pick: <Item>(items: readonly Item[]) => Item;
  /** At most `count` different items in random order. */
  readonly sample: <Item>(items: readonly Item[], count: number) => readonly Item[];
  readonly hex: (digits: number) => string;
  /** An independent generator, seeded by this one. */
  readonly split: () => Random;
};

/** The generator Mulberry32: small, fast, and random enough for titles and prices. */
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
    pick: (items) => required(items[integer(0, items.length - 1)], "the item to pick"),
    sample: (items, count) => {
      const remaining = [...items];
      const picked: typeof remaining = [];
      while (picked.length < count && remaining.length > 0)
        picked.push(...remaining.splice(integer(0, remaining.length - 1), 1));
      return picked;
    },
    hex: (digits) => Array.from({ length: digits }, () => integer(0, 15).toString(16)).join(""),
    split: () => openRandom(integer(0, 2 ** 32 - 1)),
  };
}
