import type { Cleanup } from "../base/cleanup.ts";
import type { Config } from "../config/config.ts";
import { configuredOrigin } from "../http/origins.ts";
import { bulkFolderOf } from "../opendata/bulk/bulkFolder.ts";
import { readBulkSource } from "../opendata/bulk/bulkSource.ts";
import { startBulkUpdates } from "../opendata/bulk/bulkUpdates.ts";
import { type OpenData, openOpenData } from "../opendata/openData.ts";
import { openReleaseMaker } from "../opendata/releaseMaker.ts";
import { viewSettingsOf } from "../opendata/viewSettings.ts";
import type { Log } from "../ops/log.ts";
import type { Metrics } from "../ops/metrics.ts";
import type { Registry } from "../registry/registry.ts";
import type { Store } from "../store/store.ts";

export type OpenDataParts = {
  readonly store: Store;
  readonly registry: Registry;
  readonly metrics: Metrics;
  readonly isShared: boolean;
  /** The first process of a machine makes the bulk files. */
  readonly isFirst: boolean;
  readonly log: Log;
  readonly runsTimer?: boolean | undefined;
};

/** Memory for the states of tenders from which their next releases are made. */
const STATES_BYTES_MAX = 32 * 1024 * 1024;
/** While more rows of the ledger than this are left, the log says how far the releases are. */
const BACKLOG_ROWS = 1000;
const LOG_INTERVAL_MS = 10_000;

/** Starts to make releases, if the registry publishes open data. */
export function startOpenData(config: Config, parts: OpenDataParts, cleanup: Cleanup): OpenData | undefined {
  const { store, registry, metrics, isShared, isFirst, log, runsTimer } = parts;
  if (!config.openData) {
    log.info("open data is off: set OCDS_PREFIX, OCDS_PUBLISHER and OCDS_LICENSE to publish it");
    return undefined;
  }
  const made = metrics.counter("tenderhall_releases_made_total", "OCDS releases that were made").with();
  const maker = openReleaseMaker({
    ...{ store, registry, viewSettings: viewSettingsOf(config), runsTimer, isSoleProcess: !isShared },
    cacheBytesMax: STATES_BYTES_MAX,
    onBatch: ({ made: count, ...progress }) => {
      made.add(count);
      logProgress(progress);
    },
    onBadRow: (error, { sequence, tender }) =>
      log.error("a change of a tender cannot be turned into a release", error, { sequence, tender }),
    onFailure: (error) => log.error("releases could not be made", error),
  });
  const logProgress = openProgressLog(log);
  metrics.gauge(
    "tenderhall_releases_backlog",
    "Rows of the ledger that were not looked at for OCDS releases yet",
    async () => (await store.position()) - (await maker.position()).sequence,
  );
  cleanup.add(maker.stop);
  const folder = bulkFolderOf(config);
  const openData = openOpenData(store, maker, folder);
  if (isFirst && runsTimer !== false) {
    const updates = startBulkUpdates({
      ...{ folder, source: readBulkSource(store), settings: config.openData, origin: configuredOrigin(config) },
      isReady: async () => {
        const { sequence, isRebuilding } = await maker.position();
        return !isRebuilding && (await store.position()) - sequence < BACKLOG_ROWS;
      },
      onUpdate: (files) => log.info("the bulk files of open data are up to date", { files }),
      onFailure: (error) => log.error("the bulk files of open data could not be made", error),
    });
    cleanup.add(updates.stop);
  }
  return openData;
}

type MakerProgress = { readonly done: number; readonly total: number };

/** Logs the progress of a long backlog from time to time, and its end. */
function openProgressLog(log: Log): (progress: MakerProgress) => void {
  let loggedAt = Number.NEGATIVE_INFINITY;
  let isBehind = false;
  return (progress) => {
    const { done, total } = progress;
    const wasBehind = isBehind;
    isBehind = total - done > BACKLOG_ROWS || (isBehind && done < total);
    if (isBehind && performance.now() - loggedAt > LOG_INTERVAL_MS) {
      loggedAt = performance.now();
      log.info("making the releases of earlier changes", progress);
    }
    if (wasBehind && !isBehind) log.info("the releases of all changes are made", progress);
  };
}
