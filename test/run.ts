// `npm test`: every *.test.ts below src/ and test/; with arguments, only the files whose path contains one of them.
// Stories that speak to a service are told on every engine. A few processes share the files, each of which runs its own in
// one go: starting a process for each would take longer.
import { fork } from "node:child_process";
import { globSync, readFileSync, statSync } from "node:fs";
import { run } from "node:test";
import { spec } from "node:test/reporters";
import { fileURLToPath } from "node:url";
import { BROWSER_MISSING } from "./support/chromium.ts";
import { openTestPostgres, postgresPrograms } from "./support/postgres.ts";

type Counts = { passed: number; failed: number; skipped: number };

type Share = { readonly engine: string; readonly files: readonly string[] };

const FILES = "--files";
const PROCESSES = { sqlite: 3, postgres: 2 };
const TEST_TIME_MAX_MS = 120_000;

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

type Result = { readonly output: string; readonly counts: Counts; readonly code: number | null };

function tell(files: readonly string[], results: readonly Result[], started: number, version: string | undefined) {
  const total = (name: keyof Counts) => results.reduce((sum, { counts }) => sum + counts[name], 0);
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`\n${files.length} files in ${seconds} s, on SQLite${version ? ` and ${version}` : ""}`);
  if (!version) console.log("SKIPPED: everything on PostgreSQL, as there is none: set TEST_DATABASE_URL");
  if (!process.env.TEST_S3_URL) console.log("SKIPPED: documents in S3, as there is none: set TEST_S3_URL");
  if (BROWSER_MISSING) console.log(`SKIPPED: pages in a browser, as ${BROWSER_MISSING}`);
  console.log(`${total("passed")} passed, ${total("failed")} failed, ${total("skipped")} skipped`);
  process.exitCode = results.every(({ code }) => code === 0) && total("passed") > 0 ? 0 : 1;
}

/** Larger files first, in turn, so that the shares take about the same time. */
function shared(engine: string, files: readonly string[], processes: number): readonly Share[] {
  const bySize = files.toSorted((a, b) => statSync(b).size - statSync(a).size);
  return Array.from({ length: Math.min(processes, files.length) }, (_, share) => ({
    engine,
    files: bySize.filter((_file, i) => i % processes === share),
  }));
}

/** The first is shown while it runs; what the others print is shown after it, so that nothing is mixed up. */
function runApart({ engine, files }: Share, shows: boolean, database: string | undefined): Promise<Result> {
  const stdio = ["ignore", shows ? "inherit" : "pipe", "inherit", "ipc"] as const;
  const env = { ...process.env, TEST_ENGINE: engine, ...(database && { TEST_DATABASE_URL: database }) };
  const child = fork(fileURLToPath(import.meta.url), [FILES, ...files], { stdio: [...stdio], env });
  let output = "";
  let counts: Counts = { passed: 0, failed: 0, skipped: 0 };
  child.stdout?.on("data", (chunk) => {
    output += chunk;
  });
  child.on("message", (message) => {
    counts = message as Counts;
  });
  return new Promise<Result>((resolve) => child.on("close", (code) => resolve({ output, counts, code })));
}

function runHere(files: readonly string[]): void {
  const counts: Counts = { passed: 0, failed: 0, skipped: 0 };
  const results = run({ files: [...files], isolation: "none", timeout: TEST_TIME_MAX_MS })
    .on("test:pass", ({ skip, details }) => {
      if (details.type !== "suite") counts[skip === undefined ? "passed" : "skipped"] += 1;
    })
    .on("test:fail", ({ details }) => {
      if (details.type !== "suite") counts.failed += 1;
      process.exitCode = 1;
    })
    .on("test:summary", () => process.send?.(counts));
  // What a failed test left open must not keep the others from being counted.
  results
    .compose(spec)
    .on("end", () => setTimeout(() => process.exit(), 500))
    .pipe(process.stdout);
}
