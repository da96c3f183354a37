import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import type { SearchQuery } from "../../indexing/searchQuery.ts";
import { StoreUnavailableError } from "../store.ts";
import { openSearchThread } from "./searchThread.ts";
import { openSqlite } from "./sqlite.ts";

const QUERY: SearchQuery = { filter: { terms: [], mode: "real" }, sort: "newest", offset: 0, limit: 1, facets: [] };

describe("the thread for searches", () => {
  const folder = mkdtempSync(join(tmpdir(), "tenderhall-search-"));
  const path = join(folder, "tenderhall.sqlite");
  before(() => openSqlite({ dataDir: folder, clock: () => 1, recentBytesMax: 0 }).close());
  after(() => rmSync(folder, { recursive: true, force: true }));

  it("runs one search after another", async () => {
    const thread = openSearchThread(path);
    const results = await Promise.all(Array.from({ length: 5 }, () => thread.search(QUERY, 1)));
    assert.deepEqual(
      results.map(({ count }) => count),
      [0, 0, 0, 0, 0],
    );
    await thread.close();
  });

  it("gives up a search that takes too long, and runs the next one in another thread", async () => {
    // No thread has even started after a millisecond.
    const thread = openSearchThread(path, 1);
    const searches = [thread.search(QUERY, 1), thread.search(QUERY, 1)];
    await Promise.all(searches.map((search) => assert.rejects(search, StoreUnavailableError)));
    await thread.close();
  });

  it("rejects what is running and waiting when it is closed", async () => {
    const thread = openSearchThread(path);
    const searches = Promise.allSettled([thread.search(QUERY, 1), thread.search(QUERY, 1)]);
    await thread.close();
    assert.deepEqual(
      (await searches).map(({ status }) => status),
      ["rejected", "rejected"],
    );
    await assert.rejects(thread.search(QUERY, 1), /the store is closed/);
  });

  it("rejects a search whose thread fails", async () => {
    const thread = openSearchThread(join(folder, "missing", "tenderhall.sqlite"));
    await assert.rejects(thread.search(QUERY, 1), /unable to open database file/);
    await thread.close();
  });
});
