import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  ADMIN,
  ADMINISTRATOR,
  AUCTION,
  BIDDER,
  OWNER,
  REVIEWER,
  type Scene,
  STRANGER,
  windowIn,
} from "../../../test/support/decisions.ts";
import {
  addDocument,
  answerClaim,
  cancelLot,
  cancelTender,
  DEADLINE,
  editComplaint,
  fileClaim,
  LOT_A,
  NOBODY,
  onBoth,
  RESOLUTION,
  START,
  twoLots,
  withdrawClaim,
} from "../../../test/support/domainCommands.ts";
import { awarded, decided, lastAward, published, qualifying, SCENES } from "../../../test/support/scenes.ts";
import type { Actor } from "../model/actors.ts";
import type { ComplaintInput, Patch, TenderCommand } from "../model/commands.ts";
import { problem } from "../model/refusals.ts";
import type { Complaint } from "../model/tender.ts";
import { DAY, MINUTE } from "../values/time.ts";

type Status = Complaint["status"];
const NO = "Can't update complaint";
const ANSWER = { status: "answered", resolution: RESOLUTION, resolutionType: "declined" } as const;
const CANCEL = { status: "cancelled", cancellationReason: "-" } as const;
const over = (status: string) => `Can't update complaint in current (${status}) status`;

/** A tender with a complaint about it or about its award, and who filed it. */
type Place = { readonly scene: Scene; readonly award?: string; readonly author: Actor };
const ofTender: Place = { scene: published(), author: STRANGER };
const qualification = qualifying(["400"]);
const ofAward: Place = { scene: qualification, award: lastAward(qualification).id, author: BIDDER };

/** A complaint in a status, brought there by those who may. */
function filedAs(status: Status, { scene, award, author }: Place): Scene {
  const filed = scene.send(author, fileClaim({ status: status === "draft" ? "draft" : "claim" }, award));
  const { id } = filed;
  if (status === "cancelled") return filed.send(author, withdrawClaim(id, award));
  if (status !== "answered" && status !== "resolved") return filed;
  const answered = filed.send(OWNER, answerClaim(id, award));
  return status === "answered"
    ? answered
    : answered.send(author, editComplaint(id, { status, satisfied: true }, award));
}

const complaintIn = ({ tender }: Scene): Complaint => (tender.awards[0]?.complaints ?? tender.complaints)[0]!;

type Who = "author" | "buyer" | "reviewer" | "admin" | "stranger";
type Move = readonly [sentence: string, from: Status, who: Who, fields: Patch<ComplaintInput>, expected: string];

const MOVES: readonly Move[] = [
  ["its author edits a draft", "draft", "author", { title: "Інше" }, "draft"],
  ["its author submits a draft", "draft", "author", { status: "claim" }, "claim"],
  ["its author cancels a draft", "draft", "author", CANCEL, "cancelled"],
  ["its author cancels a claim", "claim", "author", CANCEL, "cancelled"],
  ["its author cancels an answered one", "answered", "author", CANCEL, "cancelled"],
  ["the buyer says what it does about a claim", "claim", "buyer", { tendererAction: "-" }, "claim"],
  ["the buyer answers a claim", "claim", "buyer", ANSWER, "answered"],
  ["its author says whether it is satisfied", "answered", "author", { satisfied: true }, "answered"],
  ["its author resolves it, satisfied", "answered", "author", { satisfied: true, status: "resolved" }, "resolved"],
  ["its author resolves it, not satisfied", "answered", "author", { satisfied: false, status: "resolved" }, "resolved"],
  ["a draft is not answered", "draft", "author", ANSWER, NO],
  ["a draft is not resolved", "draft", "author", { status: "resolved" }, NO],
  ["a draft does not become pending", "draft", "author", { status: "pending" }, NO],
  [
    "nothing is cancelled without a reason",
    "draft",
    "author",
    { status: "cancelled" },
    "cancellationReason: This field is required.",
  ],
  ["a claim is not edited by its author", "claim", "author", { title: "Інше" }, "wrong role"],
  ["a claim does not become a draft", "claim", "author", { status: "draft" }, "wrong role"],
  ["the buyer does not resolve a claim", "claim", "buyer", { status: "resolved" }, NO],
  ["the buyer does not reject a claim", "claim", "buyer", { status: "invalid" }, NO],
  ["the buyer does not cancel a claim", "claim", "buyer", CANCEL, NO],
  [
    "an answer names its kind",
    "claim",
    "buyer",
    { status: "answered", resolution: RESOLUTION },
    "resolutionType: This field is required.",
  ],
  ["a draft is no business of the buyer", "draft", "buyer", ANSWER, "wrong role"],
  ["an answered one is not answered again", "answered", "buyer", ANSWER, "wrong role"],
  ["an answered one is not resolved in silence", "answered", "author", { status: "resolved" }, NO],
  ["an answered one does not become a claim again", "answered", "author", { status: "claim" }, NO],
  ["an answered one is not escalated", "answered", "author", { status: "pending", satisfied: false }, NO],
  ["a resolved one is not edited", "resolved", "author", { satisfied: false }, "wrong role"],
  ["a resolved one is not cancelled", "resolved", "author", CANCEL, over("resolved")],
  ["a cancelled one is not cancelled again", "cancelled", "author", CANCEL, over("cancelled")],
  ["a resolved one is not answered", "resolved", "buyer", ANSWER, "wrong role"],
  ["a reviewer has nothing to decide on a claim", "claim", "reviewer", { status: "resolved" }, "wrong role"],
  ["an admin without the token decides nothing", "claim", "admin", { status: "claim" }, "wrong role"],
  ["a stranger touches nothing", "claim", "stranger", CANCEL, "forbidden"],
];

for (const [subject, place] of [
  ["a tender", ofTender],
  ["an award", ofAward],
] as const)
  describe(`of the life of a complaint about ${subject} this holds:`, () => {
    const actors = { author: place.author, buyer: OWNER, reviewer: REVIEWER, admin: ADMIN, stranger: AUCTION };
    for (const [sentence, from, who, fields, expected] of MOVES)
      it(sentence, () => {
        const filed = filedAs(from, place);
        const command = editComplaint(complaintIn(filed).id, fields, place.award);
        const outcome = filed.outcome(actors[who], command);
        assert.equal(outcome === "ok" ? complaintIn(filed.send(actors[who], command)).status : outcome, expected);
      });

    it("an answer has 20 characters", () => {
      const filed = filedAs("claim", place);
      const answer = (resolution?: string) => filed.outcome(OWNER, answerClaim(filed.id, place.award, { resolution }));
      const short = place.award === undefined ? `${NO}: resolution too short` : NO;
      assert.deepEqual([answer("й".repeat(19)), answer(), answer("😀".repeat(19))], [short, short, short]);
      assert.deepEqual([answer("й".repeat(20)), answer("😀".repeat(20))], ["ok", "ok"]);
    });

    it("every step is dated, and the buyer's action only the first time", () => {
      const draft = filedAs("draft", place);
      const edit = (scene: Scene, actor: Actor, fields: Patch<ComplaintInput>) =>
        scene.later(MINUTE).send(actor, editComplaint(draft.id, fields, place.award));
      const claim = edit(draft, place.author, { status: "claim" });
      assert.deepEqual([complaintIn(claim).date, complaintIn(claim).dateSubmitted], [claim.now, claim.now]);
      const acted = edit(claim, OWNER, { tendererAction: "-" });
      assert.deepEqual([complaintIn(acted).date, complaintIn(acted).tendererActionDate], [claim.now, acted.now]);
      const answered = edit(acted, OWNER, { ...ANSWER, tendererAction: "+" });
      const { date, dateAnswered, tendererActionDate, settlesAt } = complaintIn(answered);
      assert.deepEqual([date, dateAnswered, tendererActionDate], [answered.now, answered.now, acted.now]);
      assert.equal(settlesAt, answered.now + 3 * DAY);
      const rated = edit(answered, place.author, { satisfied: false });
      assert.deepEqual([complaintIn(rated).date, complaintIn(rated).satisfied], [answered.now, false]);
      const resolved = edit(rated, place.author, { status: "resolved" });
      assert.deepEqual([complaintIn(resolved).status, complaintIn(resolved).date], ["resolved", resolved.now]);
      const cancelled = edit(rated, place.author, CANCEL);
      assert.deepEqual(
        [complaintIn(cancelled).date, complaintIn(cancelled).dateCanceled],
        [cancelled.now, cancelled.now],
      );
    });

    it("an answer alone does not date the buyer's action", () => {
      assert.equal(complaintIn(filedAs("answered", place)).tendererActionDate, undefined);
    });

    it("fields that are not the writer's to set stay as they are", () => {
      const filed = filedAs("claim", place);
      const fields = { title: "Інше", satisfied: true, cancellationReason: "-" };
      const { title, satisfied, cancellationReason } = complaintIn(
        filed.send(OWNER, answerClaim(filed.id, place.award, fields)),
      );
      assert.deepEqual([title, satisfied, cancellationReason], ["Скарга", undefined, undefined]);
      const cancelled = filed.send(place.author, editComplaint(filed.id, { ...CANCEL, title: "Інше" }, place.award));
      assert.equal(complaintIn(cancelled).title, "Скарга");
    });

    it("no other complaint changes with it", () => {
      const first = filedAs("claim", place);
      const both = first.send(place.author, fileClaim({}, place.award));
      const { tender } = both.send(OWNER, answerClaim(both.id, place.award));
      const [untouched, answered] = place.award === undefined ? tender.complaints : tender.awards[0]!.complaints;
      assert.deepEqual([untouched, answered!.status], [complaintIn(first), "answered"]);
    });
  });

describe("a complaint is edited", () => {
  it("by nobody who is not a party to it, and only if it exists", () => {
    const filed = filedAs("claim", ofTender);
    for (const actor of [{}, BIDDER, AUCTION, ADMINISTRATOR, { ...STRANGER, tokenHash: "other" }])
      assert.equal(filed.outcome(actor, withdrawClaim(filed.id)), "forbidden");
    for (const command of [withdrawClaim(NOBODY), withdrawClaim(filed.id, NOBODY)])
      assert.equal(filed.outcome({}, command), "not found: complaint");
    assert.equal(filedAs("claim", ofAward).outcome({}, withdrawClaim(complaintIn(filed).id)), "not found: complaint");
  });

  it("by the account that filed it as its author, even if it also owns the tender", () => {
    const own = published().send(OWNER, fileClaim());
    assert.equal(own.outcome(OWNER, withdrawClaim(own.id)), "ok");
    assert.equal(own.outcome(OWNER, answerClaim(own.id)), "wrong role");
  });

  it("into nothing that is no complaint, and everything that is wrong is reported", () => {
    const unread = problem(["colour"], "Rogue field", "unknown-field", "shape");
    const draft = filedAs("draft", ofTender);
    const edit = (fields: Patch<ComplaintInput>): TenderCommand => ({
      ...{ kind: "edit complaint", about: {}, complaint: draft.id, sent: { fields, problems: [unread] } },
    });
    const required = "This field is required.";
    const fields = { title: null, author: { name: null } };
    assert.equal(
      draft.outcome(STRANGER, edit(fields)),
      `colour: Rogue field; title: ${required}; author.name: ${required}`,
    );
    assert.equal(draft.outcome(OWNER, edit(fields)), "colour: Rogue field", "of one who may not write, only that");
  });

  it("in every active status of its tender, as a complaint about the tender", () => {
    const first = published().send(STRANGER, fileClaim());
    for (const status of ["active.tendering", "active.auction", "active.qualification", "active.awarded"] as const) {
      const stage = SCENES[status]().with({ complaints: first.tender.complaints });
      assert.equal(stage.outcome(OWNER, answerClaim(first.id)), "ok", status);
    }
  });

  it("in no tender that has ended; the refusal says when it was allowed", () => {
    const filed = published().send(STRANGER, fileClaim());
    const cancelled = filed.later(DAY).send(OWNER, cancelTender).later(DAY);
    const expected = "Can't update complaint in current (cancelled) tender status";
    assert.equal(cancelled.outcome(STRANGER, withdrawClaim(filed.id)), expected);
    assert.deepEqual(windowIn(cancelled.refusal(STRANGER, withdrawClaim(filed.id))), {
      from: START,
      until: START + DAY,
    });
    const ended = filedAs("claim", ofAward).later(MINUTE).send(OWNER, cancelTender).later(DAY);
    const late = ended.refusal(BIDDER, withdrawClaim(complaintIn(ended).id, ofAward.award));
    assert.deepEqual(windowIn(late), { from: DEADLINE, until: qualification.now + MINUTE });
  });

  it("about an award not once its lot is over, about the tender as before", () => {
    const lots = qualifying([onBoth("1", "2")], twoLots);
    const award = lastAward(lots, LOT_A).id;
    const filed = lots.send(BIDDER, fileClaim({}, award)).later(MINUTE);
    const cancelled = filed.send(OWNER, cancelLot(LOT_A)).later(MINUTE);
    assert.deepEqual(cancelled.refusal(BIDDER, withdrawClaim(filed.id, award)), {
      ...{ kind: "rule", rule: "lot-not-active", message: "Can update complaint only in active lot status" },
      window: { from: DEADLINE, until: filed.now },
    });
    const ofLot = published(twoLots).send(STRANGER, fileClaim({ relatedLot: LOT_A }));
    assert.equal(ofLot.send(OWNER, cancelLot(LOT_A)).outcome(STRANGER, withdrawClaim(ofLot.id)), "ok");
  });

  it("not by the wrong party, and the refusal says when it was that party's turn", () => {
    const filed = filedAs("claim", ofTender);
    const answered = filed.later(MINUTE).send(OWNER, answerClaim(filed.id));
    const settled = answered.later(4 * DAY).tick();
    const edit = editComplaint(filed.id, { satisfied: false });
    assert.deepEqual(settled.refusal(STRANGER, edit), {
      ...{ kind: "wrong role", window: { from: START + MINUTE, until: settled.now } },
    });
    assert.deepEqual(answered.refusal(OWNER, answerClaim(filed.id)), {
      ...{ kind: "wrong role", window: { from: START, until: START + MINUTE } },
    });
    assert.deepEqual(filed.refusal(STRANGER, edit), { kind: "wrong role" });
  });

  it("not once it is closed, and the refusal says since when", () => {
    const resolved = filedAs("resolved", ofTender).later(DAY);
    const late = resolved.refusal(STRANGER, withdrawClaim(complaintIn(resolved).id));
    assert.deepEqual(windowIn(late), { until: START });
  });

  describe("not once it is closed, and the refusal does not say since when", () => {
    const accepted = awarded(["400"]);
    const award = lastAward(accepted).id;
    const filed = accepted.send(BIDDER, fileClaim({}, award));
    const edit = editComplaint(filed.id, { status: "resolved", satisfied: false }, award);
    const windowOf = (scene: Scene, actor: Actor, command: TenderCommand) => windowIn(scene.refusal(actor, command));

    it("if the cancellation of its award overwrote that of the claim", () => {
      const withdrawn = filed.later(MINUTE).send(BIDDER, withdrawClaim(filed.id, award)).later(MINUTE);
      const revoked = decided(withdrawn, "cancelled").later(MINUTE);
      for (const scene of [withdrawn, revoked])
        assert.equal(scene.refusal(OWNER, answerClaim(filed.id, award)).kind, "wrong role");
      const until = filed.now + MINUTE;
      assert.deepEqual(windowOf(withdrawn, OWNER, answerClaim(filed.id, award)), { from: filed.now, until });
      assert.equal(windowOf(revoked, OWNER, answerClaim(filed.id, award)), undefined);
      assert.deepEqual(windowOf(withdrawn, BIDDER, withdrawClaim(filed.id, award)), { until });
      assert.equal(windowOf(revoked, BIDDER, withdrawClaim(filed.id, award)), undefined);
      assert.equal(windowOf(revoked, OWNER, addDocument({ award, complaint: filed.id })), undefined);
    });

    it("to its author if it was answered before, but to the buyer", () => {
      const answered = filed.later(MINUTE).send(OWNER, answerClaim(filed.id, award)).later(MINUTE);
      const withdrawn = answered.send(BIDDER, withdrawClaim(filed.id, award)).later(MINUTE);
      const revoked = decided(withdrawn, "cancelled").later(MINUTE);
      const until = filed.now + MINUTE;
      assert.deepEqual(windowOf(withdrawn, BIDDER, edit), { from: until, until: until + MINUTE });
      assert.equal(windowOf(revoked, BIDDER, edit), undefined);
      assert.deepEqual(windowOf(revoked, OWNER, answerClaim(filed.id, award)), { from: filed.now, until });
    });

    it("if a review body had it, as in older data, and nothing says since when", () => {
      const claim = complaintIn(filedAs("claim", ofTender));
      const pending = { ...claim, id: "old", type: "complaint", status: "pending" } as const;
      const settled = (more: Partial<Complaint>) =>
        ofTender.scene.with({ complaints: [{ ...pending, ...more }] }).later(DAY);
      const windows = (more: Partial<Complaint>) => [
        windowOf(settled(more), OWNER, answerClaim("old")),
        windowOf(settled(more), STRANGER, withdrawClaim("old")),
      ];
      assert.deepEqual(windows({}), [undefined, undefined]);
      const until = START + MINUTE;
      assert.deepEqual(windows({ dateEscalated: until }), [{ from: START, until }, { until }]);
    });
  });
});
