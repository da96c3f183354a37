import assert from "node:assert/strict";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { operate } from "../../src/cli/operator.ts";
import type { Environment } from "../../src/config.ts";
import { hashOf } from "../../src/registry/secrets.ts";
import { ENGINE } from "../support/engines.ts";
import { oneWorld } from "../support/world.ts";

/** The doctor says what is wrong, and what to do about it. */

const world = await oneWorld();
const folder = mkdtempSync(join(tmpdir(), "tenderhall-doctor-"));
after(() => rmSync(folder, { recursive: true, force: true }));

const healthy = (): Environment => ({
  DATA_DIR: world.dataDir,
  PORT: new URL(world.url).port,
  ...world.database.environment,
});

type Finding = { readonly check: string; readonly state: string; readonly found: string; readonly then?: string };
type Told = { readonly code: number; readonly fine: boolean; readonly of: (check: string) => Finding };

async function examined(environment: Environment, ...more: readonly string[]): Promise<Told> {
  const { code, out } = await operate(["doctor", "--json", ...more], environment);
  const { fine, findings } = JSON.parse(out) as { fine: boolean; findings: Finding[] };
  assert.equal(fine, code === 0);
  return { code, fine, of: (check) => findings.find((one) => one.check === check) ?? assert.fail(`${check}\n${out}`) };
}

describe("doctor", () => {
  it("finds a running registry well, and changes nothing", async () => {
    const before = (await world.api("2.5").get("/tenders")).text;
    const { code, out } = await operate(["doctor"], healthy());
    assert.equal(code, 0, out);
    for (const check of ["node", "settings", "accounts", "store", "disk", "files", "port", "server"])
      assert.match(out, new RegExp(`^[✓!] ${check} `, "m"));
    assert.match(out, /Nothing is wrong\.\n$/);
    const { of } = await examined(healthy());
    for (const check of ["store", "files", "port", "server"]) assert.equal(of(check).state, "fine", of(check).found);
    if (ENGINE === "postgres") assert.equal(of("db clock").state, "fine");
    assert.equal((await world.api("2.5").get("/tenders")).text, before);
  });

  it("names every wrong setting, and ends with 1", async () => {
    const { code, out } = await operate(["doctor"], { ...healthy(), WORKERS: "many", LOG: "loud" });
    assert.equal(code, 1);
    assert.match(out, /^✗ settings +WORKERS must be a whole number/m);
    assert.match(out, /^✗ settings +LOG must be on or off/m);
    assert.match(out, /2 of 3 checks are wrong\.\n$/);
  });

  it("notes what is not there yet, and makes nothing", async () => {
    const { code, of } = await examined({ DATA_DIR: join(folder, "new"), PORT: "0" }, "--url", world.url);
    assert.equal(code, 0);
    assert.equal(of("store").state, "note");
    assert.match(of("store").then!, /tenderhall serve makes one/);
    assert.match(of("settings").found, /sandbox/);
  });

  it("tells a port that something else took", async () => {
    const stranger = createServer((_request, response) => response.end("hello")).listen(0, "127.0.0.1");
    await new Promise((done) => stranger.once("listening", done));
    const { port } = stranger.address() as AddressInfo;
    const { code, of } = await examined({ ...healthy(), PORT: String(port) });
    stranger.close();
    assert.equal(code, 1);
    assert.equal(of("port").state, "wrong");
    assert.match(of("port").then!, new RegExp(`PORT=${port + 1}`));
  });

  it("tells a server whose clock is far off", async () => {
    const late = createServer((_request, response) => {
      response.setHeader("Date", new Date(Date.now() - 3_600_000).toUTCString()).end("{}");
    }).listen(0, "127.0.0.1");
    await new Promise((done) => late.once("listening", done));
    const { code, of } = await examined(healthy(), "--url", `http://127.0.0.1:${(late.address() as AddressInfo).port}`);
    late.close();
    assert.equal(code, 1);
    assert.match(of("server").found, /behind this machine's/);
    assert.match(of("server").then!, /NTP/);
  });

  it("tells a server that does not answer, if it was asked for", async () => {
    const { code, of } = await examined(healthy(), "--url", "http://127.0.0.1:9");
    assert.equal(code, 1);
    assert.equal(of("server").state, "wrong");
  });

  it("notes accounts that others may read, and a sandbox that others may use", async () => {
    const file = join(folder, "accounts.json");
    writeFileSync(file, JSON.stringify([{ name: "acme", group: "brokers", keyHash: hashOf("x") }]));
    chmodSync(file, 0o644);
    const open = { ...healthy(), ACCOUNTS_FILE: file, HOST: "0.0.0.0", SANDBOX_PUBLIC: "1", PORT: "0" };
    const { of } = await examined(open, "--url", world.url);
    assert.equal(of("accounts").state, "note");
    assert.equal(of("accounts").then, `chmod 600 ${file}`);
    assert.equal(of("sandbox").state, "note");
  });

  it("tells a store that cannot be opened", { skip: ENGINE === "postgres" && "a file is broken here" }, async () => {
    const dataDir = mkdtempSync(join(folder, "broken-"));
    writeFileSync(join(dataDir, "tenderhall.sqlite"), "this is no database, whatever its name says".repeat(100));
    const { code, of } = await examined({ DATA_DIR: dataDir, PORT: "0" }, "--url", world.url);
    assert.equal(code, 1);
    assert.equal(of("store").state, "wrong");
  });
});
