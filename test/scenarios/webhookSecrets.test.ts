import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { verifyWebhook } from "../../src/client/index.ts";
import { DAY, formatTime, fullTender, MINUTE, publish } from "../support/examples.ts";
import { waitUntil } from "../support/processes.ts";
import { ENTRIES } from "../support/storedEntries.ts";
import {
  checkSignature,
  type DeliveryResponder,
  openWebhookApi,
  openWebhookReceiver,
  type ReceivedDelivery,
  respondOk,
  respondWithError,
} from "../support/webhookReceiver.ts";
import { errorsOf, expectStatus, sharedWorld } from "../support/world.ts";

/** The secret of a webhook is rotated during deliveries. */

const SECOND = 1_000_000;
const HOUR = 60 * MINUTE;
const world = await sharedWorld();
const api = world.api("2.3");
const hooks = openWebhookApi(world);
const publishOne = (title = "x") => publish(api, { ...fullTender(world.clock.now), title });

const isKnownBy = (secret: string, { headers, text }: ReceivedDelivery): Promise<boolean> =>
  verifyWebhook({
    ...{ secret, signature: headers["tenderhall-signature"] as string, body: text },
    now: world.clock.now / SECOND,
  });

/** The indexes of the secrets that a delivery is signed with. */
async function knownBy(delivery: ReceivedDelivery, secrets: readonly string[]): Promise<readonly number[]> {
  const known = await Promise.all(secrets.map((secret) => isKnownBy(secret, delivery)));
  return known.flatMap((isKnown, i) => (isKnown ? [i] : []));
}

async function openWebhook() {
  const receiver = await openWebhookReceiver();
  const { data, access } = expectStatus(201, await hooks.create({ url: receiver.url, opt_fields: "title" })).body;
  const path = `/${data.id}/secret`;
  return {
    ...{ receiver, id: data.id as string, path, first: access.secret as string },
    rotate: async (overlap?: string | number): Promise<string> => {
      const sent = overlap === undefined ? undefined : { overlap };
      return expectStatus(200, await hooks.request("POST", path, sent)).body.access.secret;
    },
    /** The next delivery. */
    next: async (): Promise<ReceivedDelivery> => {
      const before = receiver.received.length;
      await publishOne();
      return (await receiver.waitForDeliveries(before + 1))[before]!;
    },
    end: () => hooks.delete(data.id),
  };
}

describe("a rotated secret", () => {
  it("is shown once, and the previous one stays valid for a day", async () => {
    const { id, path, first, next, end } = await openWebhook();
    const { body } = expectStatus(200, await hooks.request("POST", path));
    const { secret } = body.access;
    assert.match(secret, /^[0-9a-f]{64}$/);
    assert.notEqual(secret, first);
    assert.equal(body.data.oldSecretsUntil, formatTime(world.clock.now + 24 * HOUR));
    const shown = (await hooks.get(`/${id}`)).body;
    assert.deepEqual([shown.data, shown.access], [body.data, undefined]);
    assert.deepEqual(await knownBy(await next(), [first, secret]), [0, 1]);
    world.clock.forward(24 * HOUR - SECOND);
    assert.deepEqual(await knownBy(await next(), [first, secret]), [0, 1]);
    world.clock.forward(SECOND);
    const after = await next();
    assert.deepEqual(await knownBy(after, [first, secret]), [1]);
    checkSignature(after, secret);
    assert.equal((await hooks.get(`/${id}`)).body.data.oldSecretsUntil, undefined);
    await end();
  });

  it("overlaps for the requested time: from none to seven days", async () => {
    const { id, path, first, rotate, next, end } = await openWebhook();
    const hour = await rotate("PT1H");
    world.clock.forward(HOUR - SECOND);
    assert.deepEqual(await knownBy(await next(), [first, hour]), [0, 1]);
    world.clock.forward(SECOND);
    assert.deepEqual(await knownBy(await next(), [first, hour]), [1]);
    const atOnce = await rotate(0);
    assert.deepEqual(await knownBy(await next(), [first, hour, atOnce]), [2]);
    const before = (await hooks.get(`/${id}`)).body.data;
    for (const overlap of ["P7DT1S", 7 * 86_400 + 1, "-PT1S", -1, "soon", "", {}, true])
      assert.match(
        errorsOf(expectStatus(422, await hooks.request("POST", path, { overlap }))).join(),
        /^body\/overlap: /,
      );
    assert.deepEqual(errorsOf(expectStatus(422, await hooks.request("POST", path, { until: 1 }))), [
      "body/until: Rogue field",
    ]);
    assert.deepEqual((await hooks.get(`/${id}`)).body.data, before);
    await rotate("P7D");
    assert.equal((await hooks.get(`/${id}`)).body.data.oldSecretsUntil, formatTime(world.clock.now + 7 * DAY));
    await end();
  });

  it("leaves a limited number of earlier ones valid, and none without overlap", async () => {
    const { path, first, rotate, next, end } = await openWebhook();
    const secrets = [first];
    for (let i = 0; i < 4; i++) secrets.push(await rotate(3600 * (4 - i)));
    // A shorter overlap applies to all earlier secrets.
    assert.deepEqual(await knownBy(await next(), secrets), [0, 1, 2, 3, 4]);
    assert.deepEqual(errorsOf(expectStatus(403, await hooks.request("POST", path))), [
      "url/secret: At most 4 earlier secrets can be valid besides the newest one",
    ]);
    world.clock.forward(HOUR);
    assert.deepEqual(await knownBy(await next(), secrets), [4]);
    for (let i = 0; i < 4; i++) secrets.push(await rotate());
    const last = await rotate(0);
    assert.deepEqual(await knownBy(await next(), [...secrets, last]), [9]);
    await end();
  });

  it("loses and repeats no delivery, and pending ones are retried with both signatures", async () => {
    const { receiver, id, first, rotate, end } = await openWebhook();
    receiver.respond = respondWithError;
    await publishOne("waits");
    const [before] = await receiver.waitForDeliveries(1);
    checkSignature(before!, first);
    const titles = Array.from({ length: 20 }, (_, i) => `t${i}`);
    // Deliveries are in flight while the secret is rotated.
    const unanswered: Parameters<DeliveryResponder>[] = [];
    receiver.respond = (...delivery) => void unanswered.push(delivery);
    const publishing = Promise.all(titles.map(publishOne));
    await receiver.waitForDeliveries(2);
    const second = await rotate();
    receiver.respond = respondOk;
    for (const delivery of unanswered) respondOk(...delivery);
    await publishing;
    await receiver.waitForDeliveries(21);
    world.clock.forward(5 * SECOND);
    const all = await receiver.waitForDeliveries(22);
    await waitUntil(
      async () => (await hooks.deliveries(id, "?status=delivered")).length === 21,
      () => "all to be delivered",
    );
    // A repeated delivery would arrive before a later change.
    await publishOne("later");
    await waitUntil(
      () => all.some(({ data }) => data.title === "later"),
      () => "the later change",
    );
    assert.deepEqual(all.map(({ data }) => data.title).toSorted(), ["later", "waits", "waits", ...titles].toSorted());
    const again = all.find(({ data }, i) => i > 0 && data.title === "waits")!;
    assert.equal(again.text, before!.text);
    assert.deepEqual(await knownBy(again, [first, second]), [0, 1]);
    await end();
  });

  it("belongs to an existing webhook of the same account", async () => {
    const { id, path, first, next, end } = await openWebhook();
    expectStatus(404, await openWebhookApi(world, "broker2").request("POST", path));
    expectStatus(401, await openWebhookApi(world, null).request("POST", path));
    expectStatus(405, await hooks.request("GET", path));
    expectStatus(415, await hooks.request("POST", path, { overlap: 0 }, { headers: { "Content-Type": "text/plain" } }));
    expectStatus(422, await hooks.request("POST", path, undefined, { body: [] }));
    assert.deepEqual(await knownBy(await next(), [first]), [0]);
    await end();
    expectStatus(404, await hooks.request("POST", `/${id}/secret`));
  });

  it("is not rotated by a dry run, whose secret is never valid", async () => {
    const { id, path, first, rotate, next, end } = await openWebhook();
    const before = (await hooks.get(`/${id}`)).body.data;
    const dry = expectStatus(200, await hooks.request("POST", `${path}?dry_run=1`));
    assert.ok(dry.body.data.oldSecretsUntil);
    assert.deepEqual((await hooks.get(`/${id}`)).body.data, before);
    const real = await rotate();
    assert.deepEqual(await knownBy(await next(), [first, dry.body.access.secret, real]), [0, 2]);
    expectStatus(422, await hooks.request("POST", `${path}?dry_run=1`, { overlap: "P8D" }));
    await end();
  });

  it("is rotated once per Idempotency-Key, however many concurrent requests there are", async () => {
    const { path, first, next, end } = await openWebhook();
    const sent = { headers: { "Idempotency-Key": "rotate-once" } };
    const all = await Promise.all(Array.from({ length: 6 }, () => hooks.request("POST", path, undefined, sent)));
    const [{ text, body }] = all as [(typeof all)[number]];
    for (const response of all) assert.equal(expectStatus(200, response).text, text);
    assert.equal(all.filter(({ headers }) => headers.get("idempotency-replayed") !== "true").length, 1);
    const delivery = await next();
    assert.equal(String(delivery.headers["tenderhall-signature"]).split("v1=").length, 3);
    assert.deepEqual(await knownBy(delivery, [first, body.access.secret]), [0, 1]);
    expectStatus(422, await hooks.request("POST", path, { overlap: 0 }, sent));
    await end();
  });

  it("cannot be read from the database", async () => {
    const { rotate, first, end } = await openWebhook();
    const secret = await rotate();
    const entries = JSON.stringify(await world.database.query(`select id, value from ${ENTRIES}`));
    for (const secretText of [first, secret]) assert.equal(entries.includes(secretText), false);
    await end();
  });
});
