import { shouldStartAfter } from "../domain/acceleration.ts";
import { auctionsToPlan, liveAuction, planAuction } from "../domain/auctions/liveAuctions.ts";
import { isOver } from "../domain/auctions/phases.ts";
import {
  inPlanningOrder,
  type PlanningRules,
  type PlanRequest,
  planningModeOf,
  planStart,
  slotOf,
  slotsAfter,
} from "../domain/auctions/planning.ts";
import { type AuctionSettings, auctionsOf, type TenderAuction } from "../domain/auctions/tenderAuctions.ts";
import { bidsToView } from "../domain/bids/bidSelection.ts";
import { decideByTime } from "../domain/decide.ts";
import { notFound } from "../domain/model/refusals.ts";
import { ok } from "../domain/model/result.ts";
import type { Tender } from "../domain/model/tender.ts";
import { procedureOf } from "../domain/procedures/index.ts";
import { dayOf, type Instant, type Zone } from "../domain/values/time.ts";
import type { EntryKey, EntryWrite, RequestedEntries, Store } from "../store/store.ts";
import type { WriteRequest, WriteTender } from "./tenderWrites.ts";

/** The rules for auctions that the service holds itself. */
export type BuiltinAuctions = {
  readonly planning: Omit<PlanningRules, "zone">;
  readonly settings: AuctionSettings;
};

export type PlannerSettings = {
  readonly store: Pick<Store, "find" | "keyValues">;
  readonly write: WriteTender;
  readonly auctions: BuiltinAuctions;
  readonly zone: Zone;
  readonly sandbox: boolean;
  /** The present on a tender's clock. */
  readonly nowFor: (tender: Tender) => Promise<Instant>;
};

/** How many days are searched for a free slot in one transaction. */
const DAYS_AT_ONCE = 10;

const slotsKey = (day: string): EntryKey<"auction slots"> => ({ kind: "auction slots", id: day });

/** Plans the auctions of tenders. */
export type AuctionPlanner = {
  /** Plans every auction of the tender that needs a start. */
  readonly planTender: (id: string) => Promise<void>;
  /**
   * Plans an auction again that has a start already, for an operator: at `start`, or in the next free slot. If it has begun, its prices
   * are discarded, which needs `mayDiscard`. Returns the new start, or nothing if there is no such auction, or it is over.
   */
  readonly replan: (
    tender: string,
    auction: string,
    start?: Instant,
    mayDiscard?: boolean,
  ) => Promise<Instant | undefined>;
  /** Counts the start of an auction that was imported with its plan. */
  readonly countStart: (start: Instant) => Promise<void>;
  /** Whether an auction of the tender may need a start. The tender may be without its bids. */
  readonly mayNeedPlan: (tender: Tender) => boolean;
};

/** An auction to plan. */
type TenderPlanRequest = PlanRequest & { readonly auction: TenderAuction };

/** What a plan writes. */
type Plan = { readonly start: Instant; readonly entries: readonly EntryWrite[] };

/**
 * Opens the planner. Starts are counted and stored in the commit of the plan, so that no slot gets more of them than allowed, however
 * many servers plan. Auctions on test clocks and in the quick modes of the sandbox take no slot.
 */
export function openAuctionPlanner({ store, write, auctions, zone, sandbox, nowFor }: PlannerSettings): AuctionPlanner {
  const rules: PlanningRules = { ...auctions.planning, zone };

  function requestOf(tender: Tender, auction: TenderAuction): TenderPlanRequest {
    const { submissionMethodDetails, tenderPeriod } = tender;
    const earliest = shouldStartAfter(tenderPeriod?.endDate ?? tender.date, submissionMethodDetails, sandbox, zone);
    const mode = planningModeOf(submissionMethodDetails, sandbox);
    return { auction, auctionId: auction.id, shouldStartAfter: earliest, mode };
  }

  const requestsOf = (tender: Tender): readonly TenderPlanRequest[] =>
    auctionsToPlan(procedureOf(tender), tender, { sandbox }).map((auction) => requestOf(tender, auction));

  async function planTender(id: string): Promise<void> {
    const tender = (await store.find(id, bidsToView))?.tender;
    if (!tender) return;
    for (const { auctionId } of inPlanningOrder(requestsOf(tender)))
      await plan(tender, auctionId, (current) =>
        requestsOf(current).find((request) => request.auctionId === auctionId),
      );
  }

  async function replan(
    tenderId: string,
    auctionId: string,
    start?: Instant,
    mayDiscard = true,
  ): Promise<Instant | undefined> {
    const tender = (await store.find(tenderId, bidsToView))?.tender;
    const requestIn = (current: Tender): TenderPlanRequest | undefined => {
      const auction = auctionsOf(current).find(({ id }) => id === auctionId);
      const state = liveAuction(current, auctionId);
      const isKept = state?.status === "running" && !mayDiscard;
      const mayPlan = auction && state && !isOver(state) && !isKept;
      if (!mayPlan) return undefined;
      const request = requestOf(current, auction);
      // Bidders have had their notice by the first plan. Before the deadline for bids there is nothing to auction.
      return current.status === "active.auction" ? { ...request, shouldStartAfter: 0 } : request;
    };
    return tender && plan(tender, auctionId, requestIn, start);
  }

  /** Searches ten days at a time, as their starts have to be read in the transaction. Returns the start that was written. */
  async function plan(
    tender: Tender,
    auctionId: string,
    requestIn: (tender: Tender) => TenderPlanRequest | undefined,
    givenStart?: Instant,
  ): Promise<Instant | undefined> {
    for (let skipped = 0; ; skipped += DAYS_AT_ONCE) {
      const request = requestIn(tender);
      const days = request && givenStart === undefined ? await candidateDays(tender, request, skipped) : [];
      let planned: Plan | "full" | undefined;
      await write(tender.id, writeRequestOf(tender, days), (stored, context, { entries }) => {
        if (!stored) return notFound("tender");
        const current = decideByTime(stored, context);
        const found = requestIn(current);
        planned = found && decidePlan(current, found, context.at, days, entries, givenStart);
        if (!found || !planned || planned === "full") return ok({ tender: current });
        const { start, entries: writes } = planned;
        const after = planAuction(current, found.auction, start, auctions.settings, context.at);
        return ok({ tender: { ...after, dateModified: context.at }, entries: writes });
      });
      if (planned !== "full") return planned?.start;
      if (days.length < DAYS_AT_ONCE) throw new Error(`there is no free slot for auction ${auctionId}`);
    }
  }

  const takesSlot = ({ testClock }: Tender, { mode }: TenderPlanRequest): boolean =>
    mode === "slots" && testClock === undefined;

  /** The days to search; none if the auction takes no slot, or if all days were searched. */
  async function candidateDays(
    tender: Tender,
    request: TenderPlanRequest,
    skipped: number,
  ): Promise<readonly string[]> {
    if (!takesSlot(tender, request)) return [];
    const days = new Set<string>();
    for (const slot of slotsAfter(Math.max(request.shouldStartAfter, await nowFor(tender)), rules)) {
      days.add(dayOf(slot, zone));
      if (days.size > skipped + DAYS_AT_ONCE) break;
    }
    return [...days].slice(skipped, skipped + DAYS_AT_ONCE);
  }

  function decidePlan(
    tender: Tender,
    request: TenderPlanRequest,
    at: Instant,
    days: readonly string[],
    entries: RequestedEntries,
    givenStart: Instant | undefined,
  ): Plan | "full" | undefined {
    // Another planner or an administrator may have set a start already.
    const knownStart = liveAuction(tender, request.auctionId)
      ? undefined
      : (request.auction.lot ?? tender).auctionPeriod?.startDate;
    const start = givenStart ?? (knownStart !== undefined && knownStart > at ? knownStart : undefined);
    if (start !== undefined) return { start, entries: [] };
    if (!takesSlot(tender, request)) {
      const found = planStart(request, at, rules, () => 0);
      return found === undefined ? undefined : { start: found, entries: [] };
    }
    return planInSlot(request, at, days, entries);
  }

  function planInSlot(
    request: TenderPlanRequest,
    at: Instant,
    days: readonly string[],
    entries: RequestedEntries,
  ): Plan | "full" {
    const startsOf = (slot: Instant) => entries.find(slotsKey(dayOf(slot, zone)))?.value ?? {};
    const startsIn = (slot: Instant): number =>
      days.includes(dayOf(slot, zone)) ? (startsOf(slot)[slot] ?? 0) : Number.POSITIVE_INFINITY;
    const start = planStart(request, at, rules, startsIn);
    const slot = start === undefined ? undefined : slotOf(start, rules);
    if (start === undefined || slot === undefined) return "full";
    const value = { ...startsOf(slot), [slot]: startsIn(slot) + 1 };
    return { start, entries: [{ ...slotsKey(dayOf(slot, zone)), value }] };
  }

  async function countStart(start: Instant): Promise<void> {
    const slot = slotOf(start, rules);
    if (slot === undefined) return;
    const key = slotsKey(dayOf(slot, zone));
    for (;;) {
      const entry = await store.keyValues.find(key);
      const value = { ...entry?.value, [slot]: (entry?.value[slot] ?? 0) + 1 };
      if (await store.keyValues.put([{ ...key, before: entry?.revision ?? 0, value }])) return;
    }
  }

  return {
    planTender,
    replan,
    countStart,
    mayNeedPlan: (tender) => auctionsToPlan(procedureOf(tender), tender, { sandbox }, false).length > 0,
  };
}

const writeRequestOf = ({ testClock }: Tender, days: readonly string[]): WriteRequest => ({
  actor: {},
  act: () => ({ kind: "plan auction" }),
  options: { testClock },
  keys: days.map(slotsKey),
});
