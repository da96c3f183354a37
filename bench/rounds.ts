import { performance } from "node:perf_hooks";
import { measure } from "./load.ts";
import type { Contestant, Row } from "./rows.ts";

/** What one contestant did in each of its rounds. */
export type Result = {
  readonly name: Contestant["name"];
  readonly perSecond: readonly number[];
  /** Processor time of its process for each request: what else the machine does hardly changes it. */
  readonly cpuMicros: readonly number[];
};

export type Outcome = {
  readonly row: Row;
  readonly results: readonly Result[];
  /** The largest share of a round that the load generator itself was busy. */
  readonly generatorBusy: number;
};

export type Pace = { readonly rounds: number; readonly seconds: number };

const WARM_UP_SECONDS = 1;

/** Each round has every contestant once, by turns forwards and backwards, so that no one always comes first. */
export async function compete(row: Row, { rounds, seconds }: Pace, say: (text: string) => void): Promise<Outcome> {
  for (const contestant of row.contestants) await run(contestant, WARM_UP_SECONDS);
  const results = row.contestants.map(({ name }) => ({ name, perSecond: [] as number[], cpuMicros: [] as number[] }));
  let generatorBusy = 0;
  for (let round = 0; round < rounds; round++) {
    const order = row.contestants.map((_, i) => (round % 2 === 0 ? i : row.contestants.length - 1 - i));
    for (const i of order) {
      const before = performance.eventLoopUtilization();
      const { perSecond, cpuMicros } = await run(row.contestants[i]!, seconds);
      generatorBusy = Math.max(generatorBusy, performance.eventLoopUtilization(before).utilization);
      results[i]!.perSecond.push(perSecond);
      results[i]!.cpuMicros.push(cpuMicros);
    }
    const latest = results.map(({ name, perSecond }) => `${name} ${Math.round(perSecond.at(-1)!)}/s`);
    say(`  ${row.name}, round ${round + 1} of ${rounds}: ${latest.join(", ")}`);
  }
  return { row, results, generatorBusy };
}

type Run = { readonly perSecond: number; readonly cpuMicros: number };

/** Numbers about wrong answers are worth nothing: the first error ends the bench. */
async function run({ name, server, load, beside }: Contestant, seconds: number): Promise<Run> {
  const cpuBefore = await server.cpuMicros();
  const [counted, uncounted] = await Promise.all([
    measure(load, seconds),
    beside ? measure(beside, seconds) : undefined,
  ]);
  const errors = [...counted.errors, ...(uncounted?.errors ?? [])];
  if (errors.length > 0) throw new Error(`${name} did not answer as expected:\n  ${errors.join("\n  ")}`);
  return { perSecond: counted.perSecond, cpuMicros: ((await server.cpuMicros()) - cpuBefore) / counted.answered };
}
