import { Readable } from "node:stream";
import type { Instant } from "../../domain/values/time.ts";
import { StoreUnavailableError } from "../../store/store.ts";
import type { Channel, EventChunk } from "./channel.ts";

/** The stream of one client. At most one chunk is buffered for it; everything else stays in the channel or the store. */
export type StreamReader = {
  readonly stream: Readable;
  /** Called when the channel may have new events. */
  readonly wake: () => void;
  /** Sends a comment, unless the client has not read the last chunk yet. */
  readonly heartbeat: () => void;
  /** Sends the reason as a comment and ends the stream. */
  readonly end: (reason: string) => void;
};

export type StreamReaderSettings = {
  readonly channel: Pick<Channel, "after" | "backfill">;
  /** The reader gets the events after this position. */
  readonly position: Instant;
  /** Called once, when the stream is destroyed. */
  readonly onLeave: () => void;
  readonly onFailure: (error: unknown) => void;
};

/** Tells the client to reconnect after 1000 ms. */
const RETRY_HINT = Buffer.from("retry: 1000\n\n");
const HEART_BEAT = Buffer.from(": heart-beat\n\n");
const RETRY_MS = 500;

/** The comment at the end of a stream that failed. */
export const INTERNAL_ERROR_REASON = "internal error";

export function openStreamReader({ channel, position, onLeave, onFailure }: StreamReaderSettings): StreamReader {
  let current = position;
  /** Whether the client has read everything so far. */
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
          // Waits for the store at the current position, so that no event is skipped.
          if (error instanceof StoreUnavailableError) retryTimer = setTimeout(retry, RETRY_MS);
          else throw error;
        },
      )
      .catch((error) => {
        onFailure(error);
        end(INTERNAL_ERROR_REASON);
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
