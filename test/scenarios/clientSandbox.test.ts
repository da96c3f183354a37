import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, it, type TestContext } from "node:test";
import { type Client, openClient, TenderhallError, verifyWebhook } from "../../src/client/index.ts";
import { bidOf, fullTender } from "../support/examples.ts";
import { openWorld } from "../support/world.ts";

/** The client with test clocks, idempotency, dry runs, conditions, webhooks and the stream of a real registry. */

async function opened(t: TestContext): Promise<Client> {
  const world = await openWorld({}, true);
  t.after(world.stop);
  return openClient({ url: world.url, key: "broker", retries: { max: 1, initialDelayMs: 5 } });
}

const now = () => Date.now() * 1000;

describe("the client in the sandbox", () => {
  it("completes a procedure on a test clock", async (t) => {
    const client = await opened(t);
    const { data: clock } = await client.clocks.create();
    const { data: tender } = await client.tenders.create(fullTender(now()), { clock: clock.id });
    const statusAfter = async (): Promise<string | undefined> => {
      const { data } = await client.clocks.advance(clock.id, { next: true });
      return data.tenders.find(({ id }) => id === tender.id)?.status;
    };
    assert.equal(await statusAfter(), "active.tendering");
    await client.bids.create(tender.id, bidOf(400));
    assert.equal(await statusAfter(), "active.qualification");
    const [award] = (await client.awards.list(tender.id)).data;
    await client.awards.patch(tender.id, award!.id, { status: "active" });
    await client.clocks.advance(clock.id, { by: "P30D" });
    const [contract] = (await client.contracts.list(tender.id)).data;
    await client.contracts.patch(tender.id, contract!.id, { status: "active" });
    assert.equal((await client.clocks.get(clock.id)).data.tenders[0]?.status, "complete");
    assert.ok((await client.clocks.list()).data.some(({ id }) => id === clock.id));
  });

  it("repeats nothing under one idempotency key, files included", async (t) => {
    const client = await opened(t);
    const sent = fullTender(now());
    const first = await client.tenders.create(sent, { idempotencyKey: "one" });
    const second = await client.tenders.create(sent, { idempotencyKey: "one" });
    assert.equal(second.replayed, true);
    assert.deepEqual([second.data.id, second.token], [first.data.id, first.token]);
    const parent = { tender: first.data.id };
    const [a, b] = [
      await client.documents.upload(parent, "x", { name: "x", idempotencyKey: "two" }),
      await client.documents.upload(parent, "x", { name: "x", idempotencyKey: "two" }),
    ];
    assert.equal(a.data.id, b.data.id);
    assert.equal(b.replayed, true);
    await assert.rejects(client.tenders.create({ ...sent, title: "Інше" }, { idempotencyKey: "one" }), { status: 422 });
  });

  it("stores nothing in a dry run", async (t) => {
    const client = await opened(t);
    const tried = await client.tenders.create(fullTender(now()), { dryRun: true });
    assert.equal(tried.dryRun, true);
    assert.equal(tried.data.status, "active.enquiries");
    assert.deepEqual((await client.tenders.list()).data, []);
    await assert.rejects(client.tenders.create({} as never, { dryRun: true }), { status: 422 });
  });

  it("updates a tender only if it is unchanged since it was read", async (t) => {
    const client = await opened(t);
    const { id } = (await client.tenders.create(fullTender(now()))).data;
    const { etag } = await client.tenders.get(id);
    assert.ok(etag);
    const same = await client.tenders.get(id, { ifNoneMatch: etag });
    assert.equal(same.notModified, true);
    await client.tenders.patch(id, { title: "Раз" }, { ifMatch: etag });
    await assert.rejects(client.tenders.patch(id, { title: "Два" }, { ifMatch: etag }), { status: 412 });
    assert.equal((await client.tenders.get(id, { ifNoneMatch: etag })).data?.title, "Раз");
  });

  it("finds tenders by filters", async (t) => {
    const client = await opened(t);
    const { data } = await client.tenders.create(fullTender(now()));
    await client.tenders.create({ ...fullTender(now()), value: { amount: 7000 }, minimalStep: { amount: 70 } });
    const page = await client.tenders.list({ value_min: 10_000, status: ["active.enquiries"], classification: "555" });
    assert.equal(page.data.length, 1);
    assert.equal(page.data[0]!.id, data.id);
    const cut = await client.tenders.list({ "tenderPeriod.endDate_to": new Date() });
    assert.deepEqual(cut.data, []);
  });

  it("reports the rule and the documentation link of a refusal", async (t) => {
    const client = await opened(t);
    const error = await client.tenders.create({} as never).catch((reason) => reason);
    assert.ok(error instanceof TenderhallError);
    const [{ rule, docs }] = error.errors as [(typeof error.errors)[number]];
    assert.ok(rule);
    assert.match(rule!, /^[a-z0-9]+(-[a-z0-9]+)*$/);
    assert.ok(docs?.endsWith(`/docs/errors#${rule}`));
  });

  it("creates a webhook and verifies its deliveries", async (t) => {
    const client = await opened(t);
    const { url, delivery: received } = await receiver(t);
    const { data: webhook, secret } = await client.webhooks.create({ url, opt_fields: "title" });
    const { data } = await client.tenders.create(fullTender(now()));
    const { signature, body } = await received;
    assert.equal(await verifyWebhook({ secret, signature, body }), true);
    assert.equal(JSON.parse(body).data.id, data.id);
    const [delivery] = (await client.webhooks.deliveries(webhook.id)).data;
    assert.equal((await client.webhooks.delivery(webhook.id, delivery!.id)).data.tender, data.id);
    const rotated = await client.webhooks.rotateSecret(webhook.id);
    assert.notEqual(rotated.secret, secret);
    await client.webhooks.resend(webhook.id, delivery!.id);
    assert.equal((await client.webhooks.patch(webhook.id, { status: "paused" })).data.status, "paused");
    const read = await client.webhooks.get(webhook.id);
    assert.equal((await client.webhooks.get(webhook.id, { ifNoneMatch: read.etag })).notModified, true);
    await assert.rejects(client.webhooks.delete(webhook.id, { ifMatch: '"another"' }), { status: 412 });
    assert.equal((await client.webhooks.delete(webhook.id, { ifMatch: read.etag })).data.url, url);
    await assert.rejects(client.webhooks.get(webhook.id), { status: 404 });
  });

  it("follows the stream without polling pages", async (t) => {
    const world = await openWorld({}, true);
    t.after(world.stop);
    const requests: string[] = [];
    const watching: typeof fetch = (input, init) => {
      requests.push(new URL(String(input)).pathname);
      return fetch(input, init);
    };
    const client = openClient({ url: world.url, key: "broker", fetch: watching });
    const { data } = await client.tenders.create(fullTender(now()));
    for await (const change of client.follow()) {
      assert.equal(change.id, data.id);
      break;
    }
    assert.equal(requests.at(-1), "/api/2.5/tenders/stream");
  });
});

type SignedDelivery = { readonly signature: string; readonly body: string };

async function receiver(t: TestContext): Promise<{ readonly url: string; readonly delivery: Promise<SignedDelivery> }> {
  const { promise, resolve } = Promise.withResolvers<SignedDelivery>();
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request.setEncoding("utf8")) body += chunk;
    response.end();
    resolve({ signature: String(request.headers["tenderhall-signature"]), body });
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  t.after(() => server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, delivery: promise };
}
