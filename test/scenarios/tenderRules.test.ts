import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { DAY, formatTime, fullTender, school } from "../support/examples.ts";
import { errorsOf, expectStatus, START, sharedWorld } from "../support/world.ts";

const [meals] = fullTender().items;
const itemOf = (more: object = {}) => ({ ...meals, ...more });
const classified = (id: string, more: object = {}) =>
  itemOf({ classification: { id, description: "Послуги" }, additionalClassifications: undefined, ...more });
const entityWith = (more: object) => ({ procuringEntity: { ...school, ...more } });
const money = (amount: number, more: object = {}) => ({ amount, ...more });
const option = (value: number) => ({ value, title: `${value}` });
const featureOf = (code: string, values: readonly number[], more: object = {}) => ({
  code,
  title: code,
  enum: values.map(option),
  ...more,
});
const LOT_A = "a".repeat(32);
const LOT_B = "b".repeat(32);
const lotOf = (id: string, more: object = {}) => ({
  id,
  title: `Лот ${id.slice(0, 1)}`,
  value: money(300000),
  minimalStep: money(3000),
  ...more,
});

/** Fields that replace those of the complete tender, and the expected errors. */
type Row = readonly [sentence: string, sent: object, ...wrong: string[]];

const REQUIRED = "This field is required.";
const STEP = "minimalStep";

const MISSING: readonly Row[] = [
  [
    "an empty tender is told every field it needs, at once",
    Object.fromEntries(
      Object.keys(fullTender())
        .filter((name) => name !== "procurementMethodType")
        .map((name) => [name, undefined]),
    ),
    ...["title", "procuringEntity", "value", "minimalStep", "enquiryPeriod", "tenderPeriod", "items"].map(
      (name) => `${name}: ${REQUIRED}`,
    ),
  ],
  ["a value needs an amount", { value: {} }, `value.amount: ${REQUIRED}`],
  ["enquiries need an end", { enquiryPeriod: {} }, `enquiryPeriod.endDate: ${REQUIRED}`],
  ["the tender period needs an end", { tenderPeriod: {} }, `tenderPeriod.endDate: ${REQUIRED}`],
  [
    "an organisation needs a name, an identifier, an address and a contact point",
    { procuringEntity: {} },
    ...["name", "identifier", "address", "contactPoint"].map((name) => `procuringEntity.${name}: ${REQUIRED}`),
  ],
  [
    "an identifier needs its scheme and id",
    entityWith({ identifier: {} }),
    `procuringEntity.identifier.scheme: ${REQUIRED}`,
    `procuringEntity.identifier.id: ${REQUIRED}`,
  ],
  ["an address needs a country", entityWith({ address: {} }), `procuringEntity.address.countryName: ${REQUIRED}`],
  ["there is at least one item", { items: [] }, "items: Please provide at least 1 item."],
  [
    "an item needs a description and a classification",
    { items: [{}] },
    `items.0.description: ${REQUIRED}`,
    `items.0.classification: ${REQUIRED}`,
  ],
  [
    "a classification needs its id and description",
    { items: [itemOf(), itemOf({ classification: {} })] },
    `items.1.classification.id: ${REQUIRED}`,
    `items.1.classification.description: ${REQUIRED}`,
  ],
  [
    "a lot needs title, value and step",
    { lots: [{}] },
    ...["title", "value", "minimalStep"].map((name) => `lots.0.${name}: ${REQUIRED}`),
  ],
  [
    "a feature needs a title and values",
    { features: [{}] },
    `features.0.title: ${REQUIRED}`,
    `features.0.enum: ${REQUIRED}`,
  ],
  [
    "a feature's value needs its title and number",
    { features: [featureOf("a", [], { enum: [{}] })] },
    `features.0.enum.0.title: ${REQUIRED}`,
    `features.0.enum.0.value: ${REQUIRED}`,
  ],
];

const TOO_EARLY = "period should begin before its end";
const CROSS: readonly Row[] = [
  [
    "the step may not exceed the value",
    { [STEP]: money(500001) },
    `${STEP}: value should be less than value of tender`,
  ],
  [
    "the step is in the currency of the value",
    { [STEP]: money(5000, { currency: "USD" }) },
    `${STEP}: currency should be identical to currency of value of tender`,
  ],
  [
    "the step has VAT as the value has",
    { [STEP]: money(5000, { valueAddedTaxIncluded: false }) },
    `${STEP}: valueAddedTaxIncluded should be identical to valueAddedTaxIncluded of value of tender`,
  ],
  [
    "of the step only the first thing that is wrong is told: amount, then currency, then VAT",
    { [STEP]: money(500001, { currency: "USD", valueAddedTaxIncluded: false }) },
    `${STEP}: value should be less than value of tender`,
  ],
  [
    "a tender period that ends before it begins",
    { tenderPeriod: { startDate: formatTime(START + 10 * DAY), endDate: formatTime(START + 9 * DAY) } },
    `tenderPeriod.startDate: ${TOO_EARLY}`,
  ],
  [
    "enquiries that ended before now",
    { enquiryPeriod: { endDate: formatTime(START - 1) } },
    `enquiryPeriod.startDate: ${TOO_EARLY}`,
  ],
  [
    "a tender period that ends before the enquiries, when its start is left out",
    { tenderPeriod: { endDate: formatTime(START + 6 * DAY) } },
    `tenderPeriod.startDate: ${TOO_EARLY}`,
  ],
  [
    "a tender period that begins during the enquiries",
    { tenderPeriod: { startDate: formatTime(START + 7 * DAY - 1), endDate: formatTime(START + 14 * DAY) } },
    "tenderPeriod: period should begin after enquiryPeriod",
  ],
  [
    "a delivery that ends before it begins",
    { items: [itemOf({ deliveryDate: { startDate: formatTime(START + DAY), endDate: formatTime(START) } })] },
    `items.0.deliveryDate.startDate: ${TOO_EARLY}`,
  ],
  [
    "two items with one id",
    { items: [itemOf({ id: "x" }), itemOf({ id: "x" })] },
    "items: Item id should be uniq for all items",
  ],
  [
    "items of two classes",
    { items: [classified("55523100-3"), classified("55600000-0")] },
    "items: CPV class of items should be identical",
  ],
  [
    "medicines beside what is none",
    { items: [classified("33600000-6"), classified("33700000-7")] },
    "items: CPV group of items be identical",
  ],
  [
    "what no code describes, without a second classification",
    { items: [classified("99999999-9")] },
    `items.0.additionalClassifications: ${REQUIRED}`,
  ],
  [
    "what no code describes, with a second classification of any scheme",
    { items: [classified("99999999-9", { additionalClassifications: meals!.additionalClassifications })] },
    "items.0.additionalClassifications: One of additional classifications should be one of [ДК003, ДК015, ДК018, specialNorms].",
  ],
  [
    "an item of an unknown lot",
    { items: [itemOf({ relatedLot: LOT_B })], lots: [lotOf(LOT_A)] },
    "items.0.relatedLot: relatedLot should be one of lots",
  ],
  [
    "an item of a lot where there are none",
    { items: [itemOf({ relatedLot: LOT_B })] },
    "items.0.relatedLot: relatedLot should be one of lots",
  ],
  ["two lots with one id", { lots: [lotOf(LOT_A), lotOf(LOT_A)] }, "lots: Lot id should be uniq for all lots"],
  [
    "a lot whose step exceeds its value",
    { lots: [lotOf(LOT_A, { minimalStep: money(300001) }), lotOf(LOT_B)] },
    "lots.0.minimalStep: value should be less than value of lot",
  ],
  [
    "lots with guarantees in two currencies",
    { lots: [lotOf(LOT_A, { guarantee: money(1, { currency: "USD" }) }), lotOf(LOT_B, { guarantee: money(1) })] },
    "lots: lot guarantee currency should be identical to tender guarantee currency",
  ],
];

const FEATURES: readonly Row[] = [
  [
    "two features with one code",
    { features: [featureOf("a", [0.1]), featureOf("a", [0.1])] },
    "features: Feature code should be uniq for all features",
  ],
  [
    "a feature with one value twice",
    { features: [featureOf("a", [0.1, 0.1])] },
    "features.0.enum: Feature value should be uniq for feature",
  ],
  [
    "a feature without any value",
    { features: [featureOf("a", [])] },
    "features.0.enum: Please provide at least 1 item.",
  ],
  [
    "a feature that weighs more than 30 percent",
    { features: [featureOf("a", [0.31])] },
    "features.0.enum.0.value: Float value should be less than 0.3.",
    "features: Sum of max value of all features should be less then or equal to 30%",
  ],
  [
    "features that together weigh more than 30 percent",
    { features: [featureOf("a", [0.2, 0]), featureOf("b", [0.1000001])] },
    "features: Sum of max value of all features should be less then or equal to 30%",
  ],
  [
    "features that together weigh more than 30 percent in one lot",
    {
      lots: [lotOf(LOT_A), lotOf(LOT_B)],
      items: [itemOf({ id: "1", relatedLot: LOT_A })],
      features: [
        featureOf("tenderer", [0.1]),
        featureOf("lot", [0.1], { featureOf: "lot", relatedItem: LOT_A }),
        featureOf("item", [0.11], { featureOf: "item", relatedItem: "1" }),
      ],
    },
    "features: Sum of max value of all features for lot should be less then or equal to 30%",
  ],
  [
    "a feature of an item that names none",
    { features: [featureOf("a", [0.1], { featureOf: "item" })] },
    `features.0.relatedItem: ${REQUIRED}`,
  ],
  [
    "a feature of a lot that names none",
    { features: [featureOf("a", [0.1], { featureOf: "lot" })] },
    `features.0.relatedItem: ${REQUIRED}`,
  ],
  [
    "a feature of an unknown item",
    { features: [featureOf("a", [0.1], { featureOf: "item", relatedItem: "?" })] },
    "features.0.relatedItem: relatedItem should be one of items",
  ],
  [
    "a feature of an unknown lot",
    { features: [featureOf("a", [0.1], { featureOf: "lot", relatedItem: LOT_A })] },
    "features.0.relatedItem: relatedItem should be one of lots",
  ],
  [
    "a feature of something else",
    { features: [featureOf("a", [0.1], { featureOf: "planet" })] },
    "features.0.featureOf: Value must be one of ['tenderer', 'lot', 'item'].",
  ],
  [
    "a feature's value below zero",
    { features: [featureOf("a", [-0.1])] },
    "features.0.enum.0.value: Float value should be greater than 0.0.",
  ],
];

describe("a belowThreshold tender is refused, with each invalid field named, when", async () => {
  const world = await sharedWorld();
  const api = world.api("2.3");

  for (const [sentence, sent, ...wrong] of [...MISSING, ...CROSS, ...FEATURES])
    it(sentence, async () => {
      const response = expectStatus(422, await api.post("/tenders", { ...fullTender(), ...sent }));
      assert.deepEqual(errorsOf(response).sort(), wrong.map((message) => `body/${message}`).sort());
    });

  it("several unrelated fields are invalid: all are reported together", async () => {
    const response = await api.post("/tenders", {
      ...fullTender(),
      title: undefined,
      colour: "red",
      value: { amount: "much" },
      items: [itemOf(), itemOf({ quantity: "few", taste: "good" })],
      tenderPeriod: { endDate: "soon" },
    });
    assert.deepEqual(errorsOf(expectStatus(422, response)).sort(), [
      "body/colour: Rogue field",
      "body/items.1.quantity: Value 'few' is not float.",
      "body/items.1.taste: Rogue field",
      "body/tenderPeriod.endDate: Could not parse soon. Should be ISO8601.",
      "body/title: This field is required.",
      "body/value.amount: Value 'much' is not float.",
    ]);
  });

  it("it is invalid: nothing of it is stored", async () => {
    assert.deepEqual((await api.get("/tenders?mode=_all_")).body.data, []);
  });
});
