import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { cook, formatTime, MINUTE } from "../support/examples.ts";
import {
  type AnyJson,
  advanceOneSecond,
  answerComplaint,
  assertForbidden,
  assertRefusedByRule,
  bidsOf,
  cancelLot,
  decideLast,
  errorsWithStatus,
  fileAwardClaim,
  LOT_A,
  LOT_B,
  onBoth,
  passStandStill,
  REQUIRED,
  reachAwarded,
  reachQualification,
  reachTenderingEnd,
  type TenderStory,
  UNKNOWN_ID,
  withLots,
} from "../support/procedure.ts";
import { expectStatus, sharedWorld } from "../support/world.ts";

const statusesOf = (list: AnyJson[]) => list?.map(({ status }) => status);
const lastOf = async (story: TenderStory): Promise<AnyJson> => (await story.fetchTender()).awards.at(-1);
const patch = (story: TenderStory, award: AnyJson, data: object) => story.asOwner("PATCH", `/awards/${award.id}`, data);
const cannot = (status: string) => `Can't update award in current (${status}) status`;

describe("an award", async () => {
  const world = await sharedWorld();
  const now = () => formatTime(world.clock.now);
  const lots = () => withLots(world.clock.now);

  it("is created by the service from the bid, and readable by anyone", async () => {
    const story = await reachTenderingEnd(world, bidsOf(400));
    const [award] = (await story.fetchTender()).awards;
    const { id, ...rest } = award;
    assert.match(id, /^[0-9a-f]{32}$/);
    assert.deepEqual(rest, {
      bid_id: story.bidders[0]!.id,
      status: "pending",
      date: now(),
      value: story.bidders[0]!.data.value,
      suppliers: [cook],
      complaintPeriod: { startDate: now() },
    });
    const get = (path: string) => story.api.get(`${story.path}${path}`, { key: null });
    assert.deepEqual(expectStatus(200, await get("/awards")).body, { data: [award] });
    assert.deepEqual(expectStatus(200, await get(`/awards/${id}`)).body, { data: award });
    assert.deepEqual(errorsWithStatus(404, await get(`/awards/${UNKNOWN_ID}`)), [["url/award_id", "Not Found"]]);
  });

  it("is decided by the tender's owner and the admins only", async () => {
    const story = await reachQualification(world, bidsOf(1, 2));
    const award = await lastOf(story);
    for (const key of ["broker", "broker2", "auction", "chronograph", "bot", "reviewer"])
      assertForbidden(await story.as(key, "PATCH", `/awards/${award.id}`, { status: "active" }));
    const { token } = story.bidders[0]!;
    assertForbidden(await story.api.patch(`${story.path}/awards/${award.id}`, { status: "active" }, { token }));
    expectStatus(200, await story.as("token", "PATCH", `/awards/${award.id}`, { status: "active" }));
  });

  it("can be described while pending, except for the fields that the service sets", async () => {
    const story = await reachQualification(world, bidsOf(1, 2));
    const award = await lastOf(story);
    const texts = { title: "Переможець", title_en: "Winner", description: "Опис" };
    advanceOneSecond(world);
    const owned = { value: { amount: 1000 }, suppliers: [{ ...cook, name: "Інша" }], bid_id: UNKNOWN_ID };
    const { data } = expectStatus(200, await patch(story, award, { ...texts, ...owned })).body;
    assert.deepEqual(data, { ...award, ...texts });
  });

  it("that is accepted gets a contract and a stand-still", async () => {
    const story = await reachQualification(world, bidsOf(1, 2));
    const before = await lastOf(story);
    const after = await decideLast(story, "active");
    const { endDate, startDate } = after.complaintPeriod;
    assert.deepEqual([after.status, after.date, startDate], ["active", now(), before.complaintPeriod.startDate]);
    assert.ok(endDate > now());
    const { contracts, awards, status } = await story.fetchTender();
    assert.deepEqual([status, statusesOf(awards), statusesOf(contracts)], ["active.awarded", ["active"], ["pending"]]);
    assert.equal(contracts[0].awardID, after.id);
  });

  it("that is decided returns the location of the next award, if there is one", async () => {
    const story = await reachQualification(world, bidsOf(1, 2));
    const response = expectStatus(200, await patch(story, await lastOf(story), { status: "unsuccessful" }));
    const { id } = await lastOf(story);
    assert.equal(response.headers.get("location"), `${story.api.root}${story.path}/awards/${id}`);
  });

  it("cannot be cancelled while it is pending", async () => {
    const story = await reachQualification(world, bidsOf(1, 2));
    assertRefusedByRule(await patch(story, await lastOf(story), { status: "cancelled" }), cannot("pending"));
  });

  it("that is active can only be cancelled, together with its contract and the claims about it", async () => {
    const story = await reachAwarded(world, bidsOf(1, 2));
    const award = await lastOf(story);
    for (const data of [{ title: "Інша" }, { status: "pending" }, { status: "unsuccessful" }])
      assertRefusedByRule(await patch(story, award, data), cannot("active"));
    await fileAwardClaim(story, award.id);
    advanceOneSecond(world);
    const { data } = expectStatus(200, await patch(story, award, { status: "cancelled" })).body;
    assert.deepEqual([data.status, data.date, data.complaintPeriod.endDate], ["cancelled", now(), now()]);
    const [complaint] = data.complaints;
    const { status, cancellationReason, dateCanceled } = complaint;
    assert.deepEqual([status, cancellationReason, dateCanceled], ["cancelled", "cancelled", now()]);
    const seen = await story.fetchTender();
    assert.deepEqual(statusesOf(seen.awards), ["cancelled", "pending"]);
    assert.deepEqual([seen.contracts[0].status, seen.contracts[0].date], ["cancelled", now()]);
    for (const to of ["pending", "active", "unsuccessful"])
      assertRefusedByRule(await patch(story, award, { status: to }), cannot("cancelled"));
  });

  it("that is cancelled after its stand-still keeps the end of its stand-still", async () => {
    const story = await reachAwarded(world, bidsOf(1, 2));
    const { complaintPeriod } = await lastOf(story);
    await passStandStill(story);
    advanceOneSecond(world);
    const { awards } = await story.fetchTender();
    const { data } = expectStatus(200, await patch(story, awards[0], { status: "cancelled" })).body;
    assert.deepEqual(data.complaintPeriod, complaintPeriod);
  });

  it("that is rejected stays rejected unless somebody complained", async () => {
    const story = await reachQualification(world, bidsOf(1, 2));
    const award = await decideLast(story, "unsuccessful");
    for (const data of [{ status: "cancelled" }, { status: "active" }, { status: "pending" }, { title: "Інша" }])
      assertRefusedByRule(await patch(story, award, data), cannot("unsuccessful"));
  });

  it("that is rejected and has a claim is taken back with all later ones, and the best bid is next again", async () => {
    const story = await reachQualification(world, bidsOf(1, 2, 3));
    const first = await decideLast(story, "unsuccessful");
    const { token, path } = await fileAwardClaim(story, first.id);
    await decideLast(story, "active");
    assert.equal((await story.fetchTender()).status, "active.awarded");
    await answerComplaint(story, path);
    const satisfied = { satisfied: true, status: "resolved" };
    expectStatus(200, await story.api.patch(`${story.path}${path}`, satisfied, { token }));
    advanceOneSecond(world);
    expectStatus(200, await patch(story, first, { status: "cancelled" }));
    const seen = await story.fetchTender();
    assert.equal(seen.status, "active.qualification");
    assert.equal(seen.awardPeriod.endDate, undefined);
    assert.deepEqual(statusesOf(seen.awards), ["cancelled", "cancelled", "pending"]);
    assert.deepEqual(
      seen.awards.map(({ complaintPeriod }: AnyJson) => complaintPeriod.endDate),
      [now(), now(), undefined],
    );
    assert.equal(seen.awards[2].bid_id, story.bidders[0]!.id);
    assert.deepEqual(statusesOf(seen.contracts), ["cancelled"]);
    assert.equal(seen.awards[0].complaints[0].status, "resolved");
  });

  it("that is taken back after its stand-still ends its complaint period now", async () => {
    const story = await reachQualification(world, bidsOf(1, 2));
    const first = await decideLast(story, "unsuccessful");
    await fileAwardClaim(story, first.id);
    await passStandStill(story);
    world.clock.forward(MINUTE);
    const { data } = expectStatus(200, await patch(story, first, { status: "cancelled" })).body;
    assert.equal(data.complaintPeriod.endDate, now());
  });

  it("that was already cancelled keeps its date when an earlier award is taken back", async () => {
    const story = await reachQualification(world, bidsOf(1, 2));
    const first = await decideLast(story, "unsuccessful");
    await fileAwardClaim(story, first.id);
    await decideLast(story, "active");
    const second = await decideLast(story, "cancelled");
    world.clock.forward(MINUTE);
    const before = (await story.fetchTender()).contracts;
    expectStatus(200, await patch(story, first, { status: "cancelled" }));
    const { awards, contracts } = await story.fetchTender();
    assert.deepEqual(statusesOf(awards), ["cancelled", "cancelled", "cancelled", "pending"]);
    assert.equal(awards[1].date, second.date);
    assert.deepEqual(contracts, before);
  });

  it("of another lot is not affected", async () => {
    const story = await reachQualification(world, [onBoth(1, 2), onBoth(3, 4)], lots());
    const first = await decideLast(story, "unsuccessful", LOT_A);
    const other = await decideLast(story, "active", LOT_B);
    await fileAwardClaim(story, first.id);
    advanceOneSecond(world);
    expectStatus(200, await patch(story, first, { status: "cancelled" }));
    const { awards, contracts } = await story.fetchTender();
    assert.deepEqual(
      awards.map(({ lotID, status, bid_id }: AnyJson) => [
        lotID,
        status,
        story.bidders.findIndex(({ id }) => id === bid_id),
      ]),
      [
        [LOT_A, "cancelled", 0],
        [LOT_B, "active", 0],
        [LOT_A, "cancelled", 1],
        [LOT_A, "pending", 0],
      ],
    );
    assert.equal(awards[1].date, other.date);
    assert.deepEqual(statusesOf(contracts), ["pending"]);
  });

  it("is decided only while its tender and its lot allow it", async () => {
    const story = await reachQualification(world, bidsOf(1));
    await decideLast(story, "unsuccessful");
    const award = await lastOf(story);
    await passStandStill(story);
    const late = "Can't update award in current (unsuccessful) tender status";
    assertRefusedByRule(await patch(story, award, { status: "cancelled" }), late);
    const split = await reachQualification(world, [onBoth(1, 2)], lots());
    const [ofA] = (await split.fetchTender()).awards;
    await cancelLot(split, LOT_A);
    assertRefusedByRule(await patch(split, ofA, { status: "active" }), "Can update award only in active lot status");
  });

  it("is refused with unknown statuses and those of other versions", async () => {
    const story = await reachQualification(world, bidsOf(1));
    const award = await lastOf(story);
    assert.deepEqual(errorsWithStatus(422, await patch(story, award, { awardStatus: "active" })), [
      ["body/awardStatus", "Rogue field"],
    ]);
    assert.deepEqual(errorsWithStatus(422, await patch(story, award, { status: "won" })), [
      ["body/status", ["Value must be one of ['pending', 'unsuccessful', 'active', 'cancelled']."]],
    ]);
  });

  it("gets a new complaint period from the administrator, who can change nothing else", async () => {
    const story = await reachAwarded(world, bidsOf(1));
    const award = await lastOf(story);
    const complaintPeriod = { ...award.complaintPeriod, endDate: now() };
    const sent = { complaintPeriod, title: "Інша", status: "cancelled" };
    const { data } = expectStatus(200, await story.as("administrator", "PATCH", `/awards/${award.id}`, sent)).body;
    assert.deepEqual(data, { ...award, complaintPeriod });
  });
});

describe("a manually created award", async () => {
  const world = await sharedWorld();
  const award = { suppliers: [cook], bid_id: UNKNOWN_ID };

  it("is created by admins only, in qualification", async () => {
    const story = await reachQualification(world, bidsOf(1, 2));
    assertForbidden(await story.asOwner("POST", "/awards", award));
    for (const key of ["broker", "auction", "administrator", "chronograph"])
      assertForbidden(await story.as(key, "POST", "/awards", award));
    const response = await story.as("token", "POST", "/awards", { ...award, status: "active" });
    assert.equal(expectStatus(201, response).body.data.status, "pending");
    await decideLast(story, "active");
    const late = "Can't create award in current (active.auction) tender status";
    const early = await reachTenderingEnd(world, bidsOf(1, 2));
    assertRefusedByRule(await early.as("token", "POST", "/awards", award), late);
  });

  it("has one supplier, a bid, and a lot if the tender has lots", async () => {
    const story = await reachQualification(world, bidsOf(1));
    const post = (data: object) => story.as("token", "POST", "/awards", data);
    assert.deepEqual(errorsWithStatus(422, await post({})), [
      ["body/suppliers", [REQUIRED]],
      ["body/bid_id", [REQUIRED]],
    ]);
    const size = (text: string) => [["body/suppliers", [`Please provide ${text} 1 item.`]]];
    assert.deepEqual(errorsWithStatus(422, await post({ ...award, suppliers: [] })), size("at least"));
    assert.deepEqual(errorsWithStatus(422, await post({ ...award, suppliers: [cook, cook] })), size("no more than"));
  });

  it("keeps its items with ids, and its value in the tender's currency", async () => {
    const story = await reachQualification(world, bidsOf(100, 200));
    const { classification } = (await story.fetchTender()).items[0];
    const items = [{ description: "Обіди", classification, quantity: 3 }];
    const sent = { ...award, items, value: { amount: 90 } };
    const { data } = expectStatus(201, await story.as("token", "POST", "/awards", sent)).body;
    assert.match(data.items[0].id, /^[0-9a-f]{32}$/);
    assert.deepEqual(data.items, [{ ...items[0], id: data.items[0].id }]);
    assert.deepEqual(data.value, { amount: 90, currency: "UAH", valueAddedTaxIncluded: true });
    assert.deepEqual((await story.fetchTender()).awards.at(-1).items, data.items);
    const wrong = await story.as("token", "POST", "/awards", { ...award, items: [{ classification }] });
    assert.deepEqual(errorsWithStatus(422, wrong), [["body/items", [{ description: [REQUIRED] }]]]);
    const strange = await story.as("token", "POST", "/awards", {
      ...award,
      items: [{ ...items[0], relatedLot: LOT_A }],
    });
    assert.deepEqual(errorsWithStatus(422, strange), [
      ["body/items", [{ relatedLot: ["relatedLot should be one of lots"] }]],
    ]);
  });

  it("needs an active lot", async () => {
    const story = await reachQualification(world, [onBoth(1, 2)], withLots(world.clock.now));
    const post = (data: object) => story.as("token", "POST", "/awards", data);
    assert.deepEqual(errorsWithStatus(422, await post(award)), [["body/lotID", [REQUIRED]]]);
    const unknown = ["body/lotID", ["lotID should be one of lots"]];
    assert.deepEqual(errorsWithStatus(422, await post({ ...award, lotID: UNKNOWN_ID })), [unknown]);
    await cancelLot(story, LOT_A);
    assertRefusedByRule(await post({ ...award, lotID: LOT_A }), "Can create award only in active lot status");
    expectStatus(201, await post({ ...award, lotID: LOT_B }));
  });
});
