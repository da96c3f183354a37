import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { runs } from "../../test/support/tier.ts";
import { type Json, type JsonLimits, LongNumber, parseJson } from "./json.ts";

function valueIn(text: string): Json {
  const parsed = parseJson(text);
  assert.ok(parsed.ok, parsed.ok ? "" : `${parsed.why}: ${text}`);
  return parsed.value;
}

function whyNot(text: string, limits?: JsonLimits): string {
  const parsed = parseJson(text, limits);
  assert.ok(!parsed.ok, text);
  return parsed.why;
}

/** What JSON.parse would have made of the same text. */
function rounded(value: Json): unknown {
  if (value instanceof LongNumber) return Number(value.source);
  if (Array.isArray(value)) return value.map(rounded);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, rounded(each)]));
}

function agreesWithTheBuiltIn(text: string): void {
  const parsed = parseJson(text, { depthMax: 1000 });
  let expected: unknown;
  try {
    expected = JSON.parse(text);
  } catch {
    assert.equal(parsed.ok, false, text);
    return;
  }
  if (parsed.ok) assert.deepEqual(rounded(parsed.value), expected);
  else assert.match(parsed.why, /^duplicate key /, text);
}

describe("a JSON text", () => {
  it("has the value that JSON.parse gives it", () => {
    fc.assert(
      fc.property(fc.json({ stringUnit: "binary" }), (text) => {
        assert.deepEqual(rounded(valueIn(text)), JSON.parse(text));
      }),
      { numRuns: runs(1000) },
    );
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), fc.constantFrom("", " ", "\t", 3), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        assert.deepEqual(valueIn(text), JSON.parse(text));
      }),
      { numRuns: runs(1000) },
    );
  });

  it("keeps more keys apart than the reader remembers, also those of one length and those of any script", () => {
    const keys = Array.from({ length: 5000 }, (_, i) => [
      `key${i + 10_000}`,
      `ключ${i}`,
      "a".repeat(i % 60) + i,
    ]).flat();
    const text = JSON.stringify(Object.fromEntries(keys.map((key, i) => [key, i])));
    for (let time = 0; time < 2; time++) {
      const parsed = parseJson(text);
      assert.ok(parsed.ok);
      assert.deepEqual(parsed.value, JSON.parse(text));
    }
  });

  it("is accepted exactly when JSON.parse accepts it, however it was damaged", () => {
    const insertions = [
      ..."{}[]\",:\\ \t\n\r\f\0 \u2028\uFEFFeE+-.019tfnu/'",
      "\\u00",
      "\\ud800",
      "\ud800",
      "null",
      "true",
      '""',
    ];
    const edit = fc.tuple(fc.nat(), fc.integer({ min: 0, max: 2 }), fc.constantFrom("", ...insertions));
    const damaged = fc.tuple(fc.json(), fc.array(edit, { minLength: 1, maxLength: 3 })).map(([text, edits]) =>
      edits.reduce((now, [seed, removed, inserted]) => {
        const at = seed % (now.length + 1);
        return now.slice(0, at) + inserted + now.slice(at + removed);
      }, text),
    );
    fc.assert(fc.property(damaged, agreesWithTheBuiltIn), { numRuns: runs(10_000) });
    const soup = fc.array(fc.constantFrom(...insertions), { maxLength: 8 }).map((parts) => parts.join(""));
    fc.assert(fc.property(fc.oneof(soup, fc.string()), agreesWithTheBuiltIn), { numRuns: runs(10_000) });
  });

  it("is accepted exactly when JSON.parse accepts it, for every known trap", () => {
    const numbers = [
      "0",
      "-0",
      "01",
      "-",
      "+1",
      ".5",
      "1.",
      "1.e3",
      "1e",
      "1e+",
      "1E-2",
      "-01",
      "0x1",
      "NaN",
      "Infinity",
      "1_0",
    ];
    const words = [
      "",
      " ",
      "nul",
      "nulll",
      "True",
      "true false",
      "\uFEFF1",
      "\u00a01",
      "1\v",
      "undefined",
      "'a'",
      "/**/1",
    ];
    const strings = [
      '"',
      '"\\',
      '"\\"',
      '"\\\\"',
      '"\\\\\\""',
      '"\\x"',
      '"\\u12g4"',
      '"\\u1"',
      '"a\nb"',
      '"\\n\t"',
      '"\\/\\b"',
    ];
    const more = ['"\u2028"', '"\\ud83d\\ude00"', '"\\ud83d"', '"\x7f"', '"\0"', '"\\\0"', '"\\u0000"'];
    const nested = [
      "[",
      "]",
      "[1,]",
      "[,1]",
      "[1 2]",
      "{",
      "}",
      "{,}",
      '{"a"}',
      '{"a":}',
      '{"a":1,}',
      "{a:1}",
      '{"a":1 "b":2}',
    ];
    for (const text of [...numbers, ...words, ...strings, ...more, ...nested, "[]]", "{}{}", '{"a":1}x', "{1:2}"])
      agreesWithTheBuiltIn(text);
  });
});

describe("a number in JSON", () => {
  it("is a plain number when its shortest text denotes the literal exactly", () => {
    const plain = [
      "0",
      "12",
      "-3.25",
      "0.1",
      "0.30000000000000004",
      "1e3",
      "9007199254740992",
      "5e-324",
      "1.7976931348623157e308",
    ];
    for (const text of [
      ...plain,
      "1.00000000000000000000",
      "100000000000000000000000",
      "0e999",
      "1E22",
      "999999999999999",
    ])
      assert.equal(valueIn(text), Number(text), text);
    assert.ok(Object.is(valueIn("-0"), -0));
  });

  it("keeps its source when a double would change it", () => {
    const long = [
      "9007199254740993",
      "0.1234567890123456789",
      "1e999",
      "-1e999",
      "4e-324",
      "1e-999",
      "0.1000000000000000055",
    ];
    for (const text of [
      ...long,
      "1" + "0".repeat(400),
      "123456789012345678",
      "1e" + "9".repeat(400),
      "-9007199254740993.0",
    ])
      assert.deepEqual(valueIn(text), new LongNumber(text), text);
  });

  it("always keeps its exact value", () => {
    const digits = fc.string({ unit: fc.constantFrom(..."0123456789"), minLength: 1, maxLength: 20 });
    const literal = fc
      .tuple(fc.constantFrom("", "-"), digits, digits, fc.integer({ min: -330, max: 310 }))
      .map(([sign, whole, fraction, power]) => `${sign}${BigInt(whole)}.${fraction}e${power}`);
    fc.assert(
      fc.property(literal, (text) => {
        const value = valueIn(text);
        const exact = typeof value === "number" && Number.isFinite(value) && units(String(value)) === units(text);
        if (value instanceof LongNumber) assert.equal(value.source, text);
        else assert.ok(exact, text);
        if (value instanceof LongNumber)
          assert.ok(!Number.isFinite(+text) || units(String(+text)) !== units(text), text);
      }),
      { numRuns: runs(2000) },
    );
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (x) => valueIn(JSON.stringify(x)) === (x || 0)),
    );
  });
});

/** The value of a literal in units of 10^-400. */
function units(literal: string): bigint {
  const [mantissa = "", power = "0"] = literal.split("e");
  const [whole = "", fraction = ""] = mantissa.split(".");
  const size = BigInt(whole.replace("-", "") + fraction) * 10n ** BigInt(400 + Number(power) - fraction.length);
  return literal.startsWith("-") ? -size : size;
}

describe("an object in JSON", () => {
  it("with a key twice is refused, however the key is written", () => {
    assert.equal(whyNot('{"title":1,"title":2}'), 'duplicate key "title" at 11');
    assert.equal(whyNot('[{"a":{"b":null, "\\u0062":null}}]'), 'duplicate key "b" at 17');
    assert.equal(whyNot('{"__proto__":1,"__proto__":2}'), 'duplicate key "__proto__" at 15');
    assert.equal(whyNot('{"0":1,"0":2}'), 'duplicate key "0" at 7');
    assert.ok(whyNot(`{"${"k".repeat(1e6)}":1,"${"k".repeat(1e6)}":2}`).length < 100);
  });

  it("may use the names that every object inherits", () => {
    const text = '{"constructor":1,"toString":2,"hasOwnProperty":null,"valueOf":[]}';
    assert.deepEqual(valueIn(text), JSON.parse(text));
  });

  it("owns a key named __proto__ like any other", () => {
    const value = valueIn('{"a":1,"__proto__":{"admin":true}}') as { readonly [key: string]: Json };
    assert.deepEqual(Object.keys(value), ["a", "__proto__"]);
    assert.equal(Object.getPrototypeOf(value), Object.prototype);
    assert.equal(value.admin, undefined);
    assert.equal(({} as { admin?: boolean }).admin, undefined);
  });
});

describe("nesting in JSON", () => {
  const nested = (depth: number) => "[".repeat(depth) + "]".repeat(depth);

  it("goes as deep as the bound and no deeper", () => {
    assert.ok(parseJson(nested(64)).ok);
    assert.equal(whyNot(nested(65)), "nesting deeper than 64 at 64");
    assert.equal(whyNot('{"a":{"b":{}}}', { depthMax: 2 }), "nesting deeper than 2 at 10");
    assert.ok(parseJson("[[],[[]],{}]", { depthMax: 3 }).ok);
    assert.ok(parseJson("1", { depthMax: 0 }).ok);
  });

  it("never exhausts the stack, whatever bound is asked for", () => {
    const megabytes = 2 * 1024 * 1024;
    for (const depthMax of [undefined, 1e9, Number.POSITIVE_INFINITY])
      for (const piece of ["[", '{"":'])
        assert.match(whyNot(piece.repeat(megabytes), { depthMax }), /^nesting deeper than /);
  });
});

describe("the number of values in JSON", () => {
  it("goes as far as the bound and no further, whatever they are", () => {
    assert.ok(parseJson('[1,"a",{"b":null}]', { valuesMax: 5 }).ok);
    assert.equal(whyNot('[1,"a",{"b":null},[]]', { valuesMax: 5 }), "more than 5 values at 18");
    for (const value of ["1e1", "[]", "{}", '""', "null"])
      assert.match(whyNot(`[${Array(250_000).fill(value).join()}]`), /^more than 250000 values at /);
  });

  it("of one object is limited too, and exceeding a limit is distinguished from invalid JSON", () => {
    const keys = (count: number) => `{${Array.from({ length: count }, (_, i) => `"${i}":1`).join()}}`;
    assert.ok(parseJson(keys(20_000)).ok);
    assert.match(whyNot(keys(20_001)), /^an object with more than 20000 keys at /);
    const kindOf = (text: string) => {
      const parsed = parseJson(text);
      return parsed.ok ? "fine" : parsed.kind;
    };
    assert.deepEqual([keys(20_001), "[".repeat(65), '{"a":1,"a":2}', "[1,]", "[1]"].map(kindOf), [
      "too complex",
      "too complex",
      "duplicate key",
      "malformed",
      "fine",
    ]);
  });
});

describe("a refusal of JSON", () => {
  it("names the unexpected text and its position", () => {
    assert.equal(whyNot(""), "unexpected end of text at 0");
    assert.equal(whyNot("[1,]"), 'unexpected "]" at 3');
    assert.equal(whyNot('{"a":1}x'), 'unexpected "x" at 7');
    assert.equal(whyNot('"a\nb"'), 'unexpected "\\n" at 2');
    assert.equal(whyNot('"abc'), "unexpected end of text at 4");
    assert.equal(whyNot('["\\x"]'), "malformed string at 1");
    assert.equal(whyNot("1."), "unexpected end of text at 2");
  });

  it("handles long strings of quotes and backslashes", () => {
    for (const piece of ["\\", '\\"', "\\\\"]) assert.equal(parseJson('"' + piece.repeat(1e6)).ok, false);
  });
});
