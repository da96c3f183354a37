import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, before, describe, it } from "node:test";
import { compareDecimals, decimal } from "../../domain/values/decimal.ts";
import { DAY } from "../../domain/values/time.ts";
import { amountTokens, deadlineTokens } from "../../indexing/rangeTokens.ts";
import { SEARCH_MATCHES_MAX, type SearchQuery, type SearchSort } from "../../indexing/searchQuery.ts";
import { TEST_TOKEN } from "../../indexing/searchTokens.ts";
import { searchTermsOf } from "../../indexing/words.ts";
import { sortableDecimal } from "../facets.ts";
import { openSearch } from "../sqlite/search.ts";
import { openSqlite } from "../sqlite/sqlite.ts";

/** Searches with more matches than are counted, on SQLite, which looks for them in parts. */

const COUNT = 12_500;
const NOW = 20_000 * DAY;

type Row = {
  readonly id: string;
  readonly row: number;
  readonly amount: string | undefined;
  readonly deadline: number;
};

/** Many rows have the same amount, and most deadlines are past. */
const ROWS: readonly Row[] = Array.from({ length: COUNT }, (_, i) => ({
  id: `t${i}`,
  row: i + 1,
  amount: i % 50 === 0 ? undefined : String(i % 3 === 0 ? 500 : ((i * 7919) % 100_003) + 1),
  deadline: NOW + (((i * 104_729) % 4000) - 3900) * DAY,
}));

const folder = mkdtempSync(join(tmpdir(), "tenderhall-many-"));
let db: DatabaseSync;
before(async () => {
  await openSqlite({ dataDir: folder, clock: () => 1, recentBytesMax: 0 }).close();
  db = new DatabaseSync(join(folder, "tenderhall.sqlite"));
  const insert = db.prepare(`
    insert into search (public_row, tender_id, listing, status, procedure, categories, amount, deadline)
    values (?, ?, 'real', 'complete', 'reporting', '33', ?, ?)`);
  const insertWords = db.prepare("insert into words (rowid, tokens) values (?, ?)");
  db.exec("begin");
  for (const { id, row, amount, deadline } of ROWS) {
    const value = amount === undefined ? undefined : decimal(amount);
    insert.run(row, id, value === undefined ? null : sortableDecimal(value), deadline);
    const words = row % 5 === 0 ? "паперовий =паперов" : "папір =папір";
    insertWords.run(row, ["все", words, value ? amountTokens(value) : "", deadlineTokens(deadline)].join(" "));
  }
  db.exec("commit");
});
after(() => {
  db.close();
  rmSync(folder, { recursive: true, force: true });
});

const queryOf = (q: string, sort: SearchSort, offset = 0, limit = 20): SearchQuery => ({
  filter: { terms: searchTermsOf(q), mode: "real" },
  ...{ sort, offset, limit, facets: ["status"] },
});
const search = (query: SearchQuery) => openSearch(db)(query, NOW);

const byValue = ROWS.toSorted((a, b) => {
  if (a.amount === undefined || b.amount === undefined)
    return Number(a.amount === undefined) - Number(b.amount === undefined) || b.row - a.row;
  return compareDecimals(decimal(b.amount), decimal(a.amount)) || b.row - a.row;
});
const upcoming = ROWS.filter(({ deadline }) => deadline >= NOW);
const past = ROWS.filter(({ deadline }) => deadline < NOW);
const byDeadline = [
  ...upcoming.toSorted((a, b) => a.deadline - b.deadline || a.row - b.row),
  ...past.toSorted((a, b) => b.deadline - a.deadline || b.row - a.row),
];

describe("a search with more matches than are counted", () => {
  it("says so, and counts the newest", () => {
    const { count, isMore, facets, ids } = search(queryOf("все", "newest", SEARCH_MATCHES_MAX - 5));
    assert.deepEqual({ count, isMore }, { count: SEARCH_MATCHES_MAX, isMore: true });
    assert.deepEqual(facets, { status: [{ value: "complete", count: SEARCH_MATCHES_MAX }] });
    assert.deepEqual(
      ids,
      Array.from({ length: 5 }, (_, i) => `t${COUNT - SEARCH_MATCHES_MAX + 4 - i}`),
    );
  });

  for (const [sort, rows] of [
    ["value", byValue],
    ["deadline", byDeadline],
  ] as const)
    it(`is sorted by ${sort} over all of them, with and without words`, () => {
      for (const q of ["все", ""])
        for (const offset of [0, 90, 2500, 7777, SEARCH_MATCHES_MAX - 20])
          assert.deepEqual(
            search(queryOf(q, sort, offset)).ids,
            rows.slice(offset, offset + 20).map(({ id }) => id),
            `${q} from ${offset}`,
          );
    });

  it("extends a word that is frequent only among tests", () => {
    const row = COUNT + 1;
    const insertWords = db.prepare("insert into words (rowid, tokens) values (?, ?)");
    db.exec("begin");
    db.exec(`
      insert into search (public_row, tender_id, listing, status, procedure, categories)
      values (${row}, 'longer', 'real', 'complete', 'reporting', '33')`);
    insertWords.run(row, "спробувати");
    for (let test = 1; test <= SEARCH_MATCHES_MAX + 1; test++) insertWords.run(row + test, `спроб ${TEST_TOKEN}`);
    assert.deepEqual(search(queryOf("спроб", "newest")).ids, ["longer"]);
    db.exec("rollback");
  });

  it("does not extend a frequent word to longer words, but a rare one", () => {
    const row = COUNT + 1;
    db.exec(`
      insert into search (public_row, tender_id, listing, status, procedure, categories)
      values (${row}, 'longer', 'real', 'complete', 'reporting', '33');
      insert into words (rowid, tokens) values (${row}, 'всесвіт')`);
    assert.equal(search(queryOf("все", "newest")).ids[0], `t${COUNT - 1}`);
    assert.deepEqual(search(queryOf("всес", "newest")).ids, ["longer"]);
    assert.equal(search(queryOf("паперо", "newest")).count, COUNT / 5);
    db.exec(`delete from search where public_row = ${row}; delete from words where rowid = ${row}`);
  });
});
