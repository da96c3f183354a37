import { checkContract, contractValueRefusal, signingRefusal } from "../awards/contracting.ts";
import { finalise } from "../awards/finalising.ts";
import { isInGroup, owns } from "../model/actors.ts";
import type { CommandOutcome, ContractInput, Patch, TenderCommand } from "../model/commands.ts";
import type { DomainResult } from "../model/refusals.ts";
import { forbidden, invalidInput, notFound, ruleRefusal, wrongRole, wrongStatus } from "../model/refusals.ts";
import { ok } from "../model/result.ts";
import type { Award, Contract, Item, Tender, Unit } from "../model/tender.ts";
import { accepts, type Procedure, type RuleContext } from "../procedures/procedure.ts";
import { checkItems } from "../tender/itemLists.ts";
import { isBlockedByCancellation, isLotActive } from "../tender/lotRules.ts";
import { actionWindow, lotActionWindow } from "../timeWindows.ts";
import { isSameJson, merge } from "../values/merge.ts";

/** Contracts of awards without competition. The owner may also set the price of a unit of each item. */

/** Edits a contract or signs it, which may end the lot or the tender. */
export function editDirectContract(
  tender: Tender,
  { contract: id, sent }: Extract<TenderCommand, { kind: "edit contract" }>,
  context: RuleContext,
): DomainResult<CommandOutcome> {
  const { actor, at, procedure } = context;
  const contract = tender.contracts.find((existing) => existing.id === id);
  // Awards are never removed, so a contract always has one.
  const award = tender.awards.find((existing) => existing.id === contract?.awardID);
  if (!contract || !award) return notFound("contract");
  if (isInGroup(actor, "Administrator") && !owns(actor, tender)) return wrongRole();
  if (!owns(actor, tender) && !isInGroup(actor, "admins")) return forbidden();
  const { awardID: _awardID, suppliers: _suppliers, items, ...fields } = sent.fields;
  const edited = merge<Contract>(contract, fields);
  const merged: Contract = { ...edited, ...(contract.items && { items: withUnits(edited, items) }) };
  const badInput = invalidInput(sent.problems, [
    ...checkContract(merged, award, context),
    ...checkItems(merged.items, tender, procedure),
  ]);
  if (badInput) return badInput;
  const isSigning = contract.status === "pending" && merged.status === "active";
  const refusal =
    stageRefusal(procedure, tender, contract) ??
    (isSigning ? cancellationRefusal(procedure, tender, award) : undefined) ??
    lotRefusal(procedure, tender, award) ??
    (isSigning ? signingRefusal(tender, award, context) : undefined) ??
    contractValueRefusal(contract, merged, award) ??
    itemCountRefusal(contract, items) ??
    statusRefusal(contract, merged, award);
  if (refusal) return refusal;
  if (isSameJson(merged, contract)) return ok({ tender, id });
  const changed: Contract = { ...merged, date: at, ...(isSigning && { dateSigned: merged.dateSigned ?? at }) };
  const contracts = tender.contracts.map((existing) => (existing === contract ? changed : existing));
  return ok({ tender: finalise({ ...tender, contracts }, context), id });
}

type ItemPatches = Patch<ContractInput>["items"];

/** The items with their units changed. Currency and VAT of a unit's price default to those of the contract. */
function withUnits({ items = [], value }: Contract, patches: ItemPatches): readonly Item[] {
  if (patches?.length !== items.length) return items;
  return items.map((item, i) => {
    const sent = patches[i]?.unit;
    if (sent === undefined) return item;
    const { unit, ...rest } = item;
    if (sent === null) return rest;
    const merged: Unit = merge(unit ?? {}, sent);
    if (!merged.value) return { ...rest, unit: merged };
    const { currency = "UAH", valueAddedTaxIncluded = true } = value ?? {};
    return { ...rest, unit: { ...merged, value: { currency, valueAddedTaxIncluded, ...merged.value } } };
  });
}

function stageRefusal(procedure: Procedure, tender: Tender, contract: Contract) {
  if (!accepts(procedure, tender, "edit contract"))
    return wrongStatus("update contract", "tender", tender, actionWindow(procedure, tender, "edit contract"));
  return contract.status === "cancelled" ? wrongStatus("update contract", "itself", contract) : undefined;
}

const cancellationRefusal = (procedure: Procedure, tender: Tender, { lotID }: Award) =>
  isBlockedByCancellation(procedure, tender, lotID)
    ? ruleRefusal("lot-cancellation", "Can't update contract while cancellation for corresponding lot exists")
    : undefined;

const lotRefusal = (procedure: Procedure, tender: Tender, { lotID }: Award) =>
  isLotActive(tender, lotID)
    ? undefined
    : ruleRefusal("lot-not-active", "Can update contract only in active lot status", {
        window: lotActionWindow(procedure, tender, "edit contract", lotID),
      });

const itemCountRefusal = ({ items = [] }: Contract, patches: ItemPatches) =>
  patches === undefined || patches?.length === items.length
    ? undefined
    : ruleRefusal("contract-items", "Can't change items count");

/** The only change of status is the signature, for an award that is still active. */
const statusRefusal = (before: Contract, after: Contract, award: Award) =>
  before.status === after.status ||
  (before.status === "pending" && after.status === "active" && award.status === "active")
    ? undefined
    : ruleRefusal("contract-move", "Can't update contract status");
