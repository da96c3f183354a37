import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { releaseEntryId, type Store } from "../store.ts";
import { openSqlite } from "./sqlite.ts";

/** Counts the iterations of the event loop while something runs. */
async function countIterations(run: () => Promise<unknown>): Promise<number> {
  let iterations = 0;
  const count = () => {
    iterations++;
    immediate = setImmediate(count);
  };
  let immediate = setImmediate(count);
  await run();
  clearImmediate(immediate);
  return iterations;
}

async function addReleases({ keyValues }: Store, count: number): Promise<void> {
  const writes = Array.from({ length: count }, (_, i) => ({ kind: "release", id: releaseEntryId(i, `${i}`) }) as const);
  await keyValues.put(writes.map((key) => ({ ...key, value: "{}", before: 0 })));
}

describe("searches through the releases of a registry on SQLite", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "tenderhall-search-releases-"));
  const store = openSqlite({ dataDir, clock: () => 1_000_000, recentBytesMax: 1 << 20 });
  after(async () => {
    await store.close();
    await rm(dataDir, { recursive: true, force: true });
  });

  it("run one slice in each iteration of the event loop, however many there are, with those through the feed", async () => {
    await addReleases(store, 9000);
    // No index helps to find a currency, so these searches look at everything.
    const filter = { currency: "XXX" };
    const order = { descending: false, beyond: undefined, limit: 10 };
    const search = () => store.releases({ ...order, filter });
    const searchFeed = () => store.feed({ ...order, filter, modes: "real" });
    const iterations = await countIterations(async () => {
      const found = await Promise.all([
        ...Array.from({ length: 20 }, search),
        ...Array.from({ length: 20 }, searchFeed),
      ]);
      assert.deepEqual(found.flat(), []);
    });
    assert.ok(iterations >= 20 * 5 + 20, `${iterations} iterations of the event loop`);
  });
});
