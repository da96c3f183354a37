import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ADMINISTRATOR, BIDDER, OWNER, RIVAL, reasonOf, type Scene } from "../../../test/support/decisions.ts";
import {
  cancelTender,
  DEADLINE,
  editTender,
  placeBid,
  START,
  TENDERING,
} from "../../../test/support/domainCommands.ts";
import {
  closed,
  placed,
  plain,
  published,
  qualifying,
  SCENES,
  STATUSES,
  tendering,
} from "../../../test/support/scenes.ts";
import type { Tender, TenderStatus } from "../model/tender.ts";
import { PROCEDURES, procedureOf } from "../procedures/index.ts";
import { DAY } from "../values/time.ts";
import { areBidsSealed, isBeforeDeadline, mayHoldSealedBids, maySeeBid } from "./sealing.ts";
import { beforeDeadlineRefusal, hasDeadlinePassed, hasNoBidsYet, keepSealed, sealsBids } from "./sealRules.ts";

const SEALED: readonly TenderStatus[] = ["draft", "active.enquiries", "active.tendering", "active.auction"];
const EARLY = "Bids stay sealed until the tender period ends";
const ENDED = "The tender can't go back: bids may have been placed or seen already";

describe("bids are sealed", () => {
  it("until there are awards, below the thresholds", () => {
    assert.deepEqual(
      STATUSES.filter((status) => areBidsSealed(SCENES[status]().tender)),
      SEALED,
    );
    assert.deepEqual([sealsBids(PROCEDURES.belowThreshold), sealsBids(PROCEDURES.basic)], [true, false]);
    assert.equal(areBidsSealed(plain().at(TENDERING).tender), false);
  });

  it("also in a status that the procedure does not have", () => {
    assert.equal(areBidsSealed({ ...plain().tender, status: "active.auction" }), true);
  });

  it("so that there may be some to hide in tendering and in the auction", () => {
    assert.deepEqual(
      STATUSES.filter((status) => mayHoldSealedBids(SCENES[status]().tender)),
      ["active.tendering", "active.auction"],
    );
    assert.equal(mayHoldSealedBids(plain().at(TENDERING).tender), false);
  });

  it("to all but their owner", () => {
    const sealed = tendering(["1"]);
    const open = qualifying(["1"]);
    const mayBeSeen = ({ tender }: Scene) =>
      [BIDDER, RIVAL, {}].map((actor) => maySeeBid(tender.bids[0]!, tender, actor));
    assert.deepEqual(
      [mayBeSeen(sealed), mayBeSeen(open)],
      [
        [true, false, false],
        [true, true, true],
      ],
    );
  });
});

describe("the deadline", () => {
  const { tender } = tendering();

  it("has passed from its very moment on", () => {
    assert.deepEqual([hasDeadlinePassed(tender, DEADLINE - 1), hasDeadlinePassed(tender, DEADLINE)], [false, true]);
    assert.deepEqual([isBeforeDeadline(tender, DEADLINE - 1), isBeforeDeadline(tender, DEADLINE)], [true, false]);
  });

  it("never passes if there is none", () => {
    for (const tenderPeriod of [undefined, {}, { startDate: 1 }]) {
      assert.equal(hasDeadlinePassed({ ...tender, tenderPeriod }, DEADLINE), false);
      assert.equal(isBeforeDeadline({ ...tender, tenderPeriod }, DEADLINE), true);
    }
  });

  it("seals nothing in a plain tender", () => {
    assert.equal(isBeforeDeadline(plain().tender, START), false);
  });

  it("is named by the refusal, if there is one", () => {
    const rule = { kind: "rule", rule: "before-tender-deadline", message: EARLY };
    assert.deepEqual(beforeDeadlineRefusal(tender).refused, { ...rule, window: { from: DEADLINE } });
    for (const tenderPeriod of [undefined, {}])
      assert.deepEqual(beforeDeadlineRefusal({ ...tender, tenderPeriod }).refused, rule);
  });
});

describe("nothing has to be sealed yet", () => {
  it("before bidding, as long as there is no bid", () => {
    assert.deepEqual(
      STATUSES.filter((status) => hasNoBidsYet(SCENES[status]().tender)),
      ["draft", "active.enquiries"],
    );
    const { bids } = tendering(["1"]).stored;
    assert.equal(hasNoBidsYet({ ...published().tender, bids }), false);
  });
});

describe("before the deadline an Administrator", () => {
  const scene = tendering(["100", "200"]);

  for (const status of ["active.auction", "active.qualification", "active.awarded", "complete"] as const)
    it(`cannot move a tender to ${status}, with or without bids`, () => {
      for (const stage of [scene, tendering(), published()]) {
        const { now } = stage.at(DEADLINE - 1);
        assert.equal(stage.at(now).outcome(ADMINISTRATOR, editTender({ status })), EARLY);
      }
      assert.equal(scene.at(DEADLINE).outcome(ADMINISTRATOR, editTender({ status })), "ok");
    });

  for (const status of ["cancelled", "unsuccessful"] as const)
    it(`ends a tender as ${status}, which drops its bids, and may begin it again without them`, () => {
      const ended = scene.send(ADMINISTRATOR, editTender({ status }));
      assert.deepEqual([ended.tender.status, ended.tender.bids], [status, []]);
      const again = ended.send(ADMINISTRATOR, editTender({ status: "active.tendering" }));
      assert.deepEqual([again.tender.status, again.tender.bids], ["active.tendering", []]);
      assert.equal(again.outcome(BIDDER, placeBid("1")), "ok");
      const late = ended.at(DEADLINE).outcome(ADMINISTRATOR, editTender({ status: "active.tendering" }));
      assert.equal(late, ENDED);
    });

  it("begins bidding early, of which nothing can have been seen", () => {
    const early = published().send(ADMINISTRATOR, editTender({ status: "active.tendering" }));
    assert.equal(early.tender.status, "active.tendering");
  });
});

describe("after the deadline an Administrator", () => {
  for (const [status, scene] of [
    ["active.auction", closed(["1", "2"])],
    ["active.qualification", qualifying(["1"])],
    ["unsuccessful", closed([])],
    ["cancelled", closed(["1"]).send(OWNER, cancelTender)],
  ] as const)
    it(`cannot move a tender that is ${status} back to bidding`, () => {
      assert.equal(scene.tender.status, status);
      assert.equal(scene.later(DAY).outcome(ADMINISTRATOR, editTender({ status: "active.tendering" })), ENDED);
    });
});

describe("a change of status", () => {
  const outcome = (before: Tender, status: TenderStatus, at: number): string => {
    const result = keepSealed(procedureOf(before), before, { ...before, status }, at);
    return result.ok ? `${result.value.bids.length} bids` : reasonOf(result.refused);
  };
  const { stored } = tendering(["1", "2"]);

  it("back to enquiries or a draft is refused after bidding began, unless bids were deleted unseen", () => {
    for (const status of ["draft", "active.enquiries"] as const) {
      assert.equal(outcome(stored, status, TENDERING), ENDED);
      assert.equal(outcome({ ...stored, status: "active.auction" }, status, TENDERING), ENDED);
      assert.equal(outcome({ ...stored, status: "cancelled", bids: [] }, status, TENDERING), "0 bids");
      assert.equal(outcome({ ...stored, status: "unsuccessful", bids: [] }, status, DEADLINE), ENDED);
    }
    assert.equal(outcome({ ...stored, status: "draft", bids: [] }, "active.enquiries", DEADLINE), "0 bids");
    assert.equal(outcome({ ...stored, status: "active.enquiries" }, "active.tendering", TENDERING), ENDED);
  });

  it("to the same status is never refused", () => {
    assert.equal(outcome(stored, "active.tendering", DEADLINE), "2 bids");
  });

  it("drops the bids where it would open them before the deadline, and keeps them after it", () => {
    assert.equal(outcome(stored, "cancelled", DEADLINE - 1), "0 bids");
    assert.equal(outcome(stored, "cancelled", DEADLINE), "2 bids");
    assert.equal(outcome({ ...stored, status: "cancelled" }, "active.tendering", DEADLINE - 1), "2 bids");
  });

  it("of a plain tender is free", () => {
    const { stored: open } = placed(plain().at(TENDERING), ["1"]);
    for (const status of ["active.enquiries", "active.qualification", "cancelled"] as const)
      assert.equal(outcome(open, status, TENDERING), "1 bids");
  });
});
