import { lotBidsOn } from "../bids/bidsByLot.ts";
import type { TimeContext } from "../model/commands.ts";
import { ruleRefusal } from "../model/refusals.ts";
import type { Lot, Period, Tender, TenderStatus } from "../model/tender.ts";
import type { Procedure } from "../procedures/procedure.ts";
import { isSameJson } from "../values/merge.ts";
import type { Instant } from "../values/time.ts";
import { nextStageChange } from "./advance.ts";
import { decideAuction, openAuction } from "./decideAuction.ts";
import type { AuctionCommand, AuctionState } from "./model.ts";
import { isOver } from "./phases.ts";
import { planningModeOf } from "./planning.ts";
import {
  type AuctionSettings,
  auctionId,
  auctionRulesOf,
  auctionsOf,
  bidderNamesOf,
  initialBidsOf,
  type TenderAuction,
} from "./tenderAuctions.ts";

/** The auctions that the service itself holds, as a part of their tender: which there are, their plans, and what else changes them. */

/** The state of an auction of the tender. */
export const liveAuction = (tender: Tender, id: string): AuctionState | undefined =>
  tender.auctions?.find((state) => state.id === id);

/** The lot that is auctioned; `undefined` if it is the whole tender. */
export const auctionedLot = ({ id: tenderId, lots }: Tender, id: string): Lot | undefined =>
  lots.find((lot) => auctionId(tenderId, lot.id) === id);

/** Whether the first pause of the auction has begun. From then on, only the service itself runs it. */
export const hasAuctionBegun = (tender: Tender, lot: string | undefined): boolean =>
  (liveAuction(tender, auctionId(tender.id, lot))?.stages.length ?? 0) > 0;

/** The refusal of whatever another service or planner does to an auction that has begun. */
export const HELD_BY_SERVICE = ruleRefusal("held-by-service", "The registry itself holds the auction");

/** The tender with this state of an auction, in the place of its earlier state. */
export function withLiveAuction(tender: Tender, state: AuctionState): Tender {
  const auctions = tender.auctions ?? [];
  const i = auctions.findIndex(({ id }) => id === state.id);
  return { ...tender, auctions: i < 0 ? [...auctions, state] : auctions.with(i, state) };
}

/** The tender without an auction that will not take place. */
export function withoutLiveAuction(tender: Tender, id: string): Tender {
  if (!liveAuction(tender, id)) return tender;
  const { auctions = [], ...rest } = tender;
  const others = auctions.filter((state) => state.id !== id);
  return others.length > 0 ? { ...rest, auctions: others } : rest;
}

const PLANNED_STATUSES: ReadonlySet<TenderStatus> = new Set<TenderStatus>(["active.tendering", "active.auction"]);

/**
 * The auctions that the service has to plan: from the beginning of tendering, whatever bids there are, so that a plan reveals nothing;
 * in the status `active.auction` those with two bids or more. An auction with an external URL is held elsewhere. If the tender comes
 * without its bids (`hasBids`), these are the auctions that may need a plan.
 */
export function auctionsToPlan(
  procedure: Procedure,
  tender: Tender,
  { sandbox }: Pick<TimeContext, "sandbox">,
  hasBids = true,
): readonly TenderAuction[] {
  if (procedure.auction?.heldBy !== "service" || !PLANNED_STATUSES.has(tender.status)) return [];
  const mode = planningModeOf(tender.submissionMethodDetails, sandbox);
  if (mode === "no-auction" || mode === "fast-forward") return [];
  return auctionsOf(tender).filter(({ id, lot }) => {
    const { auctionUrl, auctionPeriod } = lot ?? tender;
    if (auctionUrl !== undefined || auctionPeriod?.endDate !== undefined) return false;
    if (hasBids && tender.status === "active.auction" && countBids(tender, lot) < 2) return false;
    const state = liveAuction(tender, id);
    return state === undefined || state.status === "interrupted";
  });
}

const countBids = (tender: Tender, lot: Lot | undefined): number =>
  lot ? lotBidsOn(tender, lot).length : tender.bids.length;

/** Plans an auction, or plans it again: from now on the service holds it. In the status `active.auction` it gets its bids at once. */
export function planAuction(
  tender: Tender,
  { id, lot }: TenderAuction,
  start: Instant,
  settings: AuctionSettings,
  at: Instant,
): Tender {
  const known = liveAuction(tender, id);
  const planned = known
    ? decideAuction(known, { kind: "plan", start }, at).state
    : openAuction(id, auctionRulesOf(tender, lot, settings), start, at);
  const state = tender.status === "active.auction" ? withBids(tender, planned, at) : planned;
  return withLiveAuction(withStart(tender, lot, state.plannedStart), state);
}

/** Gives an auction its bids, which it gets only once. */
function withBids(tender: Tender, state: AuctionState, at: Instant): AuctionState {
  const bids = initialBidsOf(tender, auctionedLot(tender, state.id));
  return state.bids.length > 0 || bids.length < 2 ? state : decideAuction(state, { kind: "begin", bids }, at).state;
}

/** The tender with the present prices of its bids in every auction that has not begun: another service may have reported new ones. */
export function withCurrentPrices(tender: Tender, at: Instant): Tender {
  let current = tender;
  for (const state of tender.auctions ?? []) {
    const bids = initialBidsOf(tender, auctionedLot(tender, state.id));
    if (state.status !== "planned" || state.bids.length === 0 || isSameJson(bids, state.bids)) continue;
    current = withLiveAuction(current, decideAuction(state, { kind: "begin", bids }, at).state);
  }
  return current;
}

/** The tender with the planned start of an auction, exactly as the group `chronograph` would have written it. */
function withStart(tender: Tender, lot: Lot | undefined, startDate: Instant): Tender {
  const planned = (period: Period | undefined): Period => ({ ...period, startDate });
  if (!lot) return { ...tender, auctionPeriod: planned(tender.auctionPeriod) };
  const lots = tender.lots.map((other) =>
    other.id === lot.id ? { ...other, auctionPeriod: planned(other.auctionPeriod) } : other,
  );
  return { ...tender, lots };
}

/** When time alone will next change an auction of the tender. */
export function nextAuctionChange({ auctions = [] }: Tender): Instant | undefined {
  const changes = auctions.flatMap((state) => nextStageChange(state) ?? []);
  return changes.length > 0 ? Math.min(...changes) : undefined;
}

/** The statuses from which on the names of bidders are public. */
const NAMED_STATUSES: ReadonlySet<TenderStatus> = new Set<TenderStatus>([
  "active.qualification",
  "active.awarded",
  "complete",
  "unsuccessful",
]);

/**
 * Brings the auctions in line with their tender after it has changed: they get their bids when bidding ends, follow a start that
 * another planner has set, end with their tender or lot, and publish names once the tender is in qualification. Returns the same
 * object if nothing is to be done.
 */
export function settleAuctions(tender: Tender, at: Instant): Tender {
  let current = tender;
  for (const state of tender.auctions ?? []) {
    const settled = settleAuction(current, state, at);
    if (settled === undefined) current = withoutLiveAuction(current, state.id);
    else if (settled !== state) current = withLiveAuction(current, settled);
  }
  return current;
}

/** `undefined` if there is no such auction any more. */
function settleAuction(tender: Tender, state: AuctionState, at: Instant): AuctionState | undefined {
  const decided = (command: AuctionCommand) => decideAuction(state, command, Math.max(at, state.at)).state;
  // An administrator may have ended the tender by mistake and moved it back: the auction is planned again.
  if (state.status === "cancelled" && isStillHeld(tender, state.id, false)) return undefined;
  if (isOver(state)) {
    const isDisclosed = state.status !== "ended" || state.names !== undefined || !NAMED_STATUSES.has(tender.status);
    return isDisclosed ? state : decided({ kind: "disclose names", names: bidderNamesOf(tender, state) });
  }
  const hasBegun = state.stages.length > 0;
  if (!isStillHeld(tender, state.id, hasBegun)) return hasBegun ? decided({ kind: "cancel" }) : undefined;
  const planned = followPlan(state, (auctionedLot(tender, state.id) ?? tender).auctionPeriod, at);
  if (tender.status === "active.tendering") return planned;
  const complete = withBids(tender, planned, at);
  return complete.bids.length > 0 ? complete : undefined;
}

/** Whether the tender and the lot still have this auction. One that has not begun may have been taken over by another service. */
function isStillHeld(tender: Tender, id: string, hasBegun: boolean): boolean {
  const lot = auctionedLot(tender, id);
  const isLotOpen = lot ? lot.status === "active" : id === auctionId(tender.id);
  const { auctionUrl, auctionPeriod } = lot ?? tender;
  const isElsewhere = !hasBegun && (auctionUrl !== undefined || auctionPeriod?.endDate !== undefined);
  return PLANNED_STATUSES.has(tender.status) && isLotOpen && !isElsewhere;
}

/** An auction that has not begun follows a start that was written into the tender by another planner or an administrator. */
function followPlan(state: AuctionState, period: Period | undefined, at: Instant): AuctionState {
  const start = period?.startDate;
  if (state.status !== "planned" || start === undefined || start === state.plannedStart) return state;
  return decideAuction(state, { kind: "plan", start }, Math.max(at, state.at)).state;
}
