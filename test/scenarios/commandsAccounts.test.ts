import assert from "node:assert/strict";
import {
  chmodSync,
  existsSync,
  lstatSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { GROUPS } from "../../src/domain/actors.ts";
import { hashOf } from "../../src/registry/secrets.ts";
import { COMMAND, done, linesOf, runCommand } from "../support/commands.ts";
import { LIMIT_MS, openProcesses, until, urlOf } from "../support/processes.ts";

/** Accounts as those who run a registry make and revoke them. */

const { folder, run } = openProcesses("accounts");
let files = 0;
const newFile = (): string => join(folder, `${++files}.json`);

type Made = { readonly name: string; readonly key: string };
const add = async (file: string, name: string, ...more: readonly string[]): Promise<Made> =>
  JSON.parse(done(await runCommand(["account", "add", name, "--file", file, "--json", ...more])).out);

async function asks(url: string, key: string): Promise<number> {
  const response = await fetch(`${url}/api/2.3/tenders`, {
    method: "POST",
    headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
    body: '{"data": {}}',
  });
  await response.text();
  return response.status;
}

describe("account", { concurrency: true }, () => {
  it("add shows the key once, and keeps only its hash, for its owner's eyes", async () => {
    const file = newFile();
    const { out } = done(await runCommand(["account", "add", "acme", "--levels", "12", "--file", file]));
    const [, key = ""] = /^ {2}([0-9a-f]{64})$/m.exec(out) ?? [];
    assert.equal(statSync(file).mode & 0o777, 0o600);
    const kept = readFileSync(file, "utf8");
    assert.ok(!kept.includes(key));
    assert.deepEqual(JSON.parse(kept), [{ name: "acme", group: "brokers", levels: "12", keyHash: hashOf(key) }]);
    const again = await runCommand(["account", "add", "acme", "--file", file]);
    assert.equal(again.code, 1);
    assert.match(again.err, /has an account named acme already/);
    assert.equal(readFileSync(file, "utf8"), kept);
  });

  it("leaves the file to whom it was given", async () => {
    const file = newFile();
    await add(file, "acme");
    // As an operator does, so that the group of the server may read what root alone may write.
    chmodSync(file, 0o640);
    await add(file, "robot", "--group", "auction");
    assert.equal(statSync(file).mode & 0o777, 0o640);
    done(await runCommand(["account", "revoke", "acme", "--file", file]));
    assert.equal(statSync(file).mode & 0o777, 0o640);
  });

  it("changes what a link leads to, and leaves the link", async () => {
    const [file, link] = [newFile(), newFile()];
    await add(file, "acme");
    symlinkSync(file, link);
    await add(link, "robot", "--group", "auction");
    assert.ok(lstatSync(link).isSymbolicLink());
    assert.match(readFileSync(file, "utf8"), /"robot"/);
  });

  it("list of a file that is not there fails, and says what makes one", async () => {
    const file = newFile();
    const { code, out, err } = await runCommand(["account", "list", "--file", file, "--json"]);
    assert.deepEqual([code, out], [1, ""]);
    assert.match(err, /is not there: .*account add NAME makes it/);
  });

  it("add at the same time loses nobody", async () => {
    const file = newFile();
    const names = ["a", "b", "c", "d", "e"];
    await Promise.all(names.map((name) => add(file, name)));
    const listed = linesOf(done(await runCommand(["account", "list", "--file", file, "--json"])).out);
    assert.deepEqual(listed.map(({ name }) => name).toSorted(), names);
    assert.ok(!existsSync(`${file}.new`));
  });

  it("goes on after one that was killed in the middle", async () => {
    const file = newFile();
    writeFileSync(`${file}.new`, '[{"na');
    const before = new Date(Date.now() - 60_000);
    utimesSync(`${file}.new`, before, before);
    await add(file, "acme");
    assert.match(done(await runCommand(["account", "list", "--file", file])).out, /^acme +brokers +1234$/m);
  });

  it("is made by npm run account as before", { timeout: 60_000 }, async () => {
    const file = newFile();
    const npm = run(["npm", "run", "account", "--", "acme", "--group", "auction", "--file", file]);
    assert.deepEqual(await npm.ended, [0, null], npm.said());
    assert.match(npm.said(), /acme is in .*\. Its key, shown this once:\n\n {2}[0-9a-f]{64}\n/);
    assert.equal(JSON.parse(readFileSync(file, "utf8"))[0].group, "auction");
  });

  it("add explains every group and every level, and so does the page for operators", async () => {
    const { out } = done(await runCommand(["account", "add", "--help"]));
    const [, page = ""] = /^# Accounts\n(.*?)^# /ms.exec(readFileSync("docs/operations.md", "utf8")) ?? [];
    for (const name of [...GROUPS, "1", "2", "3", "4", "t"]) {
      assert.match(out, new RegExp(`^ {2}${name} .*\\w{5}`, "m"), name);
      assert.match(page, new RegExp(`^\\|[^|]*\`${name}\``, "m"), name);
    }
  });

  it("revoke of somebody who is not there says so", async () => {
    const file = newFile();
    await add(file, "acme");
    const { code, err } = await runCommand(["account", "revoke", "acne", "--file", file]);
    assert.equal(code, 1);
    assert.match(err, /has no account named acne/);
  });
});

describe("a server that runs", { concurrency: true }, () => {
  for (const workers of ["1", "2"])
    it(`knows who is added and who is revoked (WORKERS ${workers})`, { timeout: 2 * LIMIT_MS }, async () => {
      const file = newFile();
      const first = await add(file, "first");
      const server = run([...COMMAND, "serve", "--mode", "production", "--accounts-file", file, "--workers", workers], {
        DATA_DIR: `${file}-data`,
      });
      const url = await urlOf(server);
      const becomes = (key: string, status: number) =>
        until(
          async () =>
            (await Promise.all([asks(url, key), asks(url, key), asks(url, key)])).every((one) => one === status),
          server.said,
        );
      assert.equal(await asks(url, first.key), 201);
      const second = await add(file, "second");
      await becomes(second.key, 201);
      done(await runCommand(["account", "revoke", "first"], { ACCOUNTS_FILE: file }));
      await becomes(first.key, 401);
      assert.equal(await asks(url, second.key), 201);
      writeFileSync(file, '[{"name": "half');
      await until(() => server.said().includes("the accounts stay as they were"), server.said);
      assert.equal(await asks(url, second.key), 201);
      writeFileSync(file, JSON.stringify([{ name: "second", group: "brokers", keyHash: hashOf(second.key) }]));
      done(await runCommand(["account", "revoke", "second"], { ACCOUNTS_FILE: file }));
      await becomes(second.key, 401);
      assert.ok(!server.said().includes(second.key));
      server.child.kill("SIGTERM");
      assert.deepEqual(await server.ended, [0, null]);
    });
});
