import fc from "fast-check";
import {
  AWARD_STATUSES,
  BID_STATUSES,
  CANCELLATION_REASON_TYPES,
  CANCELLATION_STATUSES,
  CANCELLATION_SUBJECTS,
  COMPLAINT_STATUSES,
  COMPLAINT_TYPES,
  CONTRACT_STATUSES,
  ENTITY_KINDS,
  FEATURE_SUBJECTS,
  LOT_STATUSES,
  RESOLUTIONS,
  SUBJECT_KINDS,
  TENDER_STATUSES,
} from "../../src/domain/model/tender.ts";
import { PROCUREMENT_METHOD_TYPES } from "../../src/domain/procedures/names.ts";
import type {
  LinkedAward,
  LinkedBid,
  LinkedCancellation,
  LinkedComplaint,
  LinkedContract,
  PublicTender,
} from "../../src/views/publicTender.ts";
import {
  address,
  documents,
  id,
  items,
  listed,
  number,
  oneOf,
  organization,
  organizations,
  period,
  some,
  texts,
  time,
  titled,
  value,
} from "./randomTenderParts.ts";

/** Public tenders that no rules have checked, made of the parts in `randomTenderParts.ts`. */

const owned = { owner: texts, tokenHash: texts };

const complaint: fc.Arbitrary<LinkedComplaint> = some<
  LinkedComplaint,
  "id" | "complaintID" | "date" | "status" | "type" | "owner" | "tokenHash" | "documents"
>(
  {
    ...owned,
    id,
    complaintID: texts,
    date: time,
    status: oneOf(COMPLAINT_STATUSES),
    type: oneOf(COMPLAINT_TYPES),
    relatedLot: id,
    author: organization,
    title: texts,
    description: texts,
    dateSubmitted: time,
    resolution: texts,
    resolutionType: oneOf(RESOLUTIONS),
    dateAnswered: time,
    settlesAt: time,
    tendererAction: texts,
    tendererActionDate: time,
    satisfied: fc.boolean(),
    dateEscalated: time,
    acceptance: fc.boolean(),
    dateAccepted: time,
    rejectReason: texts,
    rejectReasonDescription: texts,
    reviewDate: time,
    reviewPlace: texts,
    decision: texts,
    dateDecision: time,
    cancellationReason: texts,
    dateCanceled: time,
    documents,
  },
  ["id", "complaintID", "date", "status", "type", "owner", "tokenHash", "documents"],
);

const bid: fc.Arbitrary<LinkedBid> = some<LinkedBid, "id" | "date" | "status" | "owner" | "tokenHash" | "documents">(
  {
    ...owned,
    id,
    date: time,
    status: oneOf(BID_STATUSES),
    tenderers: organizations,
    value,
    lotValues: fc.array(some({ relatedLot: id, value, date: time, participationUrl: address }), { maxLength: 2 }),
    parameters: fc.array(some({ code: texts, value: number }), { maxLength: 2 }),
    participationUrl: address,
    linkNumber: fc.nat(),
    documents,
  },
  ["id", "date", "status", "owner", "tokenHash", "documents"],
);

const award: fc.Arbitrary<LinkedAward> = some<LinkedAward, "id" | "date" | "status" | "documents" | "complaints">(
  {
    ...titled,
    id,
    date: time,
    status: oneOf(AWARD_STATUSES),
    bid_id: id,
    lotID: id,
    suppliers: organizations,
    qualified: fc.boolean(),
    subcontractingDetails: texts,
    value,
    items,
    complaintPeriod: period,
    documents,
    complaints: listed(complaint),
  },
  ["id", "date", "status", "documents", "complaints"],
);

const contract: fc.Arbitrary<LinkedContract> = some<
  LinkedContract,
  "id" | "date" | "status" | "awardID" | "contractID" | "documents"
>(
  {
    ...titled,
    id,
    date: time,
    status: oneOf(CONTRACT_STATUSES),
    awardID: id,
    contractID: texts,
    contractNumber: texts,
    period,
    value,
    dateSigned: time,
    items,
    suppliers: organizations,
    documents,
  },
  ["id", "date", "status", "awardID", "contractID", "documents"],
);

const cancellation: fc.Arbitrary<LinkedCancellation> = some<
  LinkedCancellation,
  "id" | "date" | "status" | "cancellationOf" | "documents"
>(
  {
    id,
    date: time,
    status: oneOf(CANCELLATION_STATUSES),
    cancellationOf: oneOf(CANCELLATION_SUBJECTS),
    reason: texts,
    reason_en: texts,
    reason_ru: texts,
    reasonType: oneOf(CANCELLATION_REASON_TYPES),
    relatedLot: id,
    documents,
  },
  ["id", "date", "status", "cancellationOf", "documents"],
);

const lot = some(
  {
    ...titled,
    id,
    status: oneOf(LOT_STATUSES),
    date: time,
    value,
    minimalStep: value,
    guarantee: value,
    auctionPeriod: period,
    auctionUrl: fc.oneof(address, fc.constant("/auctions/tenders/1")),
  },
  ["id", "status", "date"],
);
const question = some(
  {
    id,
    date: time,
    title: texts,
    description: texts,
    author: organization,
    questionOf: oneOf(SUBJECT_KINDS),
    relatedItem: id,
    answer: texts,
    dateAnswered: time,
  },
  ["id", "date"],
);
const feature = some({
  ...titled,
  code: texts,
  featureOf: oneOf(FEATURE_SUBJECTS),
  relatedItem: id,
  enum: fc.array(some({ ...titled, value: number }), { maxLength: 2 }),
});

/** Any public tender that is not a draft. Its id is always the same. */
export const randomPublicTender: fc.Arbitrary<PublicTender> = some<
  PublicTender,
  | "id"
  | "tenderID"
  | "status"
  | "owner"
  | "date"
  | "dateModified"
  | "procurementMethod"
  | "lots"
  | "questions"
  | "documents"
  | "awards"
  | "contracts"
  | "complaints"
  | "cancellations"
>(
  {
    ...titled,
    procurementMethodRationale: texts,
    procurementMethodRationale_en: texts,
    procurementMethodRationale_ru: texts,
    awardCriteriaDetails: texts,
    awardCriteriaDetails_en: texts,
    awardCriteriaDetails_ru: texts,
    submissionMethodDetails: texts,
    submissionMethodDetails_en: texts,
    submissionMethodDetails_ru: texts,
    eligibilityCriteria: texts,
    eligibilityCriteria_en: texts,
    eligibilityCriteria_ru: texts,
    causeDescription: texts,
    causeDescription_en: texts,
    causeDescription_ru: texts,
    cause: texts,
    procurementMethodDetails: texts,
    hasEnquiries: fc.boolean(),
    numberOfBidders: fc.nat(),
    procuringEntity: fc
      .tuple(organization, some({ kind: oneOf(ENTITY_KINDS) }))
      .map(([buyer, more]) => ({ ...buyer, ...more })),
    value,
    minimalStep: value,
    guarantee: value,
    items,
    features: fc.array(feature, { maxLength: 2 }),
    enquiryPeriod: period,
    tenderPeriod: period,
    plannedAwardPeriod: period,
    deliveryDate: period,
    id: fc.constant("1"),
    tenderID: fc.constant("UA-2026-11-16-000001"),
    owner: texts,
    status: oneOf(TENDER_STATUSES.filter((status) => status !== "draft")),
    mode: fc.constant("test" as const),
    testClock: texts,
    date: time,
    dateModified: time,
    auctionPeriod: some({ startDate: time, endDate: time, shouldStartAfter: time }),
    auctionUrl: address,
    auctionEndsAt: time,
    awardPeriod: period,
    lots: listed(lot),
    questions: listed(question),
    documents,
    awards: listed(award),
    contracts: listed(contract),
    complaints: listed(complaint),
    cancellations: listed(cancellation),
    bids: listed(bid),
    procurementMethod: oneOf(["open", "limited"] as const),
    procurementMethodType: oneOf(PROCUREMENT_METHOD_TYPES),
    submissionMethod: fc.constant("electronicAuction" as const),
    awardCriteria: fc.constant("lowestCost" as const),
    next_check: time,
    numberOfBids: fc.nat(),
  },
  [
    "id",
    "tenderID",
    "status",
    "owner",
    "date",
    "dateModified",
    "procurementMethod",
    "lots",
    "questions",
    "documents",
    "awards",
    "contracts",
    "complaints",
    "cancellations",
  ],
).map(({ mode: _mode, testClock: _testClock, ...tender }) => tender);
