import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { openClient, TenderhallError, type TenderSent } from "../../src/client/index.ts";
import { bidOf, cook, DAY, fullTender } from "../support/examples.ts";
import { claimOf } from "../support/procedure.ts";
import { sharedWorld } from "../support/world.ts";

const world = await sharedWorld();
const tender = (more: Partial<TenderSent> = {}): TenderSent => ({ ...fullTender(world.clock.now), ...more });
const open = (key = "broker") => openClient({ url: world.url, key, retries: { max: 2, initialDelayMs: 1 } });

/** The expected error of the client. */
async function expectRefusal(asking: Promise<unknown>): Promise<TenderhallError> {
  const error = await asking.then(
    () => assert.fail("it was not refused"),
    (reason) => reason,
  );
  assert.ok(error instanceof TenderhallError, String(error));
  return error;
}

describe("the client", () => {
  it("publishes a tender, stores its token and sends it automatically", async () => {
    const client = open();
    const { data, token, location, requestId } = await client.tenders.create(tender({ title: "Папір" }));
    assert.equal(location, `${world.url}/api/2.5/tenders/${data.id}`);
    assert.ok(token && requestId);
    assert.equal(client.tokens.get(data.id), token);
    const changed = await client.tenders.patch(data.id, { title: "Папір А4", title_en: null });
    assert.equal(changed.data.title, "Папір А4");
    assert.equal((await client.tenders.get(data.id)).data.title, "Папір А4");
  });

  it("prefers an explicit token to the stored one", async () => {
    const client = open();
    const { data } = await client.tenders.create(tender({ title: "Папір" }));
    assert.equal((await expectRefusal(client.tenders.patch(data.id, { title: "x" }, { token: "wrong" }))).status, 403);
    assert.equal((await expectRefusal(client.tenders.patch(data.id, { title: "x" }, { token: "" }))).status, 403);
  });

  it("passes its tokens to another client", async () => {
    const first = open();
    const { data } = await first.tenders.create(tender({ title: "Папір" }));
    const exported = JSON.parse(JSON.stringify(first.tokens.export()));
    const second = openClient({ url: world.url, key: "broker", tokens: exported });
    assert.equal((await second.tenders.patch(data.id, { title: "Ще" })).data.title, "Ще");
    second.tokens.clear();
    assert.equal((await expectRefusal(second.tenders.patch(data.id, { title: "x" }))).status, 403);
  });

  it("uses the new token after a renewal", async () => {
    const client = open();
    const { data, token } = await client.tenders.create(tender());
    const renewed = await client.tenders.renewToken(data.id);
    assert.notEqual(renewed.token, token);
    assert.equal((await client.tenders.patch(data.id, { title: "Інша назва" })).data.title, "Інша назва");
  });

  it("reports every error of a refusal", async () => {
    const error = await expectRefusal(open().tenders.create({ procurementMethodType: "belowThreshold" } as TenderSent));
    assert.equal(error.status, 422);
    assert.ok(error.requestId);
    assert.deepEqual(error.errors.find(({ name }) => name === "title")?.description, ["This field is required."]);
    assert.match(error.message, /^POST \/api\/2\.5\/tenders failed with 422 \(.*body\/title: /);
    assert.equal((await expectRefusal(open().tenders.get("0".repeat(32)))).errors[0]?.name, "tender_id");
    assert.equal((await expectRefusal(openClient({ url: world.url }).tenders.create(tender()))).status, 401);
  });

  it("rejects an id that would change the path", async () => {
    const client = open();
    await assert.rejects(async () => client.tenders.get(".."), TypeError);
    await assert.rejects(async () => client.bids.get("a", undefined as never), TypeError);
    assert.equal((await expectRefusal(client.tenders.get("../health"))).status, 404);
  });

  it("iterates over the feed, and finds a tender by its number", async () => {
    const client = open();
    const { data } = await client.tenders.create(tender({ title: "Шукаю" }));
    const page = await client.tenders.list({ descending: true, limit: 1, opt_fields: ["title", "status"] });
    assert.deepEqual([page.data[0]?.id, page.data[0]?.title], [data.id, "Шукаю"]);
    assert.ok(page.next_page.offset && page.prev_page);
    const found = await client.tenders.find(data.tenderID);
    assert.equal(found?.data.id, data.id);
    assert.equal(await client.tenders.find("UA-1999-01-01-000001"), undefined);
  });
});

describe("the client in a complete procedure", () => {
  it("sends the owner's token for the tender, and each bidder's token for bids and complaints", async () => {
    const client = open();
    const id = (await client.tenders.create(tender())).data.id;
    const question = await client.questions.create(id, { title: "Коли?", description: "?", author: cook });
    const response = await client.questions.patch(id, question.data.id, { answer: "Завтра" });
    assert.equal(response.data.answer, "Завтра");
    world.clock.forward(7 * DAY);
    const bid = await client.bids.create(id, bidOf(400));
    assert.equal((await client.bids.get(id, bid.data.id)).data.value?.amount, 400);
    await client.bids.patch(id, bid.data.id, { value: { amount: 390 } });
    const withdrawn = await client.bids.create(id, bidOf(410));
    await client.bids.delete(id, withdrawn.data.id);
    world.clock.forward(7 * DAY);
    const [award] = (await client.awards.list(id)).data;
    assert.equal((await client.awards.patch(id, award!.id, { status: "active" })).data.status, "active");
    const about = { tender: id, award: award!.id };
    const { data: claim } = await client.complaints.create(about, { ...claimOf(), status: "claim" });
    const answer = { status: "answered", resolutionType: "resolved", resolution: "Ми все перевірили ще раз." } as const;
    await client.complaints.patch(about, claim.id, answer, { token: client.tokens.get(id) });
    const settled = await client.complaints.patch(about, claim.id, { satisfied: true, status: "resolved" });
    assert.equal(settled.data.status, "resolved");
    const [contract] = (await client.contracts.list(id)).data;
    world.clock.forward(14 * DAY);
    assert.equal((await client.contracts.patch(id, contract!.id, { status: "active" })).data.status, "active");
    assert.equal((await client.tenders.get(id)).data.status, "complete");
  });

  it("works in the roles of auction and scheduler", async () => {
    const client = open();
    const id = (await client.tenders.create(tender())).data.id;
    world.clock.forward(7 * DAY);
    for (const amount of [400, 390]) await client.bids.create(id, bidOf(amount));
    world.clock.forward(7 * DAY);
    const schedule = await open("chronograph").tenders.schedule(id);
    assert.equal(schedule.data.status, "active.auction");
    const auction = open("auction");
    const { data } = await auction.auction.get(id);
    const places = data.bids.map(() => ({ participationUrl: "http://auction.example/bid" }));
    const patched = await auction.auction.patch(id, { auctionUrl: "http://auction.example/", bids: places });
    assert.equal(patched.data.auctionUrl, "http://auction.example/");
    assert.equal((await auction.auction.finish(id, {})).data.status, "active.qualification");
  });

  it("adds, changes and removes lots, and cancels the tender", async () => {
    const client = open();
    const id = (await client.tenders.create(tender())).data.id;
    const lot = await client.lots.create(id, {
      title: "Лот",
      value: { amount: 500000 },
      minimalStep: { amount: 5000 },
    });
    const lotId = lot.data.id!;
    assert.equal((await client.lots.patch(id, lotId, { title: "Лот 1" })).data.title, "Лот 1");
    await client.lots.delete(id, lotId);
    assert.deepEqual((await client.lots.list(id)).data, []);
    const sent = { reason: "Не треба", cancellationOf: "tender", status: "active" } as const;
    const cancellation = await client.cancellations.create(id, sent);
    assert.equal((await client.cancellations.get(id, cancellation.data.id)).data.reason, "Не треба");
    assert.equal((await client.tenders.get(id)).data.status, "cancelled");
  });

  it("sends any other request with the same credentials", async () => {
    const client = open();
    const { data } = await client.request<{ readonly id: string }>("POST", "/tenders", { data: tender() });
    assert.equal((await client.request("GET", `/tenders/${data.id}`)).status, 200);
    const { date, requestId, ...health } = await client.health.check();
    assert.deepEqual(health, { ok: true, status: 200, body: { status: "ok" } });
    const ready = await client.health.ready();
    assert.deepEqual(ready.body, { status: "ok", checks: { store: "ok", files: "ok" } });
    assert.ok(Date.parse(date!) > 0 && requestId);
    assert.equal((await client.description()).openapi, "3.1.0");
    assert.ok((await client.spore()).methods);
  });
});
