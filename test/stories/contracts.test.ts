import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { cook, DAY, formatTime, MINUTE } from "../support/examples.ts";
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
  forwardTo,
  LOT_A,
  LOT_B,
  onBoth,
  passStandStill,
  REQUIRED,
  reachAwarded,
  reachQualification,
  signContract,
  type TenderStory,
  UNKNOWN_ID,
  withLots,
} from "../support/procedure.ts";
import { expectStatus, sharedWorld } from "../support/world.ts";

const file = { name: "договір.txt", content: "договір" };

async function patch(story: TenderStory, data: object, at = 0) {
  return story.asOwner("PATCH", `/contracts/${(await story.fetchTender()).contracts.at(at).id}`, data);
}

async function ready(story: Promise<TenderStory>): Promise<TenderStory> {
  await passStandStill(await story);
  return story;
}

describe("a contract", async () => {
  const world = await sharedWorld();
  const now = () => formatTime(world.clock.now);
  const lots = () => withLots(world.clock.now);

  it("is created when an award is accepted, from the award", async () => {
    const story = await reachAwarded(world, bidsOf(400));
    const seen = await story.fetchTender();
    const [contract] = seen.contracts;
    const [award] = seen.awards;
    const { id, ...rest } = contract;
    assert.deepEqual(rest, {
      awardID: award.id,
      contractID: `${seen.tenderID}-1`,
      date: now(),
      status: "pending",
      suppliers: [cook],
      value: award.value,
      items: seen.items,
    });
    const get = (path: string) => story.api.get(`${story.path}${path}`, { key: null });
    assert.deepEqual(expectStatus(200, await get("/contracts")).body, { data: [contract] });
    assert.deepEqual(expectStatus(200, await get(`/contracts/${id}`)).body, { data: contract });
    assert.deepEqual(errorsWithStatus(404, await get(`/contracts/${UNKNOWN_ID}`)), [["url/contract_id", "Not Found"]]);
  });

  it("for a lot has the items of that lot, and its own number", async () => {
    const story = await reachQualification(world, [onBoth(1, 2)], lots());
    await decideLast(story, "active", LOT_B);
    await decideLast(story, "active", LOT_A);
    const { contracts, items, tenderID } = await story.fetchTender();
    assert.deepEqual(
      contracts.map((contract: AnyJson) => [contract.contractID, contract.items]),
      [
        [`${tenderID}-1`, undefined],
        [`${tenderID}-2`, items],
      ],
    );
  });

  it("is edited by the tender's owner, except for its fixed fields", async () => {
    const story = await reachAwarded(world, bidsOf(400));
    const [contract] = (await story.fetchTender()).contracts;
    advanceOneSecond(world);
    const texts = { title: "Договір", description: "Опис", contractNumber: "17/а" };
    const fixed = {
      awardID: UNKNOWN_ID,
      suppliers: [{ ...cook, name: "Інша" }],
      items: [],
      contractID: "X",
      id: UNKNOWN_ID,
    };
    const { data } = expectStatus(200, await patch(story, { ...texts, ...fixed, date: now(), documents: [] })).body;
    assert.deepEqual(data, { ...contract, ...texts });
    for (const key of ["broker", "broker2", "auction", "bot", "reviewer"])
      assertForbidden(await story.as(key, "PATCH", `/contracts/${contract.id}`, { title: "!" }));
    expectStatus(200, await story.as("token", "PATCH", `/contracts/${contract.id}`, { title: "!" }));
  });

  it("has a value in the currency of the award, and not above it", async () => {
    const story = await reachAwarded(world, bidsOf(500));
    assertRefusedByRule(
      await patch(story, { value: { valueAddedTaxIncluded: false, currency: "USD", amount: 501 } }),
      "Can't update valueAddedTaxIncluded for contract value",
    );
    assertRefusedByRule(
      await patch(story, { value: { currency: "USD", amount: 501 } }),
      "Can't update currency for contract value",
    );
    assertRefusedByRule(
      await patch(story, { value: { amount: 500.01 } }),
      "Value amount should be less or equal to awarded amount (500.0)",
    );
    assert.equal(expectStatus(200, await patch(story, { value: { amount: 0 } })).body.data.value.amount, 0);
    assertRefusedByRule(
      await patch(story, { value: { valueAddedTaxIncluded: false } }),
      "Can't update valueAddedTaxIncluded for contract value",
    );
    assert.equal(expectStatus(200, await patch(story, { value: { amount: 238 } })).body.data.value.amount, 238);
  });

  it("accepts its own currency and VAT flag, even if the award has none or others", async () => {
    const story = await reachAwarded(world, bidsOf(500));
    const [award] = (await story.fetchTender()).awards;
    const own = { amount: 400, currency: "USD", valueAddedTaxIncluded: false };
    expectStatus(201, await story.as("token", "POST", "/contracts", { awardID: award.id, value: own }));
    const repeated = await patch(story, { value: { ...own, amount: 390 } }, -1);
    assert.deepEqual(expectStatus(200, repeated).body.data.value, { ...own, amount: 390 });
    assertRefusedByRule(
      await patch(story, { value: { valueAddedTaxIncluded: true } }, -1),
      "Can't update valueAddedTaxIncluded for contract value",
    );
    const same = { amount: 500, currency: "UAH", valueAddedTaxIncluded: true };
    assert.deepEqual(expectStatus(200, await patch(story, { value: same })).body.data.value, same);
  });

  it("created manually keeps its own items, which no PATCH changes", async () => {
    const story = await reachAwarded(world, bidsOf(500));
    const { awards, items } = await story.fetchTender();
    const { id: _own, ...item } = items[0];
    const named = [{ ...item, description: "Тільки обіди" }];
    const sent = { awardID: awards[0].id, items: named };
    const { data } = expectStatus(201, await story.as("token", "POST", "/contracts", sent)).body;
    assert.deepEqual(data.items, [{ ...named[0], id: data.items[0].id }]);
    const after = await patch(story, { items: [{ description: "Інше" }] }, -1);
    assert.deepEqual(expectStatus(200, after).body.data.items, data.items);
    const wrong = await story.as("token", "POST", "/contracts", { ...sent, items: [{ ...item, description: null }] });
    assert.deepEqual(errorsWithStatus(422, wrong), [["body/items", [{ description: [REQUIRED] }]]]);
  });

  it("can be signed at the end of the stand-still, and not before", async () => {
    const story = await reachAwarded(world, bidsOf(500));
    const { endDate } = (await story.fetchTender()).awards[0].complaintPeriod;
    forwardTo(world, endDate);
    world.clock.forward(-1);
    assertRefusedByRule(await signContract(story), `Can't sign contract before stand-still period end (${endDate})`);
    world.clock.forward(1);
    const { data } = expectStatus(200, await signContract(story)).body;
    assert.deepEqual([data.status, data.dateSigned, data.date], ["active", endDate, endDate]);
    const over = await story.fetchTender();
    assert.deepEqual([over.status, over.date, over.next_check], ["complete", endDate, undefined]);
  });

  it("cannot be edited once it is signed", async () => {
    const story = await ready(reachAwarded(world, bidsOf(500)));
    advanceOneSecond(world);
    expectStatus(200, await signContract(story));
    assertRefusedByRule(
      await patch(story, { title: "!" }),
      "Can't update contract in current (complete) tender status",
    );
  });

  it("has a signing date after the stand-still and not in the future", async () => {
    const story = await reachAwarded(world, bidsOf(500));
    const { endDate } = (await story.fetchTender()).awards[0].complaintPeriod;
    const early = `Contract signature date should be after award complaint period end date (${endDate})`;
    const wrong = async (dateSigned: string, text: string) =>
      assert.deepEqual(errorsWithStatus(422, await patch(story, { dateSigned })), [["body/dateSigned", [text]]]);
    await wrong(now(), early);
    await wrong(endDate, early);
    forwardTo(world, endDate);
    world.clock.forward(DAY);
    await wrong(endDate, early);
    await wrong(formatTime(world.clock.now + MINUTE), "Contract signature date can't be in the future");
    const dateSigned = formatTime(world.clock.now - MINUTE);
    assert.equal(expectStatus(200, await patch(story, { dateSigned })).body.data.dateSigned, dateSigned);
    assert.equal(expectStatus(200, await signContract(story)).body.data.dateSigned, dateSigned);
  });

  it("gets errors about its date before errors about its status", async () => {
    const story = await reachAwarded(world, bidsOf(500));
    const refused = await patch(story, { dateSigned: now(), status: "terminated", value: { amount: 501 } });
    assert.equal(errorsWithStatus(422, refused)[0]![0], "body/dateSigned");
  });

  it("changes from pending to active and to no other status", async () => {
    const story = await ready(reachAwarded(world, bidsOf(500)));
    for (const status of ["cancelled", "terminated"])
      assertRefusedByRule(await patch(story, { status }), "Can't update contract status");
    assert.deepEqual(errorsWithStatus(422, await patch(story, { status: "signed" })), [
      ["body/status", ["Value must be one of ['pending', 'terminated', 'active', 'cancelled']."]],
    ]);
    await decideLast(story, "cancelled");
    assertRefusedByRule(await signContract(story), "Can't update contract status");
    assertRefusedByRule(await patch(story, { status: "pending" }), "Can't update contract status");
  });

  it("waits for answered complaints, not for claims", async () => {
    const story = await reachAwarded(world, bidsOf(500));
    const [award] = (await story.fetchTender()).awards;
    const first = await fileAwardClaim(story, award.id);
    const { path } = await fileAwardClaim(story, award.id);
    forwardTo(world, award.complaintPeriod.endDate);
    await answerComplaint(story, path);
    assertRefusedByRule(await signContract(story), "Can't sign contract before reviewing all complaints");
    expectStatus(200, await patch(story, { title: "Договір" }));
    world.clock.forward(3 * DAY);
    expectStatus(200, await signContract(story));
    const { awards, status } = await story.fetchTender();
    const statuses = awards[0].complaints.map((complaint: AnyJson) => [complaint.id === first.id, complaint.status]);
    assert.deepEqual(
      [status, statuses],
      [
        "complete",
        [
          [true, "ignored"],
          [false, "resolved"],
        ],
      ],
    );
  });

  it("waits for complaints about any award of its lot, and not of another lot", async () => {
    const story = await reachQualification(world, [onBoth(1, 2), onBoth(3, 4)], lots());
    const rejected = await decideLast(story, "unsuccessful", LOT_A);
    await decideLast(story, "active", LOT_A);
    await decideLast(story, "active", LOT_B);
    const { path } = await fileAwardClaim(story, rejected.id);
    await passStandStill(story);
    await answerComplaint(story, path);
    assertRefusedByRule(await signContract(story, 0), "Can't sign contract before reviewing all complaints");
    expectStatus(200, await signContract(story, 1));
    const { status, lots: seen } = await story.fetchTender();
    assert.deepEqual([status, ...seen.map((lot: AnyJson) => lot.status)], ["active.awarded", "active", "complete"]);
  });

  it("has a period that starts before it ends", async () => {
    const story = await reachAwarded(world, bidsOf(500));
    const period = { startDate: formatTime(world.clock.now + DAY), endDate: now() };
    assert.deepEqual(errorsWithStatus(422, await patch(story, { period })), [
      ["body/period", { startDate: ["period should begin before its end"] }],
    ]);
    const turned = { startDate: period.endDate, endDate: period.startDate };
    assert.deepEqual(expectStatus(200, await patch(story, { period: turned })).body.data.period, turned);
  });

  it("is closed with its lot", async () => {
    const story = await reachQualification(world, [onBoth(1, 2)], lots());
    await decideLast(story, "active", LOT_A);
    const [{ id }] = (await story.fetchTender()).contracts;
    const path = `${story.path}/contracts/${id}/documents`;
    const { token } = story;
    const document = expectStatus(201, await story.api.upload(path, file, { token })).body.data;
    await cancelLot(story, LOT_A);
    assertRefusedByRule(await patch(story, { title: "!" }), "Can update contract only in active lot status");
    assertRefusedByRule(await story.api.upload(path, file, { token }), "Can add document only in active lot status");
    const put = await story.api.upload(`${path}/${document.id}`, file, { token, method: "PUT" });
    assertRefusedByRule(put, "Can update document only in active lot status");
  });
});
