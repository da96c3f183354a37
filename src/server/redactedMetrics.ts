import type { MetricFamily, MetricLabels, MetricSample } from "../ops/metrics.ts";
import { isBidRoute } from "./requestMetrics.ts";

/**
 * The view of the metrics for readers on other machines: nothing in it changes when a sealed bid arrives. A counter that does change,
 * while the feed does not, would reveal that somebody has bid. Families that are not in this table are left out
 * (docs/decisions/0019-metrics-and-sealed-bids.md).
 */

type Redaction =
  /** Sealed bids do not change it. */
  | "as it is"
  /** Sealed bids change it, and it is useless without them. */
  | "not at all"
  | ((samples: readonly MetricSample[]) => readonly MetricSample[]);

const onlyOperations =
  (...operations: readonly string[]): Redaction =>
  (samples) =>
    samples.filter(({ labels }) => operations.includes(labelValue(labels, "operation") ?? ""));

/** Coarse enough that a single bid cannot be seen. */
const roundDownTo =
  (unit: number): Redaction =>
  (samples) =>
    samples.map((sample) => ({ ...sample, value: Math.floor(sample.value / unit) * unit }));

const labelValue = (labels: MetricLabels, name: string): string | undefined =>
  labels.find(([labelName]) => labelName === name)?.[1];

const MIB = 1024 * 1024;

export const REDACTIONS: { readonly [family: string]: Redaction } = {
  tenderhall_build_info: "as it is",
  tenderhall_requests_total: withoutBids,
  tenderhall_request_seconds: (samples) => samples.filter(({ labels }) => labelValue(labels, "kind") !== "bid"),
  tenderhall_requests_in_flight: "not at all",
  tenderhall_body_bytes_in_flight: "not at all",
  tenderhall_streams_open: "as it is",
  tenderhall_auction_streams_open: "as it is",
  tenderhall_auction_prices_total: "not at all",
  tenderhall_webhook_deliveries_waiting: "as it is",
  tenderhall_webhook_deliveries_sending: "as it is",
  tenderhall_webhook_attempts_total: "as it is",
  tenderhall_releases_made_total: "as it is",
  // Rows of sealed bids are counted until they are looked at.
  tenderhall_releases_backlog: "not at all",
  tenderhall_writes_waiting: roundDownTo(100),
  tenderhall_commit_changes: "not at all",
  tenderhall_ledger_position: "not at all",
  tenderhall_unindexed_tenders: "as it is",
  tenderhall_deadline_overdue_seconds: "as it is",
  tenderhall_deadline_late_seconds: "as it is",
  tenderhall_deadline_seconds: "as it is",
  tenderhall_auctions: "as it is",
  tenderhall_auctions_behind: "as it is",
  tenderhall_auction_stage_late_seconds: "as it is",
  tenderhall_auction_interruptions_total: "as it is",
  tenderhall_auction_plan_failures_total: "as it is",
  // Reads are included, because streams read the feed after every change, also after a sealed bid.
  tenderhall_store_seconds: onlyOperations("due", "ping"),
  tenderhall_files_seconds: onlyOperations("ping"),
  tenderhall_database_connections: onlyClosedConnections,
  tenderhall_database_statements_waiting: roundDownTo(100),
  tenderhall_last_backup_timestamp_seconds: "as it is",
  process_start_time_seconds: "as it is",
  process_resident_memory_bytes: roundDownTo(16 * MIB),
  process_cpu_seconds_total: roundDownTo(10),
  nodejs_heap_size_used_bytes: roundDownTo(16 * MIB),
  nodejs_external_memory_bytes: roundDownTo(16 * MIB),
  nodejs_eventloop_active_seconds_total: roundDownTo(10),
  nodejs_eventloop_lag_seconds: "not at all",
  nodejs_eventloop_lag_p99_seconds: "not at all",
  nodejs_eventloop_lag_max_seconds: "not at all",
  tenderhall_worker_up: "as it is",
  tenderhall_worker_restarts_total: "as it is",
};

/** A family without shared samples keeps its HELP and TYPE lines, so that readers know that it exists. */
export const redactMetrics = (families: readonly MetricFamily[]): readonly MetricFamily[] =>
  families.map((family) => ({ ...family, samples: redactSamples(family) }));

function redactSamples({ name, samples }: MetricFamily): readonly MetricSample[] {
  const redaction = (Object.hasOwn(REDACTIONS, name) ? REDACTIONS[name] : undefined) ?? "not at all";
  if (typeof redaction === "function") return redaction(samples);
  return redaction === "as it is" ? samples : [];
}

/** Bids make connections busy, and the first bid may open the write connection. Read connections close only in an outage. */
function onlyClosedConnections(samples: readonly MetricSample[]): readonly MetricSample[] {
  return samples.filter(
    ({ labels }) => labelValue(labels, "state") === "closed" && labelValue(labels, "role") !== "write",
  );
}

const BELOW_TENDER = /^\/api\/\{version\}\/tenders\/\{tender_id\}/;
const TENDER_AND_BELOW = "/api/{version}/tenders/{tender_id}/*";

/** Requests that may belong to bids are counted only if they failed. All routes of a tender are merged. */
function withoutBids(samples: readonly MetricSample[]): readonly MetricSample[] {
  const sums = new Map<string, MetricSample>();
  for (const { labels, value } of samples) {
    const route = labelValue(labels, "route") ?? "";
    if (isBidRoute(route) && labelValue(labels, "status") !== "5xx") continue;
    const redactedLabels: MetricLabels = labels.map(([name, labelText]) => [
      name,
      name === "route" && BELOW_TENDER.test(route) ? TENDER_AND_BELOW : labelText,
    ]);
    const key = JSON.stringify(redactedLabels);
    sums.set(key, { labels: redactedLabels, value: value + (sums.get(key)?.value ?? 0) });
  }
  return [...sums.values()];
}
