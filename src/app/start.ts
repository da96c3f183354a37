import { setTimeout as pause } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import type { ServicePorts } from "../api/servicePorts.ts";
import { type Cleanup, openCleanup } from "../base/cleanup.ts";
import type { Config } from "../config/config.ts";
import { openDialects } from "../dialects/dialects.ts";
import { openDocumentKeys } from "../documents/documentKeys.ts";
import { openUploads, startPeriodicSweep, type Uploads } from "../documents/uploads.ts";
import type { Instant } from "../domain/values/time.ts";
import { openStreams } from "../feed/stream/streams.ts";
import { type FileSystem, openDisk } from "../files/disk.ts";
import type { Files } from "../files/files.ts";
import { openS3 } from "../files/s3/s3.ts";
import { openBodyBudget } from "../http/bodyBudget.ts";
import { sweepIdempotencyRecords } from "../http/idempotency.ts";
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
import { type OperatorHandler, openOperatorHandler } from "../registry/operatorAccess.ts";
import { openRegistry, type Registry } from "../registry/registry.ts";
import { CLOCK_KIND } from "../registry/testClocks.ts";
import { listen } from "../server/server.ts";
import { openPostgres } from "../store/postgres/postgres.ts";
import { type AcquireWriteLock, openSqlite } from "../store/sqlite/sqlite.ts";
import type { Store } from "../store/store.ts";
import { type Dispatcher, openDispatcher } from "../webhooks/dispatcher.ts";
import { type HostResolver, type HostResolverSettings, openHostResolver } from "../webhooks/hostResolver.ts";
import { openWebhookFormatter } from "../webhooks/webhookFormatter.ts";
import { openWebhooks } from "../webhooks/webhooks.ts";
import { openLiveAccounts } from "./liveAccounts.ts";
import { operatorFormatOf, serveOperators, withAudit } from "./operatorSocket.ts";

export type RunningServer = { readonly url: string; readonly stop: () => Promise<void> };

export type StartOptions = {
  readonly clock: () => Instant;
  readonly log: Log;
  /** One commit for each change: only for comparison. */
  readonly commitsSingly?: boolean;
  /** Makes every commit wait this long for its disk: only for comparison. */
  readonly slowDiskMs?: number;
  /** One of several processes that serve together. */
  readonly worker?: WorkerContext;
  /** Other functions of files than the platform's: for tests of what fails. */
  readonly fileSystem?: FileSystem;
  /** How long a receiver of webhooks may take: for tests that do not wait as long. */
  readonly webhookMsMax?: number;
  /** Names and addresses of receivers as no machine of ours has them: for tests of what production sends to. */
  readonly webhookReaching?: HostResolverSettings;
  /** Whether deadlines are carried out by a timer, too: not in stories whose time stands still. */
  readonly wakes?: boolean;
};

const WEBHOOK_MS_MAX = 10_000;

/** The first of them does what needs to be done once; who may write to a shared folder, the process above them says. */
export type WorkerContext = {
  readonly isFirst: boolean;
  readonly acquireWriteLock: AcquireWriteLock;
  /** Lets others read what this process measures, and gives what all of them do. */
  readonly shareMetrics: (own: Metrics["collect"]) => Metrics["collect"];
};

/** V8 lets garbage grow to several times of what is in use where a machine has much memory, which is not ours alone. */
export const limitHeapGrowth = (): void => setFlagsFromString("--heap-growing-percent=50");

const ANCHORED_MS = 100;
let anchor = { micros: 0, ms: Number.NEGATIVE_INFINITY };

/** The machine's clock in microseconds. Asking it takes long, so in between the time that has passed is added. */
export function systemClock(): Instant {
  const ms = performance.now();
  if (ms - anchor.ms > ANCHORED_MS) anchor = { micros: Number(Temporal.Now.instant().epochNanoseconds / 1000n), ms };
  return anchor.micros + Math.floor((ms - anchor.ms) * 1000);
}

type StoreOptions = Pick<StartOptions, "clock" | "commitsSingly" | "slowDiskMs" | "worker"> & {
  readonly readsOnly?: boolean;
};

/** The engine that the settings name. */
export async function openConfiguredStore(
  { dataDir, databaseUrl, databaseReadUrl, cacheBytesMax, commitBytesMax, sizes }: Config,
  { clock, commitsSingly, slowDiskMs, worker, readsOnly }: StoreOptions,
): Promise<Store> {
  // Parsed, a tender takes up to twice as much memory as its text.
  const memory = { recentBytesMax: cacheBytesMax, largeBytesMax: 2 * sizes.storedBytesMax, commitBytesMax };
  const settings = { clock, commitsSingly, slowDiskMs, readsOnly, ...memory };
  return databaseUrl
    ? openPostgres({ ...settings, url: databaseUrl, readUrl: databaseReadUrl, sharesClock: clock === systemClock })
    : openSqlite({ ...settings, dataDir, shared: worker });
}

export const openConfiguredFiles = async ({ documents, dataDir }: Config, fileSystem?: FileSystem): Promise<Files> =>
  documents ? openS3(documents) : openDisk(dataDir, fileSystem);

/** Puts the parts together: the only place that chooses adapters. */
export async function start(config: Config, options: StartOptions): Promise<RunningServer> {
  const cleanup = openCleanup();
  const state = { isStopping: false };
  try {
    const core = await openCore(config, options, cleanup);
    const { service, isAccount } = await openService(config, options, core, cleanup, () => state.isStopping);
    const url = await startServing(service, options, core, isAccount, cleanup);
    const stop = async () => {
      state.isStopping = true;
      // Whoever balances between servers asks now and then whether this one is ready.
      await pause(config.drainSeconds * 1000);
      await cleanup.run().finally(options.log.flush);
    };
    return { url, stop };
  } catch (error) {
    // Why it did not start is what is to be told, whatever else fails because of it.
    await cleanup.run().catch((cleanupError) => options.log.error("what was begun could not be ended", cleanupError));
    throw error;
  }
}

type Core = {
  readonly metrics: Metrics;
  readonly store: Store;
  readonly files: Files;
  readonly uploads: Uploads;
  readonly registry: Registry;
  /** Where nobody else can ask for it, everybody is told. */
  readonly reaching: HostResolver | undefined;
  readonly isFirst: boolean;
  readonly isShared: boolean;
};

/** The registry and its ports, and what an earlier stop left over is away. */
async function openCore(config: Config, options: StartOptions, cleanup: Cleanup): Promise<Core> {
  const { log, worker, fileSystem, wakes } = options;
  const metrics = openMetrics();
  const store = instrumentStore(await openConfiguredStore(config, options), metrics);
  cleanup.add(store.close);
  // Before anything is carried out: a production that will be refused must not have changed anything.
  if (!config.sandbox) await checkHasNoTestClocks(store);
  const onTickFailure = (error: unknown) => log.error("a deadline could not be carried out", error);
  const onTicked = instrumentDeadlines(metrics);
  const { zone, sandbox, sizes } = config;
  const registry = openRegistry({
    store,
    zone,
    sandbox,
    limits: sizes,
    onTickFailure,
    onTick: onTicked,
    runsTimer: wakes,
  });
  cleanup.add(registry.stop);
  const files = instrumentFiles(await openConfiguredFiles(config, fileSystem), metrics);
  const isFirst = worker?.isFirst ?? true;
  const isShared = worker !== undefined || config.databaseUrl !== undefined;
  const sweepFiles = openFileSweep(config, files, store, log);
  if (isFirst) await sweepFiles(isShared ? "old" : "all");
  const { knownFiles, keyValues: notes, clock } = store;
  const limits = { files: config.limits.pendingUploadsMax, bytes: config.limits.pendingUploadBytesMax };
  const uploads = openUploads({ files, knownFiles, notes, clock, limits });
  const sweepOld = async () => {
    await sweepFiles("old");
    await sweepIdempotencyRecords(store.keyValues, store.clock());
  };
  const periodicSweep = isFirst ? await startSweeping(sweepOld, uploads, log) : undefined;
  cleanup.add(() => periodicSweep?.stop());
  const reaching = config.isLocalSandbox ? undefined : openHostResolver(options.webhookReaching);
  return { metrics, store, files, uploads, registry, reaching, isFirst, isShared };
}

/** All that a request may need. */
async function openService(
  config: Config,
  { log, worker }: StartOptions,
  { metrics, store, files, uploads, registry, reaching, isFirst }: Core,
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
    onFailure: (error) => log.error("a stream cannot go on for now", error),
  });
  liveAccounts.onChange(streams.endUnauthorized);
  metrics.gauge("tenderhall_streams_open", "Streams of changes that are open", streams.count);
  const bodies = openBodyBudget(config.bodies);
  metrics.gauge("tenderhall_body_bytes_in_flight", "Bytes of request bodies that are held in memory", bodies.bytes);
  const service = {
    config: liveAccounts.config,
    ...{ registry, files, bodies, uploads, streams, clock: store.clock },
    dialects: openDialects({ zone: config.zone, sandbox: config.sandbox, ...config.limits }),
    documentKeys: await openDocumentKeys(config.dataDir, store.secret),
    webhooks: openWebhooks({ store, hostResolver: reaching }),
    oversight: { metrics, allMetrics, audit, isStopping },
  };
  return { service, isAccount: liveAccounts.isAccount };
}

/** Begins to serve, and to tell: from here on others wait for it. */
async function startServing(
  service: ServicePorts,
  { log, webhookMsMax = WEBHOOK_MS_MAX }: StartOptions,
  { metrics, store, registry, reaching, isFirst, isShared }: Core,
  isAccount: (name: string) => boolean,
  cleanup: Cleanup,
): Promise<string> {
  const { config, dialects, webhooks, streams, oversight } = service;
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
    requestSettings: { hostResolver: reaching, msMax: webhookMsMax },
    onAttempt: attemptCounter(metrics),
    onFailure: (error) => log.error("webhooks could not be told of changes", error),
  });
  observeWebhooks(metrics, dispatcher);
  // Streams never end by themselves: what is in flight would be waited for in vain.
  cleanup.add(() => Promise.all([streams.close(), httpServer.close(), dispatcher.stop()]));
  // On PostgreSQL operators need no door: whoever can reach the database may open the registry beside any server.
  if (isFirst && !config.databaseUrl) {
    const operatorFormat = operatorFormatOf(config, dialects, httpServer.url);
    const control = await serveOperators(
      config,
      withAudit(openOperatorHandler({ registry, store, format: operatorFormat }), oversight.audit, log),
      log,
    );
    cleanup.add(() => control?.close());
  }
  return httpServer.url;
}

/** What lives on a test clock would stand still for ever: the registry of a sandbox is not to be taken for a real one. */
async function checkHasNoTestClocks({ keyValues: notes }: Store): Promise<void> {
  if ((await notes.list({ kind: CLOCK_KIND, limit: 1 })).length === 0) return;
  throw new Error("it has test clocks, so it is the registry of a sandbox: MODE=production needs one of its own");
}

function attemptCounter(metrics: Metrics) {
  const help = "Attempts to deliver, by what came of them";
  const attempts = metrics.counter("tenderhall_webhook_attempts_total", help, ["outcome"]);
  return (outcome: string) => attempts.with(outcome).add();
}

function observeWebhooks(metrics: Metrics, { counts }: Dispatcher): void {
  metrics.gauge("tenderhall_webhook_deliveries_waiting", "Deliveries that wait for their turn", () => counts().waiting);
  metrics.gauge("tenderhall_webhook_deliveries_sending", "Deliveries that are under way", () => counts().sending);
}

/** Whoever is alone takes all that an earlier stop left over; others may be receiving what is not old. */
function openFileSweep(config: Config, files: Files, store: Store, log: Log) {
  return async (scope: "all" | "old"): Promise<void> => {
    const receivedBefore = scope === "all" ? Number.POSITIVE_INFINITY : Date.now() - 2000 * config.requestSecondsMax;
    const swept = await files.sweep(store.knownFiles, receivedBefore);
    if (swept.kept + swept.removed > 0) log.info("swept what an earlier stop left over", swept);
  };
}

function startSweeping(sweepFiles: () => Promise<void>, uploads: Uploads, log: Log) {
  const sweep = async () => {
    await sweepFiles();
    return uploads.sweep();
  };
  return startPeriodicSweep(
    sweep,
    (removed) => log.info("swept uploads that no document named within a day", { removed }),
    (error) => log.error("what nobody named could not be swept", error),
  );
}

export type OfflineOperator = { readonly operate: OperatorHandler; readonly close: () => Promise<void> };

/** The registry without its server: for operators, where no server runs. */
export async function openOfflineOperator(config: Config, ownClock: () => Instant): Promise<OfflineOperator> {
  const store = await openConfiguredStore(config, { clock: ownClock });
  const { zone, sandbox, sizes: limits, host, port } = config;
  // What time cannot carry out is the server's to report; here somebody has come to repair it.
  const registry = openRegistry({ store, zone, sandbox, limits, onTickFailure: () => {} });
  const dialects = openDialects({ zone, sandbox, ...config.limits });
  const operatorFormat = operatorFormatOf(config, dialects, `http://${host}:${port}`);
  const operate = withAudit(
    openOperatorHandler({ registry, store, format: operatorFormat }),
    openAudit(config.dataDir),
  );
  const close = async () => {
    await registry.stop();
    await store.close();
  };
  return { operate, close };
}
