import { csvCell } from "../../base/csv.ts";
import type {
  CANCELLATION_REASON_TYPES,
  CANCELLATION_STATUSES,
  CANCELLATION_SUBJECTS,
  COMPLAINT_STATUSES,
  COMPLAINT_TYPES,
  EntityKind,
  FEATURE_SUBJECTS,
  LOT_STATUSES,
  RESOLUTIONS,
  TenderStatus,
} from "../../domain/model/tender.ts";

/** The codelists of our extension. The compiler asks for every code that the model has. */

/** The title and the description of each code. */
type Codelist<Code extends string> = { readonly [code in Code]: readonly [title: string, description: string] };

const complaintStatus: Codelist<Exclude<(typeof COMPLAINT_STATUSES)[number], "draft">> = {
  claim: ["Claim", "The buyer has to answer."],
  answered: ["Answered", "The buyer has answered."],
  pending: ["Pending", "A review body has to decide."],
  accepted: ["Accepted", "The review body considers the complaint."],
  invalid: ["Invalid", "The complaint is not valid, so it was not considered."],
  resolved: ["Resolved", "The author is satisfied with the answer, or the buyer has done what was decided."],
  declined: ["Declined", "The complaint was considered and dismissed."],
  cancelled: ["Cancelled", "The author withdrew the complaint."],
  ignored: ["Ignored", "The buyer did not answer in time."],
  satisfied: ["Satisfied", "The review body upheld the complaint."],
  stopping: ["Stopping", "The author has asked the review body to stop."],
  stopped: ["Stopped", "The review body has stopped considering the complaint."],
  mistaken: ["Mistaken", "The author withdrew the complaint before it was considered."],
};

const complaintType: Codelist<(typeof COMPLAINT_TYPES)[number]> = {
  claim: ["Claim", "The buyer answers."],
  complaint: ["Complaint", "A review body decides."],
};

const complaintResolution: Codelist<(typeof RESOLUTIONS)[number]> = {
  invalid: ["Invalid", "The claim is not valid."],
  resolved: ["Resolved", "The buyer does what the claim asks for."],
  declined: ["Declined", "The buyer does not do what the claim asks for."],
};

const cancellationStatus: Codelist<(typeof CANCELLATION_STATUSES)[number]> = {
  pending: ["Pending", "The cancellation is prepared. It has no effect yet."],
  active: ["Active", "The tender or the lot is cancelled."],
};

const cancellationSubject: Codelist<(typeof CANCELLATION_SUBJECTS)[number]> = {
  tender: ["Tender", "The whole tender."],
  lot: ["Lot", "One of its lots."],
};

const cancellationReasonType: Codelist<(typeof CANCELLATION_REASON_TYPES)[number]> = {
  cancelled: ["Cancelled", "The buyer no longer buys."],
  unsuccessful: ["Unsuccessful", "The tender has not led to a contract."],
};

const featureSubject: Codelist<(typeof FEATURE_SUBJECTS)[number]> = {
  tenderer: ["Tenderer", "The bidder."],
  lot: ["Lot", "A lot."],
  item: ["Item", "An item."],
};

const tenderStage: Codelist<Exclude<TenderStatus, "draft">> = {
  "active.enquiries": ["Enquiries", "Suppliers ask questions, and the buyer may change the terms."],
  "active.tendering": ["Tendering", "Suppliers submit bids."],
  "active.auction": ["Auction", "The bidders compete in an auction, or wait for it."],
  "active.qualification": ["Qualification", "The buyer decides on the bids."],
  "active.awarded": ["Awarded", "The decisions are made, and can be contested before contracts are signed."],
  active: ["Active", "The buyer records a purchase without competition."],
  complete: ["Complete", "The tender has led to a contract."],
  cancelled: ["Cancelled", "The buyer has cancelled the tender."],
  unsuccessful: ["Unsuccessful", "The tender has not led to a contract."],
};

const lotStage: Codelist<(typeof LOT_STATUSES)[number]> = {
  active: ["Active", "The lot is not decided yet, or its contract is not signed yet."],
  cancelled: ["Cancelled", "The buyer has cancelled the lot."],
  unsuccessful: ["Unsuccessful", "The lot has not led to a contract."],
  complete: ["Complete", "The lot has led to a contract."],
};

const buyerKind: Codelist<EntityKind> = {
  general: ["General", "A buyer that the general rules apply to."],
  special: ["Special", "A buyer in utilities, transport or another field with rules of its own."],
  defense: ["Defence", "A buyer that purchases for defence."],
  other: ["Other", "Another buyer."],
};

/** A code that is added to the codelist of roles. */
const partyRole: Codelist<"complainant"> = {
  complainant: ["Complainant", "An organisation that has complained about the tender or about an award."],
};

/** Codes that are added to the codelist of classifications. */
const itemClassificationScheme: Codelist<"ДК021" | "ДКПП" | "ДК003" | "ДК015" | "ДК018" | "specialNorms"> = {
  ДК021: ["ДК 021:2015", "The Unified Procurement Vocabulary of Ukraine, which has the codes of CPV."],
  ДКПП: ["ДК 016:2010", "The classification of products and services of Ukraine."],
  ДК003: ["ДК 003:2010", "The classification of occupations of Ukraine."],
  ДК015: ["ДК 015-97", "The classification of scientific and technical activities of Ukraine."],
  ДК018: ["ДК 018-2000", "The classification of buildings and structures of Ukraine."],
  specialNorms: ["Special norms", "A description by special rules, where no classification has a code."],
};

/** Codes that are added to the codelist of documents: those of the registry for which the standard has no code of the same meaning. */
const documentType: Codelist<
  "notice" | "commercialProposal" | "qualificationDocuments" | "eligibilityDocuments" | "registerExtract"
> = {
  notice: ["Notice", "A formal notice about what the document belongs to: the tender, an award or a contract."],
  commercialProposal: ["Commercial proposal", "The prices and terms that a bidder offers."],
  qualificationDocuments: ["Qualification documents", "What a bidder shows that it is qualified with."],
  eligibilityDocuments: ["Eligibility documents", "What a bidder shows that it may take part with."],
  registerExtract: ["Extract from a register", "What a public register says about the bidder."],
};

const CODELISTS = {
  "+documentType.csv": documentType,
  "+itemClassificationScheme.csv": itemClassificationScheme,
  "+partyRole.csv": partyRole,
  "complaintStatus.csv": complaintStatus,
  "complaintType.csv": complaintType,
  "complaintResolution.csv": complaintResolution,
  "cancellationStatus.csv": cancellationStatus,
  "cancellationSubject.csv": cancellationSubject,
  "cancellationReasonType.csv": cancellationReasonType,
  "featureSubject.csv": featureSubject,
  "buyerKind.csv": buyerKind,
  "tenderStage.csv": tenderStage,
  "lotStage.csv": lotStage,
} satisfies { readonly [file: string]: Codelist<string> };

const csvOf = (codelist: Codelist<string>): string =>
  [
    "Code,Title,Description",
    ...Object.entries(codelist).map(([code, words]) => [code, ...words].map(csvCell).join(",")),
  ]
    .map((line) => `${line}\n`)
    .join("");

/** The files of the codelists by their names. A name with a plus adds codes to a codelist of the standard. */
export const CODELIST_FILES: { readonly [file: string]: string } = Object.fromEntries(
  Object.entries(CODELISTS).map(([file, codelist]) => [file, csvOf(codelist)]),
);
