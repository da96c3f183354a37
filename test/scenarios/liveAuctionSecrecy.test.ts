import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import { fullTender } from "../support/examples.ts";
import { type AuctionStory, reachFirstTurn } from "../support/liveAuctions.ts";
import { readMetrics } from "../support/prometheus.ts";
import { openSse, type SseConnection } from "../support/sse.ts";
import { expectStatus, type RequestOptions, sharedWorld, type World } from "../support/world.ts";

/** What anybody but the bidder can fetch is byte for byte the same with and without an unpublished price. */

const FAR = { "X-Forwarded-For": "203.0.113.9" };
/** Headers that differ between two requests for the same thing. */
const VARYING = ["x-request-id", "date", "ratelimit", "keep-alive", "connection"];

async function fetchAll(url: string, { key, token, headers }: RequestOptions = {}, method = "GET"): Promise<string> {
  const response = await fetch(url, {
    method,
    redirect: "manual",
    headers: {
      ...(key && { Authorization: `Basic ${btoa(`${key}:`)}` }),
      ...(token && { "X-Access-Token": token }),
      ...(method !== "GET" && { "Content-Type": "application/json" }),
      ...headers,
    },
    ...(method === "POST" && { body: '{"data":{"amount":470000}}' }),
  });
  const shown = [...response.headers].filter(([name]) => !VARYING.includes(name));
  return JSON.stringify([response.status, shown, await response.text()]);
}

/** Everybody but the bidder whose turn it is. */
const observersOf = async (story: AuctionStory): Promise<{ readonly [name: string]: RequestOptions }> => ({
  nobody: {},
  buyer: { key: "broker", token: story.token },
  "other bidder by key": { key: "broker", token: story.bidders[0]!.token },
  "other bidder by link": await story.bidders[0]!.bearer(),
  admin: { key: "token" },
  Administrator: { key: "administrator" },
  "auction service": { key: "auction" },
  scheduler: { key: "chronograph" },
});

const pathsOf = ({ tender, clock, bidders: [low, high] }: AuctionStory): readonly string[] => {
  const below = ["", "/bids", `/bids/${low!.id}`, `/bids/${high!.id}`, `/bids/${high!.id}/documents`];
  const parts = ["/auction", "/chronograph", "/documents", "/awards", "/lots", "/complaints", "/extract_credentials"];
  const views = ["0", "0.1", "0.2", "2.3", "2.5"].flatMap((version) =>
    [...below, ...parts].map((part) => `/api/${version}/tenders/${tender}${part}`),
  );
  const feed = [
    "",
    "?descending=1&opt_fields=status,auctionUrl,auctionPeriod,bids,dateModified,numberOfBids&mode=_all_",
  ];
  const auctions = [
    "",
    `?tender=${tender}`,
    `/${tender}`,
    `/${tender}?bid=${low!.id}`,
    `/${tender}/record`,
    `/${tender}/bids`,
  ];
  return [
    ...views,
    ...feed.map((query) => `/api/2.5/tenders${query}`),
    ...auctions.map((path) => `/api/2.5/auctions${path}`),
    ...[`/auctions/tenders/${tender}`, `/auctions/${tender}/login`, `/sandbox/clocks/${clock}`, "/"],
  ];
};

/** Every response of every observer. */
async function fetchEverything(world: World, story: AuctionStory): Promise<ReadonlyMap<string, string>> {
  const responses = new Map<string, string>();
  for (const [name, options] of Object.entries(await observersOf(story))) {
    for (const path of pathsOf(story)) responses.set(`${name} ${path}`, await fetchAll(world.url + path, options));
    // Others may try to place a price themselves; a dry run leaves no trace.
    const bids = `${world.url}/api/2.5/auctions/${story.tender}/bids?dry_run=1`;
    responses.set(`${name} POST`, await fetchAll(bids, options, "POST"));
  }
  return responses;
}

const linesOf = (text: string): readonly { readonly [fact: string]: unknown }[] =>
  text.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line)]));

describe("an unpublished price", async () => {
  const settings = { AUCTIONS: "builtin", METRICS: "public", TRUST_PROXY: "1", LOG_ADDRESSES: "on" };
  const world = await sharedWorld(settings);
  const api = world.api("2.5");
  const connections: SseConnection[] = [];
  after(() => {
    for (const connection of connections) connection.close();
  });

  /** The price is placed, replaced, taken back and placed again, in each of the ways that a bidder has. */
  async function usePrices(story: AuctionStory): Promise<void> {
    const high = story.bidders[1]!;
    const byKey = { token: high.token };
    expectStatus(201, await story.place(high, 471234.5));
    expectStatus(200, await story.takeBack(high));
    expectStatus(201, await api.post(`${story.path()}/bids?bid=${high.id}`, { amount: 471111 }, byKey));
    expectStatus(422, await story.place(high, 499999));
    expectStatus(201, await story.place(high, 471234.5));
  }

  it("changes nothing that anybody else can fetch", async () => {
    const story = await reachFirstTurn(world);
    const before = await fetchEverything(world, story);
    await usePrices(story);
    const later = await fetchEverything(world, story);
    assert.ok(before.size > 400, String(before.size));
    for (const [name, response] of before) assert.equal(later.get(name), response, name);
    for (const [name, response] of later) assert.ok(!response.includes("471234"), name);
    assert.equal((await story.fetchAuction(await story.bidders[1]!.bearer())).own.unpublished.amount, 471234.5);
    await story.nextStage();
    assert.equal((await story.fetchAuction()).offers[0].amount, 471234.5);
  });

  it("is in no stream but those of its bidder, and leaves no gap in the numbers of the others", async () => {
    const story = await reachFirstTurn(world);
    const events = `${world.url}/api/2.5${story.path()}/events`;
    const observers = Object.values(await observersOf(story));
    const headersOf = ({ key, token, headers }: RequestOptions) => ({
      ...(key && { Authorization: `Basic ${btoa(`${key}:`)}` }),
      ...(token && { "X-Access-Token": token }),
      ...headers,
    });
    const streams = await Promise.all(observers.map((options) => openSse(events, { headers: headersOf(options) })));
    const own = await openSse(events, { headers: headersOf(await story.bidders[1]!.bearer()) });
    const feed = await openSse(`${world.url}/api/2.5/tenders/stream?mode=_all_`);
    connections.push(...streams, own, feed);
    for (const stream of streams) await stream.waitUntil((sse) => sse.events.length === 1);
    await own.waitUntil((sse) => sse.events.length === 1);
    await usePrices(story);
    await own.waitUntil((sse) => sse.events.length === 5);
    await story.nextStage();
    for (const stream of streams) {
      await stream.waitUntil((sse) => sse.events.length === 3);
      const [snapshot, ...changes] = stream.events;
      const first = Number(snapshot!.id.split(".")[0]);
      assert.deepEqual(
        changes.map(({ id, data }) => [Number(id.split(".")[0]), JSON.parse(data).kind]),
        [
          [first + 1, "turn result"],
          [first + 2, "stage"],
        ],
      );
    }
    await own.waitUntil((sse) => sse.events.length === 7);
    assert.deepEqual(
      own.events.map(({ name, data }) => JSON.parse(data).kind ?? name),
      ["snapshot", "price placed", "price taken back", "price placed", "price placed", "turn result", "stage"],
    );
    // A later change arrives after whatever the prices might have sent.
    const later = expectStatus(201, await api.post("/tenders", fullTender(world.clock.now))).body.data.id;
    const idsIn = (events: SseConnection["events"]): readonly string[] => events.map(({ data }) => JSON.parse(data).id);
    await feed.waitUntil(({ events }) => idsIn(events).includes(later));
    assert.equal(idsIn(feed.events).filter((id) => id === story.tender).length, 1);
  });

  it("is not in the log, which does not even say who placed it", async () => {
    const story = await reachFirstTurn(world);
    const start = world.logText().length;
    await usePrices(story);
    const lines = linesOf(world.logText().slice(start));
    const ofAuction = lines.filter(({ path }) => String(path).includes("/auctions/"));
    assert.equal(ofAuction.length, 5);
    for (const line of ofAuction) assert.deepEqual([line.user, line.address], [undefined, undefined]);
    const text = JSON.stringify(lines);
    for (const secret of ["4712", "471111", "499999"]) assert.ok(!text.includes(secret), secret);
  });

  it("does not change the metrics that remote readers see", async () => {
    const story = await reachFirstTurn(world);
    const countsOf = async () => {
      const text = await (await fetch(`${world.url}/metrics`, { headers: FAR })).text();
      const { series } = readMetrics(text);
      const counts = series.filter(
        ({ name }) => !/_(sum|bucket|bytes|active_seconds_total|cpu_seconds_total)$/.test(name),
      );
      return new Map(counts.map(({ name, labels, value }) => [`${name} ${JSON.stringify(labels)}`, value]));
    };
    const high = story.bidders[1]!;
    const access = await high.bearer();
    await countsOf();
    const [before, quiet] = [await countsOf(), await countsOf()];
    expectStatus(201, await api.post(`${story.path()}/bids`, { amount: 471234.5 }, access));
    expectStatus(200, await api.delete(`${story.path()}/bids/current`, access));
    const later = await countsOf();
    const moved = [...later].filter(
      ([name, value]) => value - (quiet.get(name) ?? 0) !== (quiet.get(name) ?? 0) - (before.get(name) ?? 0),
    );
    assert.deepEqual(moved, []);
  });
});
