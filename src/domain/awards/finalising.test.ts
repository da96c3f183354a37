import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ADMINISTRATOR, BIDDER, OWNER, type Scene, STRANGER } from "../../../test/support/decisions.ts";
import {
  answerClaim,
  cancelLot,
  DEADLINE,
  editComplaint,
  editContract,
  editTender,
  fileClaim,
  LOT_A,
  LOT_B,
  onBoth,
  signContract,
  TENDERING,
  twoLots,
  withdrawClaim,
} from "../../../test/support/domainCommands.ts";
import {
  decided,
  lastAward,
  type Offer,
  placed,
  published,
  qualifying,
  standStillEndOf,
  statusesOf,
} from "../../../test/support/scenes.ts";
import { nextDeadline } from "../deadlines.ts";
import type { TenderInput } from "../model/commands.ts";
import { PROCEDURES } from "../procedures/index.ts";
import { DAY, HOUR, MINUTE } from "../values/time.ts";
import { finalise, standStillEndOf as latestStandStillEnd } from "./finalising.ts";

/** The status of the tender, then those of its lots. */
const timeOf = (at: number) => ({ at, procedure: PROCEDURES.belowThreshold });
const statuses = ({ tender }: Scene): readonly string[] => [tender.status, ...statusesOf(tender.lots)];

/** With a claim about the tender from its enquiries on. */
function claimed(offers: readonly Offer[], fields?: TenderInput, relatedLot?: string) {
  const filed = published(fields).send(STRANGER, fileClaim({ relatedLot }));
  return { scene: placed(filed.at(TENDERING), offers).at(DEADLINE).tick().later(HOUR), claim: filed.id };
}

const rejected = decided(qualifying(["400"]).later(HOUR), "unsuccessful");
const end = standStillEndOf(rejected);

describe("a tender whose last award was rejected", () => {
  it("is unsuccessful at the end of the stand-still, and not a microsecond before it", () => {
    assert.equal(nextDeadline(rejected.tender), end);
    assert.equal(rejected.at(end - 1).tender.status, "active.awarded");
    const { status, date } = rejected.at(end).tender;
    assert.deepEqual([status, date], ["unsuccessful", end]);
  });

  it("waits for the last of several stand-stills", () => {
    const second = decided(decided(qualifying(["1", "2"]), "unsuccessful").later(DAY), "unsuccessful");
    const ends = second.tender.awards.map(({ complaintPeriod }) => complaintPeriod!.endDate!);
    assert.ok(ends[1]! > ends[0]!);
    assert.equal(nextDeadline(second.tender), ends[1]);
    assert.equal(latestStandStillEnd(second.tender.awards), ends[1]);
    assert.equal(latestStandStillEnd([]), undefined);
  });

  it("does not end by itself if an Administrator has moved it back to qualification", () => {
    const back = rejected.send(ADMINISTRATOR, editTender({ status: "active.qualification" }));
    assert.equal(nextDeadline(back.tender), undefined);
    assert.equal(back.at(end + DAY).tender.status, "active.qualification");
  });

  it("does not end if the last award was accepted, whatever came before", () => {
    const scene = decided(decided(qualifying(["1", "2"]), "unsuccessful"), "active");
    assert.equal(nextDeadline(scene.tender), undefined);
  });

  for (const [how, finish] of [
    ["withdrawn", (id: string, award?: string) => withdrawClaim(id, award)],
    ["resolved", (id: string, award?: string) => editComplaint(id, { status: "resolved", satisfied: true }, award)],
  ] as const)
    it(`waits for an answered complaint about it, and ends at once when that is ${how}`, () => {
      const award = lastAward(rejected).id;
      const filed = rejected.send(BIDDER, fileClaim({}, award));
      const answered = filed.at(end - MINUTE).send(OWNER, answerClaim(filed.id, award));
      assert.equal(nextDeadline(answered.tender), end - MINUTE + 3 * DAY);
      assert.equal(answered.at(end + 1).tender.status, "active.awarded");
      const { tender } = answered.at(end).send(BIDDER, finish(filed.id, award));
      assert.deepEqual([tender.status, tender.date], ["unsuccessful", end]);
      const early = answered.at(end - 1).send(BIDDER, finish(filed.id, award));
      assert.deepEqual([early.tender.status, nextDeadline(early.tender)], ["active.awarded", end]);
    });

  it("waits for an answered complaint about the tender, until the answer settles it", () => {
    const { scene, claim } = claimed(["400"]);
    const stage = decided(scene, "unsuccessful");
    const answered = stage.at(standStillEndOf(stage) - MINUTE).send(OWNER, answerClaim(claim));
    const settles = answered.now + 3 * DAY;
    assert.equal(answered.at(settles - 1).tender.status, "active.awarded");
    assert.equal(answered.at(settles).tender.status, "unsuccessful");
  });

  it("does not wait for an unanswered claim, which then becomes ignored", () => {
    const award = lastAward(rejected).id;
    const filed = rejected.send(BIDDER, fileClaim({}, award));
    const { status, awards } = filed.at(end).tender;
    assert.deepEqual(
      [status, awards[0]!.complaints[0]!.status, awards[0]!.complaints[0]!.date],
      ["unsuccessful", "ignored", end],
    );
  });
});

describe("a tender whose contract is signed", () => {
  it("is complete, though a claim about it is open, which is then ignored", () => {
    const { scene } = claimed(["400"]);
    const accepted = decided(scene, "active");
    const { id } = accepted.tender.contracts[0]!;
    const { tender } = accepted.at(standStillEndOf(accepted)).send(OWNER, signContract(id));
    assert.deepEqual([tender.status, statusesOf(tender.complaints)], ["complete", ["ignored"]]);
  });

  it("is complete only if it is the last contract", () => {
    const again = decided(decided(decided(qualifying(["1"]), "active"), "cancelled"), "active");
    const [, second] = again.tender.contracts;
    const at = again.at(standStillEndOf(again));
    assert.equal(at.send(OWNER, signContract(second!.id)).tender.status, "complete");
    const [first] = again.tender.contracts;
    const swapped = { ...at.tender, contracts: [{ ...first!, status: "active" as const }, second!] };
    assert.equal(finalise(swapped, timeOf(at.now)).status, "active.awarded");
  });
});

describe("a tender with lots", () => {
  const both = qualifying([onBoth("900", "800")], twoLots).later(HOUR);
  const halves = (a: "active" | "unsuccessful", b: "active" | "unsuccessful") =>
    decided(decided(both, a, LOT_A), b, LOT_B);
  const sign = (scene: Scene, place = 0) => scene.send(OWNER, signContract(scene.tender.contracts[place]!.id));

  it("has a rejected lot end at the end of its stand-still, also in qualification", () => {
    const scene = decided(both, "unsuccessful", LOT_B);
    const settles = standStillEndOf(scene);
    assert.equal(nextDeadline(scene.tender), settles);
    assert.deepEqual(statuses(scene.at(settles - 1)), ["active.qualification", "active", "active"]);
    const after = scene.at(settles);
    assert.deepEqual(statuses(after), ["active.qualification", "active", "unsuccessful"]);
    assert.deepEqual([after.tender.lots[1]!.date, nextDeadline(after.tender)], [settles, undefined]);
    assert.equal(after.tender.lots[0]!.date, both.tender.lots[0]!.date);
  });

  it("ends lot by lot, each at its own time", () => {
    const later = decided(decided(both, "unsuccessful", LOT_A).later(DAY), "unsuccessful", LOT_B);
    const [a, b] = later.tender.awards.map(({ complaintPeriod }) => complaintPeriod!.endDate!);
    assert.equal(nextDeadline(later.tender), a);
    assert.deepEqual(statuses(later.at(a!)), ["active.awarded", "unsuccessful", "active"]);
    assert.deepEqual(statuses(later.at(b!)), ["unsuccessful", "unsuccessful", "unsuccessful"]);
  });

  it("is complete when one is signed and the other rejected, in either order", () => {
    const scene = halves("active", "unsuccessful");
    const settled = scene.at(standStillEndOf(scene)).tick();
    assert.deepEqual(statuses(settled), ["active.awarded", "active", "unsuccessful"]);
    const over = sign(settled.later(1));
    assert.deepEqual(statuses(over), ["complete", "complete", "unsuccessful"]);
    assert.deepEqual([over.tender.date, over.tender.lots[0]!.date], [over.now, over.now]);
    const first = decided(both, "active", LOT_A);
    const half = sign(first.at(standStillEndOf(first)));
    assert.deepEqual(statuses(half), ["active.qualification", "complete", "active"]);
    const rejecting = decided(half, "unsuccessful", LOT_B);
    assert.deepEqual(statuses(rejecting.at(standStillEndOf(rejecting))), ["complete", "complete", "unsuccessful"]);
  });

  it("is complete when both are signed", () => {
    const scene = halves("active", "active");
    const signed = sign(scene.at(standStillEndOf(scene)), 1);
    assert.deepEqual(statuses(signed), ["active.awarded", "active", "complete"]);
    assert.deepEqual(statuses(sign(signed)), ["complete", "complete", "complete"]);
  });

  it("does not end a lot because another has a signed contract, or before its stand-still is over", () => {
    const scene = halves("active", "active");
    const at = scene.at(standStillEndOf(scene));
    assert.equal(
      at.send(OWNER, editContract(scene.tender.contracts[0]!.id, { title: "!" })).tender.status,
      "active.awarded",
    );
    const [first, second] = scene.tender.contracts;
    const early = finalise(
      { ...scene.tender, contracts: [{ ...first!, status: "active" }, second!] },
      timeOf(at.now - 1),
    );
    assert.deepEqual(statusesOf(early.lots), ["active", "active"]);
    const inTime = finalise({ ...scene.tender, contracts: [{ ...first!, status: "active" }, second!] }, timeOf(at.now));
    assert.deepEqual(statusesOf(inTime.lots), ["complete", "active"]);
  });

  it("does not end a lot whose last award is still open, or that has none", () => {
    assert.deepEqual(statusesOf(finalise(both.tender, timeOf(both.now + 99 * DAY)).lots), ["active", "active"]);
    const none = { ...both.tender, awards: [] };
    assert.deepEqual(statusesOf(finalise(none, timeOf(both.now)).lots), ["active", "active"]);
    assert.equal(nextDeadline(none), undefined);
  });

  it("ends a rejected lot at once if its award has no stand-still", () => {
    const awards = halves("unsuccessful", "active").tender.awards.map((award) => ({ ...award, complaintPeriod: {} }));
    const scene = halves("unsuccessful", "active").with({ awards });
    assert.deepEqual(statusesOf(finalise(scene.tender, timeOf(scene.now)).lots), ["unsuccessful", "active"]);
  });

  it("leaves a lot alone that has ended already", () => {
    const cancelled = halves("unsuccessful", "unsuccessful").send(OWNER, cancelLot(LOT_A));
    const after = cancelled.at(standStillEndOf(cancelled));
    assert.deepEqual(statuses(after), ["unsuccessful", "cancelled", "unsuccessful"]);
  });

  it("waits altogether for an answered complaint about the tender, and only in its lot for one about that", () => {
    const held = (relatedLot?: string) => {
      const { scene, claim } = claimed([onBoth("900", "800")], twoLots, relatedLot);
      const stage = decided(decided(scene, "unsuccessful", LOT_A), "unsuccessful", LOT_B);
      const settles = standStillEndOf(stage);
      return stage
        .at(settles - 1)
        .send(OWNER, answerClaim(claim))
        .at(settles)
        .tick();
    };
    assert.deepEqual(statuses(held()), ["active.awarded", "active", "active"]);
    assert.deepEqual(statuses(held(LOT_A)), ["active.awarded", "active", "unsuccessful"]);
    assert.deepEqual(statuses(held(LOT_B)), ["active.awarded", "unsuccessful", "active"]);
    assert.deepEqual(statuses(held().later(3 * DAY)), ["unsuccessful", "unsuccessful", "unsuccessful"]);
  });

  it("waits in a lot for an answered complaint about one of its awards", () => {
    const scene = halves("unsuccessful", "unsuccessful");
    const award = lastAward(scene, LOT_A).id;
    const filed = scene.send(BIDDER, fileClaim({}, award));
    const settles = standStillEndOf(scene);
    const answered = filed.at(settles - 1).send(OWNER, answerClaim(filed.id, award));
    assert.deepEqual(statuses(answered.at(settles)), ["active.awarded", "active", "unsuccessful"]);
  });
});
