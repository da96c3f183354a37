import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { hashOf } from "../../src/base/secrets.ts";
import { currentOperator } from "../../src/cli/commandAudit.ts";
import { runCli } from "../../src/cli/runCli.ts";
import { auditPath } from "../../src/ops/audit.ts";
import { md5Of } from "../support/documentService.ts";
import { bidOf, DAY, fullTender, publish, publishForBids } from "../support/examples.ts";
import { FAULTS, openFaultyFileSystem } from "../support/faultyFileSystem.ts";
import { waitUntil } from "../support/processes.ts";
import { expectStatus, openWorld } from "../support/world.ts";

/** The audit trail: every action with special permissions leaves a line. */

const faulty = openFaultyFileSystem();
const folder = mkdtempSync(join(tmpdir(), "tenderhall-audit-"));
after(() => rmSync(folder, { recursive: true }));

type Line = { readonly [name: string]: unknown };

describe("the audit trail", async () => {
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

  it("contains an HTTP request by an administrator, on disk before the response is sent, and logs it", async () => {
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
        ...{ address: "127.0.0.1", requestId: `of-${key}`, sent: { data: { title: "x" } } },
      });
      const logged = `"what":"audit","via":"http","actor":"${actor}"`;
      await waitUntil(() => world.logText().includes(logged), world.logText);
    }
    assert.ok(!readFileSync(auditPath(world.dataDir), "utf8").includes(token));
    assert.equal(statSync(auditPath(world.dataDir)).mode & 0o777, 0o600);
  });

  it("contains requests to unversioned endpoints", async () => {
    const hash = `md5:${md5Of("a")}`;
    const sent = { key: "token" };
    let upload_url = "";
    const lines = await newSince(async () => {
      expectStatus(201, await api.post(`${world.url}/sandbox/clocks`, {}, sent));
      ({ upload_url } = expectStatus(201, await api.post(`${world.url}/register`, { hash }, sent)).body);
      expectStatus(200, await api.upload(upload_url, { name: "a", content: "a" }, sent));
      expectStatus(200, await api.upload(`${world.url}/upload`, { name: "a", content: "a" }, sent));
      expectStatus(422, await api.post(`${world.url}/register`, { hash: "nonsense" }, sent));
      // Anonymous requests, which are not recorded.
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
    assert.deepEqual(lines.map(({ document }) => document).filter(Boolean), [
      { title: "a", format: "application/octet-stream", hash },
      { title: "a", format: "application/octet-stream", hash },
    ]);
    const logged = /"path":"\/register","status":201,.*"user":"test"/;
    await waitUntil(() => logged.test(world.logText()), world.logText);
  });

  it("marks a dry run that stored nothing", async () => {
    const lines = await newSince(async () => {
      expectStatus(422, await api.post(`${world.url}/register?dry_run=1`, { hash: "nonsense" }, { key: "token" }));
      await api.patch(`${path}?dry_run=1`, { status: "cancelled" }, { key: "administrator" });
      await api.patch(`${path}?dry_run=0`, { title: "x" }, { key: "administrator" });
    });
    assert.deepEqual(
      lines.map(({ act, dryRun, sent }) => [act, dryRun, sent]),
      [
        ["POST /register", true, { data: { hash: "nonsense" } }],
        [`PATCH /api/2.5${path}`, true, { data: { status: "cancelled" } }],
        [`PATCH /api/2.5${path}`, undefined, { data: { title: "x" } }],
      ],
    );
  });

  it("records the request body without keys, tokens and URL secrets", async () => {
    const secrets = ["a-token-in-the-body", "a-webhook-secret", "sig-of-a-bidder", "login-of-a-bidder"];
    const data = {
      title: "Mended",
      auctionUrl: `https://auction.example/1?signature=${secrets[2]}`,
      bids: [{ participationUrl: `https://auction.example/1/${secrets[3]}`, value: { amount: 390_000 } }],
      webhook: { secret: secrets[1], owner_token: secrets[0] },
    };
    const [{ sent }] = (await newSince(() =>
      api.request("PATCH", path, { key: "administrator", body: { data, access: { token: secrets[0] } } }),
    )) as [Line];
    assert.deepEqual(sent, {
      data: {
        title: "Mended",
        auctionUrl: "https://auction.example/1?[removed]",
        bids: [{ participationUrl: "[removed]", value: data.bids[0]!.value }],
        webhook: { secret: "[removed]", owner_token: "[removed]" },
      },
      access: "[removed]",
    });
    const trail = readFileSync(auditPath(world.dataDir), "utf8");
    for (const secret of secrets) assert.ok(!trail.includes(secret) && !world.logText().includes(secret), secret);
  });

  it("records the start, length and hash of a long body", async () => {
    const body = { data: { description: "д".repeat(200_000) } };
    const [line] = (await newSince(() => api.request("PATCH", path, { key: "administrator", body }))) as [Line];
    const text = JSON.stringify(body);
    assert.equal(line.sent, undefined);
    assert.ok(text.startsWith(String(line.sentStart)) && String(line.sentStart).length <= 8192);
    assert.deepEqual([line.sentBytes, line.sentSha256], [Buffer.byteLength(text), hashOf(text)]);
  });

  it("records failed requests too, because part of the work may be done", async () => {
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

  it("leaves out requests by brokers and reads of public data", async () => {
    const lines = await newSince(async () => {
      expectStatus(200, await api.patch(path, { title: "y" }, { token }));
      expectStatus(200, await api.get(path, { key: "token" }));
      await api.patch(path, { title: "z" }, { key: null });
    });
    assert.deepEqual(lines, []);
  });

  it("records operator commands with their reason, even if they are refused", async () => {
    const file = join(folder, "tender.json");
    const run = (...args: readonly string[]) => runCli(args, environment);
    const { user, sudoUser } = currentOperator();
    const who = { user, ...(sudoUser && { sudoUser }) };
    let out = "";
    const looks = await newSince(async () => {
      ({ out } = await run("tender", "show", id, "--raw"));
      await run("tender", "show", id);
      await run("tender", "show", "0".repeat(32), "--raw");
    });
    const look = { via: "command", actor: "operator" };
    assert.deepEqual(
      looks.map(({ time: _time, ...line }) => line),
      [
        { ...look, act: `tender show --raw ${id}`, outcome: "done", ...who },
        { ...look, act: `tender show --raw ${"0".repeat(32)}`, outcome: "refused", ...who },
      ],
    );
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
        { ...act, outcome: "done", ...who },
        { ...act, outcome: "refused", ...who },
      ],
    );
  });

  it("records export, import, backup and restore with the operating-system user", async () => {
    const to = join(folder, "backup");
    const lines = await newSince(async () => {
      assert.equal((await runCli(["backup", to], environment)).code, 0);
      assert.equal((await runCli(["backup", world.dataDir], environment)).code, 1);
      assert.equal((await runCli(["export", "--to", join(folder, "export")], environment)).code, 0);
      assert.equal((await runCli(["verify", "--no-files"], environment)).code, 0);
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
    assert.equal((await runCli(["restore", to], { DATA_DIR })).code, 0);
    assert.deepEqual(
      linesIn(DATA_DIR).map(({ act, outcome }) => [act, outcome]),
      [[`restore ${to}`, "done"]],
    );
    const nowhere = join(folder, "nowhere");
    assert.equal((await runCli(["backup", join(folder, "b")], { DATA_DIR: nowhere })).code, 1);
    assert.ok(!existsSync(nowhere));
  });

  it("records a write to a sealed bid without the bid, and does not log it", async () => {
    const sealed = await publishForBids(world);
    let bid = "";
    const lines = await newSince(async () => {
      const made = await api.post(`${sealed.path}/bids`, bidOf(400_000), { key: "token" });
      bid = expectStatus(201, made).body.data.id;
      await api.patch(`${sealed.path}/bids/${bid}`, { value: { amount: 390_000 } }, { key: "token" });
    });
    assert.deepEqual(
      lines.map(({ actor, act, sent }) => [actor, act, sent]),
      [
        ["test", `POST /api/2.5${sealed.path}/bids`, undefined],
        ["test", `PATCH /api/2.5${sealed.path}/bids/…`, undefined],
      ],
    );
    await api.get("/tenders", { headers: { "X-Request-ID": "the-last-line" } });
    await waitUntil(() => world.logText().includes("the-last-line"), world.logText);
    assert.doesNotMatch(world.logText(), new RegExp(`"audit".*${sealed.path}/bids|${bid}`));
  });

  it("records reads of non-public data: the auction, and the view of the scheduler", async () => {
    const { path: sealed } = await publishForBids(world);
    const read = async () => {
      for (const key of ["auction", "token"]) await api.get(`${sealed}/auction`, { key });
      for (const key of ["chronograph", "token"]) await api.get(`${sealed}/chronograph`, { key });
      await api.get(sealed, { key: "chronograph" });
      // Other groups get the public view or nothing.
      for (const key of ["broker", "administrator", null]) await api.get(`${sealed}/auction`, { key });
      await api.get(sealed, { key: "token" });
    };
    assert.deepEqual(
      (await newSince(read)).map(({ group, act }) => `${group} ${act}`),
      [
        `auction GET /api/2.5${sealed}/auction`,
        `admins GET /api/2.5${sealed}/auction`,
        `chronograph GET /api/2.5${sealed}/chronograph`,
        `admins GET /api/2.5${sealed}/chronograph`,
        `chronograph GET /api/2.5${sealed}`,
      ],
    );
    world.clock.forward(30 * DAY);
    expectStatus(200, await api.get(sealed));
    assert.deepEqual(await newSince(read), [], "once there is nothing sealed, it is what everybody sees");
  });
});

describe("the audit trail of account changes", async () => {
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

  it("starts empty with the server and is readable only by its user", () => {
    assert.deepEqual(lines(), []);
    assert.equal(statSync(auditPath(world.dataDir)).mode & 0o777, 0o600);
  });

  it("records a command with its user, and the change that the server picks up", async () => {
    assert.equal((await runCli(["account", "add", "beta", "--levels", "12"], environment)).code, 0);
    const [entry] = lines();
    assert.deepEqual(
      [entry!.via, entry!.actor, entry!.act, entry!.outcome],
      ["command", userInfo().username, "account add beta --levels 12", "done"],
    );
    await waitUntil(
      () => found("added", "beta").length === 1,
      () => JSON.stringify(lines()),
    );
  });

  it("records a change even if the command found no server or the file was edited by hand", async () => {
    const elsewhere = { DATA_DIR: join(folder, "elsewhere"), ACCOUNTS_FILE: file };
    assert.equal((await runCli(["account", "revoke", "beta"], elsewhere)).code, 0);
    await waitUntil(
      () => found("revoked", "beta").length === 1,
      () => JSON.stringify(lines()),
    );
    writeFileSync(file, JSON.stringify([entry("acme"), entry("gamma"), entry("delta")]));
    await waitUntil(
      () => found("added", "gamma").length === 1,
      () => JSON.stringify(lines()),
    );
    const { time: _time, ...line } = found("added", "gamma")[0]!;
    assert.deepEqual(line, {
      ...{ via: "accounts file", actor: "accounts file", act: "accounts changed", outcome: "done" },
      ...{ added: ["gamma", "delta"], revoked: [], accounts: 3 },
    });
  });

  it("lists the added and retired keys of an account by fingerprint", async () => {
    const print = hashOf("the key of gamma").slice(0, 12);
    const { out } = await runCli(["account", "add-key", "gamma", "--json"], environment);
    const { fingerprint } = JSON.parse(out);
    const keys = (name: "keysAdded" | "keysRetired") => lines().flatMap(({ [name]: these }) => these ?? []);
    await waitUntil(
      () => keys("keysAdded").length > 0,
      () => JSON.stringify(lines()),
    );
    assert.equal((await runCli(["account", "retire-key", "gamma", print], environment)).code, 0);
    await waitUntil(
      () => keys("keysRetired").length > 0,
      () => JSON.stringify(lines()),
    );
    assert.deepEqual([keys("keysAdded"), keys("keysRetired")], [[`gamma ${fingerprint}`], [`gamma ${print}`]]);
    const retired = lines().find(({ keysRetired }) => keysRetired)!;
    assert.deepEqual([retired.added, retired.revoked, retired.accounts], [[], [], 3]);
    const commands = lines().flatMap(({ via, act }) => (via === "command" ? [act] : []));
    assert.deepEqual(commands.slice(-2), ["account add-key gamma --json", `account retire-key gamma ${print}`]);
  });
});
