import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { hashOf } from "../../src/base/secrets.ts";
import { fullTender, publish } from "../support/examples.ts";
import { waitUntil } from "../support/processes.ts";
import { openWebhookApi, openWebhookReceiver, respondOk, respondWithError } from "../support/webhookReceiver.ts";
import { expectStatus, sharedWorld } from "../support/world.ts";

/** Webhooks of a revoked account. */

const folder = mkdtempSync(join(tmpdir(), "tenderhall-revoked-"));
after(() => rmSync(folder, { recursive: true }));
const ACCOUNTS_FILE = join(folder, "accounts.json");
const allow = (...names: readonly string[]) =>
  writeFileSync(
    ACCOUNTS_FILE,
    JSON.stringify(
      names.map((name) => ({ name, group: "brokers", levels: "1234", keyHash: hashOf(`the key of ${name}`) })),
    ),
  );
allow("stays", "goes");
const world = await sharedWorld({ ACCOUNTS_FILE });
const api = world.api("2.3");
const [activeHooks, revokedHooks] = [
  openWebhookApi(world, "the key of stays"),
  openWebhookApi(world, "the key of goes"),
];
const publishOne = (title: string) =>
  publish(
    { ...api, post: (path, data) => api.post(path, data, { key: "the key of stays" }) },
    { ...fullTender(world.clock.now), title },
  );
const SECOND = 1_000_000;

describe("webhooks of a revoked account", () => {
  it("get no deliveries, old or new, and continue if the account is restored", async () => {
    const [keeping, left] = [await openWebhookReceiver(), await openWebhookReceiver()];
    left.respond = respondWithError;
    const make = async (hooks: typeof revokedHooks, url: string) =>
      expectStatus(201, await hooks.create({ url, opt_fields: "title" })).body.data.id;
    await make(activeHooks, keeping.url);
    const id = await make(revokedHooks, left.url);
    await publishOne("before");
    await keeping.waitForDeliveries(1);
    // One attempt failed, so one delivery waits for its retry.
    await left.waitForDeliveries(1);
    await waitUntil(
      async () => (await revokedHooks.deliveries(id))[0]?.attempts === 1,
      () => "an attempt",
    );

    allow("stays");
    await waitUntil(
      async () => (await revokedHooks.get()).status === 401,
      () => "revoked",
    );
    left.respond = respondOk;
    await publishOne("meanwhile");
    world.clock.forward(60 * SECOND);
    await keeping.waitForDeliveries(2);
    // A delivery to the revoked account would be sent before a later change is delivered to the other.
    await publishOne("later");
    await keeping.waitForDeliveries(3);
    assert.equal(left.received.length, 1);

    allow("stays", "goes");
    const titles = async () => (await left.waitForDeliveries(4)).slice(1).map(({ data }) => data.title);
    assert.deepEqual((await titles()).toSorted(), ["before", "later", "meanwhile"]);
  });
});
