import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { after, describe, it } from "node:test";

/** What `npm test` itself promises, on files made for that. */

const DATABASE = "postgres://nobody@127.0.0.1:9/none";
/** In two pieces, as this file needs no PostgreSQL itself. */
const OPENS_SCHEMA = `openSchema${"()"}`;

/** Long enough for a process to start on a busy machine. */
const QUIET_SECONDS = 10;

const folder = mkdtempSync(join(tmpdir(), "tenderhall-run-"));
after(() => rmSync(folder, { recursive: true, force: true }));

type RunResult = { readonly code: number; readonly out: string; readonly cwd: string };

function runOn(files: { readonly [name: string]: string }, ...args: readonly string[]): Promise<RunResult> {
  const cwd = mkdtempSync(join(folder, "project-"));
  for (const [name, text] of Object.entries(files)) {
    const path = join(cwd, "test", name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, `import { describe, it } from "node:test";\n${text}`);
  }
  const { NODE_TEST_CONTEXT, TEST_ENGINE, TEST_TIER, ...own } = process.env;
  const env = { ...own, TEST_DATABASE_URL: DATABASE, TEST_QUIET_SECONDS: String(QUIET_SECONDS) };
  return new Promise((done) =>
    execFile(process.execPath, [resolve("test/run.ts"), ...args], { cwd, env }, (error, out) =>
      done({ code: error ? Number(error.code) : 0, out, cwd }),
    ),
  );
}

describe("npm test", () => {
  it("counts and names what is skipped, suites too, and remembers how long files took", async () => {
    const { code, out, cwd } = await runOn({
      "a.test.ts": 'describe("of PostgreSQL", { skip: "there is none" }, () => { it("x", () => {}); });',
      "b.test.ts": 'it("runs", () => {}); it("is left out", { skip: true }, () => {});',
    });
    assert.equal(code, 0, out);
    assert.match(out, /^SKIPPED: of PostgreSQL, as there is none \[sqlite\]$/m);
    assert.match(out, /^SKIPPED: is left out \[sqlite\]$/m);
    assert.match(out, /^1 passed, 0 failed, 2 skipped$/m);
    assert.ok(existsSync(join(cwd, "node_modules/.cache/tenderhall/test-times.json")));
  });

  it("says again in the end what failed, where, and why, whatever else was printed", async () => {
    const { code, out } = await runOn({
      "fails.test.ts":
        'describe("two", () => { it("and two", () => { throw new Error("are not five\\nin all"); }); });',
    });
    assert.equal(code, 1);
    assert.match(
      out.slice(out.lastIndexOf("ℹ duration")),
      /^FAILED: and two \[sqlite\], test\/fails\.test\.ts:2\n {4}are not five\n {4}in all$/m,
    );
    assert.match(out, /^0 passed, 1 failed, 0 skipped$/m);
  });

  it("fails when a test fails that Node counts and does not report", async () => {
    const { code, out } = await runOn({
      "lost.test.ts": `import { before } from "node:test";
        describe("a suite", () => { before(() => { it("is lost", () => { throw new Error(); }); }); it("runs", () => {}); });`,
    });
    assert.equal(code, 1, out);
    assert.match(out, /^FAILED: 1 tests that Node counts and does not report: is one inside a hook\? \[sqlite\]$/m);
    assert.match(out, /^1 passed, 1 failed, 0 skipped$/m);
  });

  it("names the error that is thrown when its test has ended already, with its stack, and fails", async () => {
    const { code, out } = await runOn({
      "late.test.ts": `it("ends early", () => { setTimeout(function late() { throw new Error("too late"); }, 1); });
        it("goes on", (t, done) => { setTimeout(done, 100); });`,
    });
    assert.equal(code, 1, out);
    assert.match(
      out,
      /^FAILED: .*"ends early".*"Error: too late".* \[sqlite\]\n {4}Error: too late\n {8}at .*late\.test\.ts/m,
    );
    assert.match(out, /^2 passed, 1 failed, 0 skipped$/m);
  });

  it("names the files of a process that ends by itself, and fails", async () => {
    const { code, out } = await runOn({ "ends.test.ts": 'it("ends", () => process.exit(3));' });
    assert.equal(code, 1, out);
    assert.match(out, /^DIED on sqlite, with 3: test\/ends\.test\.ts$/m);
  });

  it("ends a process that hangs, names the file, and fails", { timeout: 60_000 }, async () => {
    const { code, out } = await runOn({
      "fine.test.ts": 'it("runs", () => {});',
      "hangs.test.ts": 'it("hangs", () => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0));',
    });
    assert.equal(code, 1);
    assert.match(out, /^HUNG on sqlite, .*: test\/hangs\.test\.ts$/m);
    assert.match(out, /^1 passed/m);
  });

  const TIERS = {
    "quick.test.ts": 'it("is quick", () => {});',
    "stories/bids.test.ts": 'it("is a story", () => {});',
    "scenarios/bids.test.ts": 'it("is a scenario", () => {});',
  };

  it("leaves what is in no folder of the fast tier to npm run test:all", async () => {
    const fast = await runOn(TIERS);
    assert.match(fast.out, /is a story/);
    assert.doesNotMatch(fast.out, /is a scenario/);
    assert.match(fast.out, /^2 files in [\d.]+ s, stories on SQLite\nprocessor time [\d.]+ s\n2 passed/m);
    const all = await runOn(TIERS, "--all");
    assert.match(all.out, /^3 files in [\d.]+ s, stories on SQLite and PostgreSQL\n.*\n3 passed/m);
  });

  it("runs the files that are named by a part of their path, whatever their tier", async () => {
    const { out } = await runOn(TIERS, "scen", "quick");
    assert.match(out, /^2 passed/m);
    assert.doesNotMatch(out, /is a story/);
    const nothing = await runOn(TIERS, "nothing");
    assert.deepEqual([nothing.code, nothing.out], [1, ""]);
  });

  it("runs stories on each engine, everything else once, and has a PostgreSQL only for those that need it", async () => {
    const noting = (text: string) => `import { appendFileSync } from "node:fs";
      it("runs", () => appendFileSync("ran", ${text} + "\\n"));`;
    const url = noting('"with " + (process.env.TEST_DATABASE_URL ?? "nothing")');
    const files = {
      "support/world.ts": "export {};",
      "stories/a.test.ts": `import {} from "../support/world.ts"; ${noting('"on " + process.env.TEST_ENGINE')}`,
      "a.test.ts": url,
      "b.test.ts": `${url} // ${OPENS_SCHEMA}`,
    };
    const ranOn = async (...args: readonly string[]) =>
      readFileSync(join((await runOn(files, ...args)).cwd, "ran"), "utf8")
        .trim()
        .split("\n")
        .toSorted();
    const once = ["with nothing", `with ${DATABASE}`];
    assert.deepEqual(await ranOn(), ["on sqlite", ...once]);
    assert.deepEqual(await ranOn("--all"), ["on postgres", "on sqlite", ...once]);
  });

  it("stops at the first failure with --bail", async () => {
    const { code, out } = await runOn(
      {
        // The larger file comes first.
        "a.test.ts": `it("fails", () => { throw new Error("no"); });${" ".repeat(1000)}`,
        "b.test.ts": 'it("waits", async () => { await new Promise((done) => setTimeout(done, 60_000)); });',
      },
      "--bail",
    );
    assert.equal(code, 1);
    assert.match(out, /^FAILED: fails/m);
    assert.match(out, /^0 passed, 1 failed/m);
  });
});
