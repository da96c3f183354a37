import { intervalEnd } from "../acceleration.ts";
import { ruleRefusal, type TimeWindow } from "../model/refusals.ts";
import type { Complaint } from "../model/tender.ts";
import type { ComplaintMove, ComplaintRules, Interval } from "../procedures/procedure.ts";
import type { Instant } from "../values/time.ts";
import { filingRefusal } from "./complaintFiling.ts";

/**
 * Claims about a tender or an award: a bidder files one, the tender's owner answers it, and the answer settles it unless the
 * complainant contests it in time (see `complaintSettlement.ts`).
 */

/** How long the complainant may contest the answer to a claim. */
const CONTEST_INTERVAL: Interval = { days: 3, counted: "calendar" };

/** The statuses of claims that prevent contracts from being signed and lots from ending. */
export const BLOCKING_CLAIMS: readonly Complaint["status"][] = ["answered", "pending"];

const writableFields: ComplaintRules["writableFields"] = (role, { status }, requestedStatus) => {
  if (role === "complaint_owner" && (requestedStatus ?? status) === "cancelled")
    return ["cancellationReason", "status"];
  if (role === "complaint_owner" && status === "draft") return ["author", "title", "description", "status"];
  if (role === "tender_owner" && status === "claim")
    return ["resolution", "resolutionType", "status", "tendererAction"];
  return role === "complaint_owner" && status === "answered" ? ["satisfied", "status"] : undefined;
};

const cancel: ComplaintMove = (_before, after, { context: { at } }) => ({ ...after, date: at, dateCanceled: at });

const moveRefusal = (window?: TimeWindow) => ruleRefusal("complaint-move", "Can't update complaint", { window });

/** A draft can be edited and submitted only while a new complaint could be filed. */
const whileFilingAllowed =
  (move: ComplaintMove): ComplaintMove =>
  (before, after, moveContext) => {
    const { tender, award, context } = moveContext;
    const late = filingRefusal(context.procedure, tender, award, context.at)?.refused;
    return late ? moveRefusal("window" in late ? late.window : undefined) : move(before, after, moveContext);
  };

/** In characters. */
const RESOLUTION_LENGTH_MIN = 20;

const answer: ComplaintMove = (_before, after, { tender, award, context }) => {
  const { at } = context;
  if ([...(after.resolution ?? "")].length < RESOLUTION_LENGTH_MIN)
    return award ? undefined : ruleRefusal("resolution-too-short", "Can't update complaint: resolution too short");
  const settlesAt = intervalEnd(at, CONTEST_INTERVAL, tender.procurementMethodDetails, context);
  return { ...withAction(after, at), date: at, dateAnswered: at, settlesAt };
};

/** Dates the buyer's action when it is first set. */
const withAction = (complaint: Complaint, at: Instant): Complaint =>
  complaint.tendererAction !== undefined && complaint.tendererActionDate === undefined
    ? { ...complaint, tendererActionDate: at }
    : complaint;

/** The reason with which the service cancels claims together with their award. */
export const CANCELLED_WITH_AWARD = "cancelled";

/**
 * When a claim that is over was closed, if its dates tell. An award that is cancelled also cancels claims that were over
 * before, and overwrites when that was. Older data has complaints that went to a review body, where neither side could write.
 */
function closedAt({ type, status, date, dateEscalated, cancellationReason }: Complaint): Instant | undefined {
  if (dateEscalated !== undefined) return dateEscalated;
  const isOverwritten = status === "cancelled" && cancellationReason === CANCELLED_WITH_AWARD;
  return isOverwritten || type !== "claim" ? undefined : date;
}

/**
 * Cancelling a rejected award ends its complaint period, and those of later awards, at that time, even if they had ended before. An
 * award that was accepted looks the same if it was cancelled in its stand-still.
 */
const hasOriginalPeriod: ComplaintRules["hasOriginalPeriod"] = ({ status, date, complaintPeriod }) =>
  status !== "cancelled" || (complaintPeriod?.endDate ?? date) < date;

/**
 * When this role could write to the claim, once that is over: the tender's owner from its submission to the answer, the complainant
 * from the answer to its settlement.
 */
export const claimWritingWindow: ComplaintRules["writingWindow"] = (role, complaint) => {
  const { status, dateSubmitted, dateAnswered } = complaint;
  const closed = closedAt(complaint);
  const knownWindow = (from: Instant | undefined, until: Instant | undefined) =>
    from === undefined || until === undefined ? undefined : { from, until };
  if (role === "complaint_owner" && status !== "answered") return knownWindow(dateAnswered, closed);
  if (role === "tender_owner" && status !== "claim") return knownWindow(dateSubmitted, dateAnswered ?? closed);
  return undefined;
};

const CLAIMS: Omit<ComplaintRules, "filedBy"> = {
  type: "claim",
  statuses: ["draft", "claim", "answered", "pending", "invalid", "resolved", "declined", "cancelled", "ignored"],
  filedAs: ["claim"],
  open: ["draft", "claim", "answered"],
  givenUp: ["cancelled"],
  reviewers: "reviewers",
  followsLot: true,
  writableFields,
  moves: {
    "complaint_owner draft draft": whileFilingAllowed((_before, after) => after),
    "complaint_owner draft claim": whileFilingAllowed((_before, after, { context: { at } }) => ({
      ...after,
      date: at,
      dateSubmitted: at,
    })),
    "complaint_owner draft cancelled": cancel,
    "complaint_owner claim cancelled": cancel,
    "complaint_owner answered cancelled": cancel,
    "tender_owner claim claim": (_before, after, { context: { at } }) => withAction(after, at),
    "tender_owner claim answered": answer,
    "complaint_owner answered answered": (_before, after) => after,
    "complaint_owner answered resolved": (_before, after, { context: { at } }) =>
      after.satisfied === undefined ? undefined : { ...after, date: at },
  },
  documentStatuses: {
    complaint_owner: ["draft", "answered"],
    tender_owner: ["claim"],
    reviewer: ["pending"],
  },
  hasOriginalPeriod,
  writingWindow: claimWritingWindow,
  closedAt,
};

/** Claims about the tender, from any broker. */
export const TENDER_CLAIMS: ComplaintRules = { ...CLAIMS, filedBy: "brokers" };
/** Claims about an award, from bidders. */
export const AWARD_CLAIMS: ComplaintRules = { ...CLAIMS, filedBy: "bidders" };
