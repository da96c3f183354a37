import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { configOf, type Environment, HELP, SETTINGS } from "./config.ts";
import { hashOf } from "./registry/secrets.ts";

const folder = mkdtempSync(join(tmpdir(), "tenderhall-config-"));
after(() => rmSync(folder, { recursive: true }));

function accountsFile(content: unknown): string {
  const file = join(folder, `${hashOf(JSON.stringify(content)).slice(0, 8)}.json`);
  writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content));
  return file;
}

function problemsOf(environment: Environment): readonly string[] {
  const config = configOf(environment);
  assert.ok(!("port" in config), "the settings were taken");
  return config;
}

function taken(environment: Environment) {
  const config = configOf(environment);
  assert.ok("port" in config, String(config));
  return config;
}

const acme = { name: "acme", group: "brokers", levels: "12", keyHash: hashOf("a long secret") };

describe("the settings", () => {
  it("need nothing: without any, it is a sandbox on loopback", () => {
    const config = taken({});
    assert.equal(config.port, 8080);
    assert.equal(config.host, "127.0.0.1");
    assert.equal(config.sandbox, true);
    assert.equal(config.zone.name, "Europe/Kyiv");
    assert.equal(config.limits.ratePerMinute, 0);
    assert.equal(config.accounts.get(hashOf("token"))?.group, "admins");
  });

  it("that are wrong are told all at once", () => {
    const problems = problemsOf({
      PORT: "99999",
      TIMEZONE: "Mars/Olympus",
      MODE: "demo",
      PUBLIC_URL: "ftp://x",
      FILE_BYTES_MAX: "much",
    });
    for (const name of ["PORT", "TIMEZONE", "MODE", "PUBLIC_URL", "FILE_BYTES_MAX", "ACCOUNTS_FILE"])
      assert.ok(
        problems.some((problem) => problem.startsWith(name)),
        name,
      );
  });

  it("are all in the help", () => {
    for (const { name } of SETTINGS) assert.ok(HELP.includes(name), name);
  });

  it("let a sandbox onto a public address only where that is said to be meant", () => {
    assert.match(problemsOf({ HOST: "0.0.0.0" })[0]!, /SANDBOX_PUBLIC=1/);
    assert.equal(taken({ HOST: "0.0.0.0", SANDBOX_PUBLIC: "1" }).host, "0.0.0.0");
    assert.equal(taken({ HOST: "::1" }).host, "::1");
  });
});

describe("in production", () => {
  it("nothing starts without accounts", () => {
    assert.match(problemsOf({ MODE: "production" })[0]!, /^ACCOUNTS_FILE/);
    assert.match(problemsOf({ MODE: "production", ACCOUNTS_FILE: join(folder, "none.json") })[0]!, /cannot be read/);
    assert.match(problemsOf({ MODE: "production", ACCOUNTS_FILE: accountsFile([]) })[0]!, /at least one/);
    assert.match(problemsOf({ MODE: "production", ACCOUNTS_FILE: accountsFile("{") })[0]!, /cannot be read/);
  });

  it("accounts come from a file of hashed keys, and nothing else opens", () => {
    const config = taken({ MODE: "production", ACCOUNTS_FILE: accountsFile([acme]) });
    assert.deepEqual([...config.accounts], [[acme.keyHash, { name: "acme", group: "brokers", levels: "12" }]]);
    assert.equal(config.limits.ratePerMinute, 6000);
  });

  it("keys that everybody knows are refused", () => {
    const file = accountsFile([acme, { ...acme, name: "b", keyHash: hashOf("broker") }]);
    assert.match(problemsOf({ MODE: "production", ACCOUNTS_FILE: file })[0]!, /everybody knows/);
  });

  it("every wrong account is told", () => {
    const file = accountsFile([
      { ...acme, name: "" },
      { ...acme, group: "kings" },
      { ...acme, keyHash: "plain" },
      null,
      acme,
      acme,
    ]);
    assert.equal(problemsOf({ MODE: "production", ACCOUNTS_FILE: file }).length, 5);
  });
});
