import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import { openReleaseStore, openTestMaker, tenderWithItems } from "../../test/support/releaseStore.ts";
import { compileReleases } from "../ocds/merge.ts";
import { firstPatch, type LedgerRow, type Store } from "../store/store.ts";
import { readStoredReleases } from "./openData.ts";
import { requestRebuild } from "./releaseBatches.ts";
import { parseRelease, progressBefore } from "./releaseProgress.ts";
import { untemplated } from "./releaseTemplates.ts";

/** The store with the number of templates and ledger rows that were read of single tenders. */
function withCounts(store: Store) {
  const reads = { templates: 0, rows: 0 };
  const counted: Store = {
    ...store,
    keyValues: {
      ...store.keyValues,
      list: async (query) => {
        const page = await store.keyValues.list(query);
        if (query.kind === "release") reads.templates += page.length;
        return page;
      },
    },
    ledgerOf: async (tender, query) => {
      const rows = await store.ledgerOf(tender, query);
      reads.rows += rows.length;
      return rows;
    },
  };
  return { store: counted, reads };
}

describe("the release maker", async () => {
  const { store, change, close } = await openReleaseStore();
  after(close);

  it("does as much for the last of 200 changes of a large tender as for the first", async () => {
    const { store: counted, reads } = withCounts(store);
    const maker = openTestMaker(counted);
    const half = async (from: number) => {
      const started = process.cpuUsage();
      for (let version = from; version < from + 100; version++) {
        tender = await change(tender, { ...tenderWithItems(150, version), id: tender.id, status: tender.status });
        await maker.catchUp();
      }
      const { user, system } = process.cpuUsage(started);
      return user + system;
    };
    let tender = await change(undefined, tenderWithItems(150, 0));
    await maker.catchUp();
    const first = await half(1);
    const second = await half(101);
    assert.deepEqual(reads, { templates: 0, rows: 0 }, "the state of the tender stays in memory");
    assert.ok(second < 2 * first, `${second / first} times as much`);
    const count = await store.keyValues.count({ kind: "release", where: { tender: tender.id }, limit: 1000 });
    assert.equal(count, 201);
    await maker.stop();
  });

  it("reads what it needs to know of a tender in small steps", async () => {
    const maker = openTestMaker(store);
    let tender = await change(undefined, tenderWithItems(1, 0, "stepwise"));
    for (let version = 1; version < 45; version++)
      tender = await change(tender, tenderWithItems(1, version, "stepwise"));
    await maker.catchUp();
    let steps = 0;
    const progress = await progressBefore(store, "stepwise", tender.dateModified, async () => {
      steps++;
    });
    assert.equal(steps, 44 + 44, "one for each row and for each release before that instant");
    assert.equal(progress?.number, 44);
    assert.match(progress?.state?.releaseID ?? "", /-44$/);
    await maker.stop();
  });
});

describe("releases after a mistake", async () => {
  const { store, change, close } = await openReleaseStore();
  after(close);
  const { templatesOf } = readStoredReleases(store);
  const releasesOf = async (tender: string) =>
    (await templatesOf(tender)).map((text) => parseRelease(untemplated(text)));
  const numbersOf = async (tender: string) => (await releasesOf(tender)).map(({ id }) => id.slice(id.lastIndexOf("-")));

  it("that one change could not be turned into are made by a rebuild, and cost no other release before it", async () => {
    const badRows: LedgerRow[] = [];
    const isBad = ({ sequence }: LedgerRow) => sequence === 3;
    const maker = openTestMaker(
      {
        ...store,
        ledger: async (after, limit) =>
          (await store.ledger(after, limit)).map((row) => (isBad(row) ? { ...row, patch: firstPatch("{}") } : row)),
      },
      { onBadRow: (_error, row) => badRows.push(row) },
    );
    let tender = await change(undefined, tenderWithItems(2, 1, "unlucky"));
    for (const version of [2, 3, 4]) tender = await change(tender, tenderWithItems(2, version, "unlucky"));
    await maker.catchUp();
    assert.deepEqual(
      badRows.map(({ sequence }) => sequence),
      [3],
    );
    assert.deepEqual(await numbersOf("unlucky"), ["-1", "-2", "-4"]);
    const compiled = compileReleases(await releasesOf("unlucky"));
    await maker.stop();

    const corrected = openTestMaker(store);
    await requestRebuild(store);
    await corrected.catchUp();
    assert.deepEqual(await numbersOf("unlucky"), ["-1", "-2", "-3", "-4"]);
    const { amendments: _one, ...others } = Object(compiled.tender);
    const { amendments: _other, ...expected } = Object(compileReleases(await releasesOf("unlucky")).tender);
    assert.deepEqual(others, expected, "later releases also said what the missing one had to say");
    await corrected.stop();
  });

  it("have another generation after a rebuild, also while they are removed, and the same one as long as they are only added", async () => {
    const maker = openTestMaker(store);
    const generation = async () => (await maker.position()).generation;
    let tender = await change(undefined, tenderWithItems(1, 1, "generations"));
    await maker.catchUp();
    const first = await generation();
    tender = await change(tender, tenderWithItems(1, 2, "generations"));
    await maker.catchUp();
    assert.ok(first);
    assert.equal(await generation(), first);
    await requestRebuild(store);
    const removing = await generation();
    await maker.catchUp();
    assert.equal(new Set([first, removing, await generation()]).size, 3);
    assert.ok(removing && (await generation()));
    await maker.stop();
  });

  it("are all made again, also if the rebuild is interrupted", async () => {
    const maker = openTestMaker(store);
    let tender = await change(undefined, tenderWithItems(1, 1, "many"));
    for (let version = 2; version <= 250; version++) tender = await change(tender, tenderWithItems(1, version, "many"));
    await maker.catchUp();
    const expected = await templatesOf("many");
    assert.equal(expected.length, 250);
    await requestRebuild(store);
    let writes = 0;
    const outage = new Error("stopped");
    const interrupted = openTestMaker({
      ...store,
      write: async (id, decision, keys) => {
        if (writes++ === 2) throw outage;
        return store.write(id, decision, keys);
      },
    });
    await assert.rejects(interrupted.catchUp(), outage);
    assert.ok((await templatesOf("many")).length < 250);
    await maker.catchUp();
    const again = await templatesOf("many");
    assert.equal(again.length, 250);
    assert.deepEqual(again.map(untemplated), expected.map(untemplated));
    await interrupted.stop();
    await maker.stop();
  });
});
