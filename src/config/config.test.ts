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
  assert.ok(!("port" in config), "the settings were accepted");
  return config;
}

function accepted(environment: Environment) {
  const config = configOf(environment);
  assert.ok("port" in config, String(config));
  return config;
}

const acme = { name: "acme", group: "brokers", levels: "12", keyHash: hashOf("a long secret") };

describe("the settings", () => {
  it("default to a sandbox on loopback", () => {
    const config = accepted({});
    assert.equal(config.port, 8080);
    assert.equal(config.host, "127.0.0.1");
    assert.equal(config.sandbox, true);
    assert.equal(config.zone.name, "Europe/Kyiv");
    assert.equal(config.limits.ratePerMinute, 0);
    assert.equal(config.accounts.get(hashOf("token"))?.group, "admins");
  });

  it("are checked together, and all problems are reported", () => {
    const problems = problemsOf({
      PORT: "99999",
      TIMEZONE: "Mars/Olympus",
      MODE: "demo",
      PUBLIC_URL: "ftp://x",
      FILE_BYTES_MAX: "many",
    });
    for (const name of ["PORT", "TIMEZONE", "MODE", "PUBLIC_URL", "FILE_BYTES_MAX", "ACCOUNTS_FILE"])
      assert.ok(
        problems.some((problem) => problem.startsWith(name)),
        name,
      );
  });

  it("allow a sandbox on a public address only with SANDBOX_PUBLIC=1", () => {
    assert.match(problemsOf({ HOST: "0.0.0.0" })[0]!, /SANDBOX_PUBLIC=1/);
    assert.equal(accepted({ HOST: "0.0.0.0", SANDBOX_PUBLIC: "1" }).host, "0.0.0.0");
    assert.equal(accepted({ HOST: "::1" }).host, "::1");
    assert.match(problemsOf({ HOST: "0.0.0.0", SANDBOX_PUBLIC: "0" })[0]!, /SANDBOX_PUBLIC=1/);
    for (const SANDBOX_PUBLIC of ["yes", "true", "2"])
      assert.match(problemsOf({ SANDBOX_PUBLIC })[0]!, /^SANDBOX_PUBLIC must be 0 or 1/);
  });

  it("limit the time of requests and shutdown and the number of trusted proxies", () => {
    const { trustedProxies, shutdownSeconds, requestSecondsMax } = accepted({});
    assert.deepEqual([trustedProxies, shutdownSeconds, requestSecondsMax], [0, 30, 600]);
    const set = accepted({ TRUST_PROXY: "2", SHUTDOWN_SECONDS: "0", REQUEST_SECONDS_MAX: "5" });
    assert.deepEqual([set.trustedProxies, set.shutdownSeconds, set.requestSecondsMax], [2, 0, 5]);
    const wrong = { TRUST_PROXY: "true", SHUTDOWN_SECONDS: "-1", REQUEST_SECONDS_MAX: "0" };
    assert.deepEqual(
      problemsOf(wrong).map((problem) => problem.split(" ")[0]),
      Object.keys(wrong),
    );
  });

  it("normalise PUBLIC_URL and reject one with credentials, a query or a fragment", () => {
    const publicUrl = (url: string) => accepted({ PUBLIC_URL: url }).publicUrl;
    assert.equal(publicUrl("https://Tenders.example//"), "https://tenders.example");
    assert.equal(publicUrl("http://x:8080/a/b/"), "http://x:8080/a/b");
    assert.equal(publicUrl("https://тендери.example/ринок"), `https://xn--d1abbmwuj.example/${encodeURI("ринок")}`);
    assert.equal(publicUrl(""), undefined);
    const bad = ["x", "ftp://x", "http://", "http://a@x", "http://a:b@x", "http://:b@x", "http://x?", "http://x/?a=1"];
    for (const url of [...bad, "http://x#", "http://x/#a", "https://a b"])
      assert.match(problemsOf({ PUBLIC_URL: url })[0]!, /^PUBLIC_URL must be/, url);
  });

  it("accept a DATA_DIR that exists or can be created, without creating it", () => {
    const before = readdirSync(folder);
    assert.equal(accepted({ DATA_DIR: folder }).dataDir, folder);
    assert.equal(accepted({ DATA_DIR: join(folder, "a/b/c") }).dataDir, join(folder, "a/b/c"));
    assert.deepEqual(readdirSync(folder), before);
    const file = join(folder, "file");
    writeFileSync(file, "");
    symlinkSync(join(folder, "nowhere"), join(folder, "link"));
    const unusable = [file, join(file, "x"), join(file, "x/y"), join(folder, "link"), "x".repeat(300)];
    if (existsSync("/proc/self")) unusable.push("/proc/x", "/proc/x/y");
    for (const DATA_DIR of unusable)
      assert.ok(problemsOf({ DATA_DIR })[0]!.startsWith(`DATA_DIR ${DATA_DIR} `), DATA_DIR);
  });

  it("require a HOST that can be resolved, and report it with the other problems", async () => {
    for (const HOST of ["127.0.0.1", "localhost", "::1", "[::1]"])
      assert.ok("port" in (await checkedConfigOf({ HOST })), HOST);
    const unknown = { HOST: "no.such.invalid", SANDBOX_PUBLIC: "1" };
    assert.match(String(await checkedConfigOf(unknown)), /^HOST no\.such\.invalid cannot be resolved/);
    const both = await checkedConfigOf({ ...unknown, PORT: "x" });
    assert.match(String(both), /PORT must be .*HOST no\.such\.invalid cannot be resolved/);
  });
});

describe("in production", () => {
  it("a server does not start without accounts", () => {
    assert.match(problemsOf({ MODE: "production" })[0]!, /^ACCOUNTS_FILE/);
    assert.match(problemsOf({ MODE: "production", ACCOUNTS_FILE: join(folder, "none.json") })[0]!, /cannot be read/);
    assert.match(problemsOf({ MODE: "production", ACCOUNTS_FILE: accountsFile([]) })[0]!, /at least one/);
    assert.match(problemsOf({ MODE: "production", ACCOUNTS_FILE: accountsFile("{") })[0]!, /cannot be read/);
  });

  it("only the hashed keys of the accounts file give access", () => {
    const config = accepted({ MODE: "production", ACCOUNTS_FILE: accountsFile([acme]) });
    assert.deepEqual([...config.accounts], [[acme.keyHash, { name: "acme", group: "brokers", levels: "12" }]]);
    assert.equal(config.limits.ratePerMinute, 6000);
  });

  it("the well-known keys of the sandbox are rejected", () => {
    const file = accountsFile([acme, { ...acme, name: "b", keyHash: hashOf("broker") }]);
    assert.match(problemsOf({ MODE: "production", ACCOUNTS_FILE: file })[0]!, /well-known key/);
  });

  it("a broker must state its levels and nobody else may, and the problem says how to correct it", () => {
    const { levels: _levels, ...withoutLevels } = acme;
    const robot = { name: "robot", group: "auction", keyHash: hashOf("another") };
    const problemWith = (entry: object) => problemsOf({ MODE: "production", ACCOUNTS_FILE: accountsFile([entry]) })[0]!;
    assert.match(
      problemWith(withoutLevels),
      /account 1 \(acme\): a broker must state its levels: add "levels": "1234" to/,
    );
    assert.match(problemWith({ ...acme, levels: "" }), /levels must be a string/);
    assert.match(problemWith({ ...robot, levels: "1t" }), /account 1 \(robot\): only brokers .*remove "levels": "1t"$/);
    const accountsIn = (entry: object) => accepted({ ACCOUNTS_FILE: accountsFile([entry]) }).accounts;
    assert.deepEqual([...accountsIn(robot).values()], [{ name: "robot", group: "auction" }]);
    // Earlier releases wrote these levels for every group; they never had an effect.
    assert.deepEqual([...accountsIn({ ...robot, levels: "1234" }).values()], [{ name: "robot", group: "auction" }]);
  });

  it("by default no single account can use up a tender's space for bids, however little memory there is", () => {
    const MIB = 1024 * 1024;
    for (const stored of [256, 130, 64, 8, 1]) {
      const { sizes } = accepted({ STORED_TENDER_BYTES_MAX: String(stored * MIB) });
      const { storedBytesMax, tenderBytesMax, bidBytesPerAccountMax } = sizes;
      assert.equal(storedBytesMax, stored * MIB);
      assert.ok(tenderBytesMax + 2 * bidBytesPerAccountMax <= storedBytesMax, JSON.stringify(sizes));
    }
    const { tenderBytesMax, bidBytesPerAccountMax } = accepted({ STORED_TENDER_BYTES_MAX: String(256 * MIB) }).sizes;
    assert.deepEqual([tenderBytesMax, bidBytesPerAccountMax], [16 * MIB, 64 * MIB]);
  });

  it("an account may have several keys, and a retired key gives no access", () => {
    const hashes = ["one", "two", "old"].map(hashOf);
    const { keyHash: _keyHash, ...rest } = acme;
    const keys = [
      { hash: hashes[0] },
      { hash: hashes[1], addedAt: "2026-11-16T08:00:00Z" },
      { hash: hashes[2], retiredAt: "2026-11-16T09:00:00Z" },
    ];
    const { accounts, keyHashes } = accepted({ ACCOUNTS_FILE: accountsFile([{ ...rest, keys }]) });
    assert.deepEqual([...accounts.keys()], hashes.slice(0, 2));
    assert.equal(accounts.get(hashes[0]!), accounts.get(hashes[1]!));
    assert.deepEqual(keyHashes.get("acme"), hashes);
    // The older format, in which each key had its own entry.
    const twice = [acme, { ...acme, keyHash: hashes[0] }];
    assert.equal(accepted({ ACCOUNTS_FILE: accountsFile(twice) }).accounts.size, 2);
    const wrong: readonly (readonly [object | readonly object[], RegExp])[] = [
      [[acme, { ...acme, levels: "1", keyHash: hashes[0] }], /another account has this name/],
      [{ ...acme, keys }, /not both/],
      [{ ...rest, keys: [keys[2]] }, /all its keys are retired/],
      [{ ...rest, keys: [keys[0], keys[0]] }, /its key is not unique/],
      [{ ...rest, keys: [{ hash: "plain" }] }, /64 hex digits/],
      [{ ...rest, keys: [{ hash: hashes[0], retiredAt: "soon" }] }, /must be times/],
      [{ ...rest, keys: "x" }, /must be a list/],
    ];
    for (const [entries, problem] of wrong)
      assert.match(problemsOf({ ACCOUNTS_FILE: accountsFile([entries].flat()) })[0]!, problem);
  });

  it("every wrong account is reported", () => {
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

  it("a sandbox publishes open data at once, and production once prefix, publisher and licence are set", () => {
    assert.deepEqual(accepted({}).openData, { ocidPrefix: "ocds-213czf", publisher: "Tenderhall" });
    const production = { MODE: "production", ACCOUNTS_FILE: accountsFile([acme]) };
    const complete = {
      PUBLIC_URL: "https://tenders.example",
      ...{ OCDS_PREFIX: "ocds-be6bcu", OCDS_PUBLISHER: "Ministry", OCDS_LICENSE: "https://licences.example/by" },
      ...{ OCDS_POLICY: "https://policies.example/data" },
    };
    assert.deepEqual(accepted({ ...production, ...complete }).openData, {
      ...{ ocidPrefix: "ocds-be6bcu", publisher: "Ministry", license: "https://licences.example/by" },
      policy: "https://policies.example/data",
    });
    for (const missing of ["OCDS_PREFIX", "OCDS_PUBLISHER", "OCDS_LICENSE"])
      assert.equal(accepted({ ...production, ...complete, [missing]: "" }).openData, undefined, missing);
    assert.match(problemsOf({ ...production, ...complete, OCDS_PREFIX: "ocds-213czf" })[0] ?? "", /for tests only/);
    assert.match(problemsOf({ ...production, ...complete, PUBLIC_URL: "" })[0] ?? "", /^open data needs PUBLIC_URL/);
    assert.match(problemsOf({ OCDS_PREFIX: "ocds-ABC" })[0] ?? "", /six lower-case letters and digits, not "ocds-ABC"/);
    assert.match(problemsOf({ OCDS_LICENSE: "cc-by" })[0] ?? "", /OCDS_LICENSE must be the address of a web page/);
  });
});
