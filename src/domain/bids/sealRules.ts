import { type Actor, owns } from "../model/actors.ts";
import type { DomainResult } from "../model/refusals.ts";
import { ruleRefusal } from "../model/refusals.ts";
import { ok } from "../model/result.ts";
import type { Bid, Tender, TenderStatus } from "../model/tender.ts";
import { type Procedure, stageOf } from "../procedures/procedure.ts";
import type { Instant } from "../values/time.ts";

/** Keeping bids sealed until the deadline for them, as far as the procedure seals them. */

/** Whether the tender is in a sealed stage, in which each bid is visible to its owner only. */
export const isSealedStage = (procedure: Procedure, tender: Tender): boolean =>
  stageOf(procedure, tender).sealed === true;

/** Whether the actor may see this bid and its documents now. */
export const isBidVisible = (procedure: Procedure, bid: Bid, tender: Tender, actor: Actor): boolean =>
  !isSealedStage(procedure, tender) || owns(actor, bid);

/** Whether the procedure keeps bids sealed until the deadline for them. */
export const sealsBids = ({ stages }: Procedure): boolean => stages["active.tendering"]?.sealed === true;

/** Whether the deadline for bids has passed. Nothing else may open them. */
export const hasDeadlinePassed = ({ tenderPeriod }: Tender, at: Instant): boolean =>
  tenderPeriod?.endDate !== undefined && tenderPeriod.endDate <= at;

/**
 * Whether bids must stay secret because of their deadline, whatever the status says. A tender can be in its auction before the
 * deadline if an earlier release moved it there, or if its test clock was lost.
 */
export const mustStaySealed = (procedure: Procedure, tender: Tender, at: Instant): boolean =>
  sealsBids(procedure) && !hasDeadlinePassed(tender, at);

/** The refusal of an action that would open bids before their deadline. */
export const beforeDeadlineRefusal = ({ tenderPeriod }: Tender) =>
  ruleRefusal("before-tender-deadline", "Bids stay sealed until the tender period ends", {
    ...(tenderPeriod?.endDate !== undefined && { window: { from: tenderPeriod.endDate } }),
  });

/** The refusal of a change that would reopen bidding after bids may have been seen. */
export const tenderingEndedRefusal = () =>
  ruleRefusal("tendering-ended", "The tender can't go back: bids may have been placed or seen already");

const PRE_BID_STATUSES: readonly TenderStatus[] = ["draft", "active.enquiries"];

/** Whether bidding has not begun, so that there is nothing to keep sealed yet. */
export const hasNoBidsYet = ({ status, bids }: Tender): boolean =>
  PRE_BID_STATUSES.includes(status) && bids.length === 0;

/** Statuses in which bidding is open or still to come. */
const BIDDING_STATUSES: readonly TenderStatus[] = [...PRE_BID_STATUSES, "active.tendering"];
/** Statuses in which bids are visible to the auction service or to everybody. */
const OPEN_BID_STATUSES: readonly TenderStatus[] = [
  "active.auction",
  "active.qualification",
  "active.awarded",
  "complete",
];
/** A tender that ended in one of these before the deadline has lost its bids unseen, so it may resume. */
const RESUMABLE_STATUSES: readonly TenderStatus[] = ["cancelled", "unsuccessful"];

/**
 * Enforces the invariant of sealed procedures after every command: only the deadline opens bids, and bidding never continues after
 * bids may have been seen. Returns `after`, without its bids if the tender ended before the deadline, or a refusal.
 */
export function keepSealed(procedure: Procedure, before: Tender, after: Tender, at: Instant): DomainResult<Tender> {
  if (!sealsBids(procedure) || before.status === after.status) return ok(after);
  const hasPassed = hasDeadlinePassed(before, at);
  const resumes = BIDDING_STATUSES.includes(after.status) && !hasNoBidsYet(before);
  if (resumes && (hasPassed || !RESUMABLE_STATUSES.includes(before.status))) return tenderingEndedRefusal();
  if (hasPassed) return ok(after);
  if (OPEN_BID_STATUSES.includes(after.status)) return beforeDeadlineRefusal(before);
  return ok(isSealedStage(procedure, after) ? after : { ...after, bids: [] });
}
