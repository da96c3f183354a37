import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, before, describe, it } from "node:test";
import { searchTermsOf } from "../../indexing/words.ts";
import { openPrefixWords } from "./prefixWords.ts";
import { openSearch } from "./search.ts";
import { openSqlite } from "./sqlite.ts";

/** More words than are looked at, and more rows than they must have to be found one by one. */
const WORDS = 60;
const ROWS = 700;

describe("the words that begin with a prefix", () => {
  const folder = mkdtempSync(join(tmpdir(), "tenderhall-prefixes-"));
  let db: DatabaseSync;
  before(async () => {
    await openSqlite({ dataDir: folder, clock: () => 1, recentBytesMax: 0 }).close();
    db = new DatabaseSync(join(folder, "tenderhall.sqlite"));
    const insert = db.prepare(`
      insert into search (public_row, tender_id, listing, status, procedure, categories)
      values (?, ?, 'real', 'complete', 'reporting', '33')`);
    const insertWords = db.prepare("insert into words (rowid, tokens) values (?, ?)");
    const numbered = (word: string) => Array.from({ length: WORDS }, (_, i) => word + String(i).padStart(3, "0"));
    const frequent = numbered("част").join(" ");
    db.exec("begin");
    for (const [i, rare] of numbered("рідк").entries()) {
      insert.run(i + 1, `t${i + 1}`);
      insertWords.run(i + 1, `${rare} ${i === 7 ? "дах дахи =дах ~дахи ~=дах дахівка дач дай" : ""}`);
    }
    for (let row = WORDS + 1; row <= WORDS + ROWS; row++) {
      insert.run(row, `t${row}`);
      insertWords.run(row, frequent);
    }
    db.exec("commit");
  });
  after(() => {
    db.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const wordsOf = (prefix: string) => openPrefixWords(db)(prefix);
  const find = (q: string) =>
    openSearch(db)(
      { filter: { terms: searchTermsOf(q), mode: "real" }, ...{ sort: "relevance", offset: 0, limit: 1, facets: [] } },
      1,
    );

  it("are listed in order, with the prefix itself and without stems and words of titles", () => {
    assert.deepEqual(wordsOf("дах"), ["дах", "дахи", "дахівка"]);
    assert.deepEqual(wordsOf("дахів"), ["дахівка"]);
    assert.deepEqual(wordsOf("ніщо"), []);
  });

  it("are listed if they are many and frequent, and not if they are rare", () => {
    assert.equal(wordsOf("част")?.length, WORDS);
    assert.equal(wordsOf("рідк"), undefined);
  });

  it("are found either way", () => {
    assert.equal(find("част").count, ROWS);
    assert.equal(find("рідк").count, WORDS);
    assert.deepEqual(find("дахі").ids, ["t8"]);
    assert.equal(find("ніщо").count, 0);
  });
});
