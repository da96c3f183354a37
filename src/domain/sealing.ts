import { type Actor, owns } from "./actors.ts";
import { procedureOf, stageOf } from "./procedures/index.ts";
import type { Decided } from "./refusals.ts";
import { rule } from "./refusals.ts";
import { ok } from "./result.ts";
import type { Bid, Tender, TenderStatus } from "./tender.ts";
import type { Instant } from "./time.ts";

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

export const beforeDeadline = ({ tenderPeriod }: Tender) =>
  rule("before-tender-deadline", "Bids stay sealed until the tender period ends", {
    ...(tenderPeriod?.endDate !== undefined && { window: { from: tenderPeriod.endDate } }),
  });

export const tenderingEnded = () =>
  rule("tendering-ended", "The tender can't go back: bids may have been placed or seen already");

const BEFORE_BIDS: readonly TenderStatus[] = ["draft", "active.enquiries"];

/** Whether bids have not begun to come: nothing has to be kept sealed yet. */
export const hasNoBidsYet = ({ status, bids }: Tender): boolean => BEFORE_BIDS.includes(status) && bids.length === 0;

/** Statuses that lead to bidding. */
const BIDDING: readonly TenderStatus[] = [...BEFORE_BIDS, "active.tendering"];
/** Statuses in which bids are shown, to the auction or to everybody, and prices are worked with. */
const OPENING: readonly TenderStatus[] = ["active.auction", "active.qualification", "active.awarded", "complete"];
/** A tender that ended like this before the deadline has lost its bids unseen, so it may begin again. */
const RESUMABLE: readonly TenderStatus[] = ["cancelled", "unsuccessful"];

/**
 * The invariant of sealed procedures, checked after every command: only the deadline opens bids, and bidding does not go
 * on after they may have been seen. A tender that ends before the deadline loses its bids.
 */
export function keepSealed(before: Tender, after: Tender, at: Instant): Decided<Tender> {
  if (!sealsBids(before) || before.status === after.status) return ok(after);
  const isOver = hasDeadlinePassed(before, at);
  const resumes = BIDDING.includes(after.status) && !hasNoBidsYet(before);
  if (resumes && (isOver || !RESUMABLE.includes(before.status))) return tenderingEnded();
  if (isOver) return ok(after);
  if (OPENING.includes(after.status)) return beforeDeadline(before);
  return ok(areBidsSealed(after) ? after : { ...after, bids: [] });
}
