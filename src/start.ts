import { setTimeout as pause } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { openAudit } from "./audit.ts";
import type { Config } from "./config.ts";
import { openDialects } from "./dialects/dialects.ts";
import type { Instant } from "./domain/time.ts";
import { audited, openDoor, wordsOf } from "./door.ts";
import { type Endings, openEndings } from "./endings.ts";
import { type FileSystem, openDisk } from "./files/disk.ts";
import type { Files } from "./files/files.ts";
import { openS3 } from "./files/s3.ts";
import { openBodyBudget } from "./http/bodyBudget.ts";
import { openDocumentKeys } from "./http/documentKeys.ts";
import { openLiveAccounts } from "./http/liveAccounts.ts";
import type { Log } from "./http/log.ts";
import { type Metrics, openMetrics } from "./http/metrics.ts";
import { sweepAnswers } from "./http/once.ts";
import { listen } from "./http/server.ts";
import type { Service } from "./http/service.ts";
import { openStreams } from "./http/stream/streams.ts";
import { keepSweeping, openUploads, type Uploads } from "./http/uploads.ts";
import { wordingOf } from "./http/webhookFilters.ts";
import { observeBuild, observedDeadlines, observedFiles, observedStore, observeProcess } from "./observing.ts";
import { CLOCK_KIND } from "./registry/clocks.ts";
import { type Operate, openOperating } from "./registry/control.ts";
import { openRegistry, type Registry } from "./registry/registry.ts";
import { type Dispatcher, openDispatcher } from "./registry/webhooks/dispatcher.ts";
import { openReaching, type Reaching, type ReachingSettings } from "./registry/webhooks/reaching.ts";
import { openWebhooks } from "./registry/webhooks/webhooks.ts";
import { openPostgres } from "./store/postgres.ts";
import { openSqlite, type TakeTurn } from "./store/sqlite.ts";
import type { Store } from "./store/store.ts";

export type Running = { readonly url: string; readonly stop: () => Promise<void> };

export type Parts = {
  readonly clock: () => Instant;
  readonly log: Log;
  /** One commit for each change: only for comparison. */
  readonly commitsSingly?: boolean;
  /** Makes every commit wait this long for its disk: only for comparison. */
  readonly slowDiskMs?: number;
  /** One of several processes that serve together. */
  readonly worker?: Worker;
  /** Other functions of files than the platform's: for tests of what fails. */
  readonly fileSystem?: FileSystem;
  /** How long a receiver of webhooks may take: for tests that do not wait as long. */
  readonly webhookMsMax?: number;
  /** Names and addresses of receivers as no machine of ours has them: for tests of what production sends to. */
  readonly webhookReaching?: ReachingSettings;
  /** Whether deadlines are carried out by a timer, too: not in stories whose time stands still. */
  readonly wakes?: boolean;
};

const WEBHOOK_MS_MAX = 10_000;

/** The first of them does what needs to be done once; who may write to a shared folder, the process above them says. */
export type Worker = {
  readonly isFirst: boolean;
  readonly takeTurn: TakeTurn;
  /** Lets others read what this process measures, and gives what all of them do. */
  readonly shareMetrics: (own: Metrics["collect"]) => Metrics["collect"];
};

/** V8 lets garbage grow to several times of what is in use where a machine has much memory, which is not ours alone. */
export const keepMemoryLow = (): void => setFlagsFromString("--heap-growing-percent=50");

const ANCHORED_MS = 100;
let anchor = { micros: 0, ms: Number.NEGATIVE_INFINITY };

/** The machine's clock in microseconds. Asking it takes long, so in between the time that has passed is added. */
export function systemClock(): Instant {
  const ms = performance.now();
  if (ms - anchor.ms > ANCHORED_MS) anchor = { micros: Number(Temporal.Now.instant().epochNanoseconds / 1000n), ms };
  return anchor.micros + Math.floor((ms - anchor.ms) * 1000);
}

type StoreParts = Pick<Parts, "clock" | "commitsSingly" | "slowDiskMs" | "worker"> & { readonly readsOnly?: boolean };

/** The engine that the settings name. */
export async function openStoreOf(
  { dataDir, databaseUrl, databaseReadUrl, cacheBytesMax, commitBytesMax, sizes }: Config,
  { clock, commitsSingly, slowDiskMs, worker, readsOnly }: StoreParts,
): Promise<Store> {
  // Parsed, a tender takes up to twice as much memory as its text.
  const memory = { recentBytesMax: cacheBytesMax, largeBytesMax: 2 * sizes.storedBytesMax, commitBytesMax };
  const settings = { clock, commitsSingly, slowDiskMs, readsOnly, ...memory };
  return databaseUrl
    ? openPostgres({ ...settings, url: databaseUrl, readUrl: databaseReadUrl, sharesClock: clock === systemClock })
    : openSqlite({ ...settings, dataDir, shared: worker });
}

export const openFilesOf = async ({ documents, dataDir }: Config, fileSystem?: FileSystem): Promise<Files> =>
  documents ? openS3(documents) : openDisk(dataDir, fileSystem);

/** Puts the parts together: the only place that chooses adapters. */
export async function start(config: Config, parts: Parts): Promise<Running> {
  const endings = openEndings();
  const state = { isStopping: false };
  try {
    const base = await openBase(config, parts, endings);
    const { service, isAccount } = await openService(config, parts, base, endings, () => state.isStopping);
    const url = await open(service, parts, base, isAccount, endings);
    const stop = async () => {
      state.isStopping = true;
      // Whoever balances between servers asks now and then whether this one is ready.
      await pause(config.drainSeconds * 1000);
      await endings.run().finally(parts.log.flush);
    };
    return { url, stop };
  } catch (error) {
    // Why it did not start is what is to be told, whatever else fails because of it.
    await endings.run().catch((other) => parts.log.error("what was begun could not be ended", other));
    throw error;
  }
}

type Base = {
  readonly metrics: Metrics;
  readonly store: Store;
  readonly files: Files;
  readonly uploads: Uploads;
  readonly registry: Registry;
  /** Where nobody else can ask for it, everybody is told. */
  readonly reaching: Reaching | undefined;
  readonly isFirst: boolean;
  readonly isShared: boolean;
};

/** The registry and its ports, and what an earlier stop left over is away. */
async function openBase(config: Config, parts: Parts, endings: Endings): Promise<Base> {
  const { log, worker, fileSystem, wakes } = parts;
  const metrics = openMetrics();
  const store = observedStore(await openStoreOf(config, parts), metrics);
  endings.add(store.close);
  // Before anything is carried out: a production that will be refused must not have changed anything.
  if (!config.sandbox) await checkHasNoClocks(store);
  const onTickFailure = (error: unknown) => log.error("a deadline could not be carried out", error);
  const onTicked = observedDeadlines(metrics);
  const { zone, sandbox, sizes } = config;
  const registry = openRegistry({ store, zone, sandbox, limits: sizes, onTickFailure, onTicked, wakes });
  endings.add(registry.stop);
  const files = observedFiles(await openFilesOf(config, fileSystem), metrics);
  const isFirst = worker?.isFirst ?? true;
  const isShared = worker !== undefined || config.databaseUrl !== undefined;
  const sweepFiles = openFileSweep(config, files, store, log);
  if (isFirst) await sweepFiles(isShared ? "old" : "all");
  const { knownFiles, notes, clock } = store;
  const limits = { files: config.limits.pendingUploadsMax, bytes: config.limits.pendingUploadBytesMax };
  const uploads = openUploads({ files, knownFiles, notes, clock, limits });
  const sweepOld = async () => {
    await sweepFiles("old");
    await sweepAnswers(store.notes, store.clock());
  };
  const sweeping = isFirst ? await startSweeping(sweepOld, uploads, log) : undefined;
  endings.add(() => sweeping?.stop());
  const reaching = config.onlyHere ? undefined : openReaching(parts.webhookReaching);
  return { metrics, store, files, uploads, registry, reaching, isFirst, isShared };
}

/** All that a request may need. */
async function openService(
  config: Config,
  { log, worker }: Parts,
  { metrics, store, files, uploads, registry, reaching, isFirst }: Base,
  endings: Endings,
  isStopping: () => boolean,
): Promise<{ readonly service: Service; readonly isAccount: (name: string) => boolean }> {
  const audit = openAudit(config.dataDir);
  observeBuild(metrics, config.databaseUrl ? "postgres" : "sqlite");
  endings.add(observeProcess(metrics).stop);
  const allMetrics = worker?.shareMetrics(metrics.collect) ?? metrics.collect;
  const live = openLiveAccounts(config, log, isFirst ? audit : undefined);
  endings.add(live.close);
  await audit.begin();
  const streams = openStreams({
    registry,
    max: config.streams.max,
    maxEach: config.streams.maxEach,
    queriesMaxEach: config.streams.queriesMaxEach,
    heartBeatMs: config.streams.beatSeconds * 1000,
    onFailure: (error) => log.error("a stream cannot go on for now", error),
  });
  live.onChange(streams.endUnauthorized);
  metrics.gauge("tenderhall_streams_open", "Streams of changes that are open", streams.count);
  const bodies = openBodyBudget(config.bodies);
  metrics.gauge("tenderhall_body_bytes_in_flight", "Bytes of request bodies that are held in memory", bodies.bytes);
  const service = {
    config: live.config,
    ...{ registry, files, bodies, uploads, streams, clock: store.clock },
    dialects: openDialects({ zone: config.zone, sandbox: config.sandbox, ...config.limits }),
    documentKeys: await openDocumentKeys(config.dataDir, store.secret),
    webhooks: openWebhooks({ store, reaching }),
    oversight: { metrics, allMetrics, audit, isStopping },
  };
  return { service, isAccount: live.isAccount };
}

/** Begins to serve, and to tell: from here on others wait for it. */
async function open(
  service: Service,
  { log, webhookMsMax = WEBHOOK_MS_MAX }: Parts,
  { metrics, store, registry, reaching, isFirst, isShared }: Base,
  isAccount: (name: string) => boolean,
  endings: Endings,
): Promise<string> {
  const { config, dialects, webhooks, streams, oversight } = service;
  const listening = await listen(service, log);
  const dispatcher = openDispatcher({
    ...{ store, registry, secretsOf: webhooks.secretsOf, wording: wordingOf(service), isAlone: !isShared, isAccount },
    bytesMax: config.limits.webhookBytesMax,
    posting: { reaching, msMax: webhookMsMax },
    onAttempt: attemptsOf(metrics),
    onFailure: (error) => log.error("webhooks could not be told of changes", error),
  });
  observeWebhooks(metrics, dispatcher);
  // Streams never end by themselves: what is in flight would be waited for in vain.
  endings.add(() => Promise.all([streams.close(), listening.close(), dispatcher.stop()]));
  // On PostgreSQL operators need no door: whoever can reach the database may open the registry beside any server.
  if (isFirst && !config.databaseUrl) {
    const words = wordsOf(config, dialects, listening.url);
    const control = await openDoor(
      config,
      audited(openOperating({ registry, store, words }), oversight.audit, log),
      log,
    );
    endings.add(() => control?.close());
  }
  return listening.url;
}

/** What lives on a test clock would stand still for ever: the registry of a sandbox is not to be taken for a real one. */
async function checkHasNoClocks({ notes }: Store): Promise<void> {
  if ((await notes.list({ kind: CLOCK_KIND, limit: 1 })).length === 0) return;
  throw new Error("it has test clocks, so it is the registry of a sandbox: MODE=production needs one of its own");
}

function attemptsOf(metrics: Metrics) {
  const about = "Attempts to deliver, by what came of them";
  const attempts = metrics.counter("tenderhall_webhook_attempts_total", about, ["outcome"]);
  return (outcome: string) => attempts.with(outcome).add();
}

function observeWebhooks(metrics: Metrics, { counts }: Dispatcher): void {
  metrics.gauge("tenderhall_webhook_deliveries_waiting", "Deliveries that wait for their turn", () => counts().waiting);
  metrics.gauge("tenderhall_webhook_deliveries_sending", "Deliveries that are under way", () => counts().sending);
}

/** Whoever is alone takes all that an earlier stop left over; others may be receiving what is not old. */
function openFileSweep(config: Config, files: Files, store: Store, log: Log) {
  return async (what: "all" | "old"): Promise<void> => {
    const receivedBefore = what === "all" ? Number.POSITIVE_INFINITY : Date.now() - 2000 * config.requestSecondsMax;
    const swept = await files.sweep(store.knownFiles, receivedBefore);
    if (swept.kept + swept.removed > 0) log.info("swept what an earlier stop left over", swept);
  };
}

function startSweeping(sweepFiles: () => Promise<void>, uploads: Uploads, log: Log) {
  const sweep = async () => {
    await sweepFiles();
    return uploads.sweep();
  };
  return keepSweeping(
    sweep,
    (removed) => log.info("swept uploads that no document named within a day", { removed }),
    (error) => log.error("what nobody named could not be swept", error),
  );
}

export type Aside = { readonly operate: Operate; readonly close: () => Promise<void> };

/** The registry without its server: for operators, where no server runs. */
export async function openAside(config: Config, ownClock: () => Instant): Promise<Aside> {
  const store = await openStoreOf(config, { clock: ownClock });
  const { zone, sandbox, sizes: limits, host, port } = config;
  // What time cannot carry out is the server's to report; here somebody has come to repair it.
  const registry = openRegistry({ store, zone, sandbox, limits, onTickFailure: () => {} });
  const dialects = openDialects({ zone, sandbox, ...config.limits });
  const words = wordsOf(config, dialects, `http://${host}:${port}`);
  const operate = audited(openOperating({ registry, store, words }), openAudit(config.dataDir));
  const close = async () => {
    await registry.stop();
    await store.close();
  };
  return { operate, close };
}
