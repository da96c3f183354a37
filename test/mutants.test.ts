import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { mutantsIn, pickMutants } from "../scripts/mutants/mutants.ts";
import { findMutations } from "../scripts/mutants/operators.ts";

const changesIn = (source: string): readonly string[] =>
  findMutations(source).map(({ offset, text, replacement }) => {
    assert.equal(source.slice(offset, offset + text.length), text);
    return `${text} ${replacement}`.trim();
  });

describe("the changes that npm run mutants makes", () => {
  it("are of comparisons, connectives, sums, booleans and negations", () => {
    assert.deepEqual(changesIn("const a = b < c && d <= e || f > g && h >= i;"), [
      ...["< <=", "&& ||", "<= <", "|| &&", "> >=", "&& ||", ">= >"],
    ]);
    assert.deepEqual(changesIn("if (a === b || c !== d) x += 1 + y - 2; else x -= 1;"), [
      ...["=== !==", "|| &&", "!== ===", "+= -=", "+ -", "- +", "-= +="],
    ]);
    assert.deepEqual(changesIn("const isOver = !isOpen(true) || false;"), ["!", "true false", "|| &&", "false true"]);
  });

  it("are none in types, generics, strings, comments, regular expressions and arrows", () => {
    for (const source of [
      "const a: Map<string, number> = new Map<string, number>();",
      "type A<B extends true> = B extends true ? 1 : { readonly a: false };",
      "const f = <T,>(a: T): a is T & Array<T> => Boolean(a!);",
      "const a = 'a < b' ; const b = \"&& ||\"; // a === b",
      "/* a < b */ const a = /<[^/>]+>|a\\/b===/.test(b);",
      // biome-ignore lint/suspicious/noTemplateCurlyInString: it is source text.
      "const a = `x < y ${b} && ${`c === ${d}`} !== z`;",
      "const a = { true: 1, b: c.false };",
      "let a = -1; a++; a = +b; const f = () => -a; a <<= 1; a = b >> 2 >>> 3; a ??= b ?? c?.d;",
    ])
      assert.deepEqual(changesIn(source), [], source);
  });

  it("are also in the code inside a template, and after a regular expression", () => {
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is source text.
    assert.deepEqual(changesIn("const a = `${b < c ? `${{ d: e + f }}` : 1} < ${g && h}`;"), ["< <=", "+ -", "&& ||"]);
    assert.deepEqual(changesIn("const a = b.match(/[/<]/) && c / d < e / f;"), ["&& ||", "< <="]);
  });

  it("are none in a line of which a comment says why it makes no difference", () => {
    const source = "if (a > b) c();\n  // Same either way: equal values\n  if (d > e) f();\nif (g > h) i();";
    assert.deepEqual(
      mutantsIn("a.ts", source).map(({ row, column }) => [row, column]),
      [
        [1, 7],
        [4, 7],
      ],
    );
  });

  it("are in an order that the seed alone decides, and all in the domain", () => {
    const placesOf = (seed: number) => pickMutants(seed).map(({ file, row, column }) => `${file}:${row}:${column}`);
    const [first, again, other] = [placesOf(1), placesOf(1), placesOf(2)];
    assert.ok(first.length > 500, `${first.length} places`);
    assert.deepEqual(first, again);
    assert.notDeepEqual(first, other);
    assert.deepEqual(first.toSorted(), other.toSorted());
    assert.ok(first.every((place) => place.startsWith("src/domain/") && !place.includes(".test.")));
  });
});
