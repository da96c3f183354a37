import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, before, beforeEach, describe, it } from "node:test";
import type { TenderStatus } from "../../domain/model/tender.ts";
import { edit, make } from "../store.contract.ts";
import type { Store } from "../store.ts";
import { openFacetRows } from "./facetRows.ts";
import { openSqlite } from "./sqlite.ts";

const TENDERS = 5;

describe("cached facets", () => {
  const folder = mkdtempSync(join(tmpdir(), "tenderhall-facets-"));
  let store: Store;
  let db: DatabaseSync;
  let rows: readonly number[];
  const setStatus = (tender: number, status: TenderStatus) => edit(store, `t${tender}`, { status });

  /** Changes the status of all tenders behind the back of the cache, so that only those that are read again have the new one. */
  const overwrite = (status: string) => db.prepare("update search set status = ?").run(status);

  before(async () => {
    store = openSqlite({ dataDir: folder, clock: () => 1, recentBytesMax: 0 });
    for (let i = 0; i < TENDERS; i++) await make(store, `t${i}`, { status: "active.tendering" });
    db = new DatabaseSync(join(folder, "tenderhall.sqlite"));
    rows = db
      .prepare("select public_row as row from search order by tender_id")
      .all()
      .map(({ row }) => Number(row));
  });
  beforeEach(async () => {
    for (let i = 0; i < TENDERS; i++) await setStatus(i, "active.tendering");
    overwrite("active.tendering");
  });
  after(async () => {
    db.close();
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Counts tenders by their status as a search does, with so many rows in the cache. */
  function openCount(limits?: Parameters<typeof openFacetRows>[1]) {
    const { refresh, countFacets } = openFacetRows(db, limits);
    return (...tenders: readonly number[]): string => {
      refresh();
      const counted = tenders.map((tender) => rows[tender] ?? 0);
      const [[, counts] = []] = countFacets(counted, ["status"], { terms: [], mode: "real" });
      return (counts ?? []).map(({ value, count }) => `${value} ${count}`).join(", ");
    };
  }

  it("are counted anew after a change, and not before", async () => {
    const count = openCount();
    assert.equal(count(0, 1, 2), "active.tendering 3");
    await setStatus(1, "complete");
    await setStatus(3, "complete");
    assert.equal(count(0, 1, 2), "active.tendering 2, complete 1");
    assert.equal(count(3), "complete 1");
    await setStatus(1, "unsuccessful");
    assert.equal(count(1, 3), "complete 1, unsuccessful 1");
  });

  it("are read once, as long as they fit", () => {
    const count = openCount({ rowsMax: 4, charactersMax: 1000 });
    count(0, 1);
    overwrite("complete");
    assert.equal(count(1, 0), "active.tendering 2");
    assert.equal(count(0, 2), "active.tendering 1, complete 1");
    assert.equal(count(3, 4), "complete 2");
    assert.equal(count(0, 1), "complete 2");
  });

  it("are read again if their values take too much memory", () => {
    const count = openCount({ rowsMax: 4, charactersMax: 1 });
    count(0);
    overwrite("complete");
    assert.equal(count(0), "complete 1");
  });

  it("are counted without rows that do not exist", () => {
    assert.equal(openCount()(0, TENDERS), "active.tendering 1");
  });
});
