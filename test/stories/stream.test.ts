import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { formatUnix } from "../../src/domain/values/time.ts";
import { bidOf, DAY, fullTender, plainTender, publish, publishForBids } from "../support/examples.ts";
import { entriesIn } from "../support/sse.ts";
import { idsOf, instantOf, openStreamReaders, STREAM_VERSIONS, stampOf } from "../support/streamReaders.ts";
import { errorsOf, expectStatus } from "../support/world.ts";

/** The stream: existing changes first, then live ones, each once and in order. */

const { newWorld, listen } = openStreamReaders();

describe("a stream of changes", async () => {
  const world = await newWorld({ STREAM_BEAT_SECONDS: "1" });
  const api = world.api("2.3");

  it("sends the feed's entries as events, with offsets of its version as ids, to anyone", async () => {
    await publish(api, plainTender());
    await publish(api, plainTender());
    for (const version of STREAM_VERSIONS) {
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

  it("resumes after an offset of any version, or after the Last-Event-ID", async () => {
    const [first, second] = (await api.get("/tenders")).body.data;
    for (const offset of [first.dateModified, formatUnix(instantOf(first.dateModified))])
      for (const version of STREAM_VERSIONS) {
        const stream = await listen(world, version, `offset=${encodeURIComponent(offset)}`);
        const again = await listen(world, version, "offset=0", { lastEventId: offset });
        for (const sse of [stream, again]) {
          await sse.waitUntil(({ events }) => events.length === 1);
          assert.deepEqual(idsOf(sse), [second.id]);
          sse.close();
        }
      }
    const future = await listen(world, "2.5", "offset=2100-01-01");
    await future.waitUntil(({ comments }) => comments.length > 0);
    assert.deepEqual(future.events, []);
  });

  it("sends a heartbeat while nothing happens", async () => {
    const sse = await listen(world, "2.5");
    await sse.waitUntil(({ comments }) => comments.length >= 2);
    assert.deepEqual(sse.comments.slice(0, 2), ["heart-beat", "heart-beat"]);
    sse.close();
  });

  it("refuses invalid parameters as the feed does, and other methods", async () => {
    const path = "/tenders/stream";
    for (const request of [{ query: "?offset=x" }, { query: "", headers: { "Last-Event-ID": "x" } }]) {
      const refused = expectStatus(404, await api.get(path + request.query, request));
      assert.deepEqual(errorsOf(refused), ["params/offset: Offset expired/invalid"]);
    }
    const wrong = expectStatus(422, await api.get(`${path}?descending=1&status=none&value_min=x`));
    assert.deepEqual(
      errorsOf(wrong).map((text) => text.slice(0, text.indexOf(":"))),
      ["params/status", "params/value_min", "params/descending"],
    );
    expectStatus(422, await api.get(`${path}?descending=1`));
    for (const version of STREAM_VERSIONS) {
      const refused = expectStatus(405, await world.api(version).post(path, {}));
      assert.equal(refused.headers.get("allow"), "GET, HEAD");
      const head = expectStatus(200, await world.api(version).request("HEAD", path));
      assert.equal(head.headers.get("content-type"), "text/event-stream; charset=UTF-8");
    }
  });

  it("sends the same fields as the feed", async () => {
    const { id, path, token } = await publish(api, fullTender(world.clock.now));
    for (const version of STREAM_VERSIONS) {
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

  it("sends only matching changes, and test tenders only on request", async () => {
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

  it("sends changes caused by deadlines alone", async () => {
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

  it("reveals nothing about sealed bids, whatever fields are requested", async () => {
    const { id, path } = await publishForBids(world);
    const offset = (await api.get("/tenders?descending=1&limit=1")).body.next_page.offset;
    const query = `offset=${encodeURIComponent(offset)}&opt_fields=bids,numberOfBids,status,awards,documents`;
    const streams = await Promise.all(STREAM_VERSIONS.map((version) => listen(world, version, query)));
    const bids: string[] = [];
    for (const amount of [480000, 490000]) {
      const { body } = expectStatus(201, await api.post(`${path}/bids`, bidOf(amount)));
      bids.push(body.data.id);
      const lower = { value: { amount: amount - 1000 } };
      expectStatus(200, await api.patch(`${path}/bids/${body.data.id}`, lower, { token: body.access.token }));
    }
    // An event about them would arrive before the tender that is published after them.
    const later = await publish(world.api("2.3"), {});
    for (const sse of streams) {
      await sse.waitUntil(({ events }) => events.length > 0);
      assert.deepEqual(idsOf(sse), [later.id]);
    }
    // Now the auction runs, and the bids are still sealed.
    world.clock.forward(7 * DAY);
    for (const sse of streams) {
      await sse.waitUntil(() => idsOf(sse).includes(id));
      const { data } = sse.events[idsOf(sse).indexOf(id)]!;
      assert.match(data, /active\.auction/);
      assert.doesNotMatch(data, new RegExp(`"(bids|bidders)"|${bids.join("|")}|4[78]9000|4[89]0000`));
    }
  });
});
