import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import {
  addDecimals,
  compareDecimals,
  decimal,
  decimalPlaces,
  maxDecimal,
  minDecimal,
  multiplyDecimals,
  parseDecimal,
  subtractDecimals,
  truncateDecimal,
  withFraction,
} from "./decimal.ts";

const CANONICAL = /^(?:0|-?(?:[1-9]\d*|0(?=\.))(?:\.\d*[1-9])?)$/;
const PLACES = 80;

const digits = (max: number) =>
  fc.array(fc.constantFrom(..."0001234567899"), { minLength: 1, maxLength: max }).map((all) => all.join(""));
const literals = fc
  .tuple(
    fc.constantFrom("", "-", "+"),
    digits(17),
    fc.option(digits(17)),
    fc.option(fc.tuple(fc.constantFrom("e", "E", "e+", "e-"), fc.integer({ min: 0, max: 17 }))),
  )
  .map(([sign, whole, fraction, power]) => sign + whole + (fraction ? "." + fraction : "") + (power?.join("") ?? ""));
const decimals = fc.oneof(
  literals.map(decimal),
  fc.integer({ min: -3, max: 3 }).map((value) => decimal(String(value))),
  fc.integer({ min: -9999, max: 9999 }).map((cents) => decimal(cents + "e-2")),
);

/** The value of any plain or scaled literal in units of 10^-PLACES. */
function units(literal: string): bigint {
  const [mantissa = "", power = "0"] = literal.toLowerCase().split("e");
  const [whole = "", fraction = ""] = mantissa.split(".");
  const size = BigInt(whole.replace(/^[+-]/, "") + fraction) * 10n ** BigInt(PLACES + Number(power) - fraction.length);
  return literal.startsWith("-") ? -size : size;
}

describe("a decimal", () => {
  it("is canonical and of the same value as the literal it was parsed from", () => {
    fc.assert(
      fc.property(literals, (literal) => {
        const parsed = decimal(literal);
        assert.match(parsed, CANONICAL);
        assert.equal(units(parsed), units(literal));
        assert.equal(parseDecimal(parsed), parsed);
      }),
      { numRuns: 2000 },
    );
  });

  it("is read from what Python's float() takes for a plain decimal", () => {
    const cases: [string, string][] = [
      ["1000.0", "1000"],
      [" 5 ", "5"],
      ["\t5\n", "5"],
      ["+1", "1"],
      ["1e3", "1000"],
      ["1.5E+2", "150"],
      ["12e-3", "0.012"],
      ["007.50", "7.5"],
      ["-0", "0"],
      ["-0.000", "0"],
      ["0e999999999999", "0"],
      [".5", "0.5"],
      ["-5.", "-5"],
      ["9007199254740993.10", "9007199254740993.1"],
      ["1e33", "1" + "0".repeat(33)],
      ["1e-34", "0." + "0".repeat(33) + "1"],
      ["9".repeat(34), "9".repeat(34)],
      ["0".repeat(1000) + "1." + "0".repeat(1000), "1"],
    ];
    for (const [text, expected] of cases) assert.equal(parseDecimal(text), expected, text);
  });

  it("is not read from what is no finite literal or has too many digits", () => {
    const malformed = [
      "",
      " ",
      ".",
      "-",
      "+.",
      "e5",
      ".e5",
      "1e",
      "1e+",
      "--1",
      "1 2",
      "1,5",
      "0x1",
      "1_000",
      "1.2.3",
      "١",
    ];
    const unbounded = ["NaN", "nan", "Infinity", "-inf", "1e999", "1e34", "1e-35", "12e-35", "1e" + "9".repeat(400)];
    for (const text of [...malformed, ...unbounded, "9".repeat(35), "1e-" + "9".repeat(400), "1." + "3".repeat(34)])
      assert.equal(parseDecimal(text), undefined, text);
  });

  it("is read without a throw from any text, undefined wherever Number is not finite", () => {
    const noise = fc.string({ unit: fc.constantFrom(..."0123456789.eE+- xn_") });
    fc.assert(
      fc.property(fc.oneof(noise, fc.string()), (text) => {
        if (text.trim() === "" || !Number.isFinite(Number(text))) assert.equal(parseDecimal(text), undefined);
      }),
      { numRuns: 2000 },
    );
  });

  it("is refused in a text of two million zeros", () => {
    assert.equal(parseDecimal("1" + "0".repeat(1e6) + "1" + "0".repeat(1e6)), undefined);
  });

  it("in code throws on a bad literal", () => {
    assert.equal(decimal("0.01"), "0.01");
    assert.throws(() => decimal("ten"), RangeError);
  });
});

describe("the order of decimals", () => {
  it("is that of their values", () => {
    fc.assert(
      fc.property(decimals, decimals, (a, b) => {
        const [x, y] = [units(a), units(b)];
        assert.equal(compareDecimals(a, b), x < y ? -1 : x > y ? 1 : 0);
      }),
      { numRuns: 2000 },
    );
  });

  it("distinguishes neighbours that doubles would confuse", () => {
    assert.equal(compareDecimals(decimal("9007199254740993"), decimal("9007199254740992")), 1);
    assert.equal(compareDecimals(decimal("0.10000000000000001"), decimal("0.1")), 1);
    assert.equal(compareDecimals(decimal("-9007199254740993"), decimal("1")), -1);
  });

  it("gives the greatest and the least of any number of them", () => {
    fc.assert(
      fc.property(fc.array(decimals, { minLength: 1 }), (all) => {
        const sorted = all.toSorted(compareDecimals);
        assert.equal(minDecimal(...all), sorted[0]);
        assert.equal(maxDecimal(...all), sorted.at(-1));
      }),
    );
  });
});

describe("arithmetic on decimals", () => {
  it("is exact and canonical", () => {
    fc.assert(
      fc.property(decimals, decimals, (a, b) => {
        assert.equal(units(addDecimals(a, b)), units(a) + units(b));
        assert.equal(units(subtractDecimals(a, b)), units(a) - units(b));
        assert.match(addDecimals(a, b), CANONICAL);
        assert.match(subtractDecimals(a, b), CANONICAL);
      }),
      { numRuns: 1000 },
    );
    assert.equal(addDecimals(decimal("0.1"), decimal("0.2")), "0.3");
    assert.equal(subtractDecimals(decimal("1"), decimal("1.0")), "0");
  });

  it("adds in any order and grouping to the same text, and nothing to zero", () => {
    fc.assert(
      fc.property(decimals, decimals, decimals, (a, b, c) => {
        assert.equal(addDecimals(a, b), addDecimals(b, a));
        assert.equal(addDecimals(addDecimals(a, b), c), addDecimals(a, addDecimals(b, c)));
        assert.equal(addDecimals(a, b, c), addDecimals(addDecimals(a, b), c));
        assert.equal(subtractDecimals(addDecimals(a, b), b), a);
      }),
    );
    assert.equal(addDecimals(), "0");
  });
});

describe("money on the wire", () => {
  it("always shows a fraction", () => {
    assert.equal(withFraction(decimal("500")), "500.0");
    assert.equal(withFraction(decimal("0.25")), "0.25");
    assert.equal(withFraction(decimal("-0")), "0.0");
  });

  it("parses back to the same decimal", () => {
    fc.assert(fc.property(decimals, (amount) => assert.equal(parseDecimal(withFraction(amount)), amount)));
  });
});

describe("the product of decimals", () => {
  it("is exact and canonical", () => {
    fc.assert(
      fc.property(decimals, decimals, (a, b) => {
        const product = multiplyDecimals(a, b);
        assert.match(product, CANONICAL);
        assert.equal(units(product) * 10n ** BigInt(PLACES), units(a) * units(b));
      }),
    );
    assert.equal(multiplyDecimals(decimal("0.1"), decimal("0.7")), "0.07");
  });
});

describe("a truncated decimal", () => {
  it("is the next one towards zero that has at most so many places", () => {
    fc.assert(
      fc.property(decimals, fc.integer({ min: 0, max: 4 }), (value, places) => {
        const truncated = truncateDecimal(value, places);
        assert.match(truncated, CANONICAL);
        assert.ok(decimalPlaces(truncated) <= places);
        const unit = 10n ** BigInt(PLACES - places);
        assert.equal(units(truncated), (units(value) / unit) * unit);
      }),
    );
    assert.deepEqual(
      [
        truncateDecimal(decimal("1.999"), 2),
        truncateDecimal(decimal("-1.999"), 2),
        truncateDecimal(decimal("0.009"), 2),
      ],
      ["1.99", "-1.99", "0"],
    );
  });
});
