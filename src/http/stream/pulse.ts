/**
 * Tells when the feed may have gone on: at once after changes by this server, and soon after those of others and of time,
 * who tell nobody. One for the whole process, and only while somebody listens.
 */

export type Pulse = { readonly begin: () => void; readonly end: () => void; readonly soon: () => void };

export type PulseSettings = {
  /** Where the ledger stands, with all that is due carried out. */
  readonly position: () => Promise<number>;
  readonly onChange: (told: () => void) => () => void;
  /** Takes in what has changed; is not called again before it is done. */
  readonly round: () => Promise<void>;
  readonly onFailure: (error: unknown) => void;
  readonly lookEveryMs: number;
};

/** Changes that come close together go out together: the fewer rounds, the more of them in each. */
const PAUSE_MS_MIN = 5;
const RETRY_MS = 500;

export function openPulse({ position, onChange, round, onFailure, lookEveryMs }: PulseSettings): Pulse {
  let isOn = false;
  let isRunning = false;
  let isWanted = false;
  let seen: number | undefined;
  let timer: NodeJS.Timeout | undefined;
  let restUntil = 0;
  let stopListening = () => {};
  let hasFailed = false;

  async function run(): Promise<void> {
    isRunning = true;
    isWanted = false;
    const started = performance.now();
    try {
      const now = await position();
      if (now !== seen) {
        seen = undefined;
        await round();
        if (!isWanted) seen = now;
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
    restUntil = ended + Math.max(ended - started, hasFailed ? RETRY_MS : PAUSE_MS_MIN);
    plan();
  }

  function plan(): void {
    clearTimeout(timer);
    if (!isOn || isRunning) return;
    const rest = Math.max(restUntil - performance.now(), 0);
    timer = setTimeout(run, isWanted ? rest : Math.max(rest, lookEveryMs));
  }

  function want(): void {
    if (isWanted) return;
    isWanted = true;
    plan();
  }

  return {
    begin() {
      isOn = true;
      stopListening = onChange(want);
      plan();
    },
    end() {
      isOn = false;
      stopListening();
      clearTimeout(timer);
    },
    /** Also where the ledger stands still: somebody new listens. */
    soon() {
      seen = undefined;
      want();
    },
  };
}
