import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { runs } from "../../../test/support/tier.ts";
import { type TextPart, wordDiff } from "./wordDiff.ts";

const marks = (parts: readonly TextPart[]) =>
  parts.map(({ text, in: where }) => (where === "both" ? text : `${where === "before" ? "-" : "+"}[${text}]`)).join("");

describe("the difference between two texts", () => {
  test("is by words", () => {
    assert.equal(
      marks(wordDiff("шкільні обіди для учнів", "шкільні сніданки для учнів")),
      "шкільні -[обіди ]+[сніданки ]для учнів",
    );
    assert.equal(marks(wordDiff("a b c", "a c")), "a -[b ]c");
    assert.equal(marks(wordDiff("", "new text")), "+[new text]");
    assert.equal(marks(wordDiff("same", "same")), "same");
  });

  test("has both texts in it, whatever they are", () => {
    const words = fc
      .array(fc.constantFrom("a ", "b ", "c", "\n", "  ", "ї ", "d"), { maxLength: 30 })
      .map((list) => list.join(""));
    const text = fc.oneof(words, fc.string());
    fc.assert(
      fc.property(text, text, (before, after) => {
        const parts = wordDiff(before, after);
        const textIn = (missing: TextPart["in"]) =>
          parts
            .filter((part) => part.in !== missing)
            .map((part) => part.text)
            .join("");
        assert.equal(textIn("after"), before);
        assert.equal(textIn("before"), after);
      }),
      { numRuns: runs(1000) },
    );
  });

  test("of texts that have nothing in common takes no longer for very long ones", () => {
    const parts = wordDiff("a ".repeat(20_000), "b ".repeat(20_000));
    assert.deepEqual(
      parts.map((part) => part.in),
      ["before", "after"],
    );
  });
});
