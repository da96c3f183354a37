import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { BIDDER, type Scene } from "../../../test/support/decisions.ts";
import { LOT_A, LOT_B, lotOf, meals, money, NOBODY, placeBid } from "../../../test/support/domainCommands.ts";
import { cook } from "../../../test/support/organizations.ts";
import { tendering } from "../../../test/support/scenes.ts";
import type { NewBidInput } from "../model/commands.ts";
import type { Feature, LotValue, Value } from "../model/tender.ts";
import { decimal } from "../values/decimal.ts";

const REQUIRED = "This field is required.";
const OF_TENDER = "of value of tender";
const dollars = { currency: "USD" };
const withoutVat = { valueAddedTaxIncluded: false };

/** What is sent, and everything that is wrong with it: nothing if the bid is accepted. */
type Row = readonly [sentence: string, bid: NewBidInput, ...lines: string[]];

const check = (scene: Scene, rows: readonly Row[]): void => {
  for (const [sentence, fields, ...lines] of rows)
    it(sentence, () => {
      const outcome = scene.outcome(BIDDER, { kind: "place bid", sent: { fields, problems: [] } });
      assert.deepEqual(outcome.split("; "), lines.length > 0 ? lines : ["ok"]);
    });
};

const bid = (value: Value, more: NewBidInput = {}): NewBidInput => ({ tenderers: [cook], value, ...more });

describe("a bid on a tender without lots or features", () => {
  check(tendering(), [
    ["may be as high as the tender's value", bid(money("500000"))],
    ["may be nothing", bid(money("0"))],
    [
      "does not exceed the tender's value",
      bid(money("500000.01")),
      "value: value of bid should be less than value of tender",
    ],
    [
      "is in the tender's currency",
      bid(money("1", dollars)),
      `value: currency of bid should be identical to currency ${OF_TENDER}`,
    ],
    [
      "has VAT as the tender has",
      bid(money("1", withoutVat)),
      `value: valueAddedTaxIncluded of bid should be identical to valueAddedTaxIncluded ${OF_TENDER}`,
    ],
    [
      "reports its amount first",
      bid(money("600000", { ...dollars, ...withoutVat })),
      "value: value of bid should be less than value of tender",
    ],
    [
      "reports its currency before VAT",
      bid(money("1", { ...dollars, ...withoutVat })),
      `value: currency of bid should be identical to currency ${OF_TENDER}`,
    ],
    ["needs tenderers and a value", {}, `tenderers: ${REQUIRED}`, `value: ${REQUIRED}`],
    ["needs an amount, before which nothing else is compared", bid(dollars), `value.amount: ${REQUIRED}`],
    ["is not less than nothing", bid(money("-1")), "value.amount: Float value should be greater than 0."],
    ["has a tenderer", bid(money("1"), { tenderers: [] }), "tenderers: Please provide at least 1 item."],
    [
      "has one tenderer",
      bid(money("1"), { tenderers: [cook, cook] }),
      "tenderers: Please provide no more than 1 item.",
    ],
    [
      "names its tenderer in full",
      bid(money("1"), { tenderers: [{ ...cook, name: undefined }] }),
      `tenderers.0.name: ${REQUIRED}`,
    ],
    [
      "is checked as a draft too",
      bid(money("600000"), { status: "draft" }),
      "value: value of bid should be less than value of tender",
    ],
    [
      "is for no lot",
      bid(money("1"), { lotValues: [{ relatedLot: LOT_A, value: money("1") }] }),
      "lotValues.0.relatedLot: relatedLot should be one of lots",
    ],
    [
      "answers no feature",
      bid(money("1"), { parameters: [{ code: "a", value: decimal("0") }] }),
      "parameters.0.code: code should be one of feature code.",
    ],
    ["may say that it answers none", bid(money("1"), { parameters: [], lotValues: [] })],
  ]);
});

describe("a bid on a tender whose value has no amount", () => {
  check(tendering().with({ value: { currency: "UAH", valueAddedTaxIncluded: true } }), [
    ["has nothing to exceed", bid(money("1000000000", dollars))],
  ]);
});

const on = (relatedLot: string, amount: string, more: Partial<Value> = {}): LotValue => ({
  relatedLot,
  value: money(amount, more),
});
const lotBid = (...lotValues: readonly LotValue[]): NewBidInput => ({ tenderers: [cook], lotValues });

describe("a bid on a tender with lots", () => {
  check(tendering([], { lots: [lotOf(LOT_A, "100"), lotOf(LOT_B, "200")] }), [
    ["may be for one lot, as high as its value", lotBid(on(LOT_A, "100"))],
    ["may be for all of them, in any order", lotBid(on(LOT_B, "200"), on(LOT_A, "50"))],
    ["needs a value for a lot", { tenderers: [cook] }, `lotValues: ${REQUIRED}`],
    ["needs more than an empty list", lotBid(), `lotValues: ${REQUIRED}`],
    [
      "has no value of its own",
      { ...lotBid(on(LOT_A, "1")), value: money("1") },
      "value: value should be posted for each lot of bid",
    ],
    [
      "has no value in place of those for lots",
      bid(money("1")),
      "value: value should be posted for each lot of bid",
      `lotValues: ${REQUIRED}`,
    ],
    ["names each lot once", lotBid(on(LOT_A, "1"), on(LOT_A, "2")), "lotValues: bids don't allow duplicated proposals"],
    [
      "names lots that are there",
      lotBid(on(LOT_A, "1"), on(NOBODY, "1")),
      "lotValues.1.relatedLot: relatedLot should be one of lots",
    ],
    [
      "says which lot, and how much",
      lotBid({}),
      `lotValues.0.value: ${REQUIRED}`,
      `lotValues.0.relatedLot: ${REQUIRED}`,
    ],
    ["has amounts", lotBid({ relatedLot: LOT_A, value: {} }), `lotValues.0.value.amount: ${REQUIRED}`],
    [
      "does not exceed the value of the lot",
      lotBid(on(LOT_A, "100.01")),
      "lotValues.0.value: value of bid should be less than value of lot",
    ],
    [
      "is in the lot's currency",
      lotBid(on(LOT_A, "1", dollars)),
      "lotValues.0.value: currency of bid should be identical to currency of value of lot",
    ],
    [
      "has VAT as the lot has",
      lotBid(on(LOT_A, "1", withoutVat)),
      "lotValues.0.value: valueAddedTaxIncluded of bid should be identical to valueAddedTaxIncluded of value of lot",
    ],
  ]);
});

const featureOf = (code: string, more: Partial<Feature> = {}): Feature => ({
  code,
  title: code,
  enum: ["0.1", "0"].map((value) => ({ value: decimal(value), title: value })),
  ...more,
});
const answering = (...answers: readonly (readonly [string, string])[]) => ({
  parameters: answers.map(([code, value]) => ({ code, value: decimal(value) })),
});
const INCOMPLETE = "parameters: All features parameters is required.";

describe("a bid on a tender with features", () => {
  check(tendering([], { features: [featureOf("a"), featureOf("b")] }), [
    ["answers each of them, in any order", bid(money("1"), answering(["b", "0"], ["a", "0.10"]))],
    ["answers them at all", bid(money("1")), `parameters: ${REQUIRED}`],
    ["does not answer an empty list", bid(money("1"), { parameters: [] }), `parameters: ${REQUIRED}`],
    ["answers all of them", bid(money("1"), answering(["a", "0.1"])), INCOMPLETE],
    [
      "answers with a value that is offered",
      bid(money("1"), answering(["a", "0.05"], ["b", "0"])),
      "parameters.0.value: value should be one of feature value.",
    ],
    [
      "answers each once",
      bid(money("1"), answering(["a", "0"], ["a", "0.1"])),
      "parameters: Parameter code should be uniq for all parameters",
    ],
    [
      "answers nothing else",
      bid(money("1"), answering(["a", "0"], ["b", "0"], ["c", "0"])),
      "parameters.2.code: code should be one of feature code.",
    ],
    [
      "says which, and how",
      bid(money("1"), { parameters: [{}] }),
      `parameters.0.code: ${REQUIRED}`,
      `parameters.0.value: ${REQUIRED}`,
    ],
  ]);
});

describe("a bid on a tender with lots and features", () => {
  const features = [
    featureOf("all"),
    featureOf("lot a", { featureOf: "lot", relatedItem: LOT_A }),
    featureOf("item of b", { featureOf: "item", relatedItem: "1" }),
  ];
  const items = [{ ...meals, id: "1", relatedLot: LOT_B }];
  const both = lotBid(on(LOT_A, "1"), on(LOT_B, "1"));
  check(tendering([], { lots: [lotOf(LOT_A), lotOf(LOT_B)], items, features }), [
    [
      "answers the tenderer's features and those of its lot",
      { ...lotBid(on(LOT_A, "1")), ...answering(["all", "0"], ["lot a", "0"]) },
    ],
    [
      "answers the features of its lot's items",
      { ...lotBid(on(LOT_B, "1")), ...answering(["all", "0"], ["item of b", "0"]) },
    ],
    [
      "does not answer those of another lot",
      { ...lotBid(on(LOT_B, "1")), ...answering(["all", "0"], ["item of b", "0"], ["lot a", "0"]) },
      INCOMPLETE,
    ],
    [
      "does not answer those of another lot in place of its own",
      { ...lotBid(on(LOT_B, "1")), ...answering(["all", "0"], ["lot a", "0"]) },
      INCOMPLETE,
    ],
    [
      "answers all of them if it is for all lots",
      { ...both, ...answering(["all", "0"], ["lot a", "0"], ["item of b", "0"]) },
    ],
    ["answers no fewer if it is for all lots", { ...both, ...answering(["all", "0"], ["item of b", "0"]) }, INCOMPLETE],
    ["answers them at all", lotBid(on(LOT_A, "1")), INCOMPLETE],
    ["reports missing lots and missing answers together", { tenderers: [cook] }, `lotValues: ${REQUIRED}`, INCOMPLETE],
  ]);
});

describe("a bid on a lot that no feature is about", () => {
  const features = [featureOf("lot a", { featureOf: "lot", relatedItem: LOT_A })];
  const scene = tendering([], { lots: [lotOf(LOT_A), lotOf(LOT_B)], features });
  it("answers nothing", () => {
    const onB = { value: undefined, lotValues: [on(LOT_B, "1")] };
    assert.equal(scene.outcome(BIDDER, placeBid("1", onB)), "ok");
    assert.equal(scene.outcome(BIDDER, placeBid("1", { ...onB, ...answering(["lot a", "0"]) })), INCOMPLETE);
  });
});
