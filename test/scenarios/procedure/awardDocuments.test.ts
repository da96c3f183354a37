import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { bidOf, fullTender } from "../../support/examples.ts";
import {
  type AnyJson,
  assertForbidden,
  assertRefusedByRule,
  bidsOf,
  cancelLot,
  decideLast,
  errorsWithStatus,
  finishAuction,
  LOT_A,
  LOT_B,
  onBoth,
  reachQualification,
  reachTenderingEnd,
  type TenderStory,
  withLots,
} from "../../support/procedure.ts";
import { expectStatus, type RequestOptions, sharedWorld } from "../../support/world.ts";

const file = { name: "рішення.txt", content: "рішення" };

describe("the documents of an award", async () => {
  const world = await sharedWorld();

  async function awardPath(story: TenderStory): Promise<string> {
    return `${story.path}/awards/${(await story.fetchTender()).awards[0].id}/documents`;
  }

  it("are added by the owner, bots and admins, and replaced only by whoever added them", async () => {
    const story = await reachQualification(world, bidsOf(1));
    const path = await awardPath(story);
    const add = (sent: RequestOptions) => story.api.upload(path, file, sent);
    const put = (id: string, sent: RequestOptions) =>
      story.api.upload(`${path}/${id}`, file, { ...sent, method: "PUT" });
    const owner = { token: story.token };
    const mine = expectStatus(201, await add(owner)).body.data;
    const bots = expectStatus(201, await add({ key: "bot" })).body.data;
    const admins = expectStatus(201, await add({ key: "token" })).body.data;
    assert.deepEqual([mine.author, bots.author, admins.author], ["tender_owner", "bots", "admins"]);
    expectStatus(201, await add({ key: "auction" }));
    for (const key of ["broker", "chronograph", "administrator", "reviewer"]) assertForbidden(await add({ key }));
    assertForbidden(await add({ token: story.bidders[0]!.token }));
    expectStatus(200, await put(mine.id, owner));
    expectStatus(200, await put(admins.id, { key: "token" }));
    assertForbidden(await put(bots.id, { key: "bot" }));
    const notAuthor = [["url/role", "Can update document only author"]];
    assert.deepEqual(errorsWithStatus(403, await put(bots.id, owner)), notAuthor);
    const described = await story.api.patch(`${path}/${bots.id}`, { description: "!" }, owner);
    assert.deepEqual(errorsWithStatus(403, described), notAuthor);
    assert.equal(expectStatus(200, await story.api.get(path, { key: null })).body.data.length, 4);
  });

  it("have their URLs in the scheduler's view too", async () => {
    const story = await reachQualification(world, bidsOf(1));
    const { url } = expectStatus(201, await story.api.upload(await awardPath(story), file, { token: story.token })).body
      .data;
    const schedule = expectStatus(200, await story.api.get(`${story.path}/chronograph`, { key: "chronograph" })).body
      .data;
    assert.equal(schedule.awards[0].documents[0].url, url);
  });

  it("are open while any award is pending, and closed once the tender is awarded", async () => {
    const story = await reachQualification(world, bidsOf(1, 2));
    const path = await awardPath(story);
    const { token } = story;
    await decideLast(story, "unsuccessful");
    const { id } = expectStatus(201, await story.api.upload(path, file, { token })).body.data;
    await decideLast(story, "active");
    const cannot = (doing: string) => `Can't ${doing} document in current (active.awarded) tender status`;
    assertRefusedByRule(await story.api.upload(path, file, { token }), cannot("add"));
    assertRefusedByRule(await story.api.upload(`${path}/${id}`, file, { token, method: "PUT" }), cannot("update"));
    assertRefusedByRule(await story.api.patch(`${path}/${id}`, { description: "!" }, { token }), cannot("update"));
  });

  it("are closed with their lot", async () => {
    const story = await reachQualification(world, [onBoth(1, 2)], withLots(world.clock.now));
    const path = await awardPath(story);
    const { token } = story;
    const { id } = expectStatus(201, await story.api.upload(path, file, { token })).body.data;
    await cancelLot(story, LOT_A);
    assertRefusedByRule(await story.api.upload(path, file, { token }), "Can add document only in active lot status");
    const put = await story.api.upload(`${path}/${id}`, file, { token, method: "PUT" });
    assertRefusedByRule(put, "Can update document only in active lot status");
  });
});

const options = (...values: number[]) => values.map((value) => ({ value, title: `${value}` }));
const answers = (...given: [string, number][]) => ({ parameters: given.map(([code, value]) => ({ code, value })) });

describe("the ranking of bids", async () => {
  const world = await sharedWorld();

  /** The indexes of the bids in the order in which they get the award. */
  async function order(story: TenderStory, lotID?: string): Promise<number[]> {
    const places: number[] = [];
    for (const _ of story.bidders) {
      const { awards } = await story.fetchTender();
      const { bid_id } = awards.findLast((award: AnyJson) => award.lotID === lotID);
      places.push(story.bidders.findIndex(({ id }) => id === bid_id));
      await decideLast(story, "unsuccessful", lotID);
    }
    return places;
  }

  it("is by price, and by date for equal prices", async () => {
    assert.deepEqual(await order(await reachQualification(world, bidsOf(3, 1, 2, 1))), [1, 3, 2, 0]);
    const story = await reachTenderingEnd(world, bidsOf(5, 6, 7));
    const [a, b, c] = story.bidders.map(({ id }) => id);
    const at = story.bidders.map(({ data }) => data.date);
    const value = { amount: 4 };
    const results = [
      { id: a, value, date: at[2] },
      { id: b, value, date: at[0] },
      { id: c, value, date: at[1] },
    ];
    expectStatus(200, await finishAuction(story, undefined, { bids: results }));
    assert.deepEqual(await order(story), [1, 2, 0]);
  });

  it("accounts for features, while the award has the offered price", async () => {
    const [item] = fullTender(world.clock.now).items;
    const id = "c".repeat(32);
    const features = [
      { code: "item", title: "Якість", featureOf: "item", relatedItem: id, enum: options(0, 0.1, 0.15) },
      { code: "firm", title: "Досвід", featureOf: "tenderer", enum: options(0.05, 0.1, 0.15) },
    ];
    const sent = [
      bidOf(469, answers(["item", 0.1], ["firm", 0.1])),
      bidOf(479, answers(["item", 0.15], ["firm", 0.15])),
      bidOf(400, answers(["item", 0], ["firm", 0.05])),
    ];
    const story = await reachQualification(world, sent, { items: [{ ...item, id }], features });
    assert.equal((await story.fetchTender()).awards[0].value.amount, 479);
    assert.deepEqual(await order(story), [1, 0, 2]);
  });

  it("for a lot uses only the features of the tenderer, of that lot and of its items", async () => {
    const [item] = fullTender(world.clock.now).items;
    const id = "c".repeat(32);
    const features = [
      { code: "a", title: "Лот А", featureOf: "lot", relatedItem: LOT_A, enum: options(0, 0.2) },
      { code: "b", title: "Річ у Б", featureOf: "item", relatedItem: id, enum: options(0, 0.2) },
    ];
    const sent = [
      { ...onBoth(100, 100), ...answers(["a", 0], ["b", 0.2]) },
      { ...onBoth(110, 110), ...answers(["a", 0.2], ["b", 0]) },
    ];
    const more = { ...withLots(world.clock.now), items: [{ ...item, id, relatedLot: LOT_B }], features };
    const story = await reachQualification(world, sent, more);
    assert.deepEqual(await order(story, LOT_A), [1, 0]);
    assert.deepEqual(await order(story, LOT_B), [0, 1]);
  });

  it("is by date for exactly equal normalised prices", async () => {
    const features = [{ code: "x", title: "Якість", enum: options(0, 0.1, 0.3) }];
    // 0.7 / 0.8 of 80 is 70, as are 70 and 0.7 of 100.
    const sent = [bidOf(100, answers(["x", 0.3])), bidOf(80, answers(["x", 0.1])), bidOf(70, answers(["x", 0]))];
    assert.deepEqual(await order(await reachQualification(world, sent, { features })), [0, 1, 2]);
    assert.deepEqual(await order(await reachQualification(world, sent.toReversed(), { features })), [0, 1, 2]);
  });
});
