import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Client } from "pg";
import { openSchema, type TestDatabase } from "../../../test/support/engines.ts";
import { openTestPostgres, postgresPrograms } from "../../../test/support/postgres.ts";
import { waitForNextPoll, waitUntil } from "../../../test/support/processes.ts";
import { fixtureRows, insertOf, SCHEMA_FIXTURES } from "../../../test/support/schemaFixtures.ts";
import { IS_FAST } from "../../../test/support/tier.ts";
import type { Tender } from "../../domain/model/tender.ts";
import { allContracts } from "../history.contract.ts";
import { POSTGRES_MIGRATIONS } from "../migrations/postgres.ts";
import type { MigrationSettings } from "../migrations/schema.ts";
import { TENDER_DOCUMENT } from "../rowMapping.ts";
import { testOlderSchema } from "../search.contract.ts";
import { DiskFullError, ENTRY_TABLES, FileTakenError, type Store, StoreUnavailableError } from "../store.ts";
import { testBackfill, testInterruptedUpgrade, testLargeUpgrade, testUpgrade } from "../upgrade.contract.ts";
import { openPostgres } from "./postgres.ts";

const skip = process.env.TEST_DATABASE_URL ? false : "there is no PostgreSQL: set TEST_DATABASE_URL";

const CONFIGURATIONS = {
  "a store on PostgreSQL": { recentBytesMax: 1 << 20 },
  "a store on PostgreSQL without a cache": { recentBytesMax: 0 },
};
if (skip) test("a store on PostgreSQL", { skip });
else
  for (const [name, configuration] of Object.entries(CONFIGURATIONS).slice(0, IS_FAST ? 1 : undefined))
    allContracts(name, async (clock) => {
      const { url, drop } = await openSchema();
      let store = await openPostgres({ url, clock, ...configuration });
      const reopen = async () => {
        await store.close();
        store = await openPostgres({ url, clock, ...configuration });
        return store;
      };
      return { store, reopen, close: () => store.close().then(drop) };
    });

/** Reverts the last four migrations. */
const UNDO = [
  `update tenders set document = ${TENDER_DOCUMENT}`,
  `drop table ${Object.values(ENTRY_TABLES)
    .map(({ table }) => table)
    .join(", ")}`,
  "drop table search, auction_starts, statistics, organizations, category_names, index_backfill",
  "drop index ledger_by_tender",
  "drop table bids, bid_totals, data_migrations",
  "alter table ledger drop column kind, drop column record_id, drop column is_indexed",
  "drop index tenders_by_wake",
  "drop index tenders_by_clock",
  "drop table facets, classifications",
  "alter table tenders drop column clock, drop column first_row",
  "create index tenders_by_wake on tenders (wake_at) include (id) where wake_at is not null",
  "update schema_version set version = 1",
];

type Schema = TestDatabase & { readonly url: string };

const open = (url: string, readUrl?: string) =>
  openPostgres({ url, readUrl, clock: () => Date.now() * 1000, recentBytesMax: 1 << 20 });

function proves(sentence: string, proof: (schema: Schema) => Promise<void>): void {
  test(sentence, async () => {
    const schema = await openSchema();
    await proof(schema).finally(schema.drop);
  });
}

describe("PostgreSQL", { skip }, () => {
  proves("a database of a newer schema is rejected with a clear message and left unchanged", async (schema) => {
    await (await open(schema.url)).close();
    await schema.query("update schema_version set version = 999");
    await assert.rejects(
      open(schema.url),
      /the database was written by a newer Tenderhall \(schema 999; this one supports \d+\): update/,
    );
    assert.deepEqual(await schema.query("select version from schema_version"), [{ version: 999 }]);
  });

  proves("a search that takes long delays no other read", async ({ url }) => {
    const store = await open(url);
    const locker = new Client({ connectionString: url });
    await locker.connect();
    try {
      await locker.query("begin");
      await locker.query("lock table search in access exclusive mode");
      const filter = { terms: [], mode: "real" as const };
      const search = store.search({ filter, sort: "newest", offset: 0, limit: 1, facets: [] });
      let isSearching = true;
      const ended = search.finally(() => {
        isSearching = false;
      });
      assert.equal(await store.position(), 0);
      assert.equal(await store.find("0".repeat(32)), undefined);
      assert.ok(isSearching);
      await locker.query("rollback");
      assert.equal((await ended).count, 0);
    } finally {
      await locker.end();
      await store.close();
    }
  });

  proves("ten servers that start at the same time create the schema once", async ({ url }) => {
    const stores = await Promise.all(Array.from({ length: 10 }, () => open(url)));
    await Promise.all(stores.map((store, i) => edit(store, `t${i}`)));
    assert.equal(await stores[0]!.position(), 10);
    await Promise.all(stores.map((store) => store.close()));
  });

  proves("a database of the previous schema is migrated, can be searched and written to", (schema) =>
    testOlderSchema(
      () => open(schema.url),
      async () => {
        for (const sql of UNDO) await schema.query(sql);
      },
    ),
  );

  for (const { version, file, movesBids } of SCHEMA_FIXTURES) {
    const openOlder = async (schema: Schema) => {
      // PostgreSQL began with the second schema of SQLite.
      for (const migration of POSTGRES_MIGRATIONS.slice(0, version - 1)) await schema.query(migration);
      await schema.query("create table schema_version (version integer not null)");
      await schema.query(`insert into schema_version values (${version - 1})`);
      for (const fixtureRow of fixtureRows(file)) {
        const { sql, values } = insertOf(fixtureRow, (i) => `$${i + 1}`);
        await schema.query(sql, ...values);
      }
      return (migration: MigrationSettings = {}) =>
        openPostgres({ url: schema.url, clock: () => Date.now() * 1000, recentBytesMax: 1 << 20, ...migration });
    };

    proves(`a registry of schema ${version} is migrated with everything it has`, async (schema) =>
      testUpgrade(file, await openOlder(schema)),
    );

    proves(`tenders of schema ${version} are added to the search index while they change`, async (schema) => {
      const openUpgraded = await openOlder(schema);
      await testBackfill(openUpgraded, openUpgraded);
    });

    if (movesBids) {
      proves(`a migration of schema ${version} takes large tenders one by one`, async (schema) =>
        testLargeUpgrade(file, await openOlder(schema)),
      );

      proves(`an interrupted migration of schema ${version} continues where it stopped`, async (schema) =>
        testInterruptedUpgrade(file, await openOlder(schema), () =>
          openPostgres({ url: schema.url, clock: () => Date.now() * 1000, recentBytesMax: 1 << 20, readsOnly: true }),
        ),
      );
    }
  }

  proves("the ledger rejects update, delete and truncate", async (schema) => {
    const store = await open(schema.url);
    await edit(store, "a");
    for (const sql of ["update ledger set act = 'other'", "delete from ledger", "truncate ledger"])
      await assert.rejects(schema.query(sql), /the ledger is append-only/);
    await store.close();
  });

  proves("a change that cannot be written fails alone and leaves no gap", async ({ url }) => {
    const store = await open(url);
    await edit(store, "a", ["f"]);
    const settled = await Promise.allSettled([edit(store, "b"), edit(store, "c", ["f"]), edit(store, "d")]);
    assert.deepEqual(
      settled.map(({ status }) => status),
      ["fulfilled", "rejected", "fulfilled"],
    );
    assert.ok((settled[1] as PromiseRejectedResult).reason instanceof FileTakenError);
    assert.deepEqual(
      (await store.ledger(0, 10)).map(({ sequence, tender }) => `${sequence}${tender}`),
      ["1a", "2b", "3d"],
    );
    await store.close();
  });

  proves(
    "writes to a full disk are rejected as such with nothing written, and work again once there is space",
    async (schema) => {
      const store = await open(schema.url);
      await edit(store, "a");
      await schema.query(`
      create function no_room() returns trigger language plpgsql as
        $$ begin raise exception 'No space left on device' using errcode = 'disk_full'; end $$`);
      await schema.query("create trigger no_room before insert on ledger execute function no_room()");
      await assert.rejects(Promise.all([edit(store, "a"), edit(store, "b", ["f"])]), DiskFullError);
      assert.deepEqual([(await store.find("a"))?.revision, await store.find("b")], [1, undefined]);
      await schema.query("drop trigger no_room on ledger");
      await edit(store, "b", ["f"]);
      assert.equal(await store.position(), 2);
      await store.close();
    },
  );

  proves("a server that cannot be reached is reported at once", async () => {
    await assert.rejects(open("postgres://nobody@127.0.0.1:1/none"), StoreUnavailableError);
  });
});

describe("several servers on one PostgreSQL", { skip }, () => {
  proves("each sees at once what any of them acknowledged, in one sequence", async ({ url }) => {
    const stores = await Promise.all([open(url), open(url), open(url)]);
    const any = () => stores[Math.floor(Math.random() * stores.length)]!;
    const writer = async (id: string) => {
      for (let revision = 1; revision <= 30; revision++) {
        await edit(any(), id);
        for (const store of stores) assert.equal((await store.find(id))?.revision, revision);
      }
    };
    await Promise.all(["a", "b", "c", "d"].map(writer));
    const ledger = await stores[0]!.ledger(0, 1000);
    assert.deepEqual(
      ledger.map(({ sequence }) => sequence),
      Array.from({ length: 120 }, (_, i) => i + 1),
    );
    assert.ok(ledger.every(({ at }, i) => i === 0 || at > ledger[i - 1]!.at));
    await Promise.all(stores.map((store) => store.close()));
  });

  proves("concurrent writes to a tender are all applied, whichever server receives them", async ({ url }) => {
    const stores = await Promise.all([open(url), open(url)]);
    await edit(stores[0]!, "a");
    await Promise.all(Array.from({ length: 100 }, (_, i) => edit(stores[i % 2]!, "a")));
    for (const store of stores) assert.equal((await store.find("a"))?.revision, 101);
    await Promise.all(stores.map((store) => store.close()));
  });

  proves("all use the clock of the database, however far off their own clocks are", async ({ url, query }) => {
    const stores = await Promise.all(
      [-3600, 0, 7200].map((seconds) =>
        openPostgres({ url, clock: () => (Date.now() + seconds * 1000) * 1000, recentBytesMax: 0, sharesClock: true }),
      ),
    );
    const times = stores.map((store) => store.clock());
    const [row] = await query("select (extract(epoch from clock_timestamp()) * 1000000)::bigint as now");
    // A minute allows for slow queries on a busy machine; their own clocks are an hour or more off.
    for (const now of times) assert.ok(Math.abs(now - Number(row!.now)) < 60_000_000, `${now} is not ${row!.now}`);
    for (const store of stores) await edit(store, "a");
    const ats = (await stores[0]!.ledger(0, 10)).map(({ at }) => at);
    assert.ok(ats.at(-1)! - ats[0]! < 60_000_000);
    await Promise.all(stores.map((store) => store.close()));
  });

  proves("a server that freezes in a transaction loses it, and the others continue", async (schema) => {
    const [frozen, other] = await Promise.all([open(schema.url), open(schema.url)]);
    await edit(other, "a");
    const stuck = frozen.write("a", () => {
      // Blocks the whole process, as if it were suspended.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 6000);
      return { result: undefined };
    });
    await assert.rejects(stuck, StoreUnavailableError);
    await edit(other, "a");
    await edit(frozen, "a");
    assert.equal((await other.find("a"))?.revision, 3);
    await Promise.all([frozen.close(), other.close()]);
  });
});

describe("a replica that lags behind", { skip: skip || !(await postgresPrograms()) }, () => {
  test("serves reads, which never miss an acknowledged change", async () => {
    const primary = await openTestPostgres((await postgresPrograms())!);
    const follower = await primary.openReplica("100ms");
    const schema = await openSchema(primary.url);
    const readUrl = schema.url.replace(primary.url, follower.url);
    const writer = await open(schema.url);
    const reader = await open(schema.url, readUrl);
    try {
      for (let revision = 1; revision <= 30; revision++) {
        await edit(writer, "a");
        assert.equal((await reader.find("a"))?.revision, revision);
        const [row] = await reader.feed({ modes: "all", descending: true, beyond: undefined, limit: 1 });
        assert.equal(row?.dateModified, (await writer.find("a"))?.tender.dateModified);
        // The replica catches up from time to time, so that the reader uses it.
        if (revision % 10 === 0)
          await waitUntil(
            async () => (await revisionAt(readUrl)) === revision,
            () => "the replica to catch up",
          );
      }
      assert.match(await lastQueryOf(readUrl), /from tenders/);
      await assert.rejects(open(readUrl), /is a replica of another one/);
      await follower.kill();
      await edit(writer, "b");
      assert.equal((await reader.find("b"))?.revision, 1);
    } finally {
      await Promise.all([reader.close(), writer.close()]);
      await Promise.all([follower.stop(), primary.stop()]);
    }
  });
});

/** The revision of the only tender. A replica that is far behind does not even have the table yet. */
async function revisionAt(url: string): Promise<number | undefined> {
  const [table] = await queryAt(url, "select to_regclass('tenders') as name");
  if (!table?.name) return undefined;
  const [row] = await queryAt(url, "select revision from tenders");
  return row && Number(row.revision);
}

const lastQueryOf = async (url: string): Promise<string> =>
  JSON.stringify(await queryAt(url, "select query from pg_stat_activity where application_name = 'tenderhall'"));

async function queryAt(url: string, sql: string): Promise<readonly { readonly [column: string]: unknown }[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

describe("connections that are lost in the middle of transactions", {
  skip: skip || !(await postgresPrograms()),
}, () => {
  test("lose whole transactions and leave no gap in the ledger", async () => {
    const postgres = await openTestPostgres((await postgresPrograms())!);
    const schema = await openSchema(postgres.url);
    const stores = await Promise.all(
      [1, 2].map(() => openPostgres({ url: schema.url, clock: () => Date.now() * 1000, recentBytesMax: 0 })),
    );
    const cut = "select pg_terminate_backend(pid) from pg_stat_activity where state = 'idle in transaction'";
    const acknowledged = new Map<string, number>();
    let rejected = 0;
    let cuts = 0;
    const write = async (store: Store, id: string) => {
      for (let i = 0; i < 60; i++)
        await edit(store, id).then(
          () => acknowledged.set(id, (acknowledged.get(id) ?? 0) + 1),
          async (error) => {
            assert.ok(error instanceof StoreUnavailableError, error);
            rejected += 1;
            await waitForNextPoll();
          },
        );
    };
    let isOver = false;
    const writing = Promise.all(Array.from({ length: 24 }, (_, i) => write(stores[i % 2]!, `t${i}`))).finally(() => {
      isOver = true;
    });
    while (!isOver) cuts += (await schema.query(cut)).length;
    await writing;
    const ledger = await stores[0]!.ledger(0, 10_000);
    assert.deepEqual(
      ledger.map(({ sequence }) => sequence),
      ledger.map((_, i) => i + 1),
    );
    assert.ok(ledger.every(({ at }, i) => i === 0 || at > ledger[i - 1]!.at));
    for (const [id, times] of acknowledged) {
      const rows = ledger.filter(({ tender }) => tender === id).length;
      assert.equal((await stores[1]!.find(id))?.revision, rows);
      assert.ok(rows >= times, `${id}: ${rows} rows for ${times} acknowledged changes`);
    }
    assert.ok(cuts > 0 && rejected > 0, `${cuts} connections were lost, ${rejected} changes rejected`);
    await Promise.all(stores.map((store) => store.close()));
    await postgres.stop();
  });
});

/** Changes a tender; creates it if it does not exist. */
const edit = (store: Store, id: string, files: readonly string[] = []) =>
  store.write(id, (stored, { at }) => {
    const tender = { ...(stored?.tender ?? blank(id)), date: at, dateModified: at };
    const document = JSON.stringify(tender);
    const change = { tender, document, wakeAt: undefined, actor: "broker", act: "edit", patch: "[]", files };
    return { result: undefined, change };
  });

const blank = (id: string) =>
  ({
    id,
    tenderID: `UA-${id}`,
    procedure: "basic",
    status: "active.enquiries",
    owner: "broker",
    tokenHash: "hash",
    ...Object.fromEntries(
      ["lots", "bids", "questions", "documents", "awards", "contracts", "complaints", "cancellations"].map((list) => [
        list,
        [],
      ]),
    ),
  }) as unknown as Tender;
