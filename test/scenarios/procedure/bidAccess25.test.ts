import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { bidOf, cook, formatTime, MINUTE } from "../../support/examples.ts";
import {
  advanceOneSecond,
  assertForbidden,
  assertRefusedByRule,
  bidsOf,
  decideLast,
  errorsWithStatus,
  LOT_A,
  onBoth,
  reachAwarded,
  reachEnquiries,
  reachQualification,
  reachTendering,
  reachTenderingEnd,
  type TenderStory,
  UNKNOWN_ID,
  withLots,
} from "../../support/procedure.ts";
import { expectStatus, sharedWorld, type World } from "../../support/world.ts";

const file = { name: "ціна.txt", content: "ціна" };
const STATUSES: readonly (readonly [string, (world: World) => Promise<TenderStory>])[] = [
  ["active.tendering", (world) => reachTendering(world, bidsOf(1, 2))],
  ["active.auction", (world) => reachTenderingEnd(world, bidsOf(1, 2))],
  ["active.qualification", (world) => reachQualification(world, bidsOf(1, 2))],
  ["active.awarded", (world) => reachAwarded(world, bidsOf(1, 2))],
];

describe("access to bids", async () => {
  const world = await sharedWorld();

  for (const [status, reach] of STATUSES.slice(1))
    it(`allows nobody to add, change or delete a bid in ${status}`, async () => {
      const { api, path, bidders } = await reach(world);
      const [{ token, path: bid }] = bidders as [(typeof bidders)[0]];
      const cannot = (doing: string) => `Can't ${doing} bid in current (${status}) tender status`;
      assertRefusedByRule(await api.post(`${path}/bids`, bidOf(1)), cannot("add"));
      assertRefusedByRule(await api.patch(bid, { value: { amount: 1 } }, { token }), cannot("update"));
      assertRefusedByRule(await api.delete(bid, { token }), cannot("delete"));
    });

  it("allows no bid during enquiries, when the list is empty", async () => {
    const { api, path } = await reachEnquiries(world);
    assertRefusedByRule(
      await api.post(`${path}/bids`, bidOf(1)),
      "Can't add bid in current (active.enquiries) tender status",
    );
    assert.deepEqual(expectStatus(200, await api.get(`${path}/bids`, { key: null })).body, { data: [] });
  });

  it("allows bids only in the tender period, even if tendering was started early", async () => {
    const story = await reachEnquiries(world);
    const { tenderPeriod } = await story.fetchTender();
    expectStatus(200, await story.as("administrator", "PATCH", "", { status: "active.tendering" }));
    const { startDate, endDate } = tenderPeriod;
    const text = `Bid can be added only during the tendering period: from (${startDate}) to (${endDate}).`;
    assertRefusedByRule(await story.api.post(`${story.path}/bids`, bidOf(1)), text);
  });

  it("requires level 2 or, for test tenders, level t, and the permission to create", async () => {
    const { api, path } = await reachTendering(world);
    const post = (key: string | null) => api.post(`${path}/bids`, bidOf(1), { key });
    const text = "Broker Accreditation level does not permit bid creation";
    expectStatus(201, await post("broker2"));
    expectStatus(201, await post("token"));
    assert.deepEqual(errorsWithStatus(403, await post("broker1")), [["url/accreditation", text]]);
    assert.deepEqual(errorsWithStatus(403, await post("broker2t")), [["url/mode", text]]);
    for (const key of ["broker05", "auction", "chronograph", "bot", "reviewer"]) assertForbidden(await post(key));
    expectStatus(401, await post(null));
    const test = await reachTendering(world, [], { mode: "test" });
    expectStatus(201, await api.post(`${test.path}/bids`, bidOf(1), { key: "broker2t" }));
  });

  it("lets the administrator change only the tenderers, once bids are open", async () => {
    const { api, bidders } = await reachQualification(world, bidsOf(1, 2));
    const sent = { tenderers: [{ ...cook, name: "Інша" }], value: { amount: 2 } };
    const { data } = expectStatus(200, await api.patch(bidders[0]!.path, sent, { key: "administrator" })).body;
    assert.deepEqual([data.tenderers[0].name, data.value.amount], ["Інша", 1]);
  });

  it("returns the location, the content and, once, the token of a new bid", async () => {
    const story = await reachTendering(world);
    advanceOneSecond(world);
    const response = expectStatus(201, await story.api.post(`${story.path}/bids`, bidOf(1)));
    const { data, access } = response.body;
    assert.equal(response.headers.get("location"), `${story.api.root}${story.path}/bids/${data.id}`);
    assert.match(access.token, /^[0-9a-f]{32}$/);
    assert.deepEqual(Object.keys(data).toSorted(), ["date", "id", "status", "tenderers", "value"]);
    assert.deepEqual([data.date, data.status], [formatTime(world.clock.now), "active"]);
  });

  it("leaves the public view unchanged while bids are placed, changed and withdrawn", async () => {
    const story = await reachTendering(world);
    const before = await story.fetchTender();
    const { path, token } = await story.placeBid(bidOf(3));
    world.clock.forward(MINUTE);
    expectStatus(200, await story.api.patch(path, { value: { amount: 2 } }, { token }));
    expectStatus(201, await story.api.upload(`${path}/documents`, file, { token }));
    expectStatus(200, await story.api.delete(path, { token }));
    assert.deepEqual(await story.fetchTender(), before);
  });

  it("dates each lot value by the last change of its own amount", async () => {
    const { api, bidders } = await reachTendering(world, [onBoth(5, 6)], withLots(world.clock.now));
    const [{ path, token, data }] = bidders as [(typeof bidders)[0]];
    world.clock.forward(MINUTE);
    const sent = { lotValues: [{ value: { amount: 4 } }, {}] };
    const changed = expectStatus(200, await api.patch(path, sent, { token })).body.data;
    assert.deepEqual(
      changed.lotValues.map(({ relatedLot, date }: { relatedLot: string; date: string }) => [relatedLot, date]),
      [
        [LOT_A, formatTime(world.clock.now)],
        [data.lotValues[1].relatedLot, data.lotValues[1].date],
      ],
    );
    assert.equal(changed.date, data.date);
  });
});

describe("bids are visible", async () => {
  const world = await sharedWorld();

  for (const [status, reach] of STATUSES.slice(0, 2))
    it(`only to their owner in ${status}`, async () => {
      const { api, path, bidders, token } = await reach(world);
      const [mine, rival] = bidders as [(typeof bidders)[0], (typeof bidders)[0]];
      const list = `Can't view bids in current (${status}) tender status`;
      const refusal = `Can't view bid in current (${status}) tender status`;
      const outsiders = [{ key: null }, {}, { token }, { token: rival.token }, { key: "broker2", token: mine.token }];
      for (const sent of outsiders) {
        assertRefusedByRule(await api.get(`${path}/bids`, sent), list);
        assertRefusedByRule(await api.get(mine.path, sent), refusal);
        assertRefusedByRule(await api.get(`${path}/bids/${UNKNOWN_ID}`, sent), refusal);
      }
      const seen = expectStatus(200, await api.get(mine.path, { token: mine.token })).body;
      assert.deepEqual(seen, { data: mine.data });
      for (const sent of outsiders.slice(1)) {
        assertForbidden(await api.patch(mine.path, { value: { amount: 1 } }, sent));
        assertForbidden(await api.patch(`${path}/bids/${UNKNOWN_ID}`, { value: { amount: 1 } }, sent));
        assertForbidden(await api.delete(mine.path, sent));
      }
    });

  for (const [status, reach] of STATUSES.slice(2))
    it(`to everybody in ${status}, without owners and tokens`, async () => {
      const story = await reach(world);
      const { api, path, bidders } = story;
      const data = bidders.map((bidder) => bidder.data);
      assert.deepEqual(expectStatus(200, await api.get(`${path}/bids`, { key: null })).body, { data });
      assert.deepEqual(expectStatus(200, await api.get(bidders[1]!.path, { key: null })).body, { data: data[1] });
      const seen = await story.fetchTender();
      assert.deepEqual([seen.bids, seen.numberOfBids], [data, 2]);
      const missing = await api.get(`${path}/bids/${UNKNOWN_ID}`);
      assert.deepEqual(errorsWithStatus(404, missing), [["url/bid_id", "Not Found"]]);
    });
});

describe("the documents of a bid", async () => {
  const world = await sharedWorld();

  for (const [status, reach] of STATUSES.slice(0, 2))
    it(`are visible only to its owner in ${status}`, async () => {
      const { api, bidders } = await reach(world);
      const [{ path, token }] = bidders as [(typeof bidders)[0]];
      const viewRefusal = (name: string) => `Can't view bid ${name} in current (${status}) tender status`;
      for (const sent of [{ key: null }, {}, { token: bidders[1]!.token }]) {
        assertRefusedByRule(await api.get(`${path}/documents`, sent), viewRefusal("documents"));
        assertRefusedByRule(await api.get(`${path}/documents/${UNKNOWN_ID}`, sent), viewRefusal("document"));
      }
      assert.deepEqual(expectStatus(200, await api.get(`${path}/documents`, { token })).body, { data: [] });
    });

  it("are added and replaced in tendering, and while the award of the bid is pending", async () => {
    const story = await reachTendering(world, bidsOf(1));
    const { api } = story;
    const [{ path, token }] = story.bidders as [(typeof story.bidders)[0]];
    const { id } = expectStatus(201, await api.upload(`${path}/documents`, file, { token })).body.data;
    const put = () => api.upload(`${path}/documents/${id}`, file, { token, method: "PUT" });
    expectStatus(200, await put());
    expectStatus(200, await api.patch(`${path}/documents/${id}`, { description: "Ціна" }, { token }));
    world.clock.forward(7 * 24 * 60 * MINUTE);
    expectStatus(201, await api.upload(`${path}/documents`, file, { token }));
    expectStatus(200, await put());
    await decideLast(story, "active");
    const cannot = (doing: string) => `Can't ${doing} document in current (active.awarded) tender status`;
    assertRefusedByRule(await api.upload(`${path}/documents`, file, { token }), cannot("add"));
    assertRefusedByRule(await put(), cannot("update"));
    assertRefusedByRule(await api.patch(`${path}/documents/${id}`, { description: "!" }, { token }), cannot("update"));
    assert.equal(expectStatus(200, await api.get(`${path}/documents`, { key: null })).body.data.length, 2);
  });

  it("are closed in the auction, and for bids whose award is not pending", async () => {
    const story = await reachTendering(world, bidsOf(1, 2));
    const { api, bidders } = story;
    const { path, token } = bidders[1]!;
    const { id } = expectStatus(201, await api.upload(`${path}/documents`, file, { token })).body.data;
    const add = () => api.upload(`${path}/documents`, file, { token });
    const put = () => api.upload(`${path}/documents/${id}`, file, { token, method: "PUT" });
    world.clock.forward(7 * 24 * 60 * MINUTE);
    assertRefusedByRule(await add(), "Can't add document in current (active.auction) tender status");
    assertRefusedByRule(await put(), "Can't update document in current (active.auction) tender status");
    expectStatus(200, await story.as("auction", "POST", "/auction", {}));
    assertRefusedByRule(await add(), "Can't add document because award of bid is not in pending state");
    assertRefusedByRule(await put(), "Can't update document because award of bid is not in pending state");
    assertForbidden(await api.upload(`${path}/documents`, file, { token: bidders[0]!.token }));
  });
});
