/**
 * Calls `refresh` when the feed may have changed: at once after changes of this process, and by polling for changes of other servers
 * and for deadlines, which send no notification. There is one poller for each process; it runs only while streams are open.
 */
export type FeedPoller = {
  readonly start: () => void;
  readonly stop: () => void;
  /** Refreshes soon, even if the ledger has not changed: for a new reader. */
  readonly pollSoon: () => void;
};

export type FeedPollerSettings = {
  /** The position of the ledger, after all due deadlines were applied. */
  readonly position: () => Promise<number>;
  /** Registers a listener for changes of this process; returns a function that removes it. */
  readonly onChange: (listener: () => void) => () => void;
  /** Reads what has changed. It is not called again before it has finished. */
  readonly refresh: () => Promise<void>;
  readonly onFailure: (error: unknown) => void;
  readonly pollEveryMs: number;
};

/** The pause between polls, which groups changes that come in quick succession. */
const PAUSE_MS_MIN = 5;
const RETRY_MS = 500;

export function openFeedPoller({
  position,
  onChange,
  refresh,
  onFailure,
  pollEveryMs,
}: FeedPollerSettings): FeedPoller {
  let isOn = false;
  let isRunning = false;
  let isRequested = false;
  let lastPosition: number | undefined;
  let timer: NodeJS.Timeout | undefined;
  let nextPollAt = 0;
  let stopListening = () => {};
  let hasFailed = false;

  async function poll(): Promise<void> {
    isRunning = true;
    isRequested = false;
    const started = performance.now();
    try {
      const now = await position();
      if (now !== lastPosition) {
        lastPosition = undefined;
        await refresh();
        if (!isRequested) lastPosition = now;
      }
      hasFailed = false;
    } catch (error) {
      // An outage is reported once, not with every retry.
      if (!hasFailed && isOn) onFailure(error);
      hasFailed = true;
    }
    isRunning = false;
    const ended = performance.now();
    // Polling takes at most half of the time, so that streams do not slow down writes.
    nextPollAt = ended + Math.max(ended - started, hasFailed ? RETRY_MS : PAUSE_MS_MIN);
    schedule();
  }

  function schedule(): void {
    clearTimeout(timer);
    if (!isOn || isRunning) return;
    const delay = Math.max(nextPollAt - performance.now(), 0);
    timer = setTimeout(poll, isRequested ? delay : Math.max(delay, pollEveryMs));
  }

  function requestPoll(): void {
    if (isRequested) return;
    isRequested = true;
    schedule();
  }

  return {
    start() {
      isOn = true;
      stopListening = onChange(requestPoll);
      schedule();
    },
    stop() {
      isOn = false;
      stopListening();
      clearTimeout(timer);
    },
    pollSoon() {
      lastPosition = undefined;
      requestPoll();
    },
  };
}
