import type { Item } from "../../domain/model/tender.ts";
import type { LinkedAward, LinkedContract, PublicTender } from "../../views/publicTender.ts";
import type { OcdsObject } from "../ocdsValues.ts";
import { complaintList } from "./complaintList.ts";
import type { ContentContext } from "./contentContext.ts";
import { documentList } from "./documentList.ts";
import { compact, dateOf, moneyOf, periodOf, textsOf } from "./fieldValues.ts";
import { itemList } from "./itemList.ts";
import { referAll } from "./partyList.ts";

/** The awards of a tender. */
export const awardList = (context: ContentContext): readonly OcdsObject[] =>
  context.tender.awards.map((award) => awardOf(award, context));

const awardOf = (award: LinkedAward, context: ContentContext): OcdsObject =>
  compact({
    id: award.id,
    ...textsOf(award, "title", "description"),
    status: isVoid(award, context.tender) ? "cancelled" : award.status,
    date: dateOf(award.date),
    value: moneyOf(award.value),
    suppliers: referAll(context.parties, award.suppliers, `awards/${award.id}`),
    items: itemList(award.items ?? itemsOfLot(context, award.lotID)),
    documents: documentList(award.documents, context),
    relatedBid: award.bid_id,
    relatedLots: award.lotID === undefined ? undefined : [award.lotID],
    qualified: award.qualified,
    subcontractingDetails: award.subcontractingDetails,
    standStillPeriod: periodOf(award.complaintPeriod),
    complaints: complaintList(award.complaints, context, `awards/${award.id}/complaints`),
  });

/**
 * Whether the award has ended with its tender or its lot. The registry leaves its status as it was, but nothing is awarded any more. A
 * signed contract stays in force, and so does its award.
 */
function isVoid({ id, lotID, status }: LinkedAward, tender: PublicTender): boolean {
  const isOpen = status === "pending" || status === "active";
  const isLotThere = tender.lots.some((lot) => lot.id === lotID && lot.status !== "cancelled");
  const isCancelled = tender.status === "cancelled" || (lotID !== undefined && !isLotThere);
  return isOpen && isCancelled && !tender.contracts.some((contract) => contract.awardID === id && isSigned(contract));
}

/** What an award is about, unless it says so itself: everything, or the items of its lot. */
const itemsOfLot = ({ tender }: ContentContext, lot: string | undefined): readonly Item[] | undefined =>
  lot === undefined ? tender.items : tender.items?.filter(({ relatedLot }) => relatedLot === lot);

/**
 * The contracts that are signed. A pending contract is left out: it can still be cancelled together with its award, and OCDS has no
 * contracts of awards that are not active.
 */
export const contractList = (context: ContentContext): readonly OcdsObject[] =>
  context.tender.contracts.filter(isSigned).map((contract) => contractOf(contract, context));

const isSigned = ({ status }: LinkedContract): boolean => status === "active" || status === "terminated";

const contractOf = (contract: LinkedContract, context: ContentContext): OcdsObject =>
  compact({
    id: contract.id,
    awardID: contract.awardID,
    ...textsOf(contract, "title", "description"),
    status: contract.status,
    period: periodOf(contract.period),
    value: moneyOf(contract.value),
    items: itemList(contract.items),
    dateSigned: dateOf(contract.dateSigned),
    documents: documentList(contract.documents, context),
    contractID: contract.contractID,
    contractNumber: contract.contractNumber,
    suppliers: referAll(context.parties, contract.suppliers, `contracts/${contract.id}`),
  });
