import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { fullTender, publish } from "../support/examples.ts";
import { checkSignature, openHooks, openReceiver } from "../support/receiver.ts";
import { done, environmentOf, openPlace, openThere, run, SOMEWHERE } from "../support/registryLife.ts";
import { expectStatus, openWorld } from "../support/world.ts";

/** A registry that comes back from a backup goes on telling those who were told before. */

const folder = mkdtempSync(join(tmpdir(), "tenderhall-restored-"));
after(() => rmSync(folder, { recursive: true, force: true }));

describe("a webhook", () => {
  it("is told by a registry that was restored, which nobody has to touch first", async () => {
    const world = await openWorld(SOMEWHERE);
    const receiver = await openReceiver();
    const { access } = expectStatus(201, await openHooks(world).create({ url: receiver.url })).body;
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
    checkSignature(told!, access.secret);
  });
});
