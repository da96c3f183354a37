import { performance } from "node:perf_hooks";
import type { BenchRow, Contestant, Sample } from "./rows.ts";

/** What one contestant did in each of its rounds. */
export type ContestantResult = { readonly contestant: Contestant; readonly samples: readonly Sample[] };

export type RowOutcome = {
  readonly name: string;
  readonly row: BenchRow;
  readonly results: readonly ContestantResult[];
  /** The largest share of a round that the load generator itself was busy. */
  readonly generatorBusy: number;
};

export type Pace = { readonly rounds: number; readonly seconds: number };

const WARM_UP_SECONDS_MAX = 1;

/** Each round has every contestant once, by turns forwards and backwards, so that no one always comes first. */
export async function runRounds(
  name: string,
  row: BenchRow,
  { rounds, seconds }: Pace,
  logProgress: (text: string) => void,
): Promise<RowOutcome> {
  for (const { run } of row.contestants) await run(Math.min(2 * seconds, WARM_UP_SECONDS_MAX));
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

/** As many digits as mean something. */
export const formatValue = (value: number): string =>
  Number.isNaN(value) ? "?" : value >= 100 ? String(Math.round(value)) : value.toPrecision(3);
