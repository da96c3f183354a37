import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import type { Feature } from "../model/tender.ts";
import { compareDecimals, decimal } from "../values/decimal.ts";
import { normalisedPrice, type RankableBid, rank } from "./ranking.ts";

const feature = (code: string, ...values: string[]): Feature => ({
  code,
  enum: values.map((value) => ({ value: decimal(value) })),
});

const FEATURES = [feature("item", "0.1", "0.15"), feature("tenderer", "0.05", "0.1", "0.15")];

const bid = (id: string, amount: string, date: number, parameters: { [code: string]: string } = {}): RankableBid => ({
  id,
  amount: decimal(amount),
  date,
  parameters: Object.entries(parameters).map(([code, value]) => ({ code, value: decimal(value) })),
});

const ids = (bids: readonly RankableBid[]) => bids.map(({ id }) => id);

// Few amounts and dates, so that ties of every kind are common.
const anyBids = fc
  .array(
    fc.tuple(
      fc.constantFrom("0", "469", "469.00000000000000000001", "479", "0.07", "521.111"),
      fc.integer({ min: 0, max: 2 }),
      fc.constantFrom("0", "0.1", "0.15"),
      fc.constantFrom("0", "0.05", "0.1", "0.15"),
    ),
    { maxLength: 12 },
  )
  .map((all) => all.map(([amount, date, item, tenderer], i) => bid(String(i), amount, date, { item, tenderer })));
const bidsAndShuffled = anyBids.chain((bids) =>
  fc.tuple(
    fc.constant(bids),
    fc.shuffledSubarray(bids, { minLength: bids.length }).map((all) => [...all]),
  ),
);

describe("the normalised price", () => {
  it("is exactly the amount divided by the weight of the bid's features", () => {
    const price = normalisedPrice(bid("a", "469", 0, { item: "0.1", tenderer: "0.1" }), FEATURES);
    assert.deepEqual(price, { numerator: 3283n, denominator: 9n });
    assert.equal((Number(price.numerator) / Number(price.denominator)).toFixed(2), "364.78");
    const dearer = normalisedPrice(bid("b", "479", 0, { item: "0.15", tenderer: "0.15" }), FEATURES);
    assert.deepEqual(dearer, { numerator: 3353n, denominator: 10n });
  });

  it("counts nothing for parameters of other features, missing ones and features without values", () => {
    const alone = { numerator: 469n, denominator: 1n };
    assert.deepEqual(normalisedPrice(bid("a", "469", 0, { other: "0.3" }), FEATURES), alone);
    assert.deepEqual(normalisedPrice(bid("a", "469", 0), FEATURES), alone);
    assert.deepEqual(normalisedPrice(bid("a", "469", 0, { item: "0.15" }), []), alone);
    assert.deepEqual(normalisedPrice(bid("a", "469", 0), [{ code: "empty" }, { code: "void", enum: [{}] }]), alone);
  });

  it("is in lowest terms, also of nothing, of a fraction and of less than nothing", () => {
    assert.deepEqual(normalisedPrice(bid("a", "-5", 0), FEATURES), { numerator: -5n, denominator: 1n });
    assert.deepEqual(normalisedPrice(bid("a", "-2.5", 0), FEATURES), { numerator: -5n, denominator: 2n });
    assert.deepEqual(normalisedPrice(bid("a", "0", 0, { item: "0.1" }), FEATURES), { numerator: 0n, denominator: 1n });
    assert.deepEqual(normalisedPrice(bid("a", "2.50", 0), FEATURES), { numerator: 5n, denominator: 2n });
  });

  it("of the full offer is the amount without the share of the features", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1e9 }), fc.integer({ min: 0, max: 300 }), (cents, weight) => {
        const value = decimal(weight + "e-3");
        const price = normalisedPrice(bid("a", cents + "e-2", 0, { a: value }), [feature("a", "0", value)]);
        assert.equal(price.numerator * 100_000n, BigInt(cents) * BigInt(1000 - weight) * price.denominator);
      }),
    );
  });
});

describe("the ranking", () => {
  it("puts the dearer bid first when it offers enough more", () => {
    const cheap = bid("cheap", "469", 0, { item: "0.1", tenderer: "0.1" });
    const good = bid("good", "479", 1, { item: "0.15", tenderer: "0.15" });
    assert.deepEqual(ids(rank([cheap, good], FEATURES)), ["good", "cheap"]);
    assert.deepEqual(ids(rank([cheap, good], [])), ["cheap", "good"]);
  });

  it("of equal prices puts the earlier first, and of the same instant the one that was stored first", () => {
    const bids = [bid("a", "5", 2), bid("b", "5.0", 1), bid("c", "5", 1), bid("d", "4", 3)];
    assert.deepEqual(ids(rank(bids, [])), ["d", "b", "c", "a"]);
  });

  it("treats different amounts with exactly the same normalised price as a tie", () => {
    // 1 / (1 + 0.1 / 0.7) is 7 / 8, and 0.1 has no exact binary value.
    const features = [feature("a", "0", "0.1", "0.3")];
    assert.deepEqual(ids(rank([bid("late", "8", 2, { a: "0.1" }), bid("early", "7", 1)], features)), ["early", "late"]);
    assert.deepEqual(ids(rank([bid("late", "7", 2), bid("early", "8", 1, { a: "0.1" })], features)), ["early", "late"]);
  });

  it("distinguishes amounts that doubles would confuse", () => {
    const bids = [bid("a", "9007199254740993.01", 0), bid("b", "9007199254740993", 1)];
    assert.deepEqual(ids(rank(bids, FEATURES)), ["b", "a"]);
  });

  it("neither loses nor adds a bid, and does not change its input", () => {
    fc.assert(
      fc.property(anyBids, (bids) => {
        const before = [...bids];
        assert.deepEqual(new Set(rank(bids, FEATURES)), new Set(bids));
        assert.equal(rank(bids, FEATURES).length, bids.length);
        assert.deepEqual(bids, before);
      }),
    );
  });

  it("depends on the order it is given in full ties alone", () => {
    const place = (bid: RankableBid) => ({ price: normalisedPrice(bid, FEATURES), date: bid.date });
    fc.assert(
      fc.property(bidsAndShuffled, ([bids, shuffled]) =>
        assert.deepEqual(rank(shuffled, FEATURES).map(place), rank(bids, FEATURES).map(place)),
      ),
    );
  });

  it("never puts a higher price, or a later bid of the same price, before a lower or an earlier", () => {
    fc.assert(
      fc.property(anyBids, (bids) => {
        const ranked = rank(bids, FEATURES);
        for (const [i, next] of ranked.slice(1).entries()) {
          const [a, b] = [normalisedPrice(ranked[i]!, FEATURES), normalisedPrice(next, FEATURES)];
          const difference = b.numerator * a.denominator - a.numerator * b.denominator;
          assert.ok(difference >= 0n);
          const tie = difference === 0n && ranked[i]!.date === next.date;
          if (difference === 0n) assert.ok(ranked[i]!.date <= next.date);
          if (tie) assert.ok(bids.indexOf(ranked[i]!) < bids.indexOf(next));
        }
      }),
    );
  });

  it("without parameters, or without features, is that of the amounts", () => {
    const byAmount = (bids: readonly RankableBid[]) =>
      bids.toSorted((a, b) => compareDecimals(a.amount, b.amount) || a.date - b.date);
    fc.assert(
      fc.property(anyBids, (bids) => {
        assert.deepEqual(rank(bids, []), byAmount(bids));
        const bare = bids.map((bid) => ({ ...bid, parameters: [] }));
        assert.deepEqual(rank(bare, FEATURES), byAmount(bare));
      }),
    );
  });
});
