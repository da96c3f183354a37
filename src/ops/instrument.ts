import { monitorEventLoopDelay } from "node:perf_hooks";
import { VERSION } from "../base/version.ts";
import { type Instant, SECOND } from "../domain/values/time.ts";
import type { Files } from "../files/files.ts";
import { lastBackup } from "../registry/lastBackup.ts";
import type { Store } from "../store/store.ts";
import { DURATION_BUCKETS, type Histogram, type Metrics } from "./metrics.ts";

/** The ports and the process as those who run the service watch them; what is watched knows nothing of it. */

const GROUP_SIZES = [1, 2, 4, 8, 16, 32, 64, 128];

export function instrumentStore(store: Store, metrics: Metrics): Store {
  const { clock } = store;
  const seconds = metrics.histogram(
    "tenderhall_store_seconds",
    "What the store takes, by what it is asked",
    DURATION_BUCKETS,
    ["operation"],
  );
  const groups = metrics.histogram(
    "tenderhall_commit_changes",
    "Changes that were answered by one commit",
    GROUP_SIZES,
  );
  const write = timed(store.write, seconds.with("write")) as Store["write"];
  const countAnswered = groupCounter(groups.with());
  let waiting = 0;
  metrics.gauge("tenderhall_writes_waiting", "Changes that wait until they are on disk", () => waiting);
  metrics.gauge("tenderhall_ledger_position", "The number of the last change: where the feed stands", store.position);
  metrics.gauge("tenderhall_deadline_overdue_seconds", "How long the earliest deadline has been due", async () => {
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
    notes: {
      find: timed(store.notes.find, seconds.with("notes.find")),
      list: timed(store.notes.list, seconds.with("notes.list")),
      due: timed(store.notes.due, seconds.with("notes.due")),
      put: timed(store.notes.put, seconds.with("notes.put")),
    },
    write: async (id, decision, seeing) => {
      waiting += 1;
      try {
        const result = await write(id, decision, seeing);
        countAnswered();
        return result;
      } finally {
        waiting -= 1;
      }
    },
  };
}

function observeBackups(store: Store, { gauge }: Metrics): void {
  const help =
    "When the last complete backup of the registry was made, in seconds since 1970; nothing if there was none";
  gauge("tenderhall_last_backup_timestamp_seconds", help, async () => {
    const backupAt = await lastBackup(store);
    return backupAt === undefined ? undefined : backupAt / SECOND;
  });
}

/** Each of the few connections carries many statements at once, so "busy" only says that there is at least one. */
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
  gauge("tenderhall_database_statements_waiting", "Statements that wait for PostgreSQL to answer, by role", () =>
    connections().map(({ role, pending }) => ({ labels: [["role", role] as const], value: pending })),
  );
}

/** Those of one commit are answered in one go: whoever comes to an end before the first has been counted is of its group. */
function groupCounter({ observe }: Histogram): () => void {
  let answered = 0;
  const count = () => {
    observe(answered);
    answered = 0;
  };
  return () => {
    answered += 1;
    if (answered === 1) queueMicrotask(count);
  };
}

export function instrumentFiles(files: Files, metrics: Metrics): Files {
  const seconds = metrics.histogram("tenderhall_files_seconds", "What files take, by what is asked", DURATION_BUCKETS, [
    "operation",
  ]);
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

/** How late deadlines were when their turn came, and what carrying them out took. */
export function instrumentDeadlines(metrics: Metrics): (late: Instant, took: Instant) => void {
  const lateness = metrics.histogram(
    "tenderhall_deadline_late_seconds",
    "How long after its time a deadline began to be carried out",
    DURATION_BUCKETS,
  );
  const work = metrics.histogram("tenderhall_deadline_seconds", "What carrying out a deadline took", DURATION_BUCKETS);
  const [lateHistogram, workHistogram] = [lateness.with(), work.with()];
  return (late, took) => {
    lateHistogram.observe(Math.max(0, late) / SECOND);
    workHistogram.observe(took / SECOND);
  };
}

const LAG_SAMPLE_MS = 250;
const LAG_RESOLUTION_MS = 20;
const LAG_WINDOW_MS = 60_000;

/**
 * The lag of the event loop over the last one to two minutes, for who wants one number. A timer of ours would miss most short stalls;
 * the platform's counts each of them. Windows take turns, so that reading changes nothing for other readers.
 */
function observeLag({ gauge }: Metrics): { readonly stop: () => void } {
  const delays = monitorEventLoopDelay({ resolution: LAG_RESOLUTION_MS });
  // What it measures is the time between two of its own timers.
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

/** What runs: its value is always 1, and the labels tell. */
export function observeBuild({ gauge }: Metrics, engine: "sqlite" | "postgres"): void {
  const labels = Object.entries({ version: VERSION, node: process.versions.node, engine });
  gauge("tenderhall_build_info", "The version that runs, on which Node and which database; always 1", () => [
    { labels, value: 1 },
  ]);
}

/** This process: its memory, its processor time, and how long its event loop keeps others waiting. */
export function observeProcess(metrics: Metrics): { readonly stop: () => void } {
  const startedAt = Date.now() / 1000 - process.uptime();
  const { gauge, observableCounter } = metrics;
  gauge("process_start_time_seconds", "When this process began, in seconds since 1970", () => startedAt);
  gauge("process_resident_memory_bytes", "Memory of this process", () => process.memoryUsage.rss());
  observableCounter("process_cpu_seconds_total", "Processor time of this process", () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1_000_000;
  });
  gauge("nodejs_heap_size_used_bytes", "Memory in use by objects", () => process.memoryUsage().heapUsed);
  gauge("nodejs_external_memory_bytes", "Memory of buffers and the like", () => process.memoryUsage().external);
  observableCounter("nodejs_eventloop_active_seconds_total", "Time for which the event loop was busy", () => {
    return performance.eventLoopUtilization().active / 1000;
  });
  const lag = metrics
    .histogram("nodejs_eventloop_lag_seconds", "How much too late a timer runs", DURATION_BUCKETS)
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
