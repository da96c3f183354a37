import { withLot } from "../awards/awardGeneration.ts";
import { isInGroup, owns } from "../model/actors.ts";
import type { CommandOutcome, TenderCommand } from "../model/commands.ts";
import type { DomainResult, Problem } from "../model/refusals.ts";
import { forbidden, invalidInput, notFound, ruleRefusal, wrongStatus } from "../model/refusals.ts";
import { ok } from "../model/result.ts";
import type { Lot, Tender } from "../model/tender.ts";
import { accepts, type Procedure, type RuleContext } from "../procedures/procedure.ts";
import { actionWindow } from "../timeWindows.ts";
import { merge } from "../values/merge.ts";
import { checkGuarantees, isBlockedByCancellation, withLotTotals } from "./lotRules.ts";

/** Adding, editing and removing lots, while the stage of the tender accepts it. */

const mayEdit = ({ actor }: RuleContext, tender: Tender): boolean => owns(actor, tender) || isInGroup(actor, "admins");

/** Why no lot can be added, changed or removed now, if none can. */
function editingRefusal(procedure: Procedure, tender: Tender, action: "add" | "update" | "delete") {
  if (!accepts(procedure, tender, "edit lots"))
    return wrongStatus(`${action} lot`, "tender", tender, actionWindow(procedure, tender, "edit lots"));
  return procedure.frozenByAwards && tender.awards.length > 0
    ? ruleRefusal("tender-awarded", `Can't ${action} lot when you have awards`)
    : undefined;
}

/** Checks the tender. Paths of problems within the lot are relative to the lot, all others to the tender. */
function checkTenderWithLot(procedure: Procedure, tender: Tender, lotId: string | undefined): readonly Problem[] {
  const index = tender.lots.findIndex(({ id }) => id === lotId);
  return procedure.checkTender(tender).flatMap((found) => {
    const [collection, at, ...rest] = found.path;
    return collection === "lots" && at === index ? [{ ...found, path: rest }] : [found];
  });
}

/** Adds an active lot and recalculates the totals of the tender. */
export function addLot(
  tender: Tender,
  { sent }: Extract<TenderCommand, { kind: "add lot" }>,
  context: RuleContext,
): DomainResult<CommandOutcome> {
  const { procedure } = context;
  if (!mayEdit(context, tender)) return forbidden();
  const { auctionPeriod: _auctionPeriod, ...fields } = sent.fields;
  const lot: Lot = { ...fields, id: fields.id ?? context.newId(), status: "active", date: context.at };
  const after = withLotTotals({ ...tender, lots: [...tender.lots, lot] }, procedure);
  // Checked as sent: `withLotTotals` has converted the guarantees in `after` to the tender's currency.
  const guarantees = checkGuarantees([...tender.lots, lot]);
  const badInput = invalidInput(sent.problems, [...guarantees, ...checkTenderWithLot(procedure, after, lot.id)]);
  if (badInput) return badInput;
  const refusal = editingRefusal(procedure, tender, "add");
  if (refusal) return refusal;
  return ok({ tender: after, id: lot.id });
}

/** Edits a lot and recalculates the totals. An administrator who is not the owner may only set `auctionPeriod`. */
export function editLot(
  tender: Tender,
  { lot: id, sent }: Extract<TenderCommand, { kind: "edit lot" }>,
  context: RuleContext,
): DomainResult<CommandOutcome> {
  const lot = tender.lots.find((existing) => existing.id === id);
  if (!lot) return notFound("lot");
  const { actor, procedure } = context;
  const isRepair = isInGroup(actor, "Administrator") && !owns(actor, tender);
  if (!isRepair && !mayEdit(context, tender)) return forbidden();
  const { id: _id, auctionPeriod, ...fields } = sent.fields;
  const changed = merge<Lot>(lot, isRepair ? { ...(auctionPeriod && { auctionPeriod }) } : fields);
  const after = withLotTotals(withLot(tender, changed), procedure);
  const badInput = invalidInput(sent.problems, checkTenderWithLot(procedure, after, id));
  if (badInput) return badInput;
  const refusal = editingRefusal(procedure, tender, "update");
  if (refusal) return refusal;
  // The text of the protocol says "pending" whatever the status of the cancellation is.
  if (isBlockedByCancellation(procedure, tender, id))
    return ruleRefusal("lot-cancellation", "Can't update lot when it has 'pending' cancellation.");
  return ok({ tender: after, id });
}

/** Removes a lot that nothing refers to, and recalculates the totals. */
export function removeLot(
  tender: Tender,
  { lot: id }: Extract<TenderCommand, { kind: "remove lot" }>,
  context: RuleContext,
): DomainResult<CommandOutcome> {
  const { procedure } = context;
  const removed = tender.lots.find((existing) => existing.id === id);
  if (!removed) return notFound("lot");
  if (!mayEdit(context, tender)) return forbidden();
  const refusal = editingRefusal(procedure, tender, "delete");
  if (refusal) return refusal;
  const after = withLotTotals({ ...tender, lots: tender.lots.filter((existing) => existing !== removed) }, procedure);
  return invalidInput([], procedure.checkTender(after)) ?? ok({ tender: after, id, removed });
}
