import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import { DAY, fullTender, publish } from "../support/examples.ts";
import { waitUntil } from "../support/processes.ts";
import { openWebhookApi, openWebhookReceiver } from "../support/webhookReceiver.ts";
import { expectStatus, openWorld, type World } from "../support/world.ts";

/** Old deliveries are removed while other webhooks get theirs. */

/** Enough for many batches of the removal. */
const MANY = 2500;

/** A registry with a webhook that has as many deliveries as a busy one makes in a week. */
async function openFilled() {
  const before = await openWorld();
  const { id } = expectStatus(201, await openWebhookApi(before).create({ url: "http://127.0.0.1:9/" })).body.data;
  await before.halt();
  const { query: ask, environment } = before.database;
  await ask(
    `with recursive numbers(i) as (select 1 union all select i + 1 from numbers where i < ${MANY})
     insert into deliveries (id, revision, expires_at, webhook, status, value)
     select '${id}/d' || i, 1, ${before.clock.now + 7 * DAY}, $1, 'delivered', '{}' from numbers`,
    id,
  );
  const world = await openWorld({ DATA_DIR: before.dataDir, ...environment });
  after(async () => {
    await world.stop();
    await before.stop();
  });
  const left = async () =>
    Number(
      (await ask("select count(*) as many from deliveries where webhook = $1 and status = 'delivered'", id))[0]!.many,
    );
  assert.equal(await left(), MANY);
  return { world, id: id as string, left };
}

const WAYS: { readonly [name: string]: (world: World, id: string) => unknown } = {
  "very many deliveries of a deleted webhook are removed": (world, id) => openWebhookApi(world).delete(id),
  "very many old deliveries are removed": ({ clock }) => clock.forward(8 * DAY),
};

describe("other webhooks get deliveries while", () => {
  for (const [name, leave] of Object.entries(WAYS))
    it(name, async () => {
      const { world, id, left } = await openFilled();
      const receiver = await openWebhookReceiver();
      expectStatus(201, await openWebhookApi(world).create({ url: receiver.url }));
      await leave(world, id);
      await waitUntil(
        async () => (await left()) < MANY,
        () => "the removal to begin",
      );
      await publish(world.api("2.3"), fullTender(world.clock.now));
      await receiver.waitForDeliveries(1);
      assert.ok((await left()) > 0, "the delivery waited for the removal");
      await waitUntil(
        async () => (await left()) === 0,
        () => "all deliveries to be removed",
      );
    });
});
