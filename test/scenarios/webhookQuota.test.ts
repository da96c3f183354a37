import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { DAY, fullTender, publish } from "../support/examples.ts";
import { waitUntil } from "../support/processes.ts";
import { ENTRIES } from "../support/storedEntries.ts";
import { openWebhookApi, openWebhookReceiver, respondOk, respondWithError } from "../support/webhookReceiver.ts";
import { expectStatus, sharedWorld, type World } from "../support/world.ts";

/** What webhooks store, and what happens when it is too much. */

const SECOND = 1_000_000;
const TEXT = "d".repeat(50_000);
const FIELDS = ["title", "status", "value", "items", "procuringEntity", "tenderPeriod", "enquiryPeriod", "minimalStep"];

const publishLong = ({ api, clock }: World, title = "Long") =>
  publish(api("2.3"), { ...fullTender(clock.now), title, description: TEXT });

async function storedIn({ database }: World): Promise<number> {
  const [row] = await database.query(
    `select coalesce(sum(length(value)), 0) as stored from ${ENTRIES} where kind = 'delivery' or kind like 'snapshot%'`,
  );
  return Number(row!.stored);
}

/** The kinds of all entries of deliveries. */
async function leftIn({ database }: World): Promise<readonly string[]> {
  const kinds = "kind like 'delivery%' or kind like 'snapshot%'";
  return (await database.query(`select kind from ${ENTRIES} where ${kinds}`)).map(({ kind }) => String(kind));
}

describe("pending changes with fields of the tender", () => {
  it("are stored once for any number of webhooks, fields and versions, and deleted with the last of them", async () => {
    const world = await sharedWorld();
    const hooks = openWebhookApi(world);
    const receiver = await openWebhookReceiver();
    receiver.respond = respondWithError;
    const ids: string[] = [];
    for (let i = 0; i < 20; i++) {
      const opt_fields = ["description", ...FIELDS.filter((_, bit) => i & (1 << bit))].join();
      const made = await hooks.create({ url: receiver.url, opt_fields, version: ["2.5", "2.3"][i % 2] });
      ids.push(expectStatus(201, made).body.data.id);
    }
    await publishLong(world);
    await receiver.waitForDeliveries(20);
    const stored = await storedIn(world);
    assert.ok(stored < 2 * TEXT.length, `${stored} bytes stored`);
    assert.equal(new Set(receiver.received.map(({ text }) => text)).size, 20);
    const allHave = (message: string, holds: (delivery: { attempts: number; status: string }) => boolean) =>
      waitUntil(
        async () => {
          const listed = await Promise.all(ids.map((id) => hooks.deliveries(id)));
          return listed.every(([delivery]) => delivery && holds(delivery));
        },
        () => message,
      );
    await allHave("attempted", ({ attempts }) => attempts === 1);
    receiver.respond = respondOk;
    world.clock.forward(10 * SECOND);
    await receiver.waitForDeliveries(40);
    await allHave("delivered", ({ status }) => status === "delivered");
    const first = (at: number) => receiver.received.slice(at, at + 20).map(({ text }) => text);
    assert.deepEqual(first(0).sort(), first(20).sort());
    // Some expire, the others are deleted with their webhooks.
    for (const id of ids.slice(0, 10)) expectStatus(200, await hooks.delete(id));
    let left: readonly string[] = [];
    await waitUntil(
      async () => {
        // Moving the clock also changes the tender, which the remaining webhooks get.
        world.clock.forward(8 * DAY);
        left = await leftIn(world);
        return left.length === 0;
      },
      () => `still there: ${left}`,
    );
  });
});

const ROOM = 4 * TEXT.length;
const MANY = 12;

describe("an account with slow receivers", () => {
  it("has its changes held in the feed, as its webhook shows, and gets all of them in the end", async () => {
    const world = await sharedWorld({ WEBHOOK_BYTES_MAX: String(ROOM) });
    const hooks = openWebhookApi(world);
    const others = openWebhookApi(world, "broker1");
    const [receiver, otherReceiver] = [await openWebhookReceiver(), await openWebhookReceiver()];
    receiver.respond = respondWithError;
    const { id } = expectStatus(201, await hooks.create({ url: receiver.url, opt_fields: "description,title" })).body
      .data;
    for (let i = 0; i < MANY; i++) {
      await publishLong(world, `Number ${i}`);
      await waitUntil(
        async () =>
          (await hooks.deliveries(id, "?status=pending")).length > i ||
          (await hooks.get(`/${id}`)).body.data.heldSince !== undefined,
        () => `change ${i} to be followed`,
      );
    }
    assert.ok((await storedIn(world)) < ROOM + 2 * TEXT.length, `${await storedIn(world)} bytes stored`);
    assert.match((await hooks.get(`/${id}`)).body.data.heldSince, /^2026-/);
    // Other accounts get deliveries meanwhile.
    expectStatus(201, await others.create({ url: otherReceiver.url, opt_fields: "description" }));
    await publishLong(world, "Another");
    await otherReceiver.waitForDeliveries(1);
    receiver.respond = respondOk;
    const titles = () => new Set(receiver.received.map(({ data }) => data.title));
    await waitUntil(
      () => {
        world.clock.forward(10 * SECOND);
        return Array.from({ length: MANY }, (_, i) => `Number ${i}`).every((title) => titles().has(title));
      },
      () => `${titles().size} told`,
    );
    await waitUntil(
      async () => (await hooks.get(`/${id}`)).body.data.heldSince === undefined,
      () => "nothing to be held any more",
    );
  });

  it("has completed deliveries listed only while there is space", async () => {
    const world = await sharedWorld({ WEBHOOK_BYTES_MAX: String(ROOM) });
    const hooks = openWebhookApi(world);
    const receiver = await openWebhookReceiver();
    const { id } = expectStatus(201, await hooks.create({ url: receiver.url, opt_fields: "description" })).body.data;
    for (let i = 0; i < MANY; i++) {
      await publishLong(world);
      await receiver.waitForDeliveries(i + 1);
    }
    await waitUntil(
      async () => (await hooks.deliveries(id, "?status=pending")).length === 0,
      () => "all to be delivered",
    );
    const listed = await hooks.deliveries(id);
    assert.ok(listed.length > 0 && listed.length < 5, `${listed.length} listed`);
    assert.ok((await storedIn(world)) < ROOM + TEXT.length);
    // A listed delivery can be requested again, and frees its space until it is finished.
    expectStatus(200, await hooks.resend(id, listed[0].id));
    await receiver.waitForDeliveries(MANY + 1);
    assert.equal(
      receiver.received.at(-1)!.text,
      receiver.received.find(({ data }) => data.id === listed[0].tender)!.text,
    );
  });
});
