/**
 * Every field that may be sent and changes nothing, and why: the one list of what is not refused though it is not kept. Clients
 * send back what they have read, so these are no mistakes. A test holds the list to the shapes and to what the service does.
 */

type Reasons = { readonly [shape: string]: { readonly [path: string]: string } };

const NUMBERED = "given by the service";
const STAMPED = "the moment at which it happened, taken by the service";
const COMPUTED = "computed by the service from what it knows";
const PROCEDURE = "follows from the procedure (core.md 3.16)";
const AUCTION = "set by the auction service alone (lifecycle.md 3)";
const APART = "has an address of its own, where it is added and changed";
const APART_ONCE_NEW = "comes with a new bid, and has an address of its own from then on (lifecycle.md 2.1)";
const UNUSED = "known to the protocol, and ignored by it (lifecycle.md 6, 7)";
const STORED_ELSEWHERE = "what the established system stores with a tender (core.md 3.1)";
const READ_ELSEWHERE = "a client sends back the bid that it read elsewhere (lifecycle.md 3.3)";
const SHOWN = "shown for orientation, and changed elsewhere";

/** Names that are no fields of a shape, and are still ignored there. */
const IGNORED_OTHERS: Reasons = {
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
  Object.entries(IGNORED_OTHERS).map(([shape, names]) => [shape, Object.keys(names)]),
);

/** Whatever is sent in these fields is ignored, in a new object and in a change of one. */
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
    documents: APART,
    questions: APART,
    bids: APART,
    awards: APART,
    contracts: APART,
    complaints: APART,
    cancellations: APART,
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
    documents: APART,
    complaints: APART,
  },
  Contract: {
    id: NUMBERED,
    date: STAMPED,
    contractID: NUMBERED,
    documents: APART,
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
    decision: UNUSED,
    dateDecision: STAMPED,
    dateCanceled: STAMPED,
    documents: APART,
  },
  Cancellation: {
    id: NUMBERED,
    date: STAMPED,
    reason_en: UNUSED,
    reason_ru: UNUSED,
    documents: APART,
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

const PLANNED = "planned by the scheduler (core.md 3.16)";
const BUYERS = "the buyer's to say, later (core.md 6, lifecycle.md 6.2)";
const OF_TENDER = "follows the tender's own (lifecycle.md 8)";
const ASKED = "a question stays as it was asked (core.md 6)";
const BY_ROLE = "not this writer's to change, or not now (lifecycle.md 6.3)";

const MONEY_OF_LOT = {
  "value.currency": OF_TENDER,
  "value.valueAddedTaxIncluded": OF_TENDER,
  "minimalStep.currency": OF_TENDER,
  "minimalStep.valueAddedTaxIncluded": OF_TENDER,
};

/** Ignored in a new object. Names with a comma are of one kind of request alone. */
export const IGNORED_WHEN_NEW: Reasons = {
  Tender: { "enquiryPeriod.startDate": "the moment of publication (core.md 3.6)", auctionPeriod: PLANNED },
  Question: { answer: BUYERS },
  Lot: { ...MONEY_OF_LOT, auctionPeriod: PLANNED },
  "Award, belowThreshold": {
    status: "an award is pending until it is decided on (lifecycle.md 4.2)",
    complaintPeriod: "set by the service (lifecycle.md 4.2)",
  },
  Contract: {
    status: "a contract is pending until it is signed (lifecycle.md 5.2)",
    dateSigned: "said when it is signed (lifecycle.md 5.2)",
  },
  Complaint: {
    resolution: BUYERS,
    resolutionType: BUYERS,
    tendererAction: BUYERS,
    satisfied: "said of an answer (lifecycle.md 6.2)",
    cancellationReason: "said when it is taken back (lifecycle.md 6.2)",
  },
  "Complaint, of an award": { relatedLot: "the lot of the award (lifecycle.md 6.2)" },
};

const SUMMED = "the sum, or the least, of the lots (lifecycle.md 8)";
const DECIDED_ON = "fixed when the award was made (lifecycle.md 4.4)";
const RESULTS = "results come with POST (lifecycle.md 3.2)";
const ADDRESSES = "addresses come with PATCH (lifecycle.md 3.2)";
const NO_LOTS = "the tender has no lots (lifecycle.md 3.4)";
const OF_LOT = "of a lot's auction only what concerns that lot counts (lifecycle.md 3.4)";

/** Ignored in a change. */
export const IGNORED_WHEN_CHANGED: Reasons = {
  Tender: {
    status: "only the owner's own moves are carried out (core.md 3.6)",
    mode: "fixed when it was published (core.md 3.15)",
    procurementMethodType: "fixed when it was published (core.md 3.15)",
    "enquiryPeriod.startDate": "the moment of publication (core.md 3.6)",
    auctionPeriod: PLANNED,
    lots: "lots have addresses of their own (core.md 3.15, lifecycle.md 8)",
  },
  "Tender, belowThreshold": {
    "value.amount": SUMMED,
    "minimalStep.amount": SUMMED,
    "procuringEntity.kind": "fixed when it was published (core.md 3.15)",
  },
  "Tender, by the scheduler": { "*": "a scheduler plans auctions, and changes nothing else (core.md 3.15)" },
  Question: { title: ASKED, description: ASKED, author: ASKED, questionOf: ASKED, relatedItem: ASKED },
  Lot: { id: "fixed when it was added (core.md 3.15)", ...MONEY_OF_LOT, auctionPeriod: PLANNED },
  "Award, belowThreshold": {
    bid_id: DECIDED_ON,
    lotID: DECIDED_ON,
    suppliers: DECIDED_ON,
    value: DECIDED_ON,
    items: DECIDED_ON,
    complaintPeriod: "set by the service; an administrator may repair it (lifecycle.md 4.4)",
  },
  Contract: {
    awardID: "fixed (lifecycle.md 5.3)",
    suppliers: "those of the award (lifecycle.md 5.3)",
    items: "those of the tender (lifecycle.md 5.3)",
  },
  Cancellation: {
    reason: "only its status changes (lifecycle.md 7)",
    cancellationOf: "only its status changes (lifecycle.md 7)",
    relatedLot: "only its status changes (lifecycle.md 7)",
  },
  Complaint: { relatedLot: BY_ROLE },
  "Complaint, a draft, by its author": {
    resolution: BY_ROLE,
    resolutionType: BY_ROLE,
    tendererAction: BY_ROLE,
    satisfied: BY_ROLE,
    cancellationReason: BY_ROLE,
  },
  "Complaint, a claim, by the buyer": {
    author: BY_ROLE,
    title: BY_ROLE,
    description: BY_ROLE,
    satisfied: BY_ROLE,
    cancellationReason: BY_ROLE,
  },
  "Complaint, an answered claim, by its author": {
    author: BY_ROLE,
    title: BY_ROLE,
    description: BY_ROLE,
    resolution: BY_ROLE,
    resolutionType: BY_ROLE,
    tendererAction: BY_ROLE,
    cancellationReason: BY_ROLE,
  },
  "Complaint, a claim that is taken back": {
    author: BY_ROLE,
    title: BY_ROLE,
    description: BY_ROLE,
    resolution: BY_ROLE,
    resolutionType: BY_ROLE,
    tendererAction: BY_ROLE,
    satisfied: BY_ROLE,
  },
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
