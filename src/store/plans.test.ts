import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, test } from "node:test";
import { Client } from "pg";
import { openSchema } from "../../test/support/engines.ts";
import type { Tender } from "../domain/model/tender.ts";
import { decimal } from "../domain/values/decimal.ts";
import { openFeed as openPostgresFeed } from "./postgres/feed.ts";
import { openPostgres } from "./postgres/postgres.ts";
import { openFeed as openSqliteFeed } from "./sqlite/feed.ts";
import { openSqlite } from "./sqlite/sqlite.ts";
import { make } from "./store.contract.ts";
import type { FeedQuery, FeedRow, Filter, Store } from "./store.ts";

/** Checks with the query plans of both databases that filters use an index. */

/** Enough that neither SQLite searches in feed order nor PostgreSQL prefers a sequential scan. */
const TENDERS = 6000;
const AT_ONCE = 500;

const idOf = (i: number) => i.toString(16).padStart(32, "0");
const fieldsOf = (i: number) =>
  ({
    tenderID: `UA-${i}`,
    status: i % 1500 === 7 ? "unsuccessful" : "complete",
    procuringEntity: { identifier: { id: `entity ${i % 2000}` } },
    value: { amount: decimal(String(i)), currency: "UAH" },
    items: [{ id: "1", classification: { id: `${i % 2000}-1` } }],
    enquiryPeriod: { endDate: i },
    tenderPeriod: { startDate: i, endDate: i },
  }) as unknown as Partial<Tender>;

async function fill(store: Store): Promise<void> {
  for (let from = 0; from < TENDERS; from += AT_ONCE)
    await Promise.all(Array.from({ length: AT_ONCE }, (_, i) => make(store, idOf(from + i), fieldsOf(from + i))));
}

const RANGE = { from: 3000, to: 3003 };

/** Every filter, with the column whose index must be used. */
const FILTERS: { readonly [label: string]: readonly [Filter, RegExp] } = {
  "an id": [{ id: idOf(3000) }, /\bfirst_row\b|\browid\b/],
  "a number": [{ tenderID: "UA-3000" }, /\bnumber\b/],
  "a buyer": [{ entity: "entity 1000" }, /\bentity\b/],
  "a rare status": [{ statuses: ["unsuccessful"] }, /\bstatus\b/],
  "a classification": [{ classifications: ["1000-"] }, /\bcode\b/],
  "one of several classifications": [{ classifications: ["1000-", "1001-1"] }, /\bcode\b/],
  "an amount": [{ amount: { from: decimal("3000"), to: decimal("3003") } }, /\bamount\b/],
  "the end of enquiries": [{ dates: { enquiryEnd: RANGE } }, /\benquiry_end\b/],
  "the beginning of tendering": [{ dates: { tenderStart: RANGE } }, /\btender_start\b/],
  "the end of tendering": [{ dates: { tenderEnd: RANGE } }, /\btender_end\b/],
  "a time of change": [{ dates: { dateModified: { from: 1_003_000, to: 1_003_003 } } }, /\bdate_modified\b/],
  "a buyer with other conditions": [
    { entity: "entity 1000", statuses: ["complete"], currency: "UAH", amount: { from: decimal("1") } },
    /\bentity\b/,
  ],
};

/** A query plan: its index conditions, and the tables that it reads completely. */
type Plan = {
  readonly sql: string;
  readonly indexConditions: readonly string[];
  readonly fullScans: readonly string[];
};
type Explain = (query: FeedQuery) => Promise<{ readonly rows: readonly FeedRow[]; readonly plans: readonly Plan[] }>;

async function prove(explain: Explain): Promise<void> {
  for (const [label, [filter, column]] of Object.entries(FILTERS))
    for (const descending of [false, true])
      for (const beyond of [undefined, descending ? Number.MAX_SAFE_INTEGER - 1 : 1]) {
        const { rows, plans } = await explain({ modes: "real", descending, beyond, limit: 100, filter });
        assert.ok(rows.length > 0 && rows.length < 10, `${label} finds ${rows.length}`);
        for (const { sql, fullScans } of plans) assert.deepEqual(fullScans, [], `${label}: ${sql}`);
        const [page] = plans.slice(-1);
        assert.ok(
          page!.indexConditions.some((condition) => column.test(condition)),
          `${label} is found by ${page!.indexConditions.join(", ")}: ${page!.sql}`,
        );
      }
}

const NO_WAIT = async () => {};

function openClock(): () => number {
  let now = 1_000_000;
  return () => now++;
}

describe("a filtered feed uses an index and reads no table completely", () => {
  test("on SQLite", async () => {
    const dataDir = mkdtempSync(join(tmpdir(), "tenderhall-plans-"));
    const store = openSqlite({ dataDir, clock: openClock(), recentBytesMax: 0 });
    await fill(store);
    await store.close();
    const db = new DatabaseSync(join(dataDir, "tenderhall.sqlite"));
    try {
      let statements: string[] = [];
      const recordingDb = new Proxy(db, {
        get: (target, name) => {
          if (name !== "prepare") return Reflect.get(target, name);
          return (sql: string) => {
            statements.push(sql);
            return target.prepare(sql);
          };
        },
      });
      await prove(async (query) => {
        statements = [];
        const rows = await openSqliteFeed(recordingDb, NO_WAIT, NO_WAIT)(query);
        return { rows, plans: statements.map((sql) => planOnSqlite(db, sql)) };
      });
    } finally {
      db.close();
      rmSync(dataDir, { recursive: true });
    }
  });

  const skip = !process.env.TEST_DATABASE_URL && "there is no PostgreSQL: set TEST_DATABASE_URL";
  test("on PostgreSQL", { skip }, async () => {
    const schema = await openSchema();
    const store = await openPostgres({ url: schema.url, clock: openClock(), recentBytesMax: 0 });
    await fill(store);
    await store.close();
    const client = new Client({ connectionString: schema.url });
    await client.connect();
    try {
      // Autovacuum does this in production.
      await client.query("analyze");
      await prove(async (query) => {
        const plans: Plan[] = [];
        const feed = openPostgresFeed(async ({ text }, values = []) => {
          const { rows } = await client.query(`explain (format json) ${text}`, [...values]);
          plans.push(planOnPostgres(text, rows[0]["QUERY PLAN"][0].Plan));
          return (await client.query(text, [...values])).rows;
        });
        return { rows: await feed(query), plans };
      });
    } finally {
      await client.end();
      await schema.drop();
    }
  });
});

/** `SCAN` reads a table or index completely; scans of subqueries are small and allowed. */
function planOnSqlite(db: DatabaseSync, sql: string): Plan {
  const blanks = (sql.match(/\?/g) ?? []).map(() => 1);
  const details = db
    .prepare(`explain query plan ${sql}`)
    .all(...blanks)
    .map(({ detail }) => String(detail));
  return {
    sql,
    indexConditions: details.filter((detail) => detail.startsWith("SEARCH")),
    fullScans: details.filter((detail) => /^SCAN (facets|classifications|tenders)\b/.test(detail)),
  };
}

type Node = { readonly [part: string]: unknown; readonly Plans?: readonly Node[] };

function planOnPostgres(sql: string, plan: Node): Plan {
  const nodes = (node: Node): readonly Node[] => [node, ...(node.Plans ?? []).flatMap(nodes)];
  const all = nodes(plan);
  return {
    sql,
    indexConditions: all.flatMap((node) => (node["Index Cond"] === undefined ? [] : [String(node["Index Cond"])])),
    fullScans: all.flatMap((node) => (node["Node Type"] === "Seq Scan" ? [String(node["Relation Name"])] : [])),
  };
}
