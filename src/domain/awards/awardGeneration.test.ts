import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { AUCTION, BIDDER, OWNER, RIVAL, type Scene, timeAt } from "../../../test/support/decisions.ts";
import {
  bidOnLots,
  cancelLot,
  DEADLINE,
  decideAward,
  finishAuction,
  LOT_A,
  LOT_B,
  lotOf,
  meals,
  money,
  onA,
  onB,
  onBoth,
  placeBid,
  TENDERING,
  twoLots,
} from "../../../test/support/domainCommands.ts";
import { cook } from "../../../test/support/organizations.ts";
import { BIDDERS, bidOf, closed, decided, lastAward, qualifying, statusesOf } from "../../../test/support/scenes.ts";
import type { Feature } from "../model/tender.ts";
import { decimal } from "../values/decimal.ts";
import { HOUR, MINUTE, SECOND } from "../values/time.ts";
import { generateAwards } from "./awardGeneration.ts";

const uah = { currency: "UAH", valueAddedTaxIncluded: true };

describe("an award that the service makes", () => {
  it("has the contents of the bid, waits for the owner, and may be contested from now on", () => {
    const scene = closed(["400"]);
    const { id, ...award } = lastAward(scene);
    assert.match(id, /^[0-9a-f]{32}$/);
    assert.deepEqual(award, {
      ...{ date: DEADLINE, status: "pending", bid_id: bidOf(scene, BIDDER).id, value: money("400", uah) },
      ...{ suppliers: [cook], complaintPeriod: { startDate: DEADLINE }, documents: [], complaints: [] },
    });
  });

  it("of a lot has the value for that lot", () => {
    const { tender } = closed([onBoth("9", "8")], twoLots);
    assert.deepEqual(
      tender.awards.map(({ lotID, value, bid_id }) => [lotID, value, bid_id]),
      [
        [LOT_A, money("9", uah), tender.bids[0]!.id],
        [LOT_B, money("8", uah), tender.bids[0]!.id],
      ],
    );
  });
});

/** Who gets the award one after the other, as the places of the bids. */
function order(scene: Scene, lotID?: string): readonly number[] {
  let current = scene;
  return scene.tender.bids.map(() => {
    const { bid_id } = lastAward(current, lotID);
    current = decided(current, "unsuccessful", lotID);
    return scene.tender.bids.findIndex(({ id }) => id === bid_id);
  });
}

describe("awards are made in the order of the bids:", () => {
  it("by price, and of equal ones the earlier first", () => {
    assert.deepEqual(order(qualifying(["3", "1", "2", "1"])), [1, 3, 2, 0]);
  });

  it("by the dates that the auction reports", () => {
    const scene = closed(["5", "6", "7"]).later(HOUR);
    const value = money("4");
    const dates = [TENDERING + 2 * SECOND, TENDERING, TENDERING + SECOND];
    const bids = scene.tender.bids.map(({ id }, i) => ({ id, value, date: dates[i]! }));
    assert.deepEqual(order(scene.send(AUCTION, finishAuction({ bids }))), [1, 2, 0]);
  });

  const options = (...values: readonly string[]) => values.map((value) => ({ value: decimal(value), title: value }));
  const offer = (amount: string, firm: string, more: readonly (readonly [string, string])[] = []) => ({
    amount,
    parameters: [["firm", firm] as const, ...more].map(([code, value]) => ({ code, value: decimal(value) })),
  });

  it("by their features beside the price, though the award has the offered price", () => {
    const features: readonly Feature[] = [{ code: "firm", title: "Досвід", enum: options("0", "0.1") }];
    const offers = [offer("100", "0"), offer("105", "0.1")];
    const scene = qualifying(
      offers.map(({ amount, parameters }) => placeBid(amount, { parameters })),
      { features },
    );
    assert.equal(lastAward(scene).value!.amount, "105");
    assert.deepEqual(order(scene), [1, 0]);
  });

  it("for a lot by the features of that lot alone", () => {
    const features: readonly Feature[] = [
      { code: "firm", title: "Досвід", featureOf: "tenderer", enum: options("0", "0.1") },
      { code: "b", title: "Лот", featureOf: "lot", relatedItem: LOT_B, enum: options("0", "0.2") },
    ];
    const both = (amount: string, ofB: string) =>
      bidOnLots({ [LOT_A]: amount, [LOT_B]: amount }, { parameters: offer("", "0", [["b", ofB]]).parameters });
    const fields = { lots: [lotOf(LOT_A), lotOf(LOT_B)], items: [meals], features };
    const scene = qualifying([both("100", "0"), both("105", "0.2")], fields);
    assert.deepEqual(
      [order(scene, LOT_A), order(scene, LOT_B)],
      [
        [0, 1],
        [1, 0],
      ],
    );
  });

  it("for a lot by the dates of the values for it", () => {
    const scene = closed([onBoth("9", "9"), onBoth("9", "9")], twoLots).later(HOUR);
    const dated = (date: number) => [{ relatedLot: LOT_A, date }, { relatedLot: LOT_B }];
    const bids = scene.tender.bids.map(({ id }, i) => ({ id, lotValues: dated(TENDERING + (i === 0 ? MINUTE : 0)) }));
    const after = scene.send(AUCTION, finishAuction({ bids }, LOT_A)).send(AUCTION, finishAuction({}, LOT_B));
    assert.deepEqual(
      [order(after, LOT_A), order(after, LOT_B)],
      [
        [1, 0],
        [0, 1],
      ],
    );
  });
});

describe("the next award", () => {
  it("is made at once when one is rejected, for the best bid that has not been rejected", () => {
    const scene = decided(qualifying(["1", "2", "3"]), "unsuccessful");
    assert.deepEqual(statusesOf(scene.tender.awards), ["unsuccessful", "pending"]);
    assert.equal(lastAward(scene).bid_id, bidOf(scene, RIVAL).id);
    assert.equal(scene.tender.status, "active.qualification");
    const third = decided(scene, "unsuccessful");
    assert.equal(lastAward(third).bid_id, bidOf(third, BIDDERS[2]!).id);
  });

  it("is for the same bid again if an accepted award is taken back", () => {
    const scene = decided(decided(qualifying(["1", "2"]), "active"), "cancelled");
    assert.deepEqual(statusesOf(scene.tender.awards), ["cancelled", "pending"]);
    assert.equal(lastAward(scene).bid_id, bidOf(scene, BIDDER).id);
  });

  it("is not made when an award is accepted, or when no bid is left", () => {
    const accepted = decided(qualifying(["1", "2"]).later(MINUTE), "active");
    assert.deepEqual([accepted.tender.status, statusesOf(accepted.tender.awards)], ["active.awarded", ["active"]]);
    const exhausted = decided(qualifying(["1"]).later(MINUTE), "unsuccessful");
    assert.deepEqual([exhausted.tender.status, exhausted.tender.awards.length], ["active.awarded", 1]);
    assert.equal(exhausted.tender.date, exhausted.now);
  });

  it("of a lot does not depend on the awards of another", () => {
    const scene = qualifying([onBoth("1", "2"), onBoth("3", "4")], twoLots);
    const after = decided(scene, "unsuccessful", LOT_A);
    assert.deepEqual(
      after.tender.awards.map(({ lotID, bid_id }) => [lotID, bid_id]),
      [
        [LOT_A, bidOf(scene, BIDDER).id],
        [LOT_B, bidOf(scene, BIDDER).id],
        [LOT_A, bidOf(scene, RIVAL).id],
      ],
    );
    assert.equal(decided(after, "unsuccessful", LOT_B).tender.awards.at(-1)!.bid_id, bidOf(scene, RIVAL).id);
  });

  it("is made for all lots when the last auction is over, not before", () => {
    const scene = closed([onBoth("9", "8"), onBoth("7", "6")], twoLots).later(HOUR);
    const first = scene.send(AUCTION, finishAuction({}, LOT_A));
    assert.deepEqual([first.tender.status, first.tender.awards], ["active.auction", []]);
    const both = first.send(AUCTION, finishAuction({}, LOT_B));
    assert.deepEqual([both.tender.status, both.tender.awards.length], ["active.qualification", 2]);
  });
});

describe("the award period", () => {
  const scene = qualifying([onBoth("1", "2")], twoLots);

  it("begins with the first award, and ends when the last is decided", () => {
    assert.deepEqual(scene.tender.awardPeriod, { startDate: DEADLINE });
    const half = decided(scene.later(MINUTE), "active", LOT_A);
    assert.deepEqual([half.tender.status, half.tender.awardPeriod], ["active.qualification", { startDate: DEADLINE }]);
    assert.equal(half.tender.date, DEADLINE, "the status has not changed");
    const both = decided(half.later(MINUTE), "unsuccessful", LOT_B);
    assert.deepEqual(both.tender.awardPeriod, { startDate: DEADLINE, endDate: both.now });
    assert.deepEqual([both.tender.status, both.tender.date], ["active.awarded", both.now]);
  });

  it("loses its end when an award is taken back", () => {
    const awarded = decided(qualifying(["1"]).later(MINUTE), "active");
    const again = decided(awarded.later(MINUTE), "cancelled");
    assert.deepEqual(
      [again.tender.status, again.tender.awardPeriod],
      ["active.qualification", { startDate: DEADLINE }],
    );
    assert.equal(again.tender.date, again.now);
  });

  it("keeps its end if no further award is made", () => {
    const awarded = decided(qualifying(["1"]), "active");
    assert.deepEqual(generateAwards(awarded.tender, timeAt(awarded.now + HOUR)), awarded.tender);
  });

  it("does not wait for the award of a lot that was cancelled", () => {
    const cancelled = scene.send(OWNER, cancelLot(LOT_A));
    assert.equal(cancelled.tender.status, "active.qualification");
    const after = cancelled.send(OWNER, decideAward(lastAward(scene, LOT_B).id, "active"));
    assert.equal(after.tender.status, "active.awarded");
  });
});

describe("a lot that has lost its bids", () => {
  it("is unsuccessful when awards are made, and the others are not", () => {
    const scene = closed([onA("1"), onB("2"), onB("3")], twoLots);
    const without = { ...scene.tender, bids: scene.tender.bids.slice(1) };
    const made = generateAwards(without, timeAt(DEADLINE + HOUR));
    assert.deepEqual(
      made.lots.map(({ status, date }) => [status, date === DEADLINE + HOUR]),
      [
        ["unsuccessful", true],
        ["active", false],
      ],
    );
    assert.deepEqual(
      made.awards.map(({ lotID }) => lotID),
      [LOT_B],
    );
  });
});
