import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { mapChanged } from "./lists.ts";

describe("a mapped list", () => {
  const list = [{ id: 1 }, { id: 2 }];

  it("is the list itself if no element changes", () => {
    assert.equal(
      mapChanged(list, (element) => element),
      list,
    );
    const none: readonly object[] = [];
    assert.equal(
      mapChanged(none, () => ({})),
      none,
    );
  });

  it("is a new list if one element changes, with the others as they were", () => {
    const mapped = mapChanged(list, (element) => (element.id === 2 ? { id: 3 } : element));
    assert.deepEqual(mapped, [{ id: 1 }, { id: 3 }]);
    assert.equal(mapped[0], list[0]);
    assert.deepEqual(list, [{ id: 1 }, { id: 2 }]);
  });
});
