import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { detach, detachText } from "./detach.ts";

const jsonOf = (value: unknown) => JSON.parse(JSON.stringify(value) ?? "null");

describe("a detached value", () => {
  it("equals its source, whatever the previous value", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (after, before) => {
        assert.deepEqual(jsonOf(detach(after, before)), jsonOf(after));
        assert.deepEqual(jsonOf(detach({ before, after }, { before })), jsonOf({ before, after }));
      }),
    );
    fc.assert(fc.property(fc.string({ unit: "binary", maxLength: 40 }), (text) => detachText(text) === text));
  });

  it("shares exactly the unchanged parts with the previous value, even if they moved", () => {
    const before = { items: [{ id: "a" }, { id: "b" }, { id: "c", parts: [{ n: 1 }] }], same: { text: "x" } };
    const added = { id: "d" };
    const changed = { ...before.items[2]!, id: "e" };
    const after = { ...before, items: [before.items[1]!, changed, added] };
    const result = detach({ ...after, items: [...after.items, before.items[0]!] }, before);
    assert.equal(result.same, before.same);
    assert.equal(result.items[0], before.items[1]);
    assert.equal(result.items[3], before.items[0]);
    assert.notEqual(result.items[2], added);
    const patched = detach({ ...before, items: before.items.with(2, changed) }, before);
    assert.notEqual(patched.items[2], changed);
    assert.equal(patched.items[2]!.parts, before.items[2]!.parts);
    assert.deepEqual([result.items, patched.items[2]], [[...after.items, before.items[0]], changed]);
  });
});
