/**
 * Tells when the feed may have gone on: at once after changes by this server, and soon after those of others and of time,
 * who tell nobody. One for the whole process, and only while somebody listens.
 */

export type FeedPoller = { readonly start: () => void; readonly stop: () => void; readonly pollSoon: () => void };

export type FeedPollerSettings = {
  /** Where the ledger stands, with all that is due carried out. */
  readonly position: () => Promise<number>;
  readonly onChange: (told: () => void) => () => void;
  /** Takes in what has changed; is not called again before it is done. */
  readonly refresh: () => Promise<void>;
  readonly onFailure: (error: unknown) => void;
  readonly pollEveryMs: number;
};

/** Changes that come close together go out together: the fewer rounds, the more of them in each. */
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
      // While the store is away it is asked for again and again, but spoken of once.
      if (!hasFailed && isOn) onFailure(error);
      hasFailed = true;
    }
    isRunning = false;
    const ended = performance.now();
    // Never more than half of the time, so that those who write are not kept waiting for those who listen.
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
    /** Also where the ledger stands still: somebody new listens. */
    pollSoon() {
      lastPosition = undefined;
      requestPoll();
    },
  };
}
