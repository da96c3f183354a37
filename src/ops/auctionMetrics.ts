import type { AuctionObserver, Auctions } from "../registry/auctions.ts";
import type { Metrics } from "./metrics.ts";

/** Counts what happens to the auctions that the service holds. */
export function instrumentAuctions({ counter }: Metrics): AuctionObserver {
  const interruptions = counter(
    "tenderhall_auction_interruptions_total",
    "Times that this server found that bidders could not reach the service",
  ).with();
  const planFailures = counter(
    "tenderhall_auction_plan_failures_total",
    "Attempts to plan auctions that failed",
  ).with();
  return {
    onInterruption: () => interruptions.add(),
    onPlanFailure: () => planFailures.add(),
  };
}

/** Gauges of the auctions in each status, and of what is late. */
export function observeAuctions({ gauge }: Metrics, auctions: Pick<Auctions, "count" | "findDelays">): void {
  gauge("tenderhall_auctions", "Auctions of the service that are not over, by status", async () =>
    [...(await auctions.count())].map(([status, value]) => ({ labels: [["status", status] as const], value })),
  );
  gauge("tenderhall_auctions_behind", "1 if stages or plans of auctions are late, by what is late", async () => {
    const { areStagesLate, isPlannerLate } = await auctions.findDelays();
    const late = { stages: areStagesLate, planner: isPlannerLate };
    return Object.entries(late).map(([part, isLate]) => ({
      labels: [["part", part] as const],
      value: isLate ? 1 : 0,
    }));
  });
}
