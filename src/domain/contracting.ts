import { isIn, owns } from "./actors.ts";
import { inMoneyOf } from "./bidding.ts";
import { checkOneOrganization, checkPeriod, checkValue, inside, missing, unknownReference } from "./checking.ts";
import type { Command, Context } from "./commands.ts";
import type { Outcome } from "./decide.ts";
import { finalise, isBlocking } from "./finalising.ts";
import { checkItems, withItems } from "./itemLists.ts";
import { merge } from "./merge.ts";
import { compareDecimals, withFraction } from "./money.ts";
import { awardsOf } from "./nextAward.ts";
import { accepts } from "./procedures/index.ts";
import { isLotActive } from "./qualifying.ts";
import type { Decided, Problem } from "./refusals.ts";
import { forbidden, invalid, notFound, problem, rule, type Window, wrongRole, wrongStatus } from "./refusals.ts";
import { ok } from "./result.ts";
import type { Award, Contract, Tender, Value } from "./tender.ts";
import { formatInstant } from "./time.ts";
import { windowOf, windowOfLot } from "./windows.ts";

/** An accepted award becomes a contract, which is signed once nobody may object any more. */

type Numbered = Pick<Contract, "id" | "contractID" | "date" | "status" | "documents">;

const numbered = (tender: Tender, { at, newId }: Pick<Context, "at" | "newId">): Numbered => ({
  id: newId(),
  contractID: `${tender.tenderID}-${tender.contracts.length + 1}`,
  date: at,
  status: "pending",
  documents: [],
});

export function contractFor(award: Award, tender: Tender, context: Pick<Context, "at" | "newId">): Contract {
  return {
    ...numbered(tender, context),
    awardID: award.id,
    suppliers: award.suppliers,
    value: award.value,
    items: tender.items?.filter(({ relatedLot }) => relatedLot === award.lotID),
  };
}

/** A contract by hand, for repair: only administrators of the registry make one. */
export function addContract(
  tender: Tender,
  { sent }: Extract<Command, { kind: "add contract" }>,
  context: Context,
): Decided<Outcome> {
  if (!isIn(context.actor, "admins")) return forbidden();
  const { status: _set, dateSigned: _later, awardID, ...given } = sent.fields;
  const fields = inMoneyOf(tender, withItems(given, tender, context.newId));
  const award = tender.awards.find(({ id }) => id === awardID);
  const wrong = invalid(sent.problems, [
    ...(awardID === undefined ? [missing(["awardID"])] : []),
    ...(awardID !== undefined && !award ? [unknownReference(["awardID"], "awardID", "awards")] : []),
    ...inside(fields.suppliers, ["suppliers"], checkOneOrganization),
    ...inside(fields.value, ["value"], checkValue),
    ...checkItems(fields.items, tender),
  ]);
  if (wrong) return wrong;
  if (!accepts(tender, "add contract"))
    return wrongStatus("add contract", "tender", tender, windowOf(tender, "add contract"));
  if (!isLotActive(tender, award!.lotID))
    return rule("lot-not-active", "Can add contract only in active lot status", {
      window: windowOfLot(tender, "add contract", award!.lotID),
    });
  const contract: Contract = { ...contractFor(award!, tender, context), ...fields, awardID: award!.id };
  return ok({ tender: { ...tender, contracts: [...tender.contracts, contract] }, id: contract.id });
}

export function editContract(
  tender: Tender,
  { contract: id, sent }: Extract<Command, { kind: "edit contract" }>,
  context: Context,
): Decided<Outcome> {
  const { actor, at } = context;
  const contract = tender.contracts.find((one) => one.id === id);
  if (!contract) return notFound("contract");
  if (isIn(actor, "Administrator") && !owns(actor, tender)) return wrongRole();
  if (!owns(actor, tender) && !isIn(actor, "admins")) return forbidden();
  const { awardID: _fixed, suppliers: _theirs, items: _listed, ...fields } = sent.fields;
  const merged = merge<Contract>(contract, fields);
  const award = tender.awards.find((one) => one.id === contract.awardID)!;
  const wrong = invalid(sent.problems, checkContract(merged, award, context));
  if (wrong) return wrong;
  if (!accepts(tender, "edit contract"))
    return wrongStatus("update contract", "tender", tender, windowOf(tender, "edit contract"));
  if (!isLotActive(tender, award.lotID))
    return rule("lot-not-active", "Can update contract only in active lot status", {
      window: windowOfLot(tender, "edit contract", award.lotID),
    });
  const refused = refusedValue(contract, merged, award) ?? refusedStatus(contract, merged, award, tender, context);
  if (refused) return refused;
  const signs = contract.status === "pending" && merged.status === "active";
  const changed: Contract = signs ? { ...merged, date: at, dateSigned: merged.dateSigned ?? at } : merged;
  const contracts = tender.contracts.map((one) => (one === contract ? changed : one));
  return ok({ tender: finalise({ ...tender, contracts }, at), id });
}

function checkContract(
  { dateSigned, value, period }: Contract,
  award: Award,
  { at, zone }: Context,
): readonly Problem[] {
  const end = award.complaintPeriod?.endDate;
  const tooEarly = dateSigned !== undefined && end !== undefined && dateSigned <= end;
  const text = `Contract signature date should be after award complaint period end date (${formatInstant(end ?? 0, zone)})`;
  const wrong = (words: string, id: "signed-in-stand-still" | "signed-in-future", window: Window) => [
    { ...problem(["dateSigned"], words, id, "cross"), window },
  ];
  // What is judged is the date that is told, not the moment at which it is.
  const from = end === undefined ? undefined : end + 1;
  return [
    ...inside(value, ["value"], checkValue),
    ...inside(period, ["period"], checkPeriod),
    ...(tooEarly ? wrong(text, "signed-in-stand-still", { from }) : []),
    ...(!tooEarly && dateSigned !== undefined && dateSigned > at
      ? wrong("Contract signature date can't be in the future", "signed-in-future", { from, until: at + 1 })
      : []),
  ];
}

const currencyOf = ({ currency = "UAH" }: Value): string => currency;
const isWithVat = ({ valueAddedTaxIncluded = true }: Value): boolean => valueAddedTaxIncluded;

/** A contract may cost less than was awarded, never more, and stays in its own money: what repeats that is no change. */
function refusedValue(before: Contract, { value }: Contract, award: Award) {
  if (!value?.amount) return undefined;
  if (!award.value?.amount) return rule("contract-value", "Can't set a value for a contract of an award without one");
  const own = before.value ?? award.value;
  if (isWithVat(value) !== isWithVat(own))
    return rule("contract-value", "Can't update valueAddedTaxIncluded for contract value");
  if (currencyOf(value) !== currencyOf(own)) return rule("contract-value", "Can't update currency for contract value");
  return compareDecimals(value.amount, award.value.amount) > 0
    ? rule(
        "contract-exceeds-award",
        `Value amount should be less or equal to awarded amount (${withFraction(award.value.amount)})`,
      )
    : undefined;
}

function refusedStatus(before: Contract, after: Contract, award: Award, tender: Tender, { at, zone }: Context) {
  if (before.status === after.status) return undefined;
  if (before.status !== "pending" || after.status !== "active" || award.status !== "active")
    return rule("contract-move", "Can't update contract status");
  const end = award.complaintPeriod?.endDate;
  if (end !== undefined && end > at)
    return rule("stand-still", `Can't sign contract before stand-still period end (${formatInstant(end, zone)})`, {
      window: { from: end },
    });
  return isDisputed(tender, award)
    ? rule("complaints-open", "Can't sign contract before reviewing all complaints")
    : undefined;
}

const isDisputed = (tender: Tender, { lotID }: Award): boolean =>
  tender.complaints.some((one) => isBlocking(one) && (one.relatedLot === undefined || one.relatedLot === lotID)) ||
  awardsOf(tender.awards, lotID).some(({ complaints }) => complaints.some(isBlocking));
