import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import { ENGINE } from "../support/engines.ts";
import { type AuctionStory, reachAuction, reachFirstTurn } from "../support/liveAuctions.ts";
import type { AnyJson } from "../support/procedure.ts";
import { waitUntil } from "../support/processes.ts";
import { openSse, type SseConnection, type SseOptions } from "../support/sse.ts";
import { expectStatus, openApi, openWorld, sharedWorld, type World } from "../support/world.ts";

const connections: SseConnection[] = [];
after(() => {
  for (const connection of connections) connection.close();
});

async function listen(world: World, story: AuctionStory, options: SseOptions = {}): Promise<SseConnection> {
  const connection = await openSse(`${world.url}/api/2.5${story.path()}/events`, options);
  connections.push(connection);
  return connection;
}

const dataOf = ({ events }: Pick<SseConnection, "events">): readonly AnyJson[] =>
  events.map(({ data }) => JSON.parse(data));
const kindsOf = (sse: SseConnection): readonly string[] => dataOf(sse).map(({ kind }) => kind ?? "snapshot");
const openStreamsOf = async (world: World): Promise<number> => {
  const text = await (await fetch(`${world.url}/metrics`)).text();
  return Number(/^tenderhall_auction_streams_open (\d+)/m.exec(text)?.[1]);
};

describe("the stream of an auction", async () => {
  const world = await sharedWorld({ AUCTIONS: "builtin" });
  const api = world.api("2.5");

  it("begins with a snapshot, and has every change with the time of the auction's clock", async () => {
    const story = await reachAuction(world);
    const sse = await listen(world, story);
    await sse.waitUntil(({ events }) => events.length === 1);
    const [{ serverTime, ...snapshot }] = dataOf(sse);
    assert.deepEqual(snapshot, await story.fetchAuction());
    assert.deepEqual([sse.events[0]!.name, sse.events[0]!.id], ["snapshot", snapshot.lastEvent]);
    assert.equal(sse.headers["x-server-time"], serverTime);
    const { now } = await story.nextStage();
    await sse.waitUntil(({ events }) => events.length === 3);
    assert.deepEqual(kindsOf(sse), ["snapshot", "begun", "stage"]);
    const [, begun, stage] = dataOf(sse);
    assert.deepEqual([begun.serverTime, begun.at, stage.order], [now, snapshot.plannedStart, [1, 2]]);
    assert.deepEqual(
      sse.events.map(({ id, name }) => [id, name]),
      [
        ["1", "snapshot"],
        ["2", "change"],
        ["3", "change"],
      ],
    );
  });

  it("goes on after Last-Event-ID, and begins anew if that is unknown", async () => {
    const story = await reachAuction(world);
    const sse = await listen(world, story);
    await sse.waitUntil(({ events }) => events.length === 1);
    const missed = sse.lastEventId;
    sse.close();
    await story.nextStage();
    await story.nextStage();
    const resumed = await listen(world, story, { lastEventId: missed });
    await resumed.waitUntil(({ events }) => events.length === 3);
    assert.deepEqual(kindsOf(resumed), ["begun", "stage", "stage"]);
    for (const lastEventId of ["99", "3.1", "x", "-1", "1e3"]) {
      const anew = await listen(world, story, { lastEventId });
      await anew.waitUntil(({ events }) => events.length === 1);
      assert.deepEqual([anew.events[0]!.name, anew.events[0]!.id], ["snapshot", "4"], lastEventId);
    }
    const { headers = {} } = await story.bidders[1]!.bearer();
    expectStatus(201, await story.place(story.bidders[1]!, 470000));
    const asBidder = await listen(world, story, { lastEventId: "4.0", headers });
    await asBidder.waitUntil(({ events }) => events.length === 1);
    assert.deepEqual([kindsOf(asBidder), asBidder.events[0]!.id], [["price placed"], "4.1"]);
  });

  it("shows a bidder its own price in all its windows, and ends when its link is replaced", async () => {
    const story = await reachFirstTurn(world);
    const high = story.bidders[1]!;
    const { headers = {} } = await high.bearer();
    const windows = await Promise.all([listen(world, story, { headers }), listen(world, story, { headers })]);
    const watcher = await listen(world, story);
    for (const sse of [...windows, watcher]) await sse.waitUntil(({ events }) => events.length === 1);
    assert.equal(dataOf(windows[0])[0].own.isOwnTurn, true);
    assert.equal(dataOf(watcher)[0].own, undefined);
    expectStatus(201, await story.place(high, 470000));
    for (const sse of windows) {
      await sse.waitUntil(({ events }) => events.length === 2);
      assert.deepEqual([dataOf(sse)[1].kind, dataOf(sse)[1].amount], ["price placed", 470000]);
    }
    expectStatus(201, await api.request("POST", `${story.path()}/links`, { token: high.token }));
    for (const sse of windows) assert.equal(await sse.ended, "end");
    assert.ok(windows[0].comments.includes("the link was replaced"));
    await story.nextStage();
    await watcher.waitUntil(({ events }) => events.length === 3);
    const refused = await listen(world, story, { headers });
    assert.equal(refused.status, 403);
  });

  it("answers HEAD, unknown auctions and other versions like any read", async () => {
    const story = await reachAuction(world);
    assert.equal((await listen(world, story, { method: "HEAD" })).status, 200);
    const events = (path: string) => openSse(`${world.url}${path}/events`);
    assert.equal((await events(`/api/2.5/auctions/${"0".repeat(32)}`)).status, 404);
    assert.equal((await events(`/api/2.3${story.path()}`)).status, 404);
    assert.equal((await events(`/api/0.2${story.path()}`)).status, 404);
    assert.equal((await api.get("/auctions/none", { key: null })).status, 404);
  });
});

describe("streams of auctions", () => {
  it("have a limit for each client and for all together", async () => {
    const world = await openWorld({
      AUCTIONS: "builtin",
      STREAMS_MAX: "3",
      STREAMS_PER_CLIENT_MAX: "2",
      TRUST_PROXY: "1",
    });
    after(world.stop);
    const story = await reachAuction(world);
    const from = (address: string) => ({ headers: { "X-Forwarded-For": address } });
    const open = async (address: string) => (await listen(world, story, from(address))).status;
    assert.deepEqual([await open("10.0.0.1"), await open("10.0.0.1"), await open("10.0.0.1")], [200, 200, 429]);
    assert.deepEqual([await open("10.0.0.2"), await open("10.0.0.2")], [200, 503]);
    assert.equal(await openStreamsOf(world), 3);
    for (const connection of connections) connection.close();
    await waitUntil(
      async () => (await openStreamsOf(world)) === 0,
      () => "the streams to end",
    );
    assert.equal(await open("10.0.0.1"), 200);
  });

  it("send heartbeats, and end when the server stops", async () => {
    const world = await openWorld({ AUCTIONS: "builtin", STREAM_BEAT_SECONDS: "1" });
    const story = await reachAuction(world);
    const sse = await listen(world, story);
    await sse.waitUntil(({ comments }) => comments.includes("heart-beat"));
    await world.halt();
    assert.equal(await sse.ended, "end");
    assert.ok(sse.comments.includes("the server is stopping: reconnect"));
    await world.stop();
  });

  it("that are never read cost others nothing, and are cut off when the server stops", async () => {
    const world = await openWorld({ AUCTIONS: "builtin", STREAM_BEAT_SECONDS: "1" });
    const story = await reachAuction(world);
    const held = await Promise.all(Array.from({ length: 50 }, () => listen(world, story, { held: true })));
    const reader = await listen(world, story);
    while ((await story.fetchAuction()).phase !== "announcement") await story.nextStage();
    await reader.waitUntil(({ events }) => events.some(({ data }) => JSON.parse(data).kind === "names"));
    assert.equal(await openStreamsOf(world), 51);
    await world.halt();
    assert.ok(held.every(({ events }) => events.length === 0));
    await world.stop();
  });

  it("have the changes of other servers", { skip: ENGINE === "postgres" ? false : "not on PostgreSQL" }, async () => {
    const first = await openWorld({ AUCTIONS: "builtin" });
    const environment = { DATA_DIR: first.dataDir, ...first.database.environment, AUCTIONS: "builtin" };
    const other = await openWorld(environment);
    after(async () => {
      await other.stop();
      await first.stop();
    });
    const story = await reachFirstTurn(first);
    const { headers = {} } = await story.bidders[1]!.bearer();
    const [watcher, bidder] = [await listen(other, story), await listen(other, story, { headers })];
    for (const sse of [watcher, bidder]) await sse.waitUntil(({ events }) => events.length === 1);
    expectStatus(201, await story.place(story.bidders[1]!, 470000));
    await bidder.waitUntil(({ events }) => events.length === 2);
    const price = { amount: 465000 };
    expectStatus(
      201,
      await openApi(() => other.url, "2.5").post(`${story.path()}/bids`, price, { key: null, headers }),
    );
    await story.nextStage();
    await watcher.waitUntil(({ events }) => events.length === 3);
    assert.deepEqual([dataOf(watcher)[1].kind, dataOf(watcher)[1].amount], ["turn result", 465000]);
  });
});
