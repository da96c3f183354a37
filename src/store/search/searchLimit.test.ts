import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { SearchQuery, SearchResult } from "../../indexing/searchQuery.ts";
import { StoreUnavailableError } from "../store.ts";
import { limitSearches } from "./searchLimit.ts";

const QUERY: SearchQuery = { filter: { terms: [], mode: "real" }, sort: "newest", offset: 0, limit: 1, facets: [] };
const RESULT: SearchResult = { ids: [], count: 0, isMore: false, facets: {} };

describe("searches", () => {
  it("are rejected while too many are running, and accepted again afterwards", async () => {
    const gate = Promise.withResolvers<SearchResult>();
    const search = limitSearches(() => gate.promise);
    const running = Array.from({ length: 32 }, () => search(QUERY));
    await assert.rejects(search(QUERY), StoreUnavailableError);
    gate.resolve(RESULT);
    assert.equal((await Promise.all(running)).length, 32);
    assert.equal(await search(QUERY), RESULT);
  });

  it("count no longer once they have failed", async () => {
    const search = limitSearches(() => Promise.reject(new Error("failed")));
    for (let i = 0; i < 40; i++) await assert.rejects(search(QUERY), /^Error: failed$/);
  });
});
