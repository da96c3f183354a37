import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { decimal } from "../../domain/values/decimal.ts";
import type { Contribution } from "../../indexing/statistics.ts";
import {
  amountsIn,
  averageDays,
  bidsPerTender,
  currenciesOf,
  figuresBy,
  figuresOf,
  NO_FIGURES,
  savings,
  savingsShare,
  singleBidShare,
  successRate,
  undecidedBids,
} from "./figures.ts";

const row = (counts: Contribution["counts"], more: Partial<Contribution> = {}): Contribution => ({
  dimension: "all",
  key: "",
  month: "2026-11",
  currency: "",
  counts,
  amounts: {},
  ...more,
});
const inCurrency = (currency: string, amounts: Contribution["amounts"]) => row({}, { currency, amounts });

describe("figures", () => {
  it("are averages and shares of the sums", () => {
    const figures = figuresOf([
      row({
        tenders: 3,
        openedTenders: 2,
        singleBidTenders: 1,
        bids: 5,
        decidedBids: 3,
        wonBids: 1,
        timedContracts: 2,
        daysToContract: 7,
      }),
      row({ tenders: 1, openedTenders: 2, bids: 5, decidedBids: 1, wonBids: 1 }),
    ]);
    assert.deepEqual(
      [
        figures.counts.tenders,
        bidsPerTender(figures),
        singleBidShare(figures),
        averageDays(figures),
        successRate(figures),
        undecidedBids(figures),
      ],
      [4, 2.5, 0.25, 3.5, 0.5, 6],
    );
  });

  it("are absent where there is nothing to divide by", () => {
    const ratios = [bidsPerTender, singleBidShare, averageDays, successRate].map((ratio) => ratio(NO_FIGURES));
    assert.deepEqual(ratios, [undefined, undefined, undefined, undefined]);
    assert.equal(savingsShare(amountsIn(NO_FIGURES, "UAH")), undefined);
  });

  it("never mix currencies", () => {
    const figures = figuresOf([
      inCurrency("EUR", { value: decimal("1.1"), expectedValue: decimal("10"), comparedValue: decimal("12") }),
      inCurrency("UAH", { value: decimal("0.2"), expectedValue: decimal("100"), comparedValue: decimal("75") }),
      inCurrency("UAH", { value: decimal("0.1") }),
      row({ tenders: 3 }),
    ]);
    assert.deepEqual(currenciesOf([figures]), ["UAH", "EUR"]);
    assert.deepEqual([amountsIn(figures, "UAH").value, amountsIn(figures, "EUR").value], ["0.3", "1.1"]);
    assert.deepEqual([savings(amountsIn(figures, "UAH")), savingsShare(amountsIn(figures, "UAH"))], ["25", 0.25]);
    assert.deepEqual([savings(amountsIn(figures, "EUR")), savingsShare(amountsIn(figures, "EUR"))], ["-2", -0.2]);
    assert.equal(amountsIn(figures, "USD").value, "0");
  });

  it("are grouped", () => {
    const groups = figuresBy(
      [row({ tenders: 1 }), row({ tenders: 2 }, { month: "2026-12" }), row({ tenders: 4 })],
      ({ month }) => month,
    );
    assert.deepEqual(
      [...groups].map(([month, { counts }]) => [month, counts.tenders]),
      [
        ["2026-11", 5],
        ["2026-12", 2],
      ],
    );
  });
});
