import { inTenderCurrency } from "../bids/bidding.ts";
import { type Actor, isInGroup, owns } from "../model/actors.ts";
import type { CommandOutcome, TenderCommand } from "../model/commands.ts";
import type { DomainResult } from "../model/refusals.ts";
import { forbidden, invalidInput, notFound, wrongStatus } from "../model/refusals.ts";
import { ok } from "../model/result.ts";
import type { Award, Tender } from "../model/tender.ts";
import { accepts, type RuleContext } from "../procedures/procedure.ts";
import { checkItems, withCompletedItems } from "../tender/itemLists.ts";
import { actionWindow } from "../timeWindows.ts";
import { checkIfPresent, checkRequired, checkValue } from "../validation.ts";
import { merge } from "../values/merge.ts";

/** Awards that the tender's owner records freely, with any decision. */

const mayAward = (actor: Actor, tender: Tender): boolean => isInGroup(actor, "admins") || owns(actor, tender);

/** Adds an award with the decision that the owner sends. */
export function recordAward(
  tender: Tender,
  { sent }: Extract<TenderCommand, { kind: "record award" }>,
  context: RuleContext,
): DomainResult<CommandOutcome> {
  const { actor, at, newId, procedure } = context;
  if (!mayAward(actor, tender)) return forbidden();
  const fields = inTenderCurrency(tender, withCompletedItems(sent.fields, context));
  const badInput = invalidInput(sent.problems, [
    ...checkRequired(fields, [], "status"),
    ...checkIfPresent(fields.value, ["value"], checkValue),
    ...checkItems(fields.items, tender, procedure),
  ]);
  if (badInput) return badInput;
  if (!accepts(procedure, tender, "record award"))
    return wrongStatus("create award", "tender", tender, actionWindow(procedure, tender, "record award"));
  const award: Award = { ...fields, status: fields.status!, id: newId(), date: at, documents: [], complaints: [] };
  return ok({ tender: { ...tender, awards: [...tender.awards, award] }, id: award.id });
}

const STATUS_CHANGES: { readonly [from in Award["status"]]: readonly Award["status"][] } = {
  pending: ["active", "unsuccessful", "cancelled"],
  active: ["cancelled"],
  unsuccessful: ["cancelled"],
  cancelled: [],
};

/** Edits an award or changes its decision, along `STATUS_CHANGES`. */
export function changeAward(
  tender: Tender,
  { award: id, sent }: Extract<TenderCommand, { kind: "change award" }>,
  context: RuleContext,
): DomainResult<CommandOutcome> {
  const { actor, at, procedure } = context;
  const award = tender.awards.find((existing) => existing.id === id);
  if (!award) return notFound("award");
  if (!mayAward(actor, tender)) return forbidden();
  const merged = inTenderCurrency(tender, withCompletedItems(merge<Award>(award, sent.fields), context));
  const changed: Award = merged.status === award.status ? merged : { ...merged, date: at };
  const badInput = invalidInput(sent.problems, [
    ...checkIfPresent(changed.value, ["value"], checkValue),
    ...checkItems(changed.items, tender, procedure),
  ]);
  if (badInput) return badInput;
  if (!accepts(procedure, tender, "change award"))
    return wrongStatus("update award", "tender", tender, actionWindow(procedure, tender, "change award"));
  if (changed.status !== award.status && !STATUS_CHANGES[award.status].includes(changed.status))
    return wrongStatus("update award", "itself", award);
  return ok({
    tender: { ...tender, awards: tender.awards.map((existing) => (existing === award ? changed : existing)) },
    id,
  });
}
