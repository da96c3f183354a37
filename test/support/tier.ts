/** `npm test` proves the product quickly; `npm run test:all`, and a file that is run without either, prove all of it. */
export const IS_FAST = process.env.TEST_TIER === "fast";

const FAST_SHARE = 0.2;

/** The number of random cases, rounds or blows: a part of them in the fast tier. */
export const runs = (count: number): number => Math.ceil(count * (IS_FAST ? FAST_SHARE : 1));
