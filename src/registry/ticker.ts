import { type Instant, SECOND } from "../domain/values/time.ts";
import type { Store } from "../store/store.ts";

export type TickerSettings = {
  readonly clock: () => Instant;
  readonly store: Pick<Store, "due" | "nextWake" | "publicPosition" | "knownPublicPosition">;
  readonly tick: (id: string) => Promise<void>;
  readonly onFailure: (error: unknown) => void;
  /** Whether it wakes up by itself, too; otherwise only whoever asks brings about what is due. */
  readonly runsTimer: boolean;
};

const SLEEP_MAX = SECOND;
const DUE_AT_ONCE_MAX = 1000;

/** Makes time prompt: sleeps until the earliest deadline, at most a second, and carries out what is due. */
export function openTicker({ clock, store, tick, onFailure, runsTimer }: TickerSettings) {
  /** Nothing is due before this; unknown until the store has been asked. */
  let next: Instant = Number.NEGATIVE_INFINITY;
  /** What `next` is true of: other servers may have brought earlier deadlines since. */
  let checkedPosition = -1;
  /** The earliest deadline that writers have told of since the store was last asked. */
  let earliestAnnounced: Instant = Number.POSITIVE_INFINITY;
  let running: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;

  async function run(): Promise<void> {
    const failed = next <= clock() && (await carryOutAllDue());
    earliestAnnounced = Number.POSITIVE_INFINITY;
    const position = await store.publicPosition();
    const stored = (await store.nextWake()) ?? Number.POSITIVE_INFINITY;
    next = Math.max(Math.min(stored, earliestAnnounced), failed ? clock() + SLEEP_MAX : Number.NEGATIVE_INFINITY);
    checkedPosition = position;
  }

  async function carryOutAllDue(): Promise<boolean> {
    for (;;) {
      const due = await store.due(clock(), DUE_AT_ONCE_MAX);
      if (due.length === 0) return false;
      const failures = (await Promise.allSettled(due.map(tick))).filter((outcome) => outcome.status === "rejected");
      // What stood in the way of all is told once: where a disk is full, the log may be on it.
      for (const reason of new Set(failures.map((outcome) => outcome.reason))) onFailure(reason);
      if (failures.length > 0) return true;
    }
  }

  /**
   * Waits until everything that is due by now is stored; answers when anything public last changed then. Sealed bids move no
   * deadline that everybody does not know already, so they are not asked after.
   */
  async function catchUp(): Promise<number> {
    for (let required = 0; ; ) {
      const position = await store.publicPosition();
      required ||= position;
      if (checkedPosition >= required && next > clock()) return position;
      running ??= run().finally(() => {
        running = undefined;
      });
      await running;
    }
  }

  function isFreshAt(position: number): boolean | Promise<boolean> {
    const knownPosition = store.knownPublicPosition();
    if (knownPosition === undefined) return catchUp().then((now) => now === position);
    return knownPosition === position && checkedPosition >= position && next > clock();
  }

  function schedule(wake: Instant | undefined): void {
    if (wake === undefined) return;
    earliestAnnounced = Math.min(earliestAnnounced, wake);
    if (wake >= next) return;
    next = wake;
    sleep();
  }

  function sleep(pause = 0): void {
    clearTimeout(timer);
    if (stopped || !runsTimer) return;
    const microseconds = Math.min(Math.max(next - clock(), pause), SLEEP_MAX);
    timer = setTimeout(wake, Math.ceil(microseconds / 1000));
  }

  function wake(): void {
    catchUp().then(
      () => sleep(),
      (error) => {
        onFailure(error);
        sleep(SLEEP_MAX);
      },
    );
  }

  sleep();
  return {
    catchUp,
    isStillAt: isFreshAt,
    expect: schedule,
    stop: async () => {
      stopped = true;
      clearTimeout(timer);
      await running?.catch(() => {});
    },
  };
}
