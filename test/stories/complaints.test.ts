import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { answer, cancel, claim, closedRefusal, type FiledComplaint, fileComplaint, sentBy } from "../support/claims.ts";
import { cook, DAY, fullTender, MINUTE, type PublishedTender, publish } from "../support/examples.ts";
import { ACTIVE, ENDED, expectCreated, FORBIDDEN, outcomeOf, reachStage } from "../support/stages.ts";
import { expectStatus, type RequestOptions, sharedWorld } from "../support/world.ts";

describe("a complaint about a tender is filed", async () => {
  const world = await sharedWorld();
  const api = world.api("2.5");
  const tender = await reachStage(world, "active.enquiries");
  const path = `${tender.path}/complaints`;

  it("as a claim, with a date, a number, its author and its own token", async () => {
    const response = expectStatus(201, await api.post(path, claim()));
    const { data, access } = response.body;
    assert.equal(response.headers.get("location"), `${api.root}${path}/${data.id}`);
    assert.match(access.token, /^[0-9a-f]{32}$/);
    assert.equal(data.complaintID, `${tender.response.body.data.tenderID}.1`);
    assert.deepEqual([data.status, data.type, data.author.name], ["claim", "claim", cook.name]);
    assert.ok(data.dateSubmitted);
    for (const secret of ["owner", "owner_token"]) assert.ok(!(secret in data));
  });

  it("as a draft unless its status is claim", async () => {
    for (const status of [undefined, "draft", "answered", "pending"]) {
      const { data } = (await api.post(path, claim({ status, resolutionType: "resolved" }))).body;
      assert.equal(data?.status, "draft", `${status}`);
      assert.ok(!data.dateSubmitted && !data.resolutionType);
    }
  });

  const REFUSED: readonly (readonly [sentence: string, sent: object, by: RequestOptions, expected: string])[] = [
    [
      "without author and title",
      {},
      {},
      '422 body/author: ["This field is required."] body/title: ["This field is required."]',
    ],
    [
      "about a lot that is none",
      claim({ relatedLot: "0".repeat(32) }),
      {},
      '422 body/relatedLot: ["relatedLot should be one of lots"]',
    ],
    ["with a field nobody knows", claim({ owner_name: "x" }), {}, "422 body/owner_name: Rogue field"],
    ["by broker05", claim(), { key: "broker05" }, FORBIDDEN],
    ["by a reviewer", claim(), { key: "reviewer" }, FORBIDDEN],
    [
      "by a broker of another level",
      claim(),
      { key: "broker1" },
      "403 url/accreditation: Broker Accreditation level does not permit complaint creation",
    ],
    [
      "by a broker that only tests",
      claim(),
      { key: "broker2t" },
      "403 url/mode: Broker Accreditation level does not permit complaint creation",
    ],
  ];
  for (const [sentence, sent, by, expected] of REFUSED)
    it(`but not ${sentence}`, async () => {
      assert.equal(outcomeOf(await api.post(path, sent, by)), expected);
    });

  it("by admins too", async () => {
    expectStatus(201, await api.post(path, claim(), { key: "token" }));
  });
});

describe("a complaint about a tender may be filed", async () => {
  const world = await sharedWorld();
  const api = world.api("2.5");
  for (const status of ["active.enquiries", "active.tendering"] as const)
    it(`in ${status}`, async () => {
      const { path } = await reachStage(world, status);
      expectStatus(201, await api.post(`${path}/complaints`, claim()));
    });
  for (const status of ["draft", "active.auction", "active.qualification", "active.awarded", ...ENDED] as const)
    it(`but not in ${status}`, async () => {
      const { path } = await reachStage(world, status);
      const expected = `403 body/data: Can't add complaint in current (${status}) tender status`;
      assert.equal(outcomeOf(await api.post(`${path}/complaints`, claim())), expected);
      assert.match(outcomeOf(await api.post(`${path}/complaints`, {})), /^422 /, "a wrong body is told first");
    });
});

const NO = "403 body/data: Can't update complaint";

describe("an answer that nobody contests", async () => {
  const world = await sharedWorld();
  const api = world.api("2.5");
  for (const resolutionType of ["invalid", "resolved", "declined"])
    it(`makes the claim ${resolutionType} after three days, which next_check announces`, async () => {
      const filed = await fileComplaint(api, await reachStage(world, "active.enquiries"));
      expectStatus(200, await api.patch(filed.at, answer({ resolutionType }), sentBy(filed, "buyer")));
      const { dateAnswered } = (await api.get(filed.at)).body.data;
      const { next_check } = (await api.get(filed.path)).body.data;
      assert.equal(Date.parse(next_check) - Date.parse(dateAnswered), 3 * 24 * 3600 * 1000);
      world.clock.forward(3 * DAY - MINUTE);
      assert.equal((await api.get(filed.at)).body.data.status, "answered");
      world.clock.forward(2 * MINUTE);
      assert.equal((await api.get(filed.at)).body.data.status, resolutionType);
      assert.equal(
        outcomeOf(await api.patch(filed.at, cancel, sentBy(filed, "complainant"))),
        closedRefusal(resolutionType),
      );
    });

  it("settles sooner in an accelerated tender", async () => {
    const details = { procurementMethodDetails: "quick, accelerator=1440" };
    const filed = await fileComplaint(api, await publish(api, { ...fullTender(world.clock.now), ...details }));
    expectStatus(200, await api.patch(filed.at, answer(), sentBy(filed, "buyer")));
    world.clock.forward(2 * MINUTE);
    assert.equal((await api.get(filed.at)).body.data.status, "answered");
    world.clock.forward(2 * MINUTE);
    assert.equal((await api.get(filed.at)).body.data.status, "resolved");
  });
});

describe("a claim about a tender is answered", async () => {
  const world = await sharedWorld();
  const api = world.api("2.5");
  const claimed = async (status: Parameters<typeof reachStage>[1]): Promise<FiledComplaint> => {
    let filed!: FiledComplaint;
    const first = async (tender: PublishedTender) => {
      filed = await fileComplaint(api, tender);
    };
    await reachStage(world, status, { duringEnquiries: first });
    return filed;
  };
  for (const status of ACTIVE)
    it(`in ${status}, with its author hidden until the auction is over`, async () => {
      const filed = await claimed(status);
      const { body } = expectStatus(200, await api.patch(filed.at, answer(), sentBy(filed, "buyer")));
      const inTender = (await api.get(filed.path)).body.data;
      assert.equal(inTender.status, status);
      const alone = (await api.get(filed.at)).body.data;
      const listed = (await api.get(`${filed.path}/complaints`)).body.data[0];
      const hidden = ["active.enquiries", "active.tendering", "active.auction"].includes(status);
      for (const seen of [body.data, inTender.complaints[0], alone, listed])
        assert.equal("author" in seen, !hidden, JSON.stringify(seen));
    });
  for (const status of ENDED)
    it(`but not in ${status}`, async () => {
      const filed = await claimed(status);
      const expectedStatus = status === "cancelled" ? "claim" : "ignored";
      assert.equal((await api.get(filed.at)).body.data.status, expectedStatus);
      assert.equal(
        outcomeOf(await api.patch(filed.at, cancel, sentBy(filed, "complainant"))),
        `403 body/data: Can't update complaint in current (${status}) tender status`,
      );
    });

  it("but a draft cannot be submitted after bidding", async () => {
    const tender = await reachStage(world, "active.tendering");
    const filed = await fileComplaint(api, tender, { status: "draft" });
    await Promise.all(
      [1, 2].map(() => expectCreated(api.post(`${tender.path}/bids`, { tenderers: [cook], value: { amount: 1 } }))),
    );
    world.clock.forward(7 * DAY);
    assert.equal(outcomeOf(await api.patch(filed.at, { status: "claim" }, sentBy(filed, "complainant"))), NO);
    assert.equal(outcomeOf(await api.patch(filed.at, { title: "Інше" }, sentBy(filed, "complainant"))), NO);
    expectStatus(200, await api.patch(filed.at, cancel, sentBy(filed, "complainant")));
  });

  it("and even drafts are public", async () => {
    const tender = await reachStage(world, "active.enquiries");
    const filed = await fileComplaint(api, tender, { status: "draft" });
    assert.equal((await api.get(filed.at, { key: null })).body.data.status, "draft");
    assert.equal((await api.get(tender.path, { key: null })).body.data.complaints.length, 1);
    assert.equal(outcomeOf(await api.get(`${tender.path}/complaints/nope`)), "404 url/complaint_id: Not Found");
    const strange = await api.patch(`${tender.path}/complaints/nope`, {}, { key: null });
    assert.equal(outcomeOf(strange), "404 url/complaint_id: Not Found");
    const entries: { id: string; complaints?: FiledComplaint[] }[] = (await api.get("/tenders?opt_fields=complaints"))
      .body.data;
    const inFeed = entries.find(({ id }) => id === tender.id)!.complaints![0]!;
    assert.deepEqual([inFeed.id, "author" in inFeed], [filed.complaint.id, false]);
  });
});
