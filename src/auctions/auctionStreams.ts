import type { Readable } from "node:stream";
import type { AuctionAudience } from "../domain/auctions/events.ts";
import { linkNumberOf } from "../domain/bids/participation.ts";
import type { Instant } from "../domain/values/time.ts";
import { openFeedPoller } from "../feed/stream/feedPoller.ts";
import { INTERNAL_ERROR_REASON, openStreamReader, type StreamReader } from "../feed/stream/streamReader.ts";
import type { FoundAuction } from "../registry/auctions.ts";
import type { Registry } from "../registry/registry.ts";
import { StoreUnavailableError } from "../store/store.ts";
import { type AuctionChannel, type AuctionRenderer, NEW_STREAM, openAuctionChannel } from "./auctionChannel.ts";
import { HEARTBEAT_GROUPS, openHeartbeatSchedule } from "./heartbeatSchedule.ts";

/** The open streams of auctions in this process. */
export type AuctionStreams = {
  /** Opens a stream, or returns the limit that does not allow it. The streams of an auction share one reader of its state. */
  readonly open: (subscription: AuctionSubscription) => Readable | "too many" | "too many per client";
  readonly count: () => number;
  /** Ends the streams whose API key is no longer valid. */
  readonly endUnauthorized: () => void;
  /** Ends all streams; cuts off clients that do not read the end. */
  readonly close: () => Promise<void>;
};

/** What a client wants to follow. */
export type AuctionSubscription = {
  readonly auction: FoundAuction;
  /** The present on the clock of the auction, when it was read. */
  readonly now: Instant;
  readonly audience: AuctionAudience;
  /** The id of the last event that the client has received. */
  readonly lastEventId: string | undefined;
  /** The address and the account that the stream counts for. */
  readonly clients: readonly string[];
  /** Whether the API key that it was opened with is still valid. */
  readonly isAuthorized: () => boolean;
  /** Set if it was opened with a participation link: which of the bid's links that is. */
  readonly linkNumber: number | undefined;
};

export type AuctionStreamsSettings = {
  readonly registry: Pick<Registry, "auctions" | "onChange" | "nowFor" | "tender">;
  readonly clock: () => Instant;
  readonly render: AuctionRenderer;
  readonly max: number;
  /** Streams of one address or account; 0 is unlimited. */
  readonly maxPerClient: number;
  readonly heartbeatMs: number;
  readonly onFailure: (error: unknown) => void;
};

type AuctionReader = StreamReader & Pick<AuctionSubscription, "isAuthorized" | "linkNumber" | "audience">;

/** An auction that somebody watches. */
type WatchedAuction = {
  readonly id: string;
  readonly tender: string;
  readonly channels: Map<string, { readonly channel: AuctionChannel; readonly readers: Set<AuctionReader> }>;
  /** The readers that were opened with a participation link. */
  readonly linkReaders: Set<AuctionReader>;
  found: FoundAuction;
  /** The time of the test clock when the auction was read; undefined in real time. */
  testNow: Instant | undefined;
  refreshing: Promise<void> | undefined;
  isStale: boolean;
};

/** How often to look for changes of other servers. */
const POLL_EVERY_MS = 150;
const CONCURRENT_REFRESHES = 8;
/** How long a client may take to read the end of its stream before it is cut off. */
const CLOSE_GRACE_MS = 500;

/** Opens the streams of a process. Nothing is read while none is open. */
export function openAuctionStreams(settings: AuctionStreamsSettings): AuctionStreams {
  const { registry, clock, render, max, maxPerClient, heartbeatMs, onFailure } = settings;
  const watched = new Map<string, WatchedAuction>();
  const counts = new Map<string, number>();
  const heartbeats = openHeartbeatSchedule<AuctionReader>();
  let count = 0;
  let isClosed = false;
  let heartbeatTimer: NodeJS.Timeout | undefined;
  let stopListening = () => {};
  const poller = openFeedPoller({
    position: registry.auctions.position,
    // Changes of this process are taken by `refreshTender`, without reading every watched auction.
    onChange: () => () => {},
    refresh: refreshAll,
    onFailure,
    pollEveryMs: POLL_EVERY_MS,
  });

  const readersOf = ({ channels }: WatchedAuction) => [...channels.values()].flatMap(({ readers }) => [...readers]);
  const allReaders = () => [...watched.values()].flatMap(readersOf);

  async function refreshAll(): Promise<void> {
    const pending = [...watched.values()];
    const refreshNext = async () => {
      for (let next = pending.pop(); next; next = pending.pop()) await refresh(next);
    };
    await Promise.all(Array.from({ length: CONCURRENT_REFRESHES }, refreshNext));
  }

  function refreshTender(tender: string): void {
    // An outage is reported by the poller, which also repeats the read.
    for (const auction of watched.values()) if (auction.tender === tender) refresh(auction).catch(() => {});
  }

  /** Reads an auction; a change that comes meanwhile is read afterwards. Failures other than an outage end its streams. */
  function refresh(auction: WatchedAuction): Promise<void> {
    auction.isStale = true;
    auction.refreshing ??= readWhileStale(auction).finally(() => {
      auction.refreshing = undefined;
    });
    return auction.refreshing;
  }

  async function readWhileStale(auction: WatchedAuction): Promise<void> {
    try {
      while (auction.isStale) {
        auction.isStale = false;
        await read(auction);
      }
    } catch (error) {
      if (error instanceof StoreUnavailableError) throw error;
      onFailure(error);
      for (const { end } of readersOf(auction)) end(INTERNAL_ERROR_REASON);
    }
  }

  async function read(auction: WatchedAuction): Promise<void> {
    const found = await registry.auctions.find(auction.id);
    if (!found) {
      for (const { end } of readersOf(auction)) end("there is no such auction any more");
      return;
    }
    if (found.tender.testClock) auction.testNow = await registry.nowFor(found.tender);
    await endReplacedLinks(auction);
    auction.found = found;
    for (const { channel, readers } of auction.channels.values())
      if (channel.update(found)) for (const { wake } of readers) wake();
  }

  async function endReplacedLinks(auction: WatchedAuction): Promise<void> {
    if (auction.linkReaders.size === 0) return;
    const bids = new Map((await registry.tender(auction.tender, "all"))?.bids.map((bid) => [bid.id, bid]));
    for (const { audience, linkNumber, end } of [...auction.linkReaders]) {
      const bid = audience === "everyone" ? undefined : bids.get(audience.bid);
      if (!bid || linkNumberOf(bid) !== linkNumber) end("the link was replaced");
    }
  }

  function watch({ auction: found, now }: AuctionSubscription): WatchedAuction {
    const { id } = found.state;
    const known = watched.get(id);
    const testNow = found.tender.testClock ? now : undefined;
    if (known) {
      known.testNow = testNow;
      return known;
    }
    const auction: WatchedAuction = {
      ...{ id, tender: found.tender.id, channels: new Map(), linkReaders: new Set(), found, testNow },
      ...{ refreshing: undefined, isStale: false },
    };
    watched.set(id, auction);
    return auction;
  }

  function channelOf(auction: WatchedAuction, audience: AuctionAudience) {
    const name = audience === "everyone" ? "" : audience.bid;
    const known = auction.channels.get(name);
    if (known) return { name, ...known };
    const now = () => auction.testNow ?? clock();
    const channel = openAuctionChannel({ audience, found: auction.found, now, render });
    const opened = { channel, readers: new Set<AuctionReader>() };
    auction.channels.set(name, opened);
    return { name, ...opened };
  }

  function countStream(clients: readonly string[], delta: 1 | -1): void {
    count += delta;
    for (const client of clients) {
      const open = (counts.get(client) ?? 0) + delta;
      if (open > 0) counts.set(client, open);
      else counts.delete(client);
    }
    if (count === 1 && delta === 1) start();
    if (count === 0) stop();
  }

  function start(): void {
    poller.start();
    stopListening = registry.onChange(refreshTender);
    heartbeatTimer = setInterval(() => {
      for (const { heartbeat } of heartbeats.next()) heartbeat();
    }, heartbeatMs / HEARTBEAT_GROUPS);
  }

  function stop(): void {
    poller.stop();
    stopListening();
    clearInterval(heartbeatTimer);
  }

  function addReader(subscription: AuctionSubscription): Readable {
    const { audience, lastEventId, clients, isAuthorized, linkNumber } = subscription;
    const auction = watch(subscription);
    const { name, channel, readers } = channelOf(auction, audience);
    const onLeave = () => {
      readers.delete(reader);
      auction.linkReaders.delete(reader);
      heartbeats.remove(reader);
      if (readers.size === 0) auction.channels.delete(name);
      if (auction.channels.size === 0 && watched.get(auction.id) === auction) watched.delete(auction.id);
      countStream(clients, -1);
    };
    const position = lastEventId === undefined ? NEW_STREAM : channel.positionAfter(lastEventId);
    const opened = openStreamReader({ channel, position, onLeave, onFailure });
    const reader: AuctionReader = { ...opened, isAuthorized, linkNumber, audience };
    readers.add(reader);
    if (linkNumber !== undefined) auction.linkReaders.add(reader);
    heartbeats.add(reader);
    countStream(clients, 1);
    // The state that the request has read may be later than that of the channel.
    refresh(auction).catch(() => {});
    return reader.stream;
  }

  return {
    open(subscription) {
      if (isClosed || count >= max) return "too many";
      if (maxPerClient > 0 && subscription.clients.some((client) => (counts.get(client) ?? 0) >= maxPerClient))
        return "too many per client";
      return addReader(subscription);
    },
    count: () => count,
    endUnauthorized() {
      const ended = allReaders().filter(({ isAuthorized }) => !isAuthorized());
      for (const { end } of ended) end("the key was revoked");
      const cutOff = () => {
        for (const { stream } of ended) stream.destroy();
      };
      if (ended.length > 0) setTimeout(cutOff, CLOSE_GRACE_MS).unref();
    },
    async close() {
      isClosed = true;
      for (const { end } of allReaders()) end("the server is stopping: reconnect");
      const deadline = performance.now() + CLOSE_GRACE_MS;
      while (count > 0 && performance.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 10));
      for (const { stream } of allReaders()) stream.destroy();
    },
  };
}
