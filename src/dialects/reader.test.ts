import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { openZone } from "../domain/values/time.ts";
import { amount, arrayOf, instant, objectOf, type Shapes, text } from "./fields.ts";
import { createReader } from "./reader.ts";

const shapes: Shapes = {
  Thing: {
    name: text,
    price: amount,
    at: instant,
    id: { ...text, readOnly: true },
    inner: objectOf("Thing"),
    list: arrayOf("Thing"),
  },
};
const read = createReader(shapes, { zone: openZone("UTC"), sandbox: false, textBytesMax: 1000, listMax: 10 });

/** What was sent, and what it should be read as. */
type Pair = { readonly sent: unknown; readonly expected: unknown };

const same = (value: unknown): Pair => ({ sent: value, expected: value });
const { thing } = fc.letrec<{ thing: Pair; field: readonly [string, Pair] }>((tie) => ({
  field: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.tuple(
      fc.constant("name"),
      fc.string({ maxLength: 5 }).map((name) => same(name.replaceAll("\0", ""))),
    ),
    fc.tuple(
      fc.constant("price"),
      fc.nat(1000).map((price) => ({ sent: price, expected: String(price) })),
    ),
    fc.tuple(fc.constant("at"), fc.constant({ sent: "1970-01-01T00:00:01Z", expected: 1_000_000 })),
    fc.tuple(fc.constant("id"), fc.constant({ sent: "mine", expected: undefined })),
    fc.tuple(fc.constantFrom("name", "price", "inner", "list"), fc.constant(same(null))),
    fc.tuple(fc.constant("inner"), tie("thing") as fc.Arbitrary<Pair>),
    fc.tuple(
      fc.constant("list"),
      fc
        .array(tie("thing") as fc.Arbitrary<Pair>, { maxLength: 3 })
        .map((all) => ({ sent: all.map(({ sent }) => sent), expected: all.map(({ expected }) => expected) })),
    ),
  ) as fc.Arbitrary<readonly [string, Pair]>,
  thing: fc.array(tie("field") as fc.Arbitrary<readonly [string, Pair]>, { maxLength: 6 }).map((fields) => {
    const all = [...new Map(fields)];
    return {
      sent: Object.fromEntries(all.map(([name, { sent }]) => [name, sent])),
      expected: Object.fromEntries(
        all.map(([name, { expected }]) => [name, expected]).filter(([, expected]) => expected !== undefined),
      ),
    };
  }),
}));

describe("the input of a client", () => {
  it("is read field by field in the order in which it was sent, and is not modified", () => {
    fc.assert(
      fc.property(thing, ({ sent, expected }) => {
        const before = JSON.stringify(sent);
        const { fields, problems } = read("Thing", sent, true);
        assert.deepEqual(problems, []);
        assert.equal(JSON.stringify(fields), JSON.stringify(expected));
        assert.equal(JSON.stringify(sent), before);
      }),
    );
  });

  it("has no nulls if a new object is created from it", () => {
    const sent = { name: "a", price: null, inner: { name: null, at: null }, list: [{ name: null }, { name: "b" }] };
    const { fields } = read("Thing", sent, false);
    assert.deepEqual(fields, { name: "a", inner: {}, list: [{}, { name: "b" }] });
  });
});
