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
import { hashOf } from "../../src/base/secrets.ts";
import { ACCOUNT_GROUPS } from "../../src/domain/model/actors.ts";
import { assertSucceeded, COMMAND, parseLines, runCommand } from "../support/commands.ts";
import { openProcesses, TIMEOUT_MS, urlOf, waitUntil } from "../support/processes.ts";

/** The commands that create and revoke accounts. */

const { folder, run } = openProcesses("accounts");
let files = 0;
const newFile = (): string => join(folder, `${++files}.json`);

type CreatedAccount = { readonly name: string; readonly key: string };
const add = async (file: string, name: string, ...more: readonly string[]): Promise<CreatedAccount> =>
  JSON.parse(
    assertSucceeded(
      await runCommand([
        ...["account", "add", name, "--file", file, "--json"],
        ...(more.length > 0 ? more : ["--levels", "1234"]),
      ]),
    ).out,
  );

async function statusWithKey(url: string, key: string): Promise<number> {
  const response = await fetch(`${url}/api/2.3/tenders`, {
    method: "POST",
    headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
    body: '{"data": {}}',
  });
  await response.text();
  return response.status;
}

describe("account", { concurrency: true }, () => {
  it("add prints the key once, and stores only its hash in a file that only the owner can read", async () => {
    const file = newFile();
    const { out } = assertSucceeded(await runCommand(["account", "add", "acme", "--levels", "12", "--file", file]));
    const [, key = ""] = /^ {2}([0-9a-f]{64})$/m.exec(out) ?? [];
    assert.equal(statSync(file).mode & 0o777, 0o600);
    const text = readFileSync(file, "utf8");
    assert.ok(!text.includes(key));
    assert.deepEqual(JSON.parse(text), [{ name: "acme", group: "brokers", levels: "12", keyHash: hashOf(key) }]);
    const again = await runCommand(["account", "add", "acme", "--levels", "12", "--file", file]);
    assert.equal(again.code, 1);
    assert.match(again.err, /already has an account named acme/);
    assert.equal(readFileSync(file, "utf8"), text);
  });

  it("preserves the owner of the file", async () => {
    const file = newFile();
    await add(file, "acme");
    // A common setup: root owns the file, and the group of the server may read it.
    chmodSync(file, 0o640);
    await add(file, "robot", "--group", "auction");
    assert.equal(statSync(file).mode & 0o777, 0o640);
    assertSucceeded(await runCommand(["account", "revoke", "acme", "--file", file]));
    assert.equal(statSync(file).mode & 0o777, 0o640);
  });

  it("changes the target of a symbolic link and keeps the link", async () => {
    const [file, link] = [newFile(), newFile()];
    await add(file, "acme");
    symlinkSync(file, link);
    await add(link, "robot", "--group", "auction");
    assert.ok(lstatSync(link).isSymbolicLink());
    assert.match(readFileSync(file, "utf8"), /"robot"/);
  });

  it("list fails if the file does not exist, and says which command creates it", async () => {
    const file = newFile();
    const { code, out, err } = await runCommand(["account", "list", "--file", file, "--json"]);
    assert.deepEqual([code, out], [1, ""]);
    assert.match(err, /^.* does not exist; .*account add NAME --file /);
  });

  it("add loses no account when several run at once", async () => {
    const file = newFile();
    const names = ["a", "b", "c", "d", "e"];
    await Promise.all(names.map((name) => add(file, name)));
    const listed = parseLines(assertSucceeded(await runCommand(["account", "list", "--file", file, "--json"])).out);
    assert.deepEqual(listed.map(({ name }) => name).toSorted(), names);
    assert.ok(!existsSync(`${file}.new`));
  });

  it("works after another account command was killed midway", async () => {
    const file = newFile();
    writeFileSync(`${file}.new`, '[{"na');
    const before = new Date(Date.now() - 60_000);
    utimesSync(`${file}.new`, before, before);
    await add(file, "acme");
    assert.match(assertSucceeded(await runCommand(["account", "list", "--file", file])).out, /^acme +brokers +1234$/m);
  });

  it("also runs as npm run account, with all its subcommands", { timeout: 60_000 }, async () => {
    const file = newFile();
    const npm = run(["npm", "run", "account", "--", "acme", "--group", "auction", "--file", file]);
    assert.deepEqual(await npm.ended, [0, null], npm.output());
    assert.match(npm.output(), /acme is added to .*\. Its key is shown only once:\n\n {2}[0-9a-f]{64}\n/);
    assert.equal(JSON.parse(readFileSync(file, "utf8"))[0].group, "auction");
    const more = run(["npm", "run", "account", "--", "add-key", "acme", "--file", file]);
    assert.deepEqual(await more.ended, [0, null], more.output());
    assert.equal(JSON.parse(readFileSync(file, "utf8"))[0].keys.length, 2);
  });

  it("add and the operations page explain every group and every level", async () => {
    const { out } = assertSucceeded(await runCommand(["account", "add", "--help"]));
    const [, page = ""] = /^# Accounts\n(.*?)^# /ms.exec(readFileSync("docs/operations.md", "utf8")) ?? [];
    for (const name of [...ACCOUNT_GROUPS, "1", "2", "3", "4", "t"]) {
      assert.match(out, new RegExp(`^ {2}${name} .*\\w{5}`, "m"), name);
      assert.match(page, new RegExp(`^\\|[^|]*\`${name}\``, "m"), name);
    }
  });

  it("add requires levels for a broker and rejects them for other groups", async () => {
    const file = newFile();
    const silent = await runCommand(["account", "add", "acme", "--file", file]);
    assert.equal(silent.code, 2);
    assert.match(silent.err, /--levels LEVELS is required for brokers/);
    const robot = await runCommand(["account", "add", "robot", "--group", "auction", "--levels", "12", "--file", file]);
    assert.equal(robot.code, 2);
    assert.match(robot.err, /--levels is only for brokers, not for auction/);
    assert.ok(!existsSync(file));
    await add(file, "robot", "--group", "auction");
    assert.deepEqual(Object.keys(JSON.parse(readFileSync(file, "utf8"))[0]), ["name", "group", "keyHash"]);
  });

  it("add-key adds a second key, keys lists both by fingerprint, retire-key retires one but never the last", async () => {
    const file = newFile();
    const [first, other] = [await add(file, "acme"), await add(file, "other")];
    const runAccount = async (...args: readonly string[]) => runCommand(["account", ...args, "--file", file]);
    const keys = async () => parseLines(assertSucceeded(await runAccount("keys", "acme", "--json")).out);
    const { key, fingerprint } = JSON.parse(assertSucceeded(await runAccount("add-key", "acme", "--json")).out);
    assert.equal(fingerprint, hashOf(key).slice(0, 12));
    const oldPrint = hashOf(first.key).slice(0, 12);
    assert.deepEqual(
      (await keys()).map((key) => [key.name, key.fingerprint]),
      [
        ["acme", oldPrint],
        ["acme", fingerprint],
      ],
    );
    const text = readFileSync(file, "utf8");
    for (const secret of [first.key, key, other.key]) assert.ok(!text.includes(secret));
    assertSucceeded(await runAccount("retire-key", "acme", oldPrint));
    assert.deepEqual(
      (await keys()).map((key) => typeof key.retiredAt),
      ["string", "undefined"],
    );
    const last = await runAccount("retire-key", "acme", fingerprint);
    assert.equal(last.code, 1);
    assert.match(last.err, /is the only key of acme: add another by account add-key acme/);
    for (const wrong of [oldPrint, "000000000000", fingerprint.slice(0, 3)])
      assert.match((await runAccount("retire-key", "acme", wrong)).err, /acme has no key/);
    assert.match((await runAccount("add-key", "nobody")).err, /has no account named nobody/);
    assert.match((await runAccount("keys", "nobody")).err, /has no account named nobody/);
    assert.match((await runCommand(["account", "keys", "--file", newFile()])).err, / does not exist; /);
  });

  it("removes a retired key after two days, when no recorded response needs it", async () => {
    const file = newFile();
    const entry = {
      ...{ name: "acme", group: "brokers", levels: "12" },
      keys: [
        { hash: hashOf("long ago"), retiredAt: new Date(Date.now() - 3 * 86_400_000).toISOString() },
        { hash: hashOf("just now"), retiredAt: new Date(Date.now() - 3_600_000).toISOString() },
        { hash: hashOf("today") },
      ],
    };
    writeFileSync(file, JSON.stringify([entry]));
    assertSucceeded(await runCommand(["account", "add-key", "acme", "--file", file]));
    const [{ keys }] = JSON.parse(readFileSync(file, "utf8"));
    assert.deepEqual(
      keys.slice(0, 2).map(({ hash }: { hash: string }) => hash),
      [hashOf("just now"), hashOf("today")],
    );
    assert.equal(keys.length, 3);
  });

  it("revoke reports an unknown account", async () => {
    const file = newFile();
    await add(file, "acme");
    const { code, err } = await runCommand(["account", "revoke", "acne", "--file", file]);
    assert.equal(code, 1);
    assert.match(err, /has no account named acne/);
  });
});

describe("a running server", { concurrency: true }, () => {
  for (const workers of ["1", "2"])
    it(`notices added and revoked accounts (WORKERS ${workers})`, { timeout: 2 * TIMEOUT_MS }, async () => {
      const file = newFile();
      const first = await add(file, "first");
      const server = run([...COMMAND, "serve", "--mode", "production", "--accounts-file", file, "--workers", workers], {
        DATA_DIR: `${file}-data`,
      });
      const url = await urlOf(server);
      const waitForStatus = (key: string, status: number) =>
        waitUntil(
          async () =>
            (await Promise.all([statusWithKey(url, key), statusWithKey(url, key), statusWithKey(url, key)])).every(
              (actual) => actual === status,
            ),
          server.output,
        );
      assert.equal(await statusWithKey(url, first.key), 201);
      const second = await add(file, "second");
      await waitForStatus(second.key, 201);
      assertSucceeded(await runCommand(["account", "revoke", "first"], { ACCOUNTS_FILE: file }));
      await waitForStatus(first.key, 401);
      assert.equal(await statusWithKey(url, second.key), 201);
      const ofSecond = (...args: readonly string[]) => runCommand(["account", ...args, "--file", file]);
      const rotated = JSON.parse(assertSucceeded(await ofSecond("add-key", "second", "--json")).out);
      await waitForStatus(rotated.key, 201);
      assert.equal(await statusWithKey(url, second.key), 201, "both keys work while they overlap");
      assertSucceeded(await ofSecond("retire-key", "second", hashOf(second.key).slice(0, 12)));
      await waitForStatus(second.key, 401);
      assert.equal(await statusWithKey(url, rotated.key), 201);
      writeFileSync(file, '[{"name": "half');
      await waitUntil(() => server.output().includes("the accounts stay as they were"), server.output);
      assert.equal(await statusWithKey(url, rotated.key), 201);
      writeFileSync(
        file,
        JSON.stringify([{ name: "second", group: "brokers", levels: "1234", keyHash: hashOf(rotated.key) }]),
      );
      assertSucceeded(await runCommand(["account", "revoke", "second"], { ACCOUNTS_FILE: file }));
      await waitForStatus(rotated.key, 401);
      assert.ok(!server.output().includes(rotated.key));
      server.child.kill("SIGTERM");
      assert.deepEqual(await server.ended, [0, null]);
    });
});
