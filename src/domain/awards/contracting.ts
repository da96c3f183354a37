import { inTenderCurrency } from "../bids/bidding.ts";
import { isInGroup, owns } from "../model/actors.ts";
import type { CommandContext, CommandOutcome, TenderCommand } from "../model/commands.ts";
import type { DomainResult, Problem } from "../model/refusals.ts";
import {
  forbidden,
  invalidInput,
  notFound,
  problem,
  ruleRefusal,
  type TimeWindow,
  wrongRole,
  wrongStatus,
} from "../model/refusals.ts";
import { ok } from "../model/result.ts";
import type { Award, Contract, Tender, Value } from "../model/tender.ts";
import { accepts, type RuleContext } from "../procedures/procedure.ts";
import { checkItems, withCompletedItems } from "../tender/itemLists.ts";
import { isLotActive } from "../tender/lotRules.ts";
import { actionWindow, lotActionWindow } from "../timeWindows.ts";
import {
  checkIfPresent,
  checkPeriod,
  checkSingleOrganization,
  checkValue,
  missing,
  unknownReference,
} from "../validation.ts";
import { compareDecimals, withFraction } from "../values/decimal.ts";
import { merge } from "../values/merge.ts";
import { formatInstant } from "../values/time.ts";
import { finalise, isContested } from "./finalising.ts";

/** Contracts of accepted awards. A contract can be signed once the stand-still is over and every complaint is settled. */

type NewContractFields = Pick<Contract, "id" | "contractID" | "date" | "status" | "documents">;

const newContractFields = (tender: Tender, { at, newId }: Pick<CommandContext, "at" | "newId">): NewContractFields => ({
  id: newId(),
  contractID: `${tender.tenderID}-${tender.contracts.length + 1}`,
  date: at,
  status: "pending",
  documents: [],
});

/** A new pending contract with the suppliers, value and items of the award. */
export function contractFor(award: Award, tender: Tender, context: Pick<CommandContext, "at" | "newId">): Contract {
  return {
    ...newContractFields(tender, context),
    awardID: award.id,
    suppliers: award.suppliers,
    value: award.value,
    items: tender.items?.filter(({ relatedLot }) => relatedLot === award.lotID),
  };
}

/** Adds a contract by hand. Only administrators of the registry may, to repair a tender. */
export function addContract(
  tender: Tender,
  { sent }: Extract<TenderCommand, { kind: "add contract" }>,
  context: RuleContext,
): DomainResult<CommandOutcome> {
  const { procedure } = context;
  if (!isInGroup(context.actor, "admins")) return forbidden();
  const { status: _status, dateSigned: _dateSigned, awardID, ...sentFields } = sent.fields;
  const fields = inTenderCurrency(tender, withCompletedItems(sentFields, context));
  const award = tender.awards.find(({ id }) => id === awardID);
  const badInput = invalidInput(sent.problems, [
    ...(awardID === undefined ? [missing(["awardID"])] : []),
    ...(awardID !== undefined && !award ? [unknownReference(["awardID"], "awardID", "awards")] : []),
    ...checkIfPresent(fields.suppliers, ["suppliers"], checkSingleOrganization),
    ...checkIfPresent(fields.value, ["value"], checkValue),
    ...checkItems(fields.items, tender, procedure),
  ]);
  // Without an award there is bad input too; checking both narrows the type.
  if (badInput || !award) return badInput ?? notFound("award");
  if (!accepts(procedure, tender, "add contract"))
    return wrongStatus("add contract", "tender", tender, actionWindow(procedure, tender, "add contract"));
  if (!isLotActive(tender, award.lotID))
    return ruleRefusal("lot-not-active", "Can add contract only in active lot status", {
      window: lotActionWindow(procedure, tender, "add contract", award.lotID),
    });
  const contract: Contract = { ...contractFor(award, tender, context), ...fields, awardID: award.id };
  return ok({ tender: { ...tender, contracts: [...tender.contracts, contract] }, id: contract.id });
}

/** Edits a contract or signs it, which may end the lot or the tender. The award, suppliers and items of a contract are fixed. */
export function editContract(
  tender: Tender,
  { contract: id, sent }: Extract<TenderCommand, { kind: "edit contract" }>,
  context: RuleContext,
): DomainResult<CommandOutcome> {
  const { actor, at, procedure } = context;
  const contract = tender.contracts.find((existing) => existing.id === id);
  if (!contract) return notFound("contract");
  if (isInGroup(actor, "Administrator") && !owns(actor, tender)) return wrongRole();
  if (!owns(actor, tender) && !isInGroup(actor, "admins")) return forbidden();
  const { awardID: _awardID, suppliers: _suppliers, items: _items, ...fields } = sent.fields;
  const merged = merge<Contract>(contract, fields);
  // Awards are never removed, and a contract is only ever added for one that exists.
  const award = tender.awards.find((existing) => existing.id === contract.awardID)!;
  const badInput = invalidInput(sent.problems, checkContract(merged, award, context));
  if (badInput) return badInput;
  if (!accepts(procedure, tender, "edit contract"))
    return wrongStatus("update contract", "tender", tender, actionWindow(procedure, tender, "edit contract"));
  if (!isLotActive(tender, award.lotID))
    return ruleRefusal("lot-not-active", "Can update contract only in active lot status", {
      window: lotActionWindow(procedure, tender, "edit contract", award.lotID),
    });
  const refusal =
    contractValueRefusal(contract, merged, award) ?? contractStatusRefusal(contract, merged, award, tender, context);
  if (refusal) return refusal;
  const isSigning = contract.status === "pending" && merged.status === "active";
  const changed: Contract = isSigning ? { ...merged, date: at, dateSigned: merged.dateSigned ?? at } : merged;
  const contracts = tender.contracts.map((existing) => (existing === contract ? changed : existing));
  return ok({ tender: finalise({ ...tender, contracts }, context), id });
}

/** The problems of a contract's own fields: its value, period and date of signature. */
export function checkContract(
  { dateSigned, value, period }: Contract,
  award: Award,
  { at, zone }: CommandContext,
): readonly Problem[] {
  const end = award.complaintPeriod?.endDate;
  const tooEarly = dateSigned !== undefined && end !== undefined && dateSigned <= end;
  const text = `Contract signature date should be after award complaint period end date (${formatInstant(end ?? 0, zone)})`;
  const dateSignedProblem = (message: string, id: "signed-in-stand-still" | "signed-in-future", window: TimeWindow) => [
    { ...problem(["dateSigned"], message, id, "cross"), window },
  ];
  // The window is about the value of dateSigned, not about the time of the request.
  const from = end === undefined ? undefined : end + 1;
  return [
    ...checkIfPresent(value, ["value"], checkValue),
    ...checkIfPresent(period, ["period"], checkPeriod),
    ...(tooEarly ? dateSignedProblem(text, "signed-in-stand-still", { from }) : []),
    ...(!tooEarly && dateSigned !== undefined && dateSigned > at
      ? dateSignedProblem("Contract signature date can't be in the future", "signed-in-future", { from, until: at + 1 })
      : []),
  ];
}

const currencyOf = ({ currency = "UAH" }: Value): string => currency;
const isWithVat = ({ valueAddedTaxIncluded = true }: Value): boolean => valueAddedTaxIncluded;

/** The amount may not exceed the awarded one, and currency and VAT are fixed; sending the same currency and VAT again is allowed. */
export function contractValueRefusal(before: Contract, { value }: Contract, award: Award) {
  if (!value?.amount) return undefined;
  if (!award.value?.amount)
    return ruleRefusal("contract-value", "Can't set a value for a contract of an award without one");
  const currentValue = before.value ?? award.value;
  if (isWithVat(value) !== isWithVat(currentValue))
    return ruleRefusal("contract-value", "Can't update valueAddedTaxIncluded for contract value");
  if (currencyOf(value) !== currencyOf(currentValue))
    return ruleRefusal("contract-value", "Can't update currency for contract value");
  return compareDecimals(value.amount, award.value.amount) > 0
    ? ruleRefusal(
        "contract-exceeds-award",
        `Value amount should be less or equal to awarded amount (${withFraction(award.value.amount)})`,
      )
    : undefined;
}

function contractStatusRefusal(before: Contract, after: Contract, award: Award, tender: Tender, context: RuleContext) {
  if (before.status === after.status) return undefined;
  if (before.status !== "pending" || after.status !== "active" || award.status !== "active")
    return ruleRefusal("contract-move", "Can't update contract status");
  return signingRefusal(tender, award, context);
}

/** Why the contract of this award cannot be signed yet, if it cannot: the stand-still, or a complaint that is not settled. */
export function signingRefusal(tender: Tender, award: Award, { at, zone, procedure }: RuleContext) {
  const end = award.complaintPeriod?.endDate;
  if (end !== undefined && end > at)
    return ruleRefusal(
      "stand-still",
      `Can't sign contract before stand-still period end (${formatInstant(end, zone)})`,
      {
        window: { from: end },
      },
    );
  return isContested(tender, award.lotID, procedure.complaints.blocking)
    ? ruleRefusal("complaints-open", "Can't sign contract before reviewing all complaints")
    : undefined;
}
