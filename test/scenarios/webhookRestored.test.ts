import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { verifyWebhook } from "../../src/client/index.ts";
import { fullTender, publish } from "../support/examples.ts";
import {
  environmentOf,
  expectSuccess,
  openEmptyRegistry,
  openWorldAt,
  PUBLIC_URL_SETTINGS,
  runInProcess,
} from "../support/populatedRegistry.ts";
import { openWebhookApi, openWebhookReceiver } from "../support/webhookReceiver.ts";
import { expectStatus, openWorld } from "../support/world.ts";

/** A registry that is restored from a backup continues its webhooks. */

const SECOND = 1_000_000;
const folder = mkdtempSync(join(tmpdir(), "tenderhall-restored-"));
after(() => rmSync(folder, { recursive: true, force: true }));

describe("a webhook", () => {
  it("is delivered by a restored registry without further action, signed with its valid secrets", async () => {
    const world = await openWorld(PUBLIC_URL_SETTINGS);
    const receiver = await openWebhookReceiver();
    const hooks = openWebhookApi(world);
    const made = expectStatus(201, await hooks.create({ url: receiver.url })).body;
    const rotated = expectStatus(200, await hooks.request("POST", `/${made.data.id}/secret`)).body;
    await expectSuccess(runInProcess(environmentOf(world), "backup", join(folder, "backup")));
    await world.stop();
    const place = await openEmptyRegistry();
    await expectSuccess(runInProcess(place.environment, "restore", join(folder, "backup")));
    const there = await openWorldAt(place, world);
    after(async () => {
      await there.stop();
      await place.drop();
    });
    const { id } = await publish(there.api("2.3"), fullTender(world.clock.now));
    const [delivery] = await receiver.waitForDeliveries(1);
    assert.equal(delivery!.data.id, id);
    const signature = delivery!.headers["tenderhall-signature"] as string;
    for (const { secret } of [made.access, rotated.access])
      assert.ok(await verifyWebhook({ secret, signature, body: delivery!.text, now: world.clock.now / SECOND }));
  });
});
