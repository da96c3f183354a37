import { availableParallelism } from "node:os";
import type { Job } from "./jobs.ts";
import { type Result, runJob } from "./process.ts";

/** More than there are cores: many stories wait for time to pass. */
export const PROCESSES = 2 * availableParallelism();

export type PostgresServer = { readonly url: string; readonly version: string; readonly stop: () => Promise<void> };

export type ScheduleOptions = {
  /** Pending while it starts; undefined if there is none, or if no job needs it. */
  readonly postgres: Promise<PostgresServer | undefined>;
  readonly environment: { readonly [name: string]: string };
  readonly isLive: boolean;
  readonly stopsAtFailure: boolean;
  readonly onResult: (result: Result) => void;
};

/** Runs the jobs, several at a time. What needs PostgreSQL waits until it runs; everything else starts at once. */
export async function runJobs(jobs: readonly Job[], options: ScheduleOptions): Promise<readonly Result[]> {
  const { postgres, environment, isLive, stopsAtFailure, onResult } = options;
  const waiting = [...jobs];
  const results: Result[] = [];
  const stopping = new AbortController();
  const onFailure = () => stopsAtFailure && stopping.abort();
  let isPostgresKnown = false;
  void postgres.then(() => {
    isPostgresKnown = true;
  });

  function nextJob(): Job | undefined {
    if (stopping.signal.aborted) return undefined;
    const ready = waiting.findIndex((job) => isPostgresKnown || !job.needsPostgres);
    return waiting.splice(Math.max(0, ready), 1)[0];
  }

  async function work(): Promise<void> {
    for (let job = nextJob(); job; job = nextJob()) {
      const url = job.needsPostgres ? (await postgres)?.url : undefined;
      if (job.engine === "postgres" && url === undefined) continue;
      const database = url !== undefined && { TEST_DATABASE_URL: url };
      const worker = { environment: { ...environment, ...database }, isLive, onFailure, signal: stopping.signal };
      const result = await runJob(job, worker);
      results.push(result);
      onResult(result);
      if (result.notRun.length > 0) waiting.push({ ...job, files: result.notRun });
    }
  }

  await Promise.all(Array.from({ length: Math.min(PROCESSES, jobs.length) }, work));
  return results;
}
