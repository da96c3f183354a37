import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, test } from "node:test";
import { fixtureRows, insertOf, SCHEMA_FIXTURES } from "../../../test/support/schemaFixtures.ts";
import { IS_FAST } from "../../../test/support/tier.ts";
import type { Tender } from "../../domain/model/tender.ts";
import type { Instant } from "../../domain/values/time.ts";
import { allContracts } from "../history.contract.ts";
import type { MigrationSettings } from "../migrations/schema.ts";
import { SQLITE_MIGRATIONS } from "../migrations/sqlite.ts";
import { TENDER_DOCUMENT } from "../rowMapping.ts";
import { testOlderSchema } from "../search.contract.ts";
import { ENTRY_TABLES, FileTakenError, type Store } from "../store.ts";
import { testBackfill, testInterruptedUpgrade, testLargeUpgrade, testUpgrade } from "../upgrade.contract.ts";
import { openSqlite } from "./sqlite.ts";

const newFolder = () => mkdtemp(join(tmpdir(), "tenderhall-store-"));
const remove = (folder: string) => rm(folder, { recursive: true, force: true });
const databaseOf = (folder: string) => new DatabaseSync(join(folder, "tenderhall.sqlite"));
const open = (dataDir: string, clock: () => Instant = () => 1_000_000) =>
  openSqlite({ dataDir, clock, recentBytesMax: 1 << 20 });

/** Reverts the last four migrations. */
const UNDO = `
  update tenders set document = ${TENDER_DOCUMENT};
  drop table search;
  drop table words_vocabulary;
  drop table words_frequencies;
  drop table words;
  drop table auction_starts;
  drop table statistics;
  drop table organizations;
  drop table organization_words;
  drop table category_names;
  drop table index_backfill;
  drop index ledger_by_tender;
  ${Object.values(ENTRY_TABLES)
    .map(({ table }) => `drop table ${table};`)
    .join("\n  ")}
  drop table bids;
  drop table bid_totals;
  drop table data_migrations;
  alter table ledger drop column kind;
  alter table ledger drop column record_id;
  drop index tenders_by_wake;
  drop index tenders_by_clock;
  drop table facets;
  drop table classifications;
  alter table tenders drop column clock;
  alter table tenders drop column first_row;
  create index tenders_by_wake on tenders (wake_at, id) where wake_at is not null;
  pragma user_version = 2`;

/** Without a cache, the contract also proves what is on disk. */
const CONFIGURATIONS = {
  "a store on SQLite": { recentBytesMax: 1 << 20 },
  "a store on SQLite without a cache and group commit": { recentBytesMax: 0, commitsSingly: true },
};
for (const [name, configuration] of Object.entries(CONFIGURATIONS).slice(0, IS_FAST ? 1 : undefined))
  allContracts(name, async (clock) => {
    const dataDir = await newFolder();
    let store = openSqlite({ dataDir, clock, ...configuration });
    const closeIfOpen = () => store.close().catch(() => {});
    const reopen = async () => {
      await closeIfOpen();
      store = openSqlite({ dataDir, clock, ...configuration });
      return store;
    };
    return { store, reopen, close: () => closeIfOpen().then(() => remove(dataDir)) };
  });

describe("a data folder with SQLite", () => {
  proves("a second server on the same folder fails with a clear message and does no harm", async (folder) => {
    const store = open(folder);
    assert.throws(() => open(folder), { message: `another server is running on ${folder}` });
    await make(store, "a");
    await store.close();
    const next = open(folder);
    assert.equal((await next.find("a"))?.tender.id, "a");
    await next.close();
  });

  proves("a database of a newer schema is rejected with a clear message and left unchanged", async (folder) => {
    const store = open(folder);
    await make(store, "a");
    await store.close();
    withDatabase(folder, (db) => db.exec("pragma user_version = 999"));
    assert.throws(
      () => open(folder),
      /the database was written by a newer Tenderhall \(schema 999; this one supports \d+\): update/,
    );
    withDatabase(folder, (db) => {
      assert.deepEqual({ ...db.prepare("pragma user_version").get() }, { user_version: 999 });
      assert.deepEqual({ ...db.prepare("select count(*) as number from tenders").get() }, { number: 1 });
    });
  });

  proves("a database of the previous schema is migrated, can be searched and written to", (folder) =>
    testOlderSchema(
      async () => open(folder),
      async () => withDatabase(folder, (db) => db.exec(UNDO)),
    ),
  );

  for (const { version, file, movesBids } of SCHEMA_FIXTURES) {
    const openOlder = (folder: string) => {
      withDatabase(folder, (db) => {
        db.exec(`${SQLITE_MIGRATIONS.slice(0, version).join(";")}; pragma user_version = ${version}; begin`);
        for (const fixtureRow of fixtureRows(file)) {
          const { sql, values } = insertOf(fixtureRow, () => "?");
          db.prepare(sql).run(...values);
        }
        db.exec("commit");
      });
      return async (migration: MigrationSettings = {}) =>
        openSqlite({ dataDir: folder, clock: () => 1_000_000, recentBytesMax: 1 << 20, ...migration });
    };

    proves(`a registry of schema ${version} is migrated with everything it has`, (folder) =>
      testUpgrade(file, openOlder(folder)),
    );

    proves(`tenders of schema ${version} are added to the search index while they change`, (folder) =>
      testBackfill(openOlder(folder)),
    );

    if (movesBids) {
      proves(`a migration of schema ${version} takes large tenders one by one`, (folder) =>
        testLargeUpgrade(file, openOlder(folder)),
      );

      proves(`an interrupted migration of schema ${version} continues where it stopped`, (folder) =>
        testInterruptedUpgrade(file, openOlder(folder), async () =>
          openSqlite({ dataDir: folder, clock: () => 1_000_000, recentBytesMax: 1 << 20, readsOnly: true }),
        ),
      );
    }
  }

  proves("the ledger rejects update and delete", async (folder) => {
    const store = open(folder);
    await make(store, "a");
    const before = await store.ledger(0, 10);
    for (const sql of [
      "update ledger set act = 'other'",
      "delete from ledger",
      "delete from ledger where sequence = 1",
    ])
      withDatabase(folder, (db) => assert.throws(() => db.exec(sql), /the ledger is append-only/));
    assert.deepEqual(await store.ledger(0, 10), before);
    await store.close();
  });

  proves("the ledger rejects replacing a row", async (folder) => {
    const store = open(folder);
    await make(store, "a");
    const sql = "insert or replace into ledger (sequence, at, tender_id, act, patch) values (1, 7, 'a', 'other', '[]')";
    withDatabase(folder, (db) => assert.throws(() => db.exec(sql), /the ledger is append-only/));
    await store.close();
  });

  proves("words of older tenders change in the same commit as new tenders are added", async (folder) => {
    const store = open(folder);
    await make(store, "t0");
    // After about ten such commits, the full-text index numbers a row of its own beyond the safe integers of JavaScript.
    for (let n = 1; n < 40; n++)
      await Promise.all([make(store, `t${n}`), editOften(store, `t${n - 1}`, 1, { title: `назва ${n}` })]);
    assert.equal((await store.find("t38"))!.tender.title, "назва 39");
    await store.close();
  });

  proves("a page of the feed does not miss tenders that are just being changed", async (folder) => {
    const store = open(folder);
    const ids = ["a", "b", "c", "d", "e"];
    for (const id of ids) await make(store, id);
    let isOver = false;
    const editing = Promise.all(ids.slice(1).map((id) => editOften(store, id))).finally(() => {
      isOver = true;
    });
    for (let descending = false; !isOver; descending = !descending) {
      const page = await store.feed({ modes: "all", descending, beyond: undefined, limit: 1000 });
      assert.deepEqual(page.map(({ id }) => id).sort(), ids);
      await new Promise(setImmediate);
    }
    await editing;
    await store.close();
  });

  for (const [name, filter] of [
    ["a page", undefined],
    ["a filtered page", { statuses: ["active.enquiries"] }],
    ["a page with a filter that many tenders match", { dates: { dateModified: { from: 0 } } }],
  ] as const)
    proves(`${name} of the feed does not list changes that are not acknowledged yet`, async (dataDir) => {
      // Commits are acknowledged only some time after they are visible on disk.
      const slow = { clock: () => 1_000_000, recentBytesMax: 1 << 20, slowDiskMs: 3 };
      const store = openSqlite({ dataDir, ...slow });
      await make(store, "a");
      let isOver = false;
      const editing = editOften(store, "a", 100).finally(() => {
        isOver = true;
      });
      const look = async () => {
        const [row] = await store.feed({ modes: "all", descending: false, beyond: undefined, limit: 10, filter });
        const known = (await store.find("a"))!.tender.dateModified;
        assert.ok(row!.dateModified <= known, `listed with ${row!.dateModified}, read with ${known}`);
        await new Promise(setImmediate);
      };
      // Many concurrent queries, so that each has to wait in the queue.
      while (!isOver) await Promise.all(Array.from({ length: 20 }, look));
      await editing;
      await store.close();
    });

  proves("a commit that fails is rolled back completely and leaves no gap", async (folder) => {
    const store = open(folder);
    await make(store, "a", ["f"]);
    await assert.rejects(make(store, "b", ["g", "f"]), FileTakenError);
    assert.equal(await store.find("b"), undefined);
    assert.deepEqual(await store.knownFiles(["f", "g"]), new Set(["f"]));
    assert.equal(await make(store, "c"), 2);
    const sequences = (await store.ledger(0, 10)).map(({ sequence, tender }) => [sequence, tender]);
    assert.deepEqual(sequences, [
      [1, "a"],
      [2, "c"],
    ]);
    await store.close();
  });
});

function proves(sentence: string, proof: (folder: string) => Promise<void>): void {
  test(sentence, async () => {
    const folder = await newFolder();
    await proof(folder).finally(() => remove(folder));
  });
}

function withDatabase(folder: string, use: (db: DatabaseSync) => void): void {
  const db = databaseOf(folder);
  try {
    use(db);
  } finally {
    db.close();
  }
}

async function editOften(store: Store, id: string, times = 500, fields: Partial<Tender> = {}): Promise<void> {
  for (let i = 0; i < times; i++)
    await store.write(id, (stored, { at }) => {
      const tender = { ...stored!.tender, ...fields, dateModified: at };
      const document = JSON.stringify(tender);
      const change = { tender, document, wakeAt: undefined, actor: "broker", act: "edit", patch: "[]", files: [] };
      return { result: undefined, change };
    });
}

/** Creates a tender and returns its daily number. */
const make = (store: Store, id: string, files: readonly string[] = []) =>
  store.write(undefined, (_none, { at, nextDailyNumber }) => {
    const parts = {
      lots: [],
      bids: [],
      questions: [],
      documents: [],
      awards: [],
      contracts: [],
      complaints: [],
      cancellations: [],
    };
    const dates = { date: at, dateModified: at };
    const owned = { owner: "broker", tokenHash: "hash", tenderID: `UA-${id}` };
    const tender: Tender = { id, procedure: "basic", status: "active.enquiries", ...dates, ...owned, ...parts };
    const change = {
      tender,
      document: JSON.stringify(tender),
      wakeAt: undefined,
      actor: "broker",
      act: "publish",
      patch: "[]",
      files,
    };
    return { result: nextDailyNumber("2026-01-15"), change };
  });
