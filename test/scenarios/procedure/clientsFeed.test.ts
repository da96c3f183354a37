import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { fullTender, MINUTE, publish } from "../../support/examples.ts";
import { outcomeOf } from "../../support/stages.ts";
import { type Api, expectStatus, sharedWorld, type TestResponse, type World } from "../../support/world.ts";

/** Existing followers of the feed, under every alias of their API version. */

const VERSIONS = ["2.5", "2.0", "2.1", "2.2", "2.4"] as const;
type Entry = { readonly id: string; readonly dateModified: string };
const idsOf = ({ body }: TestResponse): string[] => body.data.map(({ id }: Entry) => id);
const unixOf = (dateModified: string): number => Math.floor(Date.parse(dateModified) / 1000);

async function publishSome(world: World, api: Api, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let i = 0; i < count; i++) {
    world.clock.forward(MINUTE);
    ids.push((await publish(api, { ...fullTender(world.clock.now), ...(i % 2 && { mode: "test" }) })).id);
  }
  return ids;
}

async function readOn(from: string, next: (page: TestResponse) => string, read: (at: string) => Promise<TestResponse>) {
  const seen: string[] = [];
  for (let page = await read(from); ; page = await read(next(page))) {
    expectStatus(200, page);
    seen.push(...idsOf(page));
    if (page.body.data.length === 0) return { seen, page };
  }
}

for (const version of VERSIONS)
  describe(`under ${version}, the feed`, async () => {
    const world = await sharedWorld();
    const api = world.api(version);
    const crawl = (offset: string, descending: string) =>
      api.get(`/tenders?descending=${descending}&offset=${offset}&limit=2&opt_fields=&mode=_all_`, { key: null });
    const nextOf = ({ body }: TestResponse): string => body.next_page.offset;

    it("of an empty registry has data and a next offset", async () => {
      const { body } = expectStatus(200, await crawl("", ""));
      assert.deepEqual([body.data, "prev_page" in body], [[], false]);
      assert.match(body.next_page.offset, /^\d+(\.\d+)?$/);
      const { body: last } = expectStatus(200, await crawl("", "1"));
      assert.ok(last.next_page.offset && last.prev_page.offset);
      expectStatus(200, await crawl(last.prev_page.offset, ""));
    });

    it("can be crawled backward from the end and forward from there", async () => {
      const ids = await publishSome(world, api, 5);
      const first = expectStatus(200, await crawl("", "1"));
      const { seen } = await readOn(nextOf(first), nextOf, (offset) => crawl(offset, "1"));
      assert.deepEqual([...idsOf(first), ...seen], ids.toReversed());
      assert.equal(Number.parseInt(nextOf(first), 10), unixOf(first.body.data.at(-1).dateModified));
      const ahead = expectStatus(200, await crawl(first.body.prev_page.offset, ""));
      assert.deepEqual([ahead.body.data, ahead.body.next_page.offset], [[], first.body.prev_page.offset]);
      const [more] = await publishSome(world, api, 1);
      assert.deepEqual(idsOf(await crawl(nextOf(ahead), "")), [more]);
    });

    it("responds with 404 to an unknown position, so that the client starts over", async () => {
      assert.equal(outcomeOf(await crawl("nowhere", "")), "404 params/offset: Offset expired/invalid");
    });

    it("accepts all members of its links except uri and path as parameters", async () => {
      const all = idsOf(await api.get("/tenders?mode=_all_"));
      const ask = (query: object) => api.get(`/tenders?${new URLSearchParams({ ...query })}`);
      let query: object = { mode: "_all_", feed: "changes", limit: "2" };
      const seen: string[] = [];
      for (;;) {
        const page = expectStatus(200, await ask(query));
        seen.push(...idsOf(page));
        if (page.body.data.length === 0) break;
        const { uri: _uri, path: _path, ...rest } = page.body.next_page;
        query = { ...query, ...rest };
      }
      assert.deepEqual(seen, all);
    });

    it("can be read backward with fields, and has both offsets", async () => {
      const query = "descending=True&feed=changes&opt_fields=status&mode=_all_";
      const { body } = expectStatus(200, await api.get(`/tenders?${query}`));
      assert.ok(body.next_page.offset && body.prev_page.offset);
      assert.ok(body.data.every((entry: Entry & { status: string }) => entry.status.startsWith("active.")));
      const { seen } = await readOn(nextOf({ body } as TestResponse), nextOf, (offset) =>
        api.get(`/tenders?${query}&offset=${offset}`),
      );
      assert.deepEqual(seen, []);
      const poll = await api.get(`/tenders?feed=changes&opt_fields=status&mode=_all_&offset=${body.prev_page.offset}`);
      assert.deepEqual(poll.body.data, []);
    });

    it("can be followed by its uris from a date without a time zone", async () => {
      const all = idsOf(await api.get("/tenders?mode=_all_"));
      const from = `${api.root}/tenders?offset=2016-01-01T00:00:00&mode=_all_&limit=2`;
      const { seen, page } = await readOn(
        from,
        ({ body }) => body.next_page.uri,
        (uri) => api.get(uri),
      );
      assert.deepEqual(seen, all);
      assert.ok(page.body.prev_page.uri);
    });

    it("can be followed from Unix seconds, and back by prev_page", async () => {
      const entries: Entry[] = (await api.get("/tenders?mode=_all_")).body.data;
      const from = unixOf(entries[2]!.dateModified);
      const { body } = expectStatus(200, await api.get(`/tenders?offset=${from}&mode=_all_`));
      assert.deepEqual(
        body.data.map(({ id }: Entry) => id),
        entries.slice(2).map(({ id }) => id),
      );
      const back = expectStatus(200, await api.get(body.prev_page.uri));
      assert.deepEqual(
        idsOf(back),
        entries
          .slice(0, 2)
          .map(({ id }) => id)
          .toReversed(),
      );
    });
  });

describe("every response", async () => {
  const world = await sharedWorld();
  const api = world.api("2.5");

  it("has a Date and at most one cookie, and is not a 412", async () => {
    const { path } = await publish(api, fullTender(world.clock.now));
    const responses = await Promise.all([
      api.request("HEAD", `${world.url}/`, { key: null }),
      api.get(path),
      api.get("/tenders/nope"),
      api.request("PATCH", path, { body: {} }),
      api.post(`${path}/bids`, {}, { key: null }),
      api.request("PUT", path),
      api.get("/spore"),
    ]);
    for (const { headers, status } of responses) {
      assert.ok(Number.isFinite(Date.parse(headers.get("date") ?? "")), `${status}`);
      assert.ok(headers.getSetCookie().length <= 1);
      assert.ok(status !== 412 && status !== 410);
    }
  });

  it("always has next_page, and prev_page if descending or offset was sent", async () => {
    const pages = ["", "descending=", "offset=", "descending=1", "offset=0", "descending=0&offset=0"];
    for (const query of pages) {
      const { body } = expectStatus(200, await api.get(`/tenders?${query}`));
      assert.ok(body.next_page.offset !== undefined && body.next_page.path && body.next_page.uri, query);
      assert.equal("prev_page" in body, /\d/.test(query), query);
    }
  });

  it("has document URLs in the form that bots expect", async () => {
    const { path, token } = await publish(api, fullTender(world.clock.now));
    const { data } = expectStatus(
      201,
      await api.upload(`${path}/documents`, { name: "a", content: "a" }, { token }),
    ).body;
    assert.match(data.url, /\/get\/[0-9a-f]{32}$|[?&]download=[0-9a-f]{32}/);
  });
});
