import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { hashOf } from "../../src/base/secrets.ts";
import { bidOf, DAY, fullTender } from "../support/examples.ts";
import {
  assertRefusedByRule,
  bidsOf,
  reachTendering,
  reachTenderingEnd,
  type TenderStory,
} from "../support/procedure.ts";
import { outcomeOf } from "../support/stages.ts";
import { expectStatus, openWorld, sharedWorld, type TestResponse } from "../support/world.ts";

const OPENING = ["active.auction", "active.qualification", "active.awarded", "complete"];
const SEALED = "Bids stay sealed until the tender period ends";
const KEYS = ["auction", "token", "administrator", "chronograph"];

/** A refusal without its request id. */
const errorOf = (response: TestResponse) => {
  const [{ location, name, description, rule, allowedFrom, allowedUntil }] = response.body.errors;
  return { status: response.status, location, name, description, rule, allowedFrom, allowedUntil };
};

describe("before the deadline for bids", async () => {
  const world = await sharedWorld();
  const administer = (story: TenderStory, status: string, query = "") =>
    story.as("administrator", "PATCH", query, { status });

  for (const status of OPENING)
    it(`an Administrator cannot move a tender to ${status}, not even in a dry run`, async () => {
      const story = await reachTendering(world, bidsOf(100, 200));
      const before = await story.fetchTender();
      for (const query of ["", "?dry_run=1"]) {
        const response = await administer(story, status, query);
        assertRefusedByRule(response, SEALED);
        const [{ rule, allowedFrom }] = response.body.errors;
        assert.deepEqual([rule, allowedFrom], ["before-tender-deadline", before.tenderPeriod.endDate]);
      }
      assert.deepEqual(await story.fetchTender(), before);
      for (const key of KEYS) expectStatus(403, await story.as(key, "GET", "/auction"));
    });

  for (const status of ["cancelled", "unsuccessful"])
    it(`an Administrator can end a tender as ${status}, which deletes its bids for good`, async () => {
      const story = await reachTendering(world, bidsOf(100, 200));
      const { data } = expectStatus(200, await administer(story, status)).body;
      assert.deepEqual([data.status, data.bids, data.numberOfBids], [status, undefined, 0]);
      for (const { path, token } of story.bidders) expectStatus(404, await story.api.get(path, { token }));
      assert.equal(expectStatus(200, await administer(story, "active.tendering")).body.data.status, "active.tendering");
      await story.placeBid(bidOf(300));
      const [first] = story.bidders;
      expectStatus(403, await story.api.get(first!.path, { token: first!.token }));
    });

  it("the auction gets the same responses whatever the number of bids", async () => {
    const cheap = { value: { amount: 1 } };
    const dear = { value: { amount: 1e9 } };
    const bodies = [{}, { bids: [] }, { bids: [cheap] }, { bids: [cheap, cheap] }, { bids: [dear, cheap] }];
    const responsesWith = async (sent: readonly object[]) => {
      const story = await reachTendering(world, sent);
      const { endDate } = (await story.fetchTender()).tenderPeriod;
      const responses: object[] = [];
      for (const key of KEYS)
        for (const path of ["/auction", "/auction?dry_run=1"])
          for (const body of bodies)
            for (const method of ["POST", "PATCH"]) {
              const { allowedFrom, ...error } = errorOf(await story.as(key, method, path, body));
              assert.equal(error.status, 403);
              responses.push({ ...error, isFromDeadline: allowedFrom === endDate });
            }
      return responses;
    };
    assert.deepEqual(await responsesWith(bidsOf(100, 200)), await responsesWith([]));
  });

  it("requests of the auction are still validated, and an unknown field is named", async () => {
    const story = await reachTendering(world, bidsOf(100, 200));
    for (const method of ["POST", "PATCH"])
      assert.equal(
        outcomeOf(await story.as("auction", method, "/auction", { surprise: 1 })),
        "422 body/surprise: Rogue field",
      );
  });

  it("the plan of an auction reveals nothing about the bids", async () => {
    const seen = async (sent: readonly object[]) => {
      const story = await reachTendering(world, sent);
      const startDate = (await story.fetchTender()).tenderPeriod.startDate;
      const dry = await story.as("chronograph", "PATCH", "?dry_run=1", { auctionPeriod: { startDate } });
      const real = await story.as("chronograph", "PATCH", "", { auctionPeriod: { startDate } });
      const views = [dry, real, await story.as("chronograph", "GET", "/chronograph")];
      const times = views.map((response) => expectStatus(200, response).body.data);
      return times.map(({ next_check, auctionPeriod, tenderPeriod, numberOfBids }) => [
        next_check === tenderPeriod.endDate,
        auctionPeriod.startDate === startDate,
        auctionPeriod.shouldStartAfter > tenderPeriod.endDate,
        numberOfBids,
      ]);
    };
    assert.deepEqual(await seen(bidsOf(100, 200, 300)), await seen([]));
  });
});

describe("after the deadline for bids", async () => {
  const world = await sharedWorld();

  it("an Administrator cannot move a tender back to bidding", async () => {
    for (const [amounts, status] of [
      [[100, 200], "active.auction"],
      [[100], "active.qualification"],
      [[], "unsuccessful"],
    ] as const) {
      const story = await reachTenderingEnd(world, bidsOf(...amounts));
      assert.equal((await story.fetchTender()).status, status);
      const response = await story.as("administrator", "PATCH", "", { status: "active.tendering" });
      assertRefusedByRule(response, "The tender can't go back: bids may have been placed or seen already");
      assert.equal(response.body.errors[0].rule, "tendering-ended");
      assert.equal((await story.fetchTender()).status, status);
    }
  });

  it("bids that wait for their auction are deleted when an Administrator ends the tender", async () => {
    for (const status of ["cancelled", "unsuccessful"]) {
      const story = await reachTenderingEnd(world, bidsOf(100, 200));
      const { data } = expectStatus(200, await story.as("administrator", "PATCH", "", { status })).body;
      assert.deepEqual([data.status, data.bids, data.numberOfBids], [status, undefined, 0]);
    }
  });

  it("an Administrator may move it forward", async () => {
    const story = await reachTenderingEnd(world, bidsOf(100, 200));
    const sent = { status: "active.qualification" };
    const { data } = expectStatus(200, await story.as("administrator", "PATCH", "", sent)).body;
    assert.deepEqual([data.status, data.bids.length], ["active.qualification", 2]);
  });
});

describe("on a test clock", async () => {
  const world = await sharedWorld();
  const api = world.api("2.5");

  it("the tender's own deadline counts, not the real time", async () => {
    const site = (path: string) => `${world.url}/sandbox/clocks${path}`;
    const now = new Date((world.clock.now + 1000 * DAY) / 1000).toISOString();
    const { id: clock } = expectStatus(201, await api.post(site(""), { now })).body.data;
    const sent = fullTender(world.clock.now + 1000 * DAY);
    const published = await api.post("/tenders", sent, { headers: { "X-Test-Clock": clock } });
    const path = `/tenders/${expectStatus(201, published).body.data.id}`;
    expectStatus(200, await api.post(site(`/${clock}/advance`), { next: true }));
    for (const amount of [100, 200]) expectStatus(201, await api.post(`${path}/bids`, bidOf(amount)));
    world.clock.forward(2000 * DAY);
    const auction = () => api.patch(path, { status: "active.auction" }, { key: "administrator" });
    assertRefusedByRule(await auction(), SEALED);
    expectStatus(200, await api.post(site(`/${clock}/advance`), { next: true }));
    const { data } = expectStatus(200, await api.get(`${path}/auction`, { key: "auction" })).body;
    assert.equal(data.bids.length, 2);
  });
});

it("the same rules hold in production", async () => {
  const folder = mkdtempSync(join(tmpdir(), "tenderhall-seal-"));
  const groups = { broker: "brokers", administrator: "Administrator", auction: "auction", token: "admins" };
  const keyOf = (name: string) => `a key of our own for ${name}`;
  const accounts = Object.entries(groups).map(([name, group]) => {
    const levels = group === "brokers" ? { levels: "1234" } : {};
    return { name, group, keyHash: hashOf(keyOf(name)), ...levels };
  });
  const ACCOUNTS_FILE = join(folder, "accounts.json");
  writeFileSync(ACCOUNTS_FILE, JSON.stringify(accounts));
  const world = await openWorld({ MODE: "production", ACCOUNTS_FILE });
  try {
    const api = world.api("2.5");
    const as = (name: string, method: string, path: string, data?: object) =>
      api.request(method, path, { key: keyOf(name), ...(data && { body: { data } }) });
    const { data } = expectStatus(201, await as("broker", "POST", "/tenders", fullTender(world.clock.now))).body;
    const path = `/tenders/${data.id}`;
    world.clock.forward(7 * DAY);
    for (const amount of [100, 200]) expectStatus(201, await as("broker", "POST", `${path}/bids`, bidOf(amount)));
    for (const status of OPENING) assertRefusedByRule(await as("administrator", "PATCH", path, { status }), SEALED);
    for (const name of ["auction", "token"]) expectStatus(403, await as(name, "GET", `${path}/auction`));
  } finally {
    await world.stop();
    rmSync(folder, { recursive: true });
  }
});
