import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { auditPath } from "../../src/audit.ts";
import { operate } from "../../src/cli/operator.ts";
import { hashOf } from "../../src/registry/secrets.ts";
import { md5Of } from "../support/documentService.ts";
import { fullTender, publish } from "../support/examples.ts";
import { FAULTS, openFaultyFileSystem } from "../support/faultyFileSystem.ts";
import { until } from "../support/processes.ts";
import { expectStatus, openWorld } from "../support/world.ts";

/** Whoever may do more than others leaves a line. */

const faulty = openFaultyFileSystem();
const folder = mkdtempSync(join(tmpdir(), "tenderhall-audit-"));
after(() => rmSync(folder, { recursive: true }));

type Line = { readonly [name: string]: unknown };

describe("an administrative act", async () => {
  const world = await openWorld({}, false, { fileSystem: faulty.fileSystem });
  after(world.stop);
  const api = world.api("2.5");
  const environment = { DATA_DIR: world.dataDir, PORT: "0", ...world.database.environment };
  const linesIn = (dataDir: string): readonly Line[] =>
    existsSync(auditPath(dataDir))
      ? readFileSync(auditPath(dataDir), "utf8")
          .split("\n")
          .slice(0, -1)
          .map((line) => JSON.parse(line))
      : [];
  const newSince = async (act: () => Promise<unknown>): Promise<readonly Line[]> => {
    const before = linesIn(world.dataDir).length;
    await act();
    return linesIn(world.dataDir).slice(before);
  };
  const { id, path, token } = await publish(api, fullTender(world.clock.now));

  it("over HTTP is on disk once it is answered, and in the log", async () => {
    for (const [key, group] of [
      ["token", "admins"],
      ["chronograph", "chronograph"],
      ["auction", "auction"],
      ["administrator", "Administrator"],
    ] as const) {
      let status = 0;
      const lines = await newSince(async () => {
        const sent = { key, headers: { "X-Request-ID": `of ${key}`.replace(" ", "-") } };
        status = (await api.patch(`${path}?acc_token=${token}`, { title: "x" }, sent)).status;
      });
      const [{ time, actor, ...line }, ...more] = lines as [Line];
      assert.deepEqual(more, []);
      assert.match(String(time), /^\d{4}-.*Z$/);
      assert.equal(typeof actor, "string");
      const act = `PATCH /api/2.5${path}`;
      assert.deepEqual(line, {
        ...{ via: "http", group, act, outcome: status },
        ...{ address: "127.0.0.1", requestId: `of-${key}` },
      });
      const logged = `"what":"audit","via":"http","actor":"${actor}"`;
      await until(() => world.logged().includes(logged), world.logged);
    }
    assert.ok(!readFileSync(auditPath(world.dataDir), "utf8").includes(token));
    assert.equal(statSync(auditPath(world.dataDir)).mode & 0o777, 0o600);
  });

  it("is also one that is done beside the versions", async () => {
    const hash = `md5:${md5Of("a")}`;
    const sent = { key: "token" };
    let upload_url = "";
    const lines = await newSince(async () => {
      expectStatus(201, await api.post(`${world.url}/sandbox/clocks`, {}, sent));
      ({ upload_url } = expectStatus(201, await api.post(`${world.url}/register`, { hash }, sent)).body);
      expectStatus(200, await api.upload(upload_url, { name: "a", content: "a" }, sent));
      expectStatus(200, await api.upload(`${world.url}/upload`, { name: "a", content: "a" }, sent));
      expectStatus(422, await api.post(`${world.url}/register`, { hash: "nonsense" }, sent));
      // What was only tried, and what nobody who is known did.
      expectStatus(422, await api.post(`${world.url}/register?dry_run=1`, { hash: "nonsense" }, sent));
      expectStatus(403, await api.upload(upload_url, { name: "a", content: "a" }, { key: null }));
    });
    assert.deepEqual(
      lines.map(({ act, outcome }) => `${act} ${outcome}`),
      [
        "POST /sandbox/clocks 201",
        "POST /register 201",
        `POST ${new URL(upload_url).pathname} 200`,
        "POST /upload 200",
        "POST /register 422",
      ],
    );
    const logged = /"path":"\/register","status":201,.*"user":"test"/;
    await until(() => logged.test(world.logged()), world.logged);
  });

  it("is recorded too where it failed: part of it may be done", async () => {
    const file = { name: "a", content: "a" };
    const lines = await newSince(async () => {
      faulty.arm(1, FAULTS["that fails"]!);
      expectStatus(500, await api.upload(`${path}/documents`, file, { key: "token" }));
      assert.ok(faulty.disarm());
    });
    assert.deepEqual(
      lines.map(({ act, outcome }) => `${act} ${outcome}`),
      [`POST /api/2.5${path}/documents 500`],
    );
  });

  it("is not what brokers do, and not reading", async () => {
    const lines = await newSince(async () => {
      expectStatus(200, await api.patch(path, { title: "y" }, { token }));
      expectStatus(200, await api.get(path, { key: "token" }));
      await api.patch(path, { title: "z" }, { key: null });
    });
    assert.deepEqual(lines, []);
  });

  it("of an operator is recorded with its reason, also when it is refused", async () => {
    const file = join(folder, "tender.json");
    const run = (...args: readonly string[]) => operate(args, environment);
    const { out } = await run("tender", "show", id, "--raw");
    writeFileSync(file, out.replace('"title":"y"', '"title":"mended"').replace('"title": "y"', '"title": "mended"'));
    const replace = () => run("tender", "replace", id, "--from", file, "--reason", "ticket 17");
    const lines = await newSince(async () => {
      assert.equal((await replace()).code, 0);
      assert.equal((await replace()).code, 1);
    });
    const act = { via: "command", actor: "operator", act: `tender replace ${id}`, reason: "ticket 17", force: false };
    assert.deepEqual(
      lines.map(({ time: _time, ...line }) => line),
      [
        { ...act, outcome: "done" },
        { ...act, outcome: "refused" },
      ],
    );
  });

  it("is also what gives out or takes in a registry, by the user of the machine", async () => {
    const to = join(folder, "backup");
    const lines = await newSince(async () => {
      assert.equal((await operate(["backup", to], environment)).code, 0);
      assert.equal((await operate(["backup", world.dataDir], environment)).code, 1);
      assert.equal((await operate(["export", "--to", join(folder, "export")], environment)).code, 0);
      assert.equal((await operate(["verify", "--no-files"], environment)).code, 0);
    });
    assert.deepEqual(
      lines.map(({ actor, act, outcome }) => [actor, act, outcome]),
      [
        [userInfo().username, `backup ${to}`, "done"],
        [userInfo().username, `backup ${world.dataDir}`, "refused"],
        [userInfo().username, `export --to ${join(folder, "export")}`, "done"],
      ],
    );
    const DATA_DIR = join(folder, "restored");
    assert.equal((await operate(["restore", to], { DATA_DIR })).code, 0);
    assert.deepEqual(
      linesIn(DATA_DIR).map(({ act, outcome }) => [act, outcome]),
      [[`restore ${to}`, "done"]],
    );
    const nowhere = join(folder, "nowhere");
    assert.equal((await operate(["backup", join(folder, "b")], { DATA_DIR: nowhere })).code, 1);
    assert.ok(!existsSync(nowhere));
  });
});

describe("a change of accounts", async () => {
  const file = join(folder, "accounts.json");
  const entry = (name: string) => ({ name, group: "brokers", levels: "1234", keyHash: hashOf(`the key of ${name}`) });
  writeFileSync(file, JSON.stringify([entry("acme")]));
  const world = await openWorld({ MODE: "production", ACCOUNTS_FILE: file, LOG: "off" });
  after(world.stop);
  const environment = { DATA_DIR: world.dataDir, ACCOUNTS_FILE: file, ...world.database.environment };
  const lines = (): readonly Line[] =>
    readFileSync(auditPath(world.dataDir), "utf8")
      .split("\n")
      .slice(0, -1)
      .map((line) => JSON.parse(line));
  const found = (name: "added" | "revoked", account: string) =>
    lines().filter(({ via, [name]: names }) => via === "accounts file" && (names as string[]).includes(account));

  it("finds a record begun with the server, that its user alone may read", () => {
    assert.deepEqual(lines(), []);
    assert.equal(statSync(auditPath(world.dataDir)).mode & 0o777, 0o600);
  });

  it("by command is recorded with its user, and by the server that it has its effect on", async () => {
    assert.equal((await operate(["account", "add", "beta", "--levels", "12"], environment)).code, 0);
    const [asked] = lines();
    assert.deepEqual(
      [asked!.via, asked!.actor, asked!.act, asked!.outcome],
      ["command", userInfo().username, "account add beta --levels 12", "done"],
    );
    await until(
      () => found("added", "beta").length === 1,
      () => JSON.stringify(lines()),
    );
  });

  it("is recorded too where the command knew of no server, or the file was written by hand", async () => {
    const elsewhere = { DATA_DIR: join(folder, "elsewhere"), ACCOUNTS_FILE: file };
    assert.equal((await operate(["account", "revoke", "beta"], elsewhere)).code, 0);
    await until(
      () => found("revoked", "beta").length === 1,
      () => JSON.stringify(lines()),
    );
    writeFileSync(file, JSON.stringify([entry("acme"), entry("gamma"), entry("delta")]));
    await until(
      () => found("added", "gamma").length === 1,
      () => JSON.stringify(lines()),
    );
    const { time: _time, ...line } = found("added", "gamma")[0]!;
    assert.deepEqual(line, {
      ...{ via: "accounts file", actor: "accounts file", act: "accounts changed", outcome: "done" },
      ...{ added: ["gamma", "delta"], revoked: [], accounts: 3 },
    });
  });
});
