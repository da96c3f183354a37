import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { linesOf, OWNER } from "../../../test/support/decisions.ts";
import {
  addLot,
  editLot,
  LOT_A,
  LOT_B,
  lotOf,
  meals,
  money,
  NOBODY,
  removeLot,
  tenderFields,
} from "../../../test/support/domainCommands.ts";
import { plain, problemsOf, published } from "../../../test/support/scenes.ts";
import type { TenderInput } from "../model/commands.ts";
import type { Lot } from "../model/tender.ts";
import { PROCEDURES } from "../procedures/index.ts";
import { checkGuarantees, withLotTotals } from "./lotRules.ts";

const REQUIRED = "This field is required.";
const problemsWith = (fields: TenderInput): string =>
  problemsOf("belowThreshold", tenderFields(fields)).join("; ") || "ok";

describe("a lot", () => {
  const STEP = "lots.0.minimalStep: value should be less than value of lot";
  const { id: _none, ...nameless } = lotOf("");
  for (const [sentence, lot, line] of [
    [
      "needs a title, a value and a step",
      {},
      ["title", "value", "minimalStep"].map((name) => `lots.0.${name}: ${REQUIRED}`).join("; "),
    ],
    ["may leave its id to the service", nameless, "ok"],
    ["has an id of 32 digits", lotOf("abc"), "lots.0.id: Hash value is wrong length."],
    ["has an id of hexadecimal digits", lotOf("z".repeat(32)), "lots.0.id: Hash value is not hexadecimal."],
    ["has an id in lower case", lotOf("A".repeat(32)), "lots.0.id: Hash value is not hexadecimal."],
    ["has a title that is not empty", lotOf(LOT_A, "9", { title: "" }), "lots.0.title: String value is too short."],
    ["has a value with an amount", lotOf(LOT_A, "9", { value: {} }), `lots.0.value.amount: ${REQUIRED}`],
    ["has a step with an amount", lotOf(LOT_A, "9", { minimalStep: {} }), `lots.0.minimalStep.amount: ${REQUIRED}`],
    ["has a guarantee with an amount", lotOf(LOT_A, "9", { guarantee: {} }), `lots.0.guarantee.amount: ${REQUIRED}`],
    ["may have a step as large as its value", lotOf(LOT_A, "9", { minimalStep: money("9") }), "ok"],
    ["has no step above its value", lotOf(LOT_A, "9", { minimalStep: money("9.01") }), STEP],
    ["of no value has no step either", lotOf(LOT_A, "0", { minimalStep: money("0.01") }), STEP],
  ] as readonly (readonly [string, Partial<Lot>, string])[])
    it(sentence, () => {
      assert.equal(problemsWith({ lots: [lot] }), line);
    });

  it("has an id of its own among the lots", () => {
    assert.equal(problemsWith({ lots: [lotOf(LOT_A), lotOf(LOT_A)] }), "lots: Lot id should be uniq for all lots");
    assert.equal(problemsWith({ lots: [lotOf(LOT_A), lotOf(LOT_B)] }), "ok");
  });

  it("is there if an item names it", () => {
    const items = (relatedLot?: string) => ({ items: [{ ...meals, relatedLot }] });
    const unknown = "items.0.relatedLot: relatedLot should be one of lots";
    assert.equal(problemsWith({ lots: [lotOf(LOT_A)], ...items(LOT_B) }), unknown);
    assert.equal(problemsWith(items(LOT_A)), unknown);
    assert.equal(problemsWith({ lots: [lotOf(LOT_A)], ...items(LOT_A) }), "ok");
    assert.equal(problemsWith({ lots: [lotOf(LOT_A)], ...items() }), "ok");
  });
});

describe("the guarantees of lots", () => {
  const inMoney = (currency?: string) => ({ guarantee: money("1", { currency }) });
  const DIFFERS = ["lots: lot guarantee currency should be identical to tender guarantee currency"];

  it("are all in one currency, which is UAH by default", () => {
    const lines = (...lots: readonly { guarantee?: object }[]) => linesOf(checkGuarantees(lots as Lot[]));
    assert.deepEqual(lines(), []);
    assert.deepEqual(lines({}, inMoney("USD")), []);
    assert.deepEqual(lines(inMoney("USD"), inMoney("USD")), []);
    assert.deepEqual(lines(inMoney(), inMoney("UAH")), []);
    assert.deepEqual(lines(inMoney("USD"), inMoney("EUR")), DIFFERS);
    assert.deepEqual(lines(inMoney("USD"), inMoney()), DIFFERS);
  });
});

describe("the amounts of a tender with lots", () => {
  const usd = { currency: "USD", valueAddedTaxIncluded: false };

  it("are the sum of their values, the smallest of their steps and the sum of their guarantees", () => {
    const lots = [
      lotOf(LOT_A, "0.1", { minimalStep: money("0.03"), guarantee: money("0.1", { currency: "USD" }) }),
      lotOf(LOT_B, "0.2", { minimalStep: money("0.02"), guarantee: money("0.2", { currency: "USD" }) }),
    ];
    const { value, minimalStep, guarantee } = published({ lots }).tender;
    assert.deepEqual([value!.amount, minimalStep!.amount], ["0.3", "0.02"]);
    assert.deepEqual(guarantee, money("0.3", { currency: "USD" }));
  });

  it("give the lots their currency and VAT, whatever these say", () => {
    const other = money("300", { currency: "EUR", valueAddedTaxIncluded: true });
    const lots = [
      lotOf(LOT_A, "300", { value: other, minimalStep: other, guarantee: money("2", { currency: "EUR" }) }),
    ];
    const fields = { value: money("1", usd), minimalStep: money("1", usd), guarantee: money("1", { currency: "GBP" }) };
    const { lots: inMoney, guarantee } = published({ ...fields, lots }).tender;
    assert.deepEqual(inMoney[0]!.value, money("300", usd));
    assert.deepEqual(inMoney[0]!.minimalStep, money("300", usd));
    assert.deepEqual(inMoney[0]!.guarantee, money("2", { currency: "GBP" }));
    assert.deepEqual(guarantee, money("2", { currency: "GBP" }));
  });

  it("need no step of the tender's own: it is in the money of the value", () => {
    const { minimalStep } = published({ value: money("1", usd), minimalStep: undefined, lots: [lotOf(LOT_A)] }).tender;
    assert.deepEqual(minimalStep, money("1", usd));
    assert.equal(problemsWith({ minimalStep: undefined }), `minimalStep: ${REQUIRED}`);
    assert.equal(problemsWith({ minimalStep: undefined, lots: [lotOf(LOT_A)] }), "ok");
  });

  it("keep the tender's guarantee if no lot has one, and are absent if there is none", () => {
    const guarantee = money("7", { currency: "EUR" });
    assert.deepEqual(published({ guarantee, lots: [lotOf(LOT_A)] }).tender.guarantee, guarantee);
    assert.equal(published({ lots: [lotOf(LOT_A)] }).tender.guarantee, undefined);
    const onlySecond = [lotOf(LOT_A), lotOf(LOT_B, "9", { guarantee: money("5") })];
    assert.deepEqual(published({ lots: onlySecond }).tender.guarantee, money("5", { currency: "UAH" }));
    assert.deepEqual(published({ lots: onlySecond }).tender.lots[1]!.guarantee, money("5", { currency: "UAH" }));
  });

  it("stay as they are where a lot lacks its own, or the tender has no value", () => {
    const { tender } = published({ lots: [lotOf(LOT_A), lotOf(LOT_B)] });
    const [first, second] = tender.lots;
    const { value: _no, ...valueless } = second!;
    const { minimalStep: _none, ...stepless } = second!;
    for (const changed of [
      { ...tender, lots: [] },
      { ...tender, value: undefined },
      { ...tender, lots: [first!, valueless] },
      { ...tender, lots: [first!, stepless] },
      { ...tender, lots: [valueless, first!] },
    ])
      assert.equal(withLotTotals(changed, PROCEDURES.belowThreshold), changed);
  });

  it("are in UAH with VAT in a plain tender that does not say", () => {
    const { tender } = plain({ lots: [lotOf(LOT_A, "5")], value: { amount: money("1").amount } });
    const uah = { currency: "UAH", valueAddedTaxIncluded: true };
    assert.deepEqual([tender.value, tender.minimalStep], [money("5", uah), money("1", uah)]);
    assert.deepEqual(tender.lots[0]!.value, money("5", uah));
    const bare = withLotTotals({ ...tender, value: money("1"), minimalStep: undefined }, PROCEDURES.basic);
    assert.deepEqual(bare.minimalStep, money("1", uah));
  });

  it("are counted again when a lot is added, changed or removed, and stay when the last is gone", () => {
    const scene = published().send(OWNER, addLot(lotOf(LOT_A, "5", { minimalStep: money("3") })));
    const two = scene.send(OWNER, addLot(lotOf(LOT_B, "0.2", { minimalStep: money("0.1") })));
    assert.deepEqual([two.tender.value!.amount, two.tender.minimalStep!.amount], ["5.2", "0.1"]);
    const changed = two.send(OWNER, editLot(LOT_A, { value: money("6") }));
    assert.equal(changed.tender.value!.amount, "6.2");
    const none = changed.send(OWNER, removeLot(LOT_B)).send(OWNER, removeLot(LOT_A));
    assert.deepEqual([none.tender.value!.amount, none.tender.minimalStep!.amount], ["6", "3"]);
    assert.equal(none.outcome(OWNER, removeLot(NOBODY)), "not found: lot");
  });
});
