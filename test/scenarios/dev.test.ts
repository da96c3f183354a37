import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, it } from "node:test";
import { openProcesses, type RunningProcess, waitUntil } from "../support/processes.ts";

/** `npm run dev` on a small project that the test can break. */

const { folder, run } = openProcesses("dev");
const DEV = [process.execPath, "--disable-warning=ExperimentalWarning", resolve("scripts/dev.ts")];
/** Like the server, it exits with its parent. */
const SERVES = `// @ts-nocheck
console.log("listening on http://127.0.0.1:1");
setInterval(() => {}, 1000);
process.on("disconnect", () => process.exit());
`;

function openProject() {
  const cwd = mkdtempSync(join(folder, "project-"));
  for (const name of ["src", "docs", "node_modules/.cache/tenderhall"]) mkdirSync(join(cwd, name), { recursive: true });
  for (const name of ["typescript", "@typescript"])
    symlinkSync(resolve("node_modules", name), join(cwd, "node_modules", name));
  const compilerOptions = { strict: true, noEmit: true, types: [], lib: ["esnext", "dom"] };
  writeFileSync(join(cwd, "tsconfig.json"), JSON.stringify({ compilerOptions, include: ["src"] }));
  writeFileSync(join(cwd, "package.json"), '{"type": "module"}');
  const write = (name: string, text: string) => writeFileSync(join(cwd, name), text);
  write("src/main.ts", SERVES);
  return { write, dev: run(DEV, {}, cwd) };
}

const count = (text: string, part: string) => text.split(part).length - 1;

/** The output after a change, once it contains the expected text. */
async function after(dev: RunningProcess, change: () => void, last: string): Promise<string> {
  const [from, before] = [dev.output().length, count(dev.output(), last)];
  change();
  await waitUntil(() => count(dev.output(), last) > before, dev.output);
  return dev.output().slice(from);
}

describe("npm run dev", () => {
  it("serves, and restarts after a change to a source file or page", async () => {
    const { write, dev } = openProject();
    await waitUntil(() => dev.output().includes("listening on"), dev.output);
    const source = await after(dev, () => write("src/main.ts", `${SERVES}// changed\n`), "Restarted in");
    assert.match(source, /^Changed: src\/main\.ts\nRestarted in [\d.]+ s: http:\/\/127\.0\.0\.1:1$/m);
    assert.match(await after(dev, () => write("docs/a.md", "# A\n"), "Restarted in"), /^Changed: docs\/a\.md$/m);
    dev.child.kill("SIGTERM");
    assert.deepEqual(await dev.ended, [0, null], dev.output());
  });

  it("shows syntax errors or why the server exited, and waits for the next change", async () => {
    const { write, dev } = openProject();
    await waitUntil(() => dev.output().includes("listening on"), dev.output);
    const WAITS = "It starts again after the next change.";
    const broken = await after(dev, () => write("src/main.ts", "const = 1;\n"), WAITS);
    assert.match(broken, /src\/main\.ts:1\nconst = 1;\n/);
    assert.doesNotMatch(broken, /at .*node:internal/);
    const crashed = await after(dev, () => write("src/main.ts", 'throw new Error("no power");\n'), WAITS);
    assert.match(crashed, /Error: no power\n\s+at .*src\/main\.ts:1/);
    assert.match(crashed, /^The server ended \(exit code 1\)/m);
    await after(dev, () => write("src/main.ts", SERVES), "Restarted in");
  });

  it("reports type errors, and when they are fixed, while it serves", async () => {
    const { write, dev } = openProject();
    await waitUntil(() => dev.output().includes("listening on"), dev.output);
    const wrong = await after(
      dev,
      () => write("src/wrong.ts", 'export const a: number = "a";\n'),
      "The types have errors:\n",
    );
    assert.match(wrong, /^Restarted in /m);
    await waitUntil(() => /^src\/wrong\.ts\(1,14\): error TS2322: /m.test(dev.output()), dev.output);
    await after(dev, () => write("src/wrong.ts", "export const a = 1;\n"), "The types have no errors any more.");
  });

  it("checks the types of a changed test without a restart", async () => {
    const { write, dev } = openProject();
    await waitUntil(() => dev.output().includes("listening on"), dev.output);
    const output = await after(
      dev,
      () => write("src/a.test.ts", 'export const a: number = "a";\n'),
      "The types have errors:\n",
    );
    assert.doesNotMatch(output, /Changed|Restarted/);
  });
});
