import { setTimeout as pause } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import type { ServicePorts } from "../api/servicePorts.ts";
import { openAuctionRenderer } from "../auctions/auctionRenderer.ts";
import { openAuctionStreams } from "../auctions/auctionStreams.ts";
import { openPriceLimit } from "../auctions/priceLimit.ts";
import { type Cleanup, openCleanup } from "../base/cleanup.ts";
import type { Config } from "../config/config.ts";
import { CURRENT_SEGMENT, dialectNamed, openDialects } from "../dialects/dialects.ts";
import { openAuditDocuments } from "../documents/auditDocuments.ts";
import { openDocumentKeys } from "../documents/documentKeys.ts";
import { openUploads, startPeriodicSweep, type Uploads } from "../documents/uploads.ts";
import { openStreams } from "../feed/stream/streams.ts";
import type { FileSystem } from "../files/disk.ts";
import type { Files } from "../files/files.ts";
import { openBodyBudget } from "../http/bodyBudget.ts";
import { openParticipationLinks } from "../http/participationLinks.ts";
import { instrumentAuctions, observeAuctions } from "../ops/auctionMetrics.ts";
import { openAudit } from "../ops/audit.ts";
import {
  instrumentDeadlines,
  instrumentFiles,
  instrumentStore,
  observeBuild,
  observeProcess,
} from "../ops/instrument.ts";
import type { Log } from "../ops/log.ts";
import { type Metrics, openMetrics } from "../ops/metrics.ts";
import { sweepExpiredEntries } from "../registry/entrySweep.ts";
import { openIndexBackfill } from "../registry/indexBackfill.ts";
import { openOperatorHandler } from "../registry/operatorAccess.ts";
import { openRegistry, type Registry } from "../registry/registry.ts";
import { listen } from "../server/server.ts";
import type { AcquireWriteLock } from "../store/sqlite/sqlite.ts";
import type { Store } from "../store/store.ts";
import { type Dispatcher, openDispatcher } from "../webhooks/dispatcher.ts";
import { type HostResolver, type HostResolverSettings, openHostResolver } from "../webhooks/hostResolver.ts";
import { openWebhookFormatter } from "../webhooks/webhookFormatter.ts";
import { openWebhooks } from "../webhooks/webhooks.ts";
import { openConfiguredFiles, openConfiguredStore, type StoreOptions } from "./adapters.ts";
import { openLiveAccounts } from "./liveAccounts.ts";
import { logMigration } from "./migrationLog.ts";
import { startOpenData } from "./openDataService.ts";
import { operatorFormatOf, serveOperators, withAudit } from "./operatorSocket.ts";

/** `stop` waits for the requests in flight and closes all parts. */
export type RunningServer = { readonly url: string; readonly stop: () => Promise<void> };

export type StartOptions = Omit<StoreOptions, "readsOnly"> & {
  readonly log: Log;
  /** Set if this process is one of several workers. */
  readonly worker?: WorkerContext;
  /** For tests of failures: file functions to use instead of the platform's. */
  readonly fileSystem?: FileSystem;
  /** For tests: a shorter timeout for the receivers of webhooks. */
  readonly webhookMsMax?: number;
  /** For tests of production: name servers and addresses for the receivers of webhooks. */
  readonly webhookHosts?: HostResolverSettings;
  /** Whether a timer applies deadlines; not in tests whose clock stands still. */
  readonly runsTimer?: boolean;
};

const WEBHOOK_MS_MAX = 10_000;

/** The first worker also does what only one process may do, such as sweeps. */
export type WorkerContext = {
  readonly isFirst: boolean;
  readonly acquireWriteLock: AcquireWriteLock;
  /** Makes the metrics of this process available to the others; returns a function that collects those of all. */
  readonly shareMetrics: (own: Metrics["collect"]) => Metrics["collect"];
};

/**
 * Settings of V8's heap. The objects of all requests in progress should fit into the young generation many times, or else collections
 * copy and promote them. The old generation may double what is in use before it is collected; by default it may grow to several times
 * of that on a machine with much memory, which others may need.
 */
export function tuneHeap(): void {
  for (const flag of ["--min-semi-space-size=32", "--max-semi-space-size=32", "--heap-growing-percent=100"])
    setFlagsFromString(flag);
}

/** Assembles and starts all parts of the server. */
export async function start(config: Config, options: StartOptions): Promise<RunningServer> {
  const cleanup = openCleanup();
  const state = { isStopping: false };
  try {
    const core = await openCore(config, options, cleanup);
    const { service, isAccount } = await openService(config, options, core, cleanup, () => state.isStopping);
    const url = await startServing(service, options, core, isAccount, cleanup);
    const stop = async () => {
      state.isStopping = true;
      // Keeps accepting requests until load balancers have seen that this server is no longer ready.
      await pause(config.drainSeconds * 1000);
      await cleanup.run().finally(options.log.flush);
    };
    return { url, stop };
  } catch (error) {
    // An error during cleanup is logged, so that it does not replace the reason of the failed start.
    await cleanup
      .run()
      .catch((cleanupError) => options.log.error("the cleanup after a failed start failed", cleanupError));
    throw error;
  }
}

type Core = {
  readonly metrics: Metrics;
  readonly store: Store;
  readonly files: Files;
  readonly uploads: Uploads;
  readonly registry: Registry;
  /** Undefined in a sandbox that only this machine can reach, where webhooks may be sent to any host. */
  readonly hostResolver: HostResolver | undefined;
  readonly isFirst: boolean;
  /** Whether other processes may serve the same registry. */
  readonly isShared: boolean;
};

/** Opens the store, the files and the registry, and sweeps what an earlier process has left unfinished. */
async function openCore(config: Config, options: StartOptions, cleanup: Cleanup): Promise<Core> {
  const { log, worker, fileSystem, runsTimer } = options;
  const metrics = openMetrics();
  const store = instrumentStore(
    await openConfiguredStore(config, { onMigration: logMigration(log), ...options }),
    metrics,
  );
  cleanup.add(store.close);
  // Before the registry opens, because that applies deadlines: a start that is refused must change nothing.
  if (!config.sandbox) await checkHasNoTestClocks(store);
  const onTickFailure = (error: unknown) => log.error("a deadline could not be carried out", error);
  const onTick = instrumentDeadlines(metrics);
  const { zone, sandbox, sizes: limits, auctions } = config;
  const auctionObserver = instrumentAuctions(metrics);
  const registry = openRegistry({
    ...{ store, zone, sandbox, limits, auctions, auctionObserver },
    ...{ onTickFailure, onTick, runsTimer },
  });
  observeAuctions(metrics, registry.auctions);
  cleanup.add(registry.stop);
  const isFirst = worker?.isFirst ?? true;
  if (isFirst) cleanup.add(startBackfill(store, metrics, log));
  const files = instrumentFiles(await openConfiguredFiles(config, fileSystem), metrics);
  const isShared = worker !== undefined || config.databaseUrl !== undefined;
  const uploads = await openSweptUploads(config, { store, files, isFirst, isShared }, log, cleanup);
  const auditDocuments = openAuditDocuments({
    ...{ registry, store, files, zone, runsTimer: runsTimer ?? true },
    onFailure: (error) => log.error("the audit document of an auction could not be attached", error),
  });
  cleanup.add(auditDocuments.stop);
  const hostResolver = config.isLocalSandbox ? undefined : openHostResolver(options.webhookHosts);
  return { metrics, store, files, uploads, registry, hostResolver, isFirst, isShared };
}

/** Adds older tenders to the search index; returns a function that stops it. */
function startBackfill(store: Store, metrics: Metrics, log: Log): () => Promise<void> {
  const logProgress = logMigration(log);
  const { progress, stop } = openIndexBackfill({
    store,
    onProgress: ({ done, total }) => logProgress({ name: "older tenders into the search index", done, total }),
    onFailure: (error) => log.error("older tenders could not be added to the search index", error),
  });
  metrics.gauge("tenderhall_unindexed_tenders", "Older tenders that are not in the search index yet", () => {
    const { done = 0, total = 0 } = progress() ?? {};
    return total - done;
  });
  return stop;
}

/** Opens the uploads. The first process also sweeps files, uploads and expired entries, now and periodically. */
async function openSweptUploads(
  config: Config,
  { store, files, isFirst, isShared }: Pick<Core, "store" | "files" | "isFirst" | "isShared">,
  log: Log,
  cleanup: Cleanup,
): Promise<Uploads> {
  const sweepFiles = openFileSweep(config, files, store, log);
  if (isFirst) await sweepFiles(isShared ? "old" : "all");
  const { knownFiles, keyValues, clock } = store;
  const limits = { files: config.limits.pendingUploadsMax, bytes: config.limits.pendingUploadBytesMax };
  const uploads = openUploads({ files, knownFiles, keyValues, clock, limits });
  const sweepOld = async () => {
    await sweepFiles("old");
    await sweepExpiredEntries(keyValues, clock());
  };
  const periodicSweep = isFirst ? await startSweeping(sweepOld, uploads, log) : undefined;
  cleanup.add(() => periodicSweep?.stop());
  return uploads;
}

/** Assembles everything that handlers use. */
async function openService(
  config: Config,
  { log, worker, runsTimer }: StartOptions,
  { metrics, store, files, uploads, registry, hostResolver, isFirst, isShared }: Core,
  cleanup: Cleanup,
  isStopping: () => boolean,
): Promise<{ readonly service: ServicePorts; readonly isAccount: (name: string) => boolean }> {
  const audit = openAudit(config.dataDir);
  observeBuild(metrics, config.databaseUrl ? "postgres" : "sqlite");
  cleanup.add(observeProcess(metrics).stop);
  const allMetrics = worker?.shareMetrics(metrics.collect) ?? metrics.collect;
  const liveAccounts = openLiveAccounts(config, log, isFirst ? audit : undefined);
  cleanup.add(liveAccounts.close);
  await audit.begin();
  const streams = openStreams({
    registry,
    max: config.streams.max,
    maxPerClient: config.streams.maxPerClient,
    queriesMaxPerClient: config.streams.queriesMaxPerClient,
    heartBeatMs: config.streams.heartbeatSeconds * 1000,
    onFailure: (error) => log.error("a stream failed", error),
  });
  const dialects = openDialects({ zone: config.zone, sandbox: config.sandbox, ...config.limits });
  const auctionStreams = openAuctionStreams({
    registry,
    clock: store.clock,
    render: openAuctionRenderer(dialectNamed(dialects, CURRENT_SEGMENT), config.zone),
    max: config.streams.max,
    maxPerClient: config.streams.maxPerClient,
    heartbeatMs: config.streams.heartbeatSeconds * 1000,
    onFailure: (error) => log.error("a stream of an auction failed", error),
  });
  liveAccounts.onChange(() => {
    streams.endUnauthorized();
    auctionStreams.endUnauthorized();
  });
  metrics.gauge("tenderhall_auction_streams_open", "Open event streams of auctions", auctionStreams.count);
  metrics.gauge("tenderhall_streams_open", "Open event streams", streams.count);
  const bodyBudget = openBodyBudget(config.bodies);
  metrics.gauge("tenderhall_body_bytes_in_flight", "Bytes of request bodies that are held in memory", bodyBudget.bytes);
  const service = {
    config: liveAccounts.config,
    ...{ registry, files, bodyBudget, uploads, streams, clock: store.clock },
    dialects,
    auctionStreams,
    participationLinks: await openParticipationLinks(store.secret),
    priceLimit: openPriceLimit(metrics),
    documentKeys: await openDocumentKeys(config.dataDir, store.secret),
    webhooks: openWebhooks({ store, hostResolver }),
    openData: startOpenData(config, { store, registry, metrics, isShared, isFirst, log, runsTimer }, cleanup),
    observability: { metrics, allMetrics, audit, isStopping },
  };
  return { service, isAccount: liveAccounts.isAccount };
}

/** Starts to listen, to deliver webhooks and to accept operators; returns the URL. */
async function startServing(
  service: ServicePorts,
  { log, webhookMsMax = WEBHOOK_MS_MAX }: StartOptions,
  { metrics, store, registry, hostResolver, isFirst, isShared }: Core,
  isAccount: (name: string) => boolean,
  cleanup: Cleanup,
): Promise<string> {
  const { config, dialects, webhooks, streams, auctionStreams, observability } = service;
  const httpServer = await listen(service, log);
  const dispatcher = openDispatcher({
    ...{
      store,
      registry,
      secretsOf: webhooks.secretsOf,
      formatter: openWebhookFormatter(service),
      isSoleProcess: !isShared,
      isAccount,
    },
    bytesMax: config.limits.webhookBytesMax,
    requestSettings: { hostResolver, msMax: webhookMsMax },
    onAttempt: attemptCounter(metrics),
    onFailure: (error) => log.error("the delivery of webhooks failed", error),
  });
  observeWebhooks(metrics, dispatcher);
  // Together, because the HTTP server waits for its requests and streams never end by themselves.
  cleanup.add(() => Promise.all([streams.close(), auctionStreams.close(), httpServer.close(), dispatcher.stop()]));
  // On PostgreSQL operators open the registry themselves, next to any running server.
  if (isFirst && !config.databaseUrl) {
    const format = operatorFormatOf(config, dialects, httpServer.url);
    const handler = withAudit(openOperatorHandler({ registry, store, format }), observability.audit, log);
    const operatorSocket = await serveOperators(config, handler, log);
    cleanup.add(() => operatorSocket?.close());
  }
  return httpServer.url;
}

/** Refuses to run a sandbox registry in production, where tenders on test clocks would never change. */
async function checkHasNoTestClocks({ keyValues }: Store): Promise<void> {
  if ((await keyValues.list({ kind: "test clock", limit: 1 })).length === 0) return;
  throw new Error("it has test clocks, so it is the registry of a sandbox: MODE=production needs its own registry");
}

function attemptCounter(metrics: Metrics) {
  const help = "Attempts to send webhook deliveries, by outcome";
  const attempts = metrics.counter("tenderhall_webhook_attempts_total", help, ["outcome"]);
  return (outcome: string) => attempts.with(outcome).add();
}

function observeWebhooks(metrics: Metrics, { counts }: Dispatcher): void {
  metrics.gauge("tenderhall_webhook_deliveries_waiting", "Pending webhook deliveries", () => counts().waiting);
  metrics.gauge("tenderhall_webhook_deliveries_sending", "Webhook deliveries in flight", () => counts().sending);
}

/** Sweeps files that no document uses. `old`: only those too old to be still in transfer, because other processes may receive files. */
function openFileSweep(config: Config, files: Files, store: Store, log: Log) {
  return async (scope: "all" | "old"): Promise<void> => {
    const receivedBefore = scope === "all" ? Number.POSITIVE_INFINITY : Date.now() - 2000 * config.requestSecondsMax;
    const swept = await files.sweep(store.knownFiles, receivedBefore);
    if (swept.kept + swept.removed > 0) log.info("swept unfinished files", swept);
  };
}

function startSweeping(sweepFiles: () => Promise<void>, uploads: Uploads, log: Log) {
  const sweep = async () => {
    await sweepFiles();
    return uploads.sweep();
  };
  return startPeriodicSweep(
    sweep,
    (removed) => log.info("swept expired uploads", { removed }),
    (error) => log.error("the periodic sweep failed", error),
  );
}
