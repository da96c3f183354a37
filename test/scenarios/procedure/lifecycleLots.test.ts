import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { formatTime, MINUTE } from "../../support/examples.ts";
import {
  type AnyJson,
  advanceOneSecond,
  cancelLot,
  decideLast,
  endTendering,
  finishAuction,
  forwardTo,
  LOT_A,
  LOT_B,
  onA,
  onB,
  onBoth,
  passStandStill,
  reachQualification,
  reachTendering,
  reachTenderingEnd,
  signContract,
  withLots,
} from "../../support/procedure.ts";
import { expectStatus, sharedWorld } from "../../support/world.ts";

const statusesOf = (list: AnyJson[]) => list?.map(({ status }) => status);

describe("a tender with lots", async () => {
  const world = await sharedWorld();
  const now = () => formatTime(world.clock.now);
  const lots = () => withLots(world.clock.now);
  const close = (...sent: object[]) => reachTenderingEnd(world, sent, lots());

  it("becomes unsuccessful with all its lots if there are no bids", async () => {
    const seen = await (await close()).fetchTender();
    assert.deepEqual([seen.status, ...statusesOf(seen.lots)], ["unsuccessful", "unsuccessful", "unsuccessful"]);
    assert.deepEqual([seen.lots[0].date, seen.next_check, seen.lots[0].auctionPeriod], [now(), undefined, undefined]);
  });

  it("goes to qualification with one bid on one lot, and the other lot becomes unsuccessful", async () => {
    const seen = await (await close(onA(900))).fetchTender();
    assert.deepEqual([seen.status, ...statusesOf(seen.lots)], ["active.qualification", "active", "unsuccessful"]);
    assert.deepEqual(
      seen.awards.map(({ lotID, status, value }: AnyJson) => [lotID, status, value.amount]),
      [[LOT_A, "pending", 900]],
    );
  });

  it("gets one award per lot at once if each lot has one bid", async () => {
    const seen = await (await close(onBoth(900, 800))).fetchTender();
    assert.deepEqual([seen.status, ...statusesOf(seen.lots)], ["active.qualification", "active", "active"]);
    assert.deepEqual(
      seen.awards.map(({ lotID, value }: AnyJson) => [lotID, value.amount]),
      [
        [LOT_A, 900],
        [LOT_B, 800],
      ],
    );
  });

  it("lets a lot with one bid wait for the auction of the other", async () => {
    const story = await close(onBoth(900, 800), onA(850));
    const waiting = await story.fetchTender();
    assert.equal(waiting.status, "active.auction");
    assert.deepEqual(statusesOf(waiting.lots), ["active", "active"]);
    assert.ok(waiting.lots[0].auctionPeriod.shouldStartAfter);
    assert.equal(waiting.lots[1].auctionPeriod, undefined);
    assert.deepEqual([waiting.auctionPeriod, waiting.awards], [undefined, undefined]);
    assert.equal(expectStatus(200, await finishAuction(story, LOT_A)).body.data.status, "active.qualification");
    const seen = await story.fetchTender();
    assert.deepEqual(
      seen.awards.map(({ lotID, value }: AnyJson) => [lotID, value.amount]),
      [
        [LOT_A, 850],
        [LOT_B, 800],
      ],
    );
    assert.deepEqual(seen.lots[0].auctionPeriod, { endDate: now() });
  });

  it("reaches qualification only when every lot with several bids has been auctioned", async () => {
    const story = await close(onBoth(900, 800), onBoth(850, 850));
    assert.equal(expectStatus(200, await finishAuction(story, LOT_B)).body.data.status, "active.auction");
    const half = await story.fetchTender();
    assert.deepEqual(half.lots[1].auctionPeriod, { endDate: now() });
    assert.equal(half.lots[0].auctionPeriod.endDate, undefined);
    assert.equal(half.awards, undefined);
    assert.equal(expectStatus(200, await finishAuction(story, LOT_A)).body.data.status, "active.qualification");
    assert.equal((await story.fetchTender()).awards.length, 2);
  });

  it("goes to qualification if one lot is cancelled in tendering and the other has one bid", async () => {
    const story = await reachTendering(world, [onBoth(900, 800)], lots());
    await cancelLot(story, LOT_A);
    await endTendering(story);
    const seen = await story.fetchTender();
    assert.deepEqual([seen.status, ...statusesOf(seen.lots)], ["active.qualification", "cancelled", "active"]);
    assert.deepEqual(
      seen.awards.map(({ lotID }: AnyJson) => lotID),
      [LOT_B],
    );
    assert.deepEqual(
      seen.bids[0].lotValues.map(({ relatedLot }: AnyJson) => relatedLot),
      [LOT_A, LOT_B],
    );
  });

  it("is complete if one lot is signed and the other rejected", async () => {
    const story = await reachQualification(world, [onBoth(900, 800)], lots());
    await decideLast(story, "active", LOT_A);
    const half = await story.fetchTender();
    assert.deepEqual([half.status, half.next_check], ["active.qualification", undefined]);
    assert.deepEqual(statusesOf(half.contracts), ["pending"]);
    const rejected = await decideLast(story, "unsuccessful", LOT_B);
    const decided = await story.fetchTender();
    assert.deepEqual([decided.status, decided.awardPeriod.endDate], ["active.awarded", now()]);
    assert.equal(decided.next_check, rejected.complaintPeriod.endDate);
    await passStandStill(story);
    const settled = await story.fetchTender();
    assert.deepEqual([settled.status, ...statusesOf(settled.lots)], ["active.awarded", "active", "unsuccessful"]);
    assert.deepEqual([settled.lots[1].date, settled.next_check], [now(), undefined]);
    advanceOneSecond(world);
    expectStatus(200, await signContract(story));
    const over = await story.fetchTender();
    assert.deepEqual([over.status, ...statusesOf(over.lots)], ["complete", "complete", "unsuccessful"]);
    assert.deepEqual([over.date, over.lots[0].date], [now(), now()]);
  });

  it("may have one lot signed while the other is pending", async () => {
    const story = await reachQualification(world, [onBoth(900, 800)], lots());
    await decideLast(story, "active", LOT_A);
    await passStandStill(story);
    expectStatus(200, await signContract(story));
    const half = await story.fetchTender();
    assert.deepEqual([half.status, ...statusesOf(half.lots)], ["active.qualification", "complete", "active"]);
    await decideLast(story, "unsuccessful", LOT_B);
    assert.equal((await story.fetchTender()).status, "active.awarded");
    await passStandStill(story);
    const over = await story.fetchTender();
    assert.deepEqual([over.status, ...statusesOf(over.lots)], ["complete", "complete", "unsuccessful"]);
  });

  it("ends a rejected lot at the end of its stand-still, even in qualification", async () => {
    const story = await reachQualification(world, [onBoth(900, 800)], lots());
    const { complaintPeriod } = await decideLast(story, "unsuccessful", LOT_B);
    const waiting = await story.fetchTender();
    assert.deepEqual([waiting.status, waiting.next_check], ["active.qualification", complaintPeriod.endDate]);
    forwardTo(world, complaintPeriod.endDate);
    const seen = await story.fetchTender();
    assert.deepEqual([seen.status, ...statusesOf(seen.lots)], ["active.qualification", "active", "unsuccessful"]);
    assert.equal(seen.next_check, undefined);
  });

  it("is unsuccessful if one lot is cancelled and the other rejected", async () => {
    const story = await reachQualification(world, [onBoth(900, 800)], lots());
    await cancelLot(story, LOT_A);
    assert.equal((await story.fetchTender()).status, "active.qualification");
    await decideLast(story, "unsuccessful", LOT_B);
    assert.equal((await story.fetchTender()).status, "active.awarded");
    await passStandStill(story);
    const over = await story.fetchTender();
    assert.deepEqual([over.status, ...statusesOf(over.lots)], ["unsuccessful", "cancelled", "unsuccessful"]);
  });

  it("is unsuccessful if one lot is cancelled in tendering and the other has no bids", async () => {
    const story = await reachTendering(world, [], lots());
    await cancelLot(story, LOT_B);
    await endTendering(story);
    const over = await story.fetchTender();
    assert.deepEqual([over.status, ...statusesOf(over.lots)], ["unsuccessful", "unsuccessful", "cancelled"]);
  });

  it("is cancelled with its last lot, and its sealed bids are deleted", async () => {
    const story = await close(onBoth(900, 800), onBoth(1, 2));
    await cancelLot(story, LOT_A);
    assert.equal((await story.fetchTender()).status, "active.auction");
    await cancelLot(story, LOT_B);
    const over = await story.fetchTender();
    assert.deepEqual([over.status, ...statusesOf(over.lots)], ["cancelled", "cancelled", "cancelled"]);
    assert.deepEqual([over.bids, over.next_check], [undefined, undefined]);
  });

  it("goes to qualification when the last lot that awaits its auction is cancelled", async () => {
    const story = await close(onBoth(900, 800), onBoth(1, 2));
    expectStatus(200, await finishAuction(story, LOT_A));
    await cancelLot(story, LOT_B);
    const seen = await story.fetchTender();
    assert.deepEqual([seen.status, ...statusesOf(seen.lots)], ["active.qualification", "active", "cancelled"]);
    assert.deepEqual(
      seen.awards.map(({ lotID, value }: AnyJson) => [lotID, value.amount]),
      [[LOT_A, 1]],
    );
  });

  it("plans each auction separately, with the number of bids for that lot", async () => {
    const story = await close(onBoth(900, 800), onBoth(1, 2), onA(3));
    const start = (minutes: number) => ({
      auctionPeriod: { startDate: formatTime(world.clock.now + minutes * MINUTE) },
    });
    const early = start(60).auctionPeriod.startDate;
    const sent = { lots: [start(90), start(60)] };
    const planned = expectStatus(200, await story.as("chronograph", "PATCH", "", sent)).body.data;
    assert.equal(planned.next_check, early);
    expectStatus(200, await story.as("chronograph", "PATCH", "", { lots: [{}, {}] }));
    world.clock.forward(90 * MINUTE);
    assert.equal((await story.fetchTender()).next_check, formatTime(world.clock.now + 6 * MINUTE));
    world.clock.forward(6 * MINUTE);
    assert.equal((await story.fetchTender()).next_check, formatTime(world.clock.now + (3 * 6 + 24 - 6) * MINUTE));
  });

  it("shows the number of bids for each lot to the scheduler only", async () => {
    const story = await close(onBoth(900, 800), onBoth(1, 2), onA(3));
    assert.ok((await story.fetchTender()).lots.every((lot: AnyJson) => !("numberOfBids" in lot)));
    const { lots: seen } = expectStatus(200, await story.as("chronograph", "GET", "")).body.data;
    assert.deepEqual(
      seen.map(({ id, numberOfBids }: AnyJson) => [id, numberOfBids]),
      [
        [LOT_A, 3],
        [LOT_B, 2],
      ],
    );
  });

  it("drops the auction plan of a lot that needs no auction", async () => {
    const story = await reachTendering(world, [onA(1), onA(2), onB(3)], lots());
    const { tenderPeriod, lots: open } = await story.fetchTender();
    assert.ok(open.every(({ auctionPeriod }: AnyJson) => auctionPeriod.shouldStartAfter));
    const plan = { auctionPeriod: { startDate: tenderPeriod.endDate } };
    expectStatus(200, await story.as("chronograph", "PATCH", "", { lots: [plan, plan] }));
    await endTendering(story);
    const seen = await story.fetchTender();
    assert.equal(seen.lots[0].auctionPeriod.startDate, tenderPeriod.endDate);
    assert.equal(seen.lots[1].auctionPeriod, undefined);
  });

  it("accepts bids for a cancelled lot, which do not count", async () => {
    const story = await reachTendering(world, [], lots());
    await cancelLot(story, LOT_A);
    for (const bid of [onA(1), onA(2), onB(3)]) await story.placeBid(bid);
    await endTendering(story);
    const seen = await story.fetchTender();
    assert.deepEqual([seen.status, ...statusesOf(seen.lots)], ["active.qualification", "cancelled", "active"]);
    assert.equal(seen.bids.length, 3);
    assert.equal(seen.awards.length, 1);
  });

  it("ends with the contract of one lot when the other is cancelled in qualification", async () => {
    const story = await reachQualification(world, [onBoth(900, 800)], lots());
    await decideLast(story, "active", LOT_B);
    await cancelLot(story, LOT_A);
    assert.equal((await story.fetchTender()).status, "active.qualification");
    await passStandStill(story);
    advanceOneSecond(world);
    expectStatus(200, await signContract(story));
    const over = await story.fetchTender();
    assert.deepEqual([over.status, ...statusesOf(over.lots)], ["complete", "cancelled", "complete"]);
  });

  it("awards a lot to the next bid while the other lot is signed", async () => {
    const story = await reachQualification(world, [onBoth(1, 2), onBoth(3, 4)], lots());
    await decideLast(story, "active", LOT_A);
    await decideLast(story, "unsuccessful", LOT_B);
    await passStandStill(story);
    advanceOneSecond(world);
    expectStatus(200, await signContract(story));
    const seen = await story.fetchTender();
    assert.deepEqual([seen.status, ...statusesOf(seen.lots)], ["active.qualification", "complete", "active"]);
    assert.equal(seen.awards.at(-1).bid_id, story.bidders[1]!.id);
  });
});
