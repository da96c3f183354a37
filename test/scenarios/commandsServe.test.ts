import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { COMMAND, linesOf, runCommand } from "../support/commands.ts";
import { LIMIT_MS, openProcesses, until, urlOf } from "../support/processes.ts";

/** `tenderhall serve` and `npm start` are one. */

const { folder, run } = openProcesses("serve");

const withoutPorts = (said: string) =>
  said
    .split("\n")
    .filter((line) => !line.startsWith("{"))
    .join("\n")
    .replace(/:\d{4,5}\b/g, ":PORT");

describe("tenderhall serve", { concurrency: true }, () => {
  it("says what npm start says, and ends as it does", { timeout: 2 * LIMIT_MS }, async () => {
    const [node, flag] = COMMAND;
    const both = [
      run([...COMMAND, "serve", "--data-dir", join(folder, "a"), "--log", "off"]),
      run([node!, flag!, "src/main.ts"], { DATA_DIR: join(folder, "b"), LOG: "off" }),
    ];
    for (const one of both) await until(() => one.said().includes("in a browser"), one.said);
    const [served, started] = both.map(({ said }) => withoutPorts(said()));
    assert.equal(served, started);
    assert.ok(existsSync(join(folder, "a", "tenderhall.sqlite")));
    for (const one of both) {
      one.child.kill("SIGTERM");
      assert.deepEqual(await one.ended, [0, null]);
    }
  });

  it("with --json writes nothing but lines of JSON", { timeout: LIMIT_MS }, async () => {
    const server = run([...COMMAND, "serve", "--json", "--log", "off"], { DATA_DIR: join(folder, "c") });
    await until(() => server.said().includes("listening"), server.said);
    assert.equal(linesOf(server.said())[0].what, "listening");
    server.child.kill("SIGTERM");
    assert.deepEqual(await server.ended, [0, null]);
  });

  it("through the package's own command ends when that is told to", { timeout: 2 * LIMIT_MS }, async () => {
    const outer = run(["node", "scripts/tenderhall.mjs", "serve", "--data-dir", join(folder, "d")]);
    const url = await urlOf(outer);
    outer.child.kill("SIGTERM");
    assert.deepEqual(await outer.ended, [0, null]);
    await assert.rejects(fetch(`${url}/health`));
  });

  it("that cannot start ends with 1, and names the setting", { timeout: LIMIT_MS }, async () => {
    const { code, err } = await runCommand(["serve", "--workers", "many", "--port", "99999"]);
    assert.equal(code, 1);
    assert.match(
      err,
      /^Tenderhall cannot start:\n {2}- PORT must.*\n {2}- WORKERS must.*\nnpx tenderhall help serve lists/,
    );
  });
});
