import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { after, describe, it } from "node:test";

/** What `npm test` itself promises, on files made for that. */

const folder = mkdtempSync(join(tmpdir(), "tenderhall-run-"));
after(() => rmSync(folder, { recursive: true, force: true }));

function runOn(files: { readonly [name: string]: string }): Promise<{ code: number; out: string; cwd: string }> {
  const cwd = mkdtempSync(join(folder, "project-"));
  mkdirSync(join(cwd, "test"));
  for (const [name, text] of Object.entries(files))
    writeFileSync(join(cwd, "test", name), `import { describe, it } from "node:test";\n${text}`);
  const { NODE_TEST_CONTEXT, ...own } = process.env;
  const env = { ...own, TEST_DATABASE_URL: "postgres://nobody@127.0.0.1:9/none", TEST_QUIET_SECONDS: "3" };
  return new Promise((done) =>
    execFile(process.execPath, [resolve("test/run.ts")], { cwd, env }, (error, out) =>
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
      out.slice(out.indexOf("1 files in")),
      /^FAILED: and two \[sqlite\], test\/fails\.test\.ts:2\n {4}are not five\n {4}in all$/m,
    );
    assert.match(out, /^0 passed, 1 failed, 0 skipped$/m);
  });

  it("fails when a test fails that Node counts and does not tell of", async () => {
    const { code, out } = await runOn({
      "lost.test.ts": `import { before } from "node:test";
        describe("a suite", () => { before(() => { it("is lost", () => { throw new Error(); }); }); it("runs", () => {}); });`,
    });
    assert.equal(code, 1, out);
    assert.match(out, /^FAILED: 1 tests that are told of nowhere: is one inside of a hook\? \[sqlite\]$/m);
    assert.match(out, /^1 passed, 1 failed, 0 skipped$/m);
  });

  it("ends a process that hangs, names the file, and fails", { timeout: 60_000 }, async () => {
    const { code, out } = await runOn({
      "fine.test.ts": 'it("runs", () => {});',
      "hangs.test.ts": 'it("hangs", () => { for (;;); });',
    });
    assert.equal(code, 1);
    assert.match(out, /^HUNG on sqlite, .*: test\/hangs\.test\.ts$/m);
    assert.match(out, /^1 passed/m);
  });
});
