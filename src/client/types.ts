// Made by scripts/api.ts from the schemas of docs/api/2.5.json: do not edit, run `npm run api`.

/** A moment in ISO 8601. The registry shows its own zone and microseconds, and understands any zone. */
export type Timestamp = string;

/** What a PATCH takes: objects merge by key, lists by position, `null` clears. */
export type Patch<Sent> = Sent extends readonly (infer One)[]
  ? readonly Patch<One>[]
  : Sent extends object
    ? { readonly [Name in keyof Sent]?: Patch<Sent[Name]> | null }
    : Sent;

/** Tender, as the registry shows it. */
export type Tender = {
  readonly id: string;
  readonly tenderID: string;
  readonly owner: string;
  readonly status:
    | "draft"
    | "active.enquiries"
    | "active.tendering"
    | "active.auction"
    | "active.qualification"
    | "active.awarded"
    | "complete"
    | "cancelled"
    | "unsuccessful";
  readonly date: Timestamp;
  readonly dateModified: Timestamp;
  readonly next_check?: Timestamp;
  readonly mode?: "test";
  readonly procurementMethodType?: string;
  readonly procurementMethod: "open" | "selective" | "limited";
  readonly procurementMethodRationale?: string;
  readonly procurementMethodRationale_en?: string;
  readonly procurementMethodRationale_ru?: string;
  /** In the sandbox only */
  readonly procurementMethodDetails?: string;
  readonly submissionMethod: "electronicAuction" | "electronicSubmission" | "written" | "inPerson";
  readonly submissionMethodDetails?: string;
  readonly submissionMethodDetails_en?: string;
  readonly submissionMethodDetails_ru?: string;
  readonly awardCriteria: "lowestCost" | "bestProposal" | "bestValueToGovernment" | "singleBidOnly";
  readonly awardCriteriaDetails?: string;
  readonly awardCriteriaDetails_en?: string;
  readonly awardCriteriaDetails_ru?: string;
  readonly eligibilityCriteria?: string;
  readonly eligibilityCriteria_en?: string;
  readonly eligibilityCriteria_ru?: string;
  readonly title?: string;
  readonly title_en?: string;
  readonly title_ru?: string;
  readonly description?: string;
  readonly description_en?: string;
  readonly description_ru?: string;
  readonly hasEnquiries?: boolean;
  readonly numberOfBidders?: number;
  readonly numberOfBids?: number;
  readonly value?: Value;
  readonly minimalStep?: Value;
  readonly guarantee?: Guarantee;
  readonly enquiryPeriod?: Period;
  readonly tenderPeriod?: Period;
  readonly auctionPeriod?: AuctionPeriod;
  readonly auctionUrl?: string;
  readonly awardPeriod?: Period;
  readonly procuringEntity?: ProcuringEntity;
  readonly items?: readonly Item[];
  readonly features?: readonly Feature[];
  readonly lots?: readonly Lot[];
  readonly documents?: readonly Document[];
  readonly questions?: readonly Question[];
  readonly bids?: readonly Bid[];
  readonly awards?: readonly Award[];
  readonly contracts?: readonly Contract[];
  readonly complaints?: readonly Complaint[];
  readonly cancellations?: readonly Cancellation[];
};

/** Tender, as it is sent, without what belongs to the registry. */
export type TenderSent = {
  readonly status?:
    | "draft"
    | "active.enquiries"
    | "active.tendering"
    | "active.auction"
    | "active.qualification"
    | "active.awarded"
    | "complete"
    | "cancelled"
    | "unsuccessful";
  readonly mode?: "test";
  readonly procurementMethodType?: string;
  readonly procurementMethodRationale?: string;
  readonly procurementMethodRationale_en?: string;
  readonly procurementMethodRationale_ru?: string;
  /** In the sandbox only */
  readonly procurementMethodDetails?: string;
  readonly submissionMethodDetails?: string;
  readonly submissionMethodDetails_en?: string;
  readonly submissionMethodDetails_ru?: string;
  readonly awardCriteriaDetails?: string;
  readonly awardCriteriaDetails_en?: string;
  readonly awardCriteriaDetails_ru?: string;
  readonly eligibilityCriteria?: string;
  readonly eligibilityCriteria_en?: string;
  readonly eligibilityCriteria_ru?: string;
  readonly title?: string;
  readonly title_en?: string;
  readonly title_ru?: string;
  readonly description?: string;
  readonly description_en?: string;
  readonly description_ru?: string;
  readonly hasEnquiries?: boolean;
  readonly numberOfBidders?: number;
  readonly value?: Value;
  readonly minimalStep?: Value;
  readonly guarantee?: Guarantee;
  readonly enquiryPeriod?: Period;
  readonly tenderPeriod?: Period;
  readonly auctionPeriod?: AuctionPeriodSent;
  readonly procuringEntity?: ProcuringEntity;
  readonly items?: readonly Item[];
  readonly features?: readonly Feature[];
  readonly lots?: readonly LotSent[];
};

/** Organization, as the registry shows it. */
export type Organization = {
  readonly name?: string;
  readonly name_en?: string;
  readonly name_ru?: string;
  readonly identifier?: Identifier;
  readonly additionalIdentifiers?: readonly Identifier[];
  readonly address?: Address;
  readonly contactPoint?: ContactPoint;
};

/** Document, as the registry shows it. */
export type Document = {
  readonly id: string;
  readonly title?: string;
  readonly title_en?: string;
  readonly title_ru?: string;
  readonly description?: string;
  readonly description_en?: string;
  readonly description_ru?: string;
  readonly format?: string;
  readonly url: string;
  readonly hash?: string;
  readonly datePublished: Timestamp;
  readonly dateModified: Timestamp;
  readonly author?: string;
  readonly language?: string;
  readonly documentType?:
    | "tenderNotice"
    | "awardNotice"
    | "contractNotice"
    | "notice"
    | "biddingDocuments"
    | "technicalSpecifications"
    | "evaluationCriteria"
    | "clarifications"
    | "shortlistedFirms"
    | "riskProvisions"
    | "billOfQuantity"
    | "bidders"
    | "conflictOfInterest"
    | "debarments"
    | "evaluationReports"
    | "winningBid"
    | "complaints"
    | "contractSigned"
    | "contractArrangements"
    | "contractSchedule"
    | "contractAnnexe"
    | "contractGuarantees"
    | "subContract"
    | "eligibilityCriteria"
    | "contractProforma"
    | "commercialProposal"
    | "qualificationDocuments"
    | "eligibilityDocuments"
    | "registerExtract";
  readonly documentOf?: "tender" | "item" | "lot";
  readonly relatedItem?: string;
  readonly previousVersions?: readonly Document[];
};

/** Document, as it is sent, without what belongs to the registry. */
export type DocumentSent = {
  readonly title?: string;
  readonly title_en?: string;
  readonly title_ru?: string;
  readonly description?: string;
  readonly description_en?: string;
  readonly description_ru?: string;
  readonly format?: string;
  readonly language?: string;
  readonly documentType?:
    | "tenderNotice"
    | "awardNotice"
    | "contractNotice"
    | "notice"
    | "biddingDocuments"
    | "technicalSpecifications"
    | "evaluationCriteria"
    | "clarifications"
    | "shortlistedFirms"
    | "riskProvisions"
    | "billOfQuantity"
    | "bidders"
    | "conflictOfInterest"
    | "debarments"
    | "evaluationReports"
    | "winningBid"
    | "complaints"
    | "contractSigned"
    | "contractArrangements"
    | "contractSchedule"
    | "contractAnnexe"
    | "contractGuarantees"
    | "subContract"
    | "eligibilityCriteria"
    | "contractProforma"
    | "commercialProposal"
    | "qualificationDocuments"
    | "eligibilityDocuments"
    | "registerExtract";
  readonly documentOf?: "tender" | "item" | "lot";
  readonly relatedItem?: string;
};

/** Registration, as it is sent, without what belongs to the registry. */
export type RegistrationSent = {
  readonly title?: string;
  readonly title_en?: string;
  readonly title_ru?: string;
  readonly description?: string;
  readonly description_en?: string;
  readonly description_ru?: string;
  readonly format?: string;
  readonly url?: string;
  readonly hash?: string;
  readonly language?: string;
  readonly documentType?:
    | "tenderNotice"
    | "awardNotice"
    | "contractNotice"
    | "notice"
    | "biddingDocuments"
    | "technicalSpecifications"
    | "evaluationCriteria"
    | "clarifications"
    | "shortlistedFirms"
    | "riskProvisions"
    | "billOfQuantity"
    | "bidders"
    | "conflictOfInterest"
    | "debarments"
    | "evaluationReports"
    | "winningBid"
    | "complaints"
    | "contractSigned"
    | "contractArrangements"
    | "contractSchedule"
    | "contractAnnexe"
    | "contractGuarantees"
    | "subContract"
    | "eligibilityCriteria"
    | "contractProforma"
    | "commercialProposal"
    | "qualificationDocuments"
    | "eligibilityDocuments"
    | "registerExtract";
  readonly documentOf?: "tender" | "item" | "lot";
  readonly relatedItem?: string;
};

/** Procuring entity, as the registry shows it. */
export type ProcuringEntity = {
  readonly name?: string;
  readonly name_en?: string;
  readonly name_ru?: string;
  readonly identifier?: Identifier;
  readonly additionalIdentifiers?: readonly Identifier[];
  readonly address?: Address;
  readonly contactPoint?: ContactPoint;
  readonly kind?: "general" | "special" | "defense" | "other";
};

/** Value, as the registry shows it. */
export type Value = {
  readonly amount?: number;
  readonly currency?: string;
  readonly valueAddedTaxIncluded?: boolean;
};

/** Guarantee, as the registry shows it. */
export type Guarantee = {
  readonly amount?: number;
  readonly currency?: string;
};

/** Period, as the registry shows it. */
export type Period = {
  readonly startDate?: Timestamp;
  readonly endDate?: Timestamp;
};

/** Classification, as the registry shows it. */
export type Classification = {
  readonly scheme?: string;
  readonly id?: string;
  readonly description?: string;
  readonly description_en?: string;
  readonly description_ru?: string;
  readonly uri?: string;
};

/** Unit, as the registry shows it. */
export type Unit = {
  readonly name?: string;
  readonly name_en?: string;
  readonly name_ru?: string;
  readonly code?: string;
  readonly value?: Value;
};

/** Address, as the registry shows it. */
export type Address = {
  readonly countryName?: string;
  readonly countryName_en?: string;
  readonly countryName_ru?: string;
  readonly region?: string;
  readonly locality?: string;
  readonly postalCode?: string;
  readonly streetAddress?: string;
};

/** Location, as the registry shows it. */
export type Location = {
  readonly latitude?: string;
  readonly longitude?: string;
  readonly elevation?: string;
};

/** Identifier, as the registry shows it. */
export type Identifier = {
  readonly scheme?: string;
  readonly id?: string;
  readonly legalName?: string;
  readonly legalName_en?: string;
  readonly legalName_ru?: string;
  readonly uri?: string;
};

/** Contact point, as the registry shows it. */
export type ContactPoint = {
  readonly name?: string;
  readonly name_en?: string;
  readonly name_ru?: string;
  readonly email?: string;
  readonly telephone?: string;
  readonly faxNumber?: string;
  readonly url?: string;
};

/** Item, as the registry shows it. */
export type Item = {
  readonly id?: string;
  readonly description?: string;
  readonly description_en?: string;
  readonly description_ru?: string;
  readonly quantity?: number;
  readonly unit?: Unit;
  readonly classification?: Classification;
  readonly additionalClassifications?: readonly Classification[];
  readonly deliveryDate?: Period;
  readonly deliveryAddress?: Address;
  readonly deliveryLocation?: Location;
  readonly relatedLot?: string;
};

/** Feature, as the registry shows it. */
export type Feature = {
  readonly code?: string;
  readonly featureOf?: "tenderer" | "lot" | "item";
  readonly relatedItem?: string;
  readonly title?: string;
  readonly title_en?: string;
  readonly title_ru?: string;
  readonly description?: string;
  readonly description_en?: string;
  readonly description_ru?: string;
  readonly enum?: readonly FeatureOption[];
};

/** Feature option, as the registry shows it. */
export type FeatureOption = {
  readonly value?: number;
  readonly title?: string;
  readonly title_en?: string;
  readonly title_ru?: string;
  readonly description?: string;
  readonly description_en?: string;
  readonly description_ru?: string;
};

/** Lot, as the registry shows it. */
export type Lot = {
  readonly id?: string;
  readonly status?: "active" | "cancelled" | "unsuccessful" | "complete";
  readonly date?: Timestamp;
  readonly title?: string;
  readonly title_en?: string;
  readonly title_ru?: string;
  readonly description?: string;
  readonly description_en?: string;
  readonly description_ru?: string;
  readonly value?: Value;
  readonly minimalStep?: Value;
  readonly guarantee?: Guarantee;
  readonly auctionPeriod?: AuctionPeriod;
  readonly auctionUrl?: string;
};

/** Lot, as it is sent, without what belongs to the registry. */
export type LotSent = {
  readonly id?: string;
  readonly title?: string;
  readonly title_en?: string;
  readonly title_ru?: string;
  readonly description?: string;
  readonly description_en?: string;
  readonly description_ru?: string;
  readonly value?: Value;
  readonly minimalStep?: Value;
  readonly guarantee?: Guarantee;
  readonly auctionPeriod?: AuctionPeriodSent;
};

/** Question, as the registry shows it. */
export type Question = {
  readonly id: string;
  readonly date: Timestamp;
  readonly title?: string;
  readonly description?: string;
  readonly author?: Organization;
  readonly questionOf?: "tender" | "item" | "lot";
  readonly relatedItem?: string;
  readonly answer?: string;
  readonly dateAnswered?: Timestamp;
};

/** Question, as it is sent, without what belongs to the registry. */
export type QuestionSent = {
  readonly title?: string;
  readonly description?: string;
  readonly author?: Organization;
  readonly questionOf?: "tender" | "item" | "lot";
  readonly relatedItem?: string;
  readonly answer?: string;
};

/** Bid, as the registry shows it. */
export type Bid = {
  readonly id: string;
  readonly date: Timestamp;
  readonly status: "active" | "draft";
  readonly tenderers?: readonly Organization[];
  readonly value?: Value;
  readonly lotValues?: readonly LotValue[];
  readonly parameters?: readonly Parameter[];
  readonly participationUrl?: string;
  readonly documents?: readonly Document[];
};

/** Bid, as it is sent, without what belongs to the registry. */
export type BidSent = {
  readonly status?: "active" | "draft";
  readonly tenderers?: readonly Organization[];
  readonly value?: Value;
  readonly lotValues?: readonly LotValueSent[];
  readonly parameters?: readonly Parameter[];
};

/** Lot value, as the registry shows it. */
export type LotValue = {
  readonly relatedLot?: string;
  readonly value?: Value;
  readonly date?: Timestamp;
  readonly participationUrl?: string;
};

/** Lot value, as it is sent, without what belongs to the registry. */
export type LotValueSent = {
  readonly relatedLot?: string;
  readonly value?: Value;
};

/** Parameter, as the registry shows it. */
export type Parameter = {
  readonly code?: string;
  readonly value?: number;
};

/** Award, as the registry shows it. */
export type Award = {
  readonly id: string;
  readonly date: Timestamp;
  readonly status: "pending" | "unsuccessful" | "active" | "cancelled";
  readonly bid_id?: string;
  readonly lotID?: string;
  readonly title?: string;
  readonly title_en?: string;
  readonly title_ru?: string;
  readonly description?: string;
  readonly description_en?: string;
  readonly description_ru?: string;
  readonly suppliers?: readonly Organization[];
  readonly value?: Value;
  readonly items?: readonly Item[];
  readonly complaintPeriod?: Period;
  readonly documents?: readonly Document[];
  readonly complaints?: readonly Complaint[];
};

/** Award, as it is sent, without what belongs to the registry. */
export type AwardSent = {
  readonly status?: "pending" | "unsuccessful" | "active" | "cancelled";
  readonly bid_id?: string;
  readonly lotID?: string;
  readonly title?: string;
  readonly title_en?: string;
  readonly title_ru?: string;
  readonly description?: string;
  readonly description_en?: string;
  readonly description_ru?: string;
  readonly suppliers?: readonly Organization[];
  readonly value?: Value;
  readonly complaintPeriod?: Period;
};

/** Contract, as the registry shows it. */
export type Contract = {
  readonly id: string;
  readonly date: Timestamp;
  readonly status: "pending" | "terminated" | "active" | "cancelled";
  readonly awardID?: string;
  readonly contractID?: string;
  readonly contractNumber?: string;
  readonly title?: string;
  readonly title_en?: string;
  readonly title_ru?: string;
  readonly description?: string;
  readonly description_en?: string;
  readonly description_ru?: string;
  readonly period?: Period;
  readonly value?: Value;
  readonly dateSigned?: Timestamp;
  readonly items?: readonly Item[];
  readonly suppliers?: readonly Organization[];
  readonly documents?: readonly Document[];
};

/** Contract, as it is sent, without what belongs to the registry. */
export type ContractSent = {
  readonly status?: "pending" | "terminated" | "active" | "cancelled";
  readonly awardID?: string;
  readonly contractNumber?: string;
  readonly title?: string;
  readonly title_en?: string;
  readonly title_ru?: string;
  readonly description?: string;
  readonly description_en?: string;
  readonly description_ru?: string;
  readonly period?: Period;
  readonly value?: Value;
  readonly dateSigned?: Timestamp;
  readonly suppliers?: readonly Organization[];
};

/** Complaint, as the registry shows it. */
export type Complaint = {
  readonly id: string;
  readonly complaintID: string;
  readonly date: Timestamp;
  readonly status:
    | "draft"
    | "claim"
    | "answered"
    | "pending"
    | "invalid"
    | "resolved"
    | "declined"
    | "cancelled"
    | "ignored";
  readonly type?: "claim" | "complaint";
  readonly relatedLot?: string;
  readonly author?: Organization;
  readonly title?: string;
  readonly description?: string;
  readonly dateSubmitted?: Timestamp;
  readonly resolution?: string;
  readonly resolutionType?: "invalid" | "resolved" | "declined";
  readonly dateAnswered?: Timestamp;
  readonly tendererAction?: string;
  readonly tendererActionDate?: Timestamp;
  readonly satisfied?: boolean;
  readonly dateEscalated?: Timestamp;
  readonly decision?: string;
  readonly dateDecision?: Timestamp;
  readonly cancellationReason?: string;
  readonly dateCanceled?: Timestamp;
  readonly documents?: readonly Document[];
};

/** Complaint, as it is sent, without what belongs to the registry. */
export type ComplaintSent = {
  readonly status?:
    | "draft"
    | "claim"
    | "answered"
    | "pending"
    | "invalid"
    | "resolved"
    | "declined"
    | "cancelled"
    | "ignored";
  readonly relatedLot?: string;
  readonly author?: Organization;
  readonly title?: string;
  readonly description?: string;
  readonly resolution?: string;
  readonly resolutionType?: "invalid" | "resolved" | "declined";
  readonly tendererAction?: string;
  readonly satisfied?: boolean;
  readonly cancellationReason?: string;
};

/** Cancellation, as the registry shows it. */
export type Cancellation = {
  readonly id: string;
  readonly date: Timestamp;
  readonly status: "pending" | "active";
  readonly reason?: string;
  readonly reason_en?: string;
  readonly reason_ru?: string;
  readonly cancellationOf?: "tender" | "lot";
  readonly relatedLot?: string;
  readonly documents?: readonly Document[];
};

/** Cancellation, as it is sent, without what belongs to the registry. */
export type CancellationSent = {
  readonly status?: "pending" | "active";
  readonly reason?: string;
  readonly cancellationOf?: "tender" | "lot";
  readonly relatedLot?: string;
};

/** Auction, as the registry shows it. */
export type Auction = {
  readonly tenderID?: string;
  readonly dateModified: Timestamp;
  readonly items?: readonly Item[];
  readonly auctionPeriod?: AuctionPeriod;
  readonly minimalStep?: Value;
  readonly auctionUrl?: string;
  readonly features?: readonly Feature[];
  readonly lots?: readonly AuctionLot[];
  readonly bids: readonly AuctionBid[];
  readonly tenderPeriod?: Period;
};

/** Auction, as it is sent, without what belongs to the registry. */
export type AuctionSent = {
  readonly auctionUrl?: string;
  readonly lots?: readonly AuctionLotSent[];
  readonly bids?: readonly AuctionBidSent[];
};

/** Auction bid, as the registry shows it. */
export type AuctionBid = {
  readonly id?: string;
  readonly date?: Timestamp;
  readonly value?: Value;
  readonly parameters?: readonly Parameter[];
  readonly participationUrl?: string;
  readonly lotValues?: readonly AuctionLotValue[];
};

/** Auction bid, as it is sent, without what belongs to the registry. */
export type AuctionBidSent = {
  readonly id?: string;
  readonly date?: Timestamp;
  readonly value?: Value;
  readonly participationUrl?: string;
  readonly lotValues?: readonly AuctionLotValue[];
};

/** Auction lot value, as the registry shows it. */
export type AuctionLotValue = {
  readonly relatedLot?: string;
  readonly value?: Value;
  readonly date?: Timestamp;
  readonly participationUrl?: string;
};

/** Auction lot, as the registry shows it. */
export type AuctionLot = {
  readonly id?: string;
  readonly status?: "active" | "cancelled" | "unsuccessful" | "complete";
  readonly date?: Timestamp;
  readonly title?: string;
  readonly title_en?: string;
  readonly title_ru?: string;
  readonly description?: string;
  readonly description_en?: string;
  readonly description_ru?: string;
  readonly value?: Value;
  readonly minimalStep?: Value;
  readonly guarantee?: Guarantee;
  readonly auctionPeriod?: AuctionPeriod;
  readonly auctionUrl?: string;
};

/** Auction lot, as it is sent, without what belongs to the registry. */
export type AuctionLotSent = {
  readonly id?: string;
  readonly auctionUrl?: string;
};

/** Auction period, as the registry shows it. */
export type AuctionPeriod = {
  readonly startDate?: Timestamp;
  readonly endDate?: Timestamp;
  readonly shouldStartAfter?: Timestamp;
};

/** Auction period, as it is sent, without what belongs to the registry. */
export type AuctionPeriodSent = {
  readonly startDate?: Timestamp;
  readonly endDate?: Timestamp;
};

/** Schedule, as the registry shows it. */
export type Schedule = {
  readonly id: string;
  readonly status:
    | "draft"
    | "active.enquiries"
    | "active.tendering"
    | "active.auction"
    | "active.qualification"
    | "active.awarded"
    | "complete"
    | "cancelled"
    | "unsuccessful";
  readonly mode?: string;
  readonly next_check?: Timestamp;
  readonly enquiryPeriod?: Period;
  readonly tenderPeriod?: Period;
  readonly auctionPeriod?: AuctionPeriod;
  readonly awardPeriod?: Period;
  readonly submissionMethodDetails?: string;
  readonly numberOfBids?: number;
  readonly lots?: readonly ScheduledLot[];
  readonly awards?: readonly Award[];
  readonly complaints?: readonly Complaint[];
};

/** Scheduled lot, as the registry shows it. */
export type ScheduledLot = {
  readonly id?: string;
  readonly status?: string;
  readonly auctionPeriod?: AuctionPeriod;
  readonly numberOfBids?: number;
};

/** Feed page, as the registry shows it. */
export type FeedPage = {
  readonly data: readonly {
    readonly id: string;
    readonly tenderID?: string;
    readonly owner?: string;
    readonly status?:
      | "draft"
      | "active.enquiries"
      | "active.tendering"
      | "active.auction"
      | "active.qualification"
      | "active.awarded"
      | "complete"
      | "cancelled"
      | "unsuccessful";
    readonly date?: Timestamp;
    readonly dateModified: Timestamp;
    readonly next_check?: Timestamp;
    readonly mode?: "test";
    readonly procurementMethodType?: string;
    readonly procurementMethod?: "open" | "selective" | "limited";
    readonly procurementMethodRationale?: string;
    readonly procurementMethodRationale_en?: string;
    readonly procurementMethodRationale_ru?: string;
    /** In the sandbox only */
    readonly procurementMethodDetails?: string;
    readonly submissionMethod?: "electronicAuction" | "electronicSubmission" | "written" | "inPerson";
    readonly submissionMethodDetails?: string;
    readonly submissionMethodDetails_en?: string;
    readonly submissionMethodDetails_ru?: string;
    readonly awardCriteria?: "lowestCost" | "bestProposal" | "bestValueToGovernment" | "singleBidOnly";
    readonly awardCriteriaDetails?: string;
    readonly awardCriteriaDetails_en?: string;
    readonly awardCriteriaDetails_ru?: string;
    readonly eligibilityCriteria?: string;
    readonly eligibilityCriteria_en?: string;
    readonly eligibilityCriteria_ru?: string;
    readonly title?: string;
    readonly title_en?: string;
    readonly title_ru?: string;
    readonly description?: string;
    readonly description_en?: string;
    readonly description_ru?: string;
    readonly hasEnquiries?: boolean;
    readonly numberOfBidders?: number;
    readonly numberOfBids?: number;
    readonly value?: Value;
    readonly minimalStep?: Value;
    readonly guarantee?: Guarantee;
    readonly enquiryPeriod?: Period;
    readonly tenderPeriod?: Period;
    readonly auctionPeriod?: AuctionPeriod;
    readonly auctionUrl?: string;
    readonly awardPeriod?: Period;
    readonly procuringEntity?: ProcuringEntity;
    readonly items?: readonly Item[];
    readonly features?: readonly Feature[];
    readonly lots?: readonly Lot[];
    readonly documents?: readonly Document[];
    readonly questions?: readonly Question[];
    readonly bids?: readonly Bid[];
    readonly awards?: readonly Award[];
    readonly contracts?: readonly Contract[];
    readonly complaints?: readonly Complaint[];
    readonly cancellations?: readonly Cancellation[];
  }[];
  readonly next_page: {
    readonly offset: string;
    readonly path: string;
    readonly uri: string;
  };
  readonly prev_page?: {
    readonly offset: string;
    readonly path: string;
    readonly uri: string;
  };
};

/** Access, as the registry shows it. */
export type Access = {
  readonly token: string;
};

/** Every operation of the API: what it takes and what it answers. */
export type Operations = {
  /** Whether tenders can be read and written */
  readonly "GET /health": {
    readonly answer: {
      readonly status: "ok";
    };
  };
  /** The methods in SPORE form, for old clients */
  readonly "GET /spore": {
    readonly answer: { readonly [name: string]: unknown };
  };
  /** The feed of tenders, in the order of change */
  readonly "GET /tenders": {
    readonly answer: FeedPage;
  };
  /** Publishes a tender */
  readonly "POST /tenders": {
    readonly body: TenderSent;
    readonly answer: {
      readonly data: Tender;
      readonly access: Access;
    };
  };
  /** The feed of tenders as it grows, as Server-Sent Events */
  readonly "GET /tenders/stream": {
    readonly answer: unknown;
  };
  /** A tender */
  readonly "GET /tenders/{tender_id}": {
    readonly answer: {
      readonly data: Tender | Schedule;
    };
  };
  /** Changes a tender; `status` may become `cancelled` */
  readonly "PATCH /tenders/{tender_id}": {
    readonly body: Patch<TenderSent>;
    readonly answer: {
      readonly data: Tender;
    };
  };
  /** The documents, each in its latest version */
  readonly "GET /tenders/{tender_id}/documents": {
    readonly answer: {
      readonly data: readonly Document[];
    };
  };
  /** Uploads a document */
  readonly "POST /tenders/{tender_id}/documents": {
    readonly body: RegistrationSent;
    readonly answer: {
      readonly data: Document;
    };
  };
  /** A document with its previous versions; with `download`, the file itself */
  readonly "GET /tenders/{tender_id}/documents/{document_id}": {
    readonly answer: {
      readonly data: Document;
    };
  };
  /** Uploads a new version */
  readonly "PUT /tenders/{tender_id}/documents/{document_id}": {
    readonly body: RegistrationSent;
    readonly answer: {
      readonly data: Document;
    };
  };
  /** Changes what is said about a document */
  readonly "PATCH /tenders/{tender_id}/documents/{document_id}": {
    readonly body: Patch<DocumentSent>;
    readonly answer: {
      readonly data: Document;
    };
  };
  /** Lists the questions asked */
  readonly "GET /tenders/{tender_id}/questions": {
    readonly answer: {
      readonly data: readonly Question[];
    };
  };
  /** Adds a question */
  readonly "POST /tenders/{tender_id}/questions": {
    readonly body: QuestionSent;
    readonly answer: {
      readonly data: Question;
    };
  };
  /** Shows a question */
  readonly "GET /tenders/{tender_id}/questions/{question_id}": {
    readonly answer: {
      readonly data: Question;
    };
  };
  /** Changes a question */
  readonly "PATCH /tenders/{tender_id}/questions/{question_id}": {
    readonly body: Patch<QuestionSent>;
    readonly answer: {
      readonly data: Question;
    };
  };
  /** Lists the lots */
  readonly "GET /tenders/{tender_id}/lots": {
    readonly answer: {
      readonly data: readonly Lot[];
    };
  };
  /** Adds a lot */
  readonly "POST /tenders/{tender_id}/lots": {
    readonly body: LotSent;
    readonly answer: {
      readonly data: Lot;
    };
  };
  /** Shows a lot */
  readonly "GET /tenders/{tender_id}/lots/{lot_id}": {
    readonly answer: {
      readonly data: Lot;
    };
  };
  /** Changes a lot */
  readonly "PATCH /tenders/{tender_id}/lots/{lot_id}": {
    readonly body: Patch<LotSent>;
    readonly answer: {
      readonly data: Lot;
    };
  };
  /** Removes a lot */
  readonly "DELETE /tenders/{tender_id}/lots/{lot_id}": {
    readonly answer: {
      readonly data: Lot;
    };
  };
  /** Lists the contracts */
  readonly "GET /tenders/{tender_id}/contracts": {
    readonly answer: {
      readonly data: readonly Contract[];
    };
  };
  /** Adds a contract */
  readonly "POST /tenders/{tender_id}/contracts": {
    readonly body: ContractSent;
    readonly answer: {
      readonly data: Contract;
    };
  };
  /** Shows a contract */
  readonly "GET /tenders/{tender_id}/contracts/{contract_id}": {
    readonly answer: {
      readonly data: Contract;
    };
  };
  /** Changes a contract */
  readonly "PATCH /tenders/{tender_id}/contracts/{contract_id}": {
    readonly body: Patch<ContractSent>;
    readonly answer: {
      readonly data: Contract;
    };
  };
  /** Lists the cancellations */
  readonly "GET /tenders/{tender_id}/cancellations": {
    readonly answer: {
      readonly data: readonly Cancellation[];
    };
  };
  /** Adds a cancellation */
  readonly "POST /tenders/{tender_id}/cancellations": {
    readonly body: CancellationSent;
    readonly answer: {
      readonly data: Cancellation;
    };
  };
  /** Shows a cancellation */
  readonly "GET /tenders/{tender_id}/cancellations/{cancellation_id}": {
    readonly answer: {
      readonly data: Cancellation;
    };
  };
  /** Changes a cancellation */
  readonly "PATCH /tenders/{tender_id}/cancellations/{cancellation_id}": {
    readonly body: Patch<CancellationSent>;
    readonly answer: {
      readonly data: Cancellation;
    };
  };
  /** Lists the complaints */
  readonly "GET /tenders/{tender_id}/complaints": {
    readonly answer: {
      readonly data: readonly Complaint[];
    };
  };
  /** Adds a complaint */
  readonly "POST /tenders/{tender_id}/complaints": {
    readonly body: ComplaintSent;
    readonly answer: {
      readonly data: Complaint;
      readonly access: Access;
    };
  };
  /** Shows a complaint */
  readonly "GET /tenders/{tender_id}/complaints/{complaint_id}": {
    readonly answer: {
      readonly data: Complaint;
    };
  };
  /** Changes a complaint */
  readonly "PATCH /tenders/{tender_id}/complaints/{complaint_id}": {
    readonly body: Patch<ComplaintSent>;
    readonly answer: {
      readonly data: Complaint;
    };
  };
  /** Lists the complaints */
  readonly "GET /tenders/{tender_id}/awards/{award_id}/complaints": {
    readonly answer: {
      readonly data: readonly Complaint[];
    };
  };
  /** Adds a complaint */
  readonly "POST /tenders/{tender_id}/awards/{award_id}/complaints": {
    readonly body: ComplaintSent;
    readonly answer: {
      readonly data: Complaint;
      readonly access: Access;
    };
  };
  /** Shows a complaint */
  readonly "GET /tenders/{tender_id}/awards/{award_id}/complaints/{complaint_id}": {
    readonly answer: {
      readonly data: Complaint;
    };
  };
  /** Changes a complaint */
  readonly "PATCH /tenders/{tender_id}/awards/{award_id}/complaints/{complaint_id}": {
    readonly body: Patch<ComplaintSent>;
    readonly answer: {
      readonly data: Complaint;
    };
  };
  /** The bids that may be seen */
  readonly "GET /tenders/{tender_id}/bids": {
    readonly answer: {
      readonly data: readonly Bid[];
    };
  };
  /** Places a bid */
  readonly "POST /tenders/{tender_id}/bids": {
    readonly body: BidSent;
    readonly answer: {
      readonly data: Bid;
      readonly access: Access;
    };
  };
  /** A bid */
  readonly "GET /tenders/{tender_id}/bids/{bid_id}": {
    readonly answer: {
      readonly data: Bid;
    };
  };
  /** Changes a bid */
  readonly "PATCH /tenders/{tender_id}/bids/{bid_id}": {
    readonly body: Patch<BidSent>;
    readonly answer: {
      readonly data: Bid;
    };
  };
  /** Withdraws a bid */
  readonly "DELETE /tenders/{tender_id}/bids/{bid_id}": {
    readonly answer: {
      readonly data: Bid;
    };
  };
  /** The documents, each in its latest version */
  readonly "GET /tenders/{tender_id}/bids/{bid_id}/documents": {
    readonly answer: {
      readonly data: readonly Document[];
    };
  };
  /** Uploads a document */
  readonly "POST /tenders/{tender_id}/bids/{bid_id}/documents": {
    readonly body: RegistrationSent;
    readonly answer: {
      readonly data: Document;
    };
  };
  /** A document with its previous versions; with `download`, the file itself */
  readonly "GET /tenders/{tender_id}/bids/{bid_id}/documents/{document_id}": {
    readonly answer: {
      readonly data: Document;
    };
  };
  /** Uploads a new version */
  readonly "PUT /tenders/{tender_id}/bids/{bid_id}/documents/{document_id}": {
    readonly body: RegistrationSent;
    readonly answer: {
      readonly data: Document;
    };
  };
  /** Changes what is said about a document */
  readonly "PATCH /tenders/{tender_id}/bids/{bid_id}/documents/{document_id}": {
    readonly body: Patch<DocumentSent>;
    readonly answer: {
      readonly data: Document;
    };
  };
  /** The awards */
  readonly "GET /tenders/{tender_id}/awards": {
    readonly answer: {
      readonly data: readonly Award[];
    };
  };
  /** Records an award */
  readonly "POST /tenders/{tender_id}/awards": {
    readonly body: AwardSent;
    readonly answer: {
      readonly data: Award;
    };
  };
  /** An award */
  readonly "GET /tenders/{tender_id}/awards/{award_id}": {
    readonly answer: {
      readonly data: Award;
    };
  };
  /** Changes an award */
  readonly "PATCH /tenders/{tender_id}/awards/{award_id}": {
    readonly body: Patch<AwardSent>;
    readonly answer: {
      readonly data: Award;
    };
  };
  /** What the auction starts from */
  readonly "GET /tenders/{tender_id}/auction": {
    readonly answer: {
      readonly data: Auction;
    };
  };
  /** Ends the auction with its results */
  readonly "POST /tenders/{tender_id}/auction": {
    readonly body: AuctionSent;
    readonly answer: {
      readonly data: Tender;
    };
  };
  /** Reports what the bids came to (2.3 and older), or where the auction is held (2.5) */
  readonly "PATCH /tenders/{tender_id}/auction": {
    readonly body: Patch<AuctionSent>;
    readonly answer: {
      readonly data: Auction;
    };
  };
  /** Ends the auction of a lot with its results */
  readonly "POST /tenders/{tender_id}/auction/{auction_lot_id}": {
    readonly body: AuctionSent;
    readonly answer: {
      readonly data: Tender;
    };
  };
  /** Says where the auction of a lot is held */
  readonly "PATCH /tenders/{tender_id}/auction/{auction_lot_id}": {
    readonly body: Patch<AuctionSent>;
    readonly answer: {
      readonly data: Auction;
    };
  };
  /** Gives the owner a new token in place of the old one */
  readonly "PATCH /tenders/{tender_id}/credentials": {
    readonly answer: {
      readonly data: Tender;
      readonly access: Access;
    };
  };
  /** What a scheduler needs to know of a tender */
  readonly "GET /tenders/{tender_id}/chronograph": {
    readonly answer: {
      readonly data: Schedule;
    };
  };
  /** Plans auctions */
  readonly "PATCH /tenders/{tender_id}/chronograph": {
    readonly body: Patch<TenderSent>;
    readonly answer: {
      readonly data: Tender;
    };
  };
  /** The documents, each in its latest version */
  readonly "GET /tenders/{tender_id}/awards/{award_id}/documents": {
    readonly answer: {
      readonly data: readonly Document[];
    };
  };
  /** Uploads a document */
  readonly "POST /tenders/{tender_id}/awards/{award_id}/documents": {
    readonly body: RegistrationSent;
    readonly answer: {
      readonly data: Document;
    };
  };
  /** A document with its previous versions; with `download`, the file itself */
  readonly "GET /tenders/{tender_id}/awards/{award_id}/documents/{document_id}": {
    readonly answer: {
      readonly data: Document;
    };
  };
  /** Uploads a new version */
  readonly "PUT /tenders/{tender_id}/awards/{award_id}/documents/{document_id}": {
    readonly body: RegistrationSent;
    readonly answer: {
      readonly data: Document;
    };
  };
  /** Changes what is said about a document */
  readonly "PATCH /tenders/{tender_id}/awards/{award_id}/documents/{document_id}": {
    readonly body: Patch<DocumentSent>;
    readonly answer: {
      readonly data: Document;
    };
  };
  /** The documents, each in its latest version */
  readonly "GET /tenders/{tender_id}/contracts/{contract_id}/documents": {
    readonly answer: {
      readonly data: readonly Document[];
    };
  };
  /** Uploads a document */
  readonly "POST /tenders/{tender_id}/contracts/{contract_id}/documents": {
    readonly body: RegistrationSent;
    readonly answer: {
      readonly data: Document;
    };
  };
  /** A document with its previous versions; with `download`, the file itself */
  readonly "GET /tenders/{tender_id}/contracts/{contract_id}/documents/{document_id}": {
    readonly answer: {
      readonly data: Document;
    };
  };
  /** Uploads a new version */
  readonly "PUT /tenders/{tender_id}/contracts/{contract_id}/documents/{document_id}": {
    readonly body: RegistrationSent;
    readonly answer: {
      readonly data: Document;
    };
  };
  /** Changes what is said about a document */
  readonly "PATCH /tenders/{tender_id}/contracts/{contract_id}/documents/{document_id}": {
    readonly body: Patch<DocumentSent>;
    readonly answer: {
      readonly data: Document;
    };
  };
  /** The documents, each in its latest version */
  readonly "GET /tenders/{tender_id}/cancellations/{cancellation_id}/documents": {
    readonly answer: {
      readonly data: readonly Document[];
    };
  };
  /** Uploads a document */
  readonly "POST /tenders/{tender_id}/cancellations/{cancellation_id}/documents": {
    readonly body: RegistrationSent;
    readonly answer: {
      readonly data: Document;
    };
  };
  /** A document with its previous versions; with `download`, the file itself */
  readonly "GET /tenders/{tender_id}/cancellations/{cancellation_id}/documents/{document_id}": {
    readonly answer: {
      readonly data: Document;
    };
  };
  /** Uploads a new version */
  readonly "PUT /tenders/{tender_id}/cancellations/{cancellation_id}/documents/{document_id}": {
    readonly body: RegistrationSent;
    readonly answer: {
      readonly data: Document;
    };
  };
  /** Changes what is said about a document */
  readonly "PATCH /tenders/{tender_id}/cancellations/{cancellation_id}/documents/{document_id}": {
    readonly body: Patch<DocumentSent>;
    readonly answer: {
      readonly data: Document;
    };
  };
  /** The documents, each in its latest version */
  readonly "GET /tenders/{tender_id}/complaints/{complaint_id}/documents": {
    readonly answer: {
      readonly data: readonly Document[];
    };
  };
  /** Uploads a document */
  readonly "POST /tenders/{tender_id}/complaints/{complaint_id}/documents": {
    readonly body: RegistrationSent;
    readonly answer: {
      readonly data: Document;
    };
  };
  /** A document with its previous versions; with `download`, the file itself */
  readonly "GET /tenders/{tender_id}/complaints/{complaint_id}/documents/{document_id}": {
    readonly answer: {
      readonly data: Document;
    };
  };
  /** Uploads a new version */
  readonly "PUT /tenders/{tender_id}/complaints/{complaint_id}/documents/{document_id}": {
    readonly body: RegistrationSent;
    readonly answer: {
      readonly data: Document;
    };
  };
  /** Changes what is said about a document */
  readonly "PATCH /tenders/{tender_id}/complaints/{complaint_id}/documents/{document_id}": {
    readonly body: Patch<DocumentSent>;
    readonly answer: {
      readonly data: Document;
    };
  };
  /** The documents, each in its latest version */
  readonly "GET /tenders/{tender_id}/awards/{award_id}/complaints/{complaint_id}/documents": {
    readonly answer: {
      readonly data: readonly Document[];
    };
  };
  /** Uploads a document */
  readonly "POST /tenders/{tender_id}/awards/{award_id}/complaints/{complaint_id}/documents": {
    readonly body: RegistrationSent;
    readonly answer: {
      readonly data: Document;
    };
  };
  /** A document with its previous versions; with `download`, the file itself */
  readonly "GET /tenders/{tender_id}/awards/{award_id}/complaints/{complaint_id}/documents/{document_id}": {
    readonly answer: {
      readonly data: Document;
    };
  };
  /** Uploads a new version */
  readonly "PUT /tenders/{tender_id}/awards/{award_id}/complaints/{complaint_id}/documents/{document_id}": {
    readonly body: RegistrationSent;
    readonly answer: {
      readonly data: Document;
    };
  };
  /** Changes what is said about a document */
  readonly "PATCH /tenders/{tender_id}/awards/{award_id}/complaints/{complaint_id}/documents/{document_id}": {
    readonly body: Patch<DocumentSent>;
    readonly answer: {
      readonly data: Document;
    };
  };
};
