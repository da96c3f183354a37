/** Where following stands: what it goes on from, and what has been given already. */
export type FeedPosition = {
  readonly offset: () => string | undefined;
  /** Whether an entry comes after all that were given: no two changes have the same time, and they come in its order. */
  readonly isNew: (entry: { readonly dateModified: string }) => boolean;
  readonly moveTo: (offset: string, change?: { readonly dateModified: string }) => string;
  /** A connection stands, or an answer came. */
  readonly recordSuccess: () => void;
  /** One more failure in a row; how many there were before it. */
  readonly recordFailure: () => number;
  readonly failures: () => number;
  readonly retryMs: () => number | undefined;
  /** How long the server wants everybody to wait before coming back. */
  readonly setRetryMs: (ms: number | undefined) => void;
};

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

/** `Date` knows milliseconds only, and changes may be microseconds apart. */
export function microsecondsOf(text: string): number {
  const [, seconds = text, fraction = "", zone = ""] = /^(.*?)(?:\.(\d+))?(Z|[+-]\d\d:?\d\d)?$/.exec(text) ?? [];
  return Date.parse(seconds + zone) * 1000 + Number(fraction.padEnd(6, "0").slice(0, 6));
}
