import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ADMIN, ADMINISTRATOR, OTHERS, OWNER, windowIn, zone } from "../../../test/support/decisions.ts";
import {
  DEADLINE,
  editContract,
  LOT_A,
  LOT_B,
  meals,
  money,
  NOBODY,
  onBoth,
  signContract,
  twoLots,
} from "../../../test/support/domainCommands.ts";
import { cook } from "../../../test/support/organizations.ts";
import { awarded, decided, qualifying, signed, standStillEndOf } from "../../../test/support/scenes.ts";
import type { ContractInput, Patch, TenderCommand } from "../model/commands.ts";
import { problem } from "../model/refusals.ts";
import { DAY, formatInstant, HOUR, MINUTE } from "../values/time.ts";

const unread = problem(["colour"], "Rogue field", "unknown-field", "shape");
const uah = { currency: "UAH", valueAddedTaxIncluded: true };
const scene = awarded(["500"]).later(MINUTE);
const contract = scene.tender.contracts[0]!;
const end = standStillEndOf(scene);
const complete = scene.at(end + 1).send(OWNER, signContract(contract.id));
const edited = (fields: Patch<ContractInput>, from = scene) =>
  from.send(OWNER, editContract(contract.id, fields)).tender.contracts[0]!;
const outcome = (fields: Patch<ContractInput>, from = scene) => from.outcome(OWNER, editContract(contract.id, fields));

describe("a contract", () => {
  it("is created from the award, and numbered within its tender", () => {
    const { tender } = scene;
    assert.deepEqual(contract, {
      ...{ id: contract.id, awardID: tender.awards[0]!.id, contractID: `${tender.tenderID}-1`, status: "pending" },
      ...{ date: DEADLINE + 2 * HOUR, suppliers: [cook], value: money("500", uah), items: tender.items, documents: [] },
    });
  });

  it("of a lot has the items of that lot, and the next number", () => {
    const items = [
      { ...meals, id: "1", relatedLot: LOT_A },
      { ...meals, id: "2", relatedLot: LOT_B },
      { ...meals, id: "3" },
    ];
    const lots = qualifying([onBoth("1", "2")], { ...twoLots, items });
    const { contracts, tenderID } = decided(decided(lots, "active", LOT_B), "active", LOT_A).tender;
    assert.deepEqual(
      contracts.map(({ contractID, items: own }) => [contractID, own!.map(({ id }) => id)]),
      [
        [`${tenderID}-1`, ["2"]],
        [`${tenderID}-2`, ["1"]],
      ],
    );
  });

  it("is edited by the owner and admins; an Administrator has the wrong role; others are forbidden it", () => {
    for (const actor of [OWNER, ADMIN])
      assert.equal(scene.send(actor, editContract(contract.id, { title: "!" })).tender.contracts[0]!.title, "!");
    for (const actor of OTHERS) {
      const expected = actor === ADMINISTRATOR ? "wrong role" : "forbidden";
      assert.equal(scene.outcome(actor, editContract(contract.id, {})), expected);
    }
    const owner = { ...OWNER, account: { name: "owner", group: "Administrator" } } as const;
    assert.equal(scene.outcome(owner, editContract(contract.id, {})), "ok");
    assert.equal(scene.outcome({}, editContract(NOBODY, {})), "not found: contract");
  });

  it("keeps its award, suppliers and items", () => {
    const texts = { title: "Договір", description: "-", contractNumber: "17/а" };
    const after = edited({ ...texts, awardID: NOBODY, suppliers: [], items: [] });
    assert.deepEqual(after, { ...contract, ...texts });
  });

  it("is refused for everything that is wrong with it before its tender's status", () => {
    const fields = { value: { amount: null }, period: { startDate: 2, endDate: 1 } };
    const command: TenderCommand = {
      kind: "edit contract",
      contract: contract.id,
      sent: { fields, problems: [unread] },
    };
    const expected =
      "colour: Rogue field; value.amount: This field is required.; period.startDate: period should begin before its end";
    for (const stage of [scene, complete]) assert.equal(stage.outcome(OWNER, command), expected);
  });

  it("lasts for a period that ends when it begins, or later", () => {
    const period = { startDate: 1, endDate: 1 };
    assert.deepEqual(edited({ period }).period, period);
  });
});

describe("the value of a contract", () => {
  it("is the award's or less, and not more", () => {
    assert.equal(edited({ value: { amount: money("500").amount } }).value!.amount, "500");
    assert.equal(edited({ value: { amount: money("0").amount } }).value!.amount, "0");
    const expected = "Value amount should be less or equal to awarded amount (500.0)";
    assert.equal(outcome({ value: { amount: money("500.01").amount } }), expected);
  });

  it("stays in its money: VAT is reported before the currency, and that before the amount", () => {
    const vat = "Can't update valueAddedTaxIncluded for contract value";
    const currency = "Can't update currency for contract value";
    assert.equal(outcome({ value: money("501", { valueAddedTaxIncluded: false, currency: "USD" }) }), vat);
    assert.equal(outcome({ value: money("501", { currency: "USD" }) }), currency);
    assert.deepEqual(edited({ value: money("500", uah) }).value, money("500", uah));
    assert.equal(
      outcome({ value: { currency: null, valueAddedTaxIncluded: null } }),
      "ok",
      "absent means UAH with VAT",
    );
  });

  it("is compared with the contract's own money where that differs from the award's", () => {
    const own = money("400", { currency: "USD", valueAddedTaxIncluded: false });
    const made = scene.send(ADMIN, {
      kind: "add contract",
      sent: { fields: { awardID: contract.awardID, value: own }, problems: [] },
    });
    const change = (value: Patch<ContractInput>["value"]) => made.outcome(OWNER, editContract(made.id, { value }));
    assert.equal(change({ ...own, amount: money("390").amount }), "ok");
    assert.equal(change({ valueAddedTaxIncluded: true }), "Can't update valueAddedTaxIncluded for contract value");
    assert.equal(change({ currency: "UAH" }), "Can't update currency for contract value");
  });

  it("is compared with the award's currency if the contract has none", () => {
    const bare = scene.with({ contracts: [{ ...contract, value: undefined }] });
    assert.equal(outcome({ value: money("500") }, bare), "ok");
    assert.equal(outcome({ value: money("1", { currency: "USD" }) }, bare), "Can't update currency for contract value");
  });

  it("cannot be set if the award has none", () => {
    const [award] = scene.tender.awards;
    const bare = scene.with({
      awards: [{ ...award!, value: undefined }],
      contracts: [{ ...contract, value: undefined }],
    });
    assert.equal(outcome({ value: money("1") }, bare), "Can't set a value for a contract of an award without one");
    assert.equal(outcome({ title: "!" }, bare), "ok");
  });

  it("is not compared if there is none at all", () => {
    const bare = scene.with({ contracts: [{ ...contract, value: undefined }] });
    assert.equal(outcome({ title: "!" }, bare), "ok");
  });
});

describe("a contract is signed", () => {
  it("at the end of the stand-still, and not a microsecond before it", () => {
    const early = scene.at(end - 1);
    const expected = `Can't sign contract before stand-still period end (${formatInstant(end, zone)})`;
    assert.equal(outcome({ status: "active" }, early), expected);
    assert.deepEqual(windowIn(early.refusal(OWNER, signContract(contract.id))), { from: end });
    const { status, date, dateSigned } = edited({ status: "active" }, scene.at(end));
    assert.deepEqual([status, date, dateSigned], ["active", end, end]);
  });

  it("and ends its tender", () => {
    const { tender } = signed(scene);
    assert.deepEqual([tender.status, tender.date], ["complete", end]);
  });

  it("with the given signing date, if there is one", () => {
    const at = scene.at(end + DAY);
    const { dateSigned, date } = edited({ status: "active", dateSigned: end + HOUR }, at);
    assert.deepEqual([dateSigned, date], [end + HOUR, end + DAY]);
    const dated = at.send(OWNER, editContract(contract.id, { dateSigned: end + 1 }));
    assert.deepEqual([dated.tender.contracts[0]!.dateSigned, dated.tender.status], [end + 1, "active.awarded"]);
    assert.equal(edited({ status: "active" }, dated).dateSigned, end + 1);
  });

  it("on no date in the stand-still, its end included, nor in the future", () => {
    const at = scene.at(end + DAY);
    const early = `dateSigned: Contract signature date should be after award complaint period end date (${formatInstant(end, zone)})`;
    assert.deepEqual([outcome({ dateSigned: end }, at), outcome({ dateSigned: 1 }, at)], [early, early]);
    assert.deepEqual([outcome({ dateSigned: end + 1 }, at), outcome({ dateSigned: at.now }, at)], ["ok", "ok"]);
    assert.equal(outcome({ dateSigned: at.now + 1 }, at), "dateSigned: Contract signature date can't be in the future");
  });

  it("and an error about the date says which dates are allowed", () => {
    const at = scene.at(end + DAY);
    const windowOf = (dateSigned: number) => {
      const refusal = at.refusal(OWNER, editContract(contract.id, { dateSigned }));
      return "problems" in refusal && refusal.problems[0]!.window;
    };
    assert.deepEqual(windowOf(end), { from: end + 1 });
    assert.deepEqual(windowOf(at.now + 1), { from: end + 1, until: at.now + 1 });
  });

  it("and without a stand-still at any time, but not in the future", () => {
    const [award] = scene.tender.awards;
    const open = scene.with({ awards: [{ ...award!, complaintPeriod: {} }] });
    assert.equal(outcome({ status: "active", dateSigned: 1 }, open), "ok");
    const refusal = open.refusal(OWNER, editContract(contract.id, { dateSigned: open.now + 1 }));
    assert.deepEqual("problems" in refusal && refusal.problems[0]!.window, { from: undefined, until: open.now + 1 });
  });

  it("and goes nowhere else", () => {
    const at = scene.at(end);
    for (const status of ["cancelled", "terminated"] as const)
      assert.equal(outcome({ status }, at), "Can't update contract status");
    assert.equal(outcome({ status: "pending" }, at), "ok");
    const cancelled = decided(scene, "cancelled").at(end);
    for (const status of ["active", "pending"] as const)
      assert.equal(outcome({ status }, cancelled), "Can't update contract status");
    assert.equal(outcome({ status: "cancelled", title: "!" }, cancelled), "ok");
  });

  it("for an award that is accepted, and for no other", () => {
    const waiting = qualifying(["500"]);
    const [award] = waiting.tender.awards;
    const made = waiting.send(ADMIN, { kind: "add contract", sent: { fields: { awardID: award!.id }, problems: [] } });
    assert.equal(made.later(30 * DAY).outcome(OWNER, signContract(made.id)), "Can't update contract status");
  });

  it("and then cannot be edited; the refusal says until when it could", () => {
    const over = complete.later(DAY);
    assert.equal(outcome({ title: "!" }, over), "Can't update contract in current (complete) tender status");
    const window = windowIn(over.refusal(OWNER, editContract(contract.id, {})));
    assert.deepEqual(window, { from: DEADLINE, until: end + 1 });
  });
});
