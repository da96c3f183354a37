// `npm test`: every *.test.ts below src/ and test/; with arguments, only the files whose path contains one of them.
// Stories that speak to a service are told on every engine. A few processes share the files, each of which runs its own in
// one go: starting a process for each would take longer.
import { fork } from "node:child_process";
import { globSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, relative } from "node:path";
import { run } from "node:test";
import { spec } from "node:test/reporters";
import { fileURLToPath } from "node:url";
import { BROWSER_MISSING } from "./support/chromium.ts";
import { openTestPostgres, postgresPrograms } from "./support/postgres.ts";

type Counts = { passed: number; failed: number; skipped: number };

/** What a process says of its files: what begins and ends, and in the end all of it. */
type Said =
  | { readonly began: string; readonly file: string }
  | { readonly ended: string; readonly file: string; readonly ms: number }
  | Summary;

/** Beside the counts, what failed and what was skipped, and why. */
type Summary = { readonly counts: Counts; readonly broken: readonly string[]; readonly left: readonly string[] };

type Share = { readonly engine: string; readonly files: readonly string[] };

const FILES = "--files";
/** More than there are cores: many stories wait for time to pass. */
const PROCESSES = { sqlite: 4, postgres: 4 };
const FAILED_LINES_MAX = 20;
const TEST_TIME_MAX_MS = 120_000;
/** Longer than any test may take: whoever says nothing for as long hangs. */
const QUIET_MS_MAX = Number(process.env.TEST_QUIET_SECONDS ?? 300) * 1000;
/** How long files took the last time, so that the next time they are dealt out evenly. */
const TIMES = "node_modules/.cache/tenderhall/test-times.json";

const [first, ...rest] = process.argv.slice(2);
if (first === FILES) runHere(rest);
else await runAll(globSync(["src/**/*.test.ts", "test/**/*.test.ts"]), process.argv.slice(2));

async function runAll(all: readonly string[], wanted: readonly string[]): Promise<void> {
  const files = all.filter((file) => wanted.length === 0 || wanted.some((part) => file.includes(part)));
  if (files.length === 0) {
    console.error(`No test file matches ${wanted.join(" ")}`);
    process.exit(1);
  }
  const started = performance.now();
  const postgres = await openPostgres();
  const shares = [
    ...shared("sqlite", files, PROCESSES.sqlite),
    ...(postgres ? shared("postgres", files.filter(speaksToService), PROCESSES.postgres) : []),
  ];
  const results = await Promise.all(shares.map((share, i) => runApart(share, i === 0, postgres?.url)));
  for (const { output } of results) process.stdout.write(output);
  keepTimes(results);
  await postgres?.stop();
  tell(files, results, started, postgres?.version);
}

/** The one that is named, or one of our own; without any, the stories on PostgreSQL are not told, which is said. */
async function openPostgres() {
  const url = process.env.TEST_DATABASE_URL;
  if (url) return { url, version: "PostgreSQL of TEST_DATABASE_URL", stop: async () => {} };
  const programs = await postgresPrograms();
  return programs ? openTestPostgres(programs) : undefined;
}

function speaksToService(file: string): boolean {
  return /support\/(world|procedure)\.ts"|"(\.\.\/)+support\/engines\.ts"/.test(readFileSync(file, "utf8"));
}

type Times = { readonly [fileOnEngine: string]: number };
type Result = {
  readonly output: string;
  readonly summary: Summary;
  readonly code: number | null;
  readonly times: Times;
  readonly hung: string | undefined;
};

function knownTimes(): Times {
  try {
    return JSON.parse(readFileSync(TIMES, "utf8"));
  } catch {
    return {};
  }
}

/** It is only for speed: where it cannot be kept, nothing is lost. */
function keepTimes(results: readonly Result[]): void {
  try {
    mkdirSync(dirname(TIMES), { recursive: true });
    writeFileSync(TIMES, JSON.stringify(Object.assign(knownTimes(), ...results.map(({ times }) => times))));
  } catch {}
}

function tell(files: readonly string[], results: readonly Result[], started: number, version: string | undefined) {
  const total = (name: keyof Counts) => results.reduce((sum, { summary }) => sum + summary.counts[name], 0);
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`\n${files.length} files in ${seconds} s, on SQLite${version ? ` and ${version}` : ""}`);
  if (!version) console.log("SKIPPED: everything on PostgreSQL, as there is none: set TEST_DATABASE_URL");
  if (!process.env.TEST_S3_URL) console.log("SKIPPED: documents in S3, as there is none: set TEST_S3_URL");
  if (BROWSER_MISSING) console.log(`SKIPPED: pages in a browser, as ${BROWSER_MISSING}`);
  for (const { hung } of results) if (hung) console.log(hung);
  for (const one of new Set(results.flatMap(({ summary }) => summary.left))) console.log(`SKIPPED: ${one}`);
  for (const { summary } of results) for (const one of summary.broken) console.log(`FAILED: ${one}`);
  console.log(`${total("passed")} passed, ${total("failed")} failed, ${total("skipped")} skipped`);
  process.exitCode = results.every(({ code }) => code === 0) && total("passed") > 0 ? 0 : 1;
}

/** Those that take longest first, each to whoever has least to do; of what was never run, the size says something. */
function shared(engine: string, files: readonly string[], processes: number): readonly Share[] {
  const times = knownTimes();
  const msOf = (file: string) => times[`${file} ${engine}`] ?? statSync(file).size / 10;
  const shares = Array.from({ length: Math.min(processes, files.length) }, () => ({
    engine,
    files: [] as string[],
    ms: 0,
  }));
  for (const file of files.toSorted((one, other) => msOf(other) - msOf(one))) {
    const share = shares.reduce((least, one) => (one.ms < least.ms ? one : least));
    share.files.push(file);
    share.ms += msOf(file);
  }
  return shares;
}

/** The first is shown while it runs; what the others print is shown after it, so that nothing is mixed up. */
function runApart({ engine, files }: Share, shows: boolean, database: string | undefined): Promise<Result> {
  const stdio = ["ignore", shows ? "inherit" : "pipe", "inherit", "ipc"] as const;
  const env = { ...process.env, TEST_ENGINE: engine, ...(database && { TEST_DATABASE_URL: database }) };
  const child = fork(fileURLToPath(import.meta.url), [FILES, ...files], { stdio: [...stdio], env });
  let output = "";
  let summary: Summary = { counts: { passed: 0, failed: 0, skipped: 0 }, broken: [], left: [] };
  let hung: string | undefined;
  const times: { [fileOnEngine: string]: number } = {};
  const running = new Map<string, string>();
  const giveUp = () => {
    const unfinished = new Set(running.values());
    const which = unfinished.size > 0 ? [...unfinished] : files.filter((file) => !(`${file} ${engine}` in times));
    hung = `HUNG on ${engine}, and was ended after ${QUIET_MS_MAX / 1000} s without a word: ${which.join(", ")}`;
    child.kill("SIGKILL");
  };
  let timer = setTimeout(giveUp, QUIET_MS_MAX);
  child.stdout?.on("data", (chunk) => {
    output += chunk;
  });
  child.on("message", (message) => {
    clearTimeout(timer);
    timer = setTimeout(giveUp, QUIET_MS_MAX);
    const said = message as Said;
    if ("counts" in said) summary = said;
    else if ("began" in said) running.set(said.began, said.file);
    else {
      running.delete(said.ended);
      const name = `${said.file} ${engine}`;
      times[name] = (times[name] ?? 0) + said.ms;
    }
  });
  return new Promise<Result>((resolve) =>
    child.on("close", (code) => {
      clearTimeout(timer);
      resolve({ output, code, hung, times, summary });
    }),
  );
}

function runHere(files: readonly string[]): void {
  const counts: Counts = { passed: 0, failed: 0, skipped: 0 };
  const broken: string[] = [];
  const left: string[] = [];
  const engine = `[${process.env.TEST_ENGINE}]`;
  const say = (said: Said) => void process.send?.(said);
  const fileOf = (file: string | undefined) => relative(process.cwd(), file ?? "");
  const results = run({ files: [...files], isolation: "none", timeout: TEST_TIME_MAX_MS })
    .on("test:dequeue", ({ name, file, nesting }) => {
      if (nesting <= 1) say({ began: `${nesting} ${name}`, file: fileOf(file) });
    })
    .on("test:complete", ({ name, file, nesting, details }) => {
      const ms = nesting === 0 ? details.duration_ms : 0;
      if (nesting <= 1) say({ ended: `${nesting} ${name}`, file: fileOf(file), ms });
    })
    .on("test:pass", ({ name, skip, details }) => {
      if (skip !== undefined) {
        counts.skipped += 1;
        left.push(`${name}${typeof skip === "string" && skip ? `, as ${skip}` : ""} ${engine}`);
      } else if (details.type !== "suite") counts.passed += 1;
    })
    .on("test:fail", ({ name, file, line, details: { type, error } }) => {
      if (type !== "suite") counts.failed += 1;
      if (!("failureType" in error) || error.failureType !== "subtestsFailed")
        broken.push(`${name} ${engine}, ${fileOf(file)}:${line}\n${indented(error)}`);
      process.exitCode = 1;
    })
    .on("test:summary", ({ counts: known }) => {
      // Of what stands where no test can stand, a hook for example, Node tells nothing but the number.
      const untold = known.tests - known.passed - known.skipped - known.todo - counts.failed;
      if (untold > 0) {
        broken.push(`${untold} tests that are told of nowhere: is one inside of a hook? ${engine}`);
        counts.failed += untold;
        process.exitCode = 1;
      }
      say({ counts, broken, left });
    });
  // What a failed test left open must not keep the others from being counted.
  results
    .compose(spec)
    .on("end", () => setTimeout(() => process.exit(), 500))
    .pipe(process.stdout);
}

/** The first lines of what went wrong. */
function indented(error: Error): string {
  const { message } = error.cause instanceof Error ? error.cause : error;
  return message.split("\n").slice(0, FAILED_LINES_MAX).join("\n").replaceAll(/^/gm, "    ");
}
