import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { openConfiguredStore } from "../../src/app/adapters.ts";
import { systemClock } from "../../src/app/systemClock.ts";
import { VERSION } from "../../src/base/version.ts";
import { configOf } from "../../src/config/config.ts";
import { lastBackup, recordBackup } from "../../src/registry/lastBackup.ts";
import { assertSucceeded, runCommand } from "../support/commands.ts";
import { ENGINE } from "../support/engines.ts";
import { fullTender, publish } from "../support/examples.ts";
import { waitUntil } from "../support/processes.ts";
import { readMetrics, sumOf } from "../support/prometheus.ts";
import { openWorld, type World } from "../support/world.ts";

/** Metrics for operators besides requests: version, age of the backup, database connections, event loop. */

const folder = mkdtempSync(join(tmpdir(), "tenderhall-operating-"));
after(() => rmSync(folder, { recursive: true, force: true }));

const BACKUP = "tenderhall_last_backup_timestamp_seconds";
const scrape = async ({ url }: World) => readMetrics(await (await fetch(`${url}/metrics`)).text());
const valuesOf = async (world: World, name: string): Promise<readonly number[]> =>
  (await scrape(world)).series.filter((sample) => sample.name === name).map(({ value }) => value);
const environmentOf = (world: World) => ({ DATA_DIR: world.dataDir, ...world.database.environment });

describe("the age of the last backup", () => {
  it("is reported by the server that was backed up and by the next one, and ignores an incomplete backup", async () => {
    const world = await openWorld();
    try {
      const api = world.api("2.3");
      const { path, token } = await publish(api, fullTender(world.clock.now));
      assert.deepEqual(await valuesOf(world, BACKUP), []);
      const began = Date.now() / 1000;
      const { err } = assertSucceeded(await runCommand(["backup", join(folder, ENGINE)], environmentOf(world)));
      assert.equal(err, "");
      const [made] = await valuesOf(world, BACKUP);
      assert.ok(made! >= Math.floor(began) && made! <= Date.now() / 1000, String(made));

      await api.upload(`${path}/documents`, { name: "a.txt", content: "a" }, { token });
      for (const place of ["files"]) rmSync(join(world.dataDir, place), { recursive: true });
      const { code } = await runCommand(["backup", join(folder, ENGINE)], environmentOf(world));
      assert.equal(code, 1);
      assert.deepEqual(await valuesOf(world, BACKUP), [made]);
    } finally {
      await world.stop();
    }
  });

  it("is recorded even if no server runs, and changes nothing else in the registry", async () => {
    const world = await openWorld();
    await publish(world.api("2.3"), fullTender(world.clock.now));
    const before = await valuesOf(world, "tenderhall_ledger_position");
    await world.halt();
    // Every deadline has passed by the real clock, so opening the registry as a server would carry them out.
    assertSucceeded(await runCommand(["backup", join(folder, `${ENGINE}-halted`)], environmentOf(world)));
    const config = configOf(environmentOf(world));
    assert.ok("port" in config);
    const store = await openConfiguredStore(config, { clock: systemClock });
    try {
      assert.ok((await lastBackup(store))! > 0);
      assert.deepEqual([await store.position()], before);
      const later = (await lastBackup(store))! + 1;
      await Promise.all([recordBackup(store, later), recordBackup(store, 1), recordBackup(store, later - 1)]);
      assert.equal(await lastBackup(store), later);
    } finally {
      await store.close();
      await world.database.drop();
      rmSync(world.dataDir, { recursive: true, force: true });
    }
  });
});

describe("a server's metrics", () => {
  it("report the running version and the database connections", async () => {
    const world = await openWorld();
    try {
      await publish(world.api("2.3"), fullTender(world.clock.now));
      const scraped = await scrape(world);
      const [info] = scraped.series.filter(({ name }) => name === "tenderhall_build_info");
      const labels = { version: VERSION, node: process.versions.node, engine: ENGINE };
      assert.deepEqual([info?.labels, info?.value], [labels, 1]);
      const isServer = ENGINE === "postgres";
      const connections = scraped.series.filter(({ name }) => name === "tenderhall_database_connections");
      // Three roles: read, write and search, each with three states.
      assert.equal(connections.length, isServer ? 9 : 0);
      for (const role of isServer ? ["read", "write"] : []) {
        const open = connections.filter(({ labels }) => labels.role === role && labels.state !== "closed");
        assert.equal(
          open.reduce((sum, { value }) => sum + value, 0),
          1,
          role,
        );
      }
      const waiting = scraped.series.filter(({ name }) => name === "tenderhall_database_statements_waiting");
      assert.equal(waiting.length, isServer ? 3 : 0);
    } finally {
      await world.stop();
    }
  });

  it("report how long the event loop was blocked", async () => {
    const world = await openWorld();
    try {
      const longest = async () => sumOf(await scrape(world), "nodejs_eventloop_lag_max_seconds");
      // The server runs in this process, so a block here blocks it too, for longer than anything before.
      const blockedSeconds = (await longest()) + 0.3;
      const block = () => {
        for (const end = performance.now() + blockedSeconds * 1000; performance.now() < end; );
      };
      // The platform measures from its first timer on, so an earlier block does not count: block again.
      await waitUntil(
        async () => {
          block();
          return (await longest()) > blockedSeconds / 2;
        },
        () => "the lag to be reported",
      );
      const scraped = await scrape(world);
      assert.ok(
        sumOf(scraped, "nodejs_eventloop_lag_p99_seconds") <= sumOf(scraped, "nodejs_eventloop_lag_max_seconds"),
      );
    } finally {
      await world.stop();
    }
  });
});
