import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { cacheByText } from "./textCache.ts";

/** A cached function, and the texts that it was computed for. */
function openCounted() {
  const computed: string[] = [];
  const lengthOf = cacheByText((text) => {
    computed.push(text);
    return text.length;
  });
  return { lengthOf, computed };
}

describe("a cache by text", () => {
  it("computes the result of a text once", () => {
    const { lengthOf, computed } = openCounted();
    assert.deepEqual(["школа", "", "школа", ""].map(lengthOf), [5, 0, 5, 0]);
    assert.deepEqual(computed, ["школа", ""]);
  });

  it("does not keep long texts", () => {
    const { lengthOf, computed } = openCounted();
    const long = "а".repeat(10_000);
    assert.deepEqual([lengthOf(long), lengthOf(long)], [10_000, 10_000]);
    assert.equal(computed.length, 2);
  });

  it("keeps a limited number of texts", () => {
    const { lengthOf, computed } = openCounted();
    for (let i = 0; i < 10_000; i++) lengthOf(String(i));
    lengthOf("0");
    assert.equal(computed.length, 10_001);
    lengthOf("9999");
    assert.equal(computed.length, 10_001);
  });
});
