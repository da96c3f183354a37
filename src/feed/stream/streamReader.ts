import { Readable } from "node:stream";
import type { Instant } from "../../domain/values/time.ts";
import { StoreUnavailableError } from "../../store/store.ts";
import type { Channel, EventChunk } from "./channel.ts";

/** One who listens. It takes what it can and when it can: at most one chunk waits for it, the rest stays where it is. */

export type StreamReader = {
  readonly stream: Readable;
  /** There may be something new. */
  readonly wake: () => void;
  readonly heartbeat: () => void;
  /** Says so and ends. */
  readonly end: (why: string) => void;
};

export type StreamReaderSettings = {
  readonly channel: Channel;
  /** It is told of what comes after this. */
  readonly position: Instant;
  readonly onLeave: () => void;
  readonly onFailure: (error: unknown) => void;
};

/** How soon a reader comes again whose connection is lost, in milliseconds. */
const RETRY_HINT = Buffer.from("retry: 1000\n\n");
const HEART_BEAT = Buffer.from(": heart-beat\n\n");
const RETRY_MS = 500;

export function openStreamReader({ channel, position, onLeave, onFailure }: StreamReaderSettings): StreamReader {
  let current = position;
  /** Whether it has taken all that it was given. */
  let wantsMore = false;
  let isFetching = false;
  let hasEnded = false;
  let retryTimer: NodeJS.Timeout | undefined;

  const stream = new Readable({
    highWaterMark: 1,
    read() {
      wantsMore = true;
      wake();
    },
    destroy(error, done) {
      hasEnded = true;
      clearTimeout(retryTimer);
      onLeave();
      done(error);
    },
  });
  push(RETRY_HINT);

  function push(bytes: Buffer): void {
    wantsMore = false;
    stream.push(bytes);
  }

  function accept({ bytes, upTo }: EventChunk): void {
    current = upTo;
    if (bytes.length > 0) push(bytes);
  }

  function wake(): void {
    while (wantsMore && !isFetching && !hasEnded) {
      const next = channel.after(current);
      if (next === undefined) return;
      if (next === "behind") fetchMore();
      else accept(next);
    }
  }

  function fetchMore(): void {
    isFetching = true;
    channel
      .backfill(current)
      .then(
        (chunk) => {
          isFetching = false;
          if (!hasEnded) accept(chunk);
          wake();
        },
        (error) => {
          if (hasEnded) return;
          // The store will be back; until then the place is kept, and nothing is skipped.
          if (error instanceof StoreUnavailableError) retryTimer = setTimeout(retry, RETRY_MS);
          else throw error;
        },
      )
      .catch((error) => {
        onFailure(error);
        end("something went wrong");
      });
  }

  function retry(): void {
    isFetching = false;
    wake();
  }

  function end(reason: string): void {
    if (hasEnded) return;
    hasEnded = true;
    stream.push(`: ${reason}\n\n`);
    stream.push(null);
  }

  return {
    stream,
    wake,
    heartbeat: () => {
      if (wantsMore && !hasEnded) push(HEART_BEAT);
    },
    end,
  };
}
