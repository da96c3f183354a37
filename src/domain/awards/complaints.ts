import { type Actor, accountName, isInGroup, owns } from "../model/actors.ts";
import type { CommandOutcome, ComplaintInput, ComplaintSubject, Patch, TenderCommand } from "../model/commands.ts";
import type { DomainResult, Problem } from "../model/refusals.ts";
import { forbidden, invalidInput, notFound, ruleRefusal, wrongRole, wrongStatus } from "../model/refusals.ts";
import { ok } from "../model/result.ts";
import { type Award, type Complaint, REJECT_REASONS, type Tender } from "../model/tender.ts";
import {
  accepts,
  type ComplaintRole,
  type ComplaintRules,
  type Procedure,
  type RuleContext,
} from "../procedures/procedure.ts";
import { findLot, isLotActive } from "../tender/lotRules.ts";
import { actionWindow, lotActionWindow } from "../timeWindows.ts";
import {
  checkIfPresent,
  checkOrganization,
  checkRequired,
  missing,
  notAChoice,
  unknownReference,
} from "../validation.ts";
import { merge } from "../values/merge.ts";
import { complainantRefusal, filingRefusal } from "./complaintFiling.ts";
import { finalise } from "./finalising.ts";
import { canonicalRejectReason } from "./reviewedComplaints.ts";

/** Filing and changing complaints about a tender or an award, by the rules that the procedure has for them. */

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

const findAward = (tender: Tender, { award }: ComplaintSubject): Award | undefined =>
  award === undefined ? undefined : tender.awards.find(({ id }) => id === award);

/** The rules for complaints about this subject, if the procedure has such complaints. */
export const complaintRulesFor = (
  { complaints }: Procedure,
  { award }: ComplaintSubject,
): ComplaintRules | undefined => (award === undefined ? complaints.tender : complaints.award);

/** Adds a complaint about the tender or an award, as a draft or already submitted. */
export function fileComplaint(
  tender: Tender,
  { about, sent }: Extract<TenderCommand, { kind: "file complaint" }>,
  { actor, at, newId, newTokenHash, procedure }: RuleContext,
): DomainResult<CommandOutcome> {
  const award = findAward(tender, about);
  if (about.award !== undefined && !award) return notFound("award");
  const rules = complaintRulesFor(procedure, about);
  if (!rules) return notFound("complaint");
  const refusal = complainantRefusal(procedure, rules, actor, tender);
  if (refusal) return refusal;
  const { author, title, description, status = "draft", relatedLot } = sent.fields;
  const isSubmitted = rules.filedAs.includes(status);
  const lotID = award && rules.followsLot ? award.lotID : relatedLot;
  const complaint: Complaint = {
    author,
    title,
    description,
    ...(lotID !== undefined && { relatedLot: lotID }),
    id: newId(),
    complaintID: `${tender.tenderID}.${nextComplaintNumber(tender)}`,
    date: at,
    type: rules.type,
    status: isSubmitted ? status : "draft",
    ...(isSubmitted && { dateSubmitted: at }),
    owner: accountName(actor),
    tokenHash: newTokenHash,
    documents: [],
  };
  const badInput = invalidInput(sent.problems, [
    ...checkStatus(status, rules),
    ...checkNewComplaint(complaint, tender),
  ]);
  if (badInput) return badInput;
  const late = filingRefusal(procedure, tender, award, at);
  if (late) return late;
  return ok({ tender: withComplaints(tender, about, [...complaintsOf(tender, about), complaint]), id: complaint.id });
}

/** The model knows the statuses of all procedures. */
const checkStatus = (status: Complaint["status"], { statuses }: ComplaintRules): readonly Problem[] =>
  statuses.includes(status) ? [] : [notAChoice(["status"], statuses)];

function checkNewComplaint(complaint: Complaint, tender: Tender): readonly Problem[] {
  const { author, relatedLot } = complaint;
  const isUnknownLot = relatedLot !== undefined && !findLot(tender, relatedLot);
  return [
    ...checkRequired(complaint, [], "author", "title"),
    ...checkIfPresent(author, ["author"], checkOrganization),
    ...(isUnknownLot ? [unknownReference(["relatedLot"], "relatedLot", "lots")] : []),
  ];
}

/** The part that the actor plays in the complaint. */
export function complaintRoleOf(
  actor: Actor,
  complaint: Complaint,
  tender: Tender,
  { reviewers }: ComplaintRules,
): ComplaintRole {
  if (owns(actor, complaint)) return "complaint_owner";
  if (owns(actor, tender)) return "tender_owner";
  return isInGroup(actor, reviewers) ? "reviewer" : "other";
}

/** Edits a complaint, or moves it to another status; settling the last one may end the lot or the tender. */
export function editComplaint(
  tender: Tender,
  { about, complaint: id, sent }: Extract<TenderCommand, { kind: "edit complaint" }>,
  context: RuleContext,
): DomainResult<CommandOutcome> {
  const { actor, procedure } = context;
  const complaints = complaintsOf(tender, about);
  const before = complaints.find((existing) => existing.id === id);
  const rules = complaintRulesFor(procedure, about);
  if (!before || !rules) return notFound("complaint");
  const role = complaintRoleOf(actor, before, tender, rules);
  if (role === "other" && !isInGroup(actor, "admins")) return forbidden();
  // Only the listed fields are changed; others are ignored, but must be valid.
  const writableNames = rules.writableFields(role, before, sent.fields.status ?? undefined);
  const after = withCanonicalReason(
    merge<Complaint>(before, writableNames ? pickFields(sent.fields, writableNames) : {}),
  );
  const badInput = invalidInput(
    sent.problems,
    writableNames ? checkEditedComplaint(merge<Complaint>(before, sent.fields), rules) : [],
  );
  if (badInput) return badInput;
  if (!writableNames) return wrongRole(rules.writingWindow(role, before));
  const award = findAward(tender, about);
  const refusal = editingRefusal(procedure, rules, tender, award, before);
  if (refusal) return refusal;
  const move = rules.moves[`${role} ${before.status} ${after.status}`];
  const moved = move?.(before, after, { tender, award, context });
  if (!moved) return ruleRefusal("complaint-move", "Can't update complaint");
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

const isRejectReason = (reason: string): boolean => REJECT_REASONS.some((known) => known === reason);

const withCanonicalReason = (complaint: Complaint): Complaint =>
  complaint.rejectReason === undefined
    ? complaint
    : { ...complaint, rejectReason: canonicalRejectReason(complaint.rejectReason) };

function checkEditedComplaint(complaint: Complaint, rules: ComplaintRules): readonly Problem[] {
  const { status, resolutionType, cancellationReason, rejectReason, author } = complaint;
  const isKnownReason = rejectReason === undefined || isRejectReason(canonicalRejectReason(rejectReason));
  return [
    ...checkStatus(status, rules),
    ...(isKnownReason ? [] : [notAChoice(["rejectReason"], REJECT_REASONS)]),
    ...checkRequired(complaint, [], "author", "title"),
    ...checkIfPresent(author, ["author"], checkOrganization),
    ...(status === "answered" && !resolutionType ? [missing(["resolutionType"], "cross")] : []),
    ...(rules.givenUp.includes(status) && !cancellationReason ? [missing(["cancellationReason"], "cross")] : []),
  ];
}

function editingRefusal(
  procedure: Procedure,
  rules: ComplaintRules,
  tender: Tender,
  award: Award | undefined,
  complaint: Complaint,
) {
  const action = award ? "edit award complaint" : "edit complaint";
  if (!accepts(procedure, tender, action))
    return wrongStatus("update complaint", "tender", tender, actionWindow(procedure, tender, action));
  if (award && rules.followsLot && !isLotActive(tender, award.lotID))
    return ruleRefusal("lot-not-active", "Can update complaint only in active lot status", {
      window: lotActionWindow(procedure, tender, action, award.lotID),
    });
  if (rules.open.includes(complaint.status)) return undefined;
  const until = rules.closedAt(complaint);
  return wrongStatus("update complaint", "itself", complaint, until === undefined ? undefined : { until });
}

/** Settling a complaint may end the lot or tender that it was blocking. */
function finaliseIfSettled(tender: Tender, complaint: Complaint, context: RuleContext): Tender {
  const isSettled = ["resolved", "invalid", "declined", "cancelled", "ignored"].includes(complaint.status);
  const isBeingAwarded = tender.status === "active.qualification" || tender.status === "active.awarded";
  return isSettled && isBeingAwarded ? finalise(tender, context) : tender;
}
