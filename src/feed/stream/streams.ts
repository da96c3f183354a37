import type { Readable } from "node:stream";
import type { Instant } from "../../domain/values/time.ts";
import type { Registry } from "../../registry/registry.ts";
import { StoreUnavailableError } from "../../store/store.ts";
import { type Channel, type ChannelSettings, openChannel } from "./channel.ts";
import { openFeedPoller } from "./feedPoller.ts";
import { openQueryCounts } from "./queryCounts.ts";
import { openStreamReader, type StreamReader } from "./streamReader.ts";

/** Everyone of this process who listens to changes as they come. */
export type Streams = {
  /** What is told of from that place on; those who ask the same share what is made for them. */
  readonly open: (asked: Subscription) => Readable | "too many" | "too many by one" | "too many queries";
  readonly count: () => number;
  /** Ends the streams of those who may not listen any more. */
  readonly endUnauthorized: () => void;
  /** Ends all of them, also those who do not take it. */
  readonly close: () => Promise<void>;
};

export type Subscription = {
  /** The same for the same question in the same words. */
  readonly name: string;
  /** Without filter and fields: there are only a few of these, so they are not counted as queries of a client. */
  readonly isPlain: boolean;
  /** Those it is counted for, each of whom may have so many. */
  readonly clients: readonly string[];
  /** Whether the key that it was opened with is still good. */
  readonly isAuthorized: () => boolean;
  readonly channel: Omit<ChannelSettings, "bytesMax">;
  readonly position: Instant;
};

export type StreamsSettings = {
  readonly registry: Pick<Registry, "catchUp" | "onChange">;
  readonly max: number;
  /** By one address, or with one key; 0 is unlimited. */
  readonly maxPerClient: number;
  /** Different queries at once by one address, or with one key; 0 is unlimited. */
  readonly queriesMaxPerClient: number;
  readonly heartBeatMs: number;
  readonly onFailure: (error: unknown) => void;
};

type AuthorizedReader = StreamReader & { readonly isAuthorized: () => boolean };
type SharedChannel = { readonly name: string; readonly channel: Channel; readonly readers: Set<AuthorizedReader> };

/** Others' changes and deadlines are looked for so often. */
const POLL_EVERY_MS = 150;
/** All channels together. */
const BUFFER_BYTES_MAX = 32 * 1024 * 1024;
const CHANNEL_BUFFER_BYTES_MAX = 4 * 1024 * 1024;
/** Questions that are asked of the store at once. */
const CONCURRENT_REFRESHES = 8;
/** Each costs a query of the store at every change: of all clients together. */
const QUERIES_MAX = 1000;
/** Whoever does not take the end by then is cut off. */
const CLOSE_GRACE_MS = 500;

export function openStreams(settings: StreamsSettings): Streams {
  const { registry, max, maxPerClient, queriesMaxPerClient, heartBeatMs, onFailure } = settings;
  const channels = new Map<string, SharedChannel>();
  const counts = new Map<string, number>();
  const queries = openQueryCounts(queriesMaxPerClient, QUERIES_MAX);
  let count = 0;
  let isClosed = false;
  let heartbeatTimer: NodeJS.Timeout | undefined;
  const feedPoller = openFeedPoller({
    position: registry.catchUp,
    onChange: registry.onChange,
    refresh: refreshAll,
    onFailure,
    pollEveryMs: POLL_EVERY_MS,
  });

  const bytesMax = () => Math.min(CHANNEL_BUFFER_BYTES_MAX, BUFFER_BYTES_MAX / channels.size);
  const readers = () => [...channels.values()].flatMap((shared) => [...shared.readers]);

  /** Ends only when all of them have: a channel must not be refreshed twice at a time. */
  async function refreshAll(): Promise<void> {
    const pending = [...channels.values()];
    let outage: StoreUnavailableError | undefined;
    const refreshNext = async () => {
      for (let shared = pending.pop(); shared; shared = pending.pop())
        await refresh(shared).catch((error) => {
          outage = error;
        });
    };
    await Promise.all(Array.from({ length: CONCURRENT_REFRESHES }, refreshNext));
    if (outage) throw outage;
  }

  /** What cannot be told must not pass for silence: its readers are let go, and the others go on. */
  async function refresh({ channel, readers }: SharedChannel): Promise<void> {
    try {
      await channel.refresh(() => {
        for (const { wake } of readers) wake();
      });
    } catch (error) {
      if (error instanceof StoreUnavailableError) throw error;
      onFailure(error);
      for (const { end } of readers) end("something went wrong");
    }
  }

  function channelFor({ name, channel }: Subscription): SharedChannel {
    const known = channels.get(name);
    if (known) return known;
    const shared = { name, channel: openChannel({ ...channel, bytesMax }), readers: new Set<AuthorizedReader>() };
    channels.set(name, shared);
    feedPoller.pollSoon();
    return shared;
  }

  function countStreams(clients: readonly string[], delta: 1 | -1): void {
    count += delta;
    for (const client of clients) {
      const open = (counts.get(client) ?? 0) + delta;
      if (open > 0) counts.set(client, open);
      else counts.delete(client);
    }
  }

  function startTimers(): void {
    feedPoller.start();
    heartbeatTimer = setInterval(() => {
      for (const { heartbeat } of readers()) heartbeat();
    }, heartBeatMs);
  }

  function stopTimers(): void {
    feedPoller.stop();
    clearInterval(heartbeatTimer);
  }

  return {
    open(subscription) {
      if (isClosed || count >= max) return "too many";
      if (maxPerClient > 0 && subscription.clients.some((client) => (counts.get(client) ?? 0) >= maxPerClient))
        return "too many by one";
      const limitExceeded = subscription.isPlain ? undefined : queries.add(subscription.clients, subscription.name);
      if (limitExceeded) return limitExceeded;
      const shared = channelFor(subscription);
      const onLeave = () => {
        shared.readers.delete(reader);
        if (shared.readers.size === 0) channels.delete(shared.name);
        if (!subscription.isPlain) queries.remove(subscription.clients, subscription.name);
        countStreams(subscription.clients, -1);
        if (count === 0) stopTimers();
      };
      const opened = openStreamReader({ channel: shared.channel, position: subscription.position, onLeave, onFailure });
      const reader: AuthorizedReader = { ...opened, isAuthorized: subscription.isAuthorized };
      shared.readers.add(reader);
      countStreams(subscription.clients, 1);
      if (count === 1) startTimers();
      return reader.stream;
    },
    count: () => count,
    endUnauthorized() {
      const ended = readers().filter(({ isAuthorized }) => !isAuthorized());
      for (const { end } of ended) end("the key was revoked");
      if (ended.length === 0) return;
      const cutOff = () => {
        for (const { stream } of ended) stream.destroy();
      };
      setTimeout(cutOff, CLOSE_GRACE_MS).unref();
    },
    async close() {
      isClosed = true;
      for (const { end } of readers()) end("the server stops; go on elsewhere");
      const deadline = performance.now() + CLOSE_GRACE_MS;
      while (count > 0 && performance.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 10));
      for (const { stream } of readers()) stream.destroy();
    },
  };
}
