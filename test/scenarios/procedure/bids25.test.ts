import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { bidOf, cook } from "../../support/examples.ts";
import {
  assertRefusedByRule,
  bidsOf,
  errorsWithStatus,
  LOT_A,
  LOT_B,
  lotBid,
  onA,
  onBoth,
  onLot,
  REQUIRED,
  reachTendering,
  UNKNOWN_ID,
  withLots,
} from "../../support/procedure.ts";
import { expectStatus, sharedWorld } from "../../support/world.ts";

const { name: _unnamed, ...nameless } = cook;
const feature = (code: string, more: object = {}) => ({
  code,
  title: code,
  enum: [
    { value: 0.1, title: "так" },
    { value: 0, title: "ні" },
  ],
  ...more,
});
const parameters = (...given: [string, number][]) => ({ parameters: given.map(([code, value]) => ({ code, value })) });
const CHOICES = "Value must be one of ['active', 'draft'].";

type RefusedBid = readonly [sentence: string, bid: object, ...errors: [string, unknown][]];

const PLAIN: readonly RefusedBid[] = [
  ["has no value", { tenderers: [cook] }, ["body/value", [REQUIRED]]],
  ["has no tenderers", { value: { amount: 1 } }, ["body/tenderers", [REQUIRED]]],
  [
    "has an empty list of tenderers",
    bidOf(1, { tenderers: [] }),
    ["body/tenderers", ["Please provide at least 1 item."]],
  ],
  [
    "has two tenderers",
    bidOf(1, { tenderers: [cook, cook] }),
    ["body/tenderers", ["Please provide no more than 1 item."]],
  ],
  [
    "costs more than the tender",
    bidOf(500000.01),
    ["body/value", ["value of bid should be less than value of tender"]],
  ],
  [
    "is in another currency",
    { tenderers: [cook], value: { amount: 1, currency: "USD" } },
    ["body/value", ["currency of bid should be identical to currency of value of tender"]],
  ],
  [
    "is without VAT where the tender is with it",
    { tenderers: [cook], value: { amount: 1, valueAddedTaxIncluded: false } },
    ["body/value", ["valueAddedTaxIncluded of bid should be identical to valueAddedTaxIncluded of value of tender"]],
  ],
  [
    "has everything wrong with its value, of which the first is told",
    { tenderers: [cook], value: { amount: 500001, currency: "USD", valueAddedTaxIncluded: false } },
    ["body/value", ["value of bid should be less than value of tender"]],
  ],
  ["has a nameless tenderer", bidOf(1, { tenderers: [nameless] }), ["body/tenderers", [{ name: [REQUIRED] }]]],
  [
    "has a tenderer without a country and a scheme",
    bidOf(1, { tenderers: [{ ...cook, address: {}, identifier: { id: "1" } }] }),
    ["body/tenderers", [{ identifier: { scheme: [REQUIRED] }, address: { countryName: [REQUIRED] } }]],
  ],
  ["has an unknown field, which is told alone", { surprise: 1 }, ["body/surprise", "Rogue field"]],
  [
    "has an unknown field in its tenderer",
    bidOf(1, { tenderers: [{ ...cook, surprise: 1 }] }),
    ["body/tenderers", { surprise: "Rogue field" }],
  ],
  [
    "has an amount that is no number",
    bidOf(1, { value: { amount: "x" } }),
    ["body/value", { amount: ["Value 'x' is not float."] }],
  ],
  ["has no amount", bidOf(1, { value: {} }), ["body/value", { amount: [REQUIRED] }]],
  ["has a negative amount", bidOf(-1), ["body/value", { amount: ["Float value should be greater than 0."] }]],
  [
    "has a value that is text",
    bidOf(1, { value: "x" }),
    ["body/value", ["Please use a mapping for this field or Value instance instead of unicode."]],
  ],
  ["has another status", bidOf(1, { status: "invalid" }), ["body/status", [CHOICES]]],
  [
    "has a broken tenderer and no value, of which the rule about the value waits",
    { tenderers: [nameless] },
    ["body/tenderers", [{ name: [REQUIRED] }]],
  ],
  [
    "is for a lot where there are none",
    bidOf(1, { lotValues: [onLot(LOT_A, 1)] }),
    ["body/lotValues", [{ relatedLot: ["relatedLot should be one of lots"] }]],
  ],
  [
    "answers a feature where there are none",
    bidOf(1, parameters(["x", 0.1])),
    ["body/parameters", [{ code: ["code should be one of feature code."] }]],
  ],
];

const LOTS: readonly RefusedBid[] = [
  ["has no values for lots", { tenderers: [cook] }, ["body/lotValues", [REQUIRED]]],
  [
    "has one value for all lots",
    { ...onA(1), value: { amount: 1 } },
    ["body/value", ["value should be posted for each lot of bid"]],
  ],
  [
    "is for one lot twice",
    lotBid(onLot(LOT_A, 1), onLot(LOT_A, 2)),
    ["body/lotValues", ["bids don't allow duplicated proposals"]],
  ],
  [
    "is for an unknown lot",
    lotBid(onLot(UNKNOWN_ID, 1)),
    ["body/lotValues", [{ relatedLot: ["relatedLot should be one of lots"] }]],
  ],
  [
    "is for a lot whose id is none",
    lotBid(onLot("abc", 1)),
    ["body/lotValues", { relatedLot: ["Hash value is wrong length."] }],
  ],
  ["names no lot", lotBid({ value: { amount: 1 } }), ["body/lotValues", [{ relatedLot: [REQUIRED] }]]],
  ["has no value for its lot", lotBid({ relatedLot: LOT_A }), ["body/lotValues", [{ value: [REQUIRED] }]]],
  [
    "costs more than the lot",
    onBoth(1, 1000.01),
    ["body/lotValues", [{ value: ["value of bid should be less than value of lot"] }]],
  ],
  [
    "is in another currency than the lot",
    lotBid({ relatedLot: LOT_A, value: { amount: 1, currency: "USD" } }),
    ["body/lotValues", [{ value: ["currency of bid should be identical to currency of value of lot"] }]],
  ],
  [
    "is without VAT where the lot is with it",
    lotBid({ relatedLot: LOT_A, value: { amount: 1, valueAddedTaxIncluded: false } }),
    [
      "body/lotValues",
      [{ value: ["valueAddedTaxIncluded of bid should be identical to valueAddedTaxIncluded of value of lot"] }],
    ],
  ],
];

const ALL = ["body/parameters", ["All features parameters is required."]] as [string, unknown];

const FEATURES: readonly RefusedBid[] = [
  ["answers none", bidOf(1), ["body/parameters", [REQUIRED]]],
  ["answers one of two", bidOf(1, parameters(["x", 0.1])), ALL],
  [
    "answers one twice",
    bidOf(1, parameters(["x", 0.1], ["x", 0.1])),
    ["body/parameters", ["Parameter code should be uniq for all parameters"]],
  ],
  [
    "answers what was not asked",
    bidOf(1, parameters(["x", 0.1], ["z", 0.1])),
    ["body/parameters", [{ code: ["code should be one of feature code."] }]],
  ],
  [
    "answers what was not offered",
    bidOf(1, parameters(["x", 0.1], ["y", 0.15])),
    ["body/parameters", [{ value: ["value should be one of feature value."] }]],
  ],
  ["answers without a value", bidOf(1, { parameters: [{ code: "x" }] }), ["body/parameters", [{ value: [REQUIRED] }]]],
];

describe("a bid under 2.5", async () => {
  const world = await sharedWorld();
  const features = [feature("x"), feature("y")];
  const stories = [
    ["is refused if it", PLAIN, () => ({})],
    ["for lots is refused if it", LOTS, () => withLots(world.clock.now)],
    ["where features count is refused if it", FEATURES, () => ({ features })],
  ] as const;

  for (const [prefix, table, more] of stories)
    for (const [sentence, bid, ...errors] of table)
      it(`${prefix} ${sentence}`, async () => {
        const { api, path } = await reachTendering(world, [], more());
        assert.deepEqual(errorsWithStatus(422, await api.post(`${path}/bids`, bid)), errors);
      });

  it("may be as high as the value of the tender and of the lot", async () => {
    await reachTendering(world, bidsOf(500000));
    await reachTendering(world, [onBoth(1000, 1000)], withLots(world.clock.now));
  });

  const lotFeatures = () => [feature("x"), feature("y", { featureOf: "lot", relatedItem: LOT_B })];

  it("answers the features of its own lots, and no others", async () => {
    const story = await reachTendering(world, [], { ...withLots(world.clock.now), features: lotFeatures() });
    const post = (bid: object) => story.api.post(`${story.path}/bids`, bid);
    expectStatus(201, await post({ ...onA(1), ...parameters(["x", 0.1]) }));
    expectStatus(201, await post({ ...onBoth(1, 1), ...parameters(["x", 0.1], ["y", 0]) }));
    assert.deepEqual(errorsWithStatus(422, await post({ ...onA(1), ...parameters(["x", 0.1], ["y", 0]) })), [ALL]);
    assert.deepEqual(errorsWithStatus(422, await post({ ...onBoth(1, 1), ...parameters(["x", 0.1]) })), [ALL]);
  });

  it("without parameters for the features of its lots gets the error that all are required", async () => {
    const story = await reachTendering(world, [], { ...withLots(world.clock.now), features: lotFeatures() });
    assert.deepEqual(errorsWithStatus(422, await story.api.post(`${story.path}/bids`, onA(1))), [ALL]);
  });

  it("with neither lots nor parameters gets an error for each", async () => {
    const story = await reachTendering(world, [], { ...withLots(world.clock.now), features: lotFeatures() });
    const errors = errorsWithStatus(422, await story.api.post(`${story.path}/bids`, { tenderers: [cook] }));
    assert.deepEqual(errors.map(([name]) => name).toSorted(), ["body/lotValues", "body/parameters"]);
  });

  it("is validated even if it is a draft", async () => {
    const { api, path } = await reachTendering(world);
    const refused = await api.post(`${path}/bids`, { tenderers: [cook], status: "draft" });
    assert.deepEqual(errorsWithStatus(422, refused), [["body/value", [REQUIRED]]]);
  });

  it("is validated as a whole when it is changed", async () => {
    const { api, bidders } = await reachTendering(world, bidsOf(1));
    const [{ path, token }] = bidders as [(typeof bidders)[0]];
    const patch = (data: object) => api.patch(path, data, { token });
    assert.deepEqual(errorsWithStatus(422, await patch({ value: { amount: 500001 } })), [
      ["body/value", ["value of bid should be less than value of tender"]],
    ]);
    assert.deepEqual(errorsWithStatus(422, await patch({ value: null })), [["body/value", [REQUIRED]]]);
    assertRefusedByRule(await patch({ status: "draft" }), "Can't update bid to (draft) status", "bid");
  });

  it("gets the currency of the tender by default", async () => {
    const money = { currency: "USD", valueAddedTaxIncluded: false };
    const { bidders } = await reachTendering(world, bidsOf(1), {
      value: { amount: 10, ...money },
      minimalStep: { amount: 1, ...money },
    });
    assert.deepEqual(bidders[0]!.data.value, { amount: 1, ...money });
  });
});
