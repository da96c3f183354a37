import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { SETTINGS } from "../../src/config/settings.ts";
import { COMMAND, parseLines, runCommand } from "../support/commands.ts";
import { openProcesses, TIMEOUT_MS, urlOf, waitUntil } from "../support/processes.ts";

/** `tenderhall serve` and `npm start` behave the same. */

const { folder, run } = openProcesses("serve");

const withoutPorts = (output: string) =>
  output
    .split("\n")
    .filter((line) => !line.startsWith("{"))
    .join("\n")
    .replace(/:\d{4,5}\b/g, ":PORT");

describe("tenderhall serve", { concurrency: true }, () => {
  it("prints and exits as npm start does", { timeout: 2 * TIMEOUT_MS }, async () => {
    const [node, flag] = COMMAND;
    const both = [
      run([...COMMAND, "serve", "--data-dir", join(folder, "a"), "--log", "off"]),
      run([node!, flag!, "src/main.ts"], { DATA_DIR: join(folder, "b"), LOG: "off" }),
    ];
    for (const server of both) await waitUntil(() => server.output().includes("in a browser"), server.output);
    const [served, started] = both.map(({ output }) => withoutPorts(output()));
    assert.equal(served, started);
    assert.ok(existsSync(join(folder, "a", "tenderhall.sqlite")));
    for (const server of both) {
      server.child.kill("SIGTERM");
      assert.deepEqual(await server.ended, [0, null]);
    }
  });

  it("has the same options and help as npm start", { timeout: 3 * TIMEOUT_MS }, async () => {
    const start = (...options: readonly string[]) => run(["npm", "start", "--silent", "--", ...options]);
    const [named, wrong, help] = [
      start("--data-dir", join(folder, "named"), "--json"),
      start("--nonsense"),
      start("--help"),
    ];
    assert.ok(await urlOf(named));
    assert.ok(existsSync(join(folder, "named", "tenderhall.sqlite")));
    named.child.kill("SIGTERM");
    await named.ended;
    assert.deepEqual(await wrong.ended, [2, null]);
    assert.match(wrong.output(), /^serve has no option --nonsense/);
    assert.deepEqual(await help.ended, [0, null]);
    for (const { name } of SETTINGS) assert.ok(help.output().includes(`\n  ${name} `), name);
  });

  it("exits with the package's command, even if that is killed by SIGKILL", {
    timeout: 2 * TIMEOUT_MS,
  }, async () => {
    const outer = run(["node", "scripts/tenderhall.mjs", "serve", "--data-dir", join(folder, "e")]);
    await urlOf(outer);
    outer.child.kill("SIGKILL");
    // The pipe closes only when no process holds it any more.
    assert.deepEqual(await outer.ended, [null, "SIGKILL"]);
    assert.match(outer.output(), /"what":"stopping","signal":"SIGTERM"/);
  });

  it("exits through npx when npx gets a signal", { timeout: 3 * TIMEOUT_MS }, async () => {
    const outer = run(["npx", "--no", "tenderhall", "serve", "--data-dir", join(folder, "f")]);
    await urlOf(outer);
    outer.child.kill("SIGTERM");
    // The pipe closes only when no process holds it any more.
    await outer.ended;
    assert.match(outer.output(), /"what":"stopping","signal":"SIGTERM"/);
  });

  it("writes only JSON lines with --json", { timeout: TIMEOUT_MS }, async () => {
    const server = run([...COMMAND, "serve", "--json", "--log", "off"], { DATA_DIR: join(folder, "c") });
    await waitUntil(() => server.output().includes("listening"), server.output);
    assert.equal(parseLines(server.output())[0].what, "listening");
    server.child.kill("SIGTERM");
    assert.deepEqual(await server.ended, [0, null]);
  });

  it("exits through the package's command when that gets a signal", { timeout: 2 * TIMEOUT_MS }, async () => {
    const outer = run(["node", "scripts/tenderhall.mjs", "serve", "--data-dir", join(folder, "d")]);
    const url = await urlOf(outer);
    outer.child.kill("SIGTERM");
    assert.deepEqual(await outer.ended, [0, null]);
    await assert.rejects(fetch(`${url}/health`));
  });

  it("reports an unknown option as a usage error", { timeout: TIMEOUT_MS }, async () => {
    const { code, err } = await runCommand(["serve", "--workers", "0", "--port", "99999"], { DATA_DIR: folder });
    assert.equal(code, 2);
    assert.match(err, /^--port must.*\n--workers must.*\nFor usage, run: npx --no-install tenderhall help serve\n$/);
  });

  it("exits with 1 and names a wrong setting", { timeout: TIMEOUT_MS }, async () => {
    const { code, err } = await runCommand(["serve", "--port", "0"], { WORKERS: "many", DATA_DIR: folder });
    assert.equal(code, 1);
    assert.match(err, /^Tenderhall cannot start:\n {2}- WORKERS must.*\nnpx --no-install tenderhall help serve lists/);
  });
});
