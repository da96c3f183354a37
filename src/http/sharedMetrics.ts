import type { Family, Labels, Sample } from "./metrics.ts";
import { isOfBids } from "./requestMetrics.ts";

/**
 * The view of the metrics for readers on other machines: nothing in it changes when a sealed bid arrives. A counter that does change,
 * while the feed does not, would reveal that somebody has bid. Families that are not in this table are left out
 * (docs/decisions/0019-metrics-and-sealed-bids.md).
 */

type Sharing =
  /** Sealed bids do not change it. */
  | "as it is"
  /** Sealed bids change it, and it is useless without them. */
  | "not at all"
  | ((samples: readonly Sample[]) => readonly Sample[]);

const withOperations =
  (...operations: readonly string[]): Sharing =>
  (samples) =>
    samples.filter(({ labels }) => operations.includes(labelIn(labels, "operation") ?? ""));

/** Coarse enough that one bid disappears in the noise of the process. */
const roundedDownTo =
  (unit: number): Sharing =>
  (samples) =>
    samples.map((sample) => ({ ...sample, value: Math.floor(sample.value / unit) * unit }));

const labelIn = (labels: Labels, name: string): string | undefined => labels.find(([is]) => is === name)?.[1];

const MIB = 1024 * 1024;

export const SHARED: { readonly [family: string]: Sharing } = {
  tenderhall_build_info: "as it is",
  tenderhall_requests_total: withoutBids,
  tenderhall_request_seconds: (samples) => samples.filter(({ labels }) => labelIn(labels, "kind") !== "bid"),
  tenderhall_requests_in_flight: "not at all",
  tenderhall_body_bytes_in_flight: "not at all",
  tenderhall_streams_open: "as it is",
  tenderhall_webhook_deliveries_waiting: "as it is",
  tenderhall_webhook_deliveries_sending: "as it is",
  tenderhall_webhook_attempts_total: "as it is",
  tenderhall_writes_waiting: roundedDownTo(100),
  tenderhall_commit_changes: "not at all",
  tenderhall_ledger_position: "not at all",
  tenderhall_deadline_overdue_seconds: "as it is",
  tenderhall_deadline_late_seconds: "as it is",
  tenderhall_deadline_seconds: "as it is",
  // Also what a sealed bid makes others read: streams look into the feed after every change.
  tenderhall_store_seconds: withOperations("due", "ping"),
  tenderhall_files_seconds: withOperations("ping"),
  tenderhall_database_connections: lostConnections,
  tenderhall_database_statements_waiting: roundedDownTo(100),
  tenderhall_last_backup_timestamp_seconds: "as it is",
  process_start_time_seconds: "as it is",
  process_resident_memory_bytes: roundedDownTo(16 * MIB),
  process_cpu_seconds_total: roundedDownTo(10),
  nodejs_heap_size_used_bytes: roundedDownTo(16 * MIB),
  nodejs_external_memory_bytes: roundedDownTo(16 * MIB),
  nodejs_eventloop_active_seconds_total: roundedDownTo(10),
  nodejs_eventloop_lag_seconds: "not at all",
  nodejs_eventloop_lag_p99_seconds: "not at all",
  nodejs_eventloop_lag_max_seconds: "not at all",
  tenderhall_worker_up: "as it is",
  tenderhall_worker_restarts_total: "as it is",
};

/** A family without shared samples keeps its HELP and TYPE lines, so that readers know that it exists. */
export const shared = (families: readonly Family[]): readonly Family[] =>
  families.map((family) => ({ ...family, samples: sharedSamples(family) }));

function sharedSamples({ name, samples }: Family): readonly Sample[] {
  const sharing = Object.hasOwn(SHARED, name) ? SHARED[name]! : "not at all";
  if (typeof sharing === "function") return sharing(samples);
  return sharing === "as it is" ? samples : [];
}

/** Bids make connections busy, and the first bid may open the write connection. Read connections close only in an outage. */
function lostConnections(samples: readonly Sample[]): readonly Sample[] {
  return samples.filter(({ labels }) => labelIn(labels, "state") === "closed" && labelIn(labels, "role") !== "write");
}

const BELOW_TENDER = /^\/api\/\{version\}\/tenders\/\{tender_id\}/;
const TENDER_AND_BELOW = "/api/{version}/tenders/{tender_id}/*";

/** Requests that may belong to bids are counted only if they failed. All routes of a tender are merged. */
function withoutBids(samples: readonly Sample[]): readonly Sample[] {
  const sums = new Map<string, Sample>();
  for (const { labels, value } of samples) {
    const route = labelIn(labels, "route") ?? "";
    if (isOfBids(route) && labelIn(labels, "status") !== "5xx") continue;
    const sharedLabels: Labels = labels.map(([name, is]) => [
      name,
      name === "route" && BELOW_TENDER.test(route) ? TENDER_AND_BELOW : is,
    ]);
    const key = JSON.stringify(sharedLabels);
    sums.set(key, { labels: sharedLabels, value: value + (sums.get(key)?.value ?? 0) });
  }
  return [...sums.values()];
}
