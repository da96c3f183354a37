import assert from "node:assert/strict";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { hashOf } from "../../src/base/secrets.ts";
import { runCli } from "../../src/cli/runCli.ts";
import type { Environment } from "../../src/config/config.ts";
import { ENGINE, openSchema } from "../support/engines.ts";
import { fullTender, publish } from "../support/examples.ts";
import { openWorld, sharedWorld } from "../support/world.ts";

/** The doctor reports problems and how to solve them. */

const world = await sharedWorld();
const folder = mkdtempSync(join(tmpdir(), "tenderhall-doctor-"));
after(() => rmSync(folder, { recursive: true, force: true }));

const healthy = (): Environment => ({
  DATA_DIR: world.dataDir,
  PORT: new URL(world.url).port,
  ...world.database.environment,
});

type Finding = { readonly check: string; readonly state: string; readonly found: string; readonly then?: string };
type DoctorResult = { readonly code: number; readonly fine: boolean; readonly finding: (check: string) => Finding };

async function runDoctor(environment: Environment, ...more: readonly string[]): Promise<DoctorResult> {
  const { code, out } = await runCli(["doctor", "--json", ...more], environment);
  const { fine, findings } = JSON.parse(out) as { fine: boolean; findings: Finding[] };
  assert.equal(fine, code === 0);
  return {
    code,
    fine,
    finding: (check) => findings.find((entry) => entry.check === check) ?? assert.fail(`${check}\n${out}`),
  };
}

describe("doctor", () => {
  it("finds no problem with a running registry, and changes nothing", async () => {
    const before = (await world.api("2.5").get("/tenders")).text;
    const { code, out } = await runCli(["doctor"], healthy());
    assert.equal(code, 0, out);
    for (const check of ["node", "settings", "accounts", "store", "disk", "files", "port", "server"])
      assert.match(out, new RegExp(`^[✓!] ${check} `, "m"));
    assert.match(out, /No problems found\.\n$/);
    const { finding } = await runDoctor(healthy());
    for (const check of ["store", "files", "port", "server"])
      assert.equal(finding(check).state, "fine", finding(check).found);
    if (ENGINE === "postgres") assert.equal(finding("db clock").state, "fine");
    assert.equal((await world.api("2.5").get("/tenders")).text, before);
  });

  it("reports every wrong setting and exits with 1", async () => {
    const { code, out } = await runCli(["doctor"], { ...healthy(), WORKERS: "many", LOG: "loud" });
    assert.equal(code, 1);
    assert.match(out, /^✗ settings +WORKERS must be an integer/m);
    assert.match(out, /^✗ settings +LOG must be on or off/m);
    assert.match(out, /2 of 3 checks failed\.\n$/);
  });

  it("reports a files folder that is not a folder as the only problem", async () => {
    const other = await openWorld();
    await other.halt();
    rmSync(join(other.dataDir, "files"), { recursive: true, force: true });
    writeFileSync(join(other.dataDir, "files"), "this is no folder");
    const settings = { DATA_DIR: other.dataDir, PORT: "0", ...other.database.environment };
    const { code, finding } = await runDoctor(settings, "--url", world.url);
    assert.equal(code, 1);
    assert.equal(finding("files").state, "wrong");
    assert.match(finding("files").found, /EEXIST|ENOTDIR/);
    assert.equal(finding("store").state, "fine", finding("store").found);
    rmSync(other.dataDir, { recursive: true, force: true });
    await other.database.drop();
  });

  it("warns if the port is served by a Tenderhall with other settings", async () => {
    const other = await openWorld();
    await publish(other.api("2.5"), fullTender(other.clock.now));
    const PORT = new URL(other.url).port;
    const { code, finding } = await runDoctor({ ...healthy(), PORT });
    assert.equal(code, 0);
    assert.equal(finding("port").state, "note", finding("port").found);
    assert.match(finding("port").found, /with another registry than the one in (DATA_DIR|DATABASE_URL)/);
    const own = { ...healthy(), DATA_DIR: other.dataDir, ...other.database.environment, PORT };
    assert.equal((await runDoctor(own)).finding("port").state, "fine");
    const ACCOUNTS_FILE = join(folder, "of-production.json");
    writeFileSync(
      ACCOUNTS_FILE,
      JSON.stringify([{ name: "acme", group: "brokers", levels: "1234", keyHash: hashOf("x") }]),
    );
    const production = await runDoctor({ ...own, MODE: "production", ACCOUNTS_FILE });
    assert.match(production.finding("port").found, /in MODE=sandbox, but MODE is production here/);
    assert.equal(production.finding("port").state, "note");
    await other.stop();
  });

  it("reports what does not exist yet, and creates nothing", async () => {
    const { code, finding } = await runDoctor({ DATA_DIR: join(folder, "new"), PORT: "0" }, "--url", world.url);
    assert.equal(code, 0);
    assert.equal(finding("store").state, "note");
    assert.match(finding("store").then!, /tenderhall serve creates it/);
    assert.match(finding("settings").found, /sandbox/);
  });

  it("reports a port that another program uses", async () => {
    const stranger = createServer((_request, response) => response.end("hello")).listen(0, "127.0.0.1");
    await new Promise((done) => stranger.once("listening", done));
    const { port } = stranger.address() as AddressInfo;
    const { code, finding } = await runDoctor({ ...healthy(), PORT: String(port) });
    stranger.close();
    assert.equal(code, 1);
    assert.equal(finding("port").state, "wrong");
    assert.match(finding("port").then!, new RegExp(`PORT=${port + 1}`));
  });

  it("reports a server whose clock is far off", async () => {
    const late = createServer((_request, response) => {
      response.setHeader("Date", new Date(Date.now() - 3_600_000).toUTCString()).end("{}");
    }).listen(0, "127.0.0.1");
    await new Promise((done) => late.once("listening", done));
    const { code, finding } = await runDoctor(
      healthy(),
      "--url",
      `http://127.0.0.1:${(late.address() as AddressInfo).port}`,
    );
    late.close();
    assert.equal(code, 1);
    assert.match(finding("server").found, /behind this machine's/);
    assert.match(finding("server").then!, /NTP/);
  });

  it("reports a server that does not respond, if --url is given", async () => {
    const { code, finding } = await runDoctor(healthy(), "--url", "http://127.0.0.1:9");
    assert.equal(code, 1);
    assert.equal(finding("server").state, "wrong");
  });

  it("warns about an accounts file that others can read, and a sandbox that others can use", async () => {
    const file = join(folder, "accounts.json");
    writeFileSync(file, JSON.stringify([{ name: "acme", group: "brokers", levels: "1234", keyHash: hashOf("x") }]));
    chmodSync(file, 0o644);
    const open = { ...healthy(), ACCOUNTS_FILE: file, HOST: "0.0.0.0", SANDBOX_PUBLIC: "1", PORT: "0" };
    const { finding } = await runDoctor(open, "--url", world.url);
    assert.equal(finding("accounts").state, "note");
    assert.equal(finding("accounts").then, `chmod o= ${file}`);
    assert.equal(finding("sandbox").state, "note");
  });

  it("warns until some account may run auctions", async () => {
    const ACCOUNTS_FILE = join(folder, "auctions.json");
    const own = { ...healthy(), MODE: "production", ACCOUNTS_FILE, PORT: "0" };
    const add = (...words: readonly string[]) => runCli(["account", "add", ...words], { ACCOUNTS_FILE });
    assert.equal((await add("acme", "--levels", "12")).code, 0);
    const { code, finding } = await runDoctor(own, "--url", world.url);
    assert.equal(code, 0);
    assert.equal(finding("auctions").state, "note");
    assert.match(finding("auctions").found, /will stay in active\.auction/);
    assert.match(finding("auctions").then!, /account add robot --group auction/);
    assert.equal((await add("robot", "--group", "auction")).code, 0);
    const { out } = await runCli(["doctor", "--url", world.url], own);
    assert.doesNotMatch(out, /active\.auction/);
  });

  it("reports a store that cannot be opened", { skip: ENGINE === "postgres" && "a file is broken here" }, async () => {
    const dataDir = mkdtempSync(join(folder, "broken-"));
    writeFileSync(join(dataDir, "tenderhall.sqlite"), "this is no database, whatever its name says".repeat(100));
    const { code, finding } = await runDoctor({ DATA_DIR: dataDir, PORT: "0" }, "--url", world.url);
    assert.equal(code, 1);
    assert.equal(finding("store").state, "wrong");
  });
});

const skip = ENGINE === "sqlite" && "of PostgreSQL";

describe("doctor on PostgreSQL", { skip }, () => {
  const beside = ["--url", world.url];
  const on = (url: string, more: Environment = {}) => ({
    DATA_DIR: world.dataDir,
    PORT: "0",
    DATABASE_URL: url,
    ...more,
  });

  it("notes an empty database, as it notes an empty folder", async () => {
    const schema = await openSchema();
    const { code, finding } = await runDoctor(on(schema.url), ...beside);
    assert.equal(code, 0);
    assert.equal(finding("store").state, "note");
    assert.match(finding("store").found, /no registry in DATABASE_URL yet/);
    assert.deepEqual(await schema.query("select to_regclass('schema_version') as name"), [{ name: null }]);
    await schema.drop();
  });

  it("reports a database that cannot be reached, and why", async () => {
    for (const [url, why, then] of [
      ["postgres://nobody:secret@127.0.0.1:9/none", /ECONNREFUSED/, /check that PostgreSQL runs/],
      ["postgres://nobody:secret@nobody.invalid/none", /ENOTFOUND|EAI_AGAIN/, /the host is unknown/],
      [world.config.databaseUrl!.replace(/(:\d+\/)[^?]*/, "$1no_such_database"), /no_such_database/, /createdb/],
    ] as const) {
      const { code, finding } = await runDoctor(on(url), ...beside);
      assert.equal(code, 1);
      assert.match(finding("store").found, why);
      assert.match(finding("store").then!, then);
      assert.doesNotMatch(JSON.stringify(finding("store")), /secret/);
    }
  });

  it("checks the replica too", async () => {
    const url = world.config.databaseUrl!;
    const gone = await runDoctor(on(url, { DATABASE_READ_URL: "postgres://nobody@127.0.0.1:9/none" }), ...beside);
    assert.equal(gone.code, 1);
    assert.match(gone.finding("replica").found, /DATABASE_READ_URL cannot be used: .*ECONNREFUSED/);
    assert.match(gone.finding("replica").then!, /until then everything is read from DATABASE_URL/);
    const same = await runDoctor(on(url, { DATABASE_READ_URL: url }), ...beside);
    assert.equal(same.code, 0);
    assert.equal(same.finding("replica").state, "note");
  });

  it("reports a database whose clock is off", async () => {
    const url = new URL(world.config.databaseUrl!);
    const [{ name }] = (await world.database.query("select current_schema() as name")) as [{ name: string }];
    // This search path makes PostgreSQL find this function before its own.
    url.searchParams.set("options", `-csearch_path=${name},pg_catalog`);
    for (const [off, state] of [
      ["1 minute", "wrong"],
      ["5 seconds", "note"],
    ] as const) {
      await world.database.query(`create or replace function clock_timestamp() returns timestamptz volatile
        language sql as $$ select pg_catalog.clock_timestamp() - interval '${off}' $$`);
      const { finding } = await runDoctor(on(url.href), ...beside);
      assert.equal(finding("db clock").state, state, finding("db clock").found);
      assert.match(finding("db clock").found, /behind this machine's/);
      assert.match(finding("db clock").then!, /NTP/);
    }
  });
});
