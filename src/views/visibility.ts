import { auctionEndEstimate, shouldStartAfter } from "../domain/acceleration.ts";
import { liveAuction } from "../domain/auctions/liveAuctions.ts";
import { auctionId } from "../domain/auctions/tenderAuctions.ts";
import { mayRunAuction } from "../domain/awards/auctioning.ts";
import { lotBidsOn } from "../domain/bids/bidsByLot.ts";
import { areBidsSealed, isBeforeDeadline, maySeeBid } from "../domain/bids/sealing.ts";
import { nextDeadline } from "../domain/deadlines.ts";
import { type Actor, isInGroup } from "../domain/model/actors.ts";
import type { DomainResult } from "../domain/model/refusals.ts";
import { forbidden } from "../domain/model/refusals.ts";
import { ok } from "../domain/model/result.ts";
import type { Bid, Complaint, Lot, Period, Question, Tender } from "../domain/model/tender.ts";
import { procedureOf } from "../domain/procedures/index.ts";
import { type ProcurementMethodType, UNTYPED_PROCEDURE } from "../domain/procedures/names.ts";
import { type ProcurementMethod, stageOf } from "../domain/procedures/procedure.ts";
import type { Instant, Zone } from "../domain/values/time.ts";

/** Who may see what of a tender. Everything that leaves the registry passes through these views. */

/** What the computed fields of a view depend on besides the tender. */
export type ViewContext = { readonly now: Instant; readonly zone: Zone; readonly sandbox: boolean };

/** The bids that the actor may see: its own while bids are sealed, then all. */
export const visibleBids = (tender: Tender, actor: Actor): readonly Bid[] =>
  tender.bids.filter((bid) => maySeeBid(bid, tender, actor));

/** Whether the authors of questions and claims are hidden. */
const isAnonymous = (tender: Tender): boolean => stageOf(procedureOf(tender), tender).anonymous === true;

/** Whether the procedure has bids, and everybody may see those of the tender. */
const hasOpenBids = (tender: Tender): boolean => procedureOf(tender).bids !== undefined && !areBidsSealed(tender);

/** A question; its author is hidden until the competition is over. */
export function questionView(question: Question, tender: Tender): Question {
  return isAnonymous(tender) ? withoutAuthor(question) : question;
}

/**
 * A complaint. The author of a claim about the tender is hidden until the competition is over; complaints about an award come from
 * bidders, who are known by then.
 */
export function complaintView(
  complaint: Complaint,
  tender: Tender,
  about: { readonly award?: string } = {},
): Complaint {
  const isHidden = about.award === undefined && complaint.type === "claim" && isAnonymous(tender);
  return isHidden ? withoutAuthor(complaint) : complaint;
}

function withoutAuthor<Authored extends { readonly author?: unknown }>(authored: Authored): Authored {
  const { author: _author, ...rest } = authored;
  // `author` is optional, so an object without it is still an `Authored`.
  return rest as Authored;
}

/** `shouldStartAfter` is the earliest time for which the scheduler may plan the auction. */
type AuctionPlan = Period & { readonly shouldStartAfter?: Instant };

/** The fields of a tender as everybody sees them, including its owner. `bids` is absent while bids are sealed. */
export type TenderView = Omit<Tender, "bids" | "procedure" | "tokenHash" | "auctionPeriod" | "auctions"> &
  ProcurementMethod & {
    readonly procurementMethodType?: ProcurementMethodType;
    readonly next_check?: Instant;
    readonly numberOfBids?: number;
    readonly bids?: readonly Bid[];
    readonly auctionPeriod?: AuctionPlan;
  };

/** The view of a tender at `context.now`: without secrets, with hidden authors and with computed fields. */
export function tenderView(tender: Tender, context: ViewContext): TenderView {
  const { procedure, bids, tokenHash: _tokenHash, auctions: _auctions, questions, complaints, lots, ...rest } = tender;
  return {
    ...rest,
    ...(procedure !== UNTYPED_PROCEDURE && { procurementMethodType: procedure }),
    ...procedureOf(tender).method,
    next_check: nextCheck(tender, context.now),
    ...auctionAddress(tender),
    auctionPeriod:
      lots.length === 0 ? auctionPlan(tender, tender.auctionPeriod, () => bids.length, context) : undefined,
    lots: lots.map((lot) => lotView(lot, tender, context)),
    questions: questions.map((question) => questionView(question, tender)),
    complaints: complaints.map((complaint) => complaintView(complaint, tender)),
    ...(hasOpenBids(tender) && { bids, ...(!isAnonymous(tender) && { numberOfBids: bids.length }) }),
  };
}

/** The statuses before the auction, in which a plan is no announcement yet. */
const BEFORE_AUCTION: ReadonlySet<Tender["status"]> = new Set<Tender["status"]>([
  "draft",
  "active.enquiries",
  "active.tendering",
]);

/** Where an auction that the service itself holds can be watched, as a path below the address of the service. */
function auctionAddress(tender: Tender, lot?: Lot): { readonly auctionUrl?: string } {
  const id = auctionId(tender.id, lot?.id);
  const isHeld = !BEFORE_AUCTION.has(tender.status) && liveAuction(tender, id) !== undefined;
  return isHeld && (lot ?? tender).auctionUrl === undefined ? { auctionUrl: `/auctions/tenders/${id}` } : {};
}

/** A lot with the plan and the address of its auction. */
export const lotView = (lot: Lot, tender: Tender, context: ViewContext): Lot => ({
  ...lot,
  ...auctionAddress(tender, lot),
  auctionPeriod: auctionPlan(tender, lot.auctionPeriod, () => lotBidsOn(tender, lot).length, context, lot),
});

/**
 * The period of an auction with the earliest time for which it may be planned, while that is open. Bids are counted only after the
 * deadline for bids: before, not even the response time may depend on their number.
 */
function auctionPlan(
  tender: Tender,
  period: Period | undefined,
  countBids: () => number,
  { now, zone, sandbox }: ViewContext,
  lot?: Lot,
): AuctionPlan | undefined {
  const { status, tenderPeriod, submissionMethodDetails } = tender;
  const isPlanned = status === "active.tendering" || status === "active.auction";
  const isCounted = status === "active.auction" && !isBeforeDeadline(tender, now);
  const hasNoAuction = lot && (lot.status !== "active" || (isCounted && countBids() < 2));
  const isScheduled = procedureOf(tender).auction?.heldBy === "service";
  if (!isScheduled || !isPlanned || hasNoAuction || period?.endDate || !tenderPeriod?.endDate) return period;
  const startDate = isCounted ? period?.startDate : undefined;
  const estimate = startDate === undefined ? undefined : auctionEndEstimate(startDate, countBids());
  const base = estimate !== undefined && estimate < now ? estimate : tenderPeriod.endDate;
  return { ...period, shouldStartAfter: shouldStartAfter(base, submissionMethodDetails, sandbox, zone) };
}

/** When the scheduler should look at the tender again: at its next deadline, or when an auction begins or should be over. */
function nextCheck(tender: Tender, now: Instant): Instant | undefined {
  const moments = [nextDeadline(tender), ...auctionMoments(tender, now)].filter((moment) => moment !== undefined);
  return moments.length > 0 ? Math.min(...moments) : undefined;
}

function auctionMoments(tender: Tender, now: Instant): readonly (Instant | undefined)[] {
  if (tender.status !== "active.auction") return [];
  const moment = (period: Period | undefined, bids: number) => {
    if (period?.startDate === undefined || period.endDate !== undefined) return undefined;
    if (now < period.startDate) return period.startDate;
    if (isBeforeDeadline(tender, now)) return undefined;
    const estimate = auctionEndEstimate(period.startDate, bids);
    return now < estimate ? estimate : undefined;
  };
  if (tender.lots.length === 0) return [moment(tender.auctionPeriod, tender.bids.length)];
  const active = tender.lots.filter(({ status }) => status === "active");
  return active.map((lot) => moment(lot.auctionPeriod, lotBidsOn(tender, lot).length));
}

/** Whether the view can change with time although the tender does not, so that it must not be cached. */
export const viewChangesWithTime = (tender: Tender): boolean => tender.status === "active.auction";

/** What the auction service needs to run an auction. */
export type AuctionView = Pick<
  Tender,
  "tenderID" | "dateModified" | "items" | "minimalStep" | "auctionUrl" | "features"
> & {
  readonly auctionPeriod?: AuctionPlan;
  readonly tenderPeriod?: Period;
  readonly lots: readonly Lot[];
  readonly bids: readonly Pick<Bid, "id" | "date" | "value" | "parameters" | "participationUrl" | "lotValues">[];
};

/** The view of a tender for its auction. Sealed bids are included for the auction service only, after the deadline for bids. */
export function auctionView(tender: Tender, actor: Actor, context: ViewContext): AuctionView {
  const isOpened = tender.status === "active.auction" && !isBeforeDeadline(tender, context.now);
  const forAuction = isOpened && mayRunAuction(actor);
  const bids = !areBidsSealed(tender) || forAuction ? tender.bids : [];
  const { tenderID, dateModified, items, minimalStep, features, tenderPeriod } = tender;
  const { auctionPeriod, auctionUrl, lots } = tenderView(tender, context);
  return {
    tenderID,
    dateModified,
    items,
    minimalStep,
    auctionUrl,
    features,
    tenderPeriod,
    auctionPeriod,
    lots,
    bids: bids.map(({ id, date, value, parameters, participationUrl, lotValues }) => ({
      id,
      date,
      value,
      parameters,
      participationUrl,
      lotValues,
    })),
  };
}

/** A tender as the scheduler sees it. The numbers of bids are absent before the deadline for bids. */
export type ScheduleView = Pick<
  TenderView,
  | "id"
  | "status"
  | "mode"
  | "enquiryPeriod"
  | "tenderPeriod"
  | "auctionPeriod"
  | "awardPeriod"
  | "submissionMethodDetails"
  | "awards"
  | "complaints"
  | "next_check"
> & {
  readonly numberOfBids?: number;
  readonly lots: readonly (Pick<Lot, "id" | "status" | "auctionPeriod"> & { readonly numberOfBids?: number })[];
};

/** The view of a tender for the scheduler, which plans auctions. */
export function scheduleView(tender: Tender, context: ViewContext): ScheduleView {
  const { id, status, mode, enquiryPeriod, tenderPeriod, auctionPeriod, awardPeriod, ...rest } = tenderView(
    tender,
    context,
  );
  const { submissionMethodDetails, awards, complaints, next_check } = rest;
  const isOpened = tender.status === "active.auction" && !isBeforeDeadline(tender, context.now);
  const counted = isOpened || hasOpenBids(tender);
  const lots = rest.lots.map((lot) => ({
    id: lot.id,
    status: lot.status,
    auctionPeriod: lot.auctionPeriod,
    ...(counted && { numberOfBids: lotBidsOn(tender, lot).length }),
  }));
  const times = { enquiryPeriod, tenderPeriod, auctionPeriod, awardPeriod, next_check };
  const numberOfBids = counted ? { numberOfBids: tender.bids.length } : {};
  return { id, status, mode, ...times, submissionMethodDetails, awards, complaints, lots, ...numberOfBids };
}

/** The owner of a tender. `tender_token` is the hash of the owner token; the token itself is not stored. */
export type CredentialsView = { readonly id: string; readonly owner: string; readonly tender_token: string };

/** The owner of a tender, for the contracting service; forbidden to everybody else. */
export function credentialsView({ id, owner, tokenHash }: Tender, actor: Actor): DomainResult<CredentialsView> {
  return isInGroup(actor, "contracting") ? ok({ id, owner, tender_token: tokenHash }) : forbidden();
}
