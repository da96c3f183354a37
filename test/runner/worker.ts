// Runs test files in this process, one after another, and reports to the process that started it.
import { relative } from "node:path";
import { run } from "node:test";
import { spec } from "node:test/reporters";
import fc from "fast-check";
import { RUNS_FACTOR } from "../support/tier.ts";
import { processorMs } from "./processorTime.ts";

/** What a worker reports: tests as they start and end, failures as they occur, and after each file what there is so far. */
export type Report =
  | { readonly kind: "started"; readonly test: string; readonly file: string }
  | { readonly kind: "ended"; readonly test: string; readonly file: string; readonly usage?: Usage }
  | { readonly kind: "failed" | "summary"; readonly summary: Summary };

/** What a top-level test, with everything in it, took. */
export type Usage = { readonly tests: number; readonly wallMs: number; readonly processorMs: number };

export type Counts = { passed: number; failed: number; skipped: number };

export type Summary = {
  readonly counts: Counts;
  readonly failures: readonly string[];
  readonly skips: readonly string[];
};

/** Long enough for a busy machine. */
const TEST_TIME_MAX_MS = 240_000;
const FAILURE_LINES_MAX = 20;
/** What Node says of an error that is thrown when its test has ended already, or by no test. */
const LATE_ERROR = "asynchronous activity after the test ended";

// Tests stop the servers and databases that they started when this process exits, so it must exit and not be killed.
for (const event of ["SIGINT", "SIGTERM", "disconnect"]) process.on(event, () => process.exit(1));
// The listener for `disconnect` must not keep the process alive after the last test.
process.channel?.unref();

const { TEST_SEED = "1" } = process.env;
/** The number of cases of a property that states none. */
const DEFAULT_CASES = 100;
// Two runs try the same random cases, so that a run fails because of a change, not by chance.
fc.configureGlobal({
  numRuns: DEFAULT_CASES * RUNS_FACTOR,
  ...(TEST_SEED !== "random" && { seed: Number(TEST_SEED) }),
});

runFiles(process.argv.slice(2), `[${process.env.TEST_ENGINE}]`);

function runFiles(files: readonly string[], engine: string): void {
  const summary = { counts: { passed: 0, failed: 0, skipped: 0 }, failures: [] as string[], skips: [] as string[] };
  const { counts, failures, skips } = summary;
  const meter = openMeter();
  const fail = (failure: string) => {
    failures.push(failure);
    process.exitCode = 1;
    report({ kind: "failed", summary });
  };
  let uncaught = "";
  for (const event of ["uncaughtException", "unhandledRejection"])
    process.on(event, (error) => {
      uncaught = error instanceof Error ? (error.stack ?? error.message) : String(error);
    });
  const results = run({ files: [...files], isolation: "none", timeout: TEST_TIME_MAX_MS })
    .on("test:dequeue", ({ name, file, nesting }) => {
      if (nesting <= 1) report({ kind: "started", test: `${nesting} ${name}`, file: pathOf(file) });
    })
    .on("test:complete", ({ name, file, nesting, details }) => {
      if (details.type !== "suite") meter.count();
      const usage = nesting === 0 ? meter.read(details.duration_ms) : undefined;
      if (nesting <= 1) report({ kind: "ended", test: `${nesting} ${name}`, file: pathOf(file), usage });
    })
    .on("test:pass", ({ name, skip, nesting, details }) => {
      if (skip !== undefined) {
        counts.skipped += 1;
        skips.push(`${name}${typeof skip === "string" && skip ? `, as ${skip}` : ""} ${engine}`);
      } else if (details.type !== "suite") counts.passed += 1;
      if (nesting === 0) report({ kind: "summary", summary });
    })
    .on("test:fail", ({ name, file, line, details: { type, error } }) => {
      if (type !== "suite") counts.failed += 1;
      if (!("failureType" in error) || error.failureType !== "subtestsFailed")
        fail(`${name} ${engine}, ${pathOf(file)}:${line}\n${indented(messageOf(error))}`);
    })
    .on("test:diagnostic", ({ message }) => {
      // Node fails the run, though no test of it.
      if (!message.includes(LATE_ERROR)) return;
      counts.failed += 1;
      fail(`${message} ${engine}\n${indented(uncaught)}`);
    })
    .on("test:summary", ({ counts: known }) => {
      // A test in an impossible place, for example in a hook, appears in Node's totals and nowhere else.
      const unreported = known.tests - known.passed - known.skipped - known.todo - counts.failed;
      if (unreported <= 0) return;
      counts.failed += unreported;
      fail(`${unreported} tests that Node counts and does not report: is one inside a hook? ${engine}`);
    });
  // Exits whatever a failed test left open.
  results
    .compose(spec)
    .on("end", () => report({ kind: "summary", summary }, () => process.exit()))
    .pipe(process.stdout);
}

/** Files run one after another, so that what was used since the last top-level test ended belongs to the next one. */
function openMeter() {
  let [tests, used] = [0, processorMs()];
  return {
    count: () => {
      tests += 1;
    },
    read: (wallMs: number): Usage => {
      const usage = { tests, wallMs, processorMs: processorMs() - used };
      [tests, used] = [0, processorMs()];
      return usage;
    },
  };
}

function report(message: Report, onSent: () => void = () => {}): void {
  if (process.send) process.send(message, onSent);
  else onSent();
}

const pathOf = (file: string | undefined): string => relative(process.cwd(), file ?? "");

const messageOf = (error: Error): string => (error.cause instanceof Error ? error.cause : error).message;

/** The first lines of what went wrong. */
const indented = (text: string): string =>
  text.split("\n").slice(0, FAILURE_LINES_MAX).join("\n").replaceAll(/^/gm, "    ");
