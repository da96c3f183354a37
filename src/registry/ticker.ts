import { type Instant, SECOND } from "../domain/values/time.ts";
import type { Store } from "../store/store.ts";

export type TickerSettings = {
  readonly clock: () => Instant;
  readonly store: Pick<Store, "due" | "nextWake" | "publicPosition" | "knownPublicPosition">;
  /** Applies the deadlines that are due of the tender with this id. */
  readonly tick: (id: string) => Promise<void>;
  readonly onFailure: (error: unknown) => void;
  /** Whether the ticker wakes up by itself; otherwise deadlines are applied in `catchUp` only. */
  readonly runsTimer: boolean;
};

const SLEEP_MAX = SECOND;
const DUE_AT_ONCE_MAX = 1000;

/**
 * Applies deadlines promptly: sleeps until the earliest one, but at most a second, since other servers may add earlier ones.
 * Correctness does not depend on it: reads and writes apply deadlines, too.
 */
export function openTicker({ clock, store, tick, onFailure, runsTimer }: TickerSettings) {
  /** Nothing is due before this time, as of `checkedPosition`. */
  let next: Instant = Number.NEGATIVE_INFINITY;
  /** The position at which `next` was read from the store; other servers may have added earlier deadlines since. */
  let checkedPosition = -1;
  /** The earliest deadline that this process has scheduled since `next` was read. */
  let earliestScheduled: Instant = Number.POSITIVE_INFINITY;
  let running: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;

  async function run(): Promise<void> {
    const failed = next <= clock() && (await applyAllDue());
    earliestScheduled = Number.POSITIVE_INFINITY;
    const position = await store.publicPosition();
    const stored = (await store.nextWake()) ?? Number.POSITIVE_INFINITY;
    next = Math.max(Math.min(stored, earliestScheduled), failed ? clock() + SLEEP_MAX : Number.NEGATIVE_INFINITY);
    checkedPosition = position;
  }

  /** Returns whether a deadline failed. */
  async function applyAllDue(): Promise<boolean> {
    for (;;) {
      const due = await store.due(clock(), DUE_AT_ONCE_MAX);
      if (due.length === 0) return false;
      const failures = (await Promise.allSettled(due.map(tick))).filter((outcome) => outcome.status === "rejected");
      // The same error for many tenders is reported once: if the disk is full, the log may be on it.
      for (const reason of new Set(failures.map((outcome) => outcome.reason))) onFailure(reason);
      if (failures.length > 0) return true;
    }
  }

  /**
   * Waits until all deadlines that are due are applied and stored; returns the position of the last public change. Changes of sealed
   * bids do not move it, and need not: they never change a deadline.
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

  function isFreshAt(position: number, until = Number.POSITIVE_INFINITY): boolean | Promise<boolean> {
    if (clock() >= until) return false;
    const knownPosition = store.knownPublicPosition();
    if (knownPosition === undefined) return catchUp().then((now) => now === position);
    return knownPosition === position && checkedPosition >= position && next > clock();
  }

  function schedule(deadline: Instant | undefined): void {
    if (deadline === undefined) return;
    earliestScheduled = Math.min(earliestScheduled, deadline);
    if (deadline >= next) return;
    next = deadline;
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
    /** Whether nothing public has changed since this position, nothing is due, and it is before `until`. */
    isFreshAt,
    /** Announces the next deadline of a tender that was just written, so that the ticker wakes up in time. */
    schedule,
    stop: async () => {
      stopped = true;
      clearTimeout(timer);
      await running?.catch(() => {});
    },
  };
}
