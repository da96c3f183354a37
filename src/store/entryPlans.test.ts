import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, test } from "node:test";
import { Client } from "pg";
import { openSchema } from "../../test/support/engines.ts";
import { ENTRY_KINDS, ENTRY_TABLES, type EntryKind } from "./entryKinds.ts";
import { entrySql } from "./entrySql.ts";
import { openPostgres } from "./postgres/postgres.ts";
import { openSqlite } from "./sqlite/sqlite.ts";

/** Checks with the query plans of both databases that no read of key-value entries scans or sorts a table. */

const ORDERS = ["forward", "backward", "backward from the end"] as const;

/** Every read of a kind that must use an index, with example values. */
function readsOf(
  kind: EntryKind,
  mark: (i: number) => string,
): readonly { sql: string; values: (string | number)[] }[] {
  const { find, list, count, expired } = entrySql(kind, mark);
  const { columns, expires } = ENTRY_TABLES[kind];
  const filters = columns.length > 0 ? [false, true] : [false];
  const example = (isFiltered: boolean) => (isFiltered ? columns.map(() => "x7") : []);
  const lists = filters.flatMap((isFiltered) =>
    ORDERS.map((order) => ({
      sql: list(isFiltered, order),
      values: [...example(isFiltered), ...(order === "backward from the end" ? [5] : ["x", 5])],
    })),
  );
  const counts = columns.length > 0 ? [{ sql: count(true), values: [...example(true), 5] }] : [];
  return [{ sql: find, values: ["x"] }, ...lists, ...counts, ...(expires ? [{ sql: expired, values: [1, 5] }] : [])];
}

const clock = () => 1_000_000;

describe("reads of key-value entries use an index", () => {
  test("on SQLite", async () => {
    const dataDir = mkdtempSync(join(tmpdir(), "tenderhall-plans-"));
    await openSqlite({ dataDir, clock, recentBytesMax: 0 }).close();
    const db = new DatabaseSync(join(dataDir, "tenderhall.sqlite"));
    try {
      for (const kind of ENTRY_KINDS)
        for (const { sql, values } of readsOf(kind, () => "?")) {
          const plan = JSON.stringify(db.prepare(`explain query plan ${sql}`).all(...values));
          assert.match(plan, /USING (COVERING )?INDEX/, sql);
          assert.doesNotMatch(plan, /USE TEMP B-TREE/, sql);
        }
    } finally {
      db.close();
      rmSync(dataDir, { recursive: true, force: true });
    }
  });

  const skip = process.env.TEST_DATABASE_URL ? false : "there is no PostgreSQL: set TEST_DATABASE_URL";
  test("on PostgreSQL", { skip }, async () => {
    const { url, drop } = await openSchema();
    await (await openPostgres({ url, clock, recentBytesMax: 0 })).close();
    const client = new Client({ connectionString: url });
    await client.connect();
    try {
      for (const kind of ENTRY_KINDS) await client.query(fillingSql(kind));
      // Autovacuum does this in production.
      await client.query("analyze");
      for (const kind of ENTRY_KINDS)
        for (const { sql, values } of readsOf(kind, (i) => `$${i + 1}`)) {
          const { rows } = await client.query(`explain ${sql}`, values);
          const plan = JSON.stringify(rows);
          assert.match(plan, /Index (Only )?Scan/, sql);
          assert.doesNotMatch(plan, /Seq Scan|Sort/, `${sql}\n${plan}`);
        }
    } finally {
      await client.end();
      await drop();
    }
  });
});

/** Fills a table, because PostgreSQL scans small ones whatever their indexes are. Its columns have 100 values. */
function fillingSql(kind: EntryKind): string {
  const { table, columns, expires } = ENTRY_TABLES[kind];
  const names = ["id", "revision", "value", ...columns.map(({ name }) => name), ...(expires ? ["expires_at"] : [])];
  const values = [
    "'i' || i",
    "1",
    "repeat('v', 300)",
    ...columns.map(() => "'x' || i % 100"),
    ...(expires ? ["i"] : []),
  ];
  return `insert into ${table} (${names.join(", ")}) select ${values.join(", ")} from generate_series(1, 3000) as i`;
}
