import type { Instant } from "../domain/values/time.ts";
import { openAppend } from "./append.ts";
import { openCommits } from "./commits.ts";
import type { Engine } from "./engine.ts";
import { openKeyValueStore } from "./keyValueStore.ts";
import type { MigrationSettings } from "./migrations/schema.ts";
import { openBackfill } from "./search/backfill.ts";
import { openSearchLimit } from "./search/searchLimit.ts";
import type { Store } from "./store.ts";
import { openTenderCache } from "./tenderCache.ts";

/** Settings that all engines share. */
export type StoreSettings = MigrationSettings & {
  readonly clock: () => Instant;
  /** Bytes of memory for the cache of tenders. */
  readonly recentBytesMax: number;
  /** Additional bytes for tenders that are too large for that cache. */
  readonly largeBytesMax?: number;
  /** Bytes after which a commit accepts no further changes. */
  readonly commitBytesMax?: number;
  /** Disables group commit, for benchmarks. */
  readonly commitsSingly?: boolean;
  /** Delays every commit like a slow disk, for benchmarks. */
  readonly slowDiskMs?: number;
  /** Changes do not update the search index and the statistics, for benchmarks. */
  readonly skipsIndex?: boolean;
  /** Opens the store for reading, while a server may be running. It does not migrate, and rejects a database of another schema version. */
  readonly readsOnly?: boolean;
};

/** Opens the store on an engine. */
export function openStore(rawEngine: Engine, settings: StoreSettings): Store {
  const { clock, recentBytesMax, largeBytesMax = 0, commitsSingly = false, skipsIndex = false } = settings;
  const { commitBytesMax = Number.POSITIVE_INFINITY } = settings;
  const engine = { ...rawEngine, begin: serialiseBegin(rawEngine.begin) };
  const tenderCache = openTenderCache(engine, recentBytesMax, largeBytesMax);
  const limitSearch = openSearchLimit();
  const commits = openCommits({ engine, tenderCache, clock, commitBytesMax, commitsSingly, skipsIndex });
  const {
    feed,
    releases,
    due,
    nextWake,
    onClock,
    countByStatus,
    knownFiles,
    ledger,
    ledgerOf,
    secret,
    secrets,
    putSecret,
    scan,
    ping,
    connections,
    publicReads,
  } = engine;
  return {
    ...publicReads,
    search: (query) => limitSearch(() => publicReads.search(query, clock())),
    organizations: (query) => limitSearch(() => publicReads.organizations(query)),
    clock,
    find: tenderCache.find,
    isFresh: tenderCache.isFresh,
    isWorthCaching: tenderCache.isWorthCaching,
    publicPosition: tenderCache.publicPosition,
    knownPublicPosition: tenderCache.knownPublicPosition,
    knownPosition: () => engine.knownPosition()?.sequence,
    write: commits.write,
    position: async () => (await engine.position()).sequence,
    feed,
    releases,
    due,
    nextWake,
    onClock,
    keyValues: openKeyValueStore(engine),
    countByStatus,
    knownFiles,
    ledger,
    ledgerOf,
    secret,
    secrets,
    putSecret,
    append: openAppend(engine, tenderCache),
    backfillIndex: openBackfill(engine),
    scan,
    ping,
    connections,
    close: async () => {
      await commits.close();
      tenderCache.clear();
      await engine.close();
    },
  };
}

/** Engines exclude other servers while a transaction is open; this also excludes the other writers of this process. */
function serialiseBegin(begin: Engine["begin"]): Engine["begin"] {
  let last = Promise.resolve();
  return async () => {
    const before = last;
    const { promise, resolve: release } = Promise.withResolvers<void>();
    last = promise;
    await before;
    try {
      const { position, commit, rollback } = await begin();
      return {
        position,
        commit: (...args) => commit(...args).finally(release),
        rollback: () => rollback().finally(release),
      };
    } catch (error) {
      release();
      throw error;
    }
  };
}
