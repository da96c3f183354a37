import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { answer, cancel, claim, type FiledComplaint, fileComplaint, sentBy } from "../../support/claims.ts";
import { cook, DAY, fullTender, MINUTE, type PublishedTender, publish } from "../../support/examples.ts";
import {
  bidOnLots,
  expectCreated,
  FORBIDDEN,
  LOT_A,
  LOT_B,
  outcomeOf,
  reachStage,
  type StagedTender,
  statusOf,
  twoLots,
} from "../../support/stages.ts";
import { type Api, expectStatus, sharedWorld } from "../../support/world.ts";

const REVIEW = "403 body/data: Can't sign contract before reviewing all complaints";
const answered = async (api: Api, filed: FiledComplaint, more: object = {}): Promise<void> => {
  expectStatus(200, await api.patch(filed.at, answer(more), sentBy(filed, "buyer")));
};

describe("a claim about the tender", async () => {
  const world = await sharedWorld();
  const api = world.api("2.5");
  const claimed = async (to: "active.awarded" | "active.qualification", more: object = {}) => {
    let filed!: FiledComplaint;
    const first = async (published: PublishedTender) => {
      filed = await fileComplaint(api, published);
    };
    const tender = await reachStage(world, to, { duringEnquiries: first, ...more });
    return { tender, filed };
  };
  const sign = ({ path, token, contract }: StagedTender) =>
    api.patch(`${path}/contracts/${contract}`, { status: "active" }, { token });

  it("prevents signing from the answer until it is settled, and its deadline is next_check", async () => {
    const { tender, filed } = await claimed("active.awarded");
    world.clock.forward(5 * DAY);
    await answered(api, filed);
    assert.equal(outcomeOf(await sign(tender)), REVIEW);
    const { next_check } = (await api.get(tender.path)).body.data;
    world.clock.forward(Date.parse(next_check) * 1000 + 1000 - world.clock.now);
    assert.equal((await api.get(filed.at)).body.data.status, "resolved");
    expectStatus(200, await sign(tender));
    assert.equal(await statusOf(api, tender.path), "complete");
  });

  it("does not prevent signing while it is unanswered, and becomes ignored afterwards", async () => {
    const { tender, filed } = await claimed("active.awarded");
    world.clock.forward(5 * DAY);
    expectStatus(200, await sign(tender));
    assert.equal((await api.get(filed.at)).body.data.status, "ignored");
  });

  it("delays the end after a rejection, and its withdrawal ends the tender at once", async () => {
    const { tender, filed } = await claimed("active.qualification");
    const { path, token, award } = tender;
    expectStatus(200, await api.patch(`${path}/awards/${award}`, { status: "unsuccessful" }, { token }));
    const { endDate } = (await api.get(`${path}/awards/${award}`)).body.data.complaintPeriod;
    assert.equal((await api.get(path)).body.data.next_check, endDate);
    world.clock.forward(Date.parse(endDate) * 1000 - world.clock.now - MINUTE);
    await answered(api, filed);
    world.clock.forward(2 * MINUTE);
    assert.equal(await statusOf(api, path), "active.awarded");
    expectStatus(200, await api.patch(filed.at, cancel, sentBy(filed, "complainant")));
    assert.equal(await statusOf(api, path), "unsuccessful");
  });

  it("delays its own lot only", async () => {
    let filed!: FiledComplaint;
    const first = async (published: PublishedTender) => {
      filed = await fileComplaint(api, published, { relatedLot: LOT_A });
    };
    const bids = [bidOnLots(100000, LOT_A, LOT_B)];
    const { path, token } = await reachStage(world, "active.qualification", {
      more: twoLots(),
      bids,
      duringEnquiries: first,
    });
    const awards: { id: string; lotID: string }[] = (await api.get(`${path}/awards`)).body.data;
    for (const { id } of awards)
      expectStatus(200, await api.patch(`${path}/awards/${id}`, { status: "active" }, { token }));
    world.clock.forward(5 * DAY);
    await answered(api, filed);
    const contracts: { id: string; awardID: string }[] = (await api.get(`${path}/contracts`)).body.data;
    const signOf = (lot: string) => {
      const award = awards.find(({ lotID }) => lotID === lot)!;
      const { id } = contracts.find(({ awardID }) => awardID === award.id)!;
      return api.patch(`${path}/contracts/${id}`, { status: "active" }, { token });
    };
    assert.equal(outcomeOf(await signOf(LOT_A)), REVIEW);
    expectStatus(200, await signOf(LOT_B));
    const lots: { status: string }[] = (await api.get(path)).body.data.lots;
    assert.deepEqual(
      lots.map(({ status }) => status),
      ["active", "complete"],
    );
    expectStatus(200, await api.patch(filed.at, cancel, sentBy(filed, "complainant")));
    expectStatus(200, await signOf(LOT_A));
    assert.equal(await statusOf(api, path), "complete");
  });

  it("becomes ignored with its own lot, not with another one", async () => {
    const filed: FiledComplaint[] = [];
    const first = async (published: PublishedTender) => {
      for (const relatedLot of [LOT_A, LOT_B]) filed.push(await fileComplaint(api, published, { relatedLot }));
    };
    await reachStage(world, "active.qualification", {
      more: twoLots(),
      bids: [bidOnLots(100000, LOT_B)],
      duringEnquiries: first,
    });
    const statuses = await Promise.all(filed.map(({ at }) => statusOf(api, at)));
    assert.deepEqual(statuses, ["ignored", "claim"]);
  });
});

describe("an award that is taken back", async () => {
  const world = await sharedWorld();
  const api = world.api("2.5");

  it("closes every undecided complaint about it, and accepts no more", async () => {
    const tender = await reachStage(world, "active.awarded");
    const { path, token, award, bids } = tender;
    const place = `${path}/awards/${award}/complaints`;
    const mine = { token: bids[0]!.token };
    const fileOne = async (status: string): Promise<FiledComplaint> => {
      const complaint = await expectCreated(api.post(place, claim({ status }), mine));
      return { ...tender, complaint, at: `${place}/${complaint.id}` };
    };
    const [draft, open, replied, settled] = [
      await fileOne("draft"),
      await fileOne("claim"),
      await fileOne("claim"),
      await fileOne("claim"),
    ];
    await answered(api, replied!);
    await answered(api, settled!);
    const end = { satisfied: true, status: "resolved" };
    expectStatus(200, await api.patch(settled!.at, end, sentBy(settled!, "complainant")));
    expectStatus(200, await api.patch(`${path}/awards/${award}`, { status: "cancelled" }, { token }));
    for (const { at } of [draft!, open!, replied!]) {
      const { data } = (await api.get(at)).body;
      assert.deepEqual([data.status, data.cancellationReason, !!data.dateCanceled], ["cancelled", "cancelled", true]);
    }
    assert.equal(await statusOf(api, settled!.at), "resolved");
    world.clock.forward(MINUTE);
    assert.equal(
      outcomeOf(await api.post(place, claim(), mine)),
      "403 body/data: Can add complaint only in complaintPeriod",
    );
  });

  it("does not restart the numbering: complaints are numbered across tender and awards", async () => {
    const first = (published: PublishedTender) => fileComplaint(api, published);
    const {
      path,
      award,
      bids,
      response: made,
    } = await reachStage(world, "active.qualification", { duringEnquiries: first });
    const sent = { token: bids[0]!.token };
    const { body } = expectStatus(201, await api.post(`${path}/awards/${award}/complaints`, claim(), sent));
    assert.equal(body.data.complaintID, `${made.body.data.tenderID}.2`);
  });
});

describe("the token of a complaint", async () => {
  const world = await sharedWorld();
  const api = world.api("2.5");

  it("is accepted in the query, the header or the body, only with the key of its broker", async () => {
    const filed = await fileComplaint(api, await reachStage(world, "active.enquiries"), { status: "draft" });
    const { token } = filed.complaint;
    expectStatus(200, await api.patch(`${filed.at}?acc_token=${token}`, { title: "1" }));
    expectStatus(200, await api.patch(filed.at, { title: "2" }, { token }));
    const body = { access: { token }, data: { title: "3" } };
    expectStatus(200, await api.request("PATCH", filed.at, { body }));
    assert.equal(outcomeOf(await api.patch(filed.at, { title: "4" }, { key: "broker2", token })), FORBIDDEN);
    assert.equal((await api.get(filed.at)).body.data.title, "3");
  });

  it("differs from that of the tender and of other complaints", async () => {
    const tender = await reachStage(world, "active.enquiries");
    const filed = await fileComplaint(api, tender);
    const other = await fileComplaint(api, tender);
    assert.equal(outcomeOf(await api.patch(filed.at, cancel, { token: other.complaint.token })), FORBIDDEN);
    assert.equal(outcomeOf(await api.patch(tender.path, { title: "!" }, { token: filed.complaint.token })), FORBIDDEN);
  });

  it("is issued to a test broker for a test tender", async () => {
    const { path } = await publish(api, { ...fullTender(world.clock.now), mode: "test" });
    expectStatus(201, await api.post(`${path}/complaints`, claim({ author: cook }), { key: "broker2t" }));
  });
});
