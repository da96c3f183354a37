import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { cook, DAY, plainTender, publish } from "../support/examples.ts";
import { expectStatus, sharedWorld } from "../support/world.ts";

describe("a tender without a procedure type", async () => {
  const world = await sharedWorld();
  const api = world.api("2.3");

  it("proceeds from enquiries to its end by deadlines and by its owner", async () => {
    const { path, token, response } = await publish(api, plainTender(world.clock.now));
    assert.equal(response.headers.get("location"), `${api.root}${path}`);
    assert.equal(response.body.data.status, "active.enquiries");
    expectStatus(403, await api.post(`${path}/bids`, { tenderers: [cook], value: { amount: 400 } }));
    world.clock.forward(DAY);
    assert.equal((await api.get(path)).body.data.status, "tendering");
    const bid = expectStatus(201, await api.post(`${path}/bids`, { tenderers: [cook], value: { amount: 400 } }));
    assert.deepEqual(bid.body.data.value, { amount: 400, currency: "UAH", valueAddedTaxIncluded: true });
    world.clock.forward(DAY);
    assert.equal((await api.get(path)).body.data.status, "active.qualification");
    const award = expectStatus(201, await api.post(`${path}/awards`, { awardStatus: "active" }, { token }));
    assert.equal(award.headers.get("location"), `${api.root}${path}/awards/${award.body.data.awardID}`);
    const done = expectStatus(200, await api.patch(path, { status: "complete" }, { token }));
    assert.equal(done.body.data.status, "complete");
    assert.equal(done.body.data.date, done.body.data.dateModified);
  });
});
