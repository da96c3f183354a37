import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { reachAuction, reachFirstTurn } from "../support/liveAuctions.ts";
import type { AnyJson } from "../support/procedure.ts";
import { expectStatus, sharedWorld } from "../support/world.ts";

describe("an auction that the service holds", async () => {
  const world = await sharedWorld({ AUCTIONS: "builtin" });
  const api = world.api("2.5");

  it("goes from the plan to the award, with two bidders who lower their prices in turn", async () => {
    const story = await reachAuction(world);
    const [low, high] = story.bidders;
    assert.ok(low && high);
    const planned = await story.fetchAuction();
    assert.deepEqual([planned.status, planned.stages, planned.offers], ["planned", [], []]);
    const tender = expectStatus(200, await api.get(`/tenders/${story.tender}`, { key: null })).body.data;
    assert.equal(tender.auctionUrl, `${world.url}/auctions/tenders/${story.tender}`);
    assert.equal(tender.auctionPeriod.startDate, planned.plannedStart);
    await story.nextStage();
    const begun = await story.fetchAuction();
    assert.deepEqual([begun.phase, begun.stages.length, begun.offers.length], ["pause", 11, 2]);
    assert.deepEqual(
      begun.offers.map(({ label, amount }: AnyJson) => [label, amount]),
      [
        ["Bidder 2", 480000],
        ["Bidder 1", 490000],
      ],
    );
    await story.nextStage();
    const placed = expectStatus(201, await story.place(high, 470000.5)).body.data;
    assert.deepEqual([placed.isOwnTurn, placed.unpublished.amount, placed.highestAllowed], [true, 470000.5, 485000]);
    expectStatus(201, await story.place(high, 475000));
    assert.equal((await story.fetchAuction()).offers[1].amount, 490000);
    await story.nextStage();
    assert.deepEqual(
      (await story.fetchAuction()).offers.map(({ bidder, amount }: AnyJson) => [bidder, amount]),
      [
        [1, 475000],
        [2, 480000],
      ],
    );
    expectStatus(201, await story.place(low, 470000));
    const own = expectStatus(200, await story.takeBack(low)).body.data;
    assert.equal(own.unpublished, undefined);
    for (let phase = ""; phase !== "announcement"; phase = (await story.fetchAuction()).phase) await story.nextStage();
    const ended = await story.fetchAuction();
    assert.deepEqual(
      ended.offers.map(({ bid, name, amount }: AnyJson) => [bid, typeof name, amount]),
      [
        [high.id, "string", 475000],
        [low.id, "string", 480000],
      ],
    );
    const { status, awards } = expectStatus(200, await api.get(`/tenders/${story.tender}`, { key: null })).body.data;
    assert.deepEqual([status, awards[0].bid_id, awards[0].value.amount], ["active.qualification", high.id, 475000]);
  });

  it("is followed by its own bidder with a key and the owner token, too", async () => {
    const story = await reachFirstTurn(world);
    const [, high] = story.bidders;
    assert.ok(high);
    const query = `?bid=${high.id}&acc_token=${high.token}`;
    expectStatus(201, await api.post(`${story.path()}/bids${query}`, { amount: 470000 }));
    const { own } = await story.fetchAuction(undefined, `${story.tender}${query}`);
    assert.equal(own, undefined);
    const seen = expectStatus(200, await api.get(`${story.path()}${query}`)).body.data;
    assert.equal(seen.own.unpublished.amount, 470000);
  });
});
