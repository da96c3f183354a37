import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { OWNER, type Scene } from "../../test/support/decisions.ts";
import {
  cancelLot,
  cancelTender,
  DEADLINE,
  LOT_A,
  LOT_B,
  onBoth,
  TENDERING,
  twoLots,
} from "../../test/support/domainCommands.ts";
import { closed, plain, published, qualifying, tendering } from "../../test/support/scenes.ts";
import { auctionStartOf, bidDeadlineOf, enquiryDeadlineOf, isBiddingAhead, openingOf } from "./schedule.ts";
import { DAY, HOUR } from "./values/time.ts";

const cancelled = (scene: Scene) => scene.send(OWNER, cancelTender);
const scheduleOf = ({ tender }: Scene) => [enquiryDeadlineOf(tender), bidDeadlineOf(tender), isBiddingAhead(tender)];

describe("the schedule of a tender", () => {
  it("has its deadlines while it goes on, and after they have passed", () => {
    assert.deepEqual(scheduleOf(published()), [TENDERING, DEADLINE, true]);
    assert.deepEqual(scheduleOf(tendering()), [TENDERING, DEADLINE, true]);
    assert.deepEqual(scheduleOf(qualifying(["400"])), [TENDERING, DEADLINE, false]);
  });

  it("has none after a cancellation", () => {
    assert.deepEqual(scheduleOf(cancelled(published())), [undefined, undefined, false]);
    assert.deepEqual(scheduleOf(cancelled(tendering())), [TENDERING, undefined, false]);
    assert.deepEqual(scheduleOf(cancelled(qualifying(["400"]))), [TENDERING, DEADLINE, false]);
  });

  it("keeps the deadline at which a tender without bids ended", () => {
    const scene = closed([]);
    assert.equal(scene.tender.status, "unsuccessful");
    assert.deepEqual(scheduleOf(scene), [TENDERING, DEADLINE, false]);
  });

  it("has none after the last lot is cancelled, which makes a tender unsuccessful or cancelled", () => {
    const scene = published(twoLots).send(OWNER, cancelLot(LOT_A)).send(OWNER, cancelLot(LOT_B));
    assert.deepEqual(scheduleOf(scene), [undefined, undefined, false]);
  });

  it("has the auctions of lots that are not cancelled before", () => {
    const scene = closed([onBoth("900", "800"), onBoth("700", "600")], twoLots);
    const startDate = DEADLINE + DAY;
    const planned = scene.with({ lots: scene.tender.lots.map((lot) => ({ ...lot, auctionPeriod: { startDate } })) });
    const startsOf = ({ tender }: Scene) => tender.lots.map((lot) => auctionStartOf(tender, lot));
    assert.deepEqual(startsOf(planned), [startDate, startDate]);
    const one = planned.send(OWNER, cancelLot(LOT_A));
    assert.deepEqual(startsOf(one), [undefined, startDate]);
    assert.deepEqual(startsOf(cancelled(one)), [undefined, undefined]);
    const later = planned.at(startDate + HOUR).send(OWNER, cancelLot(LOT_A));
    assert.deepEqual(startsOf(later), [startDate, startDate]);
  });

  it("has the opening once sealed bids are open", () => {
    assert.equal(openingOf(tendering(["400"]).tender), undefined);
    assert.equal(openingOf(closed(["400", "500"]).tender), undefined);
    assert.equal(openingOf(closed(["400"]).tender), DEADLINE);
    assert.equal(openingOf(qualifying(["400", "500"]).tender), DEADLINE + HOUR);
    assert.equal(openingOf(plain().at(DEADLINE).tick().tender), undefined);
  });
});
