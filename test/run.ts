// `npm test`: every *.test.ts below src/ and test/; with arguments, only the files whose path contains one of them.
// Three processes share the files, each of which runs its own in one go: starting a process for each would take longer.
import { fork } from "node:child_process";
import { globSync, statSync } from "node:fs";
import { run } from "node:test";
import { spec } from "node:test/reporters";
import { fileURLToPath } from "node:url";

type Counts = { passed: number; failed: number; skipped: number };

const FILES = "--files";
const PROCESSES = 3;
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
  const results = await Promise.all(shared(files).map((share, i) => runApart(share, i === 0)));
  for (const { output } of results) process.stdout.write(output);
  const total = (name: keyof Counts) => results.reduce((sum, { counts }) => sum + counts[name], 0);
  console.log(`\n${files.length} files in ${((performance.now() - started) / 1000).toFixed(1)} s`);
  console.log(`${total("passed")} passed, ${total("failed")} failed, ${total("skipped")} skipped`);
  process.exitCode = results.every(({ code }) => code === 0) && total("passed") > 0 ? 0 : 1;
}

/** Larger files first, in turn, so that the shares take about the same time. */
function shared(files: readonly string[]): readonly (readonly string[])[] {
  const bySize = files.toSorted((a, b) => statSync(b).size - statSync(a).size);
  const shares = Array.from({ length: Math.min(PROCESSES, files.length) }, (_, share) =>
    bySize.filter((_file, i) => i % PROCESSES === share),
  );
  return shares;
}

/** The first is shown while it runs; what the others print is shown after it, so that nothing is mixed up. */
function runApart(files: readonly string[], shows: boolean) {
  const stdio = ["ignore", shows ? "inherit" : "pipe", "inherit", "ipc"] as const;
  const child = fork(fileURLToPath(import.meta.url), [FILES, ...files], { stdio: [...stdio] });
  let output = "";
  let counts: Counts = { passed: 0, failed: 0, skipped: 0 };
  child.stdout?.on("data", (chunk) => {
    output += chunk;
  });
  child.on("message", (message) => {
    counts = message as Counts;
  });
  return new Promise<{ output: string; counts: Counts; code: number | null }>((resolve) =>
    child.on("close", (code) => resolve({ output, counts, code })),
  );
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
