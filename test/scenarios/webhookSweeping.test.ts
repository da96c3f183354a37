import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { DAY, fullTender, publish } from "../support/examples.ts";
import { until } from "../support/processes.ts";
import { openHooks, openReceiver } from "../support/receiver.ts";
import { expectStatus, oneWorld } from "../support/world.ts";

/** What webhooks leave behind is removed while others are told. */

const world = await oneWorld();
const hooks = openHooks(world);
/** Enough for many steps. */
const MANY = 5000;

/** As many deliveries as a busy webhook has made in a week. */
const fill = (id: string, dueAt: number) =>
  world.database.ask(
    `with recursive numbers(i) as (select 1 union all select i + 1 from numbers where i < ${MANY})
     insert into notes (kind, id, revision, due_at, text) select $1, 'd' || i, 1, ${dueAt}, '{}' from numbers`,
    `delivery delivered ${id}`,
  );

async function left(id: string): Promise<number> {
  const kind = `delivery delivered ${id}`;
  const [counted] = await world.database.ask("select count(*) as many from notes where kind = $1", kind);
  return Number(counted!.many);
}

async function isTold(): Promise<void> {
  const receiver = await openReceiver();
  const { id } = expectStatus(201, await hooks.create({ url: receiver.url })).body.data;
  await publish(world.api("2.3"), fullTender(world.clock.now));
  await receiver.told(1);
  await hooks.delete(id);
}

describe("others are told while", () => {
  for (const [what, leave] of [
    ["a webhook that is gone leaves very many deliveries", (id: string) => hooks.delete(id)],
    ["very many deliveries of a webhook are old", async () => world.clock.forward(8 * DAY)],
  ] as const)
    it(what, async () => {
      const { id } = expectStatus(201, await hooks.create({ url: "http://127.0.0.1:9/" })).body.data;
      await fill(id, world.clock.now + 7 * DAY);
      await leave(id);
      await until(
        async () => (await left(id)) < MANY,
        () => "the removing to begin",
      );
      await isTold();
      assert.ok((await left(id)) > 0, "it was waited for");
      await until(
        async () => (await left(id)) === 0,
        () => "all of it to be removed",
      );
      await hooks.delete(id);
    });
});
