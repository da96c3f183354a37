import { type Instant, SECOND } from "../domain/time.ts";
import type { Store } from "../store/store.ts";

export type TickerSettings = {
  readonly clock: () => Instant;
  readonly store: Pick<Store, "due" | "nextWake" | "publicPosition" | "knownPublicPosition">;
  readonly tick: (id: string) => Promise<void>;
  readonly onFailure: (error: unknown) => void;
  /** Whether it wakes up by itself, too; otherwise only whoever asks brings about what is due. */
  readonly wakes: boolean;
};

const SLEEP_MAX = SECOND;
const DUE_AT_ONCE_MAX = 1000;

/** Makes time prompt: sleeps until the earliest deadline, at most a second, and carries out what is due. */
export function openTicker({ clock, store, tick, onFailure, wakes }: TickerSettings) {
  /** Nothing is due before this; unknown until the store has been asked. */
  let next: Instant = Number.NEGATIVE_INFINITY;
  /** What `next` is true of: other servers may have brought earlier deadlines since. */
  let askedAt = -1;
  /** The earliest deadline that writers have told of since the store was last asked. */
  let heard: Instant = Number.POSITIVE_INFINITY;
  let running: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;

  async function run(): Promise<void> {
    const failed = next <= clock() && (await carryOutAllDue());
    heard = Number.POSITIVE_INFINITY;
    const position = await store.publicPosition();
    const stored = (await store.nextWake()) ?? Number.POSITIVE_INFINITY;
    next = Math.max(Math.min(stored, heard), failed ? clock() + SLEEP_MAX : Number.NEGATIVE_INFINITY);
    askedAt = position;
  }

  async function carryOutAllDue(): Promise<boolean> {
    for (;;) {
      const due = await store.due(clock(), DUE_AT_ONCE_MAX);
      if (due.length === 0) return false;
      const failures = (await Promise.allSettled(due.map(tick))).filter((tried) => tried.status === "rejected");
      // What stood in the way of all is told once: where a disk is full, the log may be on it.
      for (const reason of new Set(failures.map((tried) => tried.reason))) onFailure(reason);
      if (failures.length > 0) return true;
    }
  }

  /**
   * Waits until everything that is due by now is stored; answers when anything public last changed then. Sealed bids move no
   * deadline that everybody does not know already, so they are not asked after.
   */
  async function catchUp(): Promise<number> {
    for (let wanted = 0; ; ) {
      const position = await store.publicPosition();
      wanted ||= position;
      if (askedAt >= wanted && next > clock()) return position;
      running ??= run().finally(() => {
        running = undefined;
      });
      await running;
    }
  }

  function isStillAt(position: number): boolean | Promise<boolean> {
    const known = store.knownPublicPosition();
    if (known === undefined) return catchUp().then((now) => now === position);
    return known === position && askedAt >= position && next > clock();
  }

  function expect(wake: Instant | undefined): void {
    if (wake === undefined) return;
    heard = Math.min(heard, wake);
    if (wake >= next) return;
    next = wake;
    sleep();
  }

  function sleep(pause = 0): void {
    clearTimeout(timer);
    if (stopped || !wakes) return;
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
    isStillAt,
    expect,
    stop: async () => {
      stopped = true;
      clearTimeout(timer);
      await running?.catch(() => {});
    },
  };
}
