import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ADMIN, ADMINISTRATOR, OTHERS, OWNER, type Scene, zone } from "../../../test/support/decisions.ts";
import {
  accepted,
  contested,
  DIRECT_PROCEDURES,
  decideSupplier,
  direct,
  directLots,
  moveComplaint,
  NEGOTIATIONS,
  REVIEWERS,
  recorded,
  supplier,
} from "../../../test/support/directScenes.ts";
import {
  addCancellation,
  addContract,
  addDocument,
  cancelLot,
  editContract,
  LOT_A,
  LOT_B,
  money,
  recordAward,
} from "../../../test/support/domainCommands.ts";
import { cook } from "../../../test/support/organizations.ts";
import { lastAward, standStillEndOf, statusesOf } from "../../../test/support/scenes.ts";
import type { ContractInput, Patch } from "../model/commands.ts";
import { formatInstant, HOUR, MINUTE } from "../values/time.ts";

const contractOf = ({ tender }: Scene) => tender.contracts.at(-1)!;
const edit = (scene: Scene, fields: Patch<ContractInput>) => editContract(contractOf(scene).id, fields);
const SIGN = { status: "active" } as const;

/** The first moment after the stand-still. */
const ripe = (scene: Scene): Scene => scene.at(Math.max(scene.now, standStillEndOf(scene) + 1));
const signed = (scene: Scene): Scene => ripe(scene).send(OWNER, edit(scene, SIGN));

describe("a contract without competition", () => {
  for (const procedure of DIRECT_PROCEDURES) {
    it(`completes the tender when it is signed: ${procedure}`, () => {
      const scene = signed(accepted(procedure));
      assert.deepEqual([scene.tender.status, contractOf(scene).status], ["complete", "active"]);
      assert.equal(contractOf(scene).dateSigned, scene.now);
    });

    it(`is changed by the owner and admins in an active tender: ${procedure}`, () => {
      const scene = accepted(procedure);
      for (const actor of OTHERS.filter((other) => other !== ADMINISTRATOR))
        assert.equal(scene.outcome(actor, edit(scene, { title: "Т" })), "forbidden");
      assert.equal(scene.outcome(ADMINISTRATOR, edit(scene, { title: "Т" })), "wrong role");
      assert.equal(scene.outcome(ADMIN, edit(scene, { title: "Т" })), "ok");
      const ended = signed(scene);
      assert.equal(ended.outcome(OWNER, edit(scene, {})), "Can't update contract in current (complete) tender status");
      const cancelled = decideSupplier(scene, { status: "cancelled" });
      assert.equal(cancelled.outcome(OWNER, edit(scene, {})), "Can't update contract in current (cancelled) status");
    });

    it(`is dated by its last change, and a change of nothing is none: ${procedure}`, () => {
      const scene = accepted(procedure).later(HOUR);
      assert.equal(contractOf(scene.send(OWNER, edit(scene, { title: "Т" }))).date, scene.now);
      assert.equal(scene.send(OWNER, edit(scene, {})).tender, scene.tender);
    });

    it(`keeps its items but for their units, whose price is in its currency: ${procedure}`, () => {
      const scene = accepted(procedure);
      const items = [{ description: "інше", quantity: null, unit: { value: { amount: money("7").amount } } }];
      const [item] = contractOf(scene.send(OWNER, edit(scene, { items }))).items!;
      const [before] = contractOf(scene).items!;
      const value = money("7", { currency: "UAH", valueAddedTaxIncluded: true });
      assert.deepEqual(item, { ...before, unit: { ...before!.unit, value } });
      for (const others of [[], [{}, {}], null])
        assert.equal(scene.outcome(OWNER, edit(scene, { items: others })), "Can't change items count");
      const negative = [{ unit: { value: { amount: money("-1").amount } } }];
      assert.equal(
        scene.outcome(OWNER, edit(scene, { items: negative })),
        "items.0.unit.value.amount: Float value should be greater than 0.",
      );
    });

    it(`costs at most what was awarded, in the same currency and with the same VAT: ${procedure}`, () => {
      const scene = accepted(procedure);
      const value = (more: object) => scene.outcome(OWNER, edit(scene, { value: { ...more } }));
      assert.equal(value({ amount: money("399999").amount }), "ok");
      assert.equal(
        value({ amount: money("400001").amount }),
        "Value amount should be less or equal to awarded amount (400000.0)",
      );
      assert.equal(value({ currency: "EUR" }), "Can't update currency for contract value");
      assert.equal(value({ valueAddedTaxIncluded: false }), "Can't update valueAddedTaxIncluded for contract value");
    });

    it(`of an award without a value cannot have one: ${procedure}`, () => {
      const pending = direct(procedure).send(
        OWNER,
        recordAward({ suppliers: [cook], ...(procedure !== "reporting" && { qualified: true }) }),
      );
      const scene = decideSupplier(pending, { status: "active" });
      assert.equal(
        scene.outcome(OWNER, edit(scene, { value: { amount: money("1").amount } })),
        "Can't set a value for a contract of an award without one",
      );
    });

    it(`is signed, and has no other change of status: ${procedure}`, () => {
      const scene = ripe(accepted(procedure));
      for (const status of ["cancelled", "terminated"] as const)
        assert.equal(scene.outcome(OWNER, edit(scene, { status })), "Can't update contract status");
    });

    it(`is not signed in the future: ${procedure}`, () => {
      const scene = ripe(accepted(procedure)).later(HOUR);
      assert.equal(
        scene.outcome(OWNER, edit(scene, { dateSigned: scene.now + 1 })),
        "dateSigned: Contract signature date can't be in the future",
      );
      assert.equal(scene.outcome(OWNER, edit(scene, { ...SIGN, dateSigned: scene.now })), "ok");
    });

    it(`has documents while it is pending: ${procedure}`, () => {
      const scene = accepted(procedure);
      const of = { contract: contractOf(scene).id };
      assert.equal(scene.outcome(OWNER, addDocument(of)), "ok");
      const cancelled = decideSupplier(scene, { status: "cancelled" });
      assert.equal(cancelled.outcome(OWNER, addDocument(of)), "Can't add document in current contract status");
      assert.equal(
        signed(scene).outcome(OWNER, addDocument(of)),
        "Can't add document in current (complete) tender status",
      );
    });

    it(`is added by hand by admins alone: ${procedure}`, () => {
      const scene = accepted(procedure);
      const command = addContract({ awardID: lastAward(scene).id });
      assert.equal(scene.outcome(OWNER, command), "forbidden");
      assert.equal(scene.outcome(ADMIN, command), "ok");
    });
  }
});

describe("a contract of a negotiation", () => {
  it("is signed when the time to complain is over, to the microsecond", () => {
    for (const procedure of NEGOTIATIONS) {
      const scene = accepted(procedure);
      const end = standStillEndOf(scene);
      const text = `Can't sign contract before stand-still period end (${formatInstant(end, zone)})`;
      assert.equal(scene.at(end - 1).outcome(OWNER, edit(scene, SIGN)), text);
      assert.equal(scene.at(end).outcome(OWNER, edit(scene, SIGN)), "ok");
      assert.equal(
        scene.at(end).outcome(OWNER, edit(scene, { dateSigned: end })),
        `dateSigned: Contract signature date should be after award complaint period end date (${formatInstant(end, zone)})`,
      );
    }
    const reported = accepted("reporting");
    assert.equal(reported.outcome(OWNER, edit(reported, SIGN)), "ok");
  });

  it("is not signed while the reviewers have a complaint, or the owner has to carry out their decision", () => {
    const filed = contested();
    const text = "Can't sign contract before reviewing all complaints";
    const sign = (scene: Scene) => ripe(scene).outcome(OWNER, edit(scene, SIGN));
    assert.equal(sign(filed), text);
    const taken = filed.send(REVIEWERS, moveComplaint(filed, { status: "accepted" }));
    assert.equal(sign(taken), text);
    const won = taken.send(REVIEWERS, moveComplaint(taken, { status: "satisfied" }));
    assert.equal(sign(won), text);
    assert.equal(sign(taken.send(REVIEWERS, moveComplaint(taken, { status: "declined" }))), "ok");
    const done = won.send(OWNER, moveComplaint(won, { status: "resolved", tendererAction: "Виправлено" }));
    assert.equal(sign(done), "ok");
  });

  it("is refused for its lot's cancellation first, then for the stand-still, and then for its value", () => {
    const scene = accepted("negotiation", directLots, { lotID: LOT_A, qualified: true });
    const tooMuch = { ...SIGN, value: { amount: money("999999").amount } };
    const announced = scene.send(OWNER, addCancellation({ cancellationOf: "lot", relatedLot: LOT_A }));
    const text = "Can't update contract while cancellation for corresponding lot exists";
    assert.equal(announced.outcome(OWNER, edit(scene, tooMuch)), text);
    assert.match(scene.outcome(OWNER, edit(scene, tooMuch)), /stand-still/);
    assert.match(ripe(scene).outcome(OWNER, edit(scene, tooMuch)), /awarded amount/);
    assert.equal(announced.outcome(OWNER, edit(scene, { title: "Т" })), "ok");
    const gone = scene.send(OWNER, cancelLot(LOT_A));
    assert.equal(gone.outcome(OWNER, edit(scene, SIGN)), text);
  });
});

describe("the lots of a negotiation", () => {
  const first = accepted("negotiation", directLots, { lotID: LOT_A, qualified: true });
  const statuses = ({ tender }: Scene) => [tender.status, ...statusesOf(tender.lots)];

  it("end with their contracts, and the tender with the last", () => {
    const one = signed(first);
    assert.deepEqual(statuses(one), ["active", "complete", "active"]);
    const second = one.send(OWNER, supplier({ lotID: LOT_B, qualified: true })).later(MINUTE);
    const both = decideSupplier(second, { status: "active" }, LOT_B);
    const end = both.at(standStillEndOf(both));
    assert.deepEqual(statuses(end.send(OWNER, edit(end, SIGN))), ["complete", "complete", "complete"]);
  });

  it("become unsuccessful after a rejection, when a contract is next changed", () => {
    const rejected = decideSupplier(first.send(OWNER, supplier({ lotID: LOT_B })), { status: "unsuccessful" }, LOT_B);
    assert.deepEqual(statuses(rejected), ["active", "active", "active"]);
    const changed = rejected.later(HOUR).send(OWNER, edit(rejected, { title: "Т" }));
    assert.deepEqual(statuses(changed), ["active", "active", "unsuccessful"]);
    assert.deepEqual(statuses(signed(changed)), ["complete", "complete", "unsuccessful"]);
  });

  it("end with their cancellation as well, and decide how the tender ends", () => {
    const one = signed(first).send(OWNER, cancelLot(LOT_B));
    assert.deepEqual(statuses(one), ["complete", "complete", "cancelled"]);
    const none = recorded("negotiation", directLots, { lotID: LOT_A }).send(OWNER, cancelLot(LOT_A));
    assert.deepEqual(statuses(none.send(OWNER, cancelLot(LOT_B))), ["cancelled", "cancelled", "cancelled"]);
  });
});
