import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { runs } from "../../test/support/tier.ts";
import type { CommandContext } from "../domain/model/commands.ts";
import type { Tender } from "../domain/model/tender.ts";
import { replaceTender } from "../domain/tender/replacement.ts";
import { parseDecimal } from "../domain/values/decimal.ts";
import { openZone } from "../domain/values/time.ts";
import { printTender, REQUIRED_FIELDS, readTender, STORED_SHAPES } from "./canonicalTender.ts";
import type { Field } from "./fields.ts";
import { parseJson } from "./json.ts";

const zone = openZone("Europe/Kyiv");

const texts = fc.string({ unit: fc.constantFrom("a", "Ї", '"', "\\", "\n", "€", "😀", "\u2028", " "), maxLength: 8 });
const decimals = fc
  .tuple(fc.boolean(), fc.bigInt(0n, 10n ** 20n), fc.integer({ min: -13, max: 13 }))
  .map(([negative, digits, power]) => parseDecimal(`${negative ? "-" : ""}${digits}e${power}`)!);
const instants = fc.integer({ min: Date.UTC(1700) * 1000, max: Date.UTC(2250) * 1000 });

/** Whatever is not here is text. */
const scalars: { readonly [kind in Field["kind"]]?: fc.Arbitrary<unknown> } = {
  flag: fc.boolean(),
  amount: decimals,
  number: decimals,
  integer: fc.integer(),
  instant: instants,
};

function arbitrary(field: Field): fc.Arbitrary<unknown> {
  if (field.choices) return fc.constantFrom(...field.choices);
  if (field.kind !== "shape") return scalars[field.kind] ?? texts;
  const element = shaped(field.of!);
  return field.many ? fc.array(element, { maxLength: 2 }) : element;
}

/** Anything of a shape, however little sense it makes: optional fields there or not, also objects with nothing in them. */
function shaped(name: string): fc.Arbitrary<object> {
  const fields = Object.entries(STORED_SHAPES[name]!).map(([field, spec]) => [field, arbitrary(spec)] as const);
  const key = { key: fc.constant("0123456789abcdef".repeat(2)) };
  const model: { [field: string]: fc.Arbitrary<unknown> } = {
    ...Object.fromEntries(fields),
    ...(name === "Document" && key),
  };
  return fc.record(model, { requiredKeys: Object.keys(REQUIRED_FIELDS[name] ?? {}), noNullPrototype: true });
}

const tenders = shaped("Tender") as fc.Arbitrary<Tender>;

function readBack(tender: Tender) {
  const parsed = parseJson(printTender(tender, zone));
  assert.ok(parsed.ok);
  return readTender(parsed.value, zone);
}

describe("a tender printed in canonical form", () => {
  it("is read back as exactly the same", () => {
    fc.assert(
      fc.property(tenders, (tender) => {
        const { tender: back, problems } = readBack(tender);
        assert.deepEqual(problems, []);
        assert.deepEqual(back, tender);
      }),
      { numRuns: runs(200) },
    );
  });

  it("changes nothing when it is replaced by itself, however invalid it is", () => {
    fc.assert(
      fc.property(tenders, (tender) => {
        const back = readBack(tender).tender!;
        const replaced = replaceTender(
          tender,
          { tender: back, force: false, hasFile: () => false },
          {} as CommandContext,
        );
        assert.ok(replaced.ok && replaced.value.tender === tender);
      }),
      { numRuns: runs(100) },
    );
  });

  it("shows derived fields, and ignores them when it is read", () => {
    const strange = { id: "x", value: { amount: "5", colour: "red" }, date: "yesterday" } as unknown as Tender;
    const text = printTender(strange, zone);
    assert.match(text, /"date": "yesterday"/);
    assert.match(text, /"amount": 5\.0,\n\s+"colour": "red"/);
    const { tender, problems } = readBack(strange);
    assert.equal(tender, undefined);
    const messages = problems.map(({ path, message }) => `${path.join(".")}: ${message}`);
    assert.ok(messages.includes("value.colour: unknown field"));
    assert.ok(messages.includes("owner: is missing"));
  });

  it("names the nearest field where one is unknown", () => {
    const mistyped = { value: { amuont: "5" }, titel: "x", xyz: 1 } as unknown as Tender;
    const messages = readBack(mistyped).problems.map(({ path, message }) => `${path.join(".")}: ${message}`);
    for (const text of [
      "value.amuont: unknown field; did you mean amount?",
      "titel: unknown field; did you mean title?",
      "xyz: unknown field",
    ])
      assert.ok(messages.includes(text), text);
  });
});
