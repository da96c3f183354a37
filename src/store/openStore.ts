import type { Instant } from "../domain/time.ts";
import { openCommits } from "./commits.ts";
import type { Engine } from "./engine.ts";
import type { Store } from "./store.ts";
import { openTenders } from "./tenders.ts";

export type StoreSettings = {
  readonly clock: () => Instant;
  /** How much text of tenders is kept parsed in memory. */
  readonly recentBytesMax: number;
  /** One commit for each change instead of one for all that are ready: only for comparison. */
  readonly commitsSingly?: boolean;
};

/** The store over any engine. */
export function openStore(engine: Engine, { clock, recentBytesMax, commitsSingly = false }: StoreSettings): Store {
  const tenders = openTenders(engine, recentBytesMax);
  const commits = openCommits({ engine, tenders, clock, commitsSingly });
  const { feed, due, nextWake, countByStatus, knownFiles, ledger, secret, ping } = engine;
  return {
    find: tenders.find,
    write: commits.write,
    position: async () => (await engine.position()).sequence,
    feed,
    due,
    nextWake,
    countByStatus,
    knownFiles,
    ledger,
    secret,
    ping,
    close: async () => {
      await commits.close();
      tenders.clear();
      await engine.close();
    },
  };
}
