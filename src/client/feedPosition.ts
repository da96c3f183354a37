/** The position of a follower in the feed, and its consecutive failures. It outlives the connections. */
export type FeedPosition = {
  /** Where the next connection or page starts; undefined is the oldest change. */
  readonly offset: () => string | undefined;
  /** Whether an entry is later than the last one yielded. Every change has a unique time, and the feed is in that order. */
  readonly isNew: (entry: { readonly dateModified: string }) => boolean;
  /** Continues at `offset`; `change` is the entry just yielded, if any. Returns `offset`. */
  readonly moveTo: (offset: string, change?: { readonly dateModified: string }) => string;
  /** Resets the failures: a connection was opened or a page received. */
  readonly recordSuccess: () => void;
  /** Counts a failure and returns how many preceded it in a row. */
  readonly recordFailure: () => number;
  /** The number of failures in a row. */
  readonly failures: () => number;
  /** The reconnection delay that the server asked for, if it did. */
  readonly retryMs: () => number | undefined;
  /** Sets the reconnection delay; undefined keeps the last one. */
  readonly setRetryMs: (ms: number | undefined) => void;
};

/** Creates a position at an offset. */
export function openFeedPosition(start: string | undefined): FeedPosition {
  let offset = start;
  let lastMicroseconds = Number.NEGATIVE_INFINITY;
  let retry: number | undefined;
  let failures = 0;
  return {
    offset: () => offset,
    isNew: ({ dateModified }) => !(microsecondsOf(dateModified) <= lastMicroseconds),
    moveTo: (to, change) => {
      offset = to;
      if (change) lastMicroseconds = microsecondsOf(change.dateModified);
      return to;
    },
    recordSuccess: () => {
      failures = 0;
    },
    recordFailure: () => failures++,
    failures: () => failures,
    retryMs: () => retry,
    setRetryMs: (ms) => {
      retry = ms ?? retry;
    },
  };
}

/** Parses an ISO timestamp to microseconds since 1970. `Date` has milliseconds only, and changes can be closer together. */
export function microsecondsOf(text: string): number {
  const [, seconds = text, fraction = "", zone = ""] = /^(.*?)(?:\.(\d+))?(Z|[+-]\d\d:?\d\d)?$/.exec(text) ?? [];
  return Date.parse(seconds + zone) * 1000 + Number(fraction.padEnd(6, "0").slice(0, 6));
}
