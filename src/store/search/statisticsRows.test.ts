import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { decimal } from "../../domain/values/decimal.ts";
import { contributionsIn, type StoredSum } from "./statisticsRows.ts";

describe("the stored sums of statistics", () => {
  it("are not mixed up between dimensions that have the same key", () => {
    const rowOf = (dimension: StoredSum["dimension"], measure: StoredSum["measure"]): StoredSum => ({
      dimension,
      key: "",
      month: "2026-11",
      currency: "",
      measure,
      sum: decimal("1"),
    });
    const found = contributionsIn([rowOf("all", "bids"), rowOf("all", "tenders"), rowOf("division", "tenders")]);
    assert.deepEqual(
      found.map(({ dimension, counts }) => [dimension, counts]),
      [
        ["all", { bids: 1, tenders: 1 }],
        ["division", { tenders: 1 }],
      ],
    );
  });
});
