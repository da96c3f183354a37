import { intervalEnd } from "../acceleration.ts";
import { awardsForLot } from "../awards/awardGeneration.ts";
import { contractFor } from "../awards/contracting.ts";
import { inTenderCurrency } from "../bids/bidding.ts";
import { isInGroup, owns } from "../model/actors.ts";
import type { AwardInput, CommandOutcome, Patch, TenderCommand } from "../model/commands.ts";
import type { DomainResult, Problem } from "../model/refusals.ts";
import { forbidden, invalidInput, notFound, ruleRefusal, wrongStatus } from "../model/refusals.ts";
import { ok } from "../model/result.ts";
import type { Award, Tender } from "../model/tender.ts";
import { accepts, type Procedure, type RuleContext } from "../procedures/procedure.ts";
import { findLot, isBlockedByCancellation, isLotActive } from "../tender/lotRules.ts";
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

/** Awards without competition: the tender's owner records a supplier, accepts or rejects it, and may revoke the decision. */

const EDITABLE_FIELDS: readonly (keyof AwardInput)[] = [
  "title",
  "title_en",
  "title_ru",
  "description",
  "description_en",
  "description_ru",
  "suppliers",
  "subcontractingDetails",
  "value",
  "lotID",
];

/** The fields that the owner sets. Where nobody has to be qualified, `qualified` is ignored. */
const editableFields = ({ awards }: Procedure): readonly string[] => [
  ...EDITABLE_FIELDS,
  ...(awards.mustBeQualified ? ["qualified"] : []),
];

const entriesOf = (fields: object, names: readonly string[]) =>
  Object.entries(fields).filter(([name]) => names.includes(name));

const pickFields = (fields: Patch<AwardInput>, names: readonly string[]): Patch<AwardInput> =>
  Object.fromEntries(entriesOf(fields, names));

const isUndecidedOrActive = ({ status }: Award): boolean => status === "pending" || status === "active";

/** Adds a pending award for a supplier. There may be one pending or active award at a time, with lots one for each lot. */
export function recordSupplier(
  tender: Tender,
  { sent }: Extract<TenderCommand, { kind: "record award" }>,
  { actor, at, newId, procedure }: RuleContext,
): DomainResult<CommandOutcome> {
  if (!owns(actor, tender) && !isInGroup(actor, "admins")) return forbidden();
  const fields: AwardInput = Object.fromEntries(entriesOf(sent.fields, editableFields(procedure)));
  const award: Award = {
    ...inTenderCurrency(tender, fields),
    id: newId(),
    date: at,
    status: "pending",
    ...(procedure.awards.standStill && { complaintPeriod: { startDate: at } }),
    documents: [],
    complaints: [],
  };
  const refusal =
    invalidInput(sent.problems, checkSupplier(award, tender)) ??
    stageRefusal(procedure, tender, award, "create") ??
    existingAwardRefusal(tender, award);
  return refusal ?? ok({ tender: { ...tender, awards: [...tender.awards, award] }, id: award.id });
}

function checkSupplier(award: Award, tender: Tender): readonly Problem[] {
  const isUnknownLot = award.lotID !== undefined && !findLot(tender, award.lotID);
  return [
    ...checkRequired(award, [], "suppliers", ...(tender.lots.length > 0 ? (["lotID"] as const) : [])),
    ...checkIfPresent(award.suppliers, ["suppliers"], checkSingleOrganization),
    ...checkIfPresent(award.value, ["value"], checkValue),
    ...(isUnknownLot ? [unknownReference(["lotID"], "lotID", "lots")] : []),
  ];
}

const VERBS = { create: "add", update: "update" } as const;

/** Why awards of this lot, or of the tender, cannot be recorded or changed now, if they cannot. */
function stageRefusal(procedure: Procedure, tender: Tender, { lotID }: Award, action: "create" | "update") {
  const stageAction = action === "create" ? "record award" : "change award";
  if (!accepts(procedure, tender, stageAction))
    return wrongStatus(`${action} award`, "tender", tender, actionWindow(procedure, tender, stageAction));
  if (isBlockedByCancellation(procedure, tender, lotID))
    return ruleRefusal(
      "lot-cancellation",
      `Can't ${VERBS[action]} award while cancellation for corresponding lot exists`,
    );
  return isLotActive(tender, lotID)
    ? undefined
    : ruleRefusal("lot-not-active", `Can ${action} award only in active lot status`, {
        window: lotActionWindow(procedure, tender, stageAction, lotID),
      });
}

function existingAwardRefusal(tender: Tender, { lotID }: Award) {
  const others = awardsForLot(tender.awards, lotID);
  const existing = lotID === undefined ? others.slice(-1).find(isUndecidedOrActive) : others.find(isUndecidedOrActive);
  if (!existing) return undefined;
  const subject = lotID === undefined ? "new award" : "new award on lot";
  return ruleRefusal("award-exists", `Can't create ${subject} while any (${existing.status}) award exists`);
}

/**
 * Edits an award, or accepts, rejects or revokes it, along `DECISIONS`. An accepted award gets a contract. An administrator who is
 * not the owner may only set `complaintPeriod`.
 */
export function changeSupplier(
  tender: Tender,
  { award: id, sent }: Extract<TenderCommand, { kind: "change award" }>,
  context: RuleContext,
): DomainResult<CommandOutcome> {
  const { actor, procedure } = context;
  const award = tender.awards.find((existing) => existing.id === id);
  if (!award) return notFound("award");
  const isRepair = isInGroup(actor, "Administrator") && !owns(actor, tender);
  if (!isRepair && !owns(actor, tender) && !isInGroup(actor, "admins")) return forbidden();
  const changed = isRepair
    ? merge<Award>(award, pickFields(sent.fields, ["complaintPeriod"]))
    : inTenderCurrency(tender, merge<Award>(award, pickWritable(award, sent.fields, procedure)));
  const problems = isRepair
    ? checkIfPresent(changed.complaintPeriod, ["complaintPeriod"], checkPeriod)
    : checkSupplier(changed, tender);
  const refusal =
    invalidInput(sent.problems, problems) ??
    stageRefusal(procedure, tender, award, "update") ??
    (changed.lotID === award.lotID ? undefined : stageRefusal(procedure, tender, changed, "update"));
  if (refusal) return refusal;
  if (isRepair) return ok({ tender: withAward(tender, changed), id });
  return qualificationRefusal(procedure, tender, changed) ?? applyDecision(tender, award, changed, context);
}

/** Only a pending award can be edited; of others, nothing but the status can change. */
const pickWritable = ({ status }: Award, fields: Patch<AwardInput>, procedure: Procedure): Patch<AwardInput> =>
  pickFields(fields, status === "pending" ? [...editableFields(procedure), "status"] : ["status"]);

function qualificationRefusal({ awards }: Procedure, tender: Tender, changed: Award) {
  if (awards.mustBeQualified && changed.status === "active" && changed.qualified !== true)
    return ruleRefusal("not-qualified", "Can't update award to active status with not qualified");
  const isLotTaken = awardsForLot(tender.awards, changed.lotID).some(
    (other) => other.id !== changed.id && isUndecidedOrActive(other),
  );
  return changed.lotID !== undefined && isLotTaken && isUndecidedOrActive(changed)
    ? ruleRefusal("award-exists", "Another award is already using this lotID.", { name: "lotID" })
    : undefined;
}

function applyDecision(
  tender: Tender,
  before: Award,
  changed: Award,
  context: RuleContext,
): DomainResult<CommandOutcome> {
  const { id } = before;
  const decide = DECISIONS[`${before.status} ${changed.status}`];
  const decided = decide?.(tender, changed, context);
  return decided ? ok({ tender: decided, id }) : wrongStatus("update award", "itself", before);
}

/** Carries out a decision, or returns `undefined` if it is not allowed. */
type Decision = (tender: Tender, award: Award, context: RuleContext) => Tender | undefined;

const DECISIONS: { readonly [fromTo: string]: Decision } = {
  "pending pending": (tender, award) => withAward(tender, award),
  "pending active": (tender, award, context) => {
    const { at, procedure } = context;
    const { standStill } = procedure.awards;
    const end = standStill && intervalEnd(at, standStill, tender.procurementMethodDetails, context);
    const accepted = withPeriodEnd({ ...award, date: at }, end);
    const contracts = [...tender.contracts, contractFor(accepted, tender, context)];
    return { ...withAward(tender, accepted), contracts };
  },
  "pending unsuccessful": (tender, award, { at, procedure }) =>
    withAward(tender, withPeriodEnd({ ...award, date: at }, procedure.awards.standStill && at)),
  "active cancelled": (tender, award, { at }) =>
    withAwardsCancelled(tender, isUpheld(award) ? idsOfLot(tender, award) : [award.id], at),
  "unsuccessful cancelled": (tender, award, { at }) =>
    isUpheld(award) ? withAwardsCancelled(tender, idsOfLot(tender, award), at) : undefined,
};

/** Whether the reviewers have upheld a complaint about the award. */
const isUpheld = ({ complaints }: Award): boolean => complaints.some(({ status }) => status === "satisfied");

const idsOfLot = ({ awards }: Tender, { lotID }: Award): readonly string[] =>
  awardsForLot(awards, lotID).map(({ id }) => id);

const withAward = (tender: Tender, award: Award): Tender => ({
  ...tender,
  awards: tender.awards.map((existing) => (existing.id === award.id ? award : existing)),
});

const withPeriodEnd = (award: Award, endDate: Instant | undefined): Award =>
  endDate === undefined ? award : { ...award, complaintPeriod: { ...award.complaintPeriod, endDate } };

/** Cancels these awards and their contracts. Complaints keep their status: the reviewers have decided on them. */
function withAwardsCancelled(tender: Tender, ids: readonly string[], at: Instant): Tender {
  const cancel = (award: Award): Award => {
    const period = award.complaintPeriod;
    const ended = withPeriodEnd(award, period && Math.min(period.endDate ?? at, at));
    return { ...ended, status: "cancelled", date: at };
  };
  return {
    ...tender,
    awards: tender.awards.map((award) =>
      ids.includes(award.id) && award.status !== "cancelled" ? cancel(award) : award,
    ),
    contracts: tender.contracts.map((contract) =>
      ids.includes(contract.awardID) && contract.status !== "cancelled"
        ? { ...contract, status: "cancelled", date: at }
        : contract,
    ),
  };
}
