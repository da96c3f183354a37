import { intervalEnd } from "../acceleration.ts";
import { inTenderCurrency } from "../bids/bidding.ts";
import { isInGroup, owns } from "../model/actors.ts";
import type { AwardInput, CommandOutcome, Patch, TenderCommand } from "../model/commands.ts";
import type { DomainResult, Problem } from "../model/refusals.ts";
import { forbidden, invalidInput, notFound, ruleRefusal, wrongStatus } from "../model/refusals.ts";
import { ok } from "../model/result.ts";
import type { Award, Complaint, Tender } from "../model/tender.ts";
import { accepts, type Procedure, type RuleContext } from "../procedures/procedure.ts";
import { checkItems, withCompletedItems } from "../tender/itemLists.ts";
import { findLot, isLotActive } from "../tender/lotRules.ts";
import { actionWindow, lotActionWindow } from "../timeWindows.ts";
import {
  checkIfPresent,
  checkPeriod,
  checkRequired,
  checkSingleOrganization,
  checkValue,
  unknownReference,
} from "../validation.ts";
import { merge } from "../values/merge.ts";
import type { Instant } from "../values/time.ts";
import { generateAwards } from "./awardGeneration.ts";
import { CANCELLED_WITH_AWARD } from "./claims.ts";
import { contractFor } from "./contracting.ts";

/** Decisions about generated awards: the tender's owner accepts or rejects each, and may revoke the decision. */

/** Adds a pending award by hand. Only administrators of the registry may, to repair a tender. */
export function createAward(
  tender: Tender,
  { sent }: Extract<TenderCommand, { kind: "record award" }>,
  context: RuleContext,
): DomainResult<CommandOutcome> {
  const { actor, at, newId, procedure } = context;
  if (!isInGroup(actor, "admins")) return forbidden();
  const { status: _status, complaintPeriod: _complaintPeriod, ...fields } = sent.fields;
  const award: Award = {
    ...inTenderCurrency(tender, withCompletedItems(fields, context)),
    id: newId(),
    date: at,
    status: "pending",
    complaintPeriod: { startDate: at },
    documents: [],
    complaints: [],
  };
  const badInput = invalidInput(sent.problems, checkNewAward(award, tender, procedure));
  if (badInput) return badInput;
  if (!accepts(procedure, tender, "record award"))
    return wrongStatus("create award", "tender", tender, actionWindow(procedure, tender, "record award"));
  if (!isLotActive(tender, award.lotID))
    return ruleRefusal("lot-not-active", "Can create award only in active lot status", {
      window: lotActionWindow(procedure, tender, "record award", award.lotID),
    });
  return ok({ tender: { ...tender, awards: [...tender.awards, award] }, id: award.id });
}

function checkNewAward(award: Award, tender: Tender, procedure: Procedure): readonly Problem[] {
  const isUnknownLot = award.lotID !== undefined && !findLot(tender, award.lotID);
  return [
    ...checkRequired(award, [], "suppliers", "bid_id", ...(tender.lots.length > 0 ? (["lotID"] as const) : [])),
    ...checkIfPresent(award.suppliers, ["suppliers"], checkSingleOrganization),
    ...checkIfPresent(award.value, ["value"], checkValue),
    ...checkItems(award.items, tender, procedure),
    ...(isUnknownLot ? [unknownReference(["lotID"], "lotID", "lots")] : []),
  ];
}

/**
 * Accepts, rejects or revokes an award, along `DECISIONS`, and generates what follows: the contract of an accepted award, the next
 * award after a rejected or revoked one. A rejection can only be revoked if somebody complained about it. An administrator who is
 * not the owner may only set `complaintPeriod`.
 */
export function changeAwardDecision(
  tender: Tender,
  { award: id, sent }: Extract<TenderCommand, { kind: "change award" }>,
  context: RuleContext,
): DomainResult<CommandOutcome> {
  const award = tender.awards.find((existing) => existing.id === id);
  if (!award) return notFound("award");
  const { actor, procedure } = context;
  const isRepair = isInGroup(actor, "Administrator") && !owns(actor, tender);
  if (!owns(actor, tender) && !isInGroup(actor, "admins", "Administrator")) return forbidden();
  const changed = merge(award, isRepair ? pickFields(sent.fields, ["complaintPeriod"]) : pickEditable(sent.fields));
  const badInput = invalidInput(
    sent.problems,
    checkIfPresent(changed.complaintPeriod, ["complaintPeriod"], checkPeriod),
  );
  if (badInput) return badInput;
  if (!accepts(procedure, tender, "change award"))
    return wrongStatus("update award", "tender", tender, actionWindow(procedure, tender, "change award"));
  if (!isLotActive(tender, award.lotID))
    return ruleRefusal("lot-not-active", "Can update award only in active lot status", {
      window: lotActionWindow(procedure, tender, "change award", award.lotID),
    });
  if (isRepair) return ok({ tender: withAward(tender, changed), id });
  const move = DECISIONS[`${award.status} ${changed.status}`];
  const allowed = move && (award.status !== "unsuccessful" || award.complaints.some(isObjection));
  return allowed ? ok({ tender: move(tender, changed, context), id }) : wrongStatus("update award", "itself", award);
}

const pickFields = (fields: Patch<AwardInput>, names: readonly string[]): Patch<AwardInput> =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => names.includes(name)));

const EDITABLE_FIELDS = [
  "status",
  "title",
  "title_en",
  "title_ru",
  "description",
  "description_en",
  "description_ru",
] as const;
const pickEditable = (fields: Patch<AwardInput>): Patch<AwardInput> => pickFields(fields, EDITABLE_FIELDS);

const isObjection = ({ status }: Complaint): boolean => ["claim", "answered", "pending", "resolved"].includes(status);

type Decision = (tender: Tender, award: Award, context: RuleContext) => Tender;

const DECISIONS: { readonly [fromTo: string]: Decision } = {
  "pending pending": (tender, award) => withAward(tender, award),
  "pending active": (tender, award, context) => {
    const accepted = withStandStill(award, tender, context);
    const decided = withAward(tender, accepted);
    const contracts = [...tender.contracts, contractFor(accepted, decided, context)];
    return generateAwards({ ...decided, contracts }, context);
  },
  "pending unsuccessful": (tender, award, context) =>
    generateAwards(withAward(tender, withStandStill(award, tender, context)), context),
  "active cancelled": (tender, award, context) =>
    generateAwards(withAwardsCancelled(tender, [award.id], context.at), context),
  "unsuccessful cancelled": (tender, award, context) => {
    const later = tender.awards.slice(tender.awards.findIndex(({ id }) => id === award.id));
    const ids = later.filter(({ lotID }) => lotID === award.lotID).map(({ id }) => id);
    return generateAwards(withAwardsCancelled(tender, ids, context.at), context);
  },
};

const withAward = (tender: Tender, award: Award): Tender => ({
  ...tender,
  awards: tender.awards.map((existing) => (existing.id === award.id ? award : existing)),
});

/** The decision starts the stand-still, in which bidders may complain. */
function withStandStill(award: Award, tender: Tender, context: RuleContext): Award {
  const { at, procedure } = context;
  const { standStill } = procedure.awards;
  const endDate = standStill && intervalEnd(at, standStill, tender.procurementMethodDetails, context);
  return { ...award, date: at, complaintPeriod: { startDate: at, ...award.complaintPeriod, endDate } };
}

/** Cancels these awards, together with their contracts and open complaints. */
function withAwardsCancelled(tender: Tender, ids: readonly string[], at: Instant): Tender {
  const cancelledIds = new Set(ids);
  return {
    ...tender,
    awards: tender.awards.map((award) => (cancelledIds.has(award.id) ? cancelAward(award, at) : award)),
    contracts: tender.contracts.map((contract) =>
      cancelledIds.has(contract.awardID) && contract.status !== "cancelled"
        ? { ...contract, status: "cancelled", date: at }
        : contract,
    ),
  };
}

function cancelAward(award: Award, at: Instant): Award {
  const { startDate, endDate } = award.complaintPeriod ?? {};
  const settledStatuses = ["invalid", "resolved", "declined"];
  return {
    ...award,
    status: "cancelled",
    date: award.status === "cancelled" ? award.date : at,
    complaintPeriod: { startDate, endDate: award.status === "active" ? Math.min(endDate ?? at, at) : at },
    complaints: award.complaints.map((complaint) =>
      settledStatuses.includes(complaint.status)
        ? complaint
        : { ...complaint, status: "cancelled", date: at, cancellationReason: CANCELLED_WITH_AWARD, dateCanceled: at },
    ),
  };
}
