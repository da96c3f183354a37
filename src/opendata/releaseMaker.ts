import type { Instant } from "../domain/values/time.ts";
import { openLease } from "../registry/lease.ts";
import type { Registry } from "../registry/registry.ts";
import { type EntryKey, type ReleasePosition, type Store, StoreUnavailableError } from "../store/store.ts";
import { openPacing } from "./pacing.ts";
import { type BatchSettings, openReleaseBatches, releasePosition } from "./releaseBatches.ts";

export type ReleaseMakerSettings = BatchSettings & {
  readonly store: Pick<Store, "clock" | "keyValues" | "ledger" | "ledgerOf" | "position" | "write">;
  readonly registry: Pick<Registry, "onChange">;
  /** No other process serves this registry. */
  readonly isSoleProcess: boolean;
  readonly onFailure: (error: unknown) => void;
  /** Whether the maker wakes up by itself; otherwise it works only while somebody waits for it. */
  readonly runsTimer?: boolean | undefined;
};

/**
 * Makes the OCDS releases of a registry, from its ledger and in its order. It works beside requests, so writes do not wait for it; the
 * same code makes the releases of everything that a registry had before.
 */
export type ReleaseMaker = {
  /** How far releases are made. All up to it are stored, and none after it. */
  readonly position: () => Promise<ReleasePosition>;
  /** Waits until the releases up to an instant are made, for a short time; returns how far they are. */
  readonly waitFor: (at: Instant) => Promise<ReleasePosition>;
  /** Makes all releases that are left, without a limit of time; for commands, which nobody waits for. */
  readonly catchUp: () => Promise<void>;
  /** Stops after the batch in progress. */
  readonly stop: () => Promise<void>;
};

const LEASE_KEY: EntryKey<"dispatcher lease"> = { kind: "dispatcher lease", id: "releases" };

/** Changes of other processes are noticed by looking for them. */
const POLL_MS = 500;
/** Changes within this time go into one batch, unless somebody waits for them. */
const COLLECT_MS = 100;
const FAILED_MS = 1000;
/** A reader gets what is there after this time, or at once if more changes than this are waiting. */
const WAIT_MS_MAX = 3000;
const WAIT_ROWS_MAX = 1000;
const WAIT_POLL_MS = 20;

export function openReleaseMaker(settings: ReleaseMakerSettings): ReleaseMaker {
  const { store, registry, isSoleProcess, runsTimer = true } = settings;
  const lease = openLease(store, LEASE_KEY, isSoleProcess);
  let waiting = 0;
  const pacing = openPacing(() => waiting > 0);
  const makeBatch = openReleaseBatches(settings, async () => {
    await pacing.step();
    // A batch may take longer than the lease, with all its pauses.
    if (!isSoleProcess) await lease.acquire();
  });
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  let stopped = false;

  const position = () => releasePosition(store.keyValues);

  /** Makes batches until there is nothing left to do for this process. */
  async function run(): Promise<void> {
    for (;;) {
      if (stopped) return;
      const end = await store.position();
      if ((await position()).sequence >= end) return;
      if (!isSoleProcess && (await lease.acquire()) === "another's") return;
      await makeBatch(end);
    }
  }

  function wake(): void {
    clearTimeout(timer);
    if (stopped) return;
    running ??= run()
      .then(
        () => POLL_MS,
        (error) => {
          // The ticker already reports an outage of the store.
          if (!(error instanceof StoreUnavailableError)) settings.onFailure(error);
          return FAILED_MS;
        },
      )
      .then((pauseMs) => {
        running = undefined;
        if (runsTimer) sleep(pauseMs);
      });
  }

  function sleep(ms: number): void {
    clearTimeout(timer);
    if (!stopped) timer = setTimeout(wake, ms).unref();
  }

  async function waitFor(at: Instant): Promise<ReleasePosition> {
    const started = performance.now();
    const first = await position();
    if (first.at >= at || (await store.position()) - first.sequence > WAIT_ROWS_MAX) return first;
    waiting++;
    try {
      for (;;) {
        const current = await position();
        if (current.at >= at || stopped || performance.now() - started > WAIT_MS_MAX) return current;
        wake();
        await Promise.race([running, new Promise((resolve) => setTimeout(resolve, WAIT_POLL_MS))]);
      }
    } finally {
      waiting--;
    }
  }

  const unsubscribe = registry.onChange(() => {
    if (runsTimer && !running && waiting === 0) sleep(COLLECT_MS);
  });
  if (runsTimer) wake();
  return {
    position,
    waitFor,
    catchUp: async () => {
      waiting++;
      await run().finally(() => {
        waiting--;
      });
    },
    stop: async () => {
      stopped = true;
      unsubscribe();
      clearTimeout(timer);
      await running;
      await lease.release().catch(() => {});
    },
  };
}
