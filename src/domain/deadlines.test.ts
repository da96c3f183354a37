import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { OWNER, type Scene, STRANGER, timeAt } from "../../test/support/decisions.ts";
import { answerClaim, DEADLINE, fileClaim, START, TENDERING } from "../../test/support/domainCommands.ts";
import { plain, published, SCENES, tendering } from "../../test/support/scenes.ts";
import { advance, earliestDeadline, nextDeadline } from "./deadlines.ts";
import { procedureOf } from "./procedures/index.ts";
import { DAY } from "./values/time.ts";

/** Somebody has filed a claim, and the owner answers it at this instant: three days later it is settled. */
const answeredAt = (instant: number, scene: Scene = published()): Scene => {
  const filed = scene.send(STRANGER, fileClaim());
  return filed.at(instant).send(OWNER, answerClaim(filed.id));
};

const whyOf = ({ tender }: Scene): string | undefined => earliestDeadline(procedureOf(tender), tender)?.deadline.why;

describe("the next deadline", () => {
  it("is the begin of the tender period, then its end, then nothing", () => {
    assert.equal(nextDeadline(published().tender), TENDERING);
    assert.equal(nextDeadline(tendering().tender), DEADLINE);
    assert.equal(nextDeadline(SCENES.unsuccessful().tender), undefined);
  });

  it("is not there for a draft, for a tender without periods, and after the end", () => {
    for (const scene of [SCENES.draft(), plain({ enquiryPeriod: {}, tenderPeriod: {} }), SCENES.cancelled()])
      assert.equal(nextDeadline(scene.tender), undefined);
  });

  it("is the earliest of several, in any order of the table", () => {
    const soon = answeredAt(START + DAY);
    assert.equal(nextDeadline(soon.tender), START + 4 * DAY);
    const late = answeredAt(TENDERING - DAY);
    assert.equal(nextDeadline(late.tender), TENDERING);
  });

  it("of two at the same instant is the first in the table", () => {
    const both = answeredAt(TENDERING - 3 * DAY);
    assert.equal(nextDeadline(both.tender), TENDERING);
    assert.equal(whyOf(both), "an answer that nobody contests settles a claim");
  });
});

describe("time", () => {
  it("does nothing a microsecond before a deadline, and acts at it", () => {
    const scene = published();
    assert.equal(advance(scene.stored, timeAt(TENDERING - 1)), scene.stored);
    assert.equal(advance(scene.stored, timeAt(TENDERING)).status, "active.tendering");
    assert.equal(scene.at(DEADLINE - 1).tender.status, "active.tendering");
    assert.equal(scene.at(DEADLINE).tender.status, "unsuccessful");
  });

  it("carries out every deadline that has passed, in order, and dates them by the moment it does", () => {
    const { tender } = answeredAt(START + DAY).at(DEADLINE + DAY);
    assert.deepEqual([tender.status, tender.date], ["unsuccessful", DEADLINE + DAY]);
    assert.deepEqual([tender.complaints[0]!.status, tender.complaints[0]!.date], ["declined", DEADLINE + DAY]);
  });

  it("carried out twice has no further effect", () => {
    const once = published().at(DEADLINE).tender;
    assert.equal(advance(once, timeAt(DEADLINE)), once);
  });
});
