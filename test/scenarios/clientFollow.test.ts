import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type Change, type Client, type FollowOptions, openClient } from "../../src/client/index.ts";
import { fullTender } from "../support/examples.ts";
import { TIMEOUT_MS } from "../support/processes.ts";
import { sharedWorld } from "../support/world.ts";

const world = await sharedWorld();
const open = () => openClient({ url: world.url, key: "broker", retries: { initialDelayMs: 5, maxDelayMs: 50 } });

async function publish(client: Client, count: number): Promise<readonly string[]> {
  const ids: string[] = [];
  for (let i = 0; i < count; i++) ids.push((await client.tenders.create(fullTender(world.clock.now))).data.id);
  return ids;
}

async function take(client: Client, count: number, wishes: FollowOptions): Promise<readonly Change[]> {
  const taken: Change[] = [];
  for await (const change of client.follow({ pollMs: 10, ...wishes })) {
    taken.push(change);
    if (taken.length === count) break;
  }
  return taken;
}

const idsOf = (changes: readonly Change[]) => changes.map(({ id }) => id);

async function collect(changes: AsyncIterable<Change>): Promise<readonly Change[]> {
  const collected: Change[] = [];
  for await (const change of changes) collected.push(change);
  return collected;
}

describe("iterating over all tenders", () => {
  it("yields each once, oldest change first, and ends at the last one", async () => {
    const client = open();
    const offset = (await client.tenders.list({ descending: true, limit: 1 })).data[0]?.dateModified;
    const ids = await publish(client, 7);
    const changes = await collect(client.tenders.all({ offset, limit: 3, opt_fields: "title" }));
    assert.deepEqual(idsOf(changes), ids);
    assert.ok(changes.every(({ title }) => title === fullTender().title));
    const [next] = await publish(client, 1);
    assert.deepEqual(idsOf(await take(client, 1, { offset: changes.at(-1)!.offset })), [next]);
  });

  it("supports descending order and filters", async () => {
    const client = open();
    const [first, second] = await publish(client, 2);
    const newest = await collect(client.tenders.all({ descending: true, limit: 1, value_max: 500000 }));
    assert.deepEqual(idsOf(newest).slice(0, 2), [second, first]);
    assert.equal(newest.length, (await collect(client.tenders.all())).length);
    assert.deepEqual(await collect(client.tenders.all({ value_min: 500001 })), []);
  });

  it("yields a tender again if it changes during the iteration", async () => {
    const client = open();
    const offset = (await client.tenders.list({ descending: true, limit: 1 })).data[0]?.dateModified;
    const [first, second, third] = await publish(client, 3);
    const seen: string[] = [];
    for await (const { id } of client.tenders.all({ offset, limit: 1 })) {
      if (seen.length === 0) await client.tenders.patch(second!, { description: "Змінено" });
      seen.push(id);
    }
    assert.deepEqual(seen, [first, third, second]);
  });

  it("throws when it is aborted, because the result is incomplete", async () => {
    const client = open();
    await publish(client, 2);
    const controller = new AbortController();
    const giveUp = async () => {
      for await (const _ of client.tenders.all({ limit: 1, signal: controller.signal })) controller.abort();
    };
    await assert.rejects(giveUp(), { name: "AbortError" });
  });
});

/** With `push`, by stream if the registry has one, otherwise by pages. */
for (const push of [undefined, false])
  describe(push === false ? "following by pages" : "following", () => {
    it("yields the existing tenders and then new changes, each once", async () => {
      const client = open();
      const offset = (await client.tenders.list({ descending: true, limit: 1 })).data[0]?.dateModified;
      const before = await publish(client, 5);
      const taking = take(client, 9, { offset, push, limit: 2 });
      const later = await publish(client, 4);
      assert.deepEqual(idsOf(await taking), [...before, ...later]);
    });

    it("can be resumed after any item", async () => {
      const client = open();
      const ids = await publish(client, 4);
      const last = (await client.tenders.get(ids[3]!)).data.dateModified;
      let offset: string | undefined;
      const seen: string[] = [];
      do {
        const [change] = await take(client, 1, { offset, push });
        seen.push(change!.id);
        offset = change!.offset;
        if (change!.dateModified === last) break;
      } while (seen.length < 1000);
      assert.deepEqual(seen.slice(-4), ids);
      assert.equal(new Set(seen).size, seen.length);
    });

    it("yields the requested fields", async () => {
      const client = open();
      const [id] = await publish(client, 1);
      const changes = await take(client, 1, {
        push,
        offset: await justBefore(client, id!),
        opt_fields: "title,status",
      });
      assert.deepEqual(
        [changes[0]?.id, changes[0]?.title, changes[0]?.status],
        [id, fullTender().title, "active.enquiries"],
      );
    });

    it("survives a restart of the registry", async () => {
      const client = open();
      // Another port and address, like a registry that moves behind its host name.
      const moving = openClient({
        url: "http://registry.example",
        retries: { max: 1, initialDelayMs: 5 },
        fetch: (input, init) => fetch(String(input).replace("http://registry.example", world.url), init),
      });
      const [first] = await publish(client, 1);
      const offset = await justBefore(client, first!);
      const seen: string[] = [];
      const signal = AbortSignal.timeout(TIMEOUT_MS);
      let second: string | undefined;
      for await (const { id } of moving.follow({ push, offset, pollMs: 10, signal })) {
        seen.push(id);
        if (seen.length === 2) break;
        await world.restart();
        [second] = await publish(open(), 1);
      }
      assert.deepEqual(seen, [first, second]);
    });

    it("throws errors that a retry would not fix", async () => {
      await assert.rejects(take(open(), 1, { push, offset: "nonsense" }), { name: "TenderhallError" });
    });
  });

/** The offset just before the last change of a tender. */
async function justBefore(client: Client, id: string): Promise<string> {
  const { dateModified } = (await client.tenders.get(id)).data;
  const { data } = await client.tenders.list({ descending: true, offset: dateModified, limit: 1 });
  return data[0]?.dateModified ?? "0";
}
