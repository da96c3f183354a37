import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { compareDecimals, decimal } from "../domain/values/decimal.ts";
import { DAY } from "../domain/values/time.ts";
import { amountRangeTokens, amountTokens, deadlineRangeTokens, deadlineTokens } from "./rangeTokens.ts";

const amounts = fc
  .tuple(fc.bigInt({ min: 0n, max: 10n ** 33n }), fc.nat(99), fc.integer({ min: 0, max: 30 }))
  .map(([digits, cents, length]) => decimal(`${String(digits).slice(0, length + 1)}.${cents}`));
const instants = fc.integer({ min: -(10 ** 16), max: 10 ** 16 });

const hasAny = (tokens: string, range: readonly string[]) => tokens.split(" ").some((token) => range.includes(token));

describe("the tokens of a range", () => {
  it("include one of every amount in it", () => {
    fc.assert(
      fc.property(amounts, fc.option(amounts), fc.option(amounts), (amount, from, to) => {
        const isWithin =
          (from === null || compareDecimals(amount, from) >= 0) && (to === null || compareDecimals(amount, to) <= 0);
        const range = amountRangeTokens({ from: from ?? undefined, to: to ?? undefined });
        if (isWithin) assert.ok(hasAny(amountTokens(amount), range), `${amount} in ${from}..${to}`);
      }),
    );
  });

  it("include one of every deadline in it, and none of a deadline days away from it", () => {
    fc.assert(
      fc.property(instants, fc.option(instants), fc.option(instants), (at, from, to) => {
        const isWithin = (margin: number) =>
          (from === null || at >= from - margin) && (to === null || at <= to + margin);
        const range = deadlineRangeTokens({ from: from ?? undefined, to: to ?? undefined });
        const isFound = hasAny(deadlineTokens(at), range);
        if (isWithin(0)) assert.ok(isFound);
        const isInScale = (instant: number | null) => instant === null || (instant > 0 && instant < 65_000 * DAY);
        if (!isWithin(DAY) && [at, from, to].every(isInScale)) assert.ok(!isFound);
      }),
    );
  });

  it("are few, whatever the range", () => {
    fc.assert(
      fc.property(fc.option(instants), fc.option(instants), (from, to) => {
        assert.ok(deadlineRangeTokens({ from: from ?? undefined, to: to ?? undefined }).length <= 110);
      }),
    );
    assert.ok(amountRangeTokens({ from: decimal("25"), to: decimal("7".repeat(34)) }).length <= 60);
  });
});
