import type { ComplaintInput } from "../model/commands.ts";
import { type Complaint, REJECT_REASONS } from "../model/tender.ts";
import type { ComplaintMove, ComplaintMoveContext, ComplaintRole, ComplaintRules } from "../procedures/procedure.ts";
import type { Instant } from "../values/time.ts";

/**
 * Complaints that a review body decides: the complainant submits one, the reviewers accept or reject it and decide, and the tender's
 * owner carries out a decision that satisfies it.
 */

type Status = Complaint["status"];

/** The statuses of reviewed complaints that prevent contracts from being signed and lots from ending. */
export const BLOCKING_REVIEWS: readonly Status[] = ["pending", "accepted", "satisfied", "stopping"];

const STATUSES: readonly Status[] = [
  "draft",
  "claim",
  "answered",
  "pending",
  "accepted",
  "invalid",
  "resolved",
  "declined",
  "cancelled",
  "satisfied",
  "stopping",
  "stopped",
  "mistaken",
];

const OPEN: readonly Status[] = ["draft", "claim", "answered", "pending", "accepted", "satisfied", "stopping"];

type WritableFields = {
  readonly role: ComplaintRole;
  readonly in: readonly Status[];
  /** Limits the row to requests for this status. */
  readonly requested?: Status;
  readonly fields: readonly (keyof ComplaintInput)[];
};

/** What each role may change in which status. The first row that applies counts. */
const WRITABLE: readonly WritableFields[] = [
  { role: "complaint_owner", in: STATUSES, requested: "cancelled", fields: ["cancellationReason", "status"] },
  {
    role: "complaint_owner",
    in: ["pending", "accepted"],
    requested: "stopping",
    fields: ["cancellationReason", "status"],
  },
  { role: "complaint_owner", in: ["draft"], fields: ["author", "title", "description", "status"] },
  { role: "complaint_owner", in: ["claim"], fields: ["status"] },
  { role: "tender_owner", in: ["claim"], fields: ["resolution", "resolutionType", "status", "tendererAction"] },
  { role: "tender_owner", in: ["pending", "accepted"], fields: ["tendererAction"] },
  { role: "tender_owner", in: ["satisfied"], fields: ["status", "tendererAction"] },
  { role: "complaint_owner", in: ["answered"], fields: ["satisfied", "status"] },
  { role: "reviewer", in: ["pending"], fields: ["decision", "status", "rejectReason", "rejectReasonDescription"] },
  { role: "reviewer", in: ["accepted", "stopping"], fields: ["decision", "status", "reviewDate", "reviewPlace"] },
];

const writableFields: ComplaintRules["writableFields"] = (role, { status }, requestedStatus) =>
  WRITABLE.find(
    (row) =>
      row.role === role &&
      row.in.includes(status) &&
      (row.requested === undefined || row.requested === (requestedStatus ?? status)),
  )?.fields;

/** Sets the time of the change, and what else the change sets. */
const moving =
  (change: (after: Complaint, at: Instant) => Partial<Complaint> = () => ({})): ComplaintMove =>
  (_before, after, { context: { at } }) => ({ ...after, date: at, ...change(after, at) });

const edit: ComplaintMove = (_before, after) => after;

/** Strictly between the ends of the award's complaint period; a period without an end is still open. */
function isInAwardPeriod({ award, context: { at } }: ComplaintMoveContext): boolean {
  const { startDate, endDate } = award?.complaintPeriod ?? {};
  return startDate !== undefined && startDate < at && (endDate === undefined || at < endDate);
}

const whileAwardContestable =
  (move: ComplaintMove): ComplaintMove =>
  (before, after, moveContext) =>
    isInAwardPeriod(moveContext) ? move(before, after, moveContext) : undefined;

/** Dates the buyer's action when it is first set. */
const withActionDate = (complaint: Complaint, at: Instant): Complaint =>
  complaint.tendererAction !== undefined && complaint.tendererActionDate === undefined
    ? { ...complaint, tendererActionDate: at }
    : complaint;

const submit = moving((_after, at) => ({ type: "complaint", dateSubmitted: at }));
const giveUp = moving((_after, at) => ({ dateCanceled: at }));
const reject = moving((_after, at) => ({ dateDecision: at, acceptance: false }));
const accept = moving((_after, at) => ({ dateAccepted: at, acceptance: true }));
const decide = moving((_after, at) => ({ dateDecision: at }));
const stop = moving((after, at) => ({ dateDecision: at, dateCanceled: after.dateCanceled ?? at }));
const carryOut: ComplaintMove = (_before, after, { context: { at } }) =>
  after.tendererAction ? { ...withActionDate(after, at), date: at } : undefined;

/** The moves that are the same for complaints about a tender, a qualification and an award. */
const COMMON_MOVES: ComplaintRules["moves"] = {
  "complaint_owner draft cancelled": giveUp,
  "complaint_owner claim cancelled": giveUp,
  "complaint_owner answered cancelled": giveUp,
  "complaint_owner pending stopping": giveUp,
  "complaint_owner accepted stopping": giveUp,
  "tender_owner pending pending": edit,
  "tender_owner accepted accepted": edit,
  "tender_owner satisfied satisfied": (_before, after, { context: { at } }) => withActionDate(after, at),
  "tender_owner satisfied resolved": carryOut,
  "reviewer pending pending": edit,
  "reviewer accepted accepted": edit,
  "reviewer stopping stopping": edit,
  "reviewer pending invalid": reject,
  "reviewer pending mistaken": reject,
  "reviewer stopping invalid": reject,
  "reviewer stopping mistaken": reject,
  "reviewer pending accepted": accept,
  "reviewer accepted declined": decide,
  "reviewer accepted satisfied": decide,
  "reviewer stopping declined": decide,
  "reviewer stopping satisfied": decide,
  "reviewer pending stopped": stop,
  "reviewer accepted stopped": stop,
  "reviewer stopping stopped": stop,
};

/**
 * Complaints about an award that was made without competition: any broker may file one, and there are no claims, so that every
 * complaint goes to the review body.
 */
export const DIRECT_AWARD_COMPLAINTS: ComplaintRules = {
  type: "complaint",
  statuses: STATUSES,
  filedBy: "brokers",
  filedAs: ["pending"],
  open: OPEN,
  givenUp: ["cancelled", "stopping"],
  reviewers: "aboveThresholdReviewers",
  followsLot: false,
  writableFields,
  moves: {
    ...COMMON_MOVES,
    "complaint_owner draft draft": whileAwardContestable(edit),
    "complaint_owner draft pending": whileAwardContestable(submit),
  },
  documentStatuses: {
    complaint_owner: ["draft", "answered", "claim", "pending", "accepted", "satisfied"],
    tender_owner: ["claim", "pending", "accepted", "satisfied"],
    reviewer: ["pending", "accepted", "stopping"],
  },
  // A cancellation can only end the period earlier.
  hasOriginalPeriod: () => true,
  // Whose turn it is depends on the reviewers, not on a time that is known.
  writingWindow: () => undefined,
  closedAt: ({ date }) => date,
};

const CYRILLIC_ES = "\u0421";

/** The reason as the protocol writes it, with a Cyrillic "С"; clients may write it in Latin letters throughout. */
export const canonicalRejectReason = (reason: string): string =>
  REJECT_REASONS.find((known) => known === reason || known.replace(CYRILLIC_ES, "C") === reason) ?? reason;
