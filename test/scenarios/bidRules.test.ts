import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { bidOf, cook, fullTender, type PublishedTender, publishForBids } from "../support/examples.ts";
import { errorsOf, expectStatus, sharedWorld, type World } from "../support/world.ts";

const LOT_A = "a".repeat(32);
const LOT_B = "b".repeat(32);
const lotOf = (id: string, amount: number) => ({ id, title: "Лот", value: { amount }, minimalStep: { amount: 1 } });
const lotBid = (...lotValues: object[]) => ({ tenderers: [cook], lotValues });
const on = (relatedLot: string, amount: number, more: object = {}) => ({ relatedLot, value: { amount, ...more } });
const featureOf = (code: string, more: object = {}) => ({
  code,
  title: code,
  enum: [0.1, 0].map((value) => ({ value, title: `${value}` })),
  ...more,
});
const REQUIRED = "This field is required.";
const OF_TENDER = "of value of tender";

/** A bid and its expected errors; none if it is accepted. */
type Row = readonly [sentence: string, sent: object, ...wrong: string[]];

function testBids(tender: () => Promise<PublishedTender>, world: World, rows: readonly Row[]): void {
  let path: string | undefined;
  for (const [sentence, sent, ...wrong] of rows)
    it(sentence, async () => {
      path ??= (await tender()).path;
      const response = await world.api("2.3").post(`${path}/bids`, sent);
      if (wrong.length === 0) expectStatus(201, response);
      else
        assert.deepEqual(
          errorsOf(expectStatus(422, response)).sort(),
          wrong.map((message) => `body/${message}`).sort(),
        );
    });
}

describe("a bid on a tender without lots or features", async () => {
  const world = await sharedWorld();
  testBids(() => publishForBids(world), world, [
    ["may be as high as the tender's value", bidOf(500000)],
    ["may be zero", bidOf(0)],
    ["may not exceed the tender's value", bidOf(500000.01), "value: value of bid should be less than value of tender"],
    [
      "is in the tender's currency",
      bidOf(1, { value: { amount: 1, currency: "USD" } }),
      `value: currency of bid should be identical to currency ${OF_TENDER}`,
    ],
    [
      "has VAT as the tender has",
      bidOf(1, { value: { amount: 1, valueAddedTaxIncluded: false } }),
      `value: valueAddedTaxIncluded of bid should be identical to valueAddedTaxIncluded ${OF_TENDER}`,
    ],
    [
      "is told the first thing that is wrong with its value: amount, then currency, then VAT",
      bidOf(1, { value: { amount: 600000, currency: "USD", valueAddedTaxIncluded: false } }),
      "value: value of bid should be less than value of tender",
    ],
    ["needs tenderers and a value", {}, `tenderers: ${REQUIRED}`, `value: ${REQUIRED}`],
    ["needs an amount", bidOf(1, { value: {} }), `value.amount: ${REQUIRED}`],
    ["may not be negative", bidOf(-1), "value.amount: Float value should be greater than 0."],
    ["has at least one tenderer", bidOf(1, { tenderers: [] }), "tenderers: Please provide at least 1 item."],
    [
      "has no more than one tenderer",
      bidOf(1, { tenderers: [cook, cook] }),
      "tenderers: Please provide no more than 1 item.",
    ],
    [
      "names its tenderer in full",
      bidOf(1, { tenderers: [{ identifier: {}, address: {} }] }),
      ...["name", "contactPoint", "identifier.scheme", "identifier.id", "address.countryName"].map(
        (name) => `tenderers.0.${name}: ${REQUIRED}`,
      ),
    ],
    ["is active or a draft", bidOf(1, { status: "pending" }), "status: Value must be one of ['active', 'draft']."],
    [
      "is checked as well when it is a draft",
      bidOf(600000, { status: "draft" }),
      "value: value of bid should be less than value of tender",
    ],
    [
      "answers no feature that there is not",
      bidOf(1, { parameters: [{ code: "a", value: 0.1 }] }),
      "parameters.0.code: code should be one of feature code.",
    ],
    [
      "has no fields that are unknown",
      bidOf(1, { colour: "red", value: { amount: 1, tip: 5 } }),
      "colour: Rogue field",
      "value.tip: Rogue field",
    ],
    [
      "has its own fields ignored when the service owns them",
      bidOf(1, { id: LOT_A, date: "never", participationUrl: "x" }),
    ],
  ]);
});

describe("a bid on a tender in another currency", async () => {
  const world = await sharedWorld();
  const api = world.api("2.3");
  const value = { amount: 500, currency: "USD", valueAddedTaxIncluded: false };

  it("gets the tender's currency and VAT flag by default", async () => {
    const { path } = await publishForBids(world, { value, minimalStep: { ...value, amount: 5 } });
    const { data } = expectStatus(201, await api.post(`${path}/bids`, bidOf(400))).body;
    assert.deepEqual(data.value, { ...value, amount: 400 });
  });

  it("gets them for its lots too", async () => {
    const lots = [lotOf(LOT_A, 100)];
    const { path } = await publishForBids(world, { value, minimalStep: { ...value, amount: 5 }, lots });
    const { data } = expectStatus(201, await api.post(`${path}/bids`, lotBid(on(LOT_A, 90)))).body;
    assert.deepEqual(data.lotValues, [{ relatedLot: LOT_A, date: data.date, value: { ...value, amount: 90 } }]);
  });
});

describe("a bid on a tender with lots", async () => {
  const world = await sharedWorld();
  testBids(() => publishForBids(world, { lots: [lotOf(LOT_A, 100), lotOf(LOT_B, 200)] }), world, [
    ["may be for one lot", lotBid(on(LOT_A, 100))],
    ["may be for all of them", lotBid(on(LOT_B, 200), on(LOT_A, 50))],
    ["needs a value for a lot", { tenderers: [cook] }, `lotValues: ${REQUIRED}`],
    ["needs more than an empty list", lotBid(), `lotValues: ${REQUIRED}`],
    [
      "has no value of its own",
      { ...lotBid(on(LOT_A, 1)), value: { amount: 1 } },
      "value: value should be posted for each lot of bid",
    ],
    ["names each lot once", lotBid(on(LOT_A, 1), on(LOT_A, 2)), "lotValues: bids don't allow duplicated proposals"],
    [
      "names lots that exist",
      lotBid(on(LOT_A, 1), on("c".repeat(32), 1)),
      "lotValues.1.relatedLot: relatedLot should be one of lots",
    ],
    [
      "says which lot, and how much",
      lotBid({}),
      `lotValues.0.relatedLot: ${REQUIRED}`,
      `lotValues.0.value: ${REQUIRED}`,
    ],
    [
      "may not exceed the value of the lot",
      lotBid(on(LOT_A, 100.5)),
      "lotValues.0.value: value of bid should be less than value of lot",
    ],
    [
      "is in the lot's currency",
      lotBid(on(LOT_A, 1, { currency: "USD" })),
      "lotValues.0.value: currency of bid should be identical to currency of value of lot",
    ],
    [
      "has VAT as the lot has",
      lotBid(on(LOT_A, 1, { valueAddedTaxIncluded: false })),
      "lotValues.0.value: valueAddedTaxIncluded of bid should be identical to valueAddedTaxIncluded of value of lot",
    ],
  ]);
});

const parameters = (...list: (readonly [string, number])[]) => ({
  parameters: list.map(([code, value]) => ({ code, value })),
});

describe("a bid on a tender with features", async () => {
  const world = await sharedWorld();
  testBids(() => publishForBids(world, { features: [featureOf("a"), featureOf("b")] }), world, [
    ["answers each of them", bidOf(1, parameters(["b", 0], ["a", 0.1]))],
    [
      "answers with any of the values offered, however written",
      bidOf(1, {
        parameters: [
          { code: "a", value: "0.10" },
          { code: "b", value: 0 },
        ],
      }),
    ],
    ["must answer them", bidOf(1), `parameters: ${REQUIRED}`],
    ["must answer all of them", bidOf(1, parameters(["a", 0.1])), "parameters: All features parameters is required."],
    [
      "answers with a value that is offered",
      bidOf(1, parameters(["a", 0.05], ["b", 0])),
      "parameters.0.value: value should be one of feature value.",
    ],
    [
      "answers each once",
      bidOf(1, parameters(["a", 0], ["a", 0.1])),
      "parameters: Parameter code should be uniq for all parameters",
    ],
    [
      "answers nothing else",
      bidOf(1, parameters(["a", 0], ["b", 0], ["c", 0])),
      "parameters.2.code: code should be one of feature code.",
    ],
    [
      "says which, and how",
      bidOf(1, { parameters: [{}] }),
      `parameters.0.code: ${REQUIRED}`,
      `parameters.0.value: ${REQUIRED}`,
    ],
  ]);
});

describe("a bid on a tender with lots and features", async () => {
  const world = await sharedWorld();
  const features = [
    featureOf("tenderer"),
    featureOf("lot a", { featureOf: "lot", relatedItem: LOT_A }),
    featureOf("item of b", { featureOf: "item", relatedItem: "1" }),
  ];
  const items = [{ ...fullTender().items[0], id: "1", relatedLot: LOT_B }];
  const all = "parameters: All features parameters is required.";
  testBids(() => publishForBids(world, { lots: [lotOf(LOT_A, 9), lotOf(LOT_B, 9)], items, features }), world, [
    [
      "answers the tenderer's features and those of the lot it is for",
      { ...lotBid(on(LOT_A, 1)), ...parameters(["tenderer", 0], ["lot a", 0]) },
    ],
    [
      "answers the features of that lot's items",
      { ...lotBid(on(LOT_B, 1)), ...parameters(["tenderer", 0], ["item of b", 0]) },
    ],
    [
      "answers no feature of a lot it is not for",
      { ...lotBid(on(LOT_B, 1)), ...parameters(["tenderer", 0], ["item of b", 0], ["lot a", 0]) },
      all,
    ],
    [
      "answers all of them when it is for all lots",
      { ...lotBid(on(LOT_A, 1), on(LOT_B, 1)), ...parameters(["tenderer", 0], ["item of b", 0]) },
      all,
    ],
    [
      "is told of missing parameters and missing lots together",
      { tenderers: [cook] },
      "parameters: All features parameters is required.",
      `lotValues: ${REQUIRED}`,
    ],
  ]);
});
