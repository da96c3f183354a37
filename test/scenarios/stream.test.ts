import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { formatUnix, openZone, parseInstant } from "../../src/domain/values/time.ts";
import { bidOf, DAY, fullTender, plainTender, publish, publishForBids } from "../support/examples.ts";
import { entriesIn, openSse, type SseConnection, type SseOptions } from "../support/sse.ts";
import { errorsOf, expectStatus, openWorld, type World } from "../support/world.ts";
import { writeAtFullSpeed } from "../support/writers.ts";

/** The feed as it grows: backfill, then live, each change once and in its order. */

const kyiv = openZone("Europe/Kyiv");
const instantOf = (text: string): number => parseInstant(text, kyiv) as number;
const VERSIONS = ["0", "0.1", "0.2", "2.3", "2.5"];
const stampOf = (version: string) => (version === "0.1" ? "modified" : "dateModified");

const worlds: World[] = [];
const listening: SseConnection[] = [];
after(async () => {
  for (const sse of listening) sse.close();
  for (const world of worlds) await world.stop();
});

async function newWorld(...settings: Parameters<typeof openWorld>): Promise<World> {
  const world = await openWorld(...settings);
  worlds.push(world);
  return world;
}

async function listen({ url }: { readonly url: string }, version: string, query = "", asked: SseOptions = {}) {
  const sse = await openSse(`${url}/api/${version}/tenders/stream?${query}`, asked);
  listening.push(sse);
  return sse;
}

const idsOf = (sse: SseConnection) => entriesIn(sse).map(({ id }) => id);
const isRising = (places: readonly string[]) =>
  places.every((place, i) => i === 0 || Number(place) > Number(places[i - 1]));

/** Until the last of what was written has come; then everything has to have come, once and in order. */
async function assertHeardAll(
  sse: SseConnection,
  written: ReadonlyMap<string, string>,
  stamp = "dateModified",
): Promise<void> {
  const last = Math.max(...[...written.values()].map(instantOf));
  await sse.waitUntil(({ events }) => events.length > 0 && instantOf(JSON.parse(events.at(-1)!.data)[stamp]) >= last);
  assertInOrder(sse, stamp);
  const heard = new Map(entriesIn(sse).map((entry) => [entry.id!, entry[stamp]!]));
  assert.deepEqual([...heard].sort(), [...written].sort());
}

function assertInOrder(sse: Pick<SseConnection, "events">, stamp = "dateModified"): void {
  const stamps = entriesIn(sse).map((entry) => instantOf(entry[stamp]!));
  assert.ok(isRising(stamps.map(String)), "each comes once, and after the one before");
}

describe("a stream of changes", async () => {
  const world = await newWorld({ STREAM_BEAT_SECONDS: "1" });
  const api = world.api("2.3");

  it("is of events with the feed's entries, under the offsets of its version, to anyone", async () => {
    await publish(api, plainTender());
    await publish(api, plainTender());
    for (const version of VERSIONS) {
      const page = (await world.api(version).get("/tenders")).body;
      const sse = await listen(world, version);
      await sse.waitUntil(({ events }) => events.length === 2);
      assert.equal(sse.status, 200);
      assert.equal(sse.headers["content-type"], "text/event-stream; charset=UTF-8");
      assert.equal(sse.headers["cache-control"], "no-store");
      assert.equal(sse.headers["x-content-type-options"], "nosniff");
      assert.equal(sse.headers["x-accel-buffering"], "no");
      assert.equal(sse.headers["content-encoding"], undefined);
      assert.equal(sse.retry, 1000);
      assert.deepEqual(entriesIn(sse), page.data);
      assert.equal(sse.lastEventId, page.next_page.offset);
      const [first] = page.data;
      const at = instantOf(first[stampOf(version)]);
      assert.equal(sse.events[0]!.id, version === "2.5" ? formatUnix(at) : first[stampOf(version)]);
      sse.close();
    }
  });

  it("goes on after an offset of any version, or after the last event that the reader has heard", async () => {
    const [first, second] = (await api.get("/tenders")).body.data;
    for (const offset of [first.dateModified, formatUnix(instantOf(first.dateModified))])
      for (const version of VERSIONS) {
        const asked = await listen(world, version, `offset=${encodeURIComponent(offset)}`);
        const again = await listen(world, version, "offset=0", { lastEventId: offset });
        for (const sse of [asked, again]) {
          await sse.waitUntil(({ events }) => events.length === 1);
          assert.deepEqual(idsOf(sse), [second.id]);
          sse.close();
        }
      }
    const future = await listen(world, "2.5", "offset=2100-01-01");
    await future.waitUntil(({ comments }) => comments.length > 0);
    assert.deepEqual(future.events, []);
  });

  it("has a heart-beat while nothing happens", async () => {
    const sse = await listen(world, "2.5");
    await sse.waitUntil(({ comments }) => comments.length >= 2);
    assert.deepEqual(sse.comments.slice(0, 2), ["heart-beat", "heart-beat"]);
    sse.close();
  });

  it("refuses what it does not understand as the feed does, and other methods", async () => {
    const path = "/tenders/stream";
    for (const asked of [{ query: "?offset=x" }, { query: "", headers: { "Last-Event-ID": "x" } }]) {
      const refused = expectStatus(404, await api.get(path + asked.query, asked));
      assert.deepEqual(errorsOf(refused), ["params/offset: Offset expired/invalid"]);
    }
    const wrong = expectStatus(422, await api.get(`${path}?descending=1&status=none&value_min=x`));
    assert.deepEqual(
      errorsOf(wrong).map((text) => text.slice(0, text.indexOf(":"))),
      ["params/status", "params/value_min", "params/descending"],
    );
    expectStatus(422, await api.get(`${path}?descending=1`));
    for (const version of VERSIONS) {
      const refused = expectStatus(405, await world.api(version).post(path, {}));
      assert.equal(refused.headers.get("allow"), "GET, HEAD");
      const head = expectStatus(200, await world.api(version).request("HEAD", path));
      assert.equal(head.headers.get("content-type"), "text/event-stream; charset=UTF-8");
    }
  });

  it("brings the fields that the feed would bring", async () => {
    const { id, path, token } = await publish(api, fullTender(world.clock.now));
    for (const version of VERSIONS) {
      const query = `opt_fields=status,value,procuringEntity,title&offset=${encodeURIComponent("2026-01-01")}`;
      const sse = await listen(world, version, query);
      const page = (await world.api(version).get(`/tenders?${query}`)).body.data;
      await sse.waitUntil(({ events }) => events.length >= page.length);
      assert.deepEqual(entriesIn(sse), page);
      expectStatus(200, await api.patch(path, { title: `For ${version}` }, { token }));
      await sse.waitUntil(({ events }) => events.length > page.length);
      const again = (await world.api(version).get(`/tenders?${query}`)).body.data;
      assert.deepEqual(entriesIn(sse).at(-1), again.at(-1));
      assert.equal(entriesIn(sse).at(-1)!.id, id);
      sse.close();
    }
  });

  it("brings only what meets its filter, and of tests only what is asked for", async () => {
    const filtered = await listen(world, "2.3", "status=active.enquiries&value_min=700&value_max=800");
    const tests = await listen(world, "2.3", "mode=test");
    const all = await listen(world, "2.3", "mode=_all_");
    await publish(api, { ...plainTender(world.clock.now), value: { amount: 600 } });
    const met = await publish(api, { ...plainTender(world.clock.now), value: { amount: 700 } });
    const test = await publish(api, { ...plainTender(world.clock.now), mode: "test" });
    await all.waitUntil(({ events }) => events.at(-1)?.data.includes(test.id) ?? false);
    await tests.waitUntil(({ events }) => events.length > 0);
    await filtered.waitUntil(({ events }) => events.length > 0);
    assert.deepEqual(idsOf(filtered), [met.id]);
    assert.deepEqual(idsOf(tests), [test.id]);
  });

  it("tells of what time alone has changed", async () => {
    const { id } = await publish(api, fullTender(world.clock.now));
    const sse = await listen(
      world,
      "2.5",
      `opt_fields=status&tenderID=${(await api.get(`/tenders/${id}`)).body.data.tenderID}`,
    );
    await sse.waitUntil(({ events }) => events.length === 1);
    world.clock.forward(7 * DAY);
    await sse.waitUntil(({ events }) => events.length === 2);
    assert.deepEqual(
      entriesIn(sse).map(({ status }) => status),
      ["active.enquiries", "active.tendering"],
    );
  });

  it("says nothing of sealed bids, whatever fields are asked for", async () => {
    const { id, path } = await publishForBids(world);
    const offset = (await api.get("/tenders?descending=1&limit=1")).body.next_page.offset;
    const query = `offset=${encodeURIComponent(offset)}&opt_fields=bids,numberOfBids,status,awards,documents`;
    const streams = await Promise.all(VERSIONS.map((version) => listen(world, version, query)));
    const bids: string[] = [];
    for (const amount of [480000, 490000]) {
      const { body } = expectStatus(201, await api.post(`${path}/bids`, bidOf(amount)));
      bids.push(body.data.id);
      const lower = { value: { amount: amount - 1000 } };
      expectStatus(200, await api.patch(`${path}/bids/${body.data.id}`, lower, { token: body.access.token }));
    }
    // Had anything been said of them, it would come before what is published after them.
    const later = await publish(world.api("2.3"), {});
    for (const sse of streams) {
      await sse.waitUntil(({ events }) => events.length > 0);
      assert.deepEqual(idsOf(sse), [later.id]);
    }
    // Now the auction is on, and the bids are sealed still.
    world.clock.forward(7 * DAY);
    for (const sse of streams) {
      await sse.waitUntil(() => idsOf(sse).includes(id));
      const { data } = sse.events[idsOf(sse).indexOf(id)]!;
      assert.match(data, /active\.auction/);
      assert.doesNotMatch(data, new RegExp(`"(bids|bidders)"|${bids.join("|")}|4[78]9000|4[89]0000`));
    }
  });
});

for (const ticking of [false, true])
  describe(`while writers write at full speed and the clock ${ticking ? "runs" : "stands still"}`, () => {
    it("readers from the beginning, of every version, hear everything once: also where live begins", async () => {
      const world = await newWorld({}, ticking);
      const api = world.api("2.3");
      const before = await writeAtFullSpeed(api, 3, 12);
      const writing = writeAtFullSpeed(api);
      const streams: { sse: SseConnection; stamp: string }[] = [];
      for (const version of [...VERSIONS, ...VERSIONS]) {
        const query = streams.length < VERSIONS.length ? "" : "opt_fields=title&mode=_all_";
        streams.push({ sse: await listen(world, version, query), stamp: stampOf(version) });
        await pause(5);
      }
      const written = new Map([...before, ...(await writing)]);
      for (const { sse, stamp } of streams) await assertHeardAll(sse, written, stamp);
    });

    it("a reader that goes and comes again, where it stopped, hears everything once", async () => {
      const world = await newWorld({}, ticking);
      let done = false;
      const writing = writeAtFullSpeed(world.api("2.3")).finally(() => {
        done = true;
      });
      const heard: SseConnection["events"] = [];
      let lastEventId = "";
      while (!done) {
        const sse = await listen(world, "2.5", "", { lastEventId });
        await pause(20);
        sse.close();
        heard.push(...sse.events);
        ({ lastEventId } = sse);
      }
      const sse = await listen(world, "2.5", "", { lastEventId });
      const written = await writing;
      const last = Math.max(...[...written.values()].map(instantOf));
      await sse.waitUntil((one) => instantOf(lastOf([...heard, ...one.events])) >= last);
      heard.push(...sse.events);
      assertInOrder({ events: heard });
      const seen = new Map(entriesIn({ events: heard }).map(({ id, dateModified }) => [id!, dateModified!]));
      assert.deepEqual([...seen].sort(), [...written].sort());
    });

    it("a hundred readers hear everything", async () => {
      const world = await newWorld({}, ticking);
      const streams = await Promise.all(Array.from({ length: 100 }, () => listen(world, "2.3")));
      const written = await writeAtFullSpeed(world.api("2.3"));
      for (const sse of streams) await assertHeardAll(sse, written);
      for (const sse of streams) sse.close();
    });
  });

const lastOf = (events: SseConnection["events"]): string =>
  events.length > 0 ? JSON.parse(events.at(-1)!.data).dateModified : "2000-01-01";

describe("a reader", () => {
  const text = "x".repeat(50_000);

  it("that is slow gets all, from the store where it has fallen behind", async () => {
    const world = await newWorld();
    const api = world.api("2.3");
    const sse = await listen(world, "2.3", "opt_fields=description");
    const written = new Map<string, string>();
    for (let i = 0; i < 200; i++) {
      sse.pause();
      const { id, response: answered } = await publish(api, { description: text });
      written.set(id, answered.body.data.dateModified);
      if (i % 10 === 9) sse.resume();
    }
    sse.resume();
    await assertHeardAll(sse, written);
    assert.equal(sse.events.length, 200);
  });

  it("that takes nothing is cut off, costs the others nothing, and goes on where it was", async () => {
    const world = await newWorld({ STREAM_STALL_SECONDS: "1" });
    const api = world.api("2.3");
    const written = new Map<string, string>();
    const stalled = await listen(world, "2.3", "opt_fields=description", { held: true });
    const other = await listen(world, "2.3", "opt_fields=title");
    for (let i = 0; i < 200; i++) {
      const { id, response: answered } = await publish(api, { description: text });
      written.set(id, answered.body.data.dateModified);
    }
    await assertHeardAll(other, written);
    await pause(3000);
    stalled.resume();
    assert.equal(await stalled.ended, "cut");
    assert.equal(other.isOver(), false);
    assert.ok(stalled.events.length < 200, `${stalled.events.length} events were taken`);
    const again = await listen(world, "2.3", "opt_fields=description", { lastEventId: stalled.lastEventId });
    await again.waitUntil(({ events }) => events.length + stalled.events.length === 200);
    assertInOrder({ events: [...stalled.events, ...again.events] });
    assert.doesNotMatch(world.logText(), /"level":"error"/);
  });

  it("that has nothing to take is not cut off", async () => {
    const world = await newWorld({ STREAM_STALL_SECONDS: "1", STREAM_BEAT_SECONDS: "3" });
    const sse = await listen(world, "2.3");
    await pause(2500);
    assert.equal(sse.isOver(), false);
    const { id } = await publish(world.api("2.3"), {});
    await sse.waitUntil(({ events }) => events.length === 1);
    assert.deepEqual(idsOf(sse), [id]);
  });

  it("is told to come later where there are too many, and has its place when one has left", async () => {
    const world = await newWorld({ STREAMS_MAX: "2" });
    const [one] = await Promise.all([listen(world, "2.3"), listen(world, "2.5")]);
    const refused = await listen(world, "2.3");
    assert.deepEqual([refused.status, refused.headers["retry-after"]], [503, "5"]);
    one.close();
    let status = 503;
    while (status === 503) ({ status } = await listen(world, "2.3"));
    assert.equal(status, 200);
  });

  it("is one of a few from the same address or with the same key, whoever else listens", async () => {
    const world = await newWorld({ STREAMS_PER_CLIENT_MAX: "2", TRUST_PROXY: "1" });
    const from = (address: string, key?: string) =>
      listen(world, "2.3", "", {
        headers: { "X-Forwarded-For": `192.0.2.9, ${address}`, ...(key && { Authorization: `Bearer ${key}` }) },
      });
    const [one] = [await from("192.0.2.1"), await from("192.0.2.1")];
    const refused = await from("192.0.2.1");
    assert.deepEqual([refused.status, refused.headers["retry-after"]], [429, "5"]);
    await refused.ended;
    assert.equal(JSON.parse(refused.comments.join("")).errors[0].rule, "too-many-streams");
    for (const address of ["192.0.2.2", "192.0.2.3"]) assert.equal((await from(address, "broker")).status, 200);
    assert.equal((await from("192.0.2.4", "broker")).status, 429);
    assert.equal((await from("192.0.2.4", "broker2")).status, 200);
    one.close();
    let status = 429;
    while (status === 429) ({ status } = await from("192.0.2.1"));
    assert.equal(status, 200);
    assert.equal((await from("192.0.2.1")).status, 429);
  });

  it("is let go at once when the server stops, also if it takes nothing, and goes on with the next", async () => {
    const world = await newWorld({ SHUTDOWN_SECONDS: "3600" });
    const api = world.api("2.3");
    const sse = await listen(world, "2.3");
    const stalled = await listen(world, "2.3", "opt_fields=description", { held: true });
    for (let i = 0; i < 200; i++) await publish(api, { description: text });
    await sse.waitUntil(({ events }) => events.length === 200);
    // Whoever waited for them would wait for longer than a test may take.
    await world.restart();
    assert.equal(await sse.ended, "end");
    assert.equal(sse.comments.at(-1), "the server stops; go on elsewhere");
    stalled.close();
    const { id } = await publish(api, {});
    const again = await listen(world, "2.3", "", { lastEventId: sse.lastEventId });
    await again.waitUntil(({ events }) => events.length === 1);
    assert.deepEqual(idsOf(again), [id]);
  });
});
