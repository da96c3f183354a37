import type { Config } from "./config.ts";
import { openDialects } from "./dialects/dialects.ts";
import type { Instant } from "./domain/time.ts";
import { openDisk } from "./files/disk.ts";
import type { Log } from "./http/log.ts";
import { type Listening, listen } from "./http/server.ts";
import { openRegistry } from "./registry/registry.ts";
import { openSqlite } from "./store/sqlite.ts";

export type Running = { readonly url: string; readonly stop: () => Promise<void> };

export type Parts = {
  readonly clock: () => Instant;
  readonly log: Log;
  /** One commit for each change: only for comparison. */
  readonly commitsSingly?: boolean;
};

const ANCHORED_MS = 100;
let anchor = { micros: 0, ms: Number.NEGATIVE_INFINITY };

/** The machine's clock in microseconds. Asking it takes long, so in between the time that has passed is added. */
export function systemClock(): Instant {
  const ms = performance.now();
  if (ms - anchor.ms > ANCHORED_MS) anchor = { micros: Number(Temporal.Now.instant().epochNanoseconds / 1000n), ms };
  return anchor.micros + Math.floor((ms - anchor.ms) * 1000);
}

/** Puts the parts together: the only place that chooses adapters. */
export async function start(config: Config, { clock, log, commitsSingly }: Parts): Promise<Running> {
  const store = openSqlite({ dataDir: config.dataDir, clock, recentBytesMax: config.cacheBytesMax, commitsSingly });
  const files = await openDisk(config.dataDir);
  const swept = await files.sweep(store.knownFiles);
  if (swept.kept + swept.removed > 0) log.info("swept what an earlier stop left over", swept);
  const onTickFailure = (error: unknown) => log.error("a deadline could not be carried out", error);
  const registry = openRegistry({ store, clock, zone: config.zone, sandbox: config.sandbox, onTickFailure });
  const dialects = openDialects({ zone: config.zone, sandbox: config.sandbox, ...config.limits });
  let listening: Listening;
  try {
    listening = await listen({ config, registry, files, dialects, clock }, log);
  } catch (error) {
    await registry.close();
    throw error;
  }
  const stop = async () => {
    await listening.close();
    await registry.close();
    log.flush();
  };
  return { url: listening.url, stop };
}
