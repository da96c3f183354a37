import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  ADMIN,
  ADMINISTRATOR,
  AUCTION,
  BIDDER,
  BOT,
  broker,
  CHRONOGRAPH,
  OWNER,
  REVIEWER,
  RIVAL,
  type Scene,
  STRANGER,
  windowIn,
} from "../../../test/support/decisions.ts";
import {
  cancelLot,
  cancelTender,
  DEADLINE,
  decideAward,
  editComplaint,
  fileClaim,
  LOT_A,
  LOT_B,
  NOBODY,
  onBoth,
  START,
  TENDERING,
  twoLots,
  withdrawClaim,
} from "../../../test/support/domainCommands.ts";
import { cook } from "../../../test/support/organizations.ts";
import {
  awarded,
  closed,
  decided,
  lastAward,
  placed,
  published,
  qualifying,
  SCENES,
  STATUSES,
  signed,
  standStillEndOf,
  tendering,
} from "../../../test/support/scenes.ts";
import type { TenderCommand } from "../model/commands.ts";
import { problem } from "../model/refusals.ts";
import type { Award } from "../model/tender.ts";
import { DAY, HOUR, MINUTE } from "../values/time.ts";

const REQUIRED = "This field is required.";
const unread = problem(["colour"], "Rogue field", "unknown-field", "shape");
const bare = (fields: object, award?: string): TenderCommand => ({
  kind: "file complaint",
  about: { award },
  sent: { fields, problems: [unread] },
});

describe("a complaint about a tender", () => {
  const scene = published(twoLots).later(MINUTE);

  it("is a claim if its status says so: dated, numbered and owned by the account that filed it", () => {
    const filed = scene.send(STRANGER, fileClaim({ description: "-", resolution: "!" }), { newTokenHash: "new" });
    const { tenderID, complaints } = filed.tender;
    assert.deepEqual(complaints, [
      {
        ...{ id: filed.id, complaintID: `${tenderID}.1`, type: "claim", status: "claim", documents: [] },
        ...{ author: cook, title: "Скарга", description: "-", owner: "stranger", tokenHash: "new" },
        ...{ date: scene.now, dateSubmitted: scene.now },
      },
    ]);
  });

  it("is an unsubmitted draft with any other status", () => {
    for (const status of [undefined, "draft", "answered", "pending"] as const) {
      const [complaint] = scene.send(STRANGER, fileClaim({ status })).tender.complaints;
      assert.deepEqual([complaint!.status, complaint!.dateSubmitted], ["draft", undefined]);
    }
  });

  it("may be about a lot", () => {
    const [complaint] = scene.send(STRANGER, fileClaim({ relatedLot: LOT_B })).tender.complaints;
    assert.equal(complaint!.relatedLot, LOT_B);
  });

  it("is refused for everything that is wrong with it", () => {
    assert.deepEqual(scene.outcome(STRANGER, bare({ relatedLot: NOBODY })).split("; "), [
      "colour: Rogue field",
      `author: ${REQUIRED}`,
      `title: ${REQUIRED}`,
      "relatedLot: relatedLot should be one of lots",
    ]);
    const vague = fileClaim({ author: { ...cook, address: {} } });
    assert.equal(scene.outcome(STRANGER, vague), `author.address.countryName: ${REQUIRED}`);
  });

  it("is filed by brokers and admins", () => {
    for (const actor of [STRANGER, OWNER, ADMIN]) assert.equal(scene.outcome(actor, fileClaim()), "ok");
    for (const actor of [{}, AUCTION, CHRONOGRAPH, ADMINISTRATOR, REVIEWER, BOT])
      assert.equal(scene.outcome(actor, fileClaim()), "forbidden");
  });

  for (const status of STATUSES) {
    const isOpen = status === "active.enquiries" || status === "active.tendering";
    it(`is ${isOpen ? "" : "not "}filed in ${status}`, () => {
      const expected = isOpen ? "ok" : `Can't add complaint in current (${status}) tender status`;
      assert.equal(SCENES[status]().outcome(STRANGER, fileClaim()), expected);
      assert.match(SCENES[status]().outcome(STRANGER, bare({})), /^colour: /, "what is wrong comes first");
    });
  }

  it("could be filed from the begin of enquiries until the deadline", () => {
    for (const late of [closed(["1", "2"]), signed(awarded()).later(DAY)])
      assert.deepEqual(windowIn(late.refusal(STRANGER, fileClaim())), { from: START, until: DEADLINE });
    assert.equal(
      tendering()
        .at(DEADLINE - 1)
        .outcome(STRANGER, fileClaim()),
      "ok",
    );
    const cancelled = tendering().later(HOUR).send(OWNER, cancelTender).later(DAY);
    assert.deepEqual(windowIn(cancelled.refusal(STRANGER, fileClaim())), { from: START, until: TENDERING + HOUR });
  });
});

describe("a complaint about an award", () => {
  const scene = qualifying(["400", "500"]).later(MINUTE);
  const award = lastAward(scene).id;

  it("belongs to its award, and is numbered across the whole tender", () => {
    const first = published().send(STRANGER, fileClaim());
    const stage = qualifying(["1", "2"]).with({ complaints: first.tender.complaints });
    const { id } = lastAward(stage);
    const second = stage.send(BIDDER, fileClaim({}, id)).send(RIVAL, fileClaim({}, id));
    assert.deepEqual(
      second.tender.awards[0]!.complaints.map(({ complaintID }) => complaintID.split(".").at(-1)),
      ["2", "3"],
    );
    assert.equal(second.tender.complaints.length, 1);
  });

  it("is filed by those who bid, with the token of their bid, and by admins", () => {
    for (const actor of [BIDDER, RIVAL, ADMIN]) assert.equal(scene.outcome(actor, fileClaim({}, award)), "ok");
    const STRANGERS = [{}, STRANGER, OWNER, REVIEWER, AUCTION, { ...BIDDER, tokenHash: "other" }];
    for (const actor of [...STRANGERS, { ...STRANGER, tokenHash: BIDDER.tokenHash }])
      assert.equal(scene.outcome(actor, fileClaim({}, award)), "forbidden");
  });

  it("needs level 2, and a test if the broker only tests", () => {
    const bidderOf = (levels: string) => ({ ...BIDDER, account: { ...BIDDER.account!, levels } });
    const outcome = (levels: string, stage = scene) =>
      stage.outcome(bidderOf(levels), fileClaim({}, lastAward(stage).id));
    assert.equal(outcome("1"), "not accredited: complaint by accreditation");
    assert.equal(outcome("2t"), "not accredited: complaint by mode");
    assert.equal(outcome("2t", qualifying(["1"], { mode: "test" })), "ok");
    assert.equal(outcome("2"), "ok");
    assert.equal(scene.outcome(broker("other", "1"), fileClaim({}, award)), "forbidden");
  });

  it("is about an award that is there", () => {
    assert.equal(scene.outcome({}, fileClaim({}, NOBODY)), "not found: award");
  });

  it("concerns the lot of the award, whatever it says, or none", () => {
    const lots = qualifying([onBoth("1", "2")], twoLots);
    const ofA = lots.send(BIDDER, fileClaim({ relatedLot: LOT_B }, lastAward(lots, LOT_A).id));
    assert.equal(ofA.tender.awards[0]!.complaints[0]!.relatedLot, LOT_A);
    const ofWhole = scene.send(BIDDER, fileClaim({ relatedLot: NOBODY }, award));
    assert.ok(!("relatedLot" in ofWhole.tender.awards[0]!.complaints[0]!));
  });

  it("is filed from the award on, and while that waits without an end", () => {
    const outcomeAt = (instant: number) => scene.at(instant).outcome(BIDDER, fileClaim({}, award));
    const { startDate } = lastAward(scene).complaintPeriod!;
    const LATE = "Can add complaint only in complaintPeriod";
    assert.deepEqual([outcomeAt(startDate! - 1), outcomeAt(startDate!)], [LATE, "ok"]);
    assert.equal(outcomeAt(startDate! + 100 * DAY), "ok");
  });

  it("is filed until the end of the stand-still, which is included", () => {
    const accepted = awarded();
    const { id, complaintPeriod } = lastAward(accepted);
    const end = standStillEndOf(accepted);
    const LATE = "Can add complaint only in complaintPeriod";
    const outcomeAt = (instant: number) => accepted.at(instant).outcome(BIDDER, fileClaim({}, id));
    assert.deepEqual([outcomeAt(end), outcomeAt(end + 1)], ["ok", LATE]);
    const window = windowIn(accepted.at(end + 1).refusal(BIDDER, fileClaim({}, id)));
    assert.deepEqual(window, { from: complaintPeriod!.startDate, until: end });
  });

  describe("is refused after its award was cancelled", () => {
    const windowFor = (stage: Scene, { id }: Award) => windowIn(stage.later(1).refusal(BIDDER, fileClaim({}, id)));
    const rejected = decided(qualifying(["400", "500"]), "unsuccessful");
    const [first] = rejected.tender.awards;
    const claimed = rejected.send(BIDDER, fileClaim({}, first!.id));
    const end = first!.complaintPeriod!.endDate!;

    it("without a window if that overwrote when the complaint period had ended", () => {
      const late = claimed.at(end + DAY);
      assert.deepEqual(windowFor(late, first!), { from: first!.complaintPeriod!.startDate, until: end });
      const revoked = late.send(OWNER, decideAward(first!.id, "cancelled"));
      assert.equal(revoked.tender.awards[0]!.complaintPeriod!.endDate, end + DAY, "as the protocol prescribes");
      assert.equal(windowFor(revoked, first!), undefined);
    });

    it("without a window if an earlier award was cancelled later", () => {
      const again = decided(decided(claimed.later(MINUTE), "active").later(MINUTE), "cancelled").later(MINUTE);
      const second = again.tender.awards[1]!;
      assert.deepEqual([second.status, second.date], ["cancelled", claimed.now + 2 * MINUTE]);
      const revoked = again.send(OWNER, decideAward(first!.id, "cancelled"));
      assert.equal(revoked.tender.awards[1]!.complaintPeriod!.endDate, claimed.now + 3 * MINUTE);
      assert.equal(windowFor(revoked, second), undefined);
    });

    it("with the window of its stand-still if that had ended before", () => {
      const accepted = awarded(["400", "500"]);
      const { complaintPeriod } = lastAward(accepted);
      const until = standStillEndOf(accepted);
      const revoked = decided(accepted.at(until + DAY), "cancelled");
      assert.deepEqual(windowFor(revoked, lastAward(accepted)), { from: complaintPeriod!.startDate, until });
    });
  });

  it("is filed at any time if its award has no period", () => {
    const open = scene.with({ awards: [{ ...lastAward(scene), complaintPeriod: undefined }] });
    assert.equal(open.outcome(BIDDER, fileClaim({}, award)), "ok");
  });

  it("is filed in qualification and while a contract is awaited, and not after", () => {
    const over = signed(awarded()).later(DAY);
    const { id, complaintPeriod } = lastAward(over);
    assert.equal(over.outcome(BIDDER, fileClaim({}, id)), "Can't add complaint in current (complete) tender status");
    const window = windowIn(over.refusal(BIDDER, fileClaim({}, id)));
    assert.deepEqual(window, { from: complaintPeriod!.startDate, until: complaintPeriod!.endDate });
    const cancelled = scene.send(OWNER, cancelTender).later(DAY);
    assert.deepEqual(windowIn(cancelled.refusal(BIDDER, fileClaim({}, award))), {
      from: lastAward(scene).complaintPeriod!.startDate,
      until: scene.now,
    });
  });

  it("is not filed once the lot is over", () => {
    const lots = qualifying([onBoth("1", "2")], twoLots).later(MINUTE);
    const { id, complaintPeriod } = lastAward(lots, LOT_A);
    const cancelled = lots.send(OWNER, cancelLot(LOT_A)).later(MINUTE);
    assert.deepEqual(cancelled.refusal(BIDDER, fileClaim({}, id)), {
      ...{ kind: "rule", rule: "lot-not-active", message: "Can add complaint only in active lot status" },
      window: { from: complaintPeriod!.startDate, until: lots.now },
    });
    assert.equal(cancelled.outcome(BIDDER, fileClaim({}, lastAward(lots, LOT_B).id)), "ok");
  });
});

describe("a draft of a complaint", () => {
  const edits = [{ title: "Інше" }, { status: "claim" }] as const;

  it("about the tender is edited and submitted until the deadline, and only cancelled after it", () => {
    const draft = published().send(STRANGER, fileClaim({ status: "draft" }));
    const stage = placed(draft.at(TENDERING), ["1", "2"]);
    for (const fields of edits) {
      assert.equal(stage.at(DEADLINE - 1).outcome(STRANGER, editComplaint(draft.id, fields)), "ok");
      const late = stage.at(DEADLINE).refusal(STRANGER, editComplaint(draft.id, fields));
      assert.deepEqual(late, {
        ...{ kind: "rule", rule: "complaint-move", message: "Can't update complaint" },
        window: { from: START, until: DEADLINE },
      });
    }
    assert.equal(stage.at(DEADLINE).outcome(STRANGER, withdrawClaim(draft.id)), "ok");
  });

  it("about an award is edited and submitted until the end of the stand-still", () => {
    const scene = awarded();
    const { id: award, complaintPeriod } = lastAward(scene);
    const draft = scene.send(BIDDER, fileClaim({ status: "draft" }, award));
    const end = standStillEndOf(scene);
    for (const fields of edits) {
      assert.equal(draft.at(end).outcome(BIDDER, editComplaint(draft.id, fields, award)), "ok");
      const late = draft.at(end + 1).refusal(BIDDER, editComplaint(draft.id, fields, award));
      assert.deepEqual(windowIn(late), { from: complaintPeriod!.startDate, until: end });
    }
    assert.equal(draft.at(end + 1).outcome(BIDDER, withdrawClaim(draft.id, award)), "ok");
  });
});
