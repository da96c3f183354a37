import { monitorEventLoopDelay } from "node:perf_hooks";
import { VERSION } from "../base/version.ts";
import { type Instant, SECOND } from "../domain/values/time.ts";
import type { Files } from "../files/files.ts";
import { lastBackup } from "../registry/lastBackup.ts";
import type { DeadlineKind } from "../registry/registry.ts";
import type { Store } from "../store/store.ts";
import { DURATION_BUCKETS, type Histogram, type Metrics } from "./metrics.ts";

/** Decorators and observers that measure the ports and the process. What they measure does not depend on them. */

const GROUP_SIZES = [1, 2, 4, 8, 16, 32, 64, 128];

/** The store with metrics of its operations, commits, deadlines, backups and connections. */
export function instrumentStore(store: Store, metrics: Metrics): Store {
  const { clock } = store;
  const seconds = metrics.histogram(
    "tenderhall_store_seconds",
    "Duration of store operations, by operation",
    DURATION_BUCKETS,
    ["operation"],
  );
  const groups = metrics.histogram(
    "tenderhall_commit_changes",
    "Number of changes acknowledged by one commit",
    GROUP_SIZES,
  );
  // `timed` loses the type parameter of `write`.
  const write = timed(store.write, seconds.with("write")) as Store["write"];
  const countAcknowledged = groupCounter(groups.with());
  let waiting = 0;
  metrics.gauge("tenderhall_writes_waiting", "Changes that are not yet on disk", () => waiting);
  metrics.gauge("tenderhall_ledger_position", "Sequence number of the last change in the ledger", store.position);
  metrics.gauge("tenderhall_deadline_overdue_seconds", "How long the earliest deadline has been overdue", async () => {
    const next = (await store.nextWake()) ?? Number.POSITIVE_INFINITY;
    return Math.max(0, clock() - next) / SECOND;
  });
  observeBackups(store, metrics);
  observeConnections(store, metrics);
  return {
    ...store,
    find: timed(store.find, seconds.with("find")),
    feed: timed(store.feed, seconds.with("feed")),
    due: timed(store.due, seconds.with("due")),
    ping: timed(store.ping, seconds.with("ping")),
    keyValues: {
      find: timed(store.keyValues.find, seconds.with("notes.find")),
      list: timed(store.keyValues.list, seconds.with("notes.list")),
      count: timed(store.keyValues.count, seconds.with("notes.list")),
      expired: timed(store.keyValues.expired, seconds.with("notes.due")),
      put: timed(store.keyValues.put, seconds.with("notes.put")),
    },
    write: async (id, decision, keys) => {
      waiting += 1;
      try {
        const result = await write(id, decision, keys);
        countAcknowledged();
        return result;
      } finally {
        waiting -= 1;
      }
    },
  };
}

function observeBackups(store: Store, { gauge }: Metrics): void {
  const help = "Unix time of the last complete backup of the registry, in seconds; absent if there was none";
  gauge("tenderhall_last_backup_timestamp_seconds", help, async () => {
    const backupAt = await lastBackup(store);
    return backupAt === undefined ? undefined : backupAt / SECOND;
  });
}

/** Each connection pipelines many statements, so "busy" means that at least one is pending. */
function observeConnections({ connections }: Store, { gauge }: Metrics): void {
  gauge("tenderhall_database_connections", "Connections of this process to PostgreSQL, by role and state", () =>
    connections().flatMap(({ role, isOpen, pending }) => {
      const state = isOpen ? (pending > 0 ? "busy" : "idle") : "closed";
      return ["busy", "closed", "idle"].map((candidate) => ({
        labels: [["role", role] as const, ["state", candidate] as const],
        value: candidate === state ? 1 : 0,
      }));
    }),
  );
  gauge("tenderhall_database_statements_waiting", "Statements that wait for a result from PostgreSQL, by role", () =>
    connections().map(({ role, pending }) => ({ labels: [["role", role] as const], value: pending })),
  );
}

/**
 * Counts the writes of each commit. All writes of a commit are acknowledged in the same run of the microtask queue, so those that
 * complete before the microtask of the first belong to its commit.
 */
function groupCounter({ observe }: Histogram): () => void {
  let acknowledged = 0;
  const count = () => {
    observe(acknowledged);
    acknowledged = 0;
  };
  return () => {
    acknowledged += 1;
    if (acknowledged === 1) queueMicrotask(count);
  };
}

/** The file store with metrics of its operations. */
export function instrumentFiles(files: Files, metrics: Metrics): Files {
  const seconds = metrics.histogram(
    "tenderhall_files_seconds",
    "Duration of file operations, by operation",
    DURATION_BUCKETS,
    ["operation"],
  );
  return {
    ...files,
    receive: timed(files.receive, seconds.with("receive")),
    open: timed(files.open, seconds.with("open")),
    keep: timed(files.keep, seconds.with("keep")),
    wait: timed(files.wait, seconds.with("wait")),
    discard: timed(files.discard, seconds.with("discard")),
    ping: timed(files.ping, seconds.with("ping")),
  };
}

const timed =
  <Args extends readonly unknown[], Result>(run: (...args: Args) => Promise<Result>, { observe }: Histogram) =>
  async (...args: Args): Promise<Result> => {
    const started = performance.now();
    try {
      return await run(...args);
    } finally {
      observe((performance.now() - started) / 1000);
    }
  };

/** Returns a function that measures how late a deadline was applied and how long it took, both in microseconds. */
export function instrumentDeadlines(metrics: Metrics): (late: Instant, took: Instant, kind: DeadlineKind) => void {
  const lateness = metrics.histogram(
    "tenderhall_deadline_late_seconds",
    "Delay between the time of a deadline and the start of its application",
    DURATION_BUCKETS,
  );
  const work = metrics.histogram("tenderhall_deadline_seconds", "Duration of applying a deadline", DURATION_BUCKETS);
  const stageLateness = metrics.histogram(
    "tenderhall_auction_stage_late_seconds",
    "Delay between the end of a stage of an auction and the start of its application",
    DURATION_BUCKETS,
  );
  const [lateHistogram, workHistogram, stageHistogram] = [lateness.with(), work.with(), stageLateness.with()];
  return (late, took, kind) => {
    if (kind === "stage") stageHistogram.observe(Math.max(0, late) / SECOND);
    lateHistogram.observe(Math.max(0, late) / SECOND);
    workHistogram.observe(took / SECOND);
  };
}

const LAG_SAMPLE_MS = 250;
const LAG_RESOLUTION_MS = 20;
const LAG_WINDOW_MS = 60_000;

/**
 * Gauges of the event loop lag over the last one to two minutes. They use Node's own monitor, because a timer of ours would miss most
 * short stalls. The previous window is kept, so that reading has no effect on other readers.
 */
function observeLag({ gauge }: Metrics): { readonly stop: () => void } {
  const delays = monitorEventLoopDelay({ resolution: LAG_RESOLUTION_MS });
  // The monitor measures the time between its own timers, which includes its resolution.
  const seconds = (nanoseconds: number) => Math.max(0, nanoseconds / 1e9 - LAG_RESOLUTION_MS / 1000);
  const current = () => ({ p99: seconds(delays.percentile(99)), max: seconds(delays.max) });
  let previous = { p99: 0, max: 0 };
  delays.enable();
  const timer = setInterval(() => {
    previous = current();
    delays.reset();
  }, LAG_WINDOW_MS).unref();
  const helpFor = (statistic: string) => `${statistic} lag of the event loop over the last one to two minutes`;
  gauge("nodejs_eventloop_lag_p99_seconds", helpFor("99th percentile of the"), () =>
    Math.max(previous.p99, current().p99),
  );
  gauge("nodejs_eventloop_lag_max_seconds", helpFor("Largest"), () => Math.max(previous.max, current().max));
  const stop = () => {
    clearInterval(timer);
    delays.disable();
  };
  return { stop };
}

/** The version, runtime and database as labels of a gauge that is always 1. */
export function observeBuild({ gauge }: Metrics, engine: "sqlite" | "postgres"): void {
  const labels = Object.entries({ version: VERSION, node: process.versions.node, engine });
  gauge("tenderhall_build_info", "Version of the program, of Node and kind of the database; always 1", () => [
    { labels, value: 1 },
  ]);
}

/** Observes the memory, the CPU time and the event loop lag of this process, until `stop`. */
export function observeProcess(metrics: Metrics): { readonly stop: () => void } {
  const startedAt = Date.now() / 1000 - process.uptime();
  const { gauge, observableCounter } = metrics;
  gauge("process_start_time_seconds", "Unix time at which this process started, in seconds", () => startedAt);
  gauge("process_resident_memory_bytes", "Resident memory of this process", () => process.memoryUsage.rss());
  observableCounter("process_cpu_seconds_total", "User and system CPU time of this process", () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1_000_000;
  });
  gauge("nodejs_heap_size_used_bytes", "Heap memory in use", () => process.memoryUsage().heapUsed);
  gauge(
    "nodejs_external_memory_bytes",
    "Memory outside the heap, such as buffers",
    () => process.memoryUsage().external,
  );
  observableCounter("nodejs_eventloop_active_seconds_total", "Time that the event loop was busy", () => {
    return performance.eventLoopUtilization().active / 1000;
  });
  const lag = metrics
    .histogram("nodejs_eventloop_lag_seconds", "Delay of a timer by the event loop", DURATION_BUCKETS)
    .with();
  let expected = performance.now() + LAG_SAMPLE_MS;
  const timer = setInterval(() => {
    const now = performance.now();
    lag.observe(Math.max(0, now - expected) / 1000);
    expected = now + LAG_SAMPLE_MS;
  }, LAG_SAMPLE_MS);
  timer.unref();
  const lagMonitor = observeLag(metrics);
  const stop = () => {
    clearInterval(timer);
    lagMonitor.stop();
  };
  return { stop };
}
