/** Whether this is the fast tier of `npm test`. `npm run test:all` and a test file run by itself use the full tier. */
export const IS_FAST = process.env.TEST_TIER === "fast";

const FAST_SHARE = 0.2;

/** How many times the usual number of random cases to run, for long searches. */
export const RUNS_FACTOR = Number(process.env.TEST_RUNS ?? 1);

/** The number of random cases, rounds or faults to run; the fast tier runs a fifth of `count`. */
export const runs = (count: number): number => Math.ceil(count * (IS_FAST ? FAST_SHARE : 1) * RUNS_FACTOR);
