import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { readIndexFreshness } from "./indexFreshness.ts";

/** A registry whose index is complete or not, and whose last public change has a position. */
function openRegistry(state: { isIncomplete: boolean; position: number }) {
  return {
    catchUp: async () => state.position,
    isFreshAt: (position: number) => position === state.position,
    search: async () => ({
      ids: [],
      count: 0,
      isMore: false,
      facets: {},
      ...(state.isIncomplete && { isIncomplete: true as const }),
    }),
  };
}

describe("what is read from the index", () => {
  it("is fresh until something public changes", async () => {
    const state = { isIncomplete: false, position: 1 };
    const { isIncomplete, isFresh } = await readIndexFreshness(openRegistry(state));
    assert.deepEqual([isIncomplete, await isFresh()], [false, true]);
    state.position = 2;
    assert.equal(await isFresh(), false);
  });

  it("is never fresh while older tenders are added, which changes no position", async () => {
    const state = { isIncomplete: true, position: 1 };
    const { isIncomplete, isFresh } = await readIndexFreshness(openRegistry(state));
    assert.deepEqual([isIncomplete, await isFresh()], [true, false]);
    state.isIncomplete = false;
    assert.equal(await isFresh(), false, "it was read before the index was complete");
  });
});
