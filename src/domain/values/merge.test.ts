import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { isSameJson } from "./merge.ts";

describe("two values are the same", () => {
  it("if they are stored as the same JSON, so that a tender read from the store equals the one that was written", () => {
    assert.ok(isSameJson({ a: 1, lotValues: undefined }, { a: 1 }));
    assert.ok(isSameJson([{ a: { b: undefined } }], [{ a: {} }]));
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = JSON.stringify(value);
        assert.ok(isSameJson(JSON.parse(text), JSON.parse(text)));
      }),
    );
  });

  it("and not if anything differs, were it only a name that every object inherits", () => {
    for (const [a, b] of [
      [{ a: 1 }, { a: 2 }],
      [{ a: 1 }, {}],
      [{ a: null }, {}],
      [[1], [1, 2]],
      [{}, []],
      [{}, { constructor: Object }],
      ["1", 1],
    ])
      assert.ok(!isSameJson(a, b), JSON.stringify([a, b]));
  });
});
