import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import type { Release } from "../../src/ocds/merge.ts";
import { ENGINE } from "../support/engines.ts";
import { bidOf } from "../support/examples.ts";
import { allReleases, followReleases, OCID_PREFIX, readOpenData, releasesOf } from "../support/openData.ts";
import {
  environmentOf,
  expectSuccess,
  openEmptyRegistry,
  openSourceWorld,
  openWorldAt,
  PUBLIC_URL_SETTINGS,
  populate,
  runInProcess,
} from "../support/populatedRegistry.ts";
import { openProcesses, waitUntil } from "../support/processes.ts";
import { expectCreated, reachStage } from "../support/stages.ts";
import { openWorld, type World } from "../support/world.ts";
import { writeAtFullSpeed } from "../support/writers.ts";

/** Releases are the same however and whenever they are made, and a reader misses none. */

const idOf = ({ ocid }: Release): string => ocid.slice(OCID_PREFIX.length + 1);

/** How many releases these tenders have, by their own ledgers. */
async function countReleases(world: World, tenders: ReadonlyMap<string, unknown>): Promise<number> {
  const releases = await Promise.all([...tenders.keys()].map((id) => releasesOf(world, id)));
  return releases.flat().length;
}

/** Forgets all releases that are stored, as in a registry that an older version has served. */
async function forgetReleases({ database }: World): Promise<void> {
  for (const table of ["releases", "release_positions"]) await database.query(`delete from ${table}`);
}

describe("releases", () => {
  const { run } = openProcesses("releases");
  const worlds: World[] = [];
  after(() => Promise.all(worlds.map((world) => world.stop())));
  const opened = (world: World): World => {
    worlds.push(world);
    return world;
  };

  it("are the same made by and by, all at once, from one tender's ledger, and after an import into the other engine", async () => {
    const world = opened(await openSourceWorld());
    await populate(world);
    const releases = await allReleases(world, "limit=7");
    assert.ok(releases.length >= 20, String(releases.length));
    for (const id of new Set(releases.map(idOf)))
      assert.deepEqual(
        releases.filter((release) => idOf(release) === id),
        await releasesOf(world, id),
      );
    await world.halt();
    await forgetReleases(world);
    await world.restart();
    assert.deepEqual(await allReleases(world), releases);

    const folder = mkdtempSync(join(tmpdir(), "tenderhall-releases-"));
    const other = await openEmptyRegistry();
    try {
      const file = join(folder, "ledger.jsonl");
      await expectSuccess(runInProcess(environmentOf(world), "export", "--to", file));
      await expectSuccess(runInProcess(other.environment, "import", file));
      const moved = await openWorldAt(other, world);
      assert.deepEqual(await allReleases(moved), releases);
      await moved.halt();
    } finally {
      await other.drop();
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it("are made again by a command, and are the same then", async () => {
    const world = opened(await openWorld(PUBLIC_URL_SETTINGS));
    await reachStage(world, "complete");
    const releases = await allReleases(world);
    await world.halt();
    await world.database.query("update releases set value = '{}' where id = (select max(id) from releases)");
    const output = await expectSuccess(runInProcess(environmentOf(world), "ocds", "rebuild"));
    assert.ok(output.startsWith(`${releases.length} releases made again.`), output);
    await world.restart();
    assert.deepEqual(await allReleases(world), releases);
  });

  it("are made again while a server on PostgreSQL runs, which forgets the pages that it has cached", {
    skip: ENGINE !== "postgres" && "on SQLite the server is stopped for it",
  }, async () => {
    const world = opened(await openWorld(PUBLIC_URL_SETTINGS));
    await reachStage(world, "complete");
    const [release] = await allReleases(world);
    const id = release ? idOf(release) : "";
    const addresses = [
      ...["/ocds/releases?limit=1&offset=2000-01-01", "/ocds/releases", "/ocds/records", "/tenders.ocds.json"],
      ...[`/ocds/records/${release?.ocid}`, `/ocds/releases/${release?.id}`, `/api/2.5/tenders/${id}?opt_schema=ocds`],
    ];
    const pages = () => Promise.all(addresses.map(async (address) => (await readOpenData(world, address)).text));
    const expected = await pages();
    // As an earlier version would have worded them.
    const value = `replace(value, '"procurementMethod":"open"', '"procurementMethod":"limited"')`;
    await world.database.query(`update releases set value = ${value}`);
    await world.restart();
    for (let i = 0; i < 2; i++) for (const text of await pages()) assert.ok(!expected.includes(text), text);
    await expectSuccess(runInProcess(environmentOf(world), "ocds", "rebuild"));
    assert.deepEqual(await pages(), expected);
  });

  it("tell nothing of sealed bids: nothing changes when one is placed", async () => {
    const world = opened(await openWorld());
    const { path } = await reachStage(world, "active.tendering");
    const before = await readOpenData(world, "/ocds/releases");
    for (const amount of [410_000, 420_000]) await expectCreated(world.api("2.5").post(`${path}/bids`, bidOf(amount)));
    const after = await readOpenData(world, "/ocds/releases");
    assert.equal(after.text, before.text);
    assert.equal(after.headers.get("etag"), before.headers.get("etag"));
    await world.halt();
    await forgetReleases(world);
    await world.restart();
    const port = (text: string) => text.replaceAll(/127\.0\.0\.1:\d+/g, "host");
    assert.equal(port((await readOpenData(world, "/ocds/releases")).text), port(before.text));
    world.clock.forward(8 * 24 * 3600 * 1_000_000);
    const opening = (await releasesOf(world, path.split("/").at(-1) ?? "")).at(-1);
    assert.match(opening?.id ?? "", /-3$/);
  });

  it("are neither lost nor doubled by kill -9 while those of an existing registry are made", async () => {
    const world = opened(await openWorld(PUBLIC_URL_SETTINGS, true));
    const count = countReleases(world, await writeAtFullSpeed(world.api("2.3"), 4, 60));
    const expected = await followReleases(world, "", count);
    await world.halt();
    await forgetReleases(world);
    const environment = { ...environmentOf(world), ...PUBLIC_URL_SETTINGS };
    const countIn = async (table: string) =>
      Number((await world.database.query(`select count(*) as number from ${table}`))[0]?.number);
    for (const share of [0.1, 0.4, 0.7]) {
      const { child, ended, output } = run([process.execPath, "src/main.ts"], environment);
      await waitUntil(async () => (await countIn("releases")) >= expected.length * share, output);
      child.kill("SIGKILL");
      await ended;
    }
    await world.restart();
    assert.deepEqual(await followReleases(world, "", count), expected);
    assert.equal(await countIn("releases"), expected.length);
  });

  for (const isRealTime of [false, true])
    it(`are all seen by readers that follow them while others write, ${isRealTime ? "in real time" : "with a clock that stands still"}`, async () => {
      const world = opened(await openWorld({}, isRealTime));
      const count = writeAtFullSpeed(world.api("2.3")).then((tenders) => countReleases(world, tenders));
      const readers = ["", "limit=1", "limit=10", "status=active.enquiries&limit=3"];
      const seen = await Promise.all(readers.map((query) => followReleases(world, query, count)));
      const all = await allReleases(world);
      assert.deepEqual(
        all.map(({ date }) => date),
        all.map(({ date }) => date).toSorted(),
      );
      for (const releases of seen) assert.deepEqual(releases, all);
      for (const id of new Set(all.map(idOf)))
        assert.deepEqual(
          all.filter((release) => idOf(release) === id),
          await releasesOf(world, id),
        );
    });
});
