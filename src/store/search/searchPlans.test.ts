import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, before, describe, it } from "node:test";
import { decimal } from "../../domain/values/decimal.ts";
import { ORGANIZATION_ROLES } from "../../indexing/organizationQuery.ts";
import { SEARCH_FACETS, type SearchFilter, type SearchQuery, type SearchSort } from "../../indexing/searchQuery.ts";
import { searchTermsOf } from "../../indexing/words.ts";
import { openOrganizations } from "../sqlite/organizations.ts";
import { openSearch } from "../sqlite/search.ts";
import { openSqlite } from "../sqlite/sqlite.ts";
import { CALENDAR, FIND_BY_NUMBER } from "./publicSql.ts";

/** Checks with the query plans of SQLite that no search looks at all tenders. */

const folder = mkdtempSync(join(tmpdir(), "tenderhall-plans-"));
let db: DatabaseSync;
before(async () => {
  await openSqlite({ dataDir: folder, clock: () => 1, recentBytesMax: 0 }).close();
  db = new DatabaseSync(join(folder, "tenderhall.sqlite"), { readOnly: true });
});
after(() => {
  db.close();
  rmSync(folder, { recursive: true, force: true });
});

const planOf = (sql: string): readonly string[] =>
  db
    .prepare(`explain query plan ${sql}`)
    .all()
    .map(({ detail }) => String(detail));

/** Runs a search and returns the plans of its queries. */
const plansOf = (query: SearchQuery): readonly string[] => plansDuring(() => openSearch(db)(query, 1));

/** Returns the plans of the queries that are prepared meanwhile. */
function plansDuring(read: () => void): readonly string[] {
  const statements: string[] = [];
  const prepare = db.prepare.bind(db);
  db.prepare = (sql: string) => {
    statements.push(sql);
    return prepare(sql);
  };
  try {
    read();
  } finally {
    db.prepare = prepare;
  }
  return statements.flatMap(planOf);
}

const queryOf = (q: string, filter: Partial<SearchFilter> = {}, sort: SearchSort = "relevance"): SearchQuery => ({
  filter: { terms: searchTermsOf(q), mode: "real", ...filter },
  ...{ sort, offset: 0, limit: 20, facets: SEARCH_FACETS },
});

/** A table that is read without an index; reading the words is always by their index. */
const FULL_SCAN = /^SCAN (search|facets|tenders|ledger|auction_starts|statistics|organizations)\b/;

describe("no search looks at all tenders:", () => {
  const value = { from: decimal("5"), to: decimal("7") };
  const queries: { readonly [name: string]: SearchQuery } = {
    "by words": queryOf("ремонт школи"),
    "by filters": queryOf("", { statuses: ["complete"], buyers: ["a"], suppliers: ["b"], classifications: ["33"] }),
    "by ranges": queryOf("", { value, deadline: { from: 5 }, currency: "UAH" }),
    "by publication": queryOf("ремонт", { published: { from: 5, to: 9 } }),
    tests: queryOf("", { mode: "test" }),
    "by value": queryOf("ремонт", {}, "value"),
    "by deadline": queryOf("ремонт", { regions: ["lviv"] }, "deadline"),
  };
  for (const [name, query] of Object.entries(queries))
    it(name, () => {
      const plans = plansOf(query);
      assert.ok(
        plans.some((plan) => plan.includes("VIRTUAL TABLE INDEX")),
        plans.join("\n"),
      );
      assert.deepEqual(
        plans.filter((plan) => FULL_SCAN.test(plan)),
        [],
      );
    });

  it("everything, which is read in its order until there is enough", () => {
    const sorting = plansOf(queryOf("", {}, "newest")).filter((plan) => plan.includes("B-TREE"));
    assert.deepEqual(sorting, []);
  });

  for (const role of ORGANIZATION_ROLES)
    it(`lists of organisations: ${role}`, () => {
      const plans = (q: string) =>
        plansDuring(() => openOrganizations(db)({ role, terms: searchTermsOf(q), offset: 0, limit: 20 }));
      assert.deepEqual(
        [...plans(""), ...plans("школа №5")].filter((plan) => FULL_SCAN.test(plan)),
        [],
      );
      assert.deepEqual(
        plans("").filter((plan) => plan.includes("B-TREE")),
        [],
      );
    });

  it("the calendar and numbers", () => {
    assert.deepEqual(
      [...planOf(CALENDAR), ...planOf(FIND_BY_NUMBER)].filter((plan) => FULL_SCAN.test(plan)),
      [],
    );
  });
});
