/**
 * Every field that is accepted and ignored, with the reason; any other field is stored or refused. Clients send back what they
 * have read, so sending these is not a mistake. A test compares the list with the shapes and with what the service does.
 */

type Reasons = { readonly [shape: string]: { readonly [path: string]: string } };

const NUMBERED = "given by the service";
const STAMPED = "the moment at which it happened, taken by the service";
const COMPUTED = "computed by the service from what it knows";
const PROCEDURE = "follows from the procedure";
const AUCTION = "set by the auction service alone";
const HAS_OWN_ADDRESS = "has an address of its own, where it is added and changed";
const APART_ONCE_NEW = "comes with a new bid, and has an address of its own from then on";
const UNUSED = "known to the protocol, and ignored by it";
const STORED_ELSEWHERE = "what the established system stores with a tender";
const READ_ELSEWHERE = "a client sends back the bid that it read elsewhere";
const SHOWN = "shown for orientation, and changed elsewhere";

/** Names that are not fields of the shape, but are ignored instead of refused. */
const OTHER_IGNORED_NAMES: Reasons = {
  Tender: {
    _attachments: STORED_ELSEWHERE,
    _id: STORED_ELSEWHERE,
    _rev: STORED_ELSEWHERE,
    doc_id: STORED_ELSEWHERE,
    doc_type: STORED_ELSEWHERE,
  },
  AuctionBid: { documents: READ_ELSEWHERE, status: READ_ELSEWHERE, tenderers: READ_ELSEWHERE },
};
export const IGNORED_NAMES: { readonly [shape: string]: readonly string[] } = Object.fromEntries(
  Object.entries(OTHER_IGNORED_NAMES).map(([shape, names]) => [shape, Object.keys(names)]),
);

/** Ignored both in a new object and in a PATCH. */
export const OWNED_BY_SERVICE: Reasons = {
  Tender: {
    id: NUMBERED,
    tenderID: NUMBERED,
    owner: COMPUTED,
    date: STAMPED,
    dateModified: STAMPED,
    next_check: COMPUTED,
    procurementMethod: PROCEDURE,
    submissionMethod: PROCEDURE,
    awardCriteria: PROCEDURE,
    numberOfBids: COMPUTED,
    auctionUrl: AUCTION,
    awardPeriod: COMPUTED,
    documents: HAS_OWN_ADDRESS,
    questions: HAS_OWN_ADDRESS,
    bids: HAS_OWN_ADDRESS,
    awards: HAS_OWN_ADDRESS,
    contracts: HAS_OWN_ADDRESS,
    complaints: HAS_OWN_ADDRESS,
    cancellations: HAS_OWN_ADDRESS,
  },
  Document: {
    id: NUMBERED,
    url: COMPUTED,
    hash: COMPUTED,
    datePublished: STAMPED,
    dateModified: STAMPED,
    author: COMPUTED,
    previousVersions: COMPUTED,
  },
  Registration: {
    id: NUMBERED,
    datePublished: STAMPED,
    dateModified: STAMPED,
    author: COMPUTED,
    previousVersions: COMPUTED,
  },
  Lot: {
    status: COMPUTED,
    date: STAMPED,
    auctionUrl: AUCTION,
  },
  Question: {
    id: NUMBERED,
    date: STAMPED,
    dateAnswered: STAMPED,
  },
  Bid: {
    id: NUMBERED,
    date: STAMPED,
    participationUrl: AUCTION,
    documents: APART_ONCE_NEW,
  },
  LotValue: {
    date: STAMPED,
    participationUrl: AUCTION,
  },
  Award: {
    id: NUMBERED,
    date: STAMPED,
    documents: HAS_OWN_ADDRESS,
    complaints: HAS_OWN_ADDRESS,
  },
  Contract: {
    id: NUMBERED,
    date: STAMPED,
    contractID: NUMBERED,
    documents: HAS_OWN_ADDRESS,
  },
  Complaint: {
    id: NUMBERED,
    complaintID: NUMBERED,
    date: STAMPED,
    type: COMPUTED,
    dateSubmitted: STAMPED,
    dateAnswered: STAMPED,
    tendererActionDate: STAMPED,
    dateEscalated: STAMPED,
    acceptance: COMPUTED,
    dateAccepted: STAMPED,
    dateDecision: STAMPED,
    dateCanceled: STAMPED,
    documents: HAS_OWN_ADDRESS,
  },
  Cancellation: {
    id: NUMBERED,
    date: STAMPED,
    reason_en: UNUSED,
    reason_ru: UNUSED,
    documents: HAS_OWN_ADDRESS,
  },
  Auction: {
    tenderID: NUMBERED,
    dateModified: STAMPED,
    items: SHOWN,
    auctionPeriod: SHOWN,
    minimalStep: SHOWN,
    features: SHOWN,
    tenderPeriod: SHOWN,
  },
  AuctionBid: {
    parameters: SHOWN,
  },
  AuctionLot: {
    status: SHOWN,
    date: STAMPED,
    title: SHOWN,
    title_en: SHOWN,
    title_ru: SHOWN,
    description: SHOWN,
    description_en: SHOWN,
    description_ru: SHOWN,
    value: SHOWN,
    minimalStep: SHOWN,
    guarantee: SHOWN,
    auctionPeriod: SHOWN,
  },
  AuctionPeriod: {
    shouldStartAfter: COMPUTED,
  },
  HistoryEntry: {
    changes: SHOWN,
  },
  HistoryChange: {
    before: SHOWN,
    after: SHOWN,
  },
  Schedule: {
    id: NUMBERED,
    status: SHOWN,
    mode: SHOWN,
    next_check: SHOWN,
    enquiryPeriod: SHOWN,
    tenderPeriod: SHOWN,
    auctionPeriod: SHOWN,
    awardPeriod: SHOWN,
    submissionMethodDetails: SHOWN,
    numberOfBids: SHOWN,
    lots: SHOWN,
    awards: SHOWN,
    complaints: SHOWN,
  },
  ScheduledLot: {
    id: NUMBERED,
    status: SHOWN,
    auctionPeriod: SHOWN,
    numberOfBids: SHOWN,
  },
  Credentials: {
    id: NUMBERED,
    owner: COMPUTED,
    tender_token: COMPUTED,
  },
  Entry: {
    id: NUMBERED,
    dateModified: STAMPED,
  },
};

const PLANNED = "planned by the scheduler";
const BUYERS = "the buyer's to say, later";
const OF_TENDER = "follows the tender's own";
const REVIEWERS = "the reviewers' to say, later";
const QUESTION_FIXED = "a question stays as it was asked";
const BY_ROLE = "not this writer's to change, or not now";

const AWARD_SET_BY_SERVICE = {
  status: "an award is pending until it is decided on",
  complaintPeriod: "set by the service",
};
const ITEMS_OF_TENDER = { items: "those of the tender" };
const NEEDS_NO_QUALIFICATION = { qualified: "the procedure does not ask whether a supplier is qualified" };

const MONEY_OF_LOT = {
  "value.currency": OF_TENDER,
  "value.valueAddedTaxIncluded": OF_TENDER,
  "minimalStep.currency": OF_TENDER,
  "minimalStep.valueAddedTaxIncluded": OF_TENDER,
};

/** Ignored in a new object. What follows a comma limits the entry to one kind of request. */
export const IGNORED_WHEN_NEW: Reasons = {
  Tender: { "enquiryPeriod.startDate": "the moment of publication", auctionPeriod: PLANNED },
  Question: { answer: BUYERS },
  Lot: { ...MONEY_OF_LOT, auctionPeriod: PLANNED },
  "Award, belowThreshold": AWARD_SET_BY_SERVICE,
  "Award, direct": { ...AWARD_SET_BY_SERVICE, ...ITEMS_OF_TENDER },
  "Award, direct, without qualification": { ...AWARD_SET_BY_SERVICE, ...ITEMS_OF_TENDER, ...NEEDS_NO_QUALIFICATION },
  Contract: {
    status: "a contract is pending until it is signed",
    dateSigned: "said when it is signed",
  },
  Complaint: {
    resolution: BUYERS,
    resolutionType: BUYERS,
    tendererAction: BUYERS,
    satisfied: "said of an answer",
    decision: REVIEWERS,
    cancellationReason: "said when it is taken back",
  },
  "Complaint, of an award": { relatedLot: "the lot of the award" },
  "Complaint, of a direct award": {
    status: "a new complaint is pending, or else a draft",
    rejectReason: REVIEWERS,
    rejectReasonDescription: REVIEWERS,
    reviewDate: REVIEWERS,
    reviewPlace: REVIEWERS,
  },
};

const BUYER_KIND = { "procuringEntity.kind": "fixed when it was published" };
const REPAIRED = { complaintPeriod: "set by the service; an administrator may repair it" };
const SUMMED = "the sum, or the least, of the lots";
const DECIDED_ON = "fixed when the award was made";
const RESULTS = "results come with POST";
const ADDRESSES = "addresses come with PATCH";
const NO_LOTS = "the tender has no lots";
const OF_LOT = "of a lot's auction only what concerns that lot counts";

const COMPLAINT_FIELDS = [
  ...(["author", "title", "description", "status", "resolution", "resolutionType", "tendererAction"] as const),
  ...(["satisfied", "decision", "rejectReason", "rejectReasonDescription", "reviewDate", "reviewPlace"] as const),
  "cancellationReason" as const,
];

/** The fields of a complaint that its writer cannot change, given those that it can. */
const allBut = (...writable: readonly (typeof COMPLAINT_FIELDS)[number][]) =>
  Object.fromEntries(COMPLAINT_FIELDS.filter((name) => !writable.includes(name)).map((name) => [name, BY_ROLE]));

const ONLY_UNITS = "of the items of a contract, only the unit and its price change";
const DELIVERY = ["deliveryDate", "deliveryAddress", "deliveryLocation", "relatedLot"];
const DESCRIPTION = ["id", "description", "description_en", "description_ru", "quantity"];
const ALL_BUT_UNITS = Object.fromEntries(
  [...DESCRIPTION, "classification", "additionalClassifications", ...DELIVERY].map((name) => [
    `items.0.${name}`,
    ONLY_UNITS,
  ]),
);

/** Ignored in a PATCH. */
export const IGNORED_WHEN_CHANGED: Reasons = {
  Tender: {
    status: "only the owner's own moves are carried out",
    mode: "fixed when it was published",
    procurementMethodType: "fixed when it was published",
    "enquiryPeriod.startDate": "the moment of publication",
    auctionPeriod: PLANNED,
    lots: "lots have addresses of their own",
  },
  "Tender, belowThreshold": {
    "value.amount": SUMMED,
    "minimalStep.amount": SUMMED,
    ...BUYER_KIND,
  },
  "Tender, direct": BUYER_KIND,
  "Tender, direct, without qualification": BUYER_KIND,
  "Tender, by the scheduler": { "*": "a scheduler plans auctions, and changes nothing else" },
  Question: {
    title: QUESTION_FIXED,
    description: QUESTION_FIXED,
    author: QUESTION_FIXED,
    questionOf: QUESTION_FIXED,
    relatedItem: QUESTION_FIXED,
  },
  Lot: { id: "fixed when it was added", ...MONEY_OF_LOT, auctionPeriod: PLANNED },
  "Award, belowThreshold": {
    bid_id: DECIDED_ON,
    lotID: DECIDED_ON,
    suppliers: DECIDED_ON,
    value: DECIDED_ON,
    items: DECIDED_ON,
    ...REPAIRED,
  },
  "Award, direct": { ...ITEMS_OF_TENDER, ...REPAIRED },
  "Award, direct, without qualification": { ...ITEMS_OF_TENDER, ...REPAIRED, ...NEEDS_NO_QUALIFICATION },
  Contract: { awardID: "fixed", suppliers: "those of the award" },
  "Contract, belowThreshold": ITEMS_OF_TENDER,
  "Contract, direct": ALL_BUT_UNITS,
  "Contract, direct, without qualification": ALL_BUT_UNITS,
  Cancellation: {
    reason: "only its status changes",
    cancellationOf: "only its status changes",
    relatedLot: "only its status changes",
  },
  Complaint: { relatedLot: BY_ROLE },
  "Complaint, a draft, by its author": allBut("author", "title", "description", "status"),
  "Complaint, a claim, by the buyer": allBut("resolution", "resolutionType", "status", "tendererAction"),
  "Complaint, an answered claim, by its author": allBut("satisfied", "status"),
  "Complaint, a claim that is taken back": allBut("cancellationReason", "status"),
  "Complaint, a draft for the reviewers, by its author": allBut("author", "title", "description", "status"),
  "Complaint, pending, by the reviewers": allBut("decision", "status", "rejectReason", "rejectReasonDescription"),
  "Complaint, accepted, by the reviewers": allBut("decision", "status", "reviewDate", "reviewPlace"),
  "Complaint, before the reviewers, by the buyer": allBut("tendererAction"),
  "Complaint, satisfied, by the buyer": allBut("status", "tendererAction"),
  "Complaint, taken back from the reviewers": allBut("cancellationReason", "status"),
  "Auction, PATCH": { "bids.0.date": RESULTS, "bids.0.value": RESULTS, "bids.0.lotValues": NO_LOTS },
  "Auction, POST": {
    auctionUrl: ADDRESSES,
    lots: ADDRESSES,
    "bids.0.participationUrl": ADDRESSES,
    "bids.0.lotValues": NO_LOTS,
  },
  "Auction, PATCH of a lot": { "bids.0.date": OF_LOT, "bids.0.value": OF_LOT },
  "Auction, POST of a lot": {
    auctionUrl: ADDRESSES,
    lots: ADDRESSES,
    "bids.0.date": OF_LOT,
    "bids.0.value": OF_LOT,
    "bids.0.participationUrl": ADDRESSES,
  },
};
