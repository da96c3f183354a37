import { generateAwards, withLot } from "../awards/awardGeneration.ts";
import { isAuctionOver } from "../awards/closing.ts";
import { withStatus, withStatusFromLots } from "../awards/finalising.ts";
import { isInGroup, owns } from "../model/actors.ts";
import type { CommandOutcome, TenderCommand } from "../model/commands.ts";
import type { DomainResult, Problem } from "../model/refusals.ts";
import { forbidden, invalidInput, notFound, problem, ruleRefusal, wrongRole, wrongStatus } from "../model/refusals.ts";
import { ok } from "../model/result.ts";
import type { Cancellation, Tender } from "../model/tender.ts";
import { isFinal, type Procedure, type RuleContext, stageOf } from "../procedures/procedure.ts";
import { endedWindow, lotActionWindow } from "../timeWindows.ts";
import { checkRequired, missing, unknownReference } from "../validation.ts";
import { findLot, isLotActive } from "./lotRules.ts";

/** Cancelling a tender or one of its lots, with a reason. A cancellation takes effect when its status becomes active. */

/** Adds a cancellation of the tender or of a lot, and applies it if it is active. */
export function addCancellation(
  tender: Tender,
  { sent }: Extract<TenderCommand, { kind: "add cancellation" }>,
  context: RuleContext,
): DomainResult<CommandOutcome> {
  const { actor, at, newId, procedure } = context;
  if (!owns(actor, tender) && !isInGroup(actor, "admins")) return forbidden();
  const { fields } = sent;
  const cancellation: Cancellation = {
    ...fields,
    id: newId(),
    date: at,
    status: fields.status ?? "pending",
    cancellationOf: fields.cancellationOf ?? "tender",
    ...(procedure.fields.Cancellation.includes("reasonType") && { reasonType: fields.reasonType ?? "cancelled" }),
    documents: [],
  };
  const badInput = invalidInput(sent.problems, checkCancellation(procedure, cancellation, tender));
  if (badInput) return badInput;
  const refusal = cancellationRefusal(procedure, cancellation, tender, "add");
  if (refusal) return refusal;
  const added = { ...tender, cancellations: [...tender.cancellations, cancellation] };
  return ok({ tender: applyCancellation(cancellation, added, context), id: cancellation.id });
}

/** Changes the status or the type of reason of a cancellation, and applies it when it becomes active. */
export function editCancellation(
  tender: Tender,
  { cancellation: id, sent }: Extract<TenderCommand, { kind: "edit cancellation" }>,
  context: RuleContext,
): DomainResult<CommandOutcome> {
  const { actor, at, procedure } = context;
  const before = tender.cancellations.find((existing) => existing.id === id);
  if (!before) return notFound("cancellation");
  if (isInGroup(actor, "Administrator") && !owns(actor, tender)) return wrongRole();
  if (!owns(actor, tender) && !isInGroup(actor, "admins")) return forbidden();
  const badInput = invalidInput(sent.problems, []);
  if (badInput) return badInput;
  const refusal = cancellationRefusal(procedure, before, tender, "update");
  if (refusal) return refusal;
  const status = sent.fields.status ?? before.status;
  const reasonType = sent.fields.reasonType ?? before.reasonType;
  if (status === before.status && reasonType === before.reasonType) return ok({ tender, id });
  const after: Cancellation = { ...before, status, ...(reasonType && { reasonType }), date: at };
  const cancellations = tender.cancellations.map((existing) => (existing === before ? after : existing));
  return ok({ tender: applyCancellation(after, { ...tender, cancellations }, context), id });
}

const NO_LOTS =
  'Lot cancellation can not be submitted, since "multiple lots" option is not available for this type of tender.';

function checkCancellation(procedure: Procedure, cancellation: Cancellation, tender: Tender): readonly Problem[] {
  const { cancellationOf, relatedLot } = cancellation;
  const isUnknownLot = relatedLot !== undefined && !findLot(tender, relatedLot);
  return [
    ...checkRequired(cancellation, [], "reason"),
    ...(cancellationOf === "lot" && relatedLot === undefined ? [missing(["relatedLot"], "cross")] : []),
    ...(isUnknownLot ? [unknownReference(["relatedLot"], "relatedLot", "lots")] : []),
    ...(cancellationOf === "lot" && !procedure.lots ? [problem(["cancellationOf"], NO_LOTS, "no-lots", "cross")] : []),
  ];
}

function cancellationRefusal(
  procedure: Procedure,
  { relatedLot }: Cancellation,
  tender: Tender,
  action: "add" | "update",
) {
  if (isFinal(tender)) return wrongStatus(`${action} cancellation`, "tender", tender, endedWindow(tender));
  if (!isLotActive(tender, relatedLot))
    return ruleRefusal("lot-not-active", `Can ${action} cancellation only in active lot status`, {
      window: lotActionWindow(procedure, tender, "add cancellation", relatedLot),
    });
  const hasCompleteLot = tender.lots.some(({ status }) => status === "complete");
  return relatedLot === undefined && hasCompleteLot && !procedure.cancellations.despiteCompleteLots
    ? ruleRefusal("lot-complete", `Can't ${action} cancellation, if there is at least one complete lot`)
    : undefined;
}

/** Cancels the lot that `relatedLot` names, or the tender if it names none; `cancellationOf` has no effect. */
function applyCancellation({ status, relatedLot }: Cancellation, tender: Tender, context: RuleContext): Tender {
  if (status !== "active") return tender;
  if (relatedLot === undefined) return cancelTender(tender, context);
  const lot = findLot(tender, relatedLot);
  if (!lot) return tender;
  const withLotCancelled = withLot(tender, { ...lot, status: "cancelled", date: context.at });
  if (withLotCancelled.lots.every((existing) => existing.status === "cancelled"))
    return cancelTender(withLotCancelled, context);
  const ended = withStatusFromLots(withLotCancelled, context.at);
  // The cancelled lot may have been the last whose auction was still to be held.
  const wasLastAuction = ended.status === "active.auction" && isAuctionOver(ended);
  return wasLastAuction ? generateAwards(ended, context) : ended;
}

/** The cancelled tender. Bids that are still sealed are deleted, so that nobody ever sees them. */
export function cancelTender(tender: Tender, { at, procedure }: Pick<RuleContext, "at" | "procedure">): Tender {
  const withoutSealedBids = stageOf(procedure, tender).sealed ? { bids: [] } : {};
  return withStatus("cancelled", { ...tender, ...withoutSealedBids }, at);
}
