import type { Decimal } from "../values/decimal.ts";
import type { Instant } from "../values/time.ts";

/** The canonical model: one tender with everything that hangs on it, named as the newest wire shape names things. */

export const TENDER_STATUSES = [
  "draft",
  "active.enquiries",
  "active.tendering",
  "active.auction",
  "active.qualification",
  "active.awarded",
  "complete",
  "cancelled",
  "unsuccessful",
] as const;
export type TenderStatus = (typeof TENDER_STATUSES)[number];

export const PROCEDURE_NAMES = ["basic", "belowThreshold"] as const;
export type ProcedureName = (typeof PROCEDURE_NAMES)[number];
/** What `procurementMethodType` may be; a tender that names none is a plain one, or what its version makes of it. */
export const PROCUREMENT_METHOD_TYPES = ["belowThreshold"] as const satisfies readonly ProcedureName[];

/** The hash of an owner token; the token itself is known to its holder alone. */
export type TokenHash = string;

export type OwnerCredentials = { readonly owner: string; readonly tokenHash: TokenHash };

export type Value = {
  readonly amount?: Decimal;
  readonly currency?: string;
  readonly valueAddedTaxIncluded?: boolean;
};
export type Guarantee = { readonly amount?: Decimal; readonly currency?: string };
export type Period = { readonly startDate?: Instant; readonly endDate?: Instant };

export type TranslatedText<Name extends string> = { readonly [key in Name | `${Name}_en` | `${Name}_ru`]?: string };

export type Classification = TranslatedText<"description"> & {
  readonly scheme?: string;
  readonly id?: string;
  readonly uri?: string;
};
export type Unit = TranslatedText<"name"> & { readonly code?: string; readonly value?: Value };
export type Address = TranslatedText<"countryName"> & {
  readonly locality?: string;
  readonly postalCode?: string;
  readonly region?: string;
  readonly streetAddress?: string;
};
export type DeliveryLocation = { readonly latitude?: string; readonly longitude?: string; readonly elevation?: string };

export type Item = TranslatedText<"description"> & {
  readonly id?: string;
  readonly classification?: Classification;
  readonly additionalClassifications?: readonly Classification[];
  readonly quantity?: Decimal;
  readonly unit?: Unit;
  readonly deliveryAddress?: Address;
  readonly deliveryDate?: Period;
  readonly deliveryLocation?: DeliveryLocation;
  readonly relatedLot?: string;
};

export type Identifier = TranslatedText<"legalName"> & {
  readonly scheme?: string;
  readonly id?: string;
  readonly uri?: string;
};
export type ContactPoint = TranslatedText<"name"> & {
  readonly email?: string;
  readonly telephone?: string;
  readonly faxNumber?: string;
  readonly url?: string;
};
export type Organization = TranslatedText<"name"> & {
  readonly identifier?: Identifier;
  readonly additionalIdentifiers?: readonly Identifier[];
  readonly address?: Address;
  readonly contactPoint?: ContactPoint;
};
export const ENTITY_KINDS = ["general", "special", "defense", "other"] as const;
export type ProcuringEntity = Organization & { readonly kind?: (typeof ENTITY_KINDS)[number] };

export const FEATURE_SUBJECTS = ["tenderer", "lot", "item"] as const;
export type FeatureOption = TranslatedText<"title"> & TranslatedText<"description"> & { readonly value?: Decimal };
export type Feature = TranslatedText<"title"> &
  TranslatedText<"description"> & {
    readonly code?: string;
    readonly featureOf?: (typeof FEATURE_SUBJECTS)[number];
    readonly relatedItem?: string;
    readonly enum?: readonly FeatureOption[];
  };

export const LOT_STATUSES = ["active", "cancelled", "unsuccessful", "complete"] as const;
export type Lot = TranslatedText<"title"> &
  TranslatedText<"description"> & {
    readonly id: string;
    readonly status: (typeof LOT_STATUSES)[number];
    readonly date: Instant;
    readonly value?: Value;
    readonly minimalStep?: Value;
    readonly guarantee?: Guarantee;
    readonly auctionPeriod?: Period;
    readonly auctionUrl?: string;
  };

export const SUBJECT_KINDS = ["tender", "item", "lot"] as const;
export type SubjectKind = (typeof SUBJECT_KINDS)[number];

/** One version of a document: versions of the same document share its `id` and stand in the order of upload. */
export type Document = TranslatedText<"title"> &
  TranslatedText<"description"> & {
    readonly id: string;
    readonly format: string;
    readonly key: string;
    readonly hash: string;
    readonly sha256: string;
    readonly size: number;
    readonly datePublished: Instant;
    readonly dateModified: Instant;
    readonly author?: string;
    readonly language?: string;
    readonly documentType?: string;
    readonly documentOf?: SubjectKind;
    readonly relatedItem?: string;
  };

export type Question = {
  readonly id: string;
  readonly date: Instant;
  readonly title?: string;
  readonly description?: string;
  readonly author?: Organization;
  readonly questionOf?: SubjectKind;
  readonly relatedItem?: string;
  readonly answer?: string;
  readonly dateAnswered?: Instant;
};

export const BID_STATUSES = ["active", "draft"] as const;
export type LotValue = {
  readonly relatedLot?: string;
  readonly value?: Value;
  readonly date?: Instant;
  readonly participationUrl?: string;
};
export type BidParameter = { readonly code?: string; readonly value?: Decimal };
export type Bid = OwnerCredentials & {
  readonly id: string;
  readonly date: Instant;
  readonly status: (typeof BID_STATUSES)[number];
  readonly tenderers?: readonly Organization[];
  readonly value?: Value;
  readonly lotValues?: readonly LotValue[];
  readonly parameters?: readonly BidParameter[];
  readonly participationUrl?: string;
  readonly documents: readonly Document[];
};

export const AWARD_STATUSES = ["pending", "unsuccessful", "active", "cancelled"] as const;
export type Award = TranslatedText<"title"> &
  TranslatedText<"description"> & {
    readonly id: string;
    readonly date: Instant;
    readonly status: (typeof AWARD_STATUSES)[number];
    readonly bid_id?: string;
    readonly lotID?: string;
    readonly suppliers?: readonly Organization[];
    readonly value?: Value;
    readonly items?: readonly Item[];
    readonly complaintPeriod?: Period;
    readonly documents: readonly Document[];
    readonly complaints: readonly Complaint[];
  };

export const CONTRACT_STATUSES = ["pending", "terminated", "active", "cancelled"] as const;
export type Contract = TranslatedText<"title"> &
  TranslatedText<"description"> & {
    readonly id: string;
    readonly date: Instant;
    readonly status: (typeof CONTRACT_STATUSES)[number];
    readonly awardID: string;
    readonly contractID: string;
    readonly contractNumber?: string;
    readonly period?: Period;
    readonly value?: Value;
    readonly dateSigned?: Instant;
    readonly items?: readonly Item[];
    readonly suppliers?: readonly Organization[];
    readonly documents: readonly Document[];
  };

export const COMPLAINT_STATUSES = [
  "draft",
  "claim",
  "answered",
  "pending",
  "invalid",
  "resolved",
  "declined",
  "cancelled",
  "ignored",
] as const;
export const RESOLUTIONS = ["invalid", "resolved", "declined"] as const;
export const COMPLAINT_TYPES = ["claim", "complaint"] as const;
export type Complaint = OwnerCredentials & {
  readonly id: string;
  readonly complaintID: string;
  readonly date: Instant;
  readonly status: (typeof COMPLAINT_STATUSES)[number];
  readonly type: (typeof COMPLAINT_TYPES)[number];
  readonly relatedLot?: string;
  readonly author?: Organization;
  readonly title?: string;
  readonly description?: string;
  readonly dateSubmitted?: Instant;
  readonly resolution?: string;
  readonly resolutionType?: (typeof RESOLUTIONS)[number];
  readonly dateAnswered?: Instant;
  /** When an answer that nobody contests settles the claim. */
  readonly settlesAt?: Instant;
  readonly tendererAction?: string;
  readonly tendererActionDate?: Instant;
  readonly satisfied?: boolean;
  readonly dateEscalated?: Instant;
  readonly decision?: string;
  readonly dateDecision?: Instant;
  readonly cancellationReason?: string;
  readonly dateCanceled?: Instant;
  readonly documents: readonly Document[];
};

export const CANCELLATION_STATUSES = ["pending", "active"] as const;
export const CANCELLATION_SUBJECTS = ["tender", "lot"] as const;
export type Cancellation = TranslatedText<"reason"> & {
  readonly id: string;
  readonly date: Instant;
  readonly status: (typeof CANCELLATION_STATUSES)[number];
  readonly cancellationOf: (typeof CANCELLATION_SUBJECTS)[number];
  readonly relatedLot?: string;
  readonly documents: readonly Document[];
};

/** What a client may set on a tender, by name. */
export type TenderFields = TranslatedText<"title"> &
  TranslatedText<"description"> &
  TranslatedText<"procurementMethodRationale"> &
  TranslatedText<"awardCriteriaDetails"> &
  TranslatedText<"submissionMethodDetails"> &
  TranslatedText<"eligibilityCriteria"> & {
    readonly procurementMethodDetails?: string;
    readonly hasEnquiries?: boolean;
    readonly numberOfBidders?: number;
    readonly procuringEntity?: ProcuringEntity;
    readonly value?: Value;
    readonly minimalStep?: Value;
    readonly guarantee?: Guarantee;
    readonly items?: readonly Item[];
    readonly features?: readonly Feature[];
    readonly enquiryPeriod?: Period;
    readonly tenderPeriod?: Period;
    /** When the buyer means to award, and wants everything delivered: said by the oldest clients only. */
    readonly plannedAwardPeriod?: Period;
    readonly deliveryDate?: Period;
  };

export type Tender = TenderFields &
  OwnerCredentials & {
    readonly id: string;
    readonly tenderID: string;
    readonly procedure: ProcedureName;
    readonly status: TenderStatus;
    readonly mode?: "test";
    /** The clock that its time is told by, where that is not everybody's: in the sandbox only. */
    readonly testClock?: string;
    readonly date: Instant;
    readonly dateModified: Instant;
    readonly auctionPeriod?: Period;
    readonly auctionUrl?: string;
    /** When an auction that nobody runs ends by itself: in the sandbox only. */
    readonly auctionEndsAt?: Instant;
    readonly awardPeriod?: Period;
    readonly lots: readonly Lot[];
    readonly bids: readonly Bid[];
    readonly questions: readonly Question[];
    readonly documents: readonly Document[];
    readonly awards: readonly Award[];
    readonly contracts: readonly Contract[];
    readonly complaints: readonly Complaint[];
    readonly cancellations: readonly Cancellation[];
  };
