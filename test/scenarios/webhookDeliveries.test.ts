import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { DAY, formatTime, fullTender, MINUTE, publish } from "../support/examples.ts";
import { waitUntil } from "../support/processes.ts";
import {
  checkSignature,
  openWebhookApi,
  openWebhookReceiver,
  type ReceivedDelivery,
  respondOk,
  respondWithError,
} from "../support/webhookReceiver.ts";
import { expectStatus, openWorld, sharedWorld } from "../support/world.ts";

const SECOND = 1_000_000;
const world = await sharedWorld();
const api = world.api("2.3");
const hooks = openWebhookApi(world);
const publishOne = (more: object = {}) => publish(api, { ...fullTender(world.clock.now), ...more });
const titlesOf = (received: readonly ReceivedDelivery[]) => received.map(({ data }) => data.title);

/** A webhook with its own receiver. */
async function openWebhook(more: object = {}) {
  const receiver = await openWebhookReceiver();
  const { body } = expectStatus(201, await hooks.create({ url: receiver.url, ...more }));
  const { id } = body.data;
  const deliveries = (query = "") => hooks.deliveries(id, query);
  const settled = (status: string, count: number) =>
    waitUntil(
      async () => (await deliveries(`?status=${status}`)).length === count,
      () => `${count} to be ${status}`,
    );
  return {
    ...{ receiver, id, secret: body.access.secret as string, deliveries, settled },
    end: () => hooks.delete(id),
  };
}

/**
 * Shows that nothing was delivered: waits for a later delivery. All webhooks are served in one round, and changes in mode `test`
 * reach only this one.
 */
const later = await openWebhook({ mode: "test" });
async function waitForLaterDelivery(): Promise<void> {
  for (let times = 0; times < 2; times++) {
    const before = later.receiver.received.length;
    await publishOne({ mode: "test" });
    await later.receiver.waitForDeliveries(before + 1);
  }
}

describe("a change", () => {
  it("is delivered with a signature, as the feed shows it", async () => {
    const { receiver, id, secret, settled, deliveries, end } = await openWebhook();
    const tender = await publishOne();
    const [told] = await receiver.waitForDeliveries(1);
    const feed = await world.api("2.5").get("/tenders?descending=1&limit=1");
    assert.equal(told!.text, JSON.stringify({ data: feed.body.data[0] }));
    assert.equal(told!.headers["content-type"], "application/json; charset=UTF-8");
    assert.equal(told!.headers["tenderhall-webhook"], id);
    assert.equal(checkSignature(told!, secret), Math.floor(world.clock.now / SECOND));
    await settled("delivered", 1);
    const [delivery] = await deliveries();
    assert.deepEqual(delivery, {
      ...{ id: told!.headers["tenderhall-delivery"], tender: tender.id, dateModified: feed.body.data[0].dateModified },
      ...{ status: "delivered", attempts: 1, lastAttempt: formatTime(world.clock.now), response: { status: 204 } },
      dateCreated: formatTime(world.clock.now),
    });
    assert.deepEqual((await hooks.get(`/${id}/deliveries/${delivery.id}`)).body.data, delivery);
    await end();
  });

  it("is delivered in the webhook's version with its fields, byte for byte as the feed has them", async () => {
    for (const version of ["2.5", "2.3", "0.1"]) {
      const opt_fields = "title,status,value,documents,procuringEntity";
      const { receiver, end } = await openWebhook({ version, opt_fields });
      const { path, token } = await publishOne({ title: `За ${version} "так"` });
      await receiver.waitForDeliveries(1);
      expectStatus(201, await api.upload(`${path}/documents`, { name: "a.txt", content: "a" }, { token }));
      await receiver.waitForDeliveries(2);
      const page = await world.api(version).get(`/tenders?descending=1&limit=1&opt_fields=${opt_fields}`);
      const entry = page.text.slice('{"data":['.length, page.text.indexOf('],"next_page"'));
      assert.equal(receiver.received.at(-1)!.text, `{"data":${entry}}`);
      await end();
    }
  });

  it("is delivered only to webhooks whose filter matches", async () => {
    const tests = await openWebhook({ mode: "test" });
    const all = await openWebhook({ mode: "_all_", opt_fields: "mode" });
    const tendering = await openWebhook({ filter: { status: "active.tendering" }, opt_fields: "status" });
    const real = await publishOne();
    const test = await publishOne({ mode: "test" });
    await all.receiver.waitForDeliveries(2);
    await tests.receiver.waitForDeliveries(1);
    const last = await publishOne({ mode: "test" });
    await all.receiver.waitForDeliveries(3);
    await tests.receiver.waitForDeliveries(2);
    const idsOf = ({ receiver }: typeof all) => receiver.received.map(({ data }) => data.id);
    assert.deepEqual(new Set(idsOf(all)), new Set([real.id, test.id, last.id]));
    assert.deepEqual(new Set(idsOf(tests)), new Set([test.id, last.id]));
    for (const subscriber of [all, tests])
      assert.equal((await subscriber.deliveries()).length, subscriber.receiver.received.length);
    world.clock.forward(7 * DAY);
    await waitUntil(
      () => idsOf(tendering).includes(real.id),
      () => "what time has changed to be told",
    );
    // Changes of a tender arrive in order, so a change that does not match would have come before.
    for (const { data } of tendering.receiver.received) assert.equal(data.status, "active.tendering");
    for (const { end } of [tests, all, tendering]) await end();
  });

  it("is delivered to a webhook that filters by number, in any mode", async () => {
    const test = await publishOne({ mode: "test" });
    const { tenderID } = (await api.get(test.path)).body.data;
    const { receiver, end } = await openWebhook({ filter: { tenderID } });
    expectStatus(200, await api.patch(test.path, { title: "Ще раз" }, { token: test.token }));
    const [delivery] = await receiver.waitForDeliveries(1);
    assert.equal(delivery!.data.id, test.id);
    await end();
  });

  it("is delivered from the offset that a webhook starts with", async () => {
    const feed = await api.get("/tenders?limit=1000");
    const ids = feed.body.data.map(({ id }: { id: string }) => id);
    const { receiver, end } = await openWebhook({ offset: "0" });
    await receiver.waitForDeliveries(ids.length);
    assert.deepEqual(new Set(receiver.received.map(({ data }) => data.id)), new Set(ids));
    const middle = feed.body.data[0].dateModified;
    const rest = await openWebhook({ offset: middle });
    await rest.receiver.waitForDeliveries(ids.length - 1);
    const { id: last } = await publishOne();
    await rest.receiver.waitForDeliveries(ids.length);
    assert.deepEqual(new Set(rest.receiver.received.map(({ data }) => data.id)), new Set([...ids.slice(1), last]));
    assert.equal((await rest.deliveries("?limit=1000")).length, ids.length);
    await end();
    await rest.end();
  });

  it("is not delivered while a webhook is paused or after it is deleted", async () => {
    const { receiver, id, end } = await openWebhook({ opt_fields: "title" });
    expectStatus(200, await hooks.patch(id, { status: "paused" }));
    await publishOne({ title: "meanwhile" });
    await waitForLaterDelivery();
    assert.equal(receiver.received.length, 0);
    expectStatus(200, await hooks.patch(id, { status: "active" }));
    await receiver.waitForDeliveries(1);
    assert.deepEqual(titlesOf(receiver.received), ["meanwhile"]);
    await end();
    await publishOne({ title: "too late" });
    await waitForLaterDelivery();
    assert.equal(receiver.received.length, 1);
    await waitUntil(
      async () => (await world.database.query("select id from deliveries where webhook = $1", id)).length === 0,
      () => "what it left to be removed",
    );
  });

  it("is matched once: a changed filter applies from the current offset on", async () => {
    const { receiver, id, end } = await openWebhook({
      ...{ version: "2.3", opt_fields: "title", filter: { status: "complete" } },
    });
    const offsetOf = async () => (await hooks.get(`/${id}`)).body.data.offset;
    const { response } = await publishOne({ title: "no affair of it" });
    world.clock.forward(10 * SECOND);
    await waitUntil(
      async () => (await offsetOf()) >= response.body.data.dateModified,
      () => "the offset to follow",
    );
    expectStatus(200, await hooks.patch(id, { filter: { status: "active.enquiries" } }));
    await publishOne({ title: "its affair" });
    await receiver.waitForDeliveries(1);
    assert.deepEqual(titlesOf(receiver.received), ["its affair"]);
    await end();
  });

  it("is delivered to a URL that was changed in the meantime", async () => {
    const { receiver, id, end } = await openWebhook({ opt_fields: "title" });
    receiver.respond = respondWithError;
    await publishOne({ title: "moved" });
    await receiver.waitForDeliveries(1);
    const next = await openWebhookReceiver();
    expectStatus(200, await hooks.patch(id, { url: next.url }));
    world.clock.forward(5 * SECOND);
    await next.waitForDeliveries(1);
    assert.equal(next.received[0]!.text, receiver.received[0]!.text);
    await end();
  });
});

describe("a failed delivery", () => {
  it("is retried with doubling delays, byte for byte the same, with a new signature", async () => {
    const { receiver, secret, deliveries, settled, end } = await openWebhook({ opt_fields: "title" });
    receiver.respond = respondWithError;
    await publishOne({ title: "again" });
    for (const [i, seconds] of [5, 10, 20, 40, 80].entries()) {
      await receiver.waitForDeliveries(i + 1);
      await waitUntil(
        async () => (await deliveries())[0]?.attempts === i + 1,
        () => "the attempt to be written",
      );
      const [{ status, nextAttempt, response }] = await deliveries();
      assert.deepEqual([status, response], ["pending", { status: 500 }]);
      assert.equal(nextAttempt, formatTime(world.clock.now + seconds * SECOND));
      world.clock.forward(seconds * SECOND - 1);
      if (i === 0) await waitForLaterDelivery();
      assert.equal(receiver.received.length, i + 1);
      if (i === 4) receiver.respond = respondOk;
      world.clock.forward(1);
    }
    await settled("delivered", 1);
    const times = receiver.received.map((delivery) => checkSignature(delivery, secret));
    assert.ok(times.every((time, i) => i === 0 || time > times[i - 1]!));
    const [first, ...others] = receiver.received;
    for (const delivery of others) {
      assert.equal(delivery.text, first!.text);
      assert.equal(delivery.headers["tenderhall-delivery"], first!.headers["tenderhall-delivery"]);
    }
    await end();
  });

  it("is abandoned after three days, with at most an hour between attempts, and can be requested again", async () => {
    const { receiver, id, deliveries, settled, end } = await openWebhook();
    receiver.respond = respondWithError;
    await publishOne();
    const began = world.clock.now;
    await receiver.waitForDeliveries(1);
    while (world.clock.now < began + 3 * DAY) {
      const plannedAttempt = async () => {
        const [{ attempts, nextAttempt }] = await deliveries();
        return attempts === receiver.received.length ? nextAttempt : undefined;
      };
      await waitUntil(
        async () => (await plannedAttempt()) !== undefined,
        () => "another attempt to be planned",
      );
      const wait = Date.parse(await plannedAttempt()) * 1000 - world.clock.now;
      assert.ok(wait <= 60 * MINUTE);
      const before = receiver.received.length;
      world.clock.forward(12 * 60 * MINUTE);
      await receiver.waitForDeliveries(before + 1);
    }
    await settled("failed", 1);
    const [failed] = await deliveries();
    assert.equal(failed.nextAttempt, undefined);
    assert.equal(failed.attempts, receiver.received.length);
    world.clock.forward(DAY);
    await waitForLaterDelivery();
    assert.equal(receiver.received.length, failed.attempts);

    receiver.respond = respondOk;
    assert.equal(expectStatus(200, await hooks.resend(id, failed.id, "?dry_run=1")).body.data.status, "pending");
    const again = expectStatus(200, await hooks.resend(id, failed.id)).body.data;
    assert.deepEqual([again.status, again.attempts], ["pending", failed.attempts]);
    await receiver.waitForDeliveries(failed.attempts + 1);
    await settled("delivered", 1);
    assert.equal(receiver.received.at(-1)!.text, receiver.received[0]!.text);
    assert.equal((await deliveries())[0].attempts, failed.attempts + 1);
    await end();
  });

  it("delays later changes of its own tender only", async () => {
    const { receiver, settled, end } = await openWebhook({ opt_fields: "title" });
    const [held, other] = [await publishOne({ title: "held 0" }), await publishOne({ title: "other 0" })];
    await receiver.waitForDeliveries(2);
    receiver.respond = (response, { data }) =>
      (data.title.startsWith("held") ? respondWithError : respondOk)(response, {} as ReceivedDelivery);
    for (let i = 1; i <= 3; i++) {
      for (const [{ path, token }, name] of [
        [held, "held"],
        [other, "other"],
      ] as const)
        expectStatus(200, await api.patch(path, { title: `${name} ${i}` }, { token }));
      await waitUntil(
        () => titlesOf(receiver.received).includes(`other ${i}`),
        () => "the other tender's to be told",
      );
      // Each change is processed before the next is made.
      await settled("pending", i);
    }
    assert.deepEqual(
      new Set(titlesOf(receiver.received).slice(2)),
      new Set(["held 1", "other 1", "other 2", "other 3"]),
    );
    receiver.respond = respondOk;
    world.clock.forward(60 * MINUTE);
    await settled("delivered", 8);
    assert.deepEqual(titlesOf(receiver.received).slice(-3), ["held 1", "held 2", "held 3"]);
    await end();
  });
});

describe("deliveries", () => {
  it("are listed by page, newest first, filtered by status, for seven days", async () => {
    const own = await openWorld();
    const mine = openWebhookApi(own);
    const receiver = await openWebhookReceiver();
    receiver.respond = (response, { data }) =>
      (data.title === "bad" ? respondWithError : respondOk)(response, {} as ReceivedDelivery);
    const { id } = (await mine.create({ url: receiver.url, opt_fields: "title" })).body.data;
    const publishAs = (title: string) => publish(own.api("2.3"), { ...fullTender(own.clock.now), title });
    const delivered = (count: number) =>
      waitUntil(
        async () => (await mine.deliveries(id, "?status=delivered")).length === count,
        () => `${count} to be delivered`,
      );
    await publishAs("first");
    await delivered(1);
    own.clock.forward(10 * MINUTE);
    for (const title of ["a", "bad", "b", "c"]) await publishAs(title);
    await delivered(4);
    const all = await mine.deliveries(id);
    assert.deepEqual(
      all.map(({ id }: { id: string }) => id),
      all
        .map(({ id }: { id: string }) => id)
        .toSorted()
        .reverse(),
    );
    const paged: unknown[] = [];
    for (let offset = ""; ; ) {
      const { body } = await mine.get(`/${id}/deliveries?limit=3&offset=${offset}`);
      if (body.data.length === 0) break;
      paged.push(...body.data);
      offset = body.next_page.offset;
    }
    assert.deepEqual(paged, all);
    assert.equal((await mine.deliveries(id, "?status=pending")).length, 1);
    expectStatus(422, await mine.get(`/${id}/deliveries?status=lost`));
    expectStatus(404, await mine.get(`/${id}/deliveries?offset=%00`));
    const storedDeliveries = async () =>
      (await own.database.query("select id from deliveries")).map((row) => String(row.id).split("/")[1]!);
    const known = (await mine.deliveries(id, "?status=delivered")).map((delivery: { id: string }) => delivery.id);
    const [first, old] = [known.at(-1)!, known.slice(0, -1)];
    own.clock.forward(7 * DAY - 2 * MINUTE);
    await waitUntil(
      async () => !(await storedDeliveries()).includes(first),
      () => "what came before them to be removed",
    );
    for (const deliveryId of old) expectStatus(200, await mine.get(`/${id}/deliveries/${deliveryId}`));
    own.clock.forward(3 * MINUTE);
    await waitUntil(
      async () => !(await storedDeliveries()).some((deliveryId) => old.includes(deliveryId)),
      () => "what is old to be removed",
    );
    for (const deliveryId of old) expectStatus(404, await mine.get(`/${id}/deliveries/${deliveryId}`));
    await own.stop();
  });

  it("continue after a restart", async () => {
    const own = await openWorld();
    const mine = openWebhookApi(own);
    const receiver = await openWebhookReceiver();
    receiver.respond = respondWithError;
    const { data, access } = (await mine.create({ url: receiver.url, opt_fields: "title" })).body;
    await publish(own.api("2.3"), { ...fullTender(own.clock.now), title: "before" });
    await receiver.waitForDeliveries(1);
    await own.restart();
    receiver.respond = respondOk;
    await publish(own.api("2.3"), { ...fullTender(own.clock.now), title: "after" });
    await receiver.waitForDeliveries(2);
    own.clock.forward(5 * SECOND);
    await receiver.waitForDeliveries(3);
    assert.deepEqual(titlesOf(receiver.received), ["before", "after", "before"]);
    for (const delivery of receiver.received) checkSignature(delivery, access.secret);
    await waitUntil(
      async () => (await mine.deliveries(data.id, "?status=delivered")).length === 2,
      () => "both",
    );
    await own.stop();
  });
});
