import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { DAY, type PublishedTender, publish } from "../support/examples.ts";
import { VERSIONS, type VersionNames } from "../support/versionNames.ts";
import { expectStatus, sharedWorld, type World } from "../support/world.ts";
import { awardAs, bidAs, documentAs, everything, fullOrganisation, parameters, questionAs, tenderAs } from "./older.ts";

/** A tender made by 2.3 with everything in it, a question and a document. */
async function publishEverything(world: World, more: object = {}): Promise<PublishedTender> {
  const api = world.api("2.3");
  world.clock.forward(1_000_000);
  const tender = await publish(api, { ...everything(world.clock.now), ...more });
  if (tender.response.body.data.status === "draft") return tender;
  const question = { title: "Скільки?", description: "Порцій", author: fullOrganisation };
  const { id } = expectStatus(201, await api.post(`${tender.path}/questions`, question)).body.data;
  expectStatus(200, await api.patch(`${tender.path}/questions/${id}`, { answer: "300" }, { token: tender.token }));
  const file = { name: "умови.txt", content: "умови" };
  expectStatus(201, await api.upload(`${tender.path}/documents`, file, { token: tender.token }));
  return tender;
}

async function placeEverything(world: World, { path }: PublishedTender, amount: number): Promise<void> {
  const api = world.api("2.3");
  const sent = { tenderers: [fullOrganisation], value: { amount }, parameters };
  const { data, access } = expectStatus(201, await api.post(`${path}/bids`, sent)).body;
  const file = { name: "ціна.txt", content: "ціна" };
  expectStatus(201, await api.upload(`${path}/bids/${data.id}/documents`, file, { token: access.token }));
}

async function throughTendering(world: World, amounts: readonly number[], more: object = {}): Promise<PublishedTender> {
  const tender = await publishEverything(world, more);
  world.clock.forward(7 * DAY);
  for (const amount of amounts) await placeEverything(world, tender, amount);
  world.clock.forward(7 * DAY);
  return tender;
}

const BASIC = { procurementMethodType: undefined };

async function endedBy(world: World, status: string): Promise<PublishedTender> {
  const tender = await throughTendering(world, [475000, 480000], BASIC);
  const api = world.api("2.3");
  const award = { awardStatus: "active", suppliers: [fullOrganisation], awardValue: { amount: 475000 } };
  expectStatus(201, await api.post(`${tender.path}/awards`, award, { token: tender.token }));
  expectStatus(200, await api.patch(tender.path, { status }, { token: tender.token }));
  return tender;
}

/** How a tender comes to be where it is: a status as 2.3 says it, and the way there. */
const WAYS: readonly (readonly [status: string, how: string, reach: (world: World) => Promise<PublishedTender>])[] = [
  ["draft", "", (world) => publishEverything(world, { status: "draft" })],
  ["active.enquiries", "", publishEverything],
  [
    "tendering",
    " with sealed bids",
    async (world) => {
      const tender = await publishEverything(world);
      world.clock.forward(7 * DAY);
      await placeEverything(world, tender, 475000);
      return tender;
    },
  ],
  [
    "tendering",
    " with open bids",
    async (world) => {
      const tender = await publishEverything(world, BASIC);
      world.clock.forward(7 * DAY);
      await placeEverything(world, tender, 475000);
      return tender;
    },
  ],
  ["active.auction", "", (world) => throughTendering(world, [475000, 480000])],
  ["active.qualification", " after one bid", (world) => throughTendering(world, [475000])],
  ["active.qualification", " without a type", (world) => throughTendering(world, [475000, 480000], BASIC)],
  ["unsuccessful", " for want of bids", (world) => throughTendering(world, [])],
  ["unsuccessful", " by its owner", (world) => endedBy(world, "unsuccessful")],
  ["cancelled", "", (world) => endedBy(world, "cancelled")],
  ["complete", "", (world) => endedBy(world, "complete")],
];

/** Everything that hangs on the tender reads, and is what 2.3 shows in the words of the version. */
async function assertReadable(world: World, names: VersionNames, path: string): Promise<void> {
  const [api, newest] = [world.api(names.version), world.api("2.3")];
  const read = async (at: string, newestAt = at) => ({
    seen: expectStatus(200, await api.get(at, { key: null })).body.data,
    whole: expectStatus(200, await newest.get(newestAt, { key: null })).body.data,
  });
  const lists = [
    [`${path}/${names.bids}`, `${path}/bids`, bidAs],
    [`${path}/awards`, `${path}/awards`, awardAs],
    [`${path}/questions`, `${path}/questions`, questionAs],
    [`${path}/documents`, `${path}/documents`, documentAs],
  ] as const;
  for (const [at, newestAt, as] of lists) {
    const { seen, whole: newestEntries } = await read(at, newestAt);
    const expected = newestEntries.map((entry: unknown) => as(names.version, entry));
    assert.deepEqual(seen, expected);
    for (const entry of seen) expectStatus(200, await api.get(`${at}/${entry.id ?? entry.awardID}`, { key: null }));
  }
  const auction = (await read(`${path}/auction`)).seen;
  assert.ok(Array.isArray(auction.bids));
  assert.deepEqual((await read(`${path}/complaints`)).seen, []);
}

describe("a tender created by 2.3 with all fields", async () => {
  const world = await sharedWorld();

  for (const [status, how, reach] of WAYS)
    it(`is readable in every version in ${status}${how}`, async () => {
      const { id, path } = await reach(world);
      const { data } = expectStatus(200, await world.api("2.3").get(path)).body;
      assert.equal(data.status, status);
      for (const names of VERSIONS) {
        const seen = expectStatus(200, await world.api(names.version).get(path, { key: null })).body;
        assert.deepEqual(seen, { data: tenderAs(names.version, data) });
        await assertReadable(world, names, path);
        const listed = (await world.api(names.version).get("/tenders?limit=1000")).body.data;
        const own = listed.filter((entry: { id: string }) => entry.id === id);
        assert.deepEqual(own, status === "draft" ? [] : [{ id, [names.stamp]: data.dateModified }]);
      }
    });

  it("shows no sealed bid to any version, not even their number", async () => {
    const tender = await publishEverything(world);
    world.clock.forward(7 * DAY);
    const before = await Promise.all(VERSIONS.map(({ version }) => world.api(version).get(tender.path)));
    await placeEverything(world, tender, 475000);
    for (const [i, { version, bids }] of VERSIONS.entries()) {
      const api = world.api(version);
      assert.deepEqual((await api.get(`${tender.path}/${bids}`)).body, { data: [] });
      assert.deepEqual((await api.get(`${tender.path}/auction`)).body.data.bids, []);
      assert.equal((await api.get(tender.path)).text, before[i]!.text);
    }
  });

  it("shows a sealed bid to its owner in the terms of every version", async () => {
    const { path } = await publishEverything(world);
    world.clock.forward(7 * DAY);
    const sent = { tenderers: [fullOrganisation], value: { amount: 475000 }, parameters };
    const { data, access } = expectStatus(201, await world.api("2.3").post(`${path}/bids`, sent)).body;
    for (const { version, bids } of VERSIONS) {
      const api = world.api(version);
      const seen = expectStatus(200, await api.get(`${path}/${bids}/${data.id}`, { token: access.token })).body;
      assert.deepEqual(seen, { data: bidAs(version, data) });
      expectStatus(404, await api.get(`${path}/${bids}/${data.id}`));
    }
  });

  it("is readable in every version with lots and bids on them", async () => {
    const lot = { id: "a".repeat(32), title: "Обіди", value: { amount: 500000 }, minimalStep: { amount: 5000 } };
    const { items, features: _none, ...rest } = everything(world.clock.now);
    const sent = { ...rest, items: items.map((item) => ({ ...item, relatedLot: lot.id })), lots: [lot] };
    const { path } = await publish(world.api("2.3"), sent);
    world.clock.forward(7 * DAY);
    const lotValues = [{ value: { amount: 475000 }, relatedLot: lot.id }];
    expectStatus(201, await world.api("2.3").post(`${path}/bids`, { tenderers: [fullOrganisation], lotValues }));
    world.clock.forward(7 * DAY);
    const { data } = (await world.api("2.3").get(path)).body;
    assert.equal(data.status, "active.qualification");
    for (const names of VERSIONS) {
      const seen = expectStatus(200, await world.api(names.version).get(path)).body;
      assert.deepEqual(seen, { data: tenderAs(names.version, data) });
      await assertReadable(world, names, path);
    }
  });
});
