import { Readable } from "node:stream";
import type { Instant } from "../../domain/time.ts";
import { Unavailable } from "../../store/store.ts";
import type { Channel, Chunk } from "./channel.ts";

/** One who listens. It takes what it can and when it can: at most one chunk waits for it, the rest stays where it is. */

export type Reader = {
  readonly stream: Readable;
  /** There may be something new. */
  readonly wake: () => void;
  readonly beat: () => void;
  /** Says so and ends. */
  readonly end: (why: string) => void;
};

export type ReaderSettings = {
  readonly channel: Channel;
  /** It is told of what comes after this. */
  readonly place: Instant;
  readonly onLeave: () => void;
  readonly onFailure: (error: unknown) => void;
};

/** How soon a reader comes again whose connection is lost, in milliseconds. */
const BEGIN = Buffer.from("retry: 1000\n\n");
const HEART_BEAT = Buffer.from(": heart-beat\n\n");
const RETRY_MS = 500;

export function openReader({ channel, place, onLeave, onFailure }: ReaderSettings): Reader {
  let at = place;
  /** Whether it has taken all that it was given. */
  let isHungry = false;
  let isFetching = false;
  let hasEnded = false;
  let retrying: NodeJS.Timeout | undefined;

  const stream = new Readable({
    highWaterMark: 1,
    read() {
      isHungry = true;
      wake();
    },
    destroy(error, done) {
      hasEnded = true;
      clearTimeout(retrying);
      onLeave();
      done(error);
    },
  });
  give(BEGIN);

  function give(bytes: Buffer): void {
    isHungry = false;
    stream.push(bytes);
  }

  function take({ bytes, upTo }: Chunk): void {
    at = upTo;
    if (bytes.length > 0) give(bytes);
  }

  function wake(): void {
    while (isHungry && !isFetching && !hasEnded) {
      const next = channel.after(at);
      if (next === undefined) return;
      if (next === "behind") fetchMore();
      else take(next);
    }
  }

  function fetchMore(): void {
    isFetching = true;
    channel
      .backfill(at)
      .then(
        (chunk) => {
          isFetching = false;
          if (!hasEnded) take(chunk);
          wake();
        },
        (error) => {
          if (hasEnded) return;
          // The store will be back; until then the place is kept, and nothing is skipped.
          if (error instanceof Unavailable) retrying = setTimeout(again, RETRY_MS);
          else throw error;
        },
      )
      .catch((error) => {
        onFailure(error);
        end("something went wrong");
      });
  }

  function again(): void {
    isFetching = false;
    wake();
  }

  function end(why: string): void {
    if (hasEnded) return;
    hasEnded = true;
    stream.push(`: ${why}\n\n`);
    stream.push(null);
  }

  return {
    stream,
    wake,
    beat: () => {
      if (isHungry && !hasEnded) give(HEART_BEAT);
    },
    end,
  };
}
