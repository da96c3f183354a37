import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import { openZone, parseInstant } from "../../src/domain/values/time.ts";
import { type Api, expectStatus, openWorld, type World } from "../support/world.ts";
import { WRITERS, WRITES, writeAtFullSpeed } from "../support/writers.ts";

/** Readers that follow the feed while writers write at full speed miss nothing. */

const kyiv = openZone("Europe/Kyiv");
const instantOf = (text: string): number => parseInstant(text, kyiv) as number;
const STAMPS: { readonly [version: string]: string } = {
  "2.3": "dateModified",
  "0": "dateModified",
  "0.1": "modified",
};

type SeenEntry = { readonly id: string; readonly at: string };
type Page = { readonly entries: readonly SeenEntry[]; readonly next: string; readonly prev: string | undefined };

async function pageAt(api: Api, version: string, path: string): Promise<Page> {
  const { body } = expectStatus(200, await api.get(path));
  const entries = body.data.map((entry: { [name: string]: string }) => ({ id: entry.id, at: entry[STAMPS[version]!] }));
  const below = (link: { path: string } | undefined) => link?.path.replace(/^\/api\/[^/]+/, "");
  return { entries, next: below(body.next_page)!, prev: below(body.prev_page) };
}

/** Follows `next_page` until the writers are done and a later page is empty. */
async function follow(api: Api, version: string, from: string, writing: Promise<unknown>): Promise<SeenEntry[]> {
  const seen: SeenEntry[] = [];
  let done = false;
  let path = from;
  void writing.then(() => {
    done = true;
  });
  for (;;) {
    const wasDone = done;
    const page = await pageAt(api, version, path);
    seen.push(...page.entries);
    if (wasDone && page.entries.length === 0) return seen;
    path = page.next;
  }
}

function assertRising(seen: readonly SeenEntry[]): void {
  for (const [i, { at }] of seen.entries())
    assert.ok(i === 0 || instantOf(at) > instantOf(seen[i - 1]!.at), `${at} came after ${seen[i - 1]?.at}`);
}

const lastOf = (seen: readonly SeenEntry[]): Map<string, string> => new Map(seen.map(({ id, at }) => [id, at]));
const sorted = (map: Map<string, string>) => [...map].toSorted();

for (const [name, ticking] of [
  ["stands still", false],
  ["runs", true],
] as const)
  describe(`while the clock ${name}, a follower of the feed`, async () => {
    const worlds: World[] = [];
    after(() => Promise.all(worlds.map((world) => world.stop())));
    const newWorld = async () => {
      const world = await openWorld({}, ticking);
      worlds.push(world);
      return world;
    };

    it("sees every change in order and misses none, in any version and with any page size", async () => {
      const world = await newWorld();
      const writing = writeAtFullSpeed(world.api("2.3"));
      const queries = [
        ["2.3", ""],
        ["2.3", "limit=1"],
        ["0.1", "limit=7"],
        ["0", "limit=3&feed=changes&mode=_all_"],
      ] as const;
      const followed = await Promise.all([
        writing,
        ...queries.map(([version, query]) => follow(world.api(version), version, `/tenders?${query}`, writing)),
      ]);
      const [written, ...all] = followed;
      for (const seen of all) {
        assertRising(seen);
        assert.deepEqual(sorted(lastOf(seen)), sorted(written));
      }
    });

    it("that reads backwards first and then forwards from its start sees every tender", async () => {
      const world = await newWorld();
      const api = world.api("2.3");
      await writeAtFullSpeed(api);
      const writing = writeAtFullSpeed(api);
      const start = await pageAt(api, "2.3", "/tenders?descending=1&limit=5");
      const backwards: SeenEntry[] = [...start.entries];
      const forwards = follow(api, "2.3", start.prev!, writing);
      for (let page = start; page.entries.length > 0; ) {
        page = await pageAt(api, "2.3", page.next);
        backwards.push(...page.entries);
      }
      await writing;
      const forward = await forwards;
      assertRising(backwards.toReversed());
      assertRising(forward);
      const everything = lastOf([...backwards.toReversed(), ...forward]);
      const truth = await follow(api, "2.3", "/tenders", Promise.resolve());
      assert.deepEqual(sorted(everything), sorted(lastOf(truth)));
      assert.equal(truth.length, 2 * WRITERS * Math.ceil(WRITES / 3));
    });

    it("never has its position moved back", async () => {
      const world = await newWorld();
      const api = world.api("2.3");
      const writing = writeAtFullSpeed(api);
      let done = false;
      void writing.then(() => {
        done = true;
      });
      let { offset, path } = (await api.get("/tenders?limit=2")).body.next_page;
      while (!done) {
        const next = (await api.get(path.replace("/api/2.3", ""))).body.next_page;
        assert.ok(instantOf(next.offset) >= instantOf(offset), `${next.offset} after ${offset}`);
        ({ offset, path } = next);
      }
      await writing;
    });
  });
