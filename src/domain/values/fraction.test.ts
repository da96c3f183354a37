import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { decimal } from "./decimal.ts";
import { compareFractions, divideFractions, formatFraction, fractionOf, parseFraction } from "./fraction.ts";

describe("fractions", () => {
  it("are exact and in lowest terms", () => {
    assert.deepEqual(fractionOf(decimal("0.85")), { numerator: 17n, denominator: 20n });
    assert.deepEqual(divideFractions(fractionOf(decimal("1")), fractionOf(decimal("0.85"))), {
      numerator: 20n,
      denominator: 17n,
    });
    assert.deepEqual(fractionOf(decimal("-2.5")), { numerator: -5n, denominator: 2n });
  });

  it("compare by value", () => {
    const third = divideFractions(fractionOf(decimal("1")), fractionOf(decimal("3")));
    assert.equal(compareFractions(third, fractionOf(decimal("0.3333333333333333333"))), 1);
    assert.equal(compareFractions(third, fractionOf(decimal("0.3333333333333333334"))), -1);
    assert.equal(compareFractions(third, third), 0);
  });

  it("are read back as they were written, and in no other form", () => {
    fc.assert(
      fc.property(fc.nat(), fc.integer({ min: 1, max: 10 ** 9 }), (a, b) => {
        const fraction = divideFractions(fractionOf(decimal(String(a))), fractionOf(decimal(String(b))));
        assert.deepEqual(parseFraction(formatFraction(fraction)), fraction);
      }),
    );
    for (const text of ["", "2/4", "1/0", "3/1", "-1/2", "01", "1/02", "1.5", "1/2/3", " 1", "0/5"])
      assert.equal(parseFraction(text), undefined, text);
  });
});
