import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { BIDDER, OWNER, type Scene, STRANGER } from "../../../test/support/decisions.ts";
import { answerClaim, fileClaim, START, withdrawClaim } from "../../../test/support/domainCommands.ts";
import {
  awarded,
  lastAward,
  published,
  qualifying,
  standStillEndOf,
  statusesOf,
} from "../../../test/support/scenes.ts";
import { nextDeadline } from "../deadlines.ts";
import { RESOLUTIONS } from "../model/tender.ts";
import { DAY, HOUR, MINUTE } from "../values/time.ts";
import { answerSettlesAt } from "./complaintSettlement.ts";

const filed = published().send(STRANGER, fileClaim());

describe("an answer that nobody contests", () => {
  for (const resolutionType of RESOLUTIONS)
    it(`makes the claim ${resolutionType} after three days, and not a microsecond before`, () => {
      const answered = filed.later(HOUR).send(OWNER, answerClaim(filed.id, undefined, { resolutionType }));
      const settles = START + HOUR + 3 * DAY;
      assert.equal(nextDeadline(answered.tender), settles);
      assert.equal(answered.at(settles - 1).tender.complaints[0]!.status, "answered");
      const { status, date } = answered.at(settles).tender.complaints[0]!;
      assert.deepEqual([status, date], [resolutionType, settles]);
    });

  it("settles sooner in a sandbox that is accelerated, and nowhere else", () => {
    const fields = { procurementMethodDetails: "quick, accelerator=1440" };
    const settlesAfter = (sandbox: boolean) => {
      const scene = published(fields, { sandbox }).send(STRANGER, fileClaim());
      return answerSettlesAt(scene.send(OWNER, answerClaim(scene.id)).tender)! - START;
    };
    assert.deepEqual([settlesAfter(true), settlesAfter(false)], [(3 * DAY) / 1440, 3 * DAY]);
  });

  it("settles each claim at its own time, those about awards too", () => {
    const scene = qualifying(["400", "500"]);
    const award = lastAward(scene).id;
    const first = scene.send(BIDDER, fileClaim({}, award));
    const both = first.send(BIDDER, fileClaim({}, award));
    const answered = both
      .send(OWNER, answerClaim(both.id, award))
      .later(MINUTE)
      .send(OWNER, answerClaim(first.id, award));
    const statuses = (instant: number) => statusesOf(answered.at(instant).tender.awards[0]!.complaints);
    const settles = scene.now + 3 * DAY;
    assert.deepEqual(statuses(settles - 1), ["answered", "answered"]);
    assert.deepEqual(statuses(settles), ["answered", "declined"]);
    assert.deepEqual(statuses(settles + MINUTE), ["declined", "declined"]);
    assert.equal(answered.at(settles).tender.status, "active.qualification");
  });

  it("settles nothing that is not answered any more", () => {
    const withdrawn = filed.send(OWNER, answerClaim(filed.id)).send(STRANGER, withdrawClaim(filed.id));
    assert.equal(answerSettlesAt(withdrawn.tender), undefined);
    assert.equal(withdrawn.later(4 * DAY).tender.complaints[0]!.status, "cancelled");
  });

  it("is found among the complaints of the tender and of all its awards", () => {
    const scene = awarded(["1", "2"]);
    const [award] = scene.tender.awards;
    const complaint = filed.tender.complaints[0]!;
    const at = (settlesAt: number | undefined) => ({ ...complaint, status: "answered" as const, settlesAt });
    const settles = (ofTender: readonly number[], ...ofAwards: readonly (readonly number[])[]) =>
      answerSettlesAt({
        ...scene.tender,
        complaints: ofTender.map(at),
        awards: ofAwards.map((times) => ({ ...award!, complaints: times.map(at) })),
      });
    assert.equal(settles([]), undefined);
    assert.equal(settles([7, 5, 6]), 5);
    assert.equal(settles([7], [6], [5, 8]), 5);
    assert.equal(settles([5], [6], [7]), 5);
    assert.equal(settles([], [], [9]), 9);
    assert.equal(answerSettlesAt({ ...scene.tender, complaints: [at(undefined), at(9)] }), 9);
  });

  it("that does not say when it settles, as older data has it, settles nothing", () => {
    const answered = filed.send(OWNER, answerClaim(filed.id));
    const [complaint] = answered.stored.complaints;
    const other = { ...complaint!, id: "other", settlesAt: undefined };
    const stage = answered.with({ complaints: [other, complaint!] });
    assert.deepEqual(statusesOf(stage.later(3 * DAY).tender.complaints), ["answered", "declined"]);
  });

  it("without a resolution type, which only an operator's repair can create, is ignored", () => {
    const answered = filed.send(OWNER, answerClaim(filed.id));
    const complaints = answered.stored.complaints.map((complaint) => ({ ...complaint, resolutionType: undefined }));
    assert.equal(answered.with({ complaints }).later(3 * DAY).tender.complaints[0]!.status, "ignored");
  });

  it("ends the delay of a tender whose awards are decided", () => {
    const scene: Scene = qualifying(["400"]);
    const award = lastAward(scene).id;
    const rejected = scene.send(OWNER, {
      kind: "change award",
      award,
      sent: { fields: { status: "unsuccessful" }, problems: [] },
    });
    const claim = rejected.send(BIDDER, fileClaim({}, award));
    const end = standStillEndOf(claim);
    const answered = claim.at(end - 1).send(OWNER, answerClaim(claim.id, award));
    const settles = end - 1 + 3 * DAY;
    assert.equal(answered.at(settles - 1).tender.status, "active.awarded");
    const { status, date } = answered.at(settles).tender;
    assert.deepEqual([status, date], ["unsuccessful", settles]);
  });
});
