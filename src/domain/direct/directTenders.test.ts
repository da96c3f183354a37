import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  ADMIN,
  ADMINISTRATOR,
  AUCTION,
  BOT,
  broker,
  CHRONOGRAPH,
  OWNER,
  reasonOf,
  STRANGER,
  tryToPublish,
} from "../../../test/support/decisions.ts";
import {
  DIRECT_PROCEDURES,
  delivered,
  direct,
  directFields,
  directLots,
  NEGOTIATIONS,
  recorded,
} from "../../../test/support/directScenes.ts";
import {
  addDocument,
  addLot,
  askQuestion,
  cancelTender,
  editLot,
  editTender,
  LOT_A,
  money,
  placeBid,
  removeLot,
  replaceDocument,
  START,
  sent,
} from "../../../test/support/domainCommands.ts";
import { school } from "../../../test/support/organizations.ts";
import { problemsOf } from "../../../test/support/scenes.ts";
import { nextDeadline } from "../deadlines.ts";
import type { TenderInput } from "../model/commands.ts";
import type { ProcedureName } from "../procedures/names.ts";
import { DAY } from "../values/time.ts";

const problems = (procedure: ProcedureName, more: TenderInput = {}) =>
  problemsOf(procedure, directFields(procedure, more));
const publishing = (procedure: ProcedureName, levels: string, more: TenderInput = {}): string => {
  const decided = tryToPublish(broker("b", levels), { procedure, sent: sent(directFields(procedure, more)) }, START);
  return decided.ok ? "ok" : reasonOf(decided.refused);
};

describe("a tender without competition", () => {
  for (const procedure of DIRECT_PROCEDURES) {
    it(`is active when it is published, and time never changes it: ${procedure}`, () => {
      const { tender } = direct(procedure);
      assert.equal(tender.status, "active");
      assert.equal(tender.enquiryPeriod, undefined);
      assert.equal(nextDeadline(tender), undefined);
      assert.equal(direct(procedure).later(9999 * DAY).tender.status, "active");
    });

    it(`is a draft if that is asked for, which only publishing or cancelling changes: ${procedure}`, () => {
      const draft = direct(procedure, { status: "draft" });
      assert.equal(draft.tender.status, "draft");
      for (const fields of [{ title: "Нова" }, { status: "active.enquiries" }, { status: "complete" }, {}] as const)
        assert.equal(draft.outcome(OWNER, editTender(fields)), "Can't update tender in current (draft) status");
      assert.equal(draft.send(OWNER, editTender({ status: "active" })).tender.status, "active");
      assert.equal(draft.send(OWNER, editTender({ status: "cancelled" })).tender.status, "cancelled");
      assert.equal(draft.send(ADMINISTRATOR, editTender({ status: "active" })).tender.status, "active");
    });

    it(`has no bids, questions or auction: ${procedure}`, () => {
      const scene = direct(procedure);
      assert.equal(scene.outcome(STRANGER, askQuestion()), "not found: question");
      assert.equal(scene.outcome(STRANGER, placeBid("1")), "not found: bid");
      for (const kind of ["report auction", "set auction urls", "finish auction"] as const)
        assert.equal(scene.outcome(AUCTION, { kind, sent: sent({}) }), "not found: tender");
    });

    it(`is cancelled by its owner in every status that is not final: ${procedure}`, () => {
      for (const scene of [direct(procedure, { status: "draft" }), direct(procedure), recorded(procedure)])
        assert.equal(scene.send(OWNER, editTender({ status: "cancelled" })).tender.status, "cancelled");
    });

    it(`has no time for a scheduler, after the checks of the request and of its status: ${procedure}`, () => {
      const scene = direct(procedure);
      assert.equal(scene.outcome(CHRONOGRAPH, editTender({})), "Chronograph has no power over me!");
      const invalid = {
        kind: "edit tender",
        sent: { fields: {}, problems: [{ path: ["x"], message: "bad", rule: "unknown-field", phase: "shape" }] },
      } as const;
      assert.equal(scene.outcome(CHRONOGRAPH, invalid), "x: bad");
      const ended = scene.send(OWNER, cancelTender);
      assert.equal(ended.outcome(CHRONOGRAPH, editTender({})), "Can't update tender in current (cancelled) status");
    });
  }

  it("needs a title, a value, a buyer and items that say when and where they are delivered", () => {
    assert.deepEqual(problemsOf("reporting", {}), [
      ...["title", "procuringEntity", "value", "items"].map((name) => `${name}: This field is required.`),
    ]);
    const { deliveryDate: _date, deliveryAddress: _address, ...item } = delivered;
    assert.deepEqual(problems("reporting", { items: [item] }), [
      "items.0.deliveryDate: This field is required.",
      "items.0.deliveryAddress: This field is required.",
    ]);
    assert.deepEqual(problems("reporting", { items: [{ ...item, deliveryDate: {}, deliveryAddress: {} }] }), [
      "items.0.deliveryAddress.countryName: This field is required.",
      "items.0.deliveryDate.endDate: This field is required.",
    ]);
    assert.deepEqual(problems("reporting", { items: [] }), ["items: Please provide at least 1 item."]);
  });

  it("has items of one group, the first three digits of the code", () => {
    const coded = (id: string) => ({ ...delivered, classification: { id, description: "-" } });
    assert.deepEqual(problems("negotiation", { items: [coded("55523100-3"), coded("55599999-9")] }), []);
    assert.deepEqual(problems("negotiation", { items: [coded("55523100-3"), coded("55623100-3")] }), [
      "items: CPV group of items be identical",
    ]);
  });

  it("may say what a unit of an item costs", () => {
    const unit = { name: "item", value: money("7", { currency: "UAH" }) };
    assert.deepEqual(direct("reporting", { items: [{ ...delivered, unit }] }).tender.items![0]!.unit, unit);
  });

  it("is milder than the established system, as tenders below the thresholds are", () => {
    const { tender } = direct("negotiation", {
      procuringEntity: { ...school, contactPoint: {} },
      items: [{ ...delivered, unit: { name: "item" }, classification: { id: "55523100-3", description: "-" } }],
    });
    assert.equal(tender.procuringEntity!.kind, "general");
    assert.equal(tender.items![0]!.classification!.scheme, "ДК021");
    assert.deepEqual([tender.value!.currency, tender.value!.valueAddedTaxIncluded], ["UAH", true]);
  });
});

describe("the reason for a negotiation", () => {
  const CAUSES =
    "'artContestIP', 'noCompetition', 'twiceUnsuccessful', 'additionalPurchase', 'additionalConstruction', 'stateLegalServices'";

  it("is named and described, the name only where it is not urgent", () => {
    const nothing = { cause: undefined, causeDescription: undefined };
    assert.deepEqual(problems("negotiation", nothing), [
      "cause: This field is required.",
      "causeDescription: This field is required.",
    ]);
    assert.deepEqual(problems("negotiation.quick", nothing), ["causeDescription: This field is required."]);
    for (const procedure of NEGOTIATIONS)
      assert.deepEqual(problems(procedure, { causeDescription: "" }), ["causeDescription: String value is too short."]);
  });

  it("is one that the law knows; urgency is one only in the quick procedure", () => {
    assert.deepEqual(problems("negotiation", { cause: "quick" }), [`cause: Value must be one of [${CAUSES}].`]);
    assert.deepEqual(problems("negotiation.quick", { cause: "quick" }), []);
    assert.deepEqual(problems("negotiation.quick", { cause: "habit" }), [
      `cause: Value must be one of ['quick', ${CAUSES}].`,
    ]);
  });
});

describe("who may publish", () => {
  it("is a broker with one of the levels of the procedure", () => {
    const refused = "not accredited: tender by accreditation";
    const outcomes = (procedure: ProcedureName) => ["1", "2", "3", "4"].map((level) => publishing(procedure, level));
    assert.deepEqual(outcomes("reporting"), ["ok", refused, "ok", refused]);
    for (const procedure of NEGOTIATIONS)
      assert.deepEqual(outcomes(procedure), [refused, refused, "ok", refused], procedure);
  });

  it("is for a buyer of an allowed kind, which is checked after the fields and the mode", () => {
    const other = { procuringEntity: { ...school, kind: "other" as const } };
    const text =
      "u'other' procuringEntity cannot publish this type of procedure. Only general, special, defense are allowed.";
    for (const procedure of NEGOTIATIONS) assert.equal(publishing(procedure, "3", other), text);
    assert.equal(publishing("reporting", "3", other), "ok");
    assert.equal(publishing("negotiation", "3", { ...other, title: undefined }), "title: This field is required.");
    assert.equal(publishing("negotiation", "3t", other), "not accredited: tender by mode");
    for (const kind of ["general", "special", "defense"] as const)
      assert.equal(publishing("negotiation", "3", { procuringEntity: { ...school, kind } }), "ok");
  });
});

describe("lots", () => {
  it("are not known to a report, and neither are items of a lot", () => {
    const items = [{ ...delivered, relatedLot: LOT_A }];
    assert.deepEqual(problems("reporting", { items }), ["items.0.relatedLot: This option is not available"]);
    assert.equal(direct("reporting").outcome(OWNER, addLot({ title: "Лот", value: money("1") })), "not found: lot");
  });

  it("of a negotiation need a title and a value, and leave the tender's value as it is", () => {
    assert.deepEqual(problems("negotiation", { lots: [{}] }), [
      "lots.0.title: This field is required.",
      "lots.0.value: This field is required.",
    ]);
    const { tender } = direct("negotiation", {
      ...directLots,
      value: money("7", { currency: "EUR", valueAddedTaxIncluded: false }),
    });
    assert.equal(tender.value!.amount, "7");
    assert.equal(tender.minimalStep, undefined);
    assert.deepEqual(tender.lots[0]!.value, money("1000", { currency: "EUR", valueAddedTaxIncluded: false }));
    assert.deepEqual(problems("negotiation", { items: [{ ...delivered, relatedLot: LOT_A }] }), [
      "items.0.relatedLot: relatedLot should be one of lots",
    ]);
  });

  const change = addLot({ title: "Лот", value: money("1") });

  it("of a negotiation are changed in an active tender without awards", () => {
    const scene = direct("negotiation", { lots: directLots.lots });
    const changed = scene.send(OWNER, change).send(OWNER, editLot(LOT_A, { title: "Інший" }));
    assert.equal(changed.send(OWNER, removeLot(LOT_A)).tender.lots.length, 2);
    const draft = direct("negotiation", { status: "draft", lots: directLots.lots });
    const awardedScene = recorded("negotiation", directLots, { lotID: LOT_A });
    const ended = scene.send(OWNER, cancelTender);
    const tried = [
      ["add", change],
      ["update", editLot(LOT_A, {})],
      ["delete", removeLot(LOT_A)],
    ] as const;
    for (const [action, command] of tried) {
      assert.equal(draft.outcome(OWNER, command), `Can't ${action} lot in current (draft) tender status`);
      assert.equal(ended.outcome(OWNER, command), `Can't ${action} lot in current (cancelled) tender status`);
      assert.equal(awardedScene.outcome(OWNER, command), `Can't ${action} lot when you have awards`);
    }
  });

  it("are not changed once a cancellation of the lot exists, but others are", () => {
    const scene = direct("negotiation", directLots).send(OWNER, {
      kind: "add cancellation",
      sent: sent({ reason: "-", cancellationOf: "lot", relatedLot: LOT_A }),
    });
    assert.equal(
      scene.outcome(OWNER, editLot(LOT_A, { title: "Інший" })),
      "Can't update lot when it has 'pending' cancellation.",
    );
    assert.equal(scene.outcome(OWNER, editLot(directLots.lots![1]!.id!, { title: "Інший" })), "ok");
  });
});

describe("changes of the fields", () => {
  for (const procedure of DIRECT_PROCEDURES) {
    it(`are possible until there is an award: ${procedure}`, () => {
      const changed = direct(procedure).send(
        OWNER,
        editTender({ title: "Нова", procuringEntity: { kind: "special" } }),
      );
      assert.deepEqual([changed.tender.title, changed.tender.procuringEntity!.kind], ["Нова", "general"]);
      const scene = recorded(procedure);
      const text = "Can't update tender when there is at least one award.";
      for (const actor of [OWNER, ADMIN]) assert.equal(scene.outcome(actor, editTender({ title: "Нова" })), text);
      const cancelled = scene.send(OWNER, editTender({ title: "Нова", status: "cancelled" })).tender;
      assert.deepEqual([cancelled.status, cancelled.title], ["cancelled", scene.tender.title]);
      const ended = direct(procedure).send(OWNER, cancelTender);
      assert.equal(ended.outcome(OWNER, editTender({})), "Can't update tender in current (cancelled) status");
    });
  }
});

describe("documents of the tender", () => {
  for (const procedure of DIRECT_PROCEDURES)
    it(`are added while it is active, by anybody who may, and replaced by any of them: ${procedure}`, () => {
      const scene = direct(procedure).send(BOT, addDocument());
      assert.equal(scene.outcome(OWNER, replaceDocument(scene.id)), "ok");
      assert.equal(scene.outcome(AUCTION, addDocument()), "ok");
      assert.equal(scene.outcome(STRANGER, addDocument()), "forbidden");
      const draft = direct(procedure, { status: "draft" });
      assert.equal(draft.outcome(OWNER, addDocument()), "Can't add document in current (draft) tender status");
      const ended = scene.send(OWNER, cancelTender);
      assert.equal(ended.outcome(OWNER, addDocument()), "Can't add document in current (cancelled) tender status");
      assert.equal(
        ended.outcome(OWNER, replaceDocument(scene.id)),
        "Can't update document in current (cancelled) tender status",
      );
    });
});
