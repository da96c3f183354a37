import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { bidOf, DAY, formatTime, MINUTE } from "../support/examples.ts";
import {
  type AnyJson,
  assertRefusedByRule,
  bidsOf,
  decideLast,
  finishAuction,
  forwardTo,
  microsecondsOf,
  passStandStill,
  reachEnquiries,
  reachQualification,
  reachTendering,
  reachTenderingEnd,
  signContract,
} from "../support/procedure.ts";
import { expectStatus, openWorld, sharedWorld } from "../support/world.ts";

const statusesOf = (list: AnyJson[]) => list?.map(({ status }) => status);

describe("a tender without lots", async () => {
  const world = await sharedWorld();
  const now = () => formatTime(world.clock.now);

  it("without bids goes from enquiries through tendering to unsuccessful", async () => {
    const story = await reachEnquiries(world);
    const enquiring = await story.fetchTender();
    assert.equal(enquiring.status, "active.enquiries");
    assert.equal(enquiring.next_check, enquiring.tenderPeriod.startDate);
    assert.equal(enquiring.auctionPeriod, undefined);
    forwardTo(world, enquiring.tenderPeriod.startDate);
    const open = await story.fetchTender();
    assert.equal(open.status, "active.tendering");
    assert.equal(open.date, now());
    assert.equal(open.next_check, open.tenderPeriod.endDate);
    forwardTo(world, open.tenderPeriod.endDate);
    const over = await story.fetchTender();
    assert.equal(over.status, "unsuccessful");
    assert.equal(over.date, now());
    for (const name of ["next_check", "auctionPeriod", "awards", "bids", "awardPeriod"])
      assert.equal(over[name], undefined, name);
  });

  it("does not change a microsecond before its deadlines", async () => {
    const story = await reachEnquiries(world);
    const { tenderPeriod } = await story.fetchTender();
    forwardTo(world, tenderPeriod.startDate);
    world.clock.forward(-1);
    assert.equal((await story.fetchTender()).status, "active.enquiries");
    world.clock.forward(7 * DAY);
    assert.equal((await story.fetchTender()).status, "active.tendering");
    world.clock.forward(1);
    assert.equal((await story.fetchTender()).status, "unsuccessful");
  });

  it("with one accepted bid is complete when its contract is signed after the stand-still", async () => {
    const story = await reachTenderingEnd(world, bidsOf(400));
    const looked = await story.fetchTender();
    assert.equal(looked.status, "active.qualification");
    assert.deepEqual(looked.awardPeriod, { startDate: now() });
    for (const name of ["next_check", "auctionPeriod", "contracts"]) assert.equal(looked[name], undefined, name);
    assert.equal(looked.numberOfBids, 1);
    world.clock.forward(MINUTE);
    await decideLast(story, "active");
    const decided = await story.fetchTender();
    assert.equal(decided.status, "active.awarded");
    assert.equal(decided.date, now());
    assert.deepEqual(decided.awardPeriod, { startDate: looked.awardPeriod.startDate, endDate: now() });
    assert.deepEqual(statusesOf(decided.contracts), ["pending"]);
    assert.equal(decided.next_check, undefined);
    await passStandStill(story);
    assert.equal((await story.fetchTender()).status, "active.awarded");
    const contract = expectStatus(200, await signContract(story)).body.data;
    assert.deepEqual([contract.status, contract.dateSigned, contract.date], ["active", now(), now()]);
    const over = await story.fetchTender();
    assert.deepEqual([over.status, over.date, over.next_check], ["complete", now(), undefined]);
    assert.equal(over.bids.length, 1);
  });

  it("with one rejected bid is unsuccessful at the end of the stand-still", async () => {
    const story = await reachQualification(world, bidsOf(400));
    const award = await decideLast(story, "unsuccessful");
    const decided = await story.fetchTender();
    assert.equal(decided.status, "active.awarded");
    assert.equal(decided.awardPeriod.endDate, now());
    assert.equal(decided.contracts, undefined);
    assert.equal(decided.next_check, award.complaintPeriod.endDate);
    forwardTo(world, award.complaintPeriod.endDate);
    world.clock.forward(-1);
    assert.equal((await story.fetchTender()).status, "active.awarded");
    world.clock.forward(1);
    const over = await story.fetchTender();
    assert.deepEqual([over.status, over.date, over.next_check], ["unsuccessful", now(), undefined]);
  });

  it("with two bids goes through an auction, and a rejection awards the next bid at once", async () => {
    const story = await reachTenderingEnd(world, bidsOf(300, 400));
    const waiting = await story.fetchTender();
    assert.equal(waiting.status, "active.auction");
    for (const name of ["next_check", "bids", "numberOfBids", "awards", "awardPeriod"])
      assert.equal(waiting[name], undefined, name);
    assert.equal(expectStatus(200, await finishAuction(story)).body.data.status, "active.qualification");
    const first = await story.fetchTender();
    assert.deepEqual(first.auctionPeriod, { endDate: now() });
    assert.equal(first.numberOfBids, 2);
    await decideLast(story, "unsuccessful");
    const second = await story.fetchTender();
    assert.equal(second.status, "active.qualification");
    assert.deepEqual(statusesOf(second.awards), ["unsuccessful", "pending"]);
    assert.deepEqual(
      second.awards.map((award: AnyJson) => award.bid_id),
      story.bidders.map(({ id }) => id),
    );
    assert.equal(second.next_check, undefined);
    await decideLast(story, "unsuccessful");
    assert.equal((await story.fetchTender()).status, "active.awarded");
    await passStandStill(story);
    assert.equal((await story.fetchTender()).status, "unsuccessful");
  });

  it("whose winner declines gets an award for the same bid again, and its rejection awards the next", async () => {
    const story = await reachQualification(world, bidsOf(300, 400));
    await decideLast(story, "active");
    await decideLast(story, "cancelled");
    const again = await story.fetchTender();
    assert.equal(again.status, "active.qualification");
    assert.equal(again.awardPeriod.endDate, undefined);
    assert.deepEqual(statusesOf(again.awards), ["cancelled", "pending"]);
    assert.deepEqual(statusesOf(again.contracts), ["cancelled"]);
    assert.equal(again.awards[1].bid_id, again.awards[0].bid_id);
    await decideLast(story, "unsuccessful");
    const next = await story.fetchTender();
    assert.deepEqual(statusesOf(next.awards), ["cancelled", "unsuccessful", "pending"]);
    assert.equal(next.awards[2].bid_id, story.bidders[1]!.id);
    await decideLast(story, "active");
    await passStandStill(story);
    expectStatus(200, await signContract(story, -1));
    const over = await story.fetchTender();
    assert.equal(over.status, "complete");
    assert.deepEqual(statusesOf(over.contracts), ["cancelled", "active"]);
  });

  it("that nobody reads from enquiries until long after is in the correct status, and stays there", async () => {
    const story = await reachTendering(world, bidsOf(1));
    world.clock.forward(30 * DAY);
    const { dateModified, ...first } = await story.fetchTender();
    assert.equal(first.status, "active.qualification");
    world.clock.forward(DAY);
    assert.deepEqual(await story.fetchTender(), { dateModified, ...first });
  });

  it("deletes drafts of bids at the deadline, and does not count them", async () => {
    const story = await reachTenderingEnd(world, [bidOf(1, { status: "draft" }), bidOf(2, { status: "draft" })]);
    assert.equal((await story.fetchTender()).status, "unsuccessful");
    const single = await reachTenderingEnd(world, [bidOf(1, { status: "draft" }), bidOf(2)]);
    const seen = await single.fetchTender();
    assert.deepEqual([seen.status, seen.numberOfBids, seen.bids.length], ["active.qualification", 1, 1]);
  });
});

describe("a tender over time", async () => {
  const world = await sharedWorld();

  it("does not change as a draft, and starts in its current period when it is published", async () => {
    const story = await reachEnquiries(world, { status: "draft" });
    world.clock.forward(8 * DAY);
    const draft = await story.fetchTender();
    assert.deepEqual([draft.status, draft.next_check], ["draft", undefined]);
    assertRefusedByRule(
      await story.api.post(`${story.path}/bids`, bidOf(1)),
      "Can't add bid in current (draft) tender status",
    );
    const { data } = expectStatus(200, await story.asOwner("PATCH", "", { status: "active.enquiries" })).body;
    assert.deepEqual([data.status, data.tenderPeriod], ["active.tendering", draft.tenderPeriod]);
  });

  it("is listed with its next_check, and as changed after a deadline", async () => {
    const story = await reachTendering(world, bidsOf(1));
    const { id, status, next_check, dateModified, tenderPeriod } = await story.fetchTender();
    const listed = async () => {
      const { data } = expectStatus(200, await story.api.get("/tenders?opt_fields=status,next_check")).body;
      return data.find((entry: AnyJson) => entry.id === id);
    };
    assert.deepEqual(await listed(), { id, dateModified, status, next_check });
    forwardTo(world, tenderPeriod.endDate);
    const after = await story.fetchTender();
    assert.ok(after.dateModified > dateModified);
    assert.deepEqual(await listed(), { id, dateModified: after.dateModified, status: "active.qualification" });
  });
});

describe("the planning of an auction", async () => {
  const world = await sharedWorld();
  const plan = (data: object, path: string, api = world.api("2.5")) => api.patch(path, data, { key: "chronograph" });

  it("starts after the midnight that follows the tender period, in the registry's time zone", async () => {
    const story = await reachTendering(world, bidsOf(1, 2));
    const { auctionPeriod, tenderPeriod } = await story.fetchTender();
    const nextDay = formatTime(microsecondsOf(tenderPeriod.endDate) + DAY).slice(0, 10);
    assert.deepEqual(auctionPeriod, { shouldStartAfter: `${nextDay}T00:00:00+02:00` });
    forwardTo(world, tenderPeriod.endDate);
    assert.deepEqual((await story.fetchTender()).auctionPeriod, auctionPeriod);
  });

  it("may start at once if the tender period ends at midnight", async () => {
    const midnight = `${formatTime(world.clock.now + 14 * DAY).slice(0, 10)}T00:00:00+02:00`;
    const story = await reachTendering(world, [], { tenderPeriod: { endDate: midnight } });
    assert.deepEqual((await story.fetchTender()).auctionPeriod, { shouldStartAfter: midnight });
  });

  it("sets next_check to its start, then to its expected end, then to nothing, and plans it again", async () => {
    const story = await reachTenderingEnd(world, bidsOf(1, 2));
    const start = world.clock.now + DAY;
    const planned = expectStatus(200, await plan({ auctionPeriod: { startDate: formatTime(start) } }, story.path)).body
      .data;
    assert.equal(planned.next_check, formatTime(start));
    assert.equal(planned.auctionPeriod.startDate, formatTime(start));
    world.clock.forward(DAY);
    const estimate = start + (2 * 6 + 24) * MINUTE;
    assert.equal((await story.fetchTender()).next_check, formatTime(estimate));
    forwardTo(world, formatTime(estimate));
    assert.equal((await story.fetchTender()).next_check, undefined);
    world.clock.forward(1);
    const failed = await story.fetchTender();
    assert.equal(failed.next_check, undefined);
    assert.equal(failed.auctionPeriod.shouldStartAfter, `${formatTime(estimate + DAY).slice(0, 10)}T00:00:00+02:00`);
    const again = formatTime(world.clock.now + 2 * DAY);
    assert.equal(
      expectStatus(200, await plan({ auctionPeriod: { startDate: again } }, story.path)).body.data.next_check,
      again,
    );
  });

  it("is dropped if one bid leaves nothing to auction", async () => {
    const story = await reachTendering(world, bidsOf(1));
    const { tenderPeriod } = await story.fetchTender();
    const startDate = formatTime(microsecondsOf(tenderPeriod.endDate) + DAY);
    expectStatus(200, await plan({ auctionPeriod: { startDate } }, story.path));
    forwardTo(world, tenderPeriod.endDate);
    const seen = await story.fetchTender();
    assert.deepEqual([seen.status, seen.auctionPeriod], ["active.qualification", undefined]);
  });

  it("is done by the scheduler and the administrator, except for its end, which the auction sets", async () => {
    const story = await reachTenderingEnd(world, bidsOf(1, 2));
    const startDate = formatTime(world.clock.now + DAY);
    expectStatus(200, await story.asOwner("PATCH", "", { auctionPeriod: { startDate } }));
    assert.equal((await story.fetchTender()).auctionPeriod.startDate, undefined);
    expectStatus(200, await story.as("administrator", "PATCH", "", { auctionPeriod: { startDate } }));
    assert.equal((await story.fetchTender()).auctionPeriod.startDate, startDate);
    const endDate = formatTime(world.clock.now + 2 * DAY);
    for (const key of ["chronograph", "administrator"])
      expectStatus(200, await story.as(key, "PATCH", "", { auctionPeriod: { endDate } }));
    assert.equal((await story.fetchTender()).auctionPeriod.endDate, undefined);
  });

  it("is refused once the tender has ended", async () => {
    const story = await reachTenderingEnd(world, []);
    const refused = await story.as("chronograph", "PATCH", "", { id: story.path.split("/").at(-1) });
    assertRefusedByRule(refused, "Can't update tender in current (unsuccessful) status");
  });

  it("shows the scheduler times and numbers, but neither bidders nor bids", async () => {
    const story = await reachTenderingEnd(world, bidsOf(1, 2));
    const seen = expectStatus(200, await story.as("chronograph", "GET", "")).body.data;
    const known = ["id", "status", "enquiryPeriod", "tenderPeriod", "auctionPeriod", "numberOfBids"];
    assert.deepEqual(Object.keys(seen).toSorted(), known.toSorted());
    assert.equal(seen.numberOfBids, 2);
  });
});

describe("the stand-still", () => {
  it("is two working days to the same hour, also across a weekend", async (t) => {
    const world = await openWorld();
    t.after(world.stop);
    // From Monday the 30th: decided on Thursday, it ends on Monday.
    const story = await reachQualification(world, bidsOf(1));
    world.clock.forward(3 * DAY);
    const { complaintPeriod } = await decideLast(story, "active");
    assert.equal(complaintPeriod.startDate, "2026-11-30T10:00:00.123456+02:00");
    assert.equal(complaintPeriod.endDate, "2026-12-07T10:00:01.123456+02:00");
  });

  it("that begins on a Saturday counts from Monday's midnight", async (t) => {
    const world = await openWorld();
    t.after(world.stop);
    const story = await reachQualification(world, bidsOf(1));
    world.clock.forward(5 * DAY);
    const { complaintPeriod } = await decideLast(story, "unsuccessful");
    assert.equal(complaintPeriod.endDate, "2026-12-09T00:00:00+02:00");
  });
});
