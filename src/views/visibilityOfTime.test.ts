import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { AUCTION, CHRONOGRAPH, OWNER, type Scene, STRANGER, zone } from "../../test/support/decisions.ts";
import {
  answerClaim,
  cancelLot,
  DEADLINE,
  editTender,
  fileClaim,
  finishAuction,
  LOT_A,
  LOT_B,
  onA,
  onB,
  onBoth,
  START,
  TENDERING,
  twoLots,
} from "../../test/support/domainCommands.ts";
import {
  closed,
  decided,
  plain,
  published,
  qualifying,
  SCENES,
  STATUSES,
  standStillEndOf,
  tendering,
} from "../../test/support/scenes.ts";
import { auctionEndEstimate } from "../domain/acceleration.ts";
import { nextMidnight } from "../domain/values/calendar.ts";
import { DAY, HOUR, MINUTE } from "../domain/values/time.ts";
import { tenderView } from "./visibility.ts";

const seen = ({ tender, now }: Scene, sandbox = false) => tenderView(tender, { now, zone, sandbox });
const nextCheck = (scene: Scene) => seen(scene).next_check;
const midnight = nextMidnight(DEADLINE, zone);
const plan = (scene: Scene, startDate: number) => scene.send(CHRONOGRAPH, editTender({ auctionPeriod: { startDate } }));

describe("next_check", () => {
  it("is the start of bidding, then its end, then absent", () => {
    assert.equal(nextCheck(published()), TENDERING);
    assert.equal(nextCheck(tendering()), DEADLINE);
    assert.equal(nextCheck(closed([])), undefined);
    assert.equal(nextCheck(SCENES.draft()), undefined);
  });

  it("is the end of enquiries if no start of bidding is given", () => {
    assert.equal(nextCheck(plain({ tenderPeriod: { endDate: DEADLINE } })), TENDERING);
    assert.equal(nextCheck(plain({ enquiryPeriod: {}, tenderPeriod: {} })), undefined);
  });

  it("is when an answer settles its claim, if that comes first", () => {
    const filed = published().send(STRANGER, fileClaim());
    assert.equal(nextCheck(filed), TENDERING);
    assert.equal(nextCheck(filed.send(OWNER, answerClaim(filed.id))), START + 3 * DAY);
  });

  it("is when a rejection becomes final, and absent while a contract is awaited", () => {
    const rejected = decided(qualifying(), "unsuccessful");
    assert.equal(nextCheck(rejected), standStillEndOf(rejected));
    assert.equal(nextCheck(decided(qualifying(), "active")), undefined);
    assert.equal(nextCheck(qualifying()), undefined);
  });

  it("is when the auction starts, then when it should be over, then absent", () => {
    const start = DEADLINE + DAY;
    const scene = plan(closed(["1", "2"]), start);
    const estimate = start + (2 * 6 + 24) * MINUTE;
    assert.equal(auctionEndEstimate(start, 2), estimate);
    const at = (instant: number) => nextCheck(scene.at(instant));
    assert.deepEqual([at(DEADLINE), at(start - 1)], [start, start]);
    assert.deepEqual([at(start), at(estimate - 1)], [estimate, estimate]);
    assert.deepEqual([at(estimate), at(estimate + 1)], [undefined, undefined]);
    assert.equal(nextCheck(closed(["1", "2"])), undefined, "nothing is planned");
    assert.equal(nextCheck(scene.with({ auctionPeriod: { startDate: start, endDate: start } })), undefined);
  });

  it("does not depend on bids if the auction was planned before the deadline", () => {
    const early = closed(["1", "2"]).with({ auctionPeriod: { startDate: TENDERING } });
    assert.equal(nextCheck(early.at(DEADLINE - 1)), undefined);
    assert.equal(nextCheck(early.at(TENDERING - 1)), TENDERING);
  });

  it("is the earliest of the auctions of lots that are active, by the number of their bids", () => {
    const scene = closed([onBoth("9", "8"), onBoth("7", "6"), onA("5")], twoLots);
    const [a, b] = [DEADLINE + 90 * MINUTE, DEADLINE + 60 * MINUTE];
    const lots = [a, b].map((startDate) => ({ auctionPeriod: { startDate } }));
    const planned = scene.send(CHRONOGRAPH, editTender({ lots }));
    assert.equal(nextCheck(planned), b);
    assert.equal(nextCheck(planned.at(b)), a);
    assert.equal(nextCheck(planned.at(a)), b + (2 * 6 + 24) * MINUTE);
    assert.equal(nextCheck(planned.at(b + (2 * 6 + 24) * MINUTE)), a + (3 * 6 + 24) * MINUTE);
    const held = planned.send(AUCTION, finishAuction({}, LOT_B));
    assert.equal(nextCheck(held), a);
    assert.equal(nextCheck(planned.send(OWNER, cancelLot(LOT_B))), a);
  });
});

describe("the plan of an auction", () => {
  it("may start after the midnight that follows bidding, in the registry's time zone", () => {
    for (const status of STATUSES) {
      const { auctionPeriod } = seen(SCENES[status]());
      const isPlanned = status === "active.tendering" || status === "active.auction";
      assert.deepEqual(
        auctionPeriod,
        isPlanned ? { shouldStartAfter: midnight } : SCENES[status]().tender.auctionPeriod,
      );
    }
    assert.equal(nextMidnight(midnight, zone), midnight);
    assert.ok(midnight - DEADLINE < DAY);
  });

  it("does not wait for midnight in a sandbox that is quick", () => {
    const quick = tendering(["1"], { submissionMethodDetails: "quick" });
    assert.equal(seen(quick, true).auctionPeriod!.shouldStartAfter, DEADLINE);
    assert.equal(seen(quick, false).auctionPeriod!.shouldStartAfter, midnight);
  });

  it("is not made for a plain tender, for one without a deadline, or once the auction is over", () => {
    assert.equal(seen(plain().at(TENDERING)).auctionPeriod, undefined);
    const open = tendering().with({ tenderPeriod: { startDate: TENDERING } });
    assert.equal(seen(open).auctionPeriod, undefined);
    const over = { startDate: 1, endDate: 2 };
    assert.deepEqual(seen(closed(["1", "2"]).with({ auctionPeriod: over })).auctionPeriod, over);
  });

  it("may start again after the midnight that follows an auction which should be over", () => {
    const start = DEADLINE + DAY;
    const scene = plan(closed(["1", "2"]), start);
    const estimate = auctionEndEstimate(start, 2);
    const after = (instant: number) => seen(scene.at(instant)).auctionPeriod!.shouldStartAfter;
    assert.deepEqual([after(start), after(estimate)], [midnight, midnight]);
    assert.equal(after(estimate + 1), nextMidnight(estimate, zone));
    assert.equal(seen(scene.at(estimate + 1)).auctionPeriod!.startDate, start);
  });

  it("reveals nothing about the bids before the deadline, even if the auction should be over", () => {
    const early = tendering(["1", "2"])
      .later(DAY)
      .with({ auctionPeriod: { startDate: TENDERING } });
    assert.equal(seen(early).auctionPeriod!.shouldStartAfter, midnight);
    const inAuction = closed(["1", "2"]).with({ auctionPeriod: { startDate: TENDERING } });
    assert.equal(seen(inAuction.at(DEADLINE - 1)).auctionPeriod!.shouldStartAfter, midnight);
  });

  it("of a tender with lots is made for each, and not for the whole", () => {
    const scene = tendering([onA("9"), onA("8"), onB("7")], twoLots);
    const { auctionPeriod, lots } = seen(scene);
    assert.equal(auctionPeriod, undefined);
    assert.deepEqual(
      lots.map((lot) => lot.auctionPeriod),
      [{ shouldStartAfter: midnight }, { shouldStartAfter: midnight }],
    );
    assert.deepEqual(
      seen(scene.at(DEADLINE)).lots.map((lot) => lot.auctionPeriod),
      [{ shouldStartAfter: midnight }, undefined],
      "a lot with one bid has nothing to auction",
    );
  });

  it("of a lot counts the bids for that lot, and is not made once it is over", () => {
    // With two bids the auction should be over before midnight, with three after it.
    const start = midnight - 40 * MINUTE;
    const lots = [{ auctionPeriod: { startDate: start } }, { auctionPeriod: { startDate: start } }];
    const scene = closed([onBoth("9", "8"), onBoth("7", "6"), onA("5")], twoLots).send(
      CHRONOGRAPH,
      editTender({ lots }),
    );
    assert.deepEqual(
      seen(scene.at(midnight + HOUR)).lots.map((lot) => lot.auctionPeriod),
      [midnight + DAY, midnight].map((shouldStartAfter) => ({ startDate: start, shouldStartAfter })),
    );
    const cancelled = tendering([onBoth("9", "8")], twoLots).send(OWNER, cancelLot(LOT_A));
    assert.deepEqual(
      seen(cancelled).lots.map((lot) => lot.auctionPeriod),
      [undefined, { shouldStartAfter: midnight }],
    );
  });
});
