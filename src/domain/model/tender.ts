import type { AuctionState } from "../auctions/model.ts";
import type { ProcedureName } from "../procedures/names.ts";
import type { Decimal } from "../values/decimal.ts";
import type { Instant } from "../values/time.ts";

import type { Guarantee, Item, Organization, Period, TranslatedText, Value } from "./commonTypes.ts";

export type * from "./commonTypes.ts";

/**
 * The canonical model: a tender with all its objects. Fields have the names of the newest wire version; older versions are
 * translated in `src/dialects`. Tenders are stored as JSON of these types, so renaming a field needs a migration.
 */

export const TENDER_STATUSES = [
  "draft",
  "active.enquiries",
  "active.tendering",
  "active.auction",
  "active.qualification",
  "active.awarded",
  "active",
  "complete",
  "cancelled",
  "unsuccessful",
] as const;
export type TenderStatus = (typeof TENDER_STATUSES)[number];

/** The SHA-256 of an owner token, in hex. The token itself is not stored. */
export type TokenHash = string;

/** Identifies the owner of an object: the name of the broker's account, and the hash of the token issued on creation. */
export type OwnerCredentials = { readonly owner: string; readonly tokenHash: TokenHash };

export const ENTITY_KINDS = ["general", "special", "defense", "other"] as const;
export type EntityKind = (typeof ENTITY_KINDS)[number];
/** The buyer. */
export type ProcuringEntity = Organization & { readonly kind?: EntityKind };

export const FEATURE_SUBJECTS = ["tenderer", "lot", "item"] as const;
/** A value that bidders can choose for a feature; `value` is its weight, from 0 to 0.3. */
export type FeatureOption = TranslatedText<"title"> & TranslatedText<"description"> & { readonly value?: Decimal };
/** A non-price criterion that bidders answer with one of its options. */
export type Feature = TranslatedText<"title"> &
  TranslatedText<"description"> & {
    readonly code?: string;
    readonly featureOf?: (typeof FEATURE_SUBJECTS)[number];
    readonly relatedItem?: string;
    readonly enum?: readonly FeatureOption[];
  };

export const LOT_STATUSES = ["active", "cancelled", "unsuccessful", "complete"] as const;
/** A part of a tender that is bid for, auctioned and awarded on its own. `date` is when its status last changed. */
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

/** What a document or question can be about. */
export const SUBJECT_KINDS = ["tender", "item", "lot"] as const;
export type SubjectKind = (typeof SUBJECT_KINDS)[number];

/** A version of a document. Versions of the same document have the same `id` and are in the order of upload. */
export type Document = TranslatedText<"title"> &
  TranslatedText<"description"> & {
    readonly id: string;
    /** The media type. */
    readonly format: string;
    /** Identifies the file in the file store. */
    readonly key: string;
    /** The MD5 of the file, as `md5:` and hex digits, as the protocol shows it. */
    readonly hash: string;
    readonly sha256: string;
    /** Bytes of the file. */
    readonly size: number;
    readonly datePublished: Instant;
    readonly dateModified: Instant;
    /** The role of the uploader; only the same role may replace the document. */
    readonly author?: string;
    readonly language?: string;
    readonly documentType?: string;
    readonly documentOf?: SubjectKind;
    readonly relatedItem?: string;
  };

/** A question of a potential bidder, and the buyer's answer. */
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
/** The part of a bid that is about one lot. `date` is when its amount was last set. */
export type LotValue = {
  readonly relatedLot?: string;
  readonly value?: Value;
  readonly date?: Instant;
  readonly participationUrl?: string;
};
/** A bid's answer to a feature: the code of the feature and the weight of the chosen option. */
export type BidParameter = { readonly code?: string; readonly value?: Decimal };
/** A supplier's offer. `date` is when its amount was last set, which decides between equal prices. */
export type Bid = OwnerCredentials & {
  readonly id: string;
  readonly date: Instant;
  readonly status: (typeof BID_STATUSES)[number];
  readonly tenderers?: readonly Organization[];
  readonly value?: Value;
  readonly lotValues?: readonly LotValue[];
  readonly parameters?: readonly BidParameter[];
  readonly participationUrl?: string;
  /** How often the links to the auctions that the service holds were replaced. No view shows it. */
  readonly linkNumber?: number;
  readonly documents: readonly Document[];
};

export const AWARD_STATUSES = ["pending", "unsuccessful", "active", "cancelled"] as const;
/** A bid or a supplier under consideration, accepted or rejected. `complaintPeriod` is its stand-still. */
export type Award = TranslatedText<"title"> &
  TranslatedText<"description"> & {
    readonly id: string;
    readonly date: Instant;
    readonly status: (typeof AWARD_STATUSES)[number];
    readonly bid_id?: string;
    readonly lotID?: string;
    readonly suppliers?: readonly Organization[];
    /** Whether the buyer has found the supplier qualified. */
    readonly qualified?: boolean;
    readonly subcontractingDetails?: string;
    readonly value?: Value;
    readonly items?: readonly Item[];
    readonly complaintPeriod?: Period;
    readonly documents: readonly Document[];
    readonly complaints: readonly Complaint[];
  };

export const CONTRACT_STATUSES = ["pending", "terminated", "active", "cancelled"] as const;
/** The contract of an accepted award. */
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
  "accepted",
  "invalid",
  "resolved",
  "declined",
  "cancelled",
  "ignored",
  "satisfied",
  "stopping",
  "stopped",
  "mistaken",
] as const;
export const RESOLUTIONS = ["invalid", "resolved", "declined"] as const;
export const COMPLAINT_TYPES = ["claim", "complaint"] as const;
/** Why reviewers reject a complaint. In the first and the last word, the protocol writes a Cyrillic "С" (U+0421). */
export const REJECT_REASONS = ["lawNon\u0421ompliance", "noPaymentReceived", "buyerViolations\u0421orrected"] as const;
/** A claim, which the buyer answers, or a complaint, which a review body decides. `dateEscalated` comes from older data. */
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
  /** When the answer becomes final unless it is contested. */
  readonly settlesAt?: Instant;
  readonly tendererAction?: string;
  readonly tendererActionDate?: Instant;
  readonly satisfied?: boolean;
  readonly dateEscalated?: Instant;
  /** Whether the review body has taken the complaint on. */
  readonly acceptance?: boolean;
  readonly dateAccepted?: Instant;
  readonly rejectReason?: string;
  readonly rejectReasonDescription?: string;
  readonly reviewDate?: Instant;
  readonly reviewPlace?: string;
  readonly decision?: string;
  readonly dateDecision?: Instant;
  readonly cancellationReason?: string;
  readonly dateCanceled?: Instant;
  readonly documents: readonly Document[];
};

export const CANCELLATION_STATUSES = ["pending", "active"] as const;
export const CANCELLATION_SUBJECTS = ["tender", "lot"] as const;
export const CANCELLATION_REASON_TYPES = ["cancelled", "unsuccessful"] as const;
/** The cancellation of a tender or lot, with its reason. It takes effect when it is active. */
export type Cancellation = TranslatedText<"reason"> & {
  readonly id: string;
  readonly date: Instant;
  readonly status: (typeof CANCELLATION_STATUSES)[number];
  readonly cancellationOf: (typeof CANCELLATION_SUBJECTS)[number];
  readonly reasonType?: (typeof CANCELLATION_REASON_TYPES)[number];
  readonly relatedLot?: string;
  readonly documents: readonly Document[];
};

/** The fields of a tender that its owner sets. */
export type TenderFields = TranslatedText<"title"> &
  TranslatedText<"description"> &
  TranslatedText<"procurementMethodRationale"> &
  TranslatedText<"awardCriteriaDetails"> &
  TranslatedText<"submissionMethodDetails"> &
  TranslatedText<"eligibilityCriteria"> &
  TranslatedText<"causeDescription"> & {
    /** The legal ground for buying without competition. */
    readonly cause?: string;
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
    /** When the buyer plans to award. Only clients of the oldest versions send it. */
    readonly plannedAwardPeriod?: Period;
    /** When everything is to be delivered. Only clients of the oldest versions send it. */
    readonly deliveryDate?: Period;
  };

/** A tender with everything that belongs to it, as it is stored. Values are never changed in place. */
export type Tender = TenderFields &
  OwnerCredentials & {
    readonly id: string;
    /** The number shown to people, such as UA-2026-11-15-000001. */
    readonly tenderID: string;
    readonly procedure: ProcedureName;
    readonly status: TenderStatus;
    readonly mode?: "test";
    /** The test clock that the tender runs on, if any. Sandbox only. */
    readonly testClock?: string;
    /** When the status last changed. */
    readonly date: Instant;
    /** When the public view last changed; the position in the feed. */
    readonly dateModified: Instant;
    readonly auctionPeriod?: Period;
    readonly auctionUrl?: string;
    /** When a fast-forward auction ends by itself. Sandbox only. */
    readonly auctionEndsAt?: Instant;
    /** The auctions that the service itself holds. They have unpublished prices, so views never include them: see `viewAuction`. */
    readonly auctions?: readonly AuctionState[];
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
