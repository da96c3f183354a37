import { type Actor, owns } from "./model/actors.ts";
import type { DomainResult } from "./model/refusals.ts";
import { ruleRefusal } from "./model/refusals.ts";
import { ok } from "./model/result.ts";
import type { Bid, Tender, TenderStatus } from "./model/tender.ts";
import { procedureOf, stageOf } from "./procedures/index.ts";
import type { Instant } from "./values/time.ts";

/** While a stage is sealed, a bid is known to its owner alone. */
export const areBidsSealed = (tender: Tender): boolean => stageOf(tender).sealed === true;

export const maySeeBid = (bid: Bid, tender: Tender, actor: Actor): boolean =>
  !areBidsSealed(tender) || owns(actor, bid);

/** There may be bids, and they are sealed: before the tender period there are none to hide. */
export const mayHoldSealedBids = (tender: Tender): boolean =>
  areBidsSealed(tender) && (tender.status === "active.tendering" || tender.status === "active.auction");

/** Whether the procedure keeps bids sealed until the deadline for them. */
export const sealsBids = (tender: Tender): boolean => procedureOf(tender).stages["active.tendering"]?.sealed === true;

/** Whether the deadline for bids has passed. Nothing else opens them. */
export const hasDeadlinePassed = ({ tenderPeriod }: Tender, at: Instant): boolean =>
  tenderPeriod?.endDate !== undefined && tenderPeriod.endDate <= at;

/**
 * Whether nothing of the bids may be known, whatever status the tender is in. A tender can be in its auction too early if
 * it was brought there by a version that allowed it, or if its test clock was lost.
 */
export const isBeforeDeadline = (tender: Tender, at: Instant): boolean =>
  sealsBids(tender) && !hasDeadlinePassed(tender, at);

export const beforeDeadlineRefusal = ({ tenderPeriod }: Tender) =>
  ruleRefusal("before-tender-deadline", "Bids stay sealed until the tender period ends", {
    ...(tenderPeriod?.endDate !== undefined && { window: { from: tenderPeriod.endDate } }),
  });

export const tenderingEndedRefusal = () =>
  ruleRefusal("tendering-ended", "The tender can't go back: bids may have been placed or seen already");

const PRE_BID_STATUSES: readonly TenderStatus[] = ["draft", "active.enquiries"];

/** Whether bids have not begun to come: nothing has to be kept sealed yet. */
export const hasNoBidsYet = ({ status, bids }: Tender): boolean =>
  PRE_BID_STATUSES.includes(status) && bids.length === 0;

/** Statuses that lead to bidding. */
const BIDDING_STATUSES: readonly TenderStatus[] = [...PRE_BID_STATUSES, "active.tendering"];
/** Statuses in which bids are shown, to the auction or to everybody, and prices are worked with. */
const OPEN_BID_STATUSES: readonly TenderStatus[] = [
  "active.auction",
  "active.qualification",
  "active.awarded",
  "complete",
];
/** A tender that ended like this before the deadline has lost its bids unseen, so it may begin again. */
const RESUMABLE_STATUSES: readonly TenderStatus[] = ["cancelled", "unsuccessful"];

/**
 * The invariant of sealed procedures, checked after every command: only the deadline opens bids, and bidding does not go
 * on after they may have been seen. A tender that ends before the deadline loses its bids.
 */
export function keepSealed(before: Tender, after: Tender, at: Instant): DomainResult<Tender> {
  if (!sealsBids(before) || before.status === after.status) return ok(after);
  const hasPassed = hasDeadlinePassed(before, at);
  const resumes = BIDDING_STATUSES.includes(after.status) && !hasNoBidsYet(before);
  if (resumes && (hasPassed || !RESUMABLE_STATUSES.includes(before.status))) return tenderingEndedRefusal();
  if (hasPassed) return ok(after);
  if (OPEN_BID_STATUSES.includes(after.status)) return beforeDeadlineRefusal(before);
  return ok(areBidsSealed(after) ? after : { ...after, bids: [] });
}
