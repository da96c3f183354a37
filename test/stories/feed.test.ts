import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { formatUnix, openZone, parseInstant } from "../../src/domain/values/time.ts";
import { bidOf, DAY, formatTime, fullTender, plainTender, publish } from "../support/examples.ts";
import { errorsOf, expectStatus, openWorld, sharedWorld, type TestResponse } from "../support/world.ts";

/** The pages of the feed: their entries, their links and their offsets. */

const STAMPS = { "2.3": "dateModified", "0.1": "modified" } as const;
const SECOND = 1_000_000;
const kyiv = openZone("Europe/Kyiv");
const instantOf = (text: string): number => parseInstant(text, kyiv) as number;

type Entry = { readonly [name: string]: string };
const idsOf = ({ body }: TestResponse): string[] => body.data.map(({ id }: Entry) => id);
const queryOf = ({ path }: { path: string }) => Object.fromEntries(new URL(path, "http://x").searchParams);

for (const version of ["2.3", "0.1"] as const)
  describe(`the feed under ${version}`, async () => {
    const world = await sharedWorld();
    const api = world.api(version);
    const stamp = STAMPS[version];
    let ids: string[];
    let keys: string[];

    before(async () => {
      const empty = expectStatus(200, await api.get("/tenders"));
      assert.deepEqual(empty.body.data, []);
      assert.equal(empty.body.prev_page, undefined);
      assert.ok(instantOf(empty.body.next_page.offset) < world.clock.now);
      for (let i = 0; i < 3; i++) {
        world.clock.forward(1.5 * SECOND);
        await publish(world.api("2.3"), fullTender(world.clock.now));
      }
      const all = expectStatus(200, await api.get(empty.body.next_page.path.replace(/^.*\/tenders/, "/tenders")));
      ids = idsOf(all);
      keys = all.body.data.map((entry: Entry) => entry[stamp]);
      assert.deepEqual(keys, keys.toSorted());
      assert.equal(new Set(keys).size, 3);
    });

    const page = (query: object) => api.get(`/tenders?${new URLSearchParams(query as Entry)}`);

    it("has entries with an id and dateModified, and nothing else", async () => {
      for (const entry of (await api.get("/tenders")).body.data)
        assert.deepEqual(Object.keys(entry).sort(), ["id", stamp].sort());
    });

    it("has the pages of the worked example, entry by entry", async () => {
      const [k1, k2, k3] = keys as [string, string, string];
      const between = formatTime(instantOf(k1) + 5);
      const rows: readonly (readonly [object, number[], string, object | undefined])[] = [
        [{}, [0, 1], k2, undefined],
        [{ offset: k2 }, [2], k3, { offset: k2, descending: "1" }],
        [{ offset: k3 }, [], k3, { offset: k3, descending: "1" }],
        [{ offset: between }, [1, 2], k3, { offset: between, descending: "1" }],
        [{ descending: "1" }, [2, 1], k2, { offset: k3 }],
        [{ descending: "1", offset: k2 }, [0], k1, { offset: k2 }],
        [{ descending: "1", offset: k1 }, [], k1, { offset: k1 }],
      ];
      for (const [query, expected, next, prev] of rows) {
        const response = await page({ limit: "2", ...query });
        const { next_page, prev_page } = response.body;
        assert.deepEqual(
          idsOf(response),
          expected.map((i) => ids[i]),
          JSON.stringify(query),
        );
        assert.equal(next_page.offset, next);
        const direction = "descending" in query ? { descending: "1" } : {};
        assert.deepEqual(queryOf(next_page), { offset: next, limit: "2", ...direction });
        assert.deepEqual(prev_page && queryOf(prev_page), prev && { limit: "2", ...prev });
        if (prev_page) assert.equal(prev_page.offset, queryOf(prev_page).offset);
      }
    });

    it("repeats only valid parameters in its links, and its links work", async () => {
      const query = { limit: "2", opt_fields: "status,tenderID", feed: "changes", mode: "_all_" };
      const noise = { opt_pretty: "1", acc_token: "secret", x: "y" };
      const { next_page } = (await page({ ...query, ...noise })).body;
      assert.deepEqual(Object.keys(next_page).sort(), ["offset", "path", "uri"]);
      assert.deepEqual(queryOf(next_page), { ...query, offset: next_page.offset });
      assert.match(next_page.path, /%3A.*%2B/);
      assert.match(next_page.path, /opt_fields=status%2CtenderID/);
      assert.equal(next_page.uri, world.url + next_page.path);
      assert.deepEqual(idsOf(await api.get(next_page.uri)), [ids[2]]);
      const odd = (await page({ limit: "many", feed: "rss", mode: "real", descending: "0" })).body;
      assert.deepEqual(queryOf(odd.next_page), { limit: "many", offset: odd.next_page.offset, descending: "1" });
      assert.deepEqual(queryOf(odd.prev_page), { limit: "many", offset: odd.prev_page.offset });
    });

    it("uses 100 for an invalid limit", async () => {
      for (const limit of ["0", "-1", "x", "1001", "99999999999999999999", "1.5", "1e1", " 1", "0x1"])
        assert.deepEqual(idsOf(await page({ limit })), ids, limit);
      assert.deepEqual(idsOf(await page({ limit: "1000" })), ids);
      assert.deepEqual(idsOf(await page({ limit: "1" })), ids.slice(0, 1));
    });

    it("is descending for any value of descending", async () => {
      for (const descending of ["1", "0", "True", "false"])
        assert.deepEqual(idsOf(await page({ descending })), ids.toReversed(), descending);
    });

    it("accepts every form of an offset", async () => {
      const k2 = keys[1]!;
      const at = instantOf(k2);
      const utc = new Date(Math.floor(at / 1000)).toISOString().replace(/\.\d+Z$/, "");
      const micros = String(at % SECOND).padStart(6, "0");
      const local = k2.replace(/\+\d\d:\d\d$/, "");
      const forms = [k2, local, local.replace("T", " "), `${utc}.${micros}Z`, `${utc}.${micros}+00:00`, formatUnix(at)];
      const compact = k2.replace(/:(?=\d\d$)/, "");
      for (const offset of [...forms, compact]) assert.deepEqual(idsOf(await page({ offset })), ids.slice(2), offset);
      const seconds = Math.floor(at / SECOND);
      assert.deepEqual(idsOf(await page({ offset: String(seconds) })), ids.slice(1));
      assert.deepEqual(idsOf(await page({ offset: String(seconds + 1) })), ids.slice(2));
      assert.deepEqual(idsOf(await page({ offset: "2016-01-01T00:00:00" })), ids);
      assert.deepEqual(idsOf(await page({ offset: "2016-01-01" })), ids);
    });

    it("accepts an offset whose plus sign was decoded as a space", async () => {
      const k2 = keys[1]!;
      for (const raw of [k2, k2.replace(/:(?=\d\d$)/, ""), k2.replace(/:\d\d$/, ""), k2.replace("T", "%20")])
        assert.deepEqual(idsOf(expectStatus(200, await api.get(`/tenders?offset=${raw}`))), ids.slice(2), raw);
    });

    it("responds with 404 to an invalid offset, with any feed parameter", async () => {
      const bad = [
        "x",
        "2026-02-31T00:00:00",
        "2026-13-01",
        "-1",
        "1e9",
        "0.",
        "NaN",
        "\0",
        "12345678901234567890",
        "f".repeat(32),
      ];
      for (const offset of bad)
        for (const feed of ["changes", "dateModified", ""])
          assert.deepEqual(errorsOf(expectStatus(404, await page({ offset, feed }))), [
            "params/offset: Offset expired/invalid",
          ]);
    });

    it("keeps the caller's position when there is nothing more", async () => {
      const future = formatTime(world.clock.now + 1000 * DAY);
      for (const offset of [keys[2]!, future]) {
        const response = await page({ offset });
        assert.deepEqual(response.body.data, []);
        assert.equal(response.body.next_page.offset, offset);
        assert.equal(response.body.prev_page.offset, offset);
      }
    });

    it("shows the requested fields, but no hidden data", async () => {
      const { path, id } = await publish(world.api("2.3"), fullTender(world.clock.now));
      world.clock.forward(7 * DAY);
      expectStatus(201, await world.api("2.3").post(`${path}/bids`, bidOf(77)));
      const tender = (await api.get(path)).body.data;
      const known = Object.keys(tender).filter((name) => name !== "bids");
      const hidden = [
        "bids",
        "numberOfBids",
        "owner_token",
        "tokenHash",
        "token",
        "access",
        "procedure",
        "revisions",
        "_id",
      ];
      const entries = expectStatus(200, await page({ opt_fields: [...known, ...hidden, "", " status"].join() })).body
        .data;
      const entry = entries.find((candidate: Entry) => candidate.id === id);
      assert.deepEqual(entry, tender);
      const partial = (await page({ opt_fields: "status,nothing" })).body.data.find(
        (candidate: Entry) => candidate.id === id,
      );
      assert.deepEqual(partial, { id, [stamp]: tender[stamp], status: "tendering" });
    });

    it("does not change with sealed bids, and changes with deadlines", async () => {
      const { path, id } = await publish(world.api("2.3"), fullTender(world.clock.now));
      const here = (await page({ descending: "1", limit: "1" })).body.prev_page.offset;
      world.clock.forward(7 * DAY);
      const moved = await page({ offset: here });
      assert.equal(idsOf(moved).filter((entryId) => entryId === id).length, 1);
      const there = moved.body.next_page.offset;
      expectStatus(201, await world.api("2.3").post(`${path}/bids`, bidOf(1)));
      assert.deepEqual(idsOf(await page({ offset: there })), []);
    });

    it("never lists drafts, and lists test tenders only on request", async () => {
      const newest = world.api("2.3");
      const here = (await page({ descending: "1", limit: "1" })).body.prev_page.offset;
      const draft = await publish(newest, { status: "draft" });
      const test = await publish(newest, { ...plainTender(world.clock.now), mode: "test" });
      const real = await publish(newest, plainTender(world.clock.now));
      const listed = async (mode: string) => idsOf(await page({ offset: here, mode }));
      assert.deepEqual(await listed(""), [real.id]);
      assert.deepEqual(await listed("real"), [real.id]);
      assert.deepEqual(await listed("test"), [test.id]);
      assert.deepEqual(await listed("_all_"), [test.id, real.id]);
      expectStatus(200, await newest.patch(draft.path, { status: "active.enquiries" }, { token: draft.token }));
      assert.deepEqual(await listed(""), [real.id, draft.id]);
    });
  });

describe("the feed of many tenders", async () => {
  const world = await sharedWorld();
  const api = world.api("2.3");

  it("has 100 entries per page, up to 1000 on request, and 100 with fields", async () => {
    for (let i = 0; i < 3; i++) await Promise.all(Array.from({ length: 35 }, () => publish(api, {})));
    const countOf = async (query: string) => (await api.get(`/tenders?${query}`)).body.data.length;
    assert.equal(await countOf(""), 100);
    assert.equal(await countOf("limit=101"), 101);
    assert.equal(await countOf("limit=1000"), 105);
    assert.equal(await countOf("limit=1001"), 100);
    assert.equal(await countOf("limit=101&opt_fields=status"), 100);
    assert.equal(await countOf("limit=99&opt_fields=status"), 99);
    assert.equal(await countOf("limit=1000&opt_fields="), 105);
  });

  it("continues after a restart, and never goes back when the clock does", async () => {
    const own = await openWorld();
    const here = own.api("2.3");
    const first = await publish(here, {});
    const { offset } = (await here.get("/tenders")).body.next_page;
    await own.restart();
    own.clock.forward(-30 * DAY);
    assert.deepEqual((await here.get(`/tenders?offset=${encodeURIComponent(offset)}`)).body.data, []);
    const second = await publish(here, {});
    expectStatus(200, await here.patch(first.path, { title: "later" }, { token: first.token }));
    const after = await here.get(`/tenders?offset=${encodeURIComponent(offset)}`);
    assert.deepEqual(idsOf(after), [second.id, first.id]);
    assert.ok(instantOf(after.body.next_page.offset) > instantOf(offset));
    await own.stop();
  });
});
