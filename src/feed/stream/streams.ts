import type { Readable } from "node:stream";
import type { Instant } from "../../domain/values/time.ts";
import type { Registry } from "../../registry/registry.ts";
import { StoreUnavailableError } from "../../store/store.ts";
import { type Channel, type ChannelSettings, openChannel } from "./channel.ts";
import { openFeedPoller } from "./feedPoller.ts";
import { openQueryCounts } from "./queryCounts.ts";
import { INTERNAL_ERROR_REASON, openStreamReader, type StreamReader } from "./streamReader.ts";

/** The open event streams of this process. */
export type Streams = {
  /** Opens a stream, or returns the limit that does not allow it. Streams with the same query share a channel. */
  readonly open: (subscription: Subscription) => Readable | "too many" | "too many per client" | "too many queries";
  readonly count: () => number;
  /** Ends the streams whose API key is no longer valid. */
  readonly endUnauthorized: () => void;
  /** Ends all streams; cuts off clients that do not read the end. */
  readonly close: () => Promise<void>;
};

/** What a client wants to follow. */
export type Subscription = {
  /** Identifies the query: subscriptions with the same name get the same events. */
  readonly name: string;
  /** Without filter and fields. There are only a few such queries, so they do not count for the limit of a client. */
  readonly isPlain: boolean;
  /** The address and the account that it counts for. */
  readonly clients: readonly string[];
  /** Whether the API key that it was opened with is still valid. */
  readonly isAuthorized: () => boolean;
  readonly channel: Omit<ChannelSettings, "bytesMax">;
  readonly position: Instant;
};

export type StreamsSettings = {
  readonly registry: Pick<Registry, "catchUp" | "onChange">;
  readonly max: number;
  /** Streams of one address or account; 0 is unlimited. */
  readonly maxPerClient: number;
  /** Different queries of one address or account; 0 is unlimited. */
  readonly queriesMaxPerClient: number;
  readonly heartBeatMs: number;
  readonly onFailure: (error: unknown) => void;
};

type AuthorizedReader = StreamReader & { readonly isAuthorized: () => boolean };
type SharedChannel = { readonly name: string; readonly channel: Channel; readonly readers: Set<AuthorizedReader> };

/** How often to look for changes of other servers and for deadlines. */
const POLL_EVERY_MS = 150;
/** For all channels together. */
const BUFFER_BYTES_MAX = 32 * 1024 * 1024;
const CHANNEL_BUFFER_BYTES_MAX = 4 * 1024 * 1024;
/** The number of channels that query the store at the same time. */
const CONCURRENT_REFRESHES = 8;
/** For all clients together. Each different query costs a query of the store after every change. */
const QUERIES_MAX = 1000;
/** How long a client may take to read the end of its stream before it is cut off. */
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

  /** Waits for all channels, because a channel must not be refreshed twice at the same time. */
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

  /** Ends the streams of a channel that fails, so that readers do not take the failure for silence. Other channels continue. */
  async function refresh({ channel, readers }: SharedChannel): Promise<void> {
    try {
      await channel.refresh(() => {
        for (const { wake } of readers) wake();
      });
    } catch (error) {
      if (error instanceof StoreUnavailableError) throw error;
      onFailure(error);
      for (const { end } of readers) end(INTERNAL_ERROR_REASON);
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
        return "too many per client";
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
      for (const { end } of readers()) end("the server is stopping: reconnect");
      const deadline = performance.now() + CLOSE_GRACE_MS;
      while (count > 0 && performance.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 10));
      for (const { stream } of readers()) stream.destroy();
    },
  };
}
