import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { releaseEntryId, type Store } from "../../store/store.ts";
import { readBulkSource } from "./bulkSource.ts";

describe("the source of bulk files", () => {
  /** As many stored releases of one tender, with templates of this length. */
  function storeOf(count: number, length: number) {
    const rows = Array.from({ length: count }, (_, i) => ({
      id: releaseEntryId(i + 1, "t"),
      value: "x".repeat(length),
    }));
    const limits: number[] = [];
    const page = (beyond: string, limit: number) => {
      limits.push(limit);
      return rows.filter(({ id }) => id > beyond).slice(0, limit);
    };
    const releases: Store["releases"] = async ({ beyond = 0, limit }) =>
      page(releaseEntryId(beyond, "u"), limit).map(({ id, value }) => ({ id, template: value }));
    return {
      source: readBulkSource({
        releases,
        keyValues: { find: async () => undefined, list: async () => [], count: async () => count },
      }),
      limits,
    };
  }

  it("reads every release once, and of large ones only a few at once", async () => {
    for (const [length, limitMax] of [
      [1000, 64],
      [1_000_000, 2],
      [5_000_000, 1],
    ] as const) {
      const { source, limits } = storeOf(90, length);
      const ids: number[] = [];
      for await (const changes of source.changes(0, 80)) ids.push(...changes.map(({ at }) => at));
      assert.deepEqual(
        ids,
        Array.from({ length: 80 }, (_, i) => i + 1),
      );
      assert.equal(limits[1], limitMax);
    }
  });
});
