import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { formatTime, MINUTE } from "../support/examples.ts";
import {
  type AnyJson,
  advanceOneSecond,
  assertForbidden,
  assertRefusedByRule,
  bidsOf,
  errorsWithStatus,
  finishAuction,
  reachAwarded,
  reachEnquiries,
  reachQualification,
  reachTendering,
  reachTenderingEnd,
  type TenderStory,
  UNKNOWN_ID,
} from "../support/procedure.ts";
import { expectStatus, sharedWorld, type World } from "../support/world.ts";

const WRONG: readonly (readonly [string, (world: World) => Promise<TenderStory>])[] = [
  ["active.enquiries", (world) => reachEnquiries(world)],
  ["active.tendering", (world) => reachTendering(world, bidsOf(1, 2))],
  ["active.qualification", (world) => reachQualification(world, bidsOf(1, 2))],
  ["active.awarded", (world) => reachAwarded(world, bidsOf(1, 2))],
  ["unsuccessful", (world) => reachTenderingEnd(world, [])],
];

const NUMBER = ["body/bids", "Number of auction results did not match the number of tender bids"];
const IDENTICAL = ["body/bids", "Auction bids should be identical to the tender bids"];
const idsOf = ({ bidders }: TenderStory) => bidders.map(({ id }) => ({ id }));

describe("the auction of a tender without lots", async () => {
  const world = await sharedWorld();
  const auction = (story: TenderStory, method: string, data?: object) => story.as("auction", method, "/auction", data);

  for (const [status, reach] of WRONG)
    it(`returns nothing and accepts nothing in ${status}`, async () => {
      const story = await reach(world);
      const wrong = (doing: string) => `Can't ${doing} in current (${status}) tender status`;
      assertRefusedByRule(await auction(story, "GET"), wrong("get auction info"));
      assertRefusedByRule(await auction(story, "PATCH", {}), wrong("update auction urls"));
      assertRefusedByRule(await auction(story, "POST", {}), wrong("report auction results"));
      assertRefusedByRule(await finishAuction(story, UNKNOWN_ID), wrong("report auction results"));
    });

  it("shows prices, times and features, and no names", async () => {
    const story = await reachTenderingEnd(world, bidsOf(1, 2));
    const { data } = expectStatus(200, await auction(story, "GET")).body;
    const known = ["tenderID", "dateModified", "items", "auctionPeriod", "minimalStep", "bids"];
    assert.deepEqual(
      known.filter((name) => !(name in data)),
      [],
    );
    for (const name of ["id", "value", "procuringEntity", "title", "owner"]) assert.ok(!(name in data), name);
    assert.deepEqual(
      data.bids,
      story.bidders.map(({ data: { id, date, value } }) => ({ id, date, value })),
    );
  });

  it("is accessible to the auction and the admins only", async () => {
    const story = await reachTenderingEnd(world, bidsOf(1, 2));
    for (const method of ["GET", "PATCH", "POST"]) {
      const data = method === "GET" ? undefined : {};
      for (const key of ["broker", "chronograph", "administrator", "bot", "reviewer"])
        assertForbidden(await story.as(key, method, "/auction", data));
      assertForbidden(await story.asOwner(method, "/auction", data));
      const anonymous = await story.api.request(method, `${story.path}/auction`, { key: null, body: data && { data } });
      expectStatus(method === "GET" ? 403 : 401, anonymous);
      expectStatus(200, await story.as("token", method, "/auction", data));
    }
  });

  it("stores its URL, and each bidder sees a participation URL", async () => {
    const story = await reachTenderingEnd(world, bidsOf(1, 2));
    advanceOneSecond(world);
    const auctionUrl = "http://auction.example/1";
    const sent = story.bidders.map(({ id }) => ({ id, participationUrl: `${auctionUrl}/${id}` })).toReversed();
    const { data } = expectStatus(200, await auction(story, "PATCH", { auctionUrl, bids: sent })).body;
    assert.equal(data.auctionUrl, auctionUrl);
    for (const { id, participationUrl } of data.bids) assert.equal(participationUrl, `${auctionUrl}/${id}`);
    const seen = await story.fetchTender();
    assert.deepEqual(
      [seen.auctionUrl, seen.bids, seen.dateModified],
      [auctionUrl, undefined, formatTime(world.clock.now)],
    );
    for (const { id, path, token } of story.bidders) {
      const own = expectStatus(200, await story.api.get(path, { token })).body.data;
      assert.equal(own.participationUrl, `${auctionUrl}/${id}`);
    }
    assert.deepEqual(expectStatus(200, await auction(story, "PATCH", { auctionUrl, bids: sent })).body.data, data);
    expectStatus(200, await finishAuction(story));
    assert.ok((await story.fetchTender()).bids.every((bid: AnyJson) => bid.participationUrl));
  });

  it("sets prices and dates by the ids of the bids, in any order", async () => {
    const story = await reachTenderingEnd(world, bidsOf(100, 200));
    const [first, second] = story.bidders.map(({ id }) => id);
    const date = formatTime(world.clock.now + MINUTE);
    world.clock.forward(2 * MINUTE);
    const results = [
      { id: second, value: { amount: 50 }, date },
      { id: first, value: { amount: 90 } },
    ];
    const { data } = expectStatus(200, await finishAuction(story, undefined, { bids: results })).body;
    assert.equal(data.status, "active.qualification");
    assert.deepEqual(
      data.bids.map((bid: AnyJson) => [bid.id, bid.value.amount, bid.date]),
      [
        [first, 90, story.bidders[0]!.data.date],
        [second, 50, date],
      ],
    );
    assert.deepEqual(data.auctionPeriod, { endDate: formatTime(world.clock.now) });
    const [award] = data.awards;
    assert.deepEqual([award.bid_id, award.value.amount, award.status], [second, 50, "pending"]);
    assert.deepEqual(data, await story.fetchTender());
    assertRefusedByRule(
      await finishAuction(story, undefined, { bids: results }),
      "Can't report auction results in current (active.qualification) tender status",
    );
  });

  it("keeps the prices if none are reported", async () => {
    const story = await reachTenderingEnd(world, bidsOf(100, 200));
    const { data } = expectStatus(200, await finishAuction(story)).body;
    assert.deepEqual(
      data.bids,
      story.bidders.map((bidder) => bidder.data),
    );
  });

  it("returns the location of the resulting award in a header", async () => {
    const story = await reachTenderingEnd(world, bidsOf(100, 200));
    const response = expectStatus(200, await finishAuction(story));
    const [award] = response.body.data.awards;
    assert.equal(response.headers.get("location"), `${story.api.root}${story.path}/awards/${award.id}`);
  });

  it("accepts any lot in the URL, because the tender has no lots", async () => {
    const story = await reachTenderingEnd(world, bidsOf(100, 200));
    const url = { auctionUrl: "http://auction.example/2" };
    const patched = await story.as("auction", "PATCH", `/auction/${UNKNOWN_ID}`, url);
    assert.equal(expectStatus(200, patched).body.data.auctionUrl, url.auctionUrl);
    assert.equal(expectStatus(200, await finishAuction(story, UNKNOWN_ID)).body.data.status, "active.qualification");
  });

  for (const method of ["PATCH", "POST"] as const) {
    it(`is refused by ${method} with the wrong number of bids`, async () => {
      const story = await reachTenderingEnd(world, bidsOf(1, 2));
      const [first] = idsOf(story);
      assert.deepEqual(errorsWithStatus(422, await auction(story, method, { bids: [first] })), [NUMBER]);
      assert.deepEqual(errorsWithStatus(422, await auction(story, method, { bids: [...idsOf(story), first] })), [
        NUMBER,
      ]);
      assert.deepEqual(errorsWithStatus(422, await auction(story, method, { bids: [] })), [NUMBER]);
    });

    it(`is refused by ${method} with bids that the tender does not have`, async () => {
      const story = await reachTenderingEnd(world, bidsOf(1, 2));
      const [first] = idsOf(story);
      assert.deepEqual(errorsWithStatus(422, await auction(story, method, { bids: [first, { id: UNKNOWN_ID }] })), [
        IDENTICAL,
      ]);
      assert.deepEqual(errorsWithStatus(422, await auction(story, method, { bids: [first, first] })), [IDENTICAL]);
      assert.equal((await story.fetchTender()).status, "active.auction");
    });

    it(`is refused by ${method} with unknown fields and invalid ids`, async () => {
      const story = await reachTenderingEnd(world, bidsOf(1, 2));
      assert.deepEqual(errorsWithStatus(422, await auction(story, method, { surprise: 1 })), [
        ["body/surprise", "Rogue field"],
      ]);
      assert.deepEqual(errorsWithStatus(422, await auction(story, method, { bids: [{ surprise: 1 }, {}] })), [
        ["body/bids", { surprise: "Rogue field" }],
      ]);
      assert.deepEqual(errorsWithStatus(422, await auction(story, method, { bids: [{ id: "x" }, {}] })), [
        ["body/bids", { id: ["Hash value is wrong length."] }],
      ]);
    });
  }

  it("accepts complete bids as read from /bids, and uses only the results in them", async () => {
    const story = await reachTenderingEnd(world, bidsOf(100, 200));
    const [first, second] = story.bidders.map(({ data }) => data);
    const results = [{ ...first, value: { ...first.value, amount: 90 } }, second].map((bid) => ({
      ...bid,
      documents: [{ id: UNKNOWN_ID, title: "offer.txt" }],
      tenderers: [{ name: "Somebody else" }],
      status: "draft",
    }));
    const { data } = expectStatus(200, await finishAuction(story, undefined, { bids: results })).body;
    assert.deepEqual(data.bids, [{ ...first, value: { ...first.value, amount: 90 } }, second]);
  });

  it("is refused if some results name their bid and others do not, so that no price is lost", async () => {
    const story = await reachTenderingEnd(world, bidsOf(100, 200));
    const results = [{ id: story.bidders[1]!.id, value: { amount: 90 } }, { value: { amount: 80 } }];
    assert.deepEqual(errorsWithStatus(422, await auction(story, "POST", { bids: results })), [IDENTICAL]);
  });

  it("is refused with invalid URLs", async () => {
    const story = await reachTenderingEnd(world, bidsOf(1, 2));
    assert.deepEqual(errorsWithStatus(422, await auction(story, "PATCH", { auctionUrl: "x" })), [
      ["body/auctionUrl", ["Not a well formed URL."]],
    ]);
    const [first, second] = idsOf(story);
    assert.deepEqual(
      errorsWithStatus(422, await auction(story, "PATCH", { bids: [first, { ...second, participationUrl: "x" }] })),
      [["body/bids", [{ participationUrl: ["Not a well formed URL."] }]]],
    );
  });

  it("is refused with prices that no bid may have", async () => {
    const story = await reachTenderingEnd(world, bidsOf(1, 2));
    const [first, second] = idsOf(story);
    const post = (value: object) => auction(story, "POST", { bids: [first, { ...second, value }] });
    assert.deepEqual(errorsWithStatus(422, await post({ amount: 500001 })), [
      ["body/bids", [{ value: ["value of bid should be less than value of tender"] }]],
    ]);
    assert.deepEqual(errorsWithStatus(422, await post({ currency: "USD" })), [
      ["body/bids", [{ value: ["currency of bid should be identical to currency of value of tender"] }]],
    ]);
    assert.equal((await story.fetchTender()).status, "active.auction");
  });

  it("allows the auction to add documents to the tender during auction and qualification", async () => {
    const file = { name: "протокол.txt", content: "протокол" };
    const story = await reachTenderingEnd(world, bidsOf(1, 2));
    const upload = () => story.api.upload(`${story.path}/documents`, file, { key: "auction" });
    assert.equal(expectStatus(201, await upload()).body.data.author, "auction");
    expectStatus(200, await finishAuction(story));
    expectStatus(201, await upload());
  });
});
