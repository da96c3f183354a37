import { standStillEnd } from "../acceleration.ts";
import { notAccredited, participationRefusal } from "../accreditation.ts";
import { type Actor, accountName, hasLevel, isInGroup, isTestOnly, owns } from "../model/actors.ts";
import type {
  CommandContext,
  CommandOutcome,
  ComplaintInput,
  ComplaintSubject,
  Patch,
  TenderCommand,
} from "../model/commands.ts";
import type { DomainResult, Problem } from "../model/refusals.ts";
import {
  forbidden,
  invalidInput,
  notFound,
  ruleRefusal,
  type TimeWindow,
  wrongRole,
  wrongStatus,
} from "../model/refusals.ts";
import { ok } from "../model/result.ts";
import type { Award, Complaint, Tender } from "../model/tender.ts";
import { accepts, type Procedure, type RuleContext } from "../procedures/procedure.ts";
import { findLot, isLotActive } from "../tender/lotRules.ts";
import { actionWindow, complaintWritingWindow, lotActionWindow } from "../timeWindows.ts";
import { checkIfPresent, checkOrganization, checkRequired, missing, unknownReference } from "../validation.ts";
import { merge } from "../values/merge.ts";
import type { Instant } from "../values/time.ts";
import { finalise } from "./finalising.ts";

/**
 * Claims about a tender or an award: a bidder files one, the tender's owner answers it, and the answer settles it unless the
 * complainant contests it in time (see `complaintSettlement.ts`).
 */

/** The complaints about the tender or about one of its awards. */
export const complaintsOf = (tender: Tender, { award }: ComplaintSubject): readonly Complaint[] =>
  award === undefined ? tender.complaints : (tender.awards.find(({ id }) => id === award)?.complaints ?? []);

function withComplaints(tender: Tender, { award }: ComplaintSubject, complaints: readonly Complaint[]): Tender {
  if (award === undefined) return { ...tender, complaints };
  return {
    ...tender,
    awards: tender.awards.map((existing) => (existing.id === award ? { ...existing, complaints } : existing)),
  };
}

/** Complaints about the tender and about its awards share one sequence of numbers. */
const nextComplaintNumber = ({ complaints, awards }: Tender): number =>
  complaints.length + awards.reduce((sum, award) => sum + award.complaints.length, 0) + 1;

/** Adds a claim about the tender or an award, as a draft or already submitted. */
export function fileComplaint(
  tender: Tender,
  { about, sent }: Extract<TenderCommand, { kind: "file complaint" }>,
  { actor, at, newId, newTokenHash, procedure }: RuleContext,
): DomainResult<CommandOutcome> {
  const award = about.award === undefined ? undefined : tender.awards.find(({ id }) => id === about.award);
  if (about.award !== undefined && !award) return notFound("award");
  const refusal = award ? awardComplaintRefusal(actor, tender) : participationRefusal(actor, "complaint", tender);
  if (refusal) return refusal;
  const { author, title, description, status, relatedLot } = sent.fields;
  const isSubmitted = status === "claim";
  const complaint: Complaint = {
    author,
    title,
    description,
    ...(award ? award.lotID !== undefined && { relatedLot: award.lotID } : relatedLot !== undefined && { relatedLot }),
    id: newId(),
    complaintID: `${tender.tenderID}.${nextComplaintNumber(tender)}`,
    date: at,
    type: "claim",
    status: isSubmitted ? "claim" : "draft",
    ...(isSubmitted && { dateSubmitted: at }),
    owner: accountName(actor),
    tokenHash: newTokenHash,
    documents: [],
  };
  const badInput = invalidInput(sent.problems, checkNewComplaint(complaint, tender));
  if (badInput) return badInput;
  const late = filingRefusal(procedure, tender, award, at);
  if (late) return late;
  return ok({ tender: withComplaints(tender, about, [...complaintsOf(tender, about), complaint]), id: complaint.id });
}

/** Only bidders may complain about an award; the token of their bid identifies them. */
function awardComplaintRefusal(actor: Actor, tender: Tender) {
  const isBidder = tender.bids.some((bid) => owns(actor, bid));
  if (!isBidder && !isInGroup(actor, "admins")) return forbidden();
  if (!hasLevel(actor, "2")) return notAccredited("complaint", "accreditation");
  return isTestOnly(actor) && tender.mode !== "test" ? notAccredited("complaint", "mode") : undefined;
}

function checkNewComplaint(complaint: Complaint, tender: Tender): readonly Problem[] {
  const { author, relatedLot } = complaint;
  const isUnknownLot = relatedLot !== undefined && !findLot(tender, relatedLot);
  return [
    ...checkRequired(complaint, [], "author", "title"),
    ...checkIfPresent(author, ["author"], checkOrganization),
    ...(isUnknownLot ? [unknownReference(["relatedLot"], "relatedLot", "lots")] : []),
  ];
}

function filingRefusal(procedure: Procedure, tender: Tender, award: Award | undefined, at: Instant) {
  const action = award ? "file award complaint" : "file complaint";
  const window = actionWindow(procedure, tender, action, award && complaintWindow(award));
  if (!accepts(procedure, tender, action)) return wrongStatus("add complaint", "tender", tender, window);
  if (!award) return undefined;
  if (!isLotActive(tender, award.lotID))
    return ruleRefusal("lot-not-active", "Can add complaint only in active lot status", {
      window: lotActionWindow(procedure, tender, action, award.lotID, complaintWindow(award)),
    });
  return isWithinComplaintPeriod(award, at)
    ? undefined
    : ruleRefusal("outside-complaint-period", "Can add complaint only in complaintPeriod", { window });
}

const complaintWindow = ({ complaintPeriod }: Award): TimeWindow => ({
  from: complaintPeriod?.startDate,
  until: complaintPeriod?.endDate,
});

const isWithinComplaintPeriod = ({ complaintPeriod }: Award, at: Instant): boolean =>
  (complaintPeriod?.startDate ?? at) <= at && at <= (complaintPeriod?.endDate ?? at);

type Role = "complaint_owner" | "tender_owner" | "other";

function roleOf(actor: Actor, complaint: Complaint, tender: Tender): Role {
  if (owns(actor, complaint)) return "complaint_owner";
  return owns(actor, tender) ? "tender_owner" : "other";
}

/** The fields that a role may change in the complaint's current status; other fields are ignored. `undefined`: none, refuse. */
function writableFields(
  role: Role,
  { status }: Complaint,
  newStatus: string | undefined,
): readonly string[] | undefined {
  if (role === "complaint_owner" && (newStatus ?? status) === "cancelled") return ["cancellationReason", "status"];
  if (role === "complaint_owner" && status === "draft") return ["author", "title", "description", "status"];
  if (role === "tender_owner" && status === "claim")
    return ["resolution", "resolutionType", "status", "tendererAction"];
  return role === "complaint_owner" && status === "answered" ? ["satisfied", "status"] : undefined;
}

/** Edits a complaint, or moves it along `MOVES`; settling the last one may end the lot or the tender. */
export function editComplaint(
  tender: Tender,
  { about, complaint: id, sent }: Extract<TenderCommand, { kind: "edit complaint" }>,
  context: RuleContext,
): DomainResult<CommandOutcome> {
  const { actor, procedure } = context;
  const complaints = complaintsOf(tender, about);
  const before = complaints.find((existing) => existing.id === id);
  if (!before) return notFound("complaint");
  const role = roleOf(actor, before, tender);
  if (role === "other" && !isInGroup(actor, "admins", "reviewers")) return forbidden();
  const writableNames = writableFields(role, before, sent.fields.status ?? undefined);
  const after = merge<Complaint>(before, writableNames ? pickFields(sent.fields, writableNames) : {});
  const badInput = invalidInput(
    sent.problems,
    writableNames ? checkEditedComplaint(merge<Complaint>(before, sent.fields)) : [],
  );
  if (badInput) return badInput;
  if (!writableNames) return wrongRole(complaintWritingWindow(role, before));
  const refusal = editingRefusal(procedure, tender, about, before);
  if (refusal) return refusal;
  const move = MOVES[`${role} ${before.status} ${after.status}`];
  const moved = move?.(before, after, { tender, about, context });
  if (!moved) return moveRefusal();
  if ("ok" in moved) return moved;
  const changed = withComplaints(
    tender,
    about,
    complaints.map((existing) => (existing === before ? moved : existing)),
  );
  return ok({ tender: finaliseIfSettled(changed, moved, context), id });
}

const pickFields = (fields: Patch<ComplaintInput>, names: readonly string[]): Patch<ComplaintInput> =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => names.includes(name)));

function checkEditedComplaint(complaint: Complaint): readonly Problem[] {
  const { status, resolutionType, cancellationReason, author } = complaint;
  return [
    ...checkRequired(complaint, [], "author", "title"),
    ...checkIfPresent(author, ["author"], checkOrganization),
    ...(status === "answered" && !resolutionType ? [missing(["resolutionType"], "cross")] : []),
    ...(status === "cancelled" && !cancellationReason ? [missing(["cancellationReason"], "cross")] : []),
  ];
}

function editingRefusal(procedure: Procedure, tender: Tender, about: ComplaintSubject, complaint: Complaint) {
  const award = about.award === undefined ? undefined : tender.awards.find(({ id }) => id === about.award);
  const action = award ? "edit award complaint" : "edit complaint";
  if (!accepts(procedure, tender, action))
    return wrongStatus("update complaint", "tender", tender, actionWindow(procedure, tender, action));
  if (award && !isLotActive(tender, award.lotID))
    return ruleRefusal("lot-not-active", "Can update complaint only in active lot status", {
      window: lotActionWindow(procedure, tender, action, award.lotID),
    });
  return ["draft", "claim", "answered"].includes(complaint.status)
    ? undefined
    : wrongStatus("update complaint", "itself", complaint, { until: complaint.date });
}

type MoveContext = { readonly tender: Tender; readonly about: ComplaintSubject; readonly context: RuleContext };
/** Completes a change of status. Returns the complaint, a specific refusal, or `undefined` for the general one. */
type ComplaintMove = (
  before: Complaint,
  after: Complaint,
  moveContext: MoveContext,
) => Complaint | ReturnType<typeof ruleRefusal> | undefined;

const cancel: ComplaintMove = (_before, after, { context: { at } }) => ({ ...after, date: at, dateCanceled: at });

const moveRefusal = (window?: TimeWindow) => ruleRefusal("complaint-move", "Can't update complaint", { window });

/** A draft can be edited and submitted only while a new complaint could be filed. */
const whileFilingAllowed =
  (move: ComplaintMove): ComplaintMove =>
  (before, after, moveContext) => {
    const { tender, about, context } = moveContext;
    const award = tender.awards.find(({ id }) => id === about.award);
    const late = filingRefusal(context.procedure, tender, award, context.at)?.refused;
    return late ? moveRefusal("window" in late ? late.window : undefined) : move(before, after, moveContext);
  };

/** In characters. */
const RESOLUTION_LENGTH_MIN = 20;

const answer: ComplaintMove = (_before, after, { tender, about, context }) => {
  const { at, sandbox, zone } = context;
  if ([...(after.resolution ?? "")].length < RESOLUTION_LENGTH_MIN)
    return about.award === undefined
      ? ruleRefusal("resolution-too-short", "Can't update complaint: resolution too short")
      : undefined;
  const settlesAt = standStillEnd(at, "complaint", tender.procurementMethodDetails, sandbox, zone);
  return { ...withAction(after, at), date: at, dateAnswered: at, settlesAt };
};

/** Dates the buyer's action when it is first set. */
const withAction = (complaint: Complaint, at: Instant): Complaint =>
  complaint.tendererAction !== undefined && complaint.tendererActionDate === undefined
    ? { ...complaint, tendererActionDate: at }
    : complaint;

const MOVES: { readonly [roleFromTo: string]: ComplaintMove } = {
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
};

/** Settling a complaint may end the lot or tender that it was blocking. */
function finaliseIfSettled(tender: Tender, complaint: Complaint, { at }: Pick<CommandContext, "at">): Tender {
  const isSettled = ["resolved", "invalid", "declined", "cancelled", "ignored"].includes(complaint.status);
  const isBeingAwarded = tender.status === "active.qualification" || tender.status === "active.awarded";
  return isSettled && isBeingAwarded ? finalise(tender, at) : tender;
}
