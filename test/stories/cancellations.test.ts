import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type FiledComplaint, fileComplaint } from "../support/claims.ts";
import { formatTime, MINUTE } from "../support/examples.ts";
import {
  ACTIVE,
  bidOnLots,
  ENDED,
  expectCreated,
  FORBIDDEN,
  LOT_A,
  LOT_B,
  outcomeOf,
  reachStage,
  type StagedTender,
  twoLots,
  WRONG_ROLE,
} from "../support/stages.ts";
import { expectStatus, type RequestOptions, sharedWorld, type TestResponse } from "../support/world.ts";

const reason = "Потреба відпала";
const ofLot = (relatedLot: string, more: object = {}) => ({
  reason,
  status: "active",
  cancellationOf: "lot",
  relatedLot,
  ...more,
});

describe("the cancellation of a tender", async () => {
  const world = await sharedWorld();
  const api = world.api("2.5");

  for (const status of ["draft", ...ACTIVE] as const)
    it(`takes effect in ${status} when it becomes active, and not before`, async () => {
      const { path, token, bids } = await reachStage(world, status);
      const response = expectStatus(201, await api.post(`${path}/cancellations`, { reason }, { token }));
      const { data } = response.body;
      assert.deepEqual([data.status, data.cancellationOf, data.reason], ["pending", "tender", reason]);
      const at = `${path}/cancellations/${data.id}`;
      assert.equal(response.headers.get("location"), `${api.root}${at}`);
      assert.equal((await api.get(path)).body.data.status, status);
      world.clock.forward(MINUTE);
      const active = expectStatus(200, await api.patch(at, { status: "active" }, { token })).body.data;
      assert.ok(active.date >= formatTime(world.clock.now));
      const seen = (await api.get(path)).body.data;
      assert.equal(seen.status, "cancelled");
      const keepsBids = status === "active.qualification" || status === "active.awarded";
      assert.equal(seen.bids?.length ?? 0, keepsBids ? bids.length : 0, "sealed bids are deleted, opened ones stay");
    });

  for (const status of ["active.tendering", "active.auction"] as const)
    it(`deletes the bids placed in ${status}`, async () => {
      const bids = [bidOnWhole(400000), bidOnWhole(450000)];
      const { path, token, bids: placed } = await reachStage(world, status, { bids });
      await expectCreated(api.post(`${path}/cancellations`, { reason, status: "active" }, { token }));
      assert.equal((await api.get(path)).body.data.bids, undefined);
      const mine = await api.get(`${path}/bids/${placed[0]!.id}`, { token: placed[0]!.token });
      assert.equal(outcomeOf(mine), "404 url/bid_id: Not Found");
    });

  for (const status of ENDED)
    it(`is refused in ${status}`, async () => {
      const { path, token } = await reachStage(world, status);
      const expected = `403 body/data: Can't add cancellation in current (${status}) tender status`;
      assert.equal(outcomeOf(await api.post(`${path}/cancellations`, { reason }, { token })), expected);
    });

  it("leaves awards, contracts and complaints as they are", async () => {
    let filed!: FiledComplaint;
    const tender = await reachStage(world, "active.awarded", {
      duringEnquiries: async (tender) => {
        filed = await fileComplaint(api, tender);
      },
    });
    await expectCreated(
      api.post(`${tender.path}/cancellations`, { reason, status: "active" }, { token: tender.token }),
    );
    const { awards, contracts, complaints } = (await api.get(tender.path)).body.data;
    assert.deepEqual([awards[0].status, contracts[0].status, complaints[0].status], ["active", "pending", "claim"]);
    assert.ok(filed.at);
  });

  const bidOnWhole = (amount: number) => ({ ...bidOnLots(amount), lotValues: undefined, value: { amount } });
});

describe("a cancellation", async () => {
  const world = await sharedWorld();
  const api = world.api("2.5");
  const { path, token } = await reachStage(world, "active.enquiries", { more: twoLots() });
  const required = '["This field is required."]';

  const REFUSED: readonly (readonly [sentence: string, sent: object, by: RequestOptions, expected: string])[] = [
    ["without a reason", {}, { token }, `422 body/reason: ${required}`],
    ["of a lot it does not name", { reason, cancellationOf: "lot" }, { token }, `422 body/relatedLot: ${required}`],
    [
      "of a lot that is none",
      ofLot("0".repeat(32)),
      { token },
      '422 body/relatedLot: ["relatedLot should be one of lots"]',
    ],
    ["with a field nobody knows", { reason, why: "-" }, { token }, "422 body/why: Rogue field"],
    [
      "of an item",
      { reason, cancellationOf: "item" },
      { token },
      `422 body/cancellationOf: ["Value must be one of ['tender', 'lot']."]`,
    ],
    ["by a stranger", { reason }, {}, FORBIDDEN],
    ["by another broker with the token", { reason }, { key: "broker1", token }, FORBIDDEN],
  ];
  for (const [sentence, sent, by, expected] of REFUSED)
    it(`is refused ${sentence}`, async () => {
      assert.equal(outcomeOf(await api.post(`${path}/cancellations`, sent, by)), expected);
    });

  it("may be pending beside others, and everyone can read them", async () => {
    await expectCreated(api.post(`${path}/cancellations`, { reason, reason_en: "ignored" }, { token }));
    await expectCreated(api.post(`${path}/cancellations`, { reason }, { token }));
    const { data } = (await api.get(`${path}/cancellations`, { key: null })).body;
    assert.deepEqual([data.length, data[0].reason_en], [2, undefined]);
    assert.equal((await api.get(path, { key: null })).body.data.cancellations.length, 2);
    const nowhere = await api.get(`${path}/cancellations/${"0".repeat(32)}`);
    assert.equal(outcomeOf(nowhere), "404 url/cancellation_id: Not Found");
  });

  it("can change only its status", async () => {
    const { id } = await expectCreated(api.post(`${path}/cancellations`, { reason }, { token }));
    const sent = { reason: "інша", cancellationOf: "lot", relatedLot: LOT_A };
    const { data } = expectStatus(200, await api.patch(`${path}/cancellations/${id}`, sent, { token })).body;
    assert.deepEqual([data.reason, data.cancellationOf, data.relatedLot], [reason, "tender", undefined]);
    const administrator = await api.patch(
      `${path}/cancellations/${id}`,
      { status: "active" },
      { key: "administrator" },
    );
    assert.equal(outcomeOf(administrator), WRONG_ROLE);
    assert.equal(outcomeOf(await api.patch(`${path}/cancellations/${id}`, { status: "active" })), FORBIDDEN);
  });

  it("has documents, which the owner adds and changes until the tender ends", async () => {
    const paper = { name: "рішення.txt", content: "Рішення" };
    const { id } = await expectCreated(api.post(`${path}/cancellations`, ofLot(LOT_B), { token }));
    const at = `${path}/cancellations/${id}/documents`;
    const { data } = expectStatus(201, await api.upload(at, paper, { token })).body;
    assert.equal(outcomeOf(await api.upload(at, paper)), FORBIDDEN);
    expectStatus(200, await api.upload(`${at}/${data.id}`, paper, { token, method: "PUT" }));
    expectStatus(200, await api.patch(`${at}/${data.id}`, { description: "копія" }, { token }));
    assert.equal((await api.get(`${at}/${data.id}`, { key: null })).body.data.previousVersions.length, 1);
    await expectCreated(api.post(`${path}/cancellations`, { reason, status: "active" }, { token }));
    const expected = (doing: string) => `403 body/data: Can't ${doing} document in current (cancelled) tender status`;
    assert.equal(outcomeOf(await api.upload(at, paper, { token })), expected("add"));
    assert.equal(outcomeOf(await api.patch(`${at}/${data.id}`, { description: "!" }, { token })), expected("update"));
    const told2 = "403 body/data: Can't update cancellation in current (cancelled) tender status";
    assert.equal(outcomeOf(await api.patch(`${path}/cancellations/${id}`, { status: "pending" }, { token })), told2);
  });
});

describe("the cancellation of a lot", async () => {
  const world = await sharedWorld();
  const api = world.api("2.5");
  const more = twoLots();
  const cancelLot = ({ path, token }: StagedTender, lot: string, sent: object = {}): Promise<TestResponse> =>
    api.post(`${path}/cancellations`, ofLot(lot, sent), { token });
  const seen = async ({ path }: StagedTender) => {
    const { status, lots, awards, bids } = (await api.get(path)).body.data;
    return { status, lots: lots.map((lot: { status: string }) => lot.status), awards, bids };
  };
  const both = (...amounts: readonly number[]) => amounts.map((amount) => bidOnLots(amount, LOT_A, LOT_B));
  const BIDS: { readonly [status: string]: readonly object[] } = {
    "active.auction": both(100000, 90000),
    "active.qualification": both(100000),
  };

  for (const status of [
    "draft",
    "active.enquiries",
    "active.tendering",
    "active.auction",
    "active.qualification",
  ] as const)
    it(`in ${status} leaves the other lot open, and that of the last lot ends the tender`, async () => {
      const tender = await reachStage(world, status, { more, bids: BIDS[status] });
      expectStatus(201, await cancelLot(tender, LOT_A));
      assert.deepEqual((await seen(tender)).lots, ["cancelled", "active"]);
      assert.equal((await seen(tender)).status, status);
      assert.equal(
        outcomeOf(await cancelLot(tender, LOT_A)),
        "403 body/data: Can add cancellation only in active lot status",
      );
      expectStatus(201, await cancelLot(tender, LOT_B));
      const { status: end, lots, bids } = await seen(tender);
      assert.deepEqual([end, ...lots], ["cancelled", "cancelled", "cancelled"]);
      assert.equal(bids?.length ?? 0, status === "active.qualification" ? 1 : 0);
    });

  it("cannot be taken back", async () => {
    const tender = await reachStage(world, "active.enquiries", { more });
    const { id } = await expectCreated(cancelLot(tender, LOT_A));
    const { path, token } = tender;
    assert.equal(
      outcomeOf(await api.patch(`${path}/cancellations/${id}`, { status: "pending" }, { token })),
      "403 body/data: Can update cancellation only in active lot status",
    );
  });

  it("has no effect while it is pending", async () => {
    const tender = await reachStage(world, "active.enquiries", { more });
    const { id } = await expectCreated(cancelLot(tender, LOT_A, { status: "pending" }));
    assert.deepEqual((await seen(tender)).lots, ["active", "active"]);
    const { path, token } = tender;
    expectStatus(200, await api.patch(`${path}/cancellations/${id}`, { status: "active" }, { token }));
    assert.deepEqual((await seen(tender)).lots, ["cancelled", "active"]);
  });

  it("concerns the lot that it names, even if it says that it is of the tender", async () => {
    const tender = await reachStage(world, "active.enquiries", { more });
    const response = await cancelLot(tender, LOT_A, { cancellationOf: "tender" });
    if (response.status === 422) return;
    expectStatus(201, response);
    assert.deepEqual(await seen(tender).then(({ status, lots }) => [status, ...lots]), [
      "active.enquiries",
      "cancelled",
      "active",
    ]);
  });

  it("makes the tender unsuccessful if the other lot is unsuccessful", async () => {
    const bids = [bidOnLots(100000, LOT_A), bidOnLots(90000, LOT_A)];
    const tender = await reachStage(world, "active.auction", { more, bids });
    assert.deepEqual((await seen(tender)).lots, ["active", "unsuccessful"]);
    expectStatus(201, await cancelLot(tender, LOT_A));
    assert.equal((await seen(tender)).status, "unsuccessful");
  });

  it("creates the awards if no other lot waits for an auction", async () => {
    const bids = [bidOnLots(100000, LOT_A, LOT_B), bidOnLots(90000, LOT_A)];
    const tender = await reachStage(world, "active.auction", { more, bids });
    expectStatus(201, await cancelLot(tender, LOT_A));
    const { status, awards } = await seen(tender);
    assert.equal(status, "active.qualification");
    assert.deepEqual(
      awards.map((award: { lotID: string }) => award.lotID),
      [LOT_B],
    );
  });

  it("closes its award in qualification", async () => {
    const tender = await reachStage(world, "active.qualification", { more, bids: BIDS["active.qualification"] });
    const { path, token } = tender;
    const award = (await seen(tender)).awards.find(({ lotID }: { lotID: string }) => lotID === LOT_A);
    expectStatus(201, await cancelLot(tender, LOT_A));
    const expected = "403 body/data: Can update award only in active lot status";
    assert.equal(outcomeOf(await api.patch(`${path}/awards/${award.id}`, { status: "active" }, { token })), expected);
    const paper = await api.upload(`${path}/awards/${award.id}/documents`, { name: "a", content: "a" }, { token });
    assert.equal(outcomeOf(paper), "403 body/data: Can add document only in active lot status");
  });

  it("leaves claims about it open until tendering ends, when they become ignored", async () => {
    let filed!: FiledComplaint;
    const first = async (tender: { path: string; token: string; id: string; response: TestResponse }) => {
      filed = await fileComplaint(api, tender, { relatedLot: LOT_A });
      await expectCreated(api.post(`${tender.path}/cancellations`, ofLot(LOT_A), { token: tender.token }));
      assert.equal((await api.get(filed.at)).body.data.status, "claim");
    };
    await reachStage(world, "active.qualification", { more, bids: [bidOnLots(100000, LOT_B)], duringEnquiries: first });
    assert.equal((await api.get(filed.at)).body.data.status, "ignored");
  });
});
