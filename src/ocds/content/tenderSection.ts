import { sealsBids } from "../../domain/bids/sealRules.ts";
import type { Feature, Lot, Question, TenderStatus } from "../../domain/model/tender.ts";
import { PROCEDURES } from "../../domain/procedures/index.ts";
import { UNTYPED_PROCEDURE } from "../../domain/procedures/names.ts";
import { FINAL_STATUSES } from "../../domain/procedures/procedure.ts";
import type { PublicTender } from "../../views/publicTender.ts";
import { isOcdsList, type OcdsObject, objectAt, objectsIn } from "../ocdsValues.ts";
import { cancellationList, complaintList } from "./complaintList.ts";
import { absoluteAddress, type ContentContext } from "./contentContext.ts";
import { documentList } from "./documentList.ts";
import { compact, dateOf, decimalOf, distinctBy, moneyOf, periodOf, textsOf, webAddressOf } from "./fieldValues.ts";
import { itemList, procurementCategoryOf } from "./itemList.ts";

/** The section `tender` of the content: what is bought, how and until when. `bids` are those of the content. */
export function tenderSection(context: ContentContext, bids: readonly OcdsObject[]): OcdsObject {
  const { tender, parties } = context;
  const { procuringEntity } = tender;
  return compact({
    id: tender.id,
    tenderID: tender.tenderID,
    ...textsOf(tender, "title", "description"),
    status: tenderStatusOf(tender),
    statusDetails: tender.status,
    procuringEntity: procuringEntity && parties.refer(procuringEntity, "procuringEntity"),
    items: itemList(tender.items),
    lots: tender.lots.map((lot) => lotOf(lot, context)),
    value: moneyOf(tender.value),
    minimalStep: moneyOf(tender.minimalStep),
    guarantee: moneyOf(tender.guarantee),
    ...methodFields(tender),
    ...textsOf(tender, "eligibilityCriteria"),
    features: (tender.features ?? []).map(featureOf).filter((feature) => Object.keys(feature).length > 0),
    ...periodFields(context),
    hasEnquiries: tender.questions.length > 0 || tender.hasEnquiries,
    enquiries: tender.questions.map((question) => enquiryOf(question, context)),
    ...tendererFields(tender, bids),
    documents: documentList(tender.documents, context),
    complaints: complaintList(tender.complaints, context),
    cancellations: cancellationList(tender.cancellations, context),
  });
}

/** The status, as long as nothing is decided: see `withDecidedStatus`. */
const tenderStatusOf = ({ status }: PublicTender): string => (isFinalStatus(status) ? status : "active");

const isFinalStatus = (status: TenderStatus): boolean => FINAL_STATUSES.includes(status);

/**
 * A tender is complete for OCDS as soon as it has awards: from then on, the awards have statuses of their own. The same is true of each
 * lot that an award is for.
 */
export function withDecidedStatus(content: OcdsObject): OcdsObject {
  if (content.awards === undefined && content.contracts === undefined) return content;
  const tender = objectAt(content, "tender");
  const decided = lotsWithAwards(content);
  const lots = objectsIn(tender.lots).map((lot) =>
    lot.status === "active" && decided.has(lot.id) ? { ...lot, status: "complete" } : lot,
  );
  const status = tender.status === "active" ? "complete" : tender.status;
  return { ...content, tender: compact({ ...tender, status, lots }) };
}

/** The ids of the lots that the awards of a release are for. */
export const lotsWithAwards = ({ awards }: OcdsObject): ReadonlySet<unknown> =>
  new Set(objectsIn(awards).flatMap(({ relatedLots }) => (isOcdsList(relatedLots) ? relatedLots : [])));

/** The method. The criterion that the API calls `lowestCost` is deprecated in OCDS: it is the price, rated if there are features. */
const methodFields = (tender: PublicTender) => ({
  procurementMethod: tender.procurementMethod,
  procurementMethodDetails: tender.procurementMethodType ?? UNTYPED_PROCEDURE,
  ...(tender.procurementMethodRationale
    ? textsOf(tender, "procurementMethodRationale")
    : rationaleOf(textsOf(tender, "causeDescription"))),
  cause: tender.cause,
  mainProcurementCategory: procurementCategoryOf(tender.items),
  awardCriteria: tender.awardCriteria && (tender.features?.length ? "ratedCriteria" : "priceOnly"),
  ...textsOf(tender, "awardCriteriaDetails"),
  submissionMethod: tender.submissionMethod && [tender.submissionMethod],
  ...textsOf(tender, "submissionMethodDetails"),
});

/** The grounds for buying without competition are the rationale of the method. */
const rationaleOf = (causes: { readonly [name: string]: string }) =>
  Object.fromEntries(
    Object.entries(causes).map(([name, text]) => [
      name.replace("causeDescription", "procurementMethodRationale"),
      text,
    ]),
  );

const periodFields = (context: ContentContext) => {
  const { tender } = context;
  return {
    enquiryPeriod: periodOf(tender.enquiryPeriod),
    tenderPeriod: periodOf(tender.tenderPeriod),
    awardPeriod: periodOf(tender.awardPeriod),
    auctionPeriod: periodOf(tender.auctionPeriod),
    auctionUrl: webAddressOf(absoluteAddress(context, tender.auctionUrl)),
  };
};

const lotOf = (lot: Lot, context: ContentContext): OcdsObject =>
  compact({
    id: lot.id,
    ...textsOf(lot, "title", "description"),
    status: lotStatusOf(lot, context.tender),
    statusDetails: lot.status,
    value: moneyOf(lot.value),
    minimalStep: moneyOf(lot.minimalStep),
    guarantee: moneyOf(lot.guarantee),
    auctionPeriod: periodOf(lot.auctionPeriod),
    auctionUrl: webAddressOf(absoluteAddress(context, lot.auctionUrl)),
  });

/** The status of a lot: what was still open when the tender ended has ended with it. */
const lotStatusOf = ({ status }: Lot, { status: tenderStatus }: PublicTender): string =>
  status === "active" && isFinalStatus(tenderStatus) ? tenderStatus : status;

const featureOf = (feature: Feature): OcdsObject =>
  compact({
    code: feature.code,
    ...textsOf(feature, "title", "description"),
    featureOf: feature.featureOf,
    relatedItem: feature.relatedItem,
    options: (feature.enum ?? [])
      .map((option) => compact({ ...textsOf(option, "title", "description"), value: decimalOf(option.value) }))
      .filter((option) => Object.keys(option).length > 0),
  });

const enquiryOf = (question: Question, { parties }: ContentContext): OcdsObject =>
  compact({
    id: question.id,
    date: dateOf(question.date),
    author: question.author && parties.refer(question.author, `enquiries/${question.id}`),
    title: question.title,
    description: question.description,
    answer: question.answer,
    dateAnswered: dateOf(question.dateAnswered),
    relatedItem: question.questionOf === "item" ? question.relatedItem : undefined,
    relatedLot: question.questionOf === "lot" ? question.relatedItem : undefined,
  });

/**
 * Who has submitted a bid, as far as everybody may know. While bids can still be withdrawn, only the bids themselves say so: a tenderer
 * could not be removed from the list. A bid may name nobody: its tenderer is not counted as none.
 */
function tendererFields(tender: PublicTender, bids: readonly OcdsObject[]) {
  if (tender.bids === undefined || isOpenForBids(tender)) return {};
  const tenderers = distinctBy(
    bids.flatMap((bid) => objectsIn(bid.tenderers)),
    ({ id }) => String(id),
  );
  const isNobodyKnown = tenderers.length === 0 && (bids.length > 0 || !isAbsenceOfBidsKnown(tender));
  return isNobodyKnown ? {} : { numberOfTenderers: tenderers.length, tenderers };
}

/** Whether bids can still come, change and be withdrawn. */
const isOpenForBids = ({ status }: PublicTender): boolean =>
  status === "active.enquiries" || status === "active.tendering";

/**
 * Whether a tender without bids that is no longer open for them is known to have had none. A tender that ends before the deadline may
 * have had some. If bids are sealed, cancelling the tender deletes them unseen, even during the auction.
 */
function isAbsenceOfBidsKnown({ status, date, tenderPeriod, procurementMethodType }: PublicTender): boolean {
  if (tenderPeriod?.endDate === undefined || date < tenderPeriod.endDate) return false;
  return status !== "cancelled" || !sealsBids(PROCEDURES[procurementMethodType ?? UNTYPED_PROCEDURE]);
}
