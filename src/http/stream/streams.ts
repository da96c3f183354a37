import type { Readable } from "node:stream";
import type { Instant } from "../../domain/time.ts";
import type { Registry } from "../../registry/registry.ts";
import { Unavailable } from "../../store/store.ts";
import { type Channel, type ChannelSettings, openChannel } from "./channel.ts";
import { openPulse } from "./pulse.ts";
import { openQueryCounts } from "./queryCounts.ts";
import { openReader, type Reader } from "./reader.ts";

/** Everyone of this process who listens to changes as they come. */
export type Streams = {
  /** What is told of from that place on; those who ask the same share what is made for them. */
  readonly open: (asked: Asked) => Readable | "too many" | "too many by one" | "too many queries";
  readonly count: () => number;
  /** Ends the streams of those who may not listen any more. */
  readonly endUnauthorized: () => void;
  /** Ends all of them, also those who do not take it. */
  readonly close: () => Promise<void>;
};

export type Asked = {
  /** The same for the same question in the same words. */
  readonly name: string;
  /** Without filter and fields: there are only a few of these, so they are not counted as queries of a client. */
  readonly isPlain: boolean;
  /** Those it is counted for, each of whom may have so many. */
  readonly by: readonly string[];
  /** Whether the key that it was opened with is still good. */
  readonly isAuthorized: () => boolean;
  readonly channel: Omit<ChannelSettings, "bytesMax">;
  readonly place: Instant;
};

export type StreamsSettings = {
  readonly registry: Pick<Registry, "catchUp" | "onChange">;
  readonly max: number;
  /** By one address, or with one key; 0 is unlimited. */
  readonly maxEach: number;
  /** Different queries at once by one address, or with one key; 0 is unlimited. */
  readonly queriesMaxEach: number;
  readonly heartBeatMs: number;
  readonly onFailure: (error: unknown) => void;
};

type Listener = Reader & { readonly isAuthorized: () => boolean };
type Held = { readonly name: string; readonly channel: Channel; readonly readers: Set<Listener> };

/** Others' changes and deadlines are looked for so often. */
const LOOK_EVERY_MS = 150;
/** All channels together. */
const KEPT_BYTES_MAX = 32 * 1024 * 1024;
const KEPT_BYTES_EACH_MAX = 4 * 1024 * 1024;
/** Questions that are asked of the store at once. */
const AT_ONCE = 8;
/** Each costs a query of the store at every change: of all clients together. */
const QUERIES_MAX = 1000;
/** Whoever does not take the end by then is cut off. */
const LAST_WORD_MS = 500;

export function openStreams(settings: StreamsSettings): Streams {
  const { registry, max, maxEach, queriesMaxEach, heartBeatMs, onFailure } = settings;
  const channels = new Map<string, Held>();
  const counts = new Map<string, number>();
  const queries = openQueryCounts(queriesMaxEach, QUERIES_MAX);
  let count = 0;
  let isClosed = false;
  let beating: NodeJS.Timeout | undefined;
  const pulse = openPulse({
    position: registry.catchUp,
    onChange: registry.onChange,
    round: refreshAll,
    onFailure,
    lookEveryMs: LOOK_EVERY_MS,
  });

  const bytesMax = () => Math.min(KEPT_BYTES_EACH_MAX, KEPT_BYTES_MAX / channels.size);
  const readers = () => [...channels.values()].flatMap((held) => [...held.readers]);

  /** Ends only when all of them have: a channel must not be refreshed twice at a time. */
  async function refreshAll(): Promise<void> {
    const waiting = [...channels.values()];
    let away: Unavailable | undefined;
    const work = async () => {
      for (let held = waiting.pop(); held; held = waiting.pop())
        await refresh(held).catch((error) => {
          away = error;
        });
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    if (away) throw away;
  }

  /** What cannot be told must not pass for silence: its readers are let go, and the others go on. */
  async function refresh({ channel, readers }: Held): Promise<void> {
    try {
      await channel.refresh(() => {
        for (const { wake } of readers) wake();
      });
    } catch (error) {
      if (error instanceof Unavailable) throw error;
      onFailure(error);
      for (const { end } of readers) end("something went wrong");
    }
  }

  function hold({ name, channel }: Asked): Held {
    const known = channels.get(name);
    if (known) return known;
    const held = { name, channel: openChannel({ ...channel, bytesMax }), readers: new Set<Listener>() };
    channels.set(name, held);
    pulse.soon();
    return held;
  }

  function add(by: readonly string[], more: 1 | -1): void {
    count += more;
    for (const one of by) {
      const open = (counts.get(one) ?? 0) + more;
      if (open > 0) counts.set(one, open);
      else counts.delete(one);
    }
  }

  function begin(): void {
    pulse.begin();
    beating = setInterval(() => {
      for (const { beat } of readers()) beat();
    }, heartBeatMs);
  }

  function rest(): void {
    pulse.end();
    clearInterval(beating);
  }

  return {
    open(asked) {
      if (isClosed || count >= max) return "too many";
      if (maxEach > 0 && asked.by.some((one) => (counts.get(one) ?? 0) >= maxEach)) return "too many by one";
      const refused = asked.isPlain ? undefined : queries.add(asked.by, asked.name);
      if (refused) return refused;
      const held = hold(asked);
      const onLeave = () => {
        held.readers.delete(reader);
        if (held.readers.size === 0) channels.delete(held.name);
        if (!asked.isPlain) queries.remove(asked.by, asked.name);
        add(asked.by, -1);
        if (count === 0) rest();
      };
      const opened = openReader({ channel: held.channel, place: asked.place, onLeave, onFailure });
      const reader: Listener = { ...opened, isAuthorized: asked.isAuthorized };
      held.readers.add(reader);
      add(asked.by, 1);
      if (count === 1) begin();
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
      setTimeout(cutOff, LAST_WORD_MS).unref();
    },
    async close() {
      isClosed = true;
      for (const { end } of readers()) end("the server stops; go on elsewhere");
      const giveUpAt = performance.now() + LAST_WORD_MS;
      while (count > 0 && performance.now() < giveUpAt) await new Promise((resolve) => setTimeout(resolve, 10));
      for (const { stream } of readers()) stream.destroy();
    },
  };
}
