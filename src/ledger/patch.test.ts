import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { runs } from "../../test/support/tier.ts";
import { applyPatchReference } from "../store/store.contract.ts";
import { applyPatch, type PatchOperation, patchBetween } from "./patch.ts";

/** A property that is undefined must be treated like an absent one. */
const orAbsent = (value: fc.Arbitrary<unknown>) => fc.option(value, { nil: undefined, freq: 8 });

/** JSON of few names and few values, so that two states have much in common; some names need escaping. */
const near: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  any: fc.oneof(
    { depthSize: "medium", maxDepth: 5 },
    fc.constantFrom<unknown>(null, 0, 1, "", "x", true),
    fc.array(tie("any"), { maxLength: 4 }),
    fc.dictionary(fc.constantFrom("a", "b", "", "/", "~", "~1", "-", "0", "a/b~0"), orAbsent(tie("any")), {
      maxKeys: 5,
    }),
  ),
})).any;

/** Any JSON without the name `__proto__`, which `applyPatchReference` cannot handle. */
const anyKind = fc.jsonValue().filter((value) => !JSON.stringify(value).includes("__proto__"));
const asStored = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

describe("a patch between two states", () => {
  for (const [kind, state] of Object.entries({ alike: near, "of any kind": anyKind })) {
    test(`turns the first into the second: states ${kind}`, () =>
      fc.assert(
        fc.property(state, state, (a, b) => {
          const patch = asStored(patchBetween(a, b)) as ReturnType<typeof patchBetween>;
          assert.deepEqual(asStored(applyPatchReference(asStored(a), patch)), asStored(b));
          const before = asStored(a);
          assert.deepEqual(asStored(applyPatch(before, patch)), asStored(b));
          assert.deepEqual(before, asStored(a));
        }),
        { numRuns: runs(1000) },
      ));
  }

  test("treats names that every object inherits like any other name", () => {
    for (const name of ["toString", "constructor"]) {
      assert.deepEqual(patchBetween({ [name]: "x" }, {}), [{ op: "remove", path: `/${name}` }]);
      assert.deepEqual(patchBetween({}, { [name]: "x" }), [{ op: "add", path: `/${name}`, value: "x" }]);
    }
  });

  test("is rejected if it does not fit the state", () => {
    const misfits: readonly PatchOperation[] = [
      { op: "remove", path: "/no" },
      { op: "replace", path: "/no", value: 1 },
      { op: "add", path: "/no/title", value: 1 },
      { op: "add", path: "/title/x", value: 1 },
      { op: "add", path: "/toString/x", value: 1 },
      { op: "add", path: "/lots/2", value: 1 },
      { op: "add", path: "/lots/01", value: 1 },
      { op: "replace", path: "/lots/-", value: 1 },
      { op: "remove", path: "/lots/1" },
      { op: "replace", path: "/lots/-/id", value: 1 },
    ];
    for (const operation of misfits)
      assert.throws(() => applyPatch({ title: "x", lots: [{ id: "1" }] }, [operation]), {
        message: `the patch does not fit: ${operation.op} ${operation.path}`,
      });
  });

  test("is empty if nothing changed", () =>
    fc.assert(fc.property(near, (a) => assert.deepEqual(patchBetween(a, structuredClone(a)), []))));

  test("contains only what changed", () => {
    const before = { title: "x", lots: [{ id: "1", title: "a" }, { id: "2" }], value: { amount: "1" } };
    const after = { title: "x", lots: [{ id: "1", title: "b" }, { id: "2" }, { id: "3" }], value: {}, mode: "test" };
    assert.deepEqual(patchBetween(before, after), [
      { op: "replace", path: "/lots/0/title", value: "b" },
      { op: "add", path: "/lots/-", value: { id: "3" } },
      { op: "remove", path: "/value/amount" },
      { op: "add", path: "/mode", value: "test" },
    ]);
  });
});
