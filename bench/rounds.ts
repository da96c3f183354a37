import { performance } from "node:perf_hooks";
import type { BenchRow, Contestant, Sample } from "./rows.ts";

/** The samples of one contestant, one for each round. */
export type ContestantResult = { readonly contestant: Contestant; readonly samples: readonly Sample[] };

/** The result of a row. */
export type RowOutcome = {
  readonly name: string;
  readonly row: BenchRow;
  readonly results: readonly ContestantResult[];
  /** The highest share of a round in which the load generator was busy, from 0 to 1. */
  readonly generatorBusy: number;
};

/** The number of rounds, and the seconds for each contestant in a round. */
export type Pace = { readonly rounds: number; readonly seconds: number };

const WARM_UP_SECONDS_MAX = 1;

/** Runs every contestant once in each round. The order alternates, so that none always comes first. */
export async function runRounds(
  name: string,
  row: BenchRow,
  { rounds, seconds }: Pace,
  logProgress: (text: string) => void,
): Promise<RowOutcome> {
  for (const { run } of row.startsServers ? [] : row.contestants) await run(Math.min(2 * seconds, WARM_UP_SECONDS_MAX));
  const results = row.contestants.map((contestant) => ({ contestant, samples: [] as Sample[] }));
  let generatorBusy = 0;
  for (let round = 0; round < rounds; round++) {
    for (const { contestant, samples } of round % 2 === 0 ? results : results.toReversed()) {
      const before = performance.eventLoopUtilization();
      samples.push(await contestant.run(seconds));
      generatorBusy = Math.max(generatorBusy, performance.eventLoopUtilization(before).utilization);
    }
    const latest = results.map(({ contestant, samples }) => `${contestant.name} ${formatValue(samples.at(-1)!.value)}`);
    logProgress(`  ${name}, round ${round + 1} of ${rounds}, ${row.unit}: ${latest.join(" | ")}`);
  }
  return { name, row, results, generatorBusy };
}

/** Formats a value with three significant digits. */
export const formatValue = (value: number): string =>
  Number.isNaN(value) ? "?" : value >= 100 ? String(Math.round(value)) : value.toPrecision(3);
