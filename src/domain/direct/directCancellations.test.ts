import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { OTHERS, OWNER } from "../../../test/support/decisions.ts";
import { accepted, DIRECT_PROCEDURES, direct, directLots, recorded } from "../../../test/support/directScenes.ts";
import {
  addCancellation,
  addDocument,
  cancelLot,
  cancelTender,
  editCancellation,
  editTender,
  LOT_A,
  LOT_B,
  signContract,
} from "../../../test/support/domainCommands.ts";
import { published, standStillEndOf } from "../../../test/support/scenes.ts";
import { HOUR } from "../values/time.ts";

describe("the cancellation of a tender without competition", () => {
  for (const procedure of DIRECT_PROCEDURES) {
    it(`is possible in a draft and while it is active: ${procedure}`, () => {
      for (const scene of [direct(procedure, { status: "draft" }), direct(procedure), recorded(procedure)])
        assert.equal(scene.send(OWNER, cancelTender).tender.status, "cancelled");
      const ended = direct(procedure).send(OWNER, cancelTender);
      assert.equal(ended.outcome(OWNER, cancelTender), "Can't add cancellation in current (cancelled) tender status");
      const actors = OTHERS.map((actor) => direct(procedure).outcome(actor, cancelTender));
      assert.ok(actors.every((outcome) => outcome === "forbidden"));
    });

    it(`has a type of reason, which changes nothing else: ${procedure}`, () => {
      const scene = direct(procedure).send(OWNER, addCancellation());
      assert.equal(scene.tender.cancellations[0]!.reasonType, "cancelled");
      const changed = scene.later(HOUR).send(OWNER, editCancellation(scene.id, { reasonType: "unsuccessful" }));
      const [cancellation] = changed.tender.cancellations;
      assert.deepEqual(
        [cancellation!.reasonType, cancellation!.date, cancellation!.status],
        ["unsuccessful", changed.now, "pending"],
      );
      const done = changed.send(OWNER, editCancellation(scene.id, { status: "active" }));
      assert.deepEqual([done.tender.status, done.tender.cancellations[0]!.reasonType], ["cancelled", "unsuccessful"]);
      const typed = direct(procedure).send(OWNER, addCancellation({ reasonType: "unsuccessful", status: "active" }));
      assert.equal(typed.tender.status, "cancelled");
    });

    it(`has documents until the tender ends: ${procedure}`, () => {
      const scene = direct(procedure).send(OWNER, addCancellation());
      assert.equal(scene.outcome(OWNER, addDocument({ cancellation: scene.id })), "ok");
    });
  }

  it("has no type of reason below the thresholds", () => {
    assert.equal(published().send(OWNER, addCancellation()).tender.cancellations[0]!.reasonType, undefined);
  });

  it("of a lot is not known to a report", () => {
    const text =
      'Lot cancellation can not be submitted, since "multiple lots" option is not available for this type of tender.';
    const scene = direct("reporting");
    assert.equal(
      scene.outcome(OWNER, cancelLot(LOT_A)),
      `relatedLot: relatedLot should be one of lots; cancellationOf: ${text}`,
    );
    assert.equal(
      scene.outcome(OWNER, addCancellation({ cancellationOf: "lot" })),
      `relatedLot: This field is required.; cancellationOf: ${text}`,
    );
  });

  it("as a whole is too late once the contract of a lot is signed, but its owner's status is not", () => {
    const first = accepted("negotiation", directLots, { lotID: LOT_A, qualified: true }).send(OWNER, addCancellation());
    const announced = first.id;
    const scene = first.at(standStillEndOf(first)).send(OWNER, signContract(first.tender.contracts[0]!.id));
    const text = (action: string) => `Can't ${action} cancellation, if there is at least one complete lot`;
    assert.equal(scene.outcome(OWNER, cancelTender), text("add"));
    assert.equal(scene.outcome(OWNER, editCancellation(announced, { status: "active" })), text("update"));
    assert.equal(scene.outcome(OWNER, cancelLot(LOT_A)), "Can add cancellation only in active lot status");
    assert.equal(scene.send(OWNER, cancelLot(LOT_B)).tender.status, "complete");
    assert.equal(scene.send(OWNER, editTender({ status: "cancelled" })).tender.status, "cancelled");
  });
});
