import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { verifyWebhook } from "../../src/client/index.ts";
import { fullTender, publish } from "../support/examples.ts";
import { openHooks, openReceiver } from "../support/receiver.ts";
import { done, environmentOf, openPlace, openThere, run, SOMEWHERE } from "../support/registryLife.ts";
import { expectStatus, openWorld } from "../support/world.ts";

/** A registry that comes back from a backup goes on telling those who were told before. */

const SECOND = 1_000_000;
const folder = mkdtempSync(join(tmpdir(), "tenderhall-restored-"));
after(() => rmSync(folder, { recursive: true, force: true }));

describe("a webhook", () => {
  it("is told by a registry that was restored, which nobody has to touch first, signed with the secrets that count", async () => {
    const world = await openWorld(SOMEWHERE);
    const receiver = await openReceiver();
    const hooks = openHooks(world);
    const made = expectStatus(201, await hooks.create({ url: receiver.url })).body;
    const rotated = expectStatus(200, await hooks.ask("POST", `/${made.data.id}/secret`)).body;
    await done(run(environmentOf(world), "backup", join(folder, "backup")));
    await world.stop();
    const place = await openPlace();
    await done(run(place.environment, "restore", join(folder, "backup")));
    const there = await openThere(place, world);
    after(async () => {
      await there.stop();
      await place.drop();
    });
    const { id } = await publish(there.api("2.3"), fullTender(world.clock.now));
    const [told] = await receiver.told(1);
    assert.equal(told!.data.id, id);
    const signature = told!.headers["tenderhall-signature"] as string;
    for (const { secret } of [made.access, rotated.access])
      assert.ok(await verifyWebhook({ secret, signature, body: told!.text, now: world.clock.now / SECOND }));
  });
});
