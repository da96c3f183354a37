import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  ADMIN,
  AUCTION,
  BOT,
  broker,
  CHRONOGRAPH,
  OWNER,
  REVIEWER,
  type Scene,
  STRANGER,
} from "../../../test/support/decisions.ts";
import {
  accepted,
  complain,
  contested,
  decideSupplier,
  direct,
  moveComplaint,
  NEGOTIATIONS,
  REVIEWERS,
  recorded,
} from "../../../test/support/directScenes.ts";
import {
  addDocument,
  cancelTender,
  editComplaint,
  fileClaim,
  replaceDocument,
} from "../../../test/support/domainCommands.ts";
import { lastAward, published } from "../../../test/support/scenes.ts";
import type { Actor } from "../model/actors.ts";
import type { ComplaintInput, Patch } from "../model/commands.ts";
import { COMPLAINT_STATUSES, type Complaint } from "../model/tender.ts";
import { DAY, HOUR, MINUTE } from "../values/time.ts";

const complaintOf = (scene: Scene): Complaint => lastAward(scene).complaints[0]!;
const moved = (scene: Scene, actor: Actor, fields: Patch<ComplaintInput>): Scene =>
  scene.send(actor, moveComplaint(scene, fields)).later(MINUTE);

const filed = contested();
const draft = (() => {
  const scene = accepted("negotiation").later(DAY);
  return scene.send(STRANGER, complain(lastAward(scene).id, { status: "draft" })).later(MINUTE);
})();
const taken = moved(filed, REVIEWERS, { status: "accepted" });
const stopping = moved(filed, STRANGER, { status: "stopping", cancellationReason: "Домовились" });
const satisfied = moved(taken, REVIEWERS, { status: "satisfied" });

/** A complaint in each status that can be reached. */
const IN_STATUS: { readonly [status in Complaint["status"]]?: Scene } = {
  draft,
  pending: filed,
  accepted: taken,
  stopping,
  satisfied,
  invalid: moved(filed, REVIEWERS, { status: "invalid" }),
  mistaken: moved(filed, REVIEWERS, { status: "mistaken" }),
  declined: moved(taken, REVIEWERS, { status: "declined" }),
  stopped: moved(stopping, REVIEWERS, { status: "stopped" }),
  resolved: moved(satisfied, OWNER, { status: "resolved", tendererAction: "Виправлено" }),
  cancelled: moved(draft, STRANGER, { status: "cancelled", cancellationReason: "Помилка" }),
};

describe("a complaint about an award of a negotiation", () => {
  it("is filed by any broker of level 4, also without a bid, and by nobody else", () => {
    for (const procedure of NEGOTIATIONS) {
      const scene = accepted(procedure).later(DAY);
      const command = complain(lastAward(scene).id);
      assert.equal(scene.outcome(broker("b", "4"), command), "ok");
      assert.equal(scene.outcome(broker("b", "123"), command), "not accredited: complaint by accreditation");
      assert.equal(scene.outcome(broker("b", "4t"), command), "not accredited: complaint by mode");
      for (const actor of [{}, REVIEWERS, REVIEWER, AUCTION, BOT, CHRONOGRAPH])
        assert.equal(scene.outcome(actor, command), "forbidden");
      assert.equal(scene.outcome(ADMIN, command), "ok");
    }
  });

  it("is a complaint from the beginning, pending if that is asked for, and a draft otherwise", () => {
    const scene = accepted("negotiation").later(DAY);
    const award = lastAward(scene).id;
    const made = (status: Complaint["status"]) => complaintOf(scene.send(STRANGER, complain(award, { status })));
    for (const status of ["draft", "claim", "accepted", "cancelled", "satisfied"] as const)
      assert.deepEqual(
        [made(status).status, made(status).type, made(status).dateSubmitted],
        ["draft", "complaint", undefined],
      );
    const pending = made("pending");
    assert.deepEqual([pending.status, pending.type, pending.dateSubmitted], ["pending", "complaint", scene.now]);
    assert.equal(pending.complaintID, `${scene.tender.tenderID}.1`);
    assert.match(
      scene.outcome(STRANGER, complain(award, { status: "ignored" })),
      /^status: Value must be one of \['draft', 'claim', 'answered', 'pending', 'accepted', 'invalid',/,
    );
  });

  it("is filed from when the award is recorded until its period ends, both ends included", () => {
    const late = "Can add complaint only in complaintPeriod";
    const pending = recorded("negotiation");
    const award = lastAward(pending).id;
    assert.equal(pending.outcome(STRANGER, complain(award)), "ok");
    assert.equal(pending.later(99 * DAY).outcome(STRANGER, complain(award)), "ok");
    const active = decideSupplier(pending, { status: "active" });
    const end = lastAward(active).complaintPeriod!.endDate!;
    assert.equal(active.at(end).outcome(STRANGER, complain(award)), "ok");
    assert.equal(active.at(end + 1).outcome(STRANGER, complain(award)), late);
    const rejected = decideSupplier(pending.later(HOUR), { status: "unsuccessful" });
    assert.equal(rejected.outcome(STRANGER, complain(award)), "ok");
    assert.equal(rejected.later(1).outcome(STRANGER, complain(award)), late);
    const ended = active.send(OWNER, cancelTender);
    assert.equal(ended.outcome(STRANGER, complain(award)), "Can't add complaint in current (cancelled) tender status");
  });

  it("does not exist about the tender, nor about a report", () => {
    assert.equal(direct("negotiation").outcome(STRANGER, fileClaim()), "not found: complaint");
    const reported = recorded("reporting");
    assert.equal(reported.outcome(STRANGER, complain(lastAward(reported).id)), "not found: complaint");
  });
});

const MOVES: { readonly [fromTo: string]: string } = {
  "draft draft": "complainant",
  "draft pending": "complainant",
  "draft cancelled": "complainant",
  "pending stopping": "complainant",
  "accepted stopping": "complainant",
  "pending pending": "owner reviewers",
  "accepted accepted": "owner reviewers",
  "stopping stopping": "reviewers",
  "satisfied satisfied": "owner",
  "satisfied resolved": "owner",
  "pending invalid": "reviewers",
  "pending mistaken": "reviewers",
  "pending accepted": "reviewers",
  "pending stopped": "reviewers",
  "accepted declined": "reviewers",
  "accepted satisfied": "reviewers",
  "accepted stopped": "reviewers",
  "stopping invalid": "reviewers",
  "stopping mistaken": "reviewers",
  "stopping declined": "reviewers",
  "stopping satisfied": "reviewers",
  "stopping stopped": "reviewers",
};

describe("the moves of a complaint that is reviewed", () => {
  const actors = { complainant: STRANGER, owner: OWNER, reviewers: REVIEWERS };
  const filler = { cancellationReason: "-", resolutionType: "declined", tendererAction: "Дія" } as const;

  for (const [from, scene] of Object.entries(IN_STATUS))
    for (const [name, actor] of Object.entries(actors))
      it(`from ${from} by the ${name} are those of the table`, () => {
        for (const to of COMPLAINT_STATUSES) {
          if (to === "ignored") continue;
          const after = scene.outcome(actor, moveComplaint(scene, { ...filler, status: to }));
          const isAllowed = MOVES[`${from} ${to}`]?.split(" ").includes(name) ?? false;
          // A buyer who may not set the status only writes its action.
          const ignoresStatus = name === "owner" && ["pending", "accepted"].includes(from);
          assert.equal(after === "ok", isAllowed || ignoresStatus, `${from} ${to}: ${after}`);
          if (after !== "ok") assert.match(after, /^(wrong role|Can't update complaint( in current \(\w+\) status)?)$/);
        }
      });

  it("are for the complainant, the tender's owner and the reviewers of this procedure", () => {
    for (const actor of [broker("other"), REVIEWER, AUCTION, BOT, {}])
      assert.equal(filed.outcome(actor, moveComplaint(filed, { status: "accepted" })), "forbidden");
    assert.equal(filed.outcome(ADMIN, moveComplaint(filed, { status: "accepted" })), "wrong role");
  });

  it("are over with the tender, and with the complaint", () => {
    const ended = filed.send(OWNER, cancelTender);
    assert.equal(
      ended.outcome(REVIEWERS, moveComplaint(filed, { status: "accepted" })),
      "Can't update complaint in current (cancelled) tender status",
    );
  });

  it("of a draft need an open period, strictly between its ends", () => {
    const submit = moveComplaint(draft, { status: "pending" });
    const { startDate, endDate } = lastAward(draft).complaintPeriod!;
    assert.equal(draft.at(endDate! - 1).outcome(STRANGER, submit), "ok");
    for (const at of [startDate!, endDate!, endDate! + 1])
      for (const command of [submit, moveComplaint(draft, { title: "Нова" })])
        assert.equal(draft.at(at).outcome(STRANGER, command), "Can't update complaint");
    assert.equal(
      draft
        .at(endDate! + DAY)
        .outcome(STRANGER, moveComplaint(draft, { status: "cancelled", cancellationReason: "-" })),
      "ok",
    );
  });

  it("need a reason to give the complaint up, and an action to carry a decision out", () => {
    assert.equal(
      filed.outcome(STRANGER, moveComplaint(filed, { status: "stopping" })),
      "cancellationReason: This field is required.",
    );
    assert.equal(
      draft.outcome(STRANGER, moveComplaint(draft, { status: "cancelled" })),
      "cancellationReason: This field is required.",
    );
    assert.equal(satisfied.outcome(OWNER, moveComplaint(satisfied, { status: "resolved" })), "Can't update complaint");
  });

  it("are dated, each by what it is", () => {
    const dates = (status: Complaint["status"]) => {
      const { date, acceptance, dateAccepted, dateDecision, dateCanceled, dateSubmitted } = complaintOf(
        IN_STATUS[status]!,
      );
      const known = { acceptance, dateAccepted, dateDecision, dateCanceled, dateSubmitted };
      return Object.entries(known).flatMap(([name, value]) =>
        typeof value === "boolean" ? [`${name} ${value}`] : value === date ? [name] : [],
      );
    };
    assert.deepEqual(dates("pending"), ["dateSubmitted"]);
    assert.deepEqual(dates("accepted"), ["acceptance true", "dateAccepted"]);
    assert.deepEqual(dates("invalid"), ["acceptance false", "dateDecision"]);
    assert.deepEqual(dates("mistaken"), ["acceptance false", "dateDecision"]);
    assert.deepEqual(dates("declined"), ["acceptance true", "dateDecision"]);
    assert.deepEqual(dates("satisfied"), ["acceptance true", "dateDecision"]);
    assert.deepEqual(dates("stopping"), ["dateCanceled"]);
    assert.deepEqual(dates("stopped"), ["dateDecision"]);
    assert.equal(complaintOf(IN_STATUS.stopped!).dateCanceled, complaintOf(stopping).dateCanceled);
    assert.deepEqual(dates("cancelled"), ["dateCanceled"]);
    const atOnce = complaintOf(moved(filed, REVIEWERS, { status: "stopped" }));
    assert.deepEqual([atOnce.dateCanceled, atOnce.dateDecision], [atOnce.date, atOnce.date]);
  });

  it("date the buyer's action once, when the complaint is satisfied", () => {
    const early = moved(filed, OWNER, { tendererAction: "Рано" });
    assert.equal(complaintOf(early).tendererActionDate, undefined);
    const acted = satisfied.send(OWNER, moveComplaint(satisfied, { tendererAction: "Дія" }));
    assert.equal(complaintOf(acted).tendererActionDate, satisfied.now);
    const resolved = moved(acted.later(HOUR), OWNER, { status: "resolved" });
    assert.equal(complaintOf(resolved).tendererActionDate, satisfied.now);
  });
});

describe("what each side may write", () => {
  const all = {
    title: "Нова",
    description: "Опис",
    decision: "Рішення",
    rejectReason: "noPaymentReceived",
    rejectReasonDescription: "Не сплачено",
    reviewDate: 1,
    reviewPlace: "Київ",
    tendererAction: "Дія",
  } as const;
  const written = (scene: Scene, actor: Actor) => {
    const after: object = complaintOf(scene.send(actor, moveComplaint(scene, all)));
    const before: object = complaintOf(scene);
    return Object.keys(all).filter((name) => Reflect.get(after, name) !== Reflect.get(before, name));
  };

  it("depends on the status; the rest is ignored", () => {
    assert.deepEqual(written(draft, STRANGER), ["title", "description"]);
    assert.deepEqual(written(filed, OWNER), ["tendererAction"]);
    assert.deepEqual(written(satisfied, OWNER), ["tendererAction"]);
    assert.deepEqual(written(filed, REVIEWERS), ["decision", "rejectReason", "rejectReasonDescription"]);
    for (const scene of [taken, stopping])
      assert.deepEqual(written(scene, REVIEWERS), ["decision", "reviewDate", "reviewPlace"]);
  });

  it("a reason of rejection may be spelt with a Latin or a Cyrillic letter, and is stored with the Cyrillic one", () => {
    for (const letter of ["C", "\u0421"]) {
      const scene = moved(filed, REVIEWERS, { status: "invalid", rejectReason: `lawNon${letter}ompliance` });
      assert.equal(complaintOf(scene).rejectReason, "lawNon\u0421ompliance");
    }
    assert.match(
      filed.outcome(REVIEWERS, moveComplaint(filed, { rejectReason: "whim" })),
      /^rejectReason: Value must be one of \['lawNon\u0421ompliance', 'noPaymentReceived', 'buyerViolations\u0421orrected'\]\.$/,
    );
  });
});

describe("documents of a complaint that is reviewed", () => {
  const of = (scene: Scene) => ({ award: lastAward(scene).id, complaint: complaintOf(scene).id });
  const MAY: readonly (readonly [Actor, readonly string[]])[] = [
    [STRANGER, ["draft", "pending", "accepted", "satisfied"]],
    [OWNER, ["pending", "accepted", "satisfied"]],
    [REVIEWERS, ["pending", "accepted", "stopping"]],
  ];

  it("are added by each side in its own statuses", () => {
    for (const [actor, statuses] of MAY)
      for (const [status, scene] of Object.entries(IN_STATUS)) {
        const refused = `Can't add document in current (${status}) complaint status`;
        assert.equal(scene.outcome(actor, addDocument(of(scene))), statuses.includes(status) ? "ok" : refused);
      }
    assert.equal(filed.outcome(REVIEWER, addDocument(of(filed))), "forbidden");
  });

  it("are replaced by the side that added them", () => {
    const scene = filed.send(REVIEWERS, addDocument(of(filed)));
    assert.equal(complaintOf(scene).documents[0]!.author, "aboveThresholdReviewers");
    assert.equal(scene.outcome(OWNER, replaceDocument(scene.id, of(filed))), "not the author");
    assert.equal(scene.outcome(REVIEWERS, replaceDocument(scene.id, of(filed))), "ok");
    const ended = scene.send(OWNER, cancelTender);
    assert.equal(
      ended.outcome(REVIEWERS, addDocument(of(filed))),
      "Can't add document in current (cancelled) tender status",
    );
  });
});

describe("claims below the thresholds", () => {
  it("know none of the statuses of complaints that are reviewed", () => {
    const scene = published().send(STRANGER, fileClaim());
    const text =
      "status: Value must be one of ['draft', 'claim', 'answered', 'pending', 'invalid', 'resolved', 'declined', 'cancelled', 'ignored'].";
    for (const status of ["accepted", "satisfied", "stopping", "stopped", "mistaken"] as const) {
      assert.equal(scene.outcome(STRANGER, fileClaim({ status })), text);
      assert.equal(scene.outcome(OWNER, editComplaint(scene.id, { status })), text);
    }
  });
});
