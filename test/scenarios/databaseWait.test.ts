import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { Client } from "pg";
import type { Environment } from "../../src/config/config.ts";
import { asUnavailable } from "../../src/store/postgres/connection.ts";
import { isOutage, reasonOfOutage } from "../../src/store/postgres/outage.ts";
import { freePort } from "../support/ports.ts";
import { openTestPostgres, postgresPrograms, type TestPostgres } from "../support/postgres.ts";
import { openProcesses, type RunningProcess, urlOf, waitUntil } from "../support/processes.ts";

/** A server that starts before its PostgreSQL. */

const MAIN = [process.execPath, "--disable-warning=ExperimentalWarning", "src/main.ts"];
const { folder, run } = openProcesses("database-wait");
const programs = await postgresPrograms();
const skip = !programs && "npm has no PostgreSQL for this platform";

let folders = 0;
const serve = (environment: Environment): RunningProcess =>
  run(MAIN, { DATA_DIR: join(folder, String(++folders)), ...environment });
const WAITS = /^\{.*"what":"waiting for the database","reason":"[^"]*ECONNREFUSED[^"]*","seconds":\d+\}$/m;
const waits = (server: RunningProcess) => waitUntil(() => WAITS.test(server.output()), server.output);
const healthOf = async (url: string) =>
  Promise.all(["live", "ready"].map(async (probe) => (await fetch(`${url}/health/${probe}`)).status));

describe("a server that starts before its PostgreSQL", { skip }, () => {
  let postgres: TestPostgres;
  let DATABASE_URL: string;

  before(async () => {
    postgres = await openTestPostgres(programs!);
    DATABASE_URL = postgres.url;
    await postgres.kill();
  });
  after(() => postgres.stop());

  const withDatabase = async (use: () => Promise<void>) => {
    await postgres.start();
    try {
      await use();
    } finally {
      await postgres.kill();
    }
  };

  const ends = async (server: RunningProcess, signal: NodeJS.Signals = "SIGTERM") => {
    server.child.kill(signal);
    assert.deepEqual(await server.ended, [0, null], server.output());
  };

  it("waits for it, alone, with other servers and with workers, says so, and serves once it is available", async () => {
    const servers = [
      serve({ DATABASE_URL }),
      serve({ DATABASE_URL, LOG: "off" }),
      serve({ DATABASE_URL, WORKERS: "2" }),
    ];
    await Promise.all(servers.map(waits));
    await withDatabase(async () => {
      const urls = await Promise.all(servers.map(urlOf));
      for (const url of urls) assert.deepEqual(await healthOf(url), [200, 200]);
      for (const server of servers) assert.match(server.output(), /"what":"the database answers","seconds":\d+\}/);
      await Promise.all(servers.map((server) => ends(server)));
    });
  });

  it("serves /health/live and responds with 503 to everything else, and reports a used port at once", async () => {
    const PORT = String(await freePort());
    const server = serve({ DATABASE_URL, PORT });
    const url = `http://127.0.0.1:${PORT}`;
    await waits(server);
    await waitUntil(
      () =>
        healthOf(url).then(
          () => true,
          () => false,
        ),
      server.output,
    );
    assert.deepEqual(await healthOf(url), [200, 503]);
    const refused = await fetch(`${url}/api/2.5/tenders`, { method: "POST", body: "x".repeat(100_000) });
    assert.deepEqual([refused.status, refused.headers.get("retry-after")], [503, "1"]);
    const { errors } = (await refused.json()) as { readonly errors: readonly { readonly rule: string }[] };
    assert.equal(errors[0]?.rule, "unavailable");
    const second = serve({ DATABASE_URL, PORT });
    assert.deepEqual(await second.ended, [1, null]);
    assert.match(second.output(), new RegExp(`PORT ${PORT} is taken`));
    await withDatabase(async () => {
      assert.equal(await urlOf(server), url);
      assert.deepEqual(await healthOf(url), [200, 200]);
      await ends(server);
    });
  });

  for (const signal of ["SIGTERM", "SIGINT"] as const)
    it(`exits with one line and code 0 on ${signal} while it waits`, async () => {
      const server = serve({ DATABASE_URL });
      await waits(server);
      const before = server.output();
      await ends(server, signal);
      const more = server.output().slice(before.length);
      assert.match(
        more,
        new RegExp(`^(\\{.*"waiting for the database".*\\n)*\\{.*"what":"stopping","signal":"${signal}"\\}\\n$`),
      );
    });

  it("gives up after DATABASE_WAIT_SECONDS, and names the setting without its password", async () => {
    const url = new URL(DATABASE_URL);
    url.password = "secret";
    const server = serve({ DATABASE_URL: url.href, DATABASE_WAIT_SECONDS: "1" });
    assert.deepEqual(await server.ended, [1, null]);
    assert.match(
      server.output(),
      / {2}- DATABASE_URL cannot be used: connect ECONNREFUSED .* \(after \d+ seconds of waiting\)/,
    );
    assert.match(server.output(), WAITS);
    assert.doesNotMatch(server.output(), /secret/);
  });

  it("fails at once if waiting cannot help", async () => {
    await withDatabase(async () => {
      const client = new Client({ connectionString: DATABASE_URL });
      await client.connect();
      await client.query("create database newer");
      await client.end();
      const elsewhere = (path: string) => new URL(path, DATABASE_URL).href;
      const newer = new Client({ connectionString: elsewhere("/newer") });
      await newer.connect();
      await newer.query("create table schema_version as select 1000000 as version");
      await newer.end();
      const cases: readonly (readonly [string, RegExp])[] = [
        [elsewhere("/unknown"), /database "unknown" does not exist/],
        [DATABASE_URL.replace("tenderhall@", "nobody@"), /role "nobody" does not exist/],
        [`${DATABASE_URL}?sslmode=require`, /does not support SSL/],
        [elsewhere("/newer"), /written by a newer Tenderhall/],
      ];
      for (const [url, reason] of cases) {
        const server = serve({ DATABASE_URL: url });
        assert.deepEqual(await server.ended, [1, null], server.output());
        assert.match(server.output(), reason);
        assert.doesNotMatch(server.output(), /waiting for/);
      }
    });
  });
});

describe("an outage", () => {
  const failed = (properties: object): unknown => asUnavailable(Object.assign(new Error("it failed"), properties));

  it("is a failure that may end without action: network, unknown host names, a PostgreSQL that starts or is full", () => {
    for (const code of ["ECONNREFUSED", "ETIMEDOUT", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH", "ENOENT"])
      assert.ok(isOutage(failed({ code })), code);
    for (const code of ["57P03", "57P01", "53300", "08006"])
      assert.ok(isOutage(failed({ code, severity: "FATAL" })), code);
    assert.ok(isOutage(asUnavailable(new Error("timeout expired"))));
    assert.ok(isOutage(asUnavailable(new Error("Connection terminated unexpectedly"))));
  });

  it("is not a wrong password, an unknown database or an untrusted certificate", () => {
    for (const code of ["28P01", "28000", "3D000", "42501"])
      assert.ok(!isOutage(failed({ code, severity: "FATAL" })), code);
    for (const code of ["SELF_SIGNED_CERT_IN_CHAIN", "ERR_TLS_CERT_ALTNAME_INVALID", "CERT_HAS_EXPIRED"])
      assert.ok(!isOutage(failed({ code })), code);
    for (const message of ["SASL: SCRAM-SERVER-FIRST-MESSAGE: client password must be a string", "a bug"])
      assert.ok(!isOutage(asUnavailable(new Error(message))), message);
  });

  it("has a reason even if a host name has several addresses", () => {
    const errors = [new Error("connect ECONNREFUSED ::1:5432"), new Error("connect ECONNREFUSED 127.0.0.1:5432")];
    const error = asUnavailable(Object.assign(new AggregateError(errors), { code: "ECONNREFUSED" }));
    assert.ok(isOutage(error));
    assert.equal(reasonOfOutage(error), "connect ECONNREFUSED ::1:5432");
  });
});
