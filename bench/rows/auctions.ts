import { setTimeout as pause } from "node:timers/promises";
import {
  AUCTIONS_AT_ONCE,
  type AuctionRegistry,
  auctionRegistry,
  type BenchAuction,
  BIDDERS,
  placePrices,
  SNAPSHOT,
  startAuction,
  streamRequests,
  TURN_MS,
} from "../auctionRegistry.ts";
import type { ServerProcess } from "../children.ts";
import { type EventStreams, openEventStreams, streamsPossible } from "../eventStreams.ts";
import { percentile } from "../load.ts";
import { EVENTS_PATH, STREAM_OPENED } from "../messages.ts";
import { type BenchRequest, fetchText } from "../requests.ts";
import type { BenchRow, RowContext, RowPlan, Sample } from "../rows.ts";
import { median } from "../table.ts";

/** Auctions in real time, with short turns. Each round has a new server on a copy of one registry. */

const STREAMS_IN_TOTAL = 10_000;
const STREAMS_OF_AUCTION = STREAMS_IN_TOTAL / AUCTIONS_AT_ONCE;
/** Between the last setting of a start and the start. */
const LEAD_MS = 1500;
/** The first pause, as server.ts sets it. */
const FIRST_PAUSE_MS = 1000;

const PRICES_MS = 10_000;
const ONE_AUCTION = "1 auction";
/** Below the limit of a bidder, and often enough for a percentile. */
const ONE_INTERVAL_MS = 150;
const MANY_INTERVAL_MS = 1000;

async function preparePrices(context: RowContext): Promise<BenchRow> {
  const registry = await auctionRegistry(context);
  const streams = Math.floor(streamsPossible(STREAMS_IN_TOTAL) / AUCTIONS_AT_ONCE) * AUCTIONS_AT_ONCE;
  const perAuction = streams / AUCTIONS_AT_ONCE;
  const many = `${AUCTIONS_AT_ONCE} auctions`;
  return {
    unit: "ms",
    startsServers: true,
    compared:
      `the 99th percentile of a durable price in ${AUCTIONS_AT_ONCE} auctions at once with ${BIDDERS} bidders each, and in one auction of ` +
      `the same registry on SQLite. Each auction has ${perAuction} open streams, ${streams} in total${limitText(streams)}, and turns of ` +
      `${TURN_MS / 1000} s, which end at different times. Whoever has the turn places a price every ${MANY_INTERVAL_MS} ms on ` +
      `average, in the one auction every ${ONE_INTERVAL_MS} ms, for ${PRICES_MS / 1000} s. Streams are read by the process that sends ` +
      "the prices",
    extraLabel: "the mean lag of stages, in ms",
    contestants: [
      {
        name: ONE_AUCTION,
        run: () => measurePrices(registry, registry.auctions.slice(0, 1), STREAMS_OF_AUCTION, ONE_INTERVAL_MS),
      },
      {
        name: `sqlite, ${many}`,
        run: () => measurePrices(registry, registry.auctions, perAuction, MANY_INTERVAL_MS),
        against: ONE_AUCTION,
        target: { atMost: 4 },
      },
    ],
  };
}

const limitText = (streams: number): string =>
  streams < STREAMS_IN_TOTAL ? ` (THIS MACHINE ALLOWS NO MORE SOCKETS; it should be ${STREAMS_IN_TOTAL})` : "";

async function measurePrices(
  registry: AuctionRegistry,
  auctions: readonly BenchAuction[],
  streamsOfEach: number,
  intervalMs: number,
): Promise<Sample> {
  const server = await registry.startServer("auctions with prices");
  const requests = auctions.flatMap((auction) => streamRequests(auction, streamsOfEach));
  const streams = await openEventStreams(server.url, requests, SNAPSHOT);
  const lastStart = await startAuctions(server.url, auctions, TURN_MS);
  await pause(lastStart + FIRST_PAUSE_MS - Date.now());
  const until = Date.now() + PRICES_MS;
  const before = await server.usage();
  const times = (
    await Promise.all(auctions.map((auction) => placePrices(server.url, auction, intervalMs, until)))
  ).flat();
  const after = await server.usage();
  const extra = await meanStageLag(server);
  await streams.close();
  await server.stop();
  return {
    value: percentile(new Float64Array(times).sort(), 0.99),
    cpuMicros: before && after && (after.cpuMicros - before.cpuMicros) / times.length,
    extra,
  };
}

/** Starts auctions, spread evenly over `spreadMs`; returns when the last one starts. */
async function startAuctions(url: string, auctions: readonly BenchAuction[], spreadMs: number): Promise<number> {
  const leadMs = LEAD_MS + auctions.length * 10;
  const startOf = (i: number) => Date.now() + leadMs + (i * spreadMs) / auctions.length;
  await Promise.all(auctions.map((auction, i) => startAuction(url, auction, startOf(i))));
  return startOf(auctions.length);
}

/** The mean delay between the end of a stage and the start of its application in milliseconds, by the metric of the server. */
async function meanStageLag({ url }: ServerProcess): Promise<number> {
  const metrics = await fetchText(url, "/metrics");
  const metric = (suffix: string) =>
    Number(new RegExp(`^tenderhall_auction_stage_late_seconds_${suffix} (\\S+)$`, "m").exec(metrics)?.[1]);
  return (metric("sum") / metric("count")) * 1000;
}

const END_STREAMS = 1000;
const TURN_ENDS = 4;
/** Between broadcasts of the bare server, so that it has been idle before each, too. */
const IDLE_BEFORE_MS = 500;
const BARE = "bare broadcast";

async function prepareTurnEnds(context: RowContext): Promise<BenchRow> {
  const registry = await auctionRegistry(context);
  const bare = await context.servers.bare();
  let turnEndText = "";
  return {
    unit: "ms",
    startsServers: true,
    compared:
      `the end of a turn in an auction with ${END_STREAMS} streams: from the first stream that has it to the last, the median of ` +
      `${TURN_ENDS} turns; bare: the same bytes written to as many responses of a node:http server, as often`,
    extraLabel: "from the planned end, or from the command to broadcast, to the last stream, in ms",
    contestants: [
      {
        name: "sqlite",
        run: async () => {
          const { sample, text } = await measureTurnEnds(registry);
          turnEndText = text;
          return sample;
        },
        against: BARE,
        target: { atMost: 4 },
      },
      { name: BARE, run: () => measureBroadcasts(bare, turnEndText) },
    ],
  };
}

/** A message that came to all streams: when the first and the last one had it, in milliseconds since 1970, and its bytes. */
type Arrival = { readonly first: number; readonly last: number; readonly text: string };

const present = (): number => performance.timeOrigin + performance.now();

/** Waits for the next message with `marker`, which each stream gets in one chunk. */
function nextArrival(streams: EventStreams, count: number, marker: string): Promise<Arrival> {
  const { promise, resolve } = Promise.withResolvers<Arrival>();
  const received = new Set<number>();
  let first = 0;
  streams.onChunk((stream, text) => {
    const last = present();
    const content = text();
    if (!content.includes(marker)) return;
    if (received.size === 0) first = last;
    received.add(stream);
    if (received.size === count) resolve({ first, last, text: content });
  });
  return promise;
}

const TURN_RESULT = "turn result";
/** The time of an event is the planned end of the turn. */
const EVENT_TIME = /"at":"([^"]+)"/;
/** The events of a chunk of HTTP, without its length. */
const EVENTS = /id: .*\n\n/s;

async function measureTurnEnds(registry: AuctionRegistry): Promise<{ readonly sample: Sample; readonly text: string }> {
  const server = await registry.startServer("auction with streams");
  const auctions = registry.auctions.slice(0, 1);
  const requests = auctions.flatMap((auction) => streamRequests(auction, END_STREAMS));
  const streams = await openEventStreams(server.url, requests, SNAPSHOT);
  await startAuctions(server.url, auctions, 0);
  const arrivals: Arrival[] = [];
  while (arrivals.length < TURN_ENDS) arrivals.push(await nextArrival(streams, END_STREAMS, TURN_RESULT));
  await streams.close();
  await server.stop();
  const plannedEnds = arrivals.map(({ text }) => Date.parse(EVENT_TIME.exec(text)?.[1] ?? ""));
  return { sample: sampleOf(arrivals, plannedEnds), text: EVENTS.exec(arrivals[0]?.text ?? "")?.[0] ?? "" };
}

const bareStreamRequests = (count: number): readonly BenchRequest[] =>
  Array.from({ length: count }, () => ({ method: "GET", path: EVENTS_PATH }));

async function measureBroadcasts(bare: ServerProcess, text: string): Promise<Sample> {
  const streams = await openEventStreams(bare.url, bareStreamRequests(END_STREAMS), STREAM_OPENED);
  const arrivals: Arrival[] = [];
  const commands: number[] = [];
  while (arrivals.length < TURN_ENDS) {
    const arrival = nextArrival(streams, END_STREAMS, TURN_RESULT);
    commands.push(present());
    await bare.send({ broadcast: text });
    arrivals.push(await arrival);
    await pause(IDLE_BEFORE_MS);
  }
  await streams.close();
  return sampleOf(arrivals, commands);
}

const sampleOf = (arrivals: readonly Arrival[], causes: readonly number[]): Sample => ({
  value: median(arrivals.map(({ first, last }) => last - first)),
  extra: median(arrivals.map(({ last }, i) => last - (causes[i] ?? Number.NaN))),
});

const KB = 1000;
const BARE_STREAM = "bare stream";
const WARM_UP_STREAMS = 1000;
const IDLE_KB_MAX = 20;
/** How long streams are open before the memory is measured: they get heartbeats in this time. */
const IDLE_MS = 16_000;

async function prepareIdleStreams(context: RowContext): Promise<BenchRow> {
  const registry = await auctionRegistry(context);
  const count = streamsPossible(STREAMS_IN_TOTAL);
  const requests = registry.auctions.flatMap((auction) => streamRequests(auction, STREAMS_OF_AUCTION)).slice(0, count);
  return {
    unit: "KB",
    isUnloaded: true,
    startsServers: true,
    compared:
      `the resident memory of a server with ${count} streams of planned auctions${limitText(count)}, less its memory before, divided ` +
      `by the number of streams; ${WARM_UP_STREAMS} others were opened and closed before; bare: as many streams of a node:http server`,
    contestants: [
      {
        name: "sqlite",
        run: async () =>
          measureIdleStreams(await registry.startServer("auctions with idle streams"), requests, SNAPSHOT),
        target: { atMost: IDLE_KB_MAX },
        alsoAgainst: BARE_STREAM,
      },
      {
        name: BARE_STREAM,
        run: async () =>
          measureIdleStreams(
            await context.children.start({ name: "bare with idle streams", script: "bareServer.ts" }),
            bareStreamRequests(count),
            STREAM_OPENED,
          ),
      },
    ],
  };
}

async function measureIdleStreams(
  server: ServerProcess,
  requests: readonly BenchRequest[],
  opening: string,
): Promise<Sample> {
  const warmUp = await openEventStreams(server.url, requests.slice(0, WARM_UP_STREAMS), opening);
  await warmUp.close();
  const before = await server.usage();
  const streams = await openEventStreams(server.url, requests, opening);
  await pause(IDLE_MS);
  const after = await server.usage();
  await streams.close();
  await server.stop();
  if (!before || !after) throw new Error("the server does not report its memory");
  return { value: (after.rssBytes - before.rssBytes) / requests.length / KB };
}

export const AUCTIONS: readonly RowPlan[] = [
  { name: "price in auctions", hasTarget: true, roundsMax: 3, prepare: preparePrices },
  { name: "end of a turn", hasTarget: true, roundsMax: 3, prepare: prepareTurnEnds },
  { name: "memory of an idle auction stream", hasTarget: true, roundsMax: 2, prepare: prepareIdleStreams },
];
