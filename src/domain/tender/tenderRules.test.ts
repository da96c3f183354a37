import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  DEADLINE,
  LOT_A,
  lotOf,
  meals,
  money,
  START,
  TENDERING,
  tenderFields,
} from "../../../test/support/domainCommands.ts";
import { cook, school } from "../../../test/support/organizations.ts";
import { plain, problemsOf, published } from "../../../test/support/scenes.ts";
import type { TenderInput } from "../model/commands.ts";
import type { Bid, Item } from "../model/tender.ts";
import { DAY } from "../values/time.ts";
import { checkGivenBid } from "./tenderRules.ts";

const REQUIRED = "This field is required.";
const TOO_EARLY = "period should begin before its end";
const dollars = { currency: "USD" };
const withoutVat = { valueAddedTaxIncluded: false };

const classified = (...codes: readonly string[]): { readonly items: readonly Item[] } => ({
  items: codes.map((id) => ({ ...meals, classification: { id, description: "-" } })),
});

/** What is sent in place of the complete tender's fields, and everything that is then wrong: nothing if it is accepted. */
type Row = readonly [sentence: string, fields: TenderInput, ...lines: string[]];

const REQUIREMENTS: readonly Row[] = [
  ["may say no more than is required", {}],
  ["needs a title", { title: undefined }, `title: ${REQUIRED}`],
  ["needs a buyer", { procuringEntity: undefined }, `procuringEntity: ${REQUIRED}`],
  [
    "has a buyer in full",
    { procuringEntity: { ...school, address: {} } },
    `procuringEntity.address.countryName: ${REQUIRED}`,
  ],
  ["needs a value", { value: undefined }, `value: ${REQUIRED}`],
  ["needs a step", { minimalStep: undefined }, `minimalStep: ${REQUIRED}`],
  ["needs no step if it has lots", { minimalStep: undefined, lots: [lotOf(LOT_A)] }],
  [
    "needs no step of its own even if a lot lacks its",
    { minimalStep: undefined, lots: [lotOf(LOT_A, "9", { minimalStep: undefined })] },
    `lots.0.minimalStep: ${REQUIRED}`,
  ],
  ["needs enquiries", { enquiryPeriod: undefined }, `enquiryPeriod: ${REQUIRED}`],
  ["needs an end of enquiries", { enquiryPeriod: {} }, `enquiryPeriod.endDate: ${REQUIRED}`],
  ["needs a tender period", { tenderPeriod: undefined }, `tenderPeriod: ${REQUIRED}`],
  ["needs an end of the tender period", { tenderPeriod: {} }, `tenderPeriod.endDate: ${REQUIRED}`],
  ["needs items", { items: undefined }, `items: ${REQUIRED}`],
  ["needs at least one item", { items: [] }, "items: Please provide at least 1 item."],
  ["may have an empty title", { title: "" }],
];

const MONEY: readonly Row[] = [
  ["the step may equal the value", { minimalStep: money("500000") }],
  [
    "the step does not exceed the value",
    { minimalStep: money("500000.01") },
    "minimalStep: value should be less than value of tender",
  ],
  [
    "the step is in the currency of the value",
    { minimalStep: money("1", dollars) },
    "minimalStep: currency should be identical to currency of value of tender",
  ],
  [
    "the step has VAT as the value has",
    { minimalStep: money("1", withoutVat) },
    "minimalStep: valueAddedTaxIncluded should be identical to valueAddedTaxIncluded of value of tender",
  ],
  [
    "of the step only the first problem is reported",
    { minimalStep: money("500001", { ...dollars, ...withoutVat }) },
    "minimalStep: value should be less than value of tender",
  ],
  [
    "of the step the currency is reported before VAT",
    { minimalStep: money("1", { ...dollars, ...withoutVat }) },
    "minimalStep: currency should be identical to currency of value of tender",
  ],
  ["a step of nothing may be in any money", { minimalStep: money("0", { ...dollars, ...withoutVat }) }],
  [
    "with lots the step is in the currency of the value",
    { minimalStep: money("1", dollars), lots: [lotOf(LOT_A)] },
    "minimalStep: currency should be identical to currency of value of tender",
  ],
  [
    "with lots the step may exceed what the tender says, because theirs count",
    { value: money("1"), minimalStep: money("5"), lots: [lotOf(LOT_A)] },
  ],
  ["a step of a tender of no value has nothing to exceed", { value: { currency: "UAH" } }, `value.amount: ${REQUIRED}`],
  [
    "a value, a step and a guarantee have amounts",
    { minimalStep: {}, guarantee: {} },
    `minimalStep.amount: ${REQUIRED}`,
    `guarantee.amount: ${REQUIRED}`,
  ],
];

const PERIODS: readonly Row[] = [
  ["enquiries may end this very moment", { enquiryPeriod: { endDate: START } }],
  [
    "enquiries have not ended before now",
    { enquiryPeriod: { endDate: START - 1 } },
    `enquiryPeriod.startDate: ${TOO_EARLY}`,
  ],
  ["a tender period may end when it begins", { tenderPeriod: { startDate: TENDERING, endDate: TENDERING } }],
  [
    "a tender period does not end before it begins",
    { tenderPeriod: { startDate: DEADLINE, endDate: DEADLINE - 1 } },
    `tenderPeriod.startDate: ${TOO_EARLY}`,
  ],
  [
    "a tender period that leaves out its begin does not end before enquiries",
    { tenderPeriod: { endDate: TENDERING - 1 } },
    `tenderPeriod.startDate: ${TOO_EARLY}`,
  ],
  [
    "a tender period does not begin before enquiries end",
    { tenderPeriod: { startDate: TENDERING - 1, endDate: DEADLINE } },
    "tenderPeriod: period should begin after enquiryPeriod",
  ],
  ["a planned award may begin when bidding ends", { plannedAwardPeriod: { startDate: DEADLINE } }],
  [
    "a planned award does not begin before bidding ends",
    { plannedAwardPeriod: { startDate: DEADLINE - 1 } },
    "plannedAwardPeriod: period should begin after tenderPeriod",
  ],
  ["a planned award may name its end alone", { plannedAwardPeriod: { endDate: START } }],
  [
    "a planned award does not end before it begins",
    { plannedAwardPeriod: { startDate: DEADLINE + DAY, endDate: DEADLINE } },
    `plannedAwardPeriod.startDate: ${TOO_EARLY}`,
  ],
  [
    "a delivery of the whole does not end before it begins",
    { deliveryDate: { startDate: 2, endDate: 1 } },
    `deliveryDate.startDate: ${TOO_EARLY}`,
  ],
];

describe("a tender below the thresholds", () => {
  for (const [sentence, fields, ...lines] of [...REQUIREMENTS, ...MONEY, ...PERIODS])
    it(sentence, () => {
      assert.deepEqual(problemsOf("belowThreshold", tenderFields(fields)), lines);
    });

  it("gets defaults for omitted fields", () => {
    const { tender } = published({
      ...classified("55523100-3"),
      guarantee: money("1"),
      features: [{ title: "Якість", enum: [{ title: "-", value: money("0.1").amount }] }],
    });
    const uah = { currency: "UAH", valueAddedTaxIncluded: true };
    assert.deepEqual(tender.value, money("500000", uah));
    assert.deepEqual(tender.minimalStep, money("5000", uah));
    assert.deepEqual(tender.guarantee, money("1", { currency: "UAH" }));
    assert.equal(tender.procuringEntity!.kind, "general");
    assert.equal(tender.items![0]!.classification!.scheme, "ДК021");
    assert.match(tender.items![0]!.id!, /^[0-9a-f]{32}$/);
    assert.match(tender.features![0]!.code!, /^[0-9a-f]{32}$/);
    assert.equal(tender.features![0]!.featureOf, "tenderer");
    assert.deepEqual(tender.tenderPeriod, { startDate: TENDERING, endDate: DEADLINE });
  });

  it("keeps the given fields", () => {
    const classification = { scheme: "CPV", id: "55523100-3", description: "-" };
    const { tender } = published({
      value: money("9", { ...dollars, ...withoutVat }),
      minimalStep: money("1", { ...dollars, ...withoutVat }),
      procuringEntity: { ...school, kind: "special" },
      items: [{ ...meals, id: "1", classification }],
      tenderPeriod: { startDate: TENDERING + DAY, endDate: DEADLINE },
    });
    assert.deepEqual(tender.value, money("9", { ...dollars, ...withoutVat }));
    assert.deepEqual([tender.procuringEntity!.kind, tender.items![0]!.id], ["special", "1"]);
    assert.deepEqual(tender.items![0]!.classification, classification);
    assert.equal(tender.tenderPeriod!.startDate, TENDERING + DAY);
  });
});

describe("a plain tender", () => {
  for (const [sentence, fields, ...lines] of [
    ["needs nothing", {}],
    ["may have an item that says nothing", { items: [{}] }],
    ["may have items of any class", classified("11111111-1", "22222222-2", "x")],
    ["has a value with an amount", { value: {} }, `value.amount: ${REQUIRED}`],
    ["may have a step without a value, and a value without a step", { minimalStep: money("1") }],
    [
      "has no step above its value",
      { value: money("1"), minimalStep: money("2") },
      "minimalStep: value should be less than value of tender",
    ],
    ["may say its tender period without enquiries", { tenderPeriod: { startDate: START, endDate: START } }],
    ["may say enquiries without a tender period", { enquiryPeriod: { endDate: START } }],
  ] as readonly Row[])
    it(sentence, () => {
      assert.deepEqual(problemsOf("basic", fields), lines);
    });

  it("gets only ids and currencies by default", () => {
    const { tender } = plain({
      procuringEntity: { name: "-" },
      items: [{ classification: { id: "1" } }],
      tenderPeriod: { endDate: DEADLINE },
    });
    assert.deepEqual(tender.procuringEntity, { name: "-" });
    assert.deepEqual(tender.items![0]!.classification, { id: "1" });
    assert.deepEqual(tender.tenderPeriod, { endDate: DEADLINE });
    for (const name of ["value", "minimalStep", "guarantee", "features"]) assert.ok(!(name in tender), name);
  });

  it("needs a bidder and a valid value for a bid", () => {
    const lines = (bid: Partial<Bid>) => checkGivenBid(bid as Bid).map(({ path }) => path.join("."));
    assert.deepEqual(lines({}), ["tenderers"]);
    assert.deepEqual(lines({ tenderers: [] }), ["tenderers"]);
    assert.deepEqual(lines({ tenderers: [cook, {}], value: {} }), ["value.amount"]);
    assert.deepEqual(lines({ tenderers: [cook], lotValues: [{}, { value: {} }] }), ["lotValues.1.value.amount"]);
  });
});
