import { setTimeout as pause } from "node:timers/promises";
import type { BackfillProgress, Store } from "../store/store.ts";

export type IndexBackfillSettings = {
  readonly store: Pick<Store, "backfillIndex">;
  /** Called after each batch, and once more when all tenders are indexed, with as many done as there are. */
  readonly onProgress?: ((progress: BackfillProgress) => void) | undefined;
  readonly onFailure: (error: unknown) => void;
};

/** After a failure, the database may not be available for a while. */
const FAILURE_PAUSE_MS = 1000;

/**
 * Adds older tenders to the search index while the registry is in use. It pauses after each batch for as long as the batch took, so
 * that it takes at most half of the time for writes.
 */
export function openIndexBackfill({ store, onProgress, onFailure }: IndexBackfillSettings) {
  const stopping = new AbortController();
  let progress: BackfillProgress | undefined;

  /** Indexes a batch; returns how long to wait for the next, or nothing if it was the last. */
  async function runBatch(): Promise<number | undefined> {
    const startedAt = performance.now();
    try {
      const next = await store.backfillIndex();
      const last = next ?? (progress && { ...progress, done: progress.total });
      if (last) onProgress?.(last);
      progress = next;
      return next && performance.now() - startedAt;
    } catch (error) {
      if (!stopping.signal.aborted) onFailure(error);
      return FAILURE_PAUSE_MS;
    }
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      const milliseconds = await runBatch();
      if (milliseconds === undefined) return;
      await pause(milliseconds, undefined, { signal: stopping.signal }).catch(() => {});
    }
  }

  const running = run();
  return {
    /** How far it is; undefined if all tenders are indexed. */
    progress: () => progress,
    stop: async () => {
      stopping.abort();
      await running;
    },
  };
}
