import { HELD_BY_SERVICE, hasAuctionBegun } from "../auctions/liveAuctions.ts";
import { auctionsOf } from "../auctions/tenderAuctions.ts";
import { isSealedStage } from "../bids/sealRules.ts";
import { isInGroup, owns } from "../model/actors.ts";
import type { CommandOutcome, ParsedPatch, Patch, TenderCommand, TenderInput } from "../model/commands.ts";
import type { DomainResult, Problem } from "../model/refusals.ts";
import { forbidden, invalidInput, problem, ruleRefusal, wrongStatus } from "../model/refusals.ts";
import { ok } from "../model/result.ts";
import type { Period, Tender, TenderFields, TenderStatus } from "../model/tender.ts";
import { accepts, hasEnquiryPeriod, isFinal, isScheduled, type RuleContext } from "../procedures/procedure.ts";
import { actionLeadingTo } from "../procedures/statusGraph.ts";
import { endedWindow } from "../timeWindows.ts";
import { merge, withoutNulls } from "../values/merge.ts";
import { cancelTender } from "./cancelling.ts";
import { withLotTotals } from "./lotRules.ts";
import { withTestMarks } from "./testMarks.ts";

/** Editing a tender, and the changes of status that its owner, the scheduler or an administrator may make. */

/**
 * Edits a tender. The owner changes fields while the stage accepts it and may set the statuses of `OWNER_TRANSITIONS`; the scheduler
 * (chronograph) plans auctions; the administrator repairs.
 */
export function editTender(
  tender: Tender,
  command: Extract<TenderCommand, { kind: "edit tender" }>,
  context: RuleContext,
): DomainResult<Tender> {
  const { actor, procedure } = context;
  if (isInGroup(actor, "Administrator") && !owns(actor, tender)) return repairTender(tender, command.sent, context);
  if (isInGroup(actor, "chronograph") && !owns(actor, tender)) return planAuctions(tender, command.sent, context);
  if (!owns(actor, tender) && !isInGroup(actor, "admins")) return forbidden();
  const { sent } = command;
  const { status, mode: _mode, lots: _lots, auctionPeriod: _auctionPeriod, ...fields } = withoutNulls(sent.fields);
  const edited = applyEdit(tender, fields, context);
  const problems = [...checkStartDatesPresent(fields), ...procedure.checkTender(edited)];
  const badInput = invalidInput(sent.problems, problems);
  if (badInput) return badInput;
  if (isFinal(tender)) return wrongStatus("update tender", "itself", tender, endedWindow(tender));
  if (tender.status === "draft" && status !== procedure.entryStatus && status !== "cancelled")
    return wrongStatus("update tender", "itself", tender);
  const isFrozen = procedure.frozenByAwards && tender.awards.length > 0;
  if (isFrozen && status !== "cancelled")
    return ruleRefusal("tender-awarded", "Can't update tender when there is at least one award.");
  const current = accepts(procedure, tender, "edit fields") && !isFrozen ? edited : tender;
  return ok(withTestMarks(setStatus(current, status ?? undefined, context)));
}

/** Replaces the owner token; the old one loses its effect at once. */
export function renewToken(
  tender: Tender,
  _command: Extract<TenderCommand, { kind: "renew token" }>,
  { actor, newTokenHash }: RuleContext,
): DomainResult<CommandOutcome> {
  return owns(actor, tender) ? ok({ tender: { ...tender, tokenHash: newTokenHash } }) : forbidden();
}

/** A repair by the administrator: sets status, mode, buyer and planned auctions regardless of the stage, and nothing else. */
function repairTender(tender: Tender, sent: ParsedPatch<TenderInput>, context: RuleContext): DomainResult<Tender> {
  const { status, mode, procuringEntity, ...planned } = withoutNulls(sent.fields);
  const publishes = tender.status === "draft" && status === context.procedure.entryStatus;
  if (publishes) return invalidInput(sent.problems, []) ?? ok(setStatus(tender, status, context));
  const repaired = merge<Tender>(tender, { ...(mode && { mode }), ...(procuringEntity && { procuringEntity }) });
  const edited = withPlannedAuctions(repaired, planned);
  const badInput = invalidInput(sent.problems, context.procedure.checkTender(edited));
  if (badInput) return badInput;
  if (tender.status === "draft") return wrongStatus("update tender", "itself", tender);
  if (movesBegunAuction(tender, edited)) return HELD_BY_SERVICE;
  return ok(withTestMarks(status ? withRepairedStatus(edited, status, context) : edited));
}

/**
 * Sets any later status that the procedure has; `keepSealed` checks it afterwards. Sealed bids of a tender that ends this way are
 * deleted, even after the deadline, since no award will be based on them.
 */
function withRepairedStatus(tender: Tender, status: TenderStatus, { at, procedure }: RuleContext): Tender {
  const isEarlierStatus = status === "draft" || status === procedure.entryStatus;
  if (status === tender.status || isEarlierStatus || !procedure.stages[status]) return tender;
  const dropsBids = isSealedStage(procedure, tender) && (status === "cancelled" || status === "unsuccessful");
  return { ...tender, ...(dropsBids && { bids: [] }), status, date: at };
}

/** The scheduler sets the start of auctions. Its other requests only trigger deadlines that are due, which happens anyway. */
function planAuctions(
  tender: Tender,
  sent: ParsedPatch<TenderInput>,
  { procedure }: RuleContext,
): DomainResult<Tender> {
  const planned = withPlannedAuctions(tender, withoutNulls(sent.fields));
  const badInput = invalidInput(sent.problems, procedure.checkTender(planned));
  if (badInput) return badInput;
  if (isFinal(tender) || tender.status === "draft")
    return wrongStatus("update tender", "itself", tender, endedWindow(tender));
  if (!isScheduled(procedure)) return ruleRefusal("nothing-to-schedule", "Chronograph has no power over me!");
  return movesBegunAuction(tender, planned) ? HELD_BY_SERVICE : ok(planned);
}

/** Whether an auction that the service holds would get another start although its first pause has begun. */
const movesBegunAuction = (before: Tender, after: Tender): boolean =>
  auctionsOf(before).some(({ lot }) => {
    const planned = lot ? after.lots.find(({ id }) => id === lot.id) : after;
    const isMoved = planned?.auctionPeriod?.startDate !== (lot ?? before).auctionPeriod?.startDate;
    return isMoved && hasAuctionBegun(before, lot?.id);
  });

/** Sets the start of auctions. The end is ignored: the auction service reports it. */
function withPlannedAuctions(
  tender: Tender,
  { auctionPeriod, lots }: Pick<Patch<TenderInput>, "auctionPeriod" | "lots">,
): Tender {
  const withStart = (before: Period | undefined, sent: Patch<Period> | null | undefined): Period | undefined =>
    sent?.startDate === undefined ? before : merge(before ?? {}, { startDate: sent.startDate });
  const tenderAuctionPeriod = tender.lots.length === 0 ? withStart(tender.auctionPeriod, auctionPeriod) : undefined;
  return {
    ...tender,
    ...(tenderAuctionPeriod && { auctionPeriod: tenderAuctionPeriod }),
    lots: tender.lots.map((lot, i) => {
      const period = withStart(lot.auctionPeriod, lots?.[i]?.auctionPeriod);
      return period ? { ...lot, auctionPeriod: period } : lot;
    }),
  };
}

function applyEdit(tender: Tender, fields: Patch<TenderFields>, { procedure, newId }: RuleContext): Tender {
  const kind = tender.procuringEntity?.kind;
  const merged = merge<Tender>(tender, fields);
  const withFixedFields = {
    ...merged,
    ...(hasEnquiryPeriod(procedure) && {
      enquiryPeriod: { ...merged.enquiryPeriod, startDate: tender.enquiryPeriod?.startDate },
    }),
    ...(merged.procuringEntity && kind && { procuringEntity: { ...merged.procuringEntity, kind } }),
  };
  const completed = { ...withFixedFields, ...procedure.fillDefaults(fieldsOf(withFixedFields), newId) };
  return withLotTotals(completed, procedure);
}

/** Narrows the type only: `fillDefaults` passes all other properties through. */
const fieldsOf = (tender: Tender): TenderFields => tender;

function checkStartDatesPresent(fields: Patch<TenderFields>): Problem[] {
  const periods = ["enquiryPeriod", "tenderPeriod"] as const;
  return periods
    .filter((name) => fields[name]?.startDate === null)
    .map((name) => problem([name, "startDate"], "This field cannot be deleted", "field-kept"));
}

/** Moves the tender to the status if the owner may set it. Others are ignored, so that clients may send back what they read. */
function setStatus(tender: Tender, status: TenderStatus | undefined, { at, procedure }: RuleContext): Tender {
  if (status === undefined || status === tender.status) return tender;
  const action = actionLeadingTo(procedure, status);
  if (!action || !accepts(procedure, tender, action)) return tender;
  return action === "cancel" ? cancelTender(tender, { at, procedure }) : { ...tender, status, date: at };
}
