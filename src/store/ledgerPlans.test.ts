import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, test } from "node:test";
import { Client } from "pg";
import { openSchema } from "../../test/support/engines.ts";
import { openPostgres } from "./postgres/postgres.ts";
import { ledgerOfSql } from "./rowMapping.ts";
import { openSqlite } from "./sqlite/sqlite.ts";

/** Checks with the query plans of both databases that the rows of one tender are found without reading those of others. */

const clock = () => 1_000_000;
const VALUES = ["t7", 0, 1_000_000, 100];
const KINDS = ["all", "tender"] as const;

describe("the ledger of a tender is read by its index", () => {
  test("on SQLite", async () => {
    const dataDir = mkdtempSync(join(tmpdir(), "tenderhall-plans-"));
    await openSqlite({ dataDir, clock, recentBytesMax: 0 }).close();
    const db = new DatabaseSync(join(dataDir, "tenderhall.sqlite"));
    try {
      for (const kinds of KINDS) {
        const sql = ledgerOfSql(kinds, (position) => `?${position}`);
        const plan = JSON.stringify(db.prepare(`explain query plan ${sql}`).all(...VALUES));
        assert.match(plan, /USING INDEX ledger_by_tender \(tender_id=\? AND kind=\? AND at>\? AND at<\?\)/, plan);
        assert.doesNotMatch(plan, /SCAN ledger\b/, plan);
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
      await client.query(`
        insert into ledger (sequence, at, kind, tender_id, act, patch, is_indexed)
        select n, n, case n % 3 when 0 then 'bid' else 'tender' end, 't' || n % 500, 'edit tender', '[]', false
        from generate_series(1, 20000) as n`);
      // Autovacuum does this in production.
      await client.query("analyze");
      for (const kinds of KINDS) {
        const sql = ledgerOfSql(kinds, (position) => `$${position}`);
        const { rows } = await client.query(`explain ${sql}`, VALUES);
        const plan = JSON.stringify(rows);
        assert.match(plan, /Index Scan using ledger_by_tender|Bitmap Index Scan on ledger_by_tender/, plan);
        assert.doesNotMatch(plan, /Seq Scan/, plan);
      }
    } finally {
      await client.end();
      await drop();
    }
  });
});
