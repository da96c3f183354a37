import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ADMINISTRATOR, OWNER, type Scene, STRANGER } from "../../test/support/decisions.ts";
import {
  answerClaim,
  cancelLot,
  cancelTender,
  DEADLINE,
  editComplaint,
  editTender,
  fileClaim,
  LOT_A,
  START,
  TENDERING,
  twoLots,
} from "../../test/support/domainCommands.ts";
import {
  awarded,
  closed,
  decided,
  plain,
  published,
  qualifying,
  SCENES,
  STATUSES,
  tendering,
} from "../../test/support/scenes.ts";
import { claimWritingWindow } from "./awards/claims.ts";
import type { TimeWindow } from "./model/refusals.ts";
import { PROCEDURES, procedureOf } from "./procedures/index.ts";
import type { ComplaintRole, TenderAction } from "./procedures/procedure.ts";
import { actionWindow, endedWindow, lotActionWindow } from "./timeWindows.ts";
import { DAY, HOUR, MINUTE } from "./values/time.ts";

const windowIn = ({ tender }: Scene, act: TenderAction, within?: TimeWindow) =>
  actionWindow(procedureOf(tender), tender, act, within);
const enquiries = { from: START, until: TENDERING };
const bidding = { from: TENDERING, until: DEADLINE };

describe("when something is allowed", () => {
  it("is as long as the stages last that accept it", () => {
    const scene = closed(["1", "2"]).later(DAY);
    assert.deepEqual(windowIn(scene, "ask question"), enquiries);
    assert.deepEqual(windowIn(scene, "place bid"), bidding);
    assert.deepEqual(windowIn(scene, "file complaint"), { from: START, until: DEADLINE });
  });

  it("is known beforehand as far as the periods are", () => {
    const scene = published();
    assert.deepEqual(windowIn(scene, "place bid"), bidding);
    assert.deepEqual(windowIn(scene, "finish auction"), { from: DEADLINE, until: undefined });
    assert.equal(windowIn(scene, "record award"), undefined, "nobody knows when awards will be made");
    assert.equal(windowIn(plain({ enquiryPeriod: {}, tenderPeriod: {} }), "place bid"), undefined);
  });

  it("is unknown for actions of stages that the tender has skipped", () => {
    for (const scene of [closed([]), published().later(DAY).send(OWNER, cancelTender).later(DAY)])
      for (const act of ["record award", "add award document", "change award"] as const)
        assert.equal(windowIn(scene, act), undefined, `${act} in ${scene.tender.status}`);
  });

  it("is unknown for actions that no stage accepts, and for a draft", () => {
    assert.equal(windowIn(plain().at(DEADLINE), "edit lots"), undefined);
    assert.equal(windowIn(SCENES.draft(), "ask question"), undefined);
    assert.equal(windowIn(SCENES.draft(), "place bid"), undefined);
  });

  it("ends with the tender if that ends before, and never later than planned", () => {
    const early = published().later(DAY).send(OWNER, cancelTender);
    assert.deepEqual(windowIn(early, "ask question"), { from: START, until: START + DAY });
    const late = qualifying().later(DAY).send(OWNER, cancelTender);
    assert.deepEqual(windowIn(late, "ask question"), enquiries);
    assert.deepEqual(windowIn(late, "add contract"), { from: DEADLINE, until: late.now });
  });

  it("is not known if it never came to it", () => {
    const early = published().later(DAY).send(OWNER, cancelTender);
    assert.equal(windowIn(early, "place bid"), undefined);
    assert.equal(windowIn(tendering().send(OWNER, cancelTender), "finish auction"), undefined);
  });

  it("may be a single moment", () => {
    const moment = published().at(TENDERING).send(OWNER, cancelTender);
    assert.deepEqual(windowIn(moment, "place bid"), { from: TENDERING, until: TENDERING });
  });

  it("ends when the stage was left manually", () => {
    const moved = published()
      .later(DAY)
      .send(ADMINISTRATOR, editTender({ status: "active.tendering" }))
      .later(DAY);
    assert.deepEqual(windowIn(moved, "ask question"), { from: START, until: START + DAY });
    assert.deepEqual(windowIn(moved, "place bid"), bidding);
  });

  it("is narrowed by the given limits", () => {
    const scene = closed(["1"]).later(DAY);
    assert.deepEqual(windowIn(scene, "place bid", { from: TENDERING + 1 }), { from: TENDERING + 1, until: DEADLINE });
    assert.deepEqual(windowIn(scene, "place bid", { until: TENDERING + 2 }), { from: TENDERING, until: TENDERING + 2 });
    assert.equal(windowIn(scene, "place bid", { from: DEADLINE, until: DEADLINE - 1 }), undefined);
    const whole = { from: DEADLINE, until: DEADLINE };
    assert.deepEqual(windowIn(scene, "place bid", whole), whole);
  });
});

describe("a stage that came twice", () => {
  const first = awarded(["1", "2"]);
  const again = decided(first.later(HOUR), "cancelled");

  it("is described by its second time", () => {
    const done = decided(again.later(HOUR), "active").later(HOUR);
    assert.deepEqual(windowIn(done, "add award document"), { from: again.now, until: again.now + HOUR });
  });

  it("is described by its second time even if the tender is cancelled in it", () => {
    const cancelled = again.later(HOUR).send(OWNER, cancelTender).later(HOUR);
    assert.deepEqual(windowIn(cancelled, "record award"), { from: again.now, until: again.now + HOUR });
  });

  it("is described as a whole if the second time had no length", () => {
    const period = { from: first.tender.awardPeriod!.startDate, until: again.now };
    assert.deepEqual(windowIn(decided(again, "active").later(HOUR), "record award"), period);
    assert.deepEqual(windowIn(again.send(OWNER, cancelTender).later(HOUR), "record award"), period);
  });

  it("is described as a whole for actions that other stages accept too", () => {
    const cancelled = again.later(HOUR).send(OWNER, cancelTender).later(HOUR);
    assert.deepEqual(windowIn(cancelled, "change award"), {
      from: first.tender.awardPeriod!.startDate,
      until: again.now + HOUR,
    });
  });
});

describe("when it was about a lot that is over", () => {
  const cancelled = published(twoLots).later(DAY).send(OWNER, cancelLot(LOT_A)).later(DAY);
  const windowFor = (lot: string | undefined, within?: TimeWindow) =>
    lotActionWindow(PROCEDURES.belowThreshold, cancelled.tender, "ask question", lot, within);

  it("ends with the lot, unless it ended before", () => {
    assert.deepEqual(windowFor(LOT_A), { from: START, until: START + DAY });
    assert.deepEqual(windowFor(LOT_A, { from: START + 1, until: START + 2 }), { from: START + 1, until: START + 2 });
    assert.deepEqual(windowFor(LOT_A, { until: START + 2 * DAY }), { from: START, until: START + DAY });
  });

  it("ends with the lot in a draft too, for what a draft accepts", () => {
    const draft = SCENES.draft(twoLots).later(DAY).send(OWNER, cancelLot(LOT_A)).later(DAY);
    const window = { from: undefined, until: START + DAY };
    assert.deepEqual(draft.refusal(OWNER, cancelLot(LOT_A)), {
      ...{ kind: "rule", rule: "lot-not-active", message: "Can add cancellation only in active lot status", window },
    });
    assert.equal(lotActionWindow(PROCEDURES.belowThreshold, draft.tender, "place bid", LOT_A), undefined);
  });

  it("is not known of no lot", () => {
    assert.equal(windowFor(undefined), undefined);
    assert.equal(windowFor("?"), undefined);
  });

  it("was nothing if the lot was over before it could begin", () => {
    assert.equal(lotActionWindow(PROCEDURES.belowThreshold, cancelled.tender, "place bid", LOT_A), undefined);
  });
});

describe("the life of a tender", () => {
  it("is over from when it ended, and not known before", () => {
    for (const status of STATUSES) {
      const { tender } = SCENES[status]().tick().later(DAY);
      const isOver = ["complete", "cancelled", "unsuccessful"].includes(status);
      assert.deepEqual(endedWindow(tender), isOver ? { until: tender.date } : undefined, status);
    }
  });
});

describe("when a complaint could be written to", () => {
  const draft = published()
    .send(STRANGER, fileClaim({ status: "draft" }))
    .later(MINUTE);
  const edit = (scene: Scene, fields: Parameters<typeof editComplaint>[1]) =>
    scene.send(STRANGER, editComplaint(draft.id, fields)).later(MINUTE);
  const claim = edit(draft, { status: "claim" });
  const answered = claim.send(OWNER, answerClaim(draft.id)).later(MINUTE);
  const resolved = edit(answered, { status: "resolved", satisfied: true });
  const withdrawn = edit(claim, { status: "cancelled", cancellationReason: "-" });
  const windows = (role: ComplaintRole) =>
    [draft, claim, answered, resolved, withdrawn].map(({ tender }) => claimWritingWindow(role, tender.complaints[0]!));
  const at = (minutes: number) => START + minutes * MINUTE;

  it("by its author is from the answer until it was over, once that is so", () => {
    assert.deepEqual(windows("complaint_owner"), [
      ...[undefined, undefined, undefined],
      { from: at(2), until: at(3) },
      undefined,
    ]);
  });

  it("by the buyer is from when it was submitted until it was answered or over", () => {
    assert.deepEqual(windows("tender_owner"), [
      ...[undefined, undefined],
      { from: at(1), until: at(2) },
      { from: at(1), until: at(2) },
      { from: at(1), until: at(2) },
    ]);
    assert.equal(withdrawn.tender.complaints[0]!.date, at(2));
  });

  it("by nobody else is never", () => {
    assert.ok(windows("other").every((window) => window === undefined));
  });
});
