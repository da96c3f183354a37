import type { Family, Labels, Sample } from "./metrics.ts";
import { isOfBids } from "./requestMetrics.ts";

/**
 * The metrics for whoever reads them from elsewhere: nothing among them moves when a sealed bid arrives. A counter that does, read
 * before and after, would tell that somebody has bid, and the feed, which did not move, that it was a sealed bid. What is not in
 * this table is not told (docs/decisions/0019-metrics-and-sealed-bids.md).
 */

type Sharing =
  /** Sealed bids do not move it. */
  | "as it is"
  /** Sealed bids move it, and it has no use without them. */
  | "not at all"
  | ((samples: readonly Sample[]) => readonly Sample[]);

const withOperations =
  (...operations: readonly string[]): Sharing =>
  (samples) =>
    samples.filter(({ labels }) => operations.includes(labelIn(labels, "operation") ?? ""));

/** So coarse that one bid more or less is lost in what the process does anyway. */
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

/** A family that is not told keeps its head, so that a reader knows that there is one. */
export const shared = (families: readonly Family[]): readonly Family[] =>
  families.map((family) => ({ ...family, samples: sharedSamples(family) }));

function sharedSamples({ name, samples }: Family): readonly Sample[] {
  const sharing = Object.hasOwn(SHARED, name) ? SHARED[name]! : "not at all";
  if (typeof sharing === "function") return sharing(samples);
  return sharing === "as it is" ? samples : [];
}

/** Bids make connections busy, and the first may open the one that writes; those that read are lost only with their server. */
function lostConnections(samples: readonly Sample[]): readonly Sample[] {
  return samples.filter(({ labels }) => labelIn(labels, "state") === "closed" && labelIn(labels, "role") !== "write");
}

const BELOW_TENDER = /^\/api\/\{version\}\/tenders\/\{tender_id\}/;
const TENDER_AND_BELOW = "/api/{version}/tenders/{tender_id}/*";

/** Of what bids may be known by only what failed is told: a failure is no bid. All routes of a tender are told as one. */
function withoutBids(samples: readonly Sample[]): readonly Sample[] {
  const sums = new Map<string, Sample>();
  for (const { labels, value } of samples) {
    const route = labelIn(labels, "route") ?? "";
    if (isOfBids(route) && labelIn(labels, "status") !== "5xx") continue;
    const told: Labels = labels.map(([name, is]) => [
      name,
      name === "route" && BELOW_TENDER.test(route) ? TENDER_AND_BELOW : is,
    ]);
    const key = JSON.stringify(told);
    sums.set(key, { labels: told, value: value + (sums.get(key)?.value ?? 0) });
  }
  return [...sums.values()];
}
