import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { bidOf, DAY, publishForBids } from "../support/examples.ts";
import { expectStatus, sharedWorld } from "../support/world.ts";

const VERSIONS = ["2.3", "0", "0.2", "0.1"];

describe("after the deadline", async () => {
  const world = await sharedWorld();
  const api = world.api("2.3");

  async function closed(bids: number) {
    const tender = await publishForBids(world);
    const placed = [];
    for (let i = 0; i < bids; i++) {
      const { data, access } = expectStatus(201, await api.post(`${tender.path}/bids`, bidOf(400000 - i))).body;
      const path = `${tender.path}/bids/${data.id}`;
      const file = { name: "offer.txt", content: "the offer" };
      const document = expectStatus(201, await api.upload(`${path}/documents`, file, { token: access.token })).body
        .data;
      placed.push({ ...data, path, token: access.token, document });
    }
    return { ...tender, placed };
  }

  it("a single bid is visible to everybody, in the tender, by itself, with its document and file", async () => {
    const { path, placed } = await closed(1);
    const [bid] = placed;
    expectStatus(404, await api.get(bid.path, { key: null }));
    expectStatus(404, await api.get(bid.document.url, { key: null }));
    world.clock.forward(7 * DAY);
    for (const key of [null, "broker2", "token"]) {
      const { data } = (await api.get(path, { key })).body;
      assert.equal(data.status, "active.qualification");
      assert.equal(data.numberOfBids, 1);
      assert.equal(data.bids[0].id, bid.id);
      assert.deepEqual((await api.get(`${path}/bids`, { key })).body.data, data.bids);
      assert.deepEqual((await api.get(bid.path, { key })).body.data, data.bids[0]);
      const { data: documents } = (await api.get(`${bid.path}/documents`, { key })).body;
      assert.deepEqual(documents, [bid.document]);
      assert.equal(expectStatus(200, await api.get(bid.document.url, { key })).text, "the offer");
    }
    const { data } = (await api.get("/tenders?descending=1&limit=1&opt_fields=numberOfBids,bids")).body;
    assert.equal(data[0].bids[0].id, bid.id);
  });

  it("an open bid can be changed only by its owner", async () => {
    const { path, token, placed } = await closed(1);
    const [bid] = placed;
    world.clock.forward(7 * DAY);
    assert.equal((await api.get(path)).body.data.status, "active.qualification");
    for (const sent of [{}, { token }, { key: "broker2", token: bid.token }, { key: "auction" }]) {
      expectStatus(403, await api.patch(bid.path, { value: { amount: 1 } }, sent));
      expectStatus(403, await api.delete(bid.path, sent));
    }
    expectStatus(401, await api.delete(bid.path, { key: null, token: bid.token }));
  });

  it("two bids are visible to the auction only, with the fields that it needs", async () => {
    const { path, token, placed } = await closed(2);
    const amounts = async (key: string | null, sent = {}) =>
      (await api.get(`${path}/auction`, { key, ...sent })).body.data.bids.map(
        (bid: { value: { amount: number } }) => bid.value.amount,
      );
    assert.deepEqual(await amounts("auction"), [], "not before the deadline");
    world.clock.forward(7 * DAY);
    assert.deepEqual(await amounts("auction"), [400000, 399999]);
    for (const key of [null, "broker", "broker2", "chronograph"]) assert.deepEqual(await amounts(key), []);
    assert.deepEqual(await amounts("broker", { token }), []);
    assert.deepEqual(await amounts("broker", { token: placed[0].token }), []);
    for (const version of VERSIONS) {
      const { text } = await world.api(version).get(path);
      assert.ok(!text.includes(placed[0].id) && !text.includes("numberOfBids"));
    }
  });

  it("the auction's report changes nothing public", async () => {
    const { path, placed } = await closed(2);
    world.clock.forward(7 * DAY);
    const before = await api.get(path);
    world.clock.forward(DAY);
    const bids = [{ value: { amount: 300000 } }, { value: { amount: 200000 } }];
    expectStatus(200, await api.patch(`${path}/auction`, { bids }, { key: "auction" }));
    assert.equal((await api.get(path)).text, before.text);
    const { data } = (await api.get(placed[0].path, { token: placed[0].token })).body;
    assert.equal(data.value.amount, 300000);
  });
});

describe("a cancelled tender", async () => {
  const world = await sharedWorld();
  const api = world.api("2.3");

  for (const when of ["tendering", "active.auction"])
    it(`has no bids that were sealed in ${when}`, async () => {
      const tender = await publishForBids(world);
      const { data, access } = expectStatus(201, await api.post(`${tender.path}/bids`, bidOf(1))).body;
      const { token } = access;
      const path = `${tender.path}/bids/${data.id}`;
      const file = { name: "offer.txt", content: "the offer" };
      const { url } = expectStatus(201, await api.upload(`${path}/documents`, file, { token })).body.data;
      expectStatus(201, await api.post(`${tender.path}/bids`, bidOf(2)));
      if (when === "active.auction") world.clock.forward(7 * DAY);
      assert.equal((await api.get(tender.path)).body.data.status, when);
      const cancelled = expectStatus(
        200,
        await api.patch(tender.path, { status: "cancelled" }, { token: tender.token }),
      );
      assert.ok(!("bids" in cancelled.body.data) && !cancelled.body.data.numberOfBids);
      for (const sent of [{ token }, { key: "token" }, { key: "auction" }, { token: tender.token }]) {
        expectStatus(404, await api.get(path, sent));
        expectStatus(404, await api.get(url, sent));
        expectStatus(404, await api.patch(path, { value: { amount: 1 } }, sent));
        assert.deepEqual((await api.get(`${tender.path}/bids`, sent)).body.data, []);
        assert.deepEqual((await api.get(`${tender.path}/auction`, sent)).body.data.bids, []);
      }
    });

  it("keeps a bid that was open", async () => {
    const tender = await publishForBids(world);
    expectStatus(201, await api.post(`${tender.path}/bids`, bidOf(1)));
    world.clock.forward(7 * DAY);
    assert.equal((await api.get(tender.path)).body.data.status, "active.qualification");
    const { data } = expectStatus(
      200,
      await api.patch(tender.path, { status: "cancelled" }, { token: tender.token }),
    ).body;
    assert.equal(data.bids.length, 1);
  });
});
