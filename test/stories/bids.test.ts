import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { bidOf, cook, DAY, formatTime, fullTender, MINUTE, publish, publishForBids } from "../support/examples.ts";
import { errorsOf, expectStatus, sharedWorld, type TestResponse } from "../support/world.ts";

const LOT_A = "a".repeat(32);
const LOT_B = "b".repeat(32);
const lotOf = (id: string, amount: number) => ({ id, title: "Лот", value: { amount }, minimalStep: { amount: 1 } });
const lotBid = (...lotValues: object[]) => ({ tenderers: [cook], lotValues });
const on = (relatedLot: string, amount: number) => ({ relatedLot, value: { amount } });
const REQUIRED = "This field is required.";

describe("a placed bid", async () => {
  const world = await sharedWorld();
  const api = world.api("2.3");

  async function placed(bid: object = bidOf(400000), more: object = {}) {
    const tender = await publishForBids(world, more);
    const response = expectStatus(201, await api.post(`${tender.path}/bids`, bid));
    const path = `${tender.path}/bids/${response.body.data.id}`;
    const { token } = response.body.access;
    const patch = (data: object): Promise<TestResponse> => api.patch(path, data, { token });
    return { tender, path, token, patch, data: response.body.data, answered: response };
  }

  it("returns its location and, once, its token, and is readable by its owner", async () => {
    const { tender, path, token, data, answered: response } = await placed();
    assert.equal(response.headers.get("location"), `${api.root}${path}`);
    assert.match(token, /^[0-9a-f]{32}$/);
    assert.deepEqual(Object.keys(data).sort(), ["date", "id", "status", "tenderers", "value"]);
    assert.equal(data.status, "active");
    assert.deepEqual((await api.get(path, { token })).body, { data });
    assert.deepEqual((await api.get(`${tender.path}/bids`, { token })).body, { data: [data] });
  });

  it("gets a new date with a new amount, and with nothing else", async () => {
    const { path, patch, data, token } = await placed(bidOf(400000, { status: "draft" }));
    world.clock.forward(MINUTE);
    const updated = expectStatus(200, await patch({ tenderers: [{ name: "ТОВ Смачніше" }], status: "active" })).body
      .data;
    assert.deepEqual(updated, { ...data, status: "active", tenderers: [{ ...cook, name: "ТОВ Смачніше" }] });
    assert.deepEqual(expectStatus(200, await patch({ value: { amount: 400000 } })).body.data, updated);
    world.clock.forward(MINUTE);
    const lower = expectStatus(200, await patch({ value: { amount: 399999.99 } })).body.data;
    assert.deepEqual(lower, {
      ...updated,
      value: { ...updated.value, amount: 399999.99 },
      date: formatTime(world.clock.now),
    });
    assert.deepEqual((await api.get(path, { token })).body.data, lower);
  });

  it("gets a new date only for the lot whose amount changes", async () => {
    const lots = [lotOf(LOT_A, 100), lotOf(LOT_B, 100)];
    const { patch, data } = await placed(lotBid(on(LOT_A, 90), on(LOT_B, 90)), { lots });
    world.clock.forward(MINUTE);
    const after = expectStatus(200, await patch({ lotValues: [{}, { value: { amount: 80 } }] })).body.data;
    assert.equal(after.date, data.date);
    assert.deepEqual(after.lotValues[0], data.lotValues[0]);
    assert.deepEqual(after.lotValues[1], {
      ...data.lotValues[1],
      value: { ...data.lotValues[1].value, amount: 80 },
      date: formatTime(world.clock.now),
    });
  });

  it("keeps the dates of its lots when they are sent in another order", async () => {
    const lots = [lotOf(LOT_A, 100), lotOf(LOT_B, 100)];
    const { patch } = await placed(lotBid(on(LOT_A, 90), on(LOT_B, 80)), { lots });
    world.clock.forward(MINUTE);
    const before = expectStatus(200, await patch({ lotValues: [{}, { value: { amount: 70 } }] })).body.data;
    world.clock.forward(MINUTE);
    const after = expectStatus(200, await patch({ lotValues: [on(LOT_B, 70), on(LOT_A, 90)] })).body.data;
    assert.deepEqual(after, { ...before, lotValues: before.lotValues.toReversed() });
  });

  it("ignores null, except that its value cannot be cleared", async () => {
    const { patch, data } = await placed();
    assert.deepEqual(expectStatus(200, await patch({ tenderers: null, status: null })).body.data, data);
    assert.deepEqual(errorsOf(expectStatus(422, await patch({ value: null }))), [`body/value: ${REQUIRED}`]);
  });

  it("is validated like a new one when it is changed", async () => {
    const { patch } = await placed();
    assert.deepEqual(errorsOf(expectStatus(422, await patch({ value: { amount: 500001 }, tenderers: [] }))).sort(), [
      "body/tenderers: Please provide at least 1 item.",
      "body/value: value of bid should be less than value of tender",
    ]);
  });

  it("can change from draft to active, and never back", async () => {
    const { patch } = await placed(bidOf(1, { status: "draft" }));
    assert.equal(expectStatus(200, await patch({ status: "active" })).body.data.status, "active");
    const back = expectStatus(403, await patch({ status: "draft" }));
    assert.deepEqual(errorsOf(back), ["body/bid: Can't update bid to (draft) status"]);
  });

  it("can be withdrawn: the response has its last content, and then it is gone", async () => {
    const { tender, path, token, data } = await placed();
    assert.deepEqual(expectStatus(200, await api.delete(path, { token })).body, { data });
    expectStatus(404, await api.get(path, { token }));
    expectStatus(404, await api.delete(path, { token }));
    assert.deepEqual((await api.get(`${tender.path}/bids`, { token })).body.data, []);
    world.clock.forward(7 * DAY);
    assert.equal((await api.get(tender.path)).body.data.status, "unsuccessful");
  });

  it("is deleted if it is still a draft when the tender period ends", async () => {
    const { tender, path, token } = await placed(bidOf(1, { status: "draft" }));
    const other = expectStatus(201, await api.post(`${tender.path}/bids`, bidOf(2)));
    world.clock.forward(7 * DAY);
    expectStatus(404, await api.get(path, { token }));
    expectStatus(404, await api.patch(path, { status: "active" }, { token }));
    const { data } = (await api.get(tender.path)).body;
    assert.equal(data.numberOfBids, 1);
    assert.deepEqual(data.bids, [other.body.data]);
  });

  for (const [bids, status] of [
    [2, "active.auction"],
    [1, "active.qualification"],
  ] as const)
    it(`cannot be changed in ${status}`, async () => {
      const { tender, path, token, patch } = await placed();
      if (bids === 2) expectStatus(201, await api.post(`${tender.path}/bids`, bidOf(2)));
      world.clock.forward(7 * DAY);
      const cannot = (doing: string) => [`body/data: Can't ${doing} bid in current (${status}) tender status`];
      assert.deepEqual(errorsOf(expectStatus(403, await patch({ value: { amount: 1 } }))), cannot("update"));
      assert.deepEqual(errorsOf(expectStatus(403, await api.delete(path, { token }))), cannot("delete"));
      assert.deepEqual(errorsOf(expectStatus(403, await api.post(`${tender.path}/bids`, bidOf(1)))), cannot("add"));
      expectStatus(422, await patch({ value: { amount: 500001 } }));
    });

  it("cannot exist during enquiries", async () => {
    const { path } = await publish(api, fullTender(world.clock.now));
    const refused = expectStatus(403, await api.post(`${path}/bids`, bidOf(1)));
    assert.deepEqual(errorsOf(refused), ["body/data: Can't add bid in current (active.enquiries) tender status"]);
    assert.deepEqual((await api.get(`${path}/bids`)).body, { data: [] });
  });
});
