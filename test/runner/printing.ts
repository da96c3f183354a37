import type { Result } from "./process.ts";
import { processorMs } from "./processorTime.ts";
import type { Engine } from "./selection.ts";
import type { Counts } from "./worker.ts";

export type Run = {
  readonly results: readonly Result[];
  readonly files: number;
  readonly startedMs: number;
  readonly engines: readonly Engine[];
  /** Of the PostgreSQL that was used, if one was. */
  readonly version: string | undefined;
  readonly isPostgresMissing: boolean;
};

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;

/** A line for each file, and everything that its tests printed if one of them failed. */
export function printResult({ job, usage, isPassed, output }: Result): void {
  if (!isPassed) process.stdout.write(output);
  for (const [file, { tests, processorMs, wallMs }] of usage)
    console.log(`${file} [${job.engine}]: ${tests} tests, ${seconds(wallMs)}, processor ${seconds(processorMs)}`);
}

/** What was skipped and why, what failed and why, and the totals; returns whether everything passed. */
export function printSummary({ results, files, startedMs, engines, ...postgres }: Run): boolean {
  console.log();
  if (postgres.isPostgresMissing)
    console.log("SKIPPED: everything on PostgreSQL, as there is none: set TEST_DATABASE_URL");
  for (const skip of new Set(results.flatMap(({ summary }) => summary.skips))) console.log(`SKIPPED: ${skip}`);
  for (const { incident } of results) if (incident) console.log(incident);
  for (const { summary } of results) for (const failure of summary.failures) console.log(`FAILED: ${failure}`);
  const total = (name: keyof Counts) => results.reduce((sum, { summary }) => sum + summary.counts[name], 0);
  const stories = `stories on ${engines.map((engine) => NAMES[engine]).join(" and ")}`;
  const version = postgres.version ? `; ${postgres.version}` : "";
  console.log(`${files} files in ${seconds(performance.now() - startedMs)}, ${stories}${version}`);
  console.log(`processor time ${seconds(processorMs())}`);
  console.log(`${total("passed")} passed, ${total("failed")} failed, ${total("skipped")} skipped`);
  return results.every(({ isPassed }) => isPassed) && total("passed") > 0;
}

const NAMES = { sqlite: "SQLite", postgres: "PostgreSQL" };
