import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { isPlainObject, isSameJson, merge, withoutNulls } from "./merge.ts";

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
      [["a"], "a"],
      ["a", ["a"]],
    ])
      assert.ok(!isSameJson(a, b), JSON.stringify([a, b]));
  });
});

describe("a patch", () => {
  for (const [sentence, current, patch, expected] of [
    ["sets what it names and leaves the rest", { a: 1, b: 2 }, { b: 3 }, { a: 1, b: 3 }],
    ["goes into objects key by key", { a: { b: 1, c: 2 } }, { a: { c: 3 } }, { a: { b: 1, c: 3 } }],
    ["clears by null, at any depth", { a: { b: 1, c: 2 }, d: 1 }, { a: { c: null }, d: null }, { a: { b: 1 } }],
    ["clears what is not there without a trace", {}, { a: null }, {}],
    ["makes the objects that are missing", {}, { a: { b: 1, c: null } }, { a: { b: 1 } }],
    ["puts an object in the place of what is none", { a: [1] }, { a: { b: 1 } }, { a: { b: 1 } }],
    ["merges lists by position", { a: [{ b: 1 }, { b: 2 }] }, { a: [{}, { c: 3 }] }, { a: [{ b: 1 }, { b: 2, c: 3 }] }],
    ["cuts a list off that is longer", { a: [1, 2, 3] }, { a: [4] }, { a: [4] }],
    ["appends to a list that is shorter", { a: [{ b: 1 }] }, { a: [{}, { b: 2 }] }, { a: [{ b: 1 }, { b: 2 }] }],
    ["puts a list in the place of what is none", { a: { 0: 1 } }, { a: [{}] }, { a: [{}] }],
    ["replaces everything else", { a: "x", b: { c: 1 } }, { a: 5, b: "y" }, { a: 5, b: "y" }],
  ] as const)
    it(sentence, () => {
      const before = structuredClone(current);
      assert.deepEqual(merge(current, patch), expected);
      assert.deepEqual(current, before, "nothing is changed in place");
    });

  it("is without the nulls at its top, but with those inside", () => {
    assert.deepEqual(withoutNulls({ a: null, b: undefined, c: 0, d: { e: null } }), {
      ...{ b: undefined, c: 0, d: { e: null } },
    });
  });

  it("is plain if it is an object and no list", () => {
    assert.deepEqual([{}, { a: 1 }, [], null, "a", 1, undefined].map(isPlainObject), [
      true,
      true,
      false,
      false,
      false,
      false,
      false,
    ]);
  });
});
