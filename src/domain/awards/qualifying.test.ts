import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  ADMIN,
  ADMINISTRATOR,
  BIDDER,
  OTHERS,
  OWNER,
  RIVAL,
  type Scene,
  windowIn,
  zone,
} from "../../../test/support/decisions.ts";
import {
  answerClaim,
  cancelLot,
  changeAward,
  DEADLINE,
  decideAward,
  editComplaint,
  fileClaim,
  LOT_A,
  LOT_B,
  money,
  NOBODY,
  onBoth,
  twoLots,
  withdrawClaim,
} from "../../../test/support/domainCommands.ts";
import {
  awarded,
  bidOf,
  decided,
  lastAward,
  qualifying,
  signed,
  standStillEndOf,
  statusesOf,
} from "../../../test/support/scenes.ts";
import type { TenderCommand } from "../model/commands.ts";
import { problem } from "../model/refusals.ts";
import { AWARD_STATUSES } from "../model/tender.ts";
import { addWorkingDays } from "../values/calendar.ts";
import { DAY, HOUR, MINUTE } from "../values/time.ts";

const unread = problem(["colour"], "Rogue field", "unknown-field", "shape");
const pending = qualifying(["400", "500"]).later(HOUR);
const accepted = decided(pending, "active").later(HOUR);
const rejected = decided(pending, "unsuccessful").later(HOUR);
const idOf = (scene: Scene, place = 0): string => scene.tender.awards[place]!.id;
const cannot = (status: string) => `Can't update award in current (${status}) status`;

describe("an award that waits for a decision", () => {
  it("is decided by the owner and admins, and its complaint period by an Administrator; nobody else may change it", () => {
    for (const actor of [OWNER, ADMIN])
      assert.deepEqual(statusesOf(pending.send(actor, decideAward(idOf(pending), "active")).tender.awards), ["active"]);
    for (const actor of OTHERS.filter((other) => other !== ADMINISTRATOR))
      assert.equal(pending.outcome(actor, decideAward(idOf(pending), "active")), "forbidden");
    assert.equal(pending.outcome({}, decideAward(NOBODY, "active")), "not found: award");
  });

  it("is described by its owner, except for the fields that the service sets", () => {
    const fields = { title: "Переможець", title_en: "Winner", description: "-", value: money("1"), bid_id: NOBODY };
    const after = pending.send(OWNER, changeAward(idOf(pending), { ...fields, suppliers: [], lotID: LOT_A })).tender;
    const { title, title_en, description } = fields;
    assert.deepEqual(after.awards[0], { ...pending.tender.awards[0], title, title_en, description });
  });

  it("becomes active with a stand-still of two working days and a contract", () => {
    const { tender } = decided(pending, "active");
    const [award] = tender.awards;
    const endDate = addWorkingDays(pending.now, 2, zone);
    assert.deepEqual([award!.status, award!.date], ["active", pending.now]);
    assert.deepEqual(award!.complaintPeriod, { startDate: DEADLINE + HOUR, endDate });
    assert.deepEqual([tender.status, tender.contracts.length], ["active.awarded", 1]);
    assert.equal(tender.contracts[0]!.awardID, award!.id);
  });

  it("becomes unsuccessful with the same stand-still and without a contract", () => {
    const { tender } = decided(pending, "unsuccessful");
    const [award] = tender.awards;
    assert.deepEqual([award!.status, award!.date], ["unsuccessful", pending.now]);
    assert.equal(award!.complaintPeriod!.endDate, addWorkingDays(pending.now, 2, zone));
    assert.deepEqual(tender.contracts, []);
  });

  it("has its stand-still divided in a sandbox that is accelerated, and nowhere else", () => {
    const fields = { procurementMethodDetails: "quick, accelerator=1440" };
    const lengthOf = (scene: Scene) => standStillEndOf(decided(scene, "active")) - scene.now;
    assert.equal(lengthOf(qualifying(["1"], fields, { sandbox: true })), (2 * DAY) / 1440);
    assert.ok(lengthOf(qualifying(["1"], fields)) >= 2 * DAY);
  });

  it("is not cancelled", () => {
    assert.equal(pending.outcome(OWNER, decideAward(idOf(pending), "cancelled")), cannot("pending"));
  });
});

describe("an award that was accepted", () => {
  it("can only be taken back, not edited or decided again", () => {
    for (const fields of [
      { title: "!" },
      { status: "pending" },
      { status: "unsuccessful" },
      { status: "active" },
    ] as const)
      assert.equal(accepted.outcome(OWNER, changeAward(idOf(accepted), fields)), cannot("active"));
  });

  it("taken back ends its stand-still and its contract, and the same bid is next", () => {
    const { tender } = decided(accepted, "cancelled");
    const [award] = tender.awards;
    assert.deepEqual(
      [award!.status, award!.date, award!.complaintPeriod!.endDate],
      ["cancelled", accepted.now, accepted.now],
    );
    assert.equal(award!.complaintPeriod!.startDate, DEADLINE + HOUR);
    const [contract] = tender.contracts;
    assert.deepEqual([contract!.status, contract!.date], ["cancelled", accepted.now]);
    assert.deepEqual([tender.status, statusesOf(tender.awards)], ["active.qualification", ["cancelled", "pending"]]);
    for (const status of AWARD_STATUSES)
      assert.equal(decided(accepted, "cancelled").outcome(OWNER, decideAward(award!.id, status)), cannot("cancelled"));
  });

  it("taken back after its stand-still keeps the end of its stand-still", () => {
    const end = standStillEndOf(accepted);
    assert.equal(decided(accepted.at(end + DAY), "cancelled").tender.awards[0]!.complaintPeriod!.endDate, end);
    assert.equal(decided(accepted.at(end - 1), "cancelled").tender.awards[0]!.complaintPeriod!.endDate, end - 1);
  });

  it("taken back closes the undecided claims about it", () => {
    const award = idOf(accepted);
    const file = (scene: Scene, status: "draft" | "claim") => scene.send(BIDDER, fileClaim({ status }, award));
    let scene = file(file(file(file(accepted, "draft"), "claim"), "claim"), "claim");
    const ids = scene.tender.awards[0]!.complaints.map(({ id }) => id);
    scene = scene.send(OWNER, answerClaim(ids[2]!, award)).send(OWNER, answerClaim(ids[3]!, award));
    scene = scene.send(BIDDER, editComplaint(ids[3]!, { status: "resolved", satisfied: true }, award)).later(MINUTE);
    const { complaints } = decided(scene, "cancelled").tender.awards[0]!;
    assert.deepEqual(statusesOf(complaints), ["cancelled", "cancelled", "cancelled", "resolved"]);
    const { cancellationReason, dateCanceled, date } = complaints[1]!;
    assert.deepEqual([cancellationReason, dateCanceled, date], ["cancelled", scene.now, scene.now]);
    assert.equal(complaints[3]!.date, scene.now - MINUTE);
  });
});

describe("an award that was rejected", () => {
  const claimed = rejected.send(BIDDER, fileClaim({}, idOf(rejected)));

  it("stays rejected unless somebody complains", () => {
    for (const fields of [
      { status: "cancelled" },
      { status: "active" },
      { status: "pending" },
      { title: "!" },
    ] as const)
      assert.equal(rejected.outcome(OWNER, changeAward(idOf(rejected), fields)), cannot("unsuccessful"));
  });

  for (const [status, by] of [
    ["draft", "cannot"],
    ["claim", "may"],
    ["answered", "may"],
    ["resolved", "may"],
    ["cancelled", "cannot"],
  ] as const)
    it(`${by} be taken back for a complaint that is ${status}`, () => {
      const award = idOf(rejected);
      const filed = rejected.send(BIDDER, fileClaim({ status: status === "draft" ? "draft" : "claim" }, award));
      const { id } = filed;
      const answered = ["answered", "resolved"].includes(status) ? filed.send(OWNER, answerClaim(id, award)) : filed;
      const ended = {
        resolved: editComplaint(id, { status: "resolved", satisfied: true }, award),
        cancelled: withdrawClaim(id, award),
      };
      const scene = status in ended ? answered.send(BIDDER, ended[status as keyof typeof ended]) : answered;
      assert.equal(lastStatus(scene), status);
      assert.equal(scene.outcome(OWNER, decideAward(award, "cancelled")), by === "may" ? "ok" : cannot("unsuccessful"));
    });

  function lastStatus({ tender }: Scene): string {
    return tender.awards[0]!.complaints.at(-1)!.status;
  }

  it("is not decided otherwise for an objection", () => {
    for (const status of ["active", "pending", "unsuccessful"] as const)
      assert.equal(claimed.outcome(OWNER, decideAward(idOf(claimed), status)), cannot("unsuccessful"));
  });

  it("taken back cancels all later awards and their contracts, and the best bid is next again", () => {
    const second = decided(claimed, "active").later(HOUR);
    assert.equal(second.tender.status, "active.awarded");
    const { tender } = second.send(OWNER, decideAward(idOf(claimed), "cancelled"));
    assert.deepEqual(
      [tender.status, statusesOf(tender.awards)],
      ["active.qualification", ["cancelled", "cancelled", "pending"]],
    );
    assert.deepEqual(
      tender.awards.map(({ complaintPeriod }) => complaintPeriod!.endDate),
      [second.now, second.now, undefined],
    );
    assert.deepEqual(
      [tender.awards[2]!.bid_id, statusesOf(tender.contracts)],
      [bidOf(second, BIDDER).id, ["cancelled"]],
    );
    assert.equal(tender.awardPeriod!.endDate, undefined);
  });

  it("taken back leaves earlier awards unchanged", () => {
    const next = decided(claimed, "unsuccessful").later(HOUR);
    const contested = next.send(RIVAL, fileClaim({}, idOf(next, 1)));
    const { awards } = contested.send(OWNER, decideAward(idOf(next, 1), "cancelled")).tender;
    assert.deepEqual(statusesOf(awards), ["unsuccessful", "cancelled", "pending"]);
    assert.equal(awards[2]!.bid_id, bidOf(contested, RIVAL).id, "the first bid stays rejected");
  });

  it("taken back does not change the dates of what was already cancelled", () => {
    const cancelled = decided(decided(claimed, "active").later(HOUR), "cancelled").later(HOUR);
    const { tender } = cancelled.send(OWNER, decideAward(idOf(claimed), "cancelled"));
    assert.deepEqual(statusesOf(tender.awards), ["cancelled", "cancelled", "cancelled", "pending"]);
    assert.equal(tender.awards[1]!.date, cancelled.now - HOUR);
    assert.equal(tender.awards[2]!.date, cancelled.now);
    assert.deepEqual(tender.contracts, cancelled.tender.contracts);
  });

  it("taken back after its stand-still ends its complaint period now", () => {
    const late = claimed.at(standStillEndOf(claimed) + DAY);
    const { awards } = late.send(OWNER, decideAward(idOf(claimed), "cancelled")).tender;
    assert.equal(awards[0]!.complaintPeriod!.endDate, late.now);
  });

  it("of another lot is not touched by any of this", () => {
    const lots = qualifying([onBoth("1", "2"), onBoth("3", "4")], twoLots);
    const both = decided(decided(lots, "unsuccessful", LOT_A), "active", LOT_B);
    const contested = both.later(HOUR).send(BIDDER, fileClaim({}, idOf(both)));
    const { awards, contracts } = contested.send(OWNER, decideAward(idOf(both), "cancelled")).tender;
    assert.deepEqual(
      awards.map(({ lotID, status }) => [lotID, status]),
      [
        [LOT_A, "cancelled"],
        [LOT_B, "active"],
        [LOT_A, "cancelled"],
        [LOT_A, "pending"],
      ],
    );
    assert.deepEqual(awards[1], both.tender.awards[1]);
    assert.deepEqual(statusesOf(contracts), ["pending"]);
  });
});

describe("awards are decided while their tender and their lot allow it", () => {
  it("and not once the tender has ended; the refusal says until when", () => {
    const over = signed(awarded()).later(DAY);
    const late = over.refusal(OWNER, decideAward(idOf(over), "cancelled"));
    assert.equal(
      over.outcome(OWNER, decideAward(idOf(over), "cancelled")),
      "Can't update award in current (complete) tender status",
    );
    assert.deepEqual(windowIn(late), { from: DEADLINE, until: over.tender.date });
  });

  it("and not once the lot is over", () => {
    const lots = qualifying([onBoth("1", "2")], twoLots).later(MINUTE);
    const scene = lots.send(OWNER, cancelLot(LOT_A)).later(MINUTE);
    const award = lastAward(scene, LOT_A).id;
    const refusal = scene.refusal(OWNER, decideAward(award, "active"));
    assert.deepEqual(refusal, {
      ...{ kind: "rule", rule: "lot-not-active", message: "Can update award only in active lot status" },
      window: { from: DEADLINE, until: lots.now },
    });
    assert.equal(scene.outcome(OWNER, decideAward(lastAward(scene, LOT_B).id, "active")), "ok");
    assert.equal(scene.outcome(ADMINISTRATOR, changeAward(award, {})), "Can update award only in active lot status");
  });

  it("and only if everything could be read and the complaint period is one", () => {
    const fields = { complaintPeriod: { startDate: 2, endDate: 1 } };
    const command: TenderCommand = { kind: "change award", award: idOf(pending), sent: { fields, problems: [unread] } };
    assert.equal(
      pending.outcome(ADMINISTRATOR, command),
      "colour: Rogue field; complaintPeriod.startDate: period should begin before its end",
    );
    assert.equal(pending.outcome(OWNER, command), "colour: Rogue field", "the period is not the owner's to set");
  });
});
