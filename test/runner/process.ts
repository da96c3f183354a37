import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { type Job, timeKey } from "./jobs.ts";
import { loads } from "./selection.ts";
import type { Report, Summary, Usage } from "./worker.ts";

export type Result = {
  readonly job: Job;
  readonly output: string;
  readonly summary: Summary;
  readonly isPassed: boolean;
  readonly usage: ReadonlyMap<string, Usage>;
  /** That the process hung, and where, or that it ended with an error that is no test's. */
  readonly incident: string | undefined;
  /** The files that a test of another file kept from running. */
  readonly notRun: readonly string[];
};

export type WorkerOptions = {
  readonly environment: { readonly [name: string]: string };
  /** Prints what the tests print while they run, not afterwards. */
  readonly isLive: boolean;
  readonly onFailure: () => void;
  readonly signal: AbortSignal;
};

const WORKER = fileURLToPath(new URL("worker.ts", import.meta.url));
/** Longer than any test may take: a worker that reports nothing for as long hangs. */
const QUIET_MS_MAX = Number(process.env.TEST_QUIET_SECONDS ?? 300) * 1000;
/** The time a worker has to stop the processes that its tests started. */
const STOP_MS_MAX = 5000;
const NOTHING: Summary = { counts: { passed: 0, failed: 0, skipped: 0 }, failures: [], skips: [] };

/** Runs the files of a job in a process of their own. */
export function runJob(job: Job, { environment, isLive, onFailure, signal }: WorkerOptions): Promise<Result> {
  // Only what is said to need PostgreSQL may find it, so that a test does not depend on which others run.
  const { TEST_DATABASE_URL: _given, ...inherited } = process.env;
  const env = { ...inherited, TEST_ENGINE: job.engine, ...environment };
  const stdio = ["ignore", isLive ? "inherit" : "pipe", "inherit", "ipc"] as const;
  const child = fork(WORKER, [...job.files], { stdio: [...stdio], env });
  const kill = () => child.kill("SIGKILL");
  const stop = () => {
    child.kill("SIGTERM");
    setTimeout(kill, STOP_MS_MAX).unref();
  };
  signal.addEventListener("abort", stop);
  let output = "";
  child.stdout?.setEncoding("utf8").on("data", (text: string) => {
    output += text;
  });
  let summary = NOTHING;
  let hung: string | undefined;
  const usage = new Map<string, Usage>();
  const running = new Map<string, string>();
  let notRun: readonly string[] = [];
  const giveUp = () => {
    const left = job.files.filter((file) => !usage.has(file));
    const hanging = new Set([[...running.values()], left, job.files].find((files) => files.length > 0));
    hung = `HUNG on ${job.engine}, ended after ${QUIET_MS_MAX / 1000} s without a report: ${[...hanging].join(", ")}`;
    notRun = left.filter((file) => !hanging.has(file));
    kill();
  };
  let timer = setTimeout(giveUp, QUIET_MS_MAX);
  child.on("message", (message) => {
    clearTimeout(timer);
    timer = setTimeout(giveUp, QUIET_MS_MAX);
    const report = message as Report;
    if ("summary" in report) {
      ({ summary } = report);
      if (report.kind === "failed") onFailure();
    } else if (report.kind === "started") running.set(report.test, testFileOf(job, report.file));
    else {
      running.delete(report.test);
      const file = testFileOf(job, report.file);
      if (report.usage) usage.set(file, sumOf(usage.get(file), report.usage));
    }
  });
  return new Promise((resolve) =>
    child.on("close", (code, endSignal) => {
      clearTimeout(timer);
      signal.removeEventListener("abort", stop);
      const isPassed = code === 0;
      const isUnexplained = !isPassed && !hung && summary.failures.length === 0 && !signal.aborted;
      const died = isUnexplained
        ? `DIED on ${job.engine}, with ${code ?? endSignal}: ${job.files.join(", ")}`
        : undefined;
      resolve({ job, output, summary, isPassed, usage, incident: hung ?? died, notRun });
    }),
  );
}

/** Node names the file that a test is written in: for a contract suite, not the one that runs it. */
const testFileOf = ({ files }: Job, file: string): string =>
  files.includes(file) ? file : (files.find((other) => loads(other, file)) ?? file);

const sumOf = (before: Usage | undefined, more: Usage): Usage => ({
  tests: (before?.tests ?? 0) + more.tests,
  wallMs: (before?.wallMs ?? 0) + more.wallMs,
  processorMs: (before?.processorMs ?? 0) + more.processorMs,
});

export const timesOf = ({ job, usage }: Result): { readonly [fileOnEngine: string]: number } =>
  Object.fromEntries([...usage].map(([file, { wallMs }]) => [timeKey(file, job.engine), Math.ceil(wallMs)]));
