import { setTimeout as pause } from "node:timers/promises";
import type { Config } from "../config/config.ts";
import type { Log } from "../ops/log.ts";
import { openWaitingServer } from "../server/waitingServer.ts";
import { isOutage, probePostgres, reasonOfOutage } from "../store/postgres/outage.ts";
import { StoreUnavailableError } from "../store/store.ts";

/** Waits for PostgreSQL before the service starts: after a power failure the database may come up last. */

const PROBE_PAUSE_MS = 100;
const PROBE_PAUSE_MS_MAX = 5000;
/** Spreads the probes of several servers that wait for the same database. */
const JITTER = 0.25;
const LOG_PAUSE_MS = 5000;
const LOG_PAUSE_MS_MAX = 300_000;

type DatabaseWaitOptions = {
  /** Whether this process listens while it waits; a restarted worker leaves the port to the others. */
  readonly listens: boolean;
  readonly log: Log;
};

/**
 * Runs `start`, and repeats it while the database cannot be reached. Rejects at once with errors that waiting cannot solve, and with
 * the outage after `DATABASE_WAIT_SECONDS`.
 */
export async function startWithDatabase<Running>(
  config: Config,
  start: () => Promise<Running>,
  options: DatabaseWaitOptions,
): Promise<Running> {
  const { databaseUrl, databaseWaitSeconds } = config;
  if (databaseUrl === undefined || databaseWaitSeconds === 0) return start();
  const deadline = performance.now() + databaseWaitSeconds * 1000;
  for (;;) {
    await waitForDatabase(config, databaseUrl, deadline, options);
    try {
      return await start();
    } catch (error) {
      // The database may go down again between the probe and the start.
      if (!isOutage(error) || performance.now() > deadline) throw error;
    }
  }
}

async function waitForDatabase(
  config: Config,
  url: string,
  deadline: number,
  options: DatabaseWaitOptions,
): Promise<void> {
  const { log, listens } = options;
  let outage = await outageOf(url);
  if (outage === undefined) return;
  const server = listens ? await openWaitingServer(config) : undefined;
  try {
    const started = performance.now();
    const seconds = () => Math.round((performance.now() - started) / 1000);
    let [probePause, logPause, nextLogAt] = [PROBE_PAUSE_MS, LOG_PAUSE_MS, started];
    while (outage !== undefined) {
      if (performance.now() > deadline)
        throw new StoreUnavailableError(`${reasonOfOutage(outage)} (after ${seconds()} seconds of waiting)`, {
          cause: outage,
        });
      if (performance.now() >= nextLogAt) {
        log.info("waiting for the database", { reason: reasonOfOutage(outage), seconds: seconds() });
        nextLogAt = performance.now() + logPause;
        logPause = Math.min(2 * logPause, LOG_PAUSE_MS_MAX);
      }
      await pause(Math.min(jittered(probePause), Math.max(0, deadline - performance.now()) + 1));
      probePause = Math.min(2 * probePause, PROBE_PAUSE_MS_MAX);
      outage = await outageOf(url);
    }
    log.info("the database answers", { seconds: seconds() });
  } finally {
    await server?.close();
  }
}

const jittered = (ms: number): number => ms * (1 - JITTER + 2 * JITTER * Math.random());

/** Undefined if the database answers. Throws errors that waiting cannot solve. */
async function outageOf(url: string): Promise<Error | undefined> {
  try {
    await probePostgres(url);
    return undefined;
  } catch (error) {
    if (isOutage(error)) return error;
    throw error;
  }
}
