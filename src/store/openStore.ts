import type { Instant } from "../domain/values/time.ts";
import { openAppend } from "./append.ts";
import { openCommits } from "./commits.ts";
import type { Engine } from "./engine.ts";
import { openKeyValueStore } from "./keyValueStore.ts";
import type { Store } from "./store.ts";
import { openTenderCache } from "./tenderCache.ts";

export type StoreSettings = {
  readonly clock: () => Instant;
  /** How much memory tenders that were used last may take. */
  readonly recentBytesMax: number;
  /** The same for tenders that are too large to be kept among the others. */
  readonly largeBytesMax?: number;
  /** How many bytes one commit gathers. */
  readonly commitBytesMax?: number;
  /** One commit for each change instead of one for all that are ready: only for comparison. */
  readonly commitsSingly?: boolean;
  /** Makes every commit wait this long for its disk: only for comparison. */
  readonly slowDiskMs?: number;
  /** Beside whoever serves: it changes nothing, the shape of the database included, and refuses one that is not its own. */
  readonly readsOnly?: boolean;
};

/** The store over any engine. */
export function openStore(rawEngine: Engine, settings: StoreSettings): Store {
  const { clock, recentBytesMax, largeBytesMax = 0, commitsSingly = false } = settings;
  const { commitBytesMax = Number.POSITIVE_INFINITY } = settings;
  const engine = { ...rawEngine, begin: serialiseBegin(rawEngine.begin) };
  const tenderCache = openTenderCache(engine, recentBytesMax, largeBytesMax);
  const commits = openCommits({ engine, tenderCache, clock, commitBytesMax, commitsSingly });
  const {
    feed,
    due,
    nextWake,
    onClock,
    countByStatus,
    knownFiles,
    ledger,
    secret,
    secrets,
    putSecret,
    scan,
    ping,
    connections,
  } = engine;
  return {
    clock,
    find: tenderCache.find,
    isFresh: tenderCache.isStill,
    isWorthCaching: tenderCache.isWorthCaching,
    publicPosition: tenderCache.publicPosition,
    knownPublicPosition: tenderCache.knownPublicPosition,
    knownPosition: () => engine.knownPosition()?.sequence,
    write: commits.write,
    position: async () => (await engine.position()).sequence,
    feed,
    due,
    nextWake,
    onClock,
    notes: openKeyValueStore(engine),
    countByStatus,
    knownFiles,
    ledger,
    secret,
    secrets,
    putSecret,
    append: openAppend(engine, tenderCache),
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

/** An engine keeps other servers out of a turn; this keeps apart those who take turns in this process. */
function serialiseBegin(begin: Engine["begin"]): Engine["begin"] {
  let last = Promise.resolve();
  return async () => {
    const before = last;
    const { promise, resolve: end } = Promise.withResolvers<void>();
    last = promise;
    await before;
    try {
      const { position, commit, rollback: leave } = await begin();
      return { position, commit: (...args) => commit(...args).finally(end), rollback: () => leave().finally(end) };
    } catch (error) {
      end();
      throw error;
    }
  };
}
