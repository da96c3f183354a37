import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { hashOf } from "../base/secrets.ts";
import { checkedConfigOf, configOf, type Environment } from "./config.ts";

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

  it("let a sandbox onto a public address only where that is said to be meant", () => {
    assert.match(problemsOf({ HOST: "0.0.0.0" })[0]!, /SANDBOX_PUBLIC=1/);
    assert.equal(taken({ HOST: "0.0.0.0", SANDBOX_PUBLIC: "1" }).host, "0.0.0.0");
    assert.equal(taken({ HOST: "::1" }).host, "::1");
    assert.match(problemsOf({ HOST: "0.0.0.0", SANDBOX_PUBLIC: "0" })[0]!, /SANDBOX_PUBLIC=1/);
    for (const SANDBOX_PUBLIC of ["yes", "true", "2"])
      assert.match(problemsOf({ SANDBOX_PUBLIC })[0]!, /^SANDBOX_PUBLIC must be 0 or 1/);
  });

  it("bound what a client may hold up, and how far a proxy is believed", () => {
    const { trustedProxies, shutdownSeconds, requestSecondsMax } = taken({});
    assert.deepEqual([trustedProxies, shutdownSeconds, requestSecondsMax], [0, 30, 600]);
    const set = taken({ TRUST_PROXY: "2", SHUTDOWN_SECONDS: "0", REQUEST_SECONDS_MAX: "5" });
    assert.deepEqual([set.trustedProxies, set.shutdownSeconds, set.requestSecondsMax], [2, 0, 5]);
    const wrong = { TRUST_PROXY: "true", SHUTDOWN_SECONDS: "-1", REQUEST_SECONDS_MAX: "0" };
    assert.deepEqual(
      problemsOf(wrong).map((problem) => problem.split(" ")[0]),
      Object.keys(wrong),
    );
  });

  it("take an address of the public as it goes over the wire, and nothing that is more than an address", () => {
    const publicUrl = (url: string) => taken({ PUBLIC_URL: url }).publicUrl;
    assert.equal(publicUrl("https://Tenders.example//"), "https://tenders.example");
    assert.equal(publicUrl("http://x:8080/a/b/"), "http://x:8080/a/b");
    assert.equal(publicUrl("https://тендери.example/ринок"), `https://xn--d1abbmwuj.example/${encodeURI("ринок")}`);
    assert.equal(publicUrl(""), undefined);
    const bad = ["x", "ftp://x", "http://", "http://a@x", "http://a:b@x", "http://:b@x", "http://x?", "http://x/?a=1"];
    for (const url of [...bad, "http://x#", "http://x/#a", "https://a b"])
      assert.match(problemsOf({ PUBLIC_URL: url })[0]!, /^PUBLIC_URL must be/, url);
  });

  it("name a folder for the data that is there, or that can be made, and make nothing yet", () => {
    const before = readdirSync(folder);
    assert.equal(taken({ DATA_DIR: folder }).dataDir, folder);
    assert.equal(taken({ DATA_DIR: join(folder, "a/b/c") }).dataDir, join(folder, "a/b/c"));
    assert.deepEqual(readdirSync(folder), before);
    const file = join(folder, "file");
    writeFileSync(file, "");
    symlinkSync(join(folder, "nowhere"), join(folder, "link"));
    const unusable = [file, join(file, "x"), join(file, "x/y"), join(folder, "link"), "x".repeat(300)];
    if (existsSync("/proc/self")) unusable.push("/proc/x", "/proc/x/y");
    for (const DATA_DIR of unusable)
      assert.ok(problemsOf({ DATA_DIR })[0]!.startsWith(`DATA_DIR ${DATA_DIR} `), DATA_DIR);
  });

  it("name a host that the machine knows, which is told with all the rest", async () => {
    for (const HOST of ["127.0.0.1", "localhost", "::1", "[::1]"])
      assert.ok("port" in (await checkedConfigOf({ HOST })), HOST);
    const unknown = { HOST: "no.such.invalid", SANDBOX_PUBLIC: "1" };
    assert.match(String(await checkedConfigOf(unknown)), /^HOST no\.such\.invalid is not known/);
    const both = await checkedConfigOf({ ...unknown, PORT: "x" });
    assert.match(String(both), /PORT must be .*HOST no\.such\.invalid is not known/);
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

  it("a broker states its levels and nobody else has any, and what is wrong is told with what mends it", () => {
    const { levels: _none, ...silent } = acme;
    const robot = { name: "robot", group: "auction", keyHash: hashOf("another") };
    const problemWith = (entry: object) => problemsOf({ MODE: "production", ACCOUNTS_FILE: accountsFile([entry]) })[0]!;
    assert.match(problemWith(silent), /account 1 \(acme\): a broker must state its levels: add "levels": "1234" for/);
    assert.match(problemWith({ ...acme, levels: "" }), /levels must be text/);
    assert.match(problemWith({ ...robot, levels: "1t" }), /account 1 \(robot\): only brokers .*remove "levels": "1t"$/);
    const accountsIn = (entry: object) => taken({ ACCOUNTS_FILE: accountsFile([entry]) }).accounts;
    assert.deepEqual([...accountsIn(robot).values()], [{ name: "robot", group: "auction" }]);
    // As earlier versions wrote it for every group: it never decided anything.
    assert.deepEqual([...accountsIn({ ...robot, levels: "1234" }).values()], [{ name: "robot", group: "auction" }]);
  });

  it("by default no account alone can take all the room that a tender has for bids, however little memory there is", () => {
    const MIB = 1024 * 1024;
    for (const stored of [256, 130, 64, 8, 1]) {
      const { sizes } = taken({ STORED_TENDER_BYTES_MAX: String(stored * MIB) });
      const { storedBytesMax, tenderBytesMax, bidBytesPerAccountMax } = sizes;
      assert.equal(storedBytesMax, stored * MIB);
      assert.ok(tenderBytesMax + 2 * bidBytesPerAccountMax <= storedBytesMax, JSON.stringify(sizes));
    }
    const { tenderBytesMax, bidBytesPerAccountMax } = taken({ STORED_TENDER_BYTES_MAX: String(256 * MIB) }).sizes;
    assert.deepEqual([tenderBytesMax, bidBytesPerAccountMax], [16 * MIB, 64 * MIB]);
  });

  it("an account may have several keys; a retired one opens nothing", () => {
    const hashes = ["one", "two", "old"].map(hashOf);
    const { keyHash: _one, ...rest } = acme;
    const keys = [
      { hash: hashes[0] },
      { hash: hashes[1], addedAt: "2026-11-16T08:00:00Z" },
      { hash: hashes[2], retiredAt: "2026-11-16T09:00:00Z" },
    ];
    const { accounts, keyHashes } = taken({ ACCOUNTS_FILE: accountsFile([{ ...rest, keys }]) });
    assert.deepEqual([...accounts.keys()], hashes.slice(0, 2));
    assert.equal(accounts.get(hashes[0]!), accounts.get(hashes[1]!));
    assert.deepEqual(keyHashes.get("acme"), hashes);
    // The way of files in which each key had an entry of its own.
    const twice = [acme, { ...acme, keyHash: hashes[0] }];
    assert.equal(taken({ ACCOUNTS_FILE: accountsFile(twice) }).accounts.size, 2);
    const wrong: readonly (readonly [object | readonly object[], RegExp])[] = [
      [[acme, { ...acme, levels: "1", keyHash: hashes[0] }], /another account has this name/],
      [{ ...acme, keys }, /not both/],
      [{ ...rest, keys: [keys[2]] }, /all its keys are retired/],
      [{ ...rest, keys: [keys[0], keys[0]] }, /its key is there twice/],
      [{ ...rest, keys: [{ hash: "plain" }] }, /64 hex digits/],
      [{ ...rest, keys: [{ hash: hashes[0], retiredAt: "soon" }] }, /must be times/],
      [{ ...rest, keys: "x" }, /must be a list/],
    ];
    for (const [entries, problem] of wrong)
      assert.match(problemsOf({ ACCOUNTS_FILE: accountsFile([entries].flat()) })[0]!, problem);
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
