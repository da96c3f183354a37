import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { linesOf } from "../../../test/support/decisions.ts";
import { LOT_A, LOT_B, lotOf, meals, NOBODY } from "../../../test/support/domainCommands.ts";
import { published } from "../../../test/support/scenes.ts";
import type { Feature, Tender } from "../model/tender.ts";
import { decimal } from "../values/decimal.ts";
import { checkFeatures, featuresOf } from "./features.ts";

const REQUIRED = "This field is required.";
const featureOf = (code: string, values: readonly string[], more: Partial<Feature> = {}): Feature => ({
  code,
  title: code,
  featureOf: "tenderer",
  enum: values.map((value) => ({ value: decimal(value), title: value })),
  ...more,
});
const plain = published({ items: [{ ...meals, id: "1" }] }).tender;
const items = [
  { ...meals, id: "1", relatedLot: LOT_A },
  { ...meals, id: "2", relatedLot: LOT_B },
  { ...meals, id: "3" },
];
const withLots = published({ lots: [lotOf(LOT_A), lotOf(LOT_B)], items }).tender;
const ofLot = (relatedItem: string, ...values: string[]) =>
  featureOf(`lot ${relatedItem}`, values, { featureOf: "lot", relatedItem });
const ofItem = (relatedItem: string, ...values: string[]) =>
  featureOf(`item ${relatedItem}`, values, { featureOf: "item", relatedItem });
const problemsWith = (tender: Tender, ...features: Feature[]) => linesOf(checkFeatures({ ...tender, features }));

const TOO_HEAVY = "features: Sum of max value of all features should be less then or equal to 30%";
const TOO_HEAVY_FOR_LOT = "features: Sum of max value of all features for lot should be less then or equal to 30%";

describe("a feature", () => {
  for (const [sentence, feature, ...lines] of [
    ["has a title and values", { code: "a" }, `title: ${REQUIRED}`, `enum: ${REQUIRED}`],
    ["has a code that is not empty", featureOf("", ["0.1"]), "code: String value is too short."],
    ["has at least one value", featureOf("a", []), "enum: Please provide at least 1 item."],
    [
      "has values with a title and a number",
      { ...featureOf("a", []), enum: [{}] },
      `enum.0.title: ${REQUIRED}`,
      `enum.0.value: ${REQUIRED}`,
    ],
    ["may be worth nothing", featureOf("a", ["0"])],
    [
      "is worth no less than nothing",
      featureOf("a", ["-0.01"]),
      "enum.0.value: Float value should be greater than 0.0.",
    ],
    ["may be worth 30 percent", featureOf("a", ["0.3"])],
    ["has different values", featureOf("a", ["0.1", "0.10"]), "enum: Feature value should be uniq for feature"],
    ["of an item names it", featureOf("a", ["0.1"], { featureOf: "item" }), `relatedItem: ${REQUIRED}`],
    ["of an item names one that is there", ofItem("9", "0.1"), "relatedItem: relatedItem should be one of items"],
    ["of a lot names one that is there", ofLot(NOBODY, "0.1"), "relatedItem: relatedItem should be one of lots"],
    ["of an item may be about any item", ofItem("1", "0.1")],
  ] as readonly (readonly [string, Feature, ...string[]])[])
    it(sentence, () => {
      assert.deepEqual(
        problemsWith(plain, feature),
        lines.map((line) => `features.0.${line}`),
      );
    });

  it("may not weigh more than 30 percent", () => {
    assert.deepEqual(problemsWith(plain, featureOf("a", ["0.31"])), [
      "features.0.enum.0.value: Float value should be less than 0.3.",
      TOO_HEAVY,
    ]);
  });

  it("has a code of its own", () => {
    const twice = [featureOf("a", ["0.1"]), featureOf("a", ["0.1"])];
    assert.deepEqual(problemsWith(plain, ...twice), ["features: Feature code should be uniq for all features"]);
    assert.deepEqual(problemsWith(plain, featureOf("a", ["0.1"]), featureOf("b", ["0.1"])), []);
  });
});

describe("features together", () => {
  it("weigh 30 percent at most: of each its largest value counts", () => {
    assert.deepEqual(problemsWith(plain, featureOf("a", ["0", "0.2"]), featureOf("b", ["0.1", "0.05"])), []);
    assert.deepEqual(problemsWith(plain, featureOf("a", ["0.2"]), featureOf("b", ["0.1000001"])), [TOO_HEAVY]);
  });

  it("weigh for each lot by itself: those of the tenderer, of the lot and of its items", () => {
    const shared = featureOf("all", ["0.1"]);
    assert.deepEqual(problemsWith(withLots, shared, ofLot(LOT_A, "0.1"), ofItem("1", "0.1")), []);
    assert.deepEqual(problemsWith(withLots, shared, ofLot(LOT_A, "0.1"), ofItem("1", "0.11")), [TOO_HEAVY_FOR_LOT]);
    assert.deepEqual(problemsWith(withLots, ofLot(LOT_A, "0.3"), ofLot(LOT_B, "0.3"), ofItem("3", "0.3")), []);
    assert.deepEqual(problemsWith(withLots, ofLot(LOT_A, "0.1"), ofLot(LOT_B, "0.2"), ofItem("2", "0.11")), [
      TOO_HEAVY_FOR_LOT,
    ]);
  });
});

describe("the features that count for lots", () => {
  const features = [featureOf("all", ["0.1"]), ofLot(LOT_A), ofLot(LOT_B), ofItem("1"), ofItem("2"), ofItem("3")];
  const tender = { ...withLots, features };
  const [a, b] = tender.lots;
  const codes = (...lots: (typeof tender.lots)[number][]) => featuresOf(tender, lots).map(({ code }) => code);

  it("are those of the tenderer, of the lots and of the items in them", () => {
    assert.deepEqual(codes(a!), ["all", `lot ${LOT_A}`, "item 1"]);
    assert.deepEqual(codes(b!), ["all", `lot ${LOT_B}`, "item 2"]);
    assert.deepEqual(codes(a!, b!), ["all", `lot ${LOT_A}`, `lot ${LOT_B}`, "item 1", "item 2"]);
    assert.deepEqual(codes(), ["all"]);
  });

  it("are empty if the tender has none", () => {
    assert.deepEqual(featuresOf({ ...withLots, features: undefined }, withLots.lots), []);
    const bare = { ...tender, items: undefined };
    assert.deepEqual(
      featuresOf(bare, [a!]).map(({ code }) => code),
      ["all", `lot ${LOT_A}`],
    );
  });

  it("are not those of an item by the id of a lot, nor of a lot by the id of an item", () => {
    const crossed = [
      featureOf("x", ["0.1"], { featureOf: "item", relatedItem: LOT_A }),
      featureOf("y", ["0.1"], { featureOf: "lot", relatedItem: "1" }),
    ];
    assert.deepEqual(featuresOf({ ...tender, features: crossed }, [a!]), []);
  });
});
