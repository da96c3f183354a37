import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { publish } from "../support/examples.ts";
import { waitUntil } from "../support/processes.ts";
import { scrape, sumOf } from "../support/prometheus.ts";
import { entriesIn, type SseConnection } from "../support/sse.ts";
import {
  assertInOrder,
  assertReceivedAll,
  idsOf,
  instantOf,
  openStreamReaders,
  STREAM_VERSIONS,
  stampOf,
} from "../support/streamReaders.ts";
import { writeAtFullSpeed } from "../support/writers.ts";

/** Stream readers during writes, and readers that are slow, too many or behind. */

const { newWorld, listen } = openStreamReaders();

for (const ticking of [false, true])
  describe(`while writers write at full speed and the clock ${ticking ? "runs" : "stands still"}`, () => {
    it("readers from the start, in every version, get every change once, including at the switch to live events", async () => {
      const world = await newWorld({}, ticking);
      const api = world.api("2.3");
      const before = await writeAtFullSpeed(api, 3, 12);
      const writing = writeAtFullSpeed(api);
      const streams: { sse: SseConnection; stamp: string }[] = [];
      for (const version of [...STREAM_VERSIONS, ...STREAM_VERSIONS]) {
        const query = streams.length < STREAM_VERSIONS.length ? "" : "opt_fields=title&mode=_all_";
        streams.push({ sse: await listen(world, version, query), stamp: stampOf(version) });
      }
      const written = new Map([...before, ...(await writing)]);
      for (const { sse, stamp } of streams) await assertReceivedAll(sse, written, stamp);
    });

    it("a reader that reconnects with its last event id gets every change once", async () => {
      const world = await newWorld({}, ticking);
      let done = false;
      const writing = writeAtFullSpeed(world.api("2.3")).finally(() => {
        done = true;
      });
      const events: SseConnection["events"] = [];
      let lastEventId = "";
      while (!done) {
        const sse = await listen(world, "2.5", "", { lastEventId });
        await sse.waitUntil(({ events }) => events.length > 0 || done);
        sse.close();
        events.push(...sse.events);
        ({ lastEventId } = sse);
      }
      const sse = await listen(world, "2.5", "", { lastEventId });
      const written = await writing;
      const last = Math.max(...[...written.values()].map(instantOf));
      await sse.waitUntil((connection) => instantOf(lastOf([...events, ...connection.events])) >= last);
      events.push(...sse.events);
      assertInOrder({ events: events });
      const seen = new Map(entriesIn({ events: events }).map(({ id, dateModified }) => [id!, dateModified!]));
      assert.deepEqual([...seen].sort(), [...written].sort());
    });

    it("a hundred readers get every change", async () => {
      const world = await newWorld({}, ticking);
      const streams = await Promise.all(Array.from({ length: 100 }, () => listen(world, "2.3")));
      const written = await writeAtFullSpeed(world.api("2.3"));
      for (const sse of streams) await assertReceivedAll(sse, written);
      for (const sse of streams) sse.close();
    });
  });

const lastOf = (events: SseConnection["events"]): string =>
  events.length > 0 ? JSON.parse(events.at(-1)!.data).dateModified : "2000-01-01";

describe("a stream reader", () => {
  const text = "x".repeat(50_000);

  it("that is slow gets everything, from the store once it has fallen behind", async () => {
    const world = await newWorld();
    const api = world.api("2.3");
    const sse = await listen(world, "2.3", "opt_fields=description");
    const written = new Map<string, string>();
    for (let i = 0; i < 200; i++) {
      sse.pause();
      const { id, response } = await publish(api, { description: text });
      written.set(id, response.body.data.dateModified);
      if (i % 10 === 9) sse.resume();
    }
    sse.resume();
    await assertReceivedAll(sse, written);
    assert.equal(sse.events.length, 200);
  });

  it("that takes nothing is cut off, unlike one that has nothing to take; it goes on where it was", async () => {
    const world = await newWorld({ STREAM_STALL_SECONDS: "1", STREAM_BEAT_SECONDS: "60" });
    const api = world.api("2.3");
    const written = new Map<string, string>();
    const stalled = await listen(world, "2.3", "opt_fields=description", { held: true });
    const other = await listen(world, "2.3", "opt_fields=title");
    const idle = await listen(world, "2.3", "currency=EUR");
    const waitForCut = () =>
      waitUntil(
        async () => sumOf(await scrape(world.url), "tenderhall_streams_open") === 2,
        () => "the stalled reader to be cut off",
      );
    for (let i = 0; i < 200; i++) {
      const { id, response } = await publish(api, { description: text });
      written.set(id, response.body.data.dateModified);
    }
    await assertReceivedAll(other, written);
    await waitForCut();
    stalled.resume();
    assert.equal(await stalled.ended, "cut");
    assert.ok(stalled.events.length < 200, `${stalled.events.length} events were taken`);
    const { lastEventId } = stalled;
    // Nothing is written while a second reader stalls, so the others are idle for as long as the one that is cut off.
    const alsoStalled = await listen(world, "2.3", "opt_fields=description", { lastEventId, held: true });
    await waitForCut();
    alsoStalled.resume();
    assert.equal(await alsoStalled.ended, "cut");
    assert.deepEqual([other.isOver(), idle.isOver()], [false, false]);
    const again = await listen(world, "2.3", "opt_fields=description", { lastEventId });
    await again.waitUntil(({ events }) => events.length + stalled.events.length === 200);
    assertInOrder({ events: [...stalled.events, ...again.events] });
    const { id } = await publish(api, { value: { amount: 1, currency: "EUR" } });
    await idle.waitUntil(({ events }) => events.length === 1);
    assert.deepEqual(idsOf(idle), [id]);
    assert.doesNotMatch(world.logText(), /"level":"error"/);
  });

  it("gets Retry-After if there are too many, and is accepted when another has left", async () => {
    const world = await newWorld({ STREAMS_MAX: "2" });
    const [reader] = await Promise.all([listen(world, "2.3"), listen(world, "2.5")]);
    const refused = await listen(world, "2.3");
    assert.deepEqual([refused.status, refused.headers["retry-after"]], [503, "5"]);
    reader.close();
    let status = 503;
    while (status === 503) ({ status } = await listen(world, "2.3"));
    assert.equal(status, 200);
  });

  it("is limited per address and per key, independently of other readers", async () => {
    const world = await newWorld({ STREAMS_PER_CLIENT_MAX: "2", TRUST_PROXY: "1" });
    const from = (address: string, key?: string) =>
      listen(world, "2.3", "", {
        headers: { "X-Forwarded-For": `192.0.2.9, ${address}`, ...(key && { Authorization: `Bearer ${key}` }) },
      });
    const [stream] = [await from("192.0.2.1"), await from("192.0.2.1")];
    const refused = await from("192.0.2.1");
    assert.deepEqual([refused.status, refused.headers["retry-after"]], [429, "5"]);
    await refused.ended;
    assert.equal(JSON.parse(refused.comments.join("")).errors[0].rule, "too-many-streams");
    for (const address of ["192.0.2.2", "192.0.2.3"]) assert.equal((await from(address, "broker")).status, 200);
    assert.equal((await from("192.0.2.4", "broker")).status, 429);
    assert.equal((await from("192.0.2.4", "broker2")).status, 200);
    stream.close();
    let status = 429;
    while (status === 429) ({ status } = await from("192.0.2.1"));
    assert.equal(status, 200);
    assert.equal((await from("192.0.2.1")).status, 429);
  });

  it("is disconnected at once when the server stops, even if it reads nothing, and resumes on the next server", async () => {
    const world = await newWorld({ SHUTDOWN_SECONDS: "3600" });
    const api = world.api("2.3");
    const sse = await listen(world, "2.3");
    const stalled = await listen(world, "2.3", "opt_fields=description", { held: true });
    for (let i = 0; i < 200; i++) await publish(api, { description: text });
    await sse.waitUntil(({ events }) => events.length === 200);
    // Waiting for these readers would exceed the timeout of the test.
    await world.restart();
    assert.equal(await sse.ended, "end");
    assert.equal(sse.comments.at(-1), "the server is stopping: reconnect");
    stalled.close();
    const { id } = await publish(api, {});
    const again = await listen(world, "2.3", "", { lastEventId: sse.lastEventId });
    await again.waitUntil(({ events }) => events.length === 1);
    assert.deepEqual(idsOf(again), [id]);
  });
});
