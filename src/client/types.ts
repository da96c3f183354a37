// Made by scripts/api.ts from the schemas of docs/api/2.5.json: do not edit, run `npm run api`.

/** A moment in ISO 8601. The registry shows its own zone and microseconds, and understands any zone. */
export type Timestamp = string;

/** What a PATCH takes: objects merge by key, lists by position, `null` clears. */
export type Patch<Sent> = Sent extends readonly (infer One)[]
  ? readonly Patch<One>[]
  : Sent extends object
    ? { readonly [Name in keyof Sent]?: Patch<Sent[Name]> | null | undefined }
    : Sent;

/** A shape of which these fields must be there. */
export type WithRequired<Shape, Name extends keyof Shape> = Shape & {
  readonly [One in Name]-?: NonNullable<Shape[One]>;
};

/** A text that this client does not know yet. In a union with those that it knows, editors still offer these. */
export type UnknownText = string & Record<never, never>;

/** The rules that a refused request may have broken, as docs/errors.md lists them. */
export type ErrorRule =
  | "accreditation-level"
  | "additional-classification"
  | "already-uploaded"
  | "amount-negative"
  | "auction-results-mismatch"
  | "award-not-pending"
  | "bad-callback"
  | "bad-date"
  | "bad-expectation"
  | "bad-filter"
  | "bad-offset"
  | "bad-range"
  | "bad-signature"
  | "bad-text"
  | "before-tender-deadline"
  | "bid-exceeds-value"
  | "bid-status"
  | "bids-too-large"
  | "classification-code"
  | "clock-move"
  | "complaint-move"
  | "complaints-open"
  | "content-type"
  | "contract-exceeds-award"
  | "contract-move"
  | "contract-status"
  | "contract-value"
  | "cross-site"
  | "currency-code"
  | "currency-differs"
  | "duplicate-key"
  | "email-format"
  | "feature-code-repeated"
  | "feature-value-range"
  | "feature-value-repeated"
  | "features-too-heavy"
  | "field-kept"
  | "field-required"
  | "file-missing"
  | "forbidden"
  | "form-malformed"
  | "hash-format"
  | "headers-too-long"
  | "id-format"
  | "id-repeated"
  | "idempotency-key"
  | "idempotency-key-reused"
  | "idempotency-quota"
  | "internal-error"
  | "items-of-one-class"
  | "json-too-complex"
  | "key-needed"
  | "link-expired"
  | "lot-bid-twice"
  | "lot-not-active"
  | "media-type-format"
  | "method-not-allowed"
  | "no-data"
  | "no-jsonp"
  | "not-a-choice"
  | "not-found"
  | "not-from-document-service"
  | "not-json"
  | "not-the-author"
  | "one-field-twice"
  | "one-file-only"
  | "outside-complaint-period"
  | "outside-enquiry-period"
  | "outside-tender-period"
  | "parameter-repeated"
  | "parameter-value"
  | "parameters-incomplete"
  | "period-order"
  | "periods-overlap"
  | "precondition-failed"
  | "repeated-header"
  | "request-malformed"
  | "request-timeout"
  | "resolution-too-short"
  | "sealed-bids"
  | "signed-in-future"
  | "signed-in-stand-still"
  | "stand-still"
  | "step-exceeds-value"
  | "tender-full"
  | "tender-too-large"
  | "tendering-ended"
  | "test-mode-only"
  | "text-too-long"
  | "text-too-short"
  | "too-few-items"
  | "too-large"
  | "too-many-bids"
  | "too-many-bodies"
  | "too-many-clocks"
  | "too-many-items"
  | "too-many-requests"
  | "too-many-secrets"
  | "too-many-stream-queries"
  | "too-many-streams"
  | "too-many-uploads"
  | "too-many-webhooks"
  | "unavailable"
  | "unknown-clock"
  | "unknown-field"
  | "unknown-parameter"
  | "unknown-path"
  | "unknown-procedure"
  | "unknown-reference"
  | "unknown-version"
  | "upload-missing"
  | "url-format"
  | "url-per-lot"
  | "value-per-lot"
  | "vat-differs"
  | "webhook-address-refused"
  | "webhook-field-fixed"
  | "webhook-field-type"
  | "webhook-field-unknown"
  | "webhook-filter"
  | "webhook-mode"
  | "webhook-offset"
  | "webhook-overlap"
  | "webhook-status"
  | "webhook-url"
  | "webhook-version"
  | "wrong-checksum"
  | "wrong-role"
  | "wrong-status"
  | "wrong-type";

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
  readonly next_check?: Timestamp | undefined;
  readonly mode?: "test" | undefined;
  readonly procurementMethodType?: "belowThreshold" | UnknownText | undefined;
  readonly procurementMethod: "open" | "selective" | "limited";
  readonly procurementMethodRationale?: string | undefined;
  readonly procurementMethodRationale_en?: string | undefined;
  readonly procurementMethodRationale_ru?: string | undefined;
  /** In the sandbox only */
  readonly procurementMethodDetails?: string | undefined;
  readonly submissionMethod: "electronicAuction" | "electronicSubmission" | "written" | "inPerson";
  readonly submissionMethodDetails?: string | undefined;
  readonly submissionMethodDetails_en?: string | undefined;
  readonly submissionMethodDetails_ru?: string | undefined;
  readonly awardCriteria: "lowestCost" | "bestProposal" | "bestValueToGovernment" | "singleBidOnly";
  readonly awardCriteriaDetails?: string | undefined;
  readonly awardCriteriaDetails_en?: string | undefined;
  readonly awardCriteriaDetails_ru?: string | undefined;
  readonly eligibilityCriteria?: string | undefined;
  readonly eligibilityCriteria_en?: string | undefined;
  readonly eligibilityCriteria_ru?: string | undefined;
  readonly title?: string | undefined;
  readonly title_en?: string | undefined;
  readonly title_ru?: string | undefined;
  readonly description?: string | undefined;
  readonly description_en?: string | undefined;
  readonly description_ru?: string | undefined;
  readonly hasEnquiries?: boolean | undefined;
  readonly numberOfBidders?: number | undefined;
  readonly numberOfBids?: number | undefined;
  readonly value?: Value | undefined;
  readonly minimalStep?: Value | undefined;
  readonly guarantee?: Guarantee | undefined;
  readonly enquiryPeriod?: Period | undefined;
  readonly tenderPeriod?: Period | undefined;
  readonly auctionPeriod?: AuctionPeriod | undefined;
  readonly auctionUrl?: string | undefined;
  readonly awardPeriod?: Period | undefined;
  readonly procuringEntity?: ProcuringEntity | undefined;
  readonly items?: readonly Item[] | undefined;
  readonly features?: readonly Feature[] | undefined;
  readonly lots?: readonly Lot[] | undefined;
  readonly documents?: readonly Document[] | undefined;
  readonly questions?: readonly Question[] | undefined;
  readonly bids?: readonly Bid[] | undefined;
  readonly awards?: readonly Award[] | undefined;
  readonly contracts?: readonly Contract[] | undefined;
  readonly complaints?: readonly Complaint[] | undefined;
  readonly cancellations?: readonly Cancellation[] | undefined;
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
    | "unsuccessful"
    | undefined;
  readonly mode?: "test" | undefined;
  readonly procurementMethodType?: "belowThreshold" | undefined;
  readonly procurementMethodRationale?: string | undefined;
  readonly procurementMethodRationale_en?: string | undefined;
  readonly procurementMethodRationale_ru?: string | undefined;
  /** In the sandbox only */
  readonly procurementMethodDetails?: string | undefined;
  readonly submissionMethodDetails?: string | undefined;
  readonly submissionMethodDetails_en?: string | undefined;
  readonly submissionMethodDetails_ru?: string | undefined;
  readonly awardCriteriaDetails?: string | undefined;
  readonly awardCriteriaDetails_en?: string | undefined;
  readonly awardCriteriaDetails_ru?: string | undefined;
  readonly eligibilityCriteria?: string | undefined;
  readonly eligibilityCriteria_en?: string | undefined;
  readonly eligibilityCriteria_ru?: string | undefined;
  readonly title: string;
  readonly title_en?: string | undefined;
  readonly title_ru?: string | undefined;
  readonly description?: string | undefined;
  readonly description_en?: string | undefined;
  readonly description_ru?: string | undefined;
  readonly hasEnquiries?: boolean | undefined;
  readonly numberOfBidders?: number | undefined;
  readonly value: ValueSent;
  readonly minimalStep?: ValueSent | undefined;
  readonly guarantee?: GuaranteeSent | undefined;
  readonly enquiryPeriod: WithRequired<Period, "endDate">;
  readonly tenderPeriod: WithRequired<Period, "endDate">;
  readonly auctionPeriod?: AuctionPeriodSent | undefined;
  readonly procuringEntity: ProcuringEntitySent;
  readonly items: readonly ItemSent[];
  readonly features?: readonly FeatureSent[] | undefined;
  readonly lots?: readonly LotSent[] | undefined;
} & ({ readonly minimalStep: ValueSent } | { readonly lots: readonly LotSent[] });

/** Organization, as the registry shows it. */
export type Organization = {
  readonly name?: string | undefined;
  readonly name_en?: string | undefined;
  readonly name_ru?: string | undefined;
  readonly identifier?: Identifier | undefined;
  readonly additionalIdentifiers?: readonly Identifier[] | undefined;
  readonly address?: Address | undefined;
  readonly contactPoint?: ContactPoint | undefined;
};

/** Organization, as it is sent, without what belongs to the registry. */
export type OrganizationSent = {
  readonly name: string;
  readonly name_en?: string | undefined;
  readonly name_ru?: string | undefined;
  readonly identifier: IdentifierSent;
  readonly additionalIdentifiers?: readonly IdentifierSent[] | undefined;
  readonly address: AddressSent;
  readonly contactPoint: ContactPoint;
};

/** Document, as the registry shows it. */
export type Document = {
  readonly id: string;
  readonly title?: string | undefined;
  readonly title_en?: string | undefined;
  readonly title_ru?: string | undefined;
  readonly description?: string | undefined;
  readonly description_en?: string | undefined;
  readonly description_ru?: string | undefined;
  readonly format?: string | undefined;
  readonly url: string;
  readonly hash?: string | undefined;
  readonly datePublished: Timestamp;
  readonly dateModified: Timestamp;
  readonly author?: string | undefined;
  readonly language?: string | undefined;
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
    | "registerExtract"
    | undefined;
  readonly documentOf?: "tender" | "item" | "lot" | undefined;
  readonly relatedItem?: string | undefined;
  readonly previousVersions?: readonly Document[] | undefined;
};

/** Document, as it is sent, without what belongs to the registry. */
export type DocumentSent = {
  readonly title?: string | undefined;
  readonly title_en?: string | undefined;
  readonly title_ru?: string | undefined;
  readonly description?: string | undefined;
  readonly description_en?: string | undefined;
  readonly description_ru?: string | undefined;
  readonly format?: string | undefined;
  readonly language?: string | undefined;
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
    | "registerExtract"
    | undefined;
  readonly documentOf?: "tender" | "item" | "lot" | undefined;
  readonly relatedItem?: string | undefined;
};

/** Registration, as it is sent, without what belongs to the registry. */
export type RegistrationSent = {
  readonly title: string;
  readonly title_en?: string | undefined;
  readonly title_ru?: string | undefined;
  readonly description?: string | undefined;
  readonly description_en?: string | undefined;
  readonly description_ru?: string | undefined;
  readonly format: string;
  readonly url: string;
  readonly hash?: string | undefined;
  readonly language?: string | undefined;
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
    | "registerExtract"
    | undefined;
  readonly documentOf?: "tender" | "item" | "lot" | undefined;
  readonly relatedItem?: string | undefined;
};

/** Procuring entity, as the registry shows it. */
export type ProcuringEntity = {
  readonly name?: string | undefined;
  readonly name_en?: string | undefined;
  readonly name_ru?: string | undefined;
  readonly identifier?: Identifier | undefined;
  readonly additionalIdentifiers?: readonly Identifier[] | undefined;
  readonly address?: Address | undefined;
  readonly contactPoint?: ContactPoint | undefined;
  readonly kind?: "general" | "special" | "defense" | "other" | undefined;
};

/** Procuring entity, as it is sent, without what belongs to the registry. */
export type ProcuringEntitySent = {
  readonly name: string;
  readonly name_en?: string | undefined;
  readonly name_ru?: string | undefined;
  readonly identifier: IdentifierSent;
  readonly additionalIdentifiers?: readonly IdentifierSent[] | undefined;
  readonly address: AddressSent;
  readonly contactPoint: ContactPoint;
  readonly kind?: "general" | "special" | "defense" | "other" | undefined;
};

/** Value, as the registry shows it. */
export type Value = {
  readonly amount?: number | undefined;
  readonly currency?: string | undefined;
  readonly valueAddedTaxIncluded?: boolean | undefined;
};

/** Value, as it is sent, without what belongs to the registry. */
export type ValueSent = {
  readonly amount: number;
  readonly currency?: string | undefined;
  readonly valueAddedTaxIncluded?: boolean | undefined;
};

/** Guarantee, as the registry shows it. */
export type Guarantee = {
  readonly amount?: number | undefined;
  readonly currency?: string | undefined;
};

/** Guarantee, as it is sent, without what belongs to the registry. */
export type GuaranteeSent = {
  readonly amount: number;
  readonly currency?: string | undefined;
};

/** Period, as the registry shows it. */
export type Period = {
  readonly startDate?: Timestamp | undefined;
  readonly endDate?: Timestamp | undefined;
};

/** Classification, as the registry shows it. */
export type Classification = {
  readonly scheme?: string | undefined;
  readonly id?: string | undefined;
  readonly description?: string | undefined;
  readonly description_en?: string | undefined;
  readonly description_ru?: string | undefined;
  readonly uri?: string | undefined;
};

/** Classification, as it is sent, without what belongs to the registry. */
export type ClassificationSent = {
  readonly scheme?: string | undefined;
  readonly id: string;
  readonly description: string;
  readonly description_en?: string | undefined;
  readonly description_ru?: string | undefined;
  readonly uri?: string | undefined;
};

/** Unit, as the registry shows it. */
export type Unit = {
  readonly name?: string | undefined;
  readonly name_en?: string | undefined;
  readonly name_ru?: string | undefined;
  readonly code?: string | undefined;
  readonly value?: Value | undefined;
};

/** Unit, as it is sent, without what belongs to the registry. */
export type UnitSent = {
  readonly name?: string | undefined;
  readonly name_en?: string | undefined;
  readonly name_ru?: string | undefined;
  readonly code?: string | undefined;
  readonly value?: ValueSent | undefined;
};

/** Address, as the registry shows it. */
export type Address = {
  readonly countryName?: string | undefined;
  readonly countryName_en?: string | undefined;
  readonly countryName_ru?: string | undefined;
  readonly region?: string | undefined;
  readonly locality?: string | undefined;
  readonly postalCode?: string | undefined;
  readonly streetAddress?: string | undefined;
};

/** Address, as it is sent, without what belongs to the registry. */
export type AddressSent = {
  readonly countryName: string;
  readonly countryName_en?: string | undefined;
  readonly countryName_ru?: string | undefined;
  readonly region?: string | undefined;
  readonly locality?: string | undefined;
  readonly postalCode?: string | undefined;
  readonly streetAddress?: string | undefined;
};

/** Location, as the registry shows it. */
export type Location = {
  readonly latitude?: string | undefined;
  readonly longitude?: string | undefined;
  readonly elevation?: string | undefined;
};

/** Location, as it is sent, without what belongs to the registry. */
export type LocationSent = {
  readonly latitude: string;
  readonly longitude: string;
  readonly elevation?: string | undefined;
};

/** Identifier, as the registry shows it. */
export type Identifier = {
  readonly scheme?: string | undefined;
  readonly id?: string | undefined;
  readonly legalName?: string | undefined;
  readonly legalName_en?: string | undefined;
  readonly legalName_ru?: string | undefined;
  readonly uri?: string | undefined;
};

/** Identifier, as it is sent, without what belongs to the registry. */
export type IdentifierSent = {
  readonly scheme: string;
  readonly id: string;
  readonly legalName?: string | undefined;
  readonly legalName_en?: string | undefined;
  readonly legalName_ru?: string | undefined;
  readonly uri?: string | undefined;
};

/** Contact point, as the registry shows it. */
export type ContactPoint = {
  readonly name?: string | undefined;
  readonly name_en?: string | undefined;
  readonly name_ru?: string | undefined;
  readonly email?: string | undefined;
  readonly telephone?: string | undefined;
  readonly faxNumber?: string | undefined;
  readonly url?: string | undefined;
};

/** Item, as the registry shows it. */
export type Item = {
  readonly id?: string | undefined;
  readonly description?: string | undefined;
  readonly description_en?: string | undefined;
  readonly description_ru?: string | undefined;
  readonly quantity?: number | undefined;
  readonly unit?: Unit | undefined;
  readonly classification?: Classification | undefined;
  readonly additionalClassifications?: readonly Classification[] | undefined;
  readonly deliveryDate?: Period | undefined;
  readonly deliveryAddress?: Address | undefined;
  readonly deliveryLocation?: Location | undefined;
  readonly relatedLot?: string | undefined;
};

/** Item, as it is sent, without what belongs to the registry. */
export type ItemSent = {
  readonly id?: string | undefined;
  readonly description: string;
  readonly description_en?: string | undefined;
  readonly description_ru?: string | undefined;
  readonly quantity?: number | undefined;
  readonly unit?: UnitSent | undefined;
  readonly classification: ClassificationSent;
  readonly additionalClassifications?: readonly WithRequired<ClassificationSent, "scheme">[] | undefined;
  readonly deliveryDate?: Period | undefined;
  readonly deliveryAddress?: AddressSent | undefined;
  readonly deliveryLocation?: LocationSent | undefined;
  readonly relatedLot?: string | undefined;
};

/** Feature, as the registry shows it. */
export type Feature = {
  readonly code?: string | undefined;
  readonly featureOf?: "tenderer" | "lot" | "item" | undefined;
  readonly relatedItem?: string | undefined;
  readonly title?: string | undefined;
  readonly title_en?: string | undefined;
  readonly title_ru?: string | undefined;
  readonly description?: string | undefined;
  readonly description_en?: string | undefined;
  readonly description_ru?: string | undefined;
  readonly enum?: readonly FeatureOption[] | undefined;
};

/** Feature, as it is sent, without what belongs to the registry. */
export type FeatureSent = {
  readonly code?: string | undefined;
  readonly featureOf?: "tenderer" | "lot" | "item" | undefined;
  readonly relatedItem?: string | undefined;
  readonly title: string;
  readonly title_en?: string | undefined;
  readonly title_ru?: string | undefined;
  readonly description?: string | undefined;
  readonly description_en?: string | undefined;
  readonly description_ru?: string | undefined;
  readonly enum: readonly FeatureOptionSent[];
};

/** Feature option, as the registry shows it. */
export type FeatureOption = {
  readonly value?: number | undefined;
  readonly title?: string | undefined;
  readonly title_en?: string | undefined;
  readonly title_ru?: string | undefined;
  readonly description?: string | undefined;
  readonly description_en?: string | undefined;
  readonly description_ru?: string | undefined;
};

/** Feature option, as it is sent, without what belongs to the registry. */
export type FeatureOptionSent = {
  readonly value: number;
  readonly title: string;
  readonly title_en?: string | undefined;
  readonly title_ru?: string | undefined;
  readonly description?: string | undefined;
  readonly description_en?: string | undefined;
  readonly description_ru?: string | undefined;
};

/** Lot, as the registry shows it. */
export type Lot = {
  readonly id?: string | undefined;
  readonly status?: "active" | "cancelled" | "unsuccessful" | "complete" | undefined;
  readonly date?: Timestamp | undefined;
  readonly title?: string | undefined;
  readonly title_en?: string | undefined;
  readonly title_ru?: string | undefined;
  readonly description?: string | undefined;
  readonly description_en?: string | undefined;
  readonly description_ru?: string | undefined;
  readonly value?: Value | undefined;
  readonly minimalStep?: Value | undefined;
  readonly guarantee?: Guarantee | undefined;
  readonly auctionPeriod?: AuctionPeriod | undefined;
  readonly auctionUrl?: string | undefined;
};

/** Lot, as it is sent, without what belongs to the registry. */
export type LotSent = {
  readonly id?: string | undefined;
  readonly title: string;
  readonly title_en?: string | undefined;
  readonly title_ru?: string | undefined;
  readonly description?: string | undefined;
  readonly description_en?: string | undefined;
  readonly description_ru?: string | undefined;
  readonly value: ValueSent;
  readonly minimalStep: ValueSent;
  readonly guarantee?: GuaranteeSent | undefined;
  readonly auctionPeriod?: AuctionPeriodSent | undefined;
};

/** Question, as the registry shows it. */
export type Question = {
  readonly id: string;
  readonly date: Timestamp;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly author?: Organization | undefined;
  readonly questionOf?: "tender" | "item" | "lot" | undefined;
  readonly relatedItem?: string | undefined;
  readonly answer?: string | undefined;
  readonly dateAnswered?: Timestamp | undefined;
};

/** Question, as it is sent, without what belongs to the registry. */
export type QuestionSent = {
  readonly title: string;
  readonly description?: string | undefined;
  readonly author: OrganizationSent;
  readonly questionOf?: "tender" | "item" | "lot" | undefined;
  readonly relatedItem?: string | undefined;
  readonly answer?: string | undefined;
};

/** Bid, as the registry shows it. */
export type Bid = {
  readonly id: string;
  readonly date: Timestamp;
  readonly status: "active" | "draft";
  readonly tenderers?: readonly Organization[] | undefined;
  readonly value?: Value | undefined;
  readonly lotValues?: readonly LotValue[] | undefined;
  readonly parameters?: readonly Parameter[] | undefined;
  readonly participationUrl?: string | undefined;
  readonly documents?: readonly Document[] | undefined;
};

/** Bid, as it is sent, without what belongs to the registry. */
export type BidSent = {
  readonly status?: "active" | "draft" | undefined;
  readonly tenderers: readonly OrganizationSent[];
  readonly value?: ValueSent | undefined;
  readonly lotValues?: readonly LotValueSent[] | undefined;
  readonly parameters?: readonly ParameterSent[] | undefined;
} & ({ readonly value: ValueSent } | { readonly lotValues: readonly LotValueSent[] });

/** Lot value, as the registry shows it. */
export type LotValue = {
  readonly relatedLot?: string | undefined;
  readonly value?: Value | undefined;
  readonly date?: Timestamp | undefined;
  readonly participationUrl?: string | undefined;
};

/** Lot value, as it is sent, without what belongs to the registry. */
export type LotValueSent = {
  readonly relatedLot: string;
  readonly value: ValueSent;
};

/** Parameter, as the registry shows it. */
export type Parameter = {
  readonly code?: string | undefined;
  readonly value?: number | undefined;
};

/** Parameter, as it is sent, without what belongs to the registry. */
export type ParameterSent = {
  readonly code: string;
  readonly value: number;
};

/** Award, as the registry shows it. */
export type Award = {
  readonly id: string;
  readonly date: Timestamp;
  readonly status: "pending" | "unsuccessful" | "active" | "cancelled";
  readonly bid_id?: string | undefined;
  readonly lotID?: string | undefined;
  readonly title?: string | undefined;
  readonly title_en?: string | undefined;
  readonly title_ru?: string | undefined;
  readonly description?: string | undefined;
  readonly description_en?: string | undefined;
  readonly description_ru?: string | undefined;
  readonly suppliers?: readonly Organization[] | undefined;
  readonly value?: Value | undefined;
  readonly items?: readonly Item[] | undefined;
  readonly complaintPeriod?: Period | undefined;
  readonly documents?: readonly Document[] | undefined;
  readonly complaints?: readonly Complaint[] | undefined;
};

/** Award, as it is sent, without what belongs to the registry. */
export type AwardSent = {
  readonly status?: "pending" | "unsuccessful" | "active" | "cancelled" | undefined;
  readonly bid_id?: string | undefined;
  readonly lotID?: string | undefined;
  readonly title?: string | undefined;
  readonly title_en?: string | undefined;
  readonly title_ru?: string | undefined;
  readonly description?: string | undefined;
  readonly description_en?: string | undefined;
  readonly description_ru?: string | undefined;
  readonly suppliers?: readonly OrganizationSent[] | undefined;
  readonly value?: ValueSent | undefined;
  readonly items?: readonly ItemSent[] | undefined;
  readonly complaintPeriod?: Period | undefined;
} & (
  | { readonly suppliers: readonly OrganizationSent[]; readonly bid_id: string }
  | { readonly status: "pending" | "unsuccessful" | "active" | "cancelled" }
);

/** Contract, as the registry shows it. */
export type Contract = {
  readonly id: string;
  readonly date: Timestamp;
  readonly status: "pending" | "terminated" | "active" | "cancelled";
  readonly awardID?: string | undefined;
  readonly contractID?: string | undefined;
  readonly contractNumber?: string | undefined;
  readonly title?: string | undefined;
  readonly title_en?: string | undefined;
  readonly title_ru?: string | undefined;
  readonly description?: string | undefined;
  readonly description_en?: string | undefined;
  readonly description_ru?: string | undefined;
  readonly period?: Period | undefined;
  readonly value?: Value | undefined;
  readonly dateSigned?: Timestamp | undefined;
  readonly items?: readonly Item[] | undefined;
  readonly suppliers?: readonly Organization[] | undefined;
  readonly documents?: readonly Document[] | undefined;
};

/** Contract, as it is sent, without what belongs to the registry. */
export type ContractSent = {
  readonly status?: "pending" | "terminated" | "active" | "cancelled" | undefined;
  readonly awardID: string;
  readonly contractNumber?: string | undefined;
  readonly title?: string | undefined;
  readonly title_en?: string | undefined;
  readonly title_ru?: string | undefined;
  readonly description?: string | undefined;
  readonly description_en?: string | undefined;
  readonly description_ru?: string | undefined;
  readonly period?: Period | undefined;
  readonly value?: ValueSent | undefined;
  readonly dateSigned?: Timestamp | undefined;
  readonly items?: readonly ItemSent[] | undefined;
  readonly suppliers?: readonly OrganizationSent[] | undefined;
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
  readonly type?: "claim" | "complaint" | undefined;
  readonly relatedLot?: string | undefined;
  readonly author?: Organization | undefined;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly dateSubmitted?: Timestamp | undefined;
  readonly resolution?: string | undefined;
  readonly resolutionType?: "invalid" | "resolved" | "declined" | undefined;
  readonly dateAnswered?: Timestamp | undefined;
  readonly tendererAction?: string | undefined;
  readonly tendererActionDate?: Timestamp | undefined;
  readonly satisfied?: boolean | undefined;
  readonly dateEscalated?: Timestamp | undefined;
  readonly decision?: string | undefined;
  readonly dateDecision?: Timestamp | undefined;
  readonly cancellationReason?: string | undefined;
  readonly dateCanceled?: Timestamp | undefined;
  readonly documents?: readonly Document[] | undefined;
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
    | "ignored"
    | undefined;
  readonly relatedLot?: string | undefined;
  readonly author: OrganizationSent;
  readonly title: string;
  readonly description?: string | undefined;
  readonly resolution?: string | undefined;
  readonly resolutionType?: "invalid" | "resolved" | "declined" | undefined;
  readonly tendererAction?: string | undefined;
  readonly satisfied?: boolean | undefined;
  readonly cancellationReason?: string | undefined;
};

/** Cancellation, as the registry shows it. */
export type Cancellation = {
  readonly id: string;
  readonly date: Timestamp;
  readonly status: "pending" | "active";
  readonly reason?: string | undefined;
  readonly reason_en?: string | undefined;
  readonly reason_ru?: string | undefined;
  readonly cancellationOf?: "tender" | "lot" | undefined;
  readonly relatedLot?: string | undefined;
  readonly documents?: readonly Document[] | undefined;
};

/** Cancellation, as it is sent, without what belongs to the registry. */
export type CancellationSent = {
  readonly status?: "pending" | "active" | undefined;
  readonly reason: string;
  readonly cancellationOf?: "tender" | "lot" | undefined;
  readonly relatedLot?: string | undefined;
};

/** Auction, as the registry shows it. */
export type Auction = {
  readonly tenderID?: string | undefined;
  readonly dateModified: Timestamp;
  readonly items?: readonly Item[] | undefined;
  readonly auctionPeriod?: AuctionPeriod | undefined;
  readonly minimalStep?: Value | undefined;
  readonly auctionUrl?: string | undefined;
  readonly features?: readonly Feature[] | undefined;
  readonly lots?: readonly AuctionLot[] | undefined;
  readonly bids: readonly AuctionBid[];
  readonly tenderPeriod?: Period | undefined;
};

/** Auction, as it is sent, without what belongs to the registry. */
export type AuctionSent = {
  readonly auctionUrl?: string | undefined;
  readonly lots?: readonly AuctionLotSent[] | undefined;
  readonly bids?: readonly AuctionBidSent[] | undefined;
};

/** Auction bid, as the registry shows it. */
export type AuctionBid = {
  readonly id?: string | undefined;
  readonly date?: Timestamp | undefined;
  readonly value?: Value | undefined;
  readonly parameters?: readonly Parameter[] | undefined;
  readonly participationUrl?: string | undefined;
  readonly lotValues?: readonly AuctionLotValue[] | undefined;
};

/** Auction bid, as it is sent, without what belongs to the registry. */
export type AuctionBidSent = {
  readonly id?: string | undefined;
  readonly date?: Timestamp | undefined;
  readonly value?: ValueSent | undefined;
  readonly participationUrl?: string | undefined;
  readonly lotValues?: readonly AuctionLotValueSent[] | undefined;
};

/** Auction lot value, as the registry shows it. */
export type AuctionLotValue = {
  readonly relatedLot?: string | undefined;
  readonly value?: Value | undefined;
  readonly date?: Timestamp | undefined;
  readonly participationUrl?: string | undefined;
};

/** Auction lot value, as it is sent, without what belongs to the registry. */
export type AuctionLotValueSent = {
  readonly relatedLot?: string | undefined;
  readonly value?: ValueSent | undefined;
  readonly date?: Timestamp | undefined;
  readonly participationUrl?: string | undefined;
};

/** Auction lot, as the registry shows it. */
export type AuctionLot = {
  readonly id?: string | undefined;
  readonly status?: "active" | "cancelled" | "unsuccessful" | "complete" | undefined;
  readonly date?: Timestamp | undefined;
  readonly title?: string | undefined;
  readonly title_en?: string | undefined;
  readonly title_ru?: string | undefined;
  readonly description?: string | undefined;
  readonly description_en?: string | undefined;
  readonly description_ru?: string | undefined;
  readonly value?: Value | undefined;
  readonly minimalStep?: Value | undefined;
  readonly guarantee?: Guarantee | undefined;
  readonly auctionPeriod?: AuctionPeriod | undefined;
  readonly auctionUrl?: string | undefined;
};

/** Auction lot, as it is sent, without what belongs to the registry. */
export type AuctionLotSent = {
  readonly id?: string | undefined;
  readonly auctionUrl?: string | undefined;
};

/** Auction period, as the registry shows it. */
export type AuctionPeriod = {
  readonly startDate?: Timestamp | undefined;
  readonly endDate?: Timestamp | undefined;
  readonly shouldStartAfter?: Timestamp | undefined;
};

/** Auction period, as it is sent, without what belongs to the registry. */
export type AuctionPeriodSent = {
  readonly startDate?: Timestamp | undefined;
  readonly endDate?: Timestamp | undefined;
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
  readonly mode?: string | undefined;
  readonly next_check?: Timestamp | undefined;
  readonly enquiryPeriod?: Period | undefined;
  readonly tenderPeriod?: Period | undefined;
  readonly auctionPeriod?: AuctionPeriod | undefined;
  readonly awardPeriod?: Period | undefined;
  readonly submissionMethodDetails?: string | undefined;
  readonly numberOfBids?: number | undefined;
  readonly lots?: readonly ScheduledLot[] | undefined;
  readonly awards?: readonly Award[] | undefined;
  readonly complaints?: readonly Complaint[] | undefined;
};

/** Scheduled lot, as the registry shows it. */
export type ScheduledLot = {
  readonly id?: string | undefined;
  readonly status?: string | undefined;
  readonly auctionPeriod?: AuctionPeriod | undefined;
  readonly numberOfBids?: number | undefined;
};

/** Credentials, as the registry shows it. */
export type Credentials = {
  readonly id: string;
  readonly owner: string;
  readonly tender_token: string;
};

/** New bid, as it is sent, without what belongs to the registry. */
export type NewBidSent = {
  readonly status?: "active" | "draft" | undefined;
  readonly tenderers: readonly OrganizationSent[];
  readonly value?: ValueSent | undefined;
  readonly lotValues?: readonly LotValueSent[] | undefined;
  readonly parameters?: readonly ParameterSent[] | undefined;
  readonly documents?: readonly RegistrationSent[] | undefined;
} & ({ readonly value: ValueSent } | { readonly lotValues: readonly LotValueSent[] });

/** Feed page, as the registry shows it. */
export type FeedPage = {
  readonly data: readonly {
    readonly id: string;
    readonly tenderID?: string | undefined;
    readonly owner?: string | undefined;
    readonly status?:
      | "draft"
      | "active.enquiries"
      | "active.tendering"
      | "active.auction"
      | "active.qualification"
      | "active.awarded"
      | "complete"
      | "cancelled"
      | "unsuccessful"
      | undefined;
    readonly date?: Timestamp | undefined;
    readonly dateModified: Timestamp;
    readonly next_check?: Timestamp | undefined;
    readonly mode?: "test" | undefined;
    readonly procurementMethodType?: "belowThreshold" | UnknownText | undefined;
    readonly procurementMethod?: "open" | "selective" | "limited" | undefined;
    readonly procurementMethodRationale?: string | undefined;
    readonly procurementMethodRationale_en?: string | undefined;
    readonly procurementMethodRationale_ru?: string | undefined;
    /** In the sandbox only */
    readonly procurementMethodDetails?: string | undefined;
    readonly submissionMethod?: "electronicAuction" | "electronicSubmission" | "written" | "inPerson" | undefined;
    readonly submissionMethodDetails?: string | undefined;
    readonly submissionMethodDetails_en?: string | undefined;
    readonly submissionMethodDetails_ru?: string | undefined;
    readonly awardCriteria?: "lowestCost" | "bestProposal" | "bestValueToGovernment" | "singleBidOnly" | undefined;
    readonly awardCriteriaDetails?: string | undefined;
    readonly awardCriteriaDetails_en?: string | undefined;
    readonly awardCriteriaDetails_ru?: string | undefined;
    readonly eligibilityCriteria?: string | undefined;
    readonly eligibilityCriteria_en?: string | undefined;
    readonly eligibilityCriteria_ru?: string | undefined;
    readonly title?: string | undefined;
    readonly title_en?: string | undefined;
    readonly title_ru?: string | undefined;
    readonly description?: string | undefined;
    readonly description_en?: string | undefined;
    readonly description_ru?: string | undefined;
    readonly hasEnquiries?: boolean | undefined;
    readonly numberOfBidders?: number | undefined;
    readonly numberOfBids?: number | undefined;
    readonly value?: Value | undefined;
    readonly minimalStep?: Value | undefined;
    readonly guarantee?: Guarantee | undefined;
    readonly enquiryPeriod?: Period | undefined;
    readonly tenderPeriod?: Period | undefined;
    readonly auctionPeriod?: AuctionPeriod | undefined;
    readonly auctionUrl?: string | undefined;
    readonly awardPeriod?: Period | undefined;
    readonly procuringEntity?: ProcuringEntity | undefined;
    readonly items?: readonly Item[] | undefined;
    readonly features?: readonly Feature[] | undefined;
    readonly lots?: readonly Lot[] | undefined;
    readonly documents?: readonly Document[] | undefined;
    readonly questions?: readonly Question[] | undefined;
    readonly bids?: readonly Bid[] | undefined;
    readonly awards?: readonly Award[] | undefined;
    readonly contracts?: readonly Contract[] | undefined;
    readonly complaints?: readonly Complaint[] | undefined;
    readonly cancellations?: readonly Cancellation[] | undefined;
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
    readonly body: NewBidSent;
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
  /** Who owns a tender, and the hash of the owner token, for the service that keeps its contracts */
  readonly "GET /tenders/{tender_id}/extract_credentials": {
    readonly answer: {
      readonly data: Credentials;
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
