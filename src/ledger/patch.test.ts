import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { runs } from "../../test/support/tier.ts";
import { applyPatchReference } from "../store/store.contract.ts";
import { applyPatch, type PatchOperation, patchBetween } from "./patch.ts";

/** A field that is there without a value is a field that is not there. */
const orAbsent = (value: fc.Arbitrary<unknown>) => fc.option(value, { nil: undefined, freq: 8 });

/** Few names and few values, so that two of these have much in common; names that need escaping among them. */
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

/** Without the one name that no parsed field can have safely. */
const anyKind = fc.jsonValue().filter((value) => !JSON.stringify(value).includes("__proto__"));
const asStored = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

describe("a patch between two states", () => {
  for (const [kind, state] of Object.entries({ alike: near, "of any kind": anyKind })) {
    test(`leads from the one to the other: states ${kind}`, () =>
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

  test("takes a name that every object inherits for a name like any other", () => {
    for (const name of ["toString", "constructor"]) {
      assert.deepEqual(patchBetween({ [name]: "x" }, {}), [{ op: "remove", path: `/${name}` }]);
      assert.deepEqual(patchBetween({}, { [name]: "x" }), [{ op: "add", path: `/${name}`, value: "x" }]);
    }
  });

  test("is refused where it does not fit", () => {
    const unfit: readonly PatchOperation[] = [
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
    for (const one of unfit)
      assert.throws(() => applyPatch({ title: "x", lots: [{ id: "1" }] }, [one]), {
        message: `the patch does not fit: ${one.op} ${one.path}`,
      });
  });

  test("is empty when nothing changed", () =>
    fc.assert(fc.property(near, (a) => assert.deepEqual(patchBetween(a, structuredClone(a)), []))));

  test("names only what changed", () => {
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
