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

/** A procurement procedure with everything that belongs to it. As the registry shows it. */
export type Tender = {
  /** Identifies the tender in paths: 32 hex digits. Assigned by the service on creation. */
  readonly id: string;
  /**
   * Official number for people, `UA-<date>-<sequence>`. Assigned by the service on creation: the date is the day in the
   * registry's time zone, the sequence has at least six digits and starts at 000001 every day.
   */
  readonly tenderID: string;
  /** Name of the account that created the tender. Set by the service from the API key. */
  readonly owner: string;
  /**
   * Stage of the procedure. The service moves it when a deadline passes or a decision is made. The owner may create a
   * tender as `draft`, publish the draft by setting `active.enquiries`, and set `cancelled` before the tender has
   * ended; any other value in a PATCH is ignored, except that the owner of a tender without `procurementMethodType`
   * ends it by setting `complete` or `unsuccessful` in `active.qualification`.
   */
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
  /** Time of the last change of `status`. Set by the service. */
  readonly date: Timestamp;
  /**
   * Time of the last public change of the tender or of anything in it. Set by the service; unique in the registry and
   * rising in the order of commit, so the feed is ordered by it. Sealed bids do not change it.
   */
  readonly dateModified: Timestamp;
  /**
   * Time at which the tender will next change by itself, or its auction starts or should be over. Computed by the
   * service; absent if nothing is due.
   */
  readonly next_check?: Timestamp | undefined;
  /**
   * `test` marks a test tender: its titles get a marker in brackets, and the feed lists it only with the parameter
   * `mode`. Set by the owner on creation, fixed afterwards. Absent for a real tender.
   */
  readonly mode?: "test" | undefined;
  /**
   * Procedure that the tender follows. Set by the owner on creation, `belowThreshold` if absent; fixed afterwards.
   * Responses leave it out for a tender of the plain procedure, which older versions create.
   */
  readonly procurementMethodType?: "belowThreshold" | UnknownText | undefined;
  /** Who may bid. Set by the procedure; today always `open`: anyone. */
  readonly procurementMethod: "open" | "selective" | "limited";
  /** Why this procedure was chosen. Set by the owner. */
  readonly procurementMethodRationale?: string | undefined;
  /** English version of `procurementMethodRationale`. Optional; set by whoever sets `procurementMethodRationale`. */
  readonly procurementMethodRationale_en?: string | undefined;
  /** Russian version of `procurementMethodRationale`. Optional; set by whoever sets `procurementMethodRationale`. */
  readonly procurementMethodRationale_ru?: string | undefined;
  /**
   * Sandbox only: a text that contains `accelerator=<n>` after at least one other character divides the stand-still of
   * awards and the time to contest an answer by n. Set by the owner.
   */
  readonly procurementMethodDetails?: string | undefined;
  /** How bids compete. Set by the procedure; today always `electronicAuction`. */
  readonly submissionMethod: "electronicAuction" | "electronicSubmission" | "written" | "inPerson";
  /**
   * Free text about the auction. Set by the owner. In the sandbox, `quick` plans the auction without waiting for
   * midnight, `quick(mode:no-auction)` skips it, and `quick(mode:fast-forward)` ends it at once with the prices of the
   * bids.
   */
  readonly submissionMethodDetails?: string | undefined;
  /** English version of `submissionMethodDetails`. Optional; set by whoever sets `submissionMethodDetails`. */
  readonly submissionMethodDetails_en?: string | undefined;
  /** Russian version of `submissionMethodDetails`. Optional; set by whoever sets `submissionMethodDetails`. */
  readonly submissionMethodDetails_ru?: string | undefined;
  /**
   * How bids are ranked. Set by the procedure; today always `lowestCost`: the lowest price, adjusted by `features` if
   * there are any.
   */
  readonly awardCriteria: "lowestCost" | "bestProposal" | "bestValueToGovernment" | "singleBidOnly";
  /** Free text about the award criteria. Set by the owner. */
  readonly awardCriteriaDetails?: string | undefined;
  /** English version of `awardCriteriaDetails`. Optional; set by whoever sets `awardCriteriaDetails`. */
  readonly awardCriteriaDetails_en?: string | undefined;
  /** Russian version of `awardCriteriaDetails`. Optional; set by whoever sets `awardCriteriaDetails`. */
  readonly awardCriteriaDetails_ru?: string | undefined;
  /** Free text about who may bid. Set by the owner; the service does not check it. */
  readonly eligibilityCriteria?: string | undefined;
  /** English version of `eligibilityCriteria`. Optional; set by whoever sets `eligibilityCriteria`. */
  readonly eligibilityCriteria_en?: string | undefined;
  /** Russian version of `eligibilityCriteria`. Optional; set by whoever sets `eligibilityCriteria`. */
  readonly eligibilityCriteria_ru?: string | undefined;
  /**
   * What is procured, in a few words. Set by the owner. In `mode` `test` the service puts `[ТЕСТУВАННЯ]` in front,
   * `[TESTING]` in front of the English title and `[ТЕСТИРОВАНИЕ]` in front of the Russian one.
   */
  readonly title?: string | undefined;
  /** English version of `title`. Optional; set by whoever sets `title`. */
  readonly title_en?: string | undefined;
  /** Russian version of `title`. Optional; set by whoever sets `title`. */
  readonly title_ru?: string | undefined;
  /** What is procured, in detail. Set by the owner. */
  readonly description?: string | undefined;
  /** English version of `description`. Optional; set by whoever sets `description`. */
  readonly description_en?: string | undefined;
  /** Russian version of `description`. Optional; set by whoever sets `description`. */
  readonly description_ru?: string | undefined;
  /** Whether the buyer received enquiries. Set by the owner; not computed from `questions`. */
  readonly hasEnquiries?: boolean | undefined;
  /** Number of bidders as the buyer counts them. Set by the owner; not computed from `bids`. */
  readonly numberOfBidders?: number | undefined;
  /** Number of bids. Computed by the service; shown from `active.qualification` on, also when it is 0. */
  readonly numberOfBids?: number | undefined;
  /**
   * Expected total value; no bid may exceed it. Set by the owner. With `lots`, the service sets `amount` to the sum of
   * theirs.
   */
  readonly value?: Value | undefined;
  /**
   * Smallest step by which a bid is lowered in the auction, at most `value`, in its currency and with its VAT flag. Set
   * by the owner. With `lots`, the service sets `amount` to the smallest of theirs.
   */
  readonly minimalStep?: Value | undefined;
  /**
   * Security that a bidder has to provide. Set by the owner. With `lots`, the service sets `amount` to the sum of
   * theirs.
   */
  readonly guarantee?: Guarantee | undefined;
  /**
   * When questions can be asked. `startDate` is the time of publication and set by the service; `endDate` is set by the
   * owner.
   */
  readonly enquiryPeriod?: Period | undefined;
  /**
   * When bids are accepted. Set by the owner; may not start before enquiries end, and starts then if `startDate` is
   * absent.
   */
  readonly tenderPeriod?: Period | undefined;
  /**
   * When the auction is held. `startDate` is set by the scheduler, `endDate` by the service when the auction reports
   * its results. Ignored when the owner sends it; absent for a tender with `lots`, each of which has its own.
   */
  readonly auctionPeriod?: AuctionPeriod | undefined;
  /** Address of the page where the auction can be watched. Set by the auction service before the auction. */
  readonly auctionUrl?: string | undefined;
  /**
   * When the winner is chosen. `startDate` is set by the service when it makes the first award, `endDate` when no award
   * is left to decide; an award that is cancelled removes `endDate` again.
   */
  readonly awardPeriod?: Period | undefined;
  /** The organisation that buys. Set by the owner. */
  readonly procuringEntity?: ProcuringEntity | undefined;
  /** Goods or services to be procured, all of one CPV class. Set by the owner. */
  readonly items?: readonly Item[] | undefined;
  /**
   * Criteria besides the price. Set by the owner; their largest values add up to at most 0.3, with `lots` for each lot.
   */
  readonly features?: readonly Feature[] | undefined;
  /**
   * Parts that are bid for and awarded separately. Set by the owner on creation; afterwards each lot has its own
   * address.
   */
  readonly lots?: readonly Lot[] | undefined;
  /**
   * Documents of the tender: every version of each, in the order of upload, with the same `id`. Added at their own
   * address.
   */
  readonly documents?: readonly Document[] | undefined;
  /** Questions to the buyer, in the order in which they were asked. Added at their own address. */
  readonly questions?: readonly Question[] | undefined;
  /**
   * Bids, in the order in which they were placed. While they are sealed the field is absent: under `belowThreshold`
   * until `active.qualification`. Added at their own address.
   */
  readonly bids?: readonly Bid[] | undefined;
  /** Awards, in the order in which they were made: by the service under `belowThreshold`, otherwise by the owner. */
  readonly awards?: readonly Award[] | undefined;
  /** Contracts. The service makes one when an award becomes `active`. */
  readonly contracts?: readonly Contract[] | undefined;
  /** Claims against the tender itself. Claims against an award are in the award. */
  readonly complaints?: readonly Complaint[] | undefined;
  /** Cancellations of the tender or of one of its lots, whether in effect or not. */
  readonly cancellations?: readonly Cancellation[] | undefined;
};

/** A procurement procedure with everything that belongs to it. As it is sent, without what belongs to the registry. */
export type TenderSent = {
  /**
   * Stage of the procedure. The service moves it when a deadline passes or a decision is made. The owner may create a
   * tender as `draft`, publish the draft by setting `active.enquiries`, and set `cancelled` before the tender has
   * ended; any other value in a PATCH is ignored, except that the owner of a tender without `procurementMethodType`
   * ends it by setting `complete` or `unsuccessful` in `active.qualification`.
   */
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
  /**
   * `test` marks a test tender: its titles get a marker in brackets, and the feed lists it only with the parameter
   * `mode`. Set by the owner on creation, fixed afterwards. Absent for a real tender.
   */
  readonly mode?: "test" | undefined;
  /**
   * Procedure that the tender follows. Set by the owner on creation, `belowThreshold` if absent; fixed afterwards.
   * Responses leave it out for a tender of the plain procedure, which older versions create.
   */
  readonly procurementMethodType?: "belowThreshold" | undefined;
  /** Why this procedure was chosen. Set by the owner. */
  readonly procurementMethodRationale?: string | undefined;
  /** English version of `procurementMethodRationale`. Optional; set by whoever sets `procurementMethodRationale`. */
  readonly procurementMethodRationale_en?: string | undefined;
  /** Russian version of `procurementMethodRationale`. Optional; set by whoever sets `procurementMethodRationale`. */
  readonly procurementMethodRationale_ru?: string | undefined;
  /**
   * Sandbox only: a text that contains `accelerator=<n>` after at least one other character divides the stand-still of
   * awards and the time to contest an answer by n. Set by the owner.
   */
  readonly procurementMethodDetails?: string | undefined;
  /**
   * Free text about the auction. Set by the owner. In the sandbox, `quick` plans the auction without waiting for
   * midnight, `quick(mode:no-auction)` skips it, and `quick(mode:fast-forward)` ends it at once with the prices of the
   * bids.
   */
  readonly submissionMethodDetails?: string | undefined;
  /** English version of `submissionMethodDetails`. Optional; set by whoever sets `submissionMethodDetails`. */
  readonly submissionMethodDetails_en?: string | undefined;
  /** Russian version of `submissionMethodDetails`. Optional; set by whoever sets `submissionMethodDetails`. */
  readonly submissionMethodDetails_ru?: string | undefined;
  /** Free text about the award criteria. Set by the owner. */
  readonly awardCriteriaDetails?: string | undefined;
  /** English version of `awardCriteriaDetails`. Optional; set by whoever sets `awardCriteriaDetails`. */
  readonly awardCriteriaDetails_en?: string | undefined;
  /** Russian version of `awardCriteriaDetails`. Optional; set by whoever sets `awardCriteriaDetails`. */
  readonly awardCriteriaDetails_ru?: string | undefined;
  /** Free text about who may bid. Set by the owner; the service does not check it. */
  readonly eligibilityCriteria?: string | undefined;
  /** English version of `eligibilityCriteria`. Optional; set by whoever sets `eligibilityCriteria`. */
  readonly eligibilityCriteria_en?: string | undefined;
  /** Russian version of `eligibilityCriteria`. Optional; set by whoever sets `eligibilityCriteria`. */
  readonly eligibilityCriteria_ru?: string | undefined;
  /**
   * What is procured, in a few words. Set by the owner. In `mode` `test` the service puts `[ТЕСТУВАННЯ]` in front,
   * `[TESTING]` in front of the English title and `[ТЕСТИРОВАНИЕ]` in front of the Russian one.
   */
  readonly title: string;
  /** English version of `title`. Optional; set by whoever sets `title`. */
  readonly title_en?: string | undefined;
  /** Russian version of `title`. Optional; set by whoever sets `title`. */
  readonly title_ru?: string | undefined;
  /** What is procured, in detail. Set by the owner. */
  readonly description?: string | undefined;
  /** English version of `description`. Optional; set by whoever sets `description`. */
  readonly description_en?: string | undefined;
  /** Russian version of `description`. Optional; set by whoever sets `description`. */
  readonly description_ru?: string | undefined;
  /** Whether the buyer received enquiries. Set by the owner; not computed from `questions`. */
  readonly hasEnquiries?: boolean | undefined;
  /** Number of bidders as the buyer counts them. Set by the owner; not computed from `bids`. */
  readonly numberOfBidders?: number | undefined;
  /**
   * Expected total value; no bid may exceed it. Set by the owner. With `lots`, the service sets `amount` to the sum of
   * theirs.
   */
  readonly value: ValueSent;
  /**
   * Smallest step by which a bid is lowered in the auction, at most `value`, in its currency and with its VAT flag. Set
   * by the owner. With `lots`, the service sets `amount` to the smallest of theirs.
   */
  readonly minimalStep?: ValueSent | undefined;
  /**
   * Security that a bidder has to provide. Set by the owner. With `lots`, the service sets `amount` to the sum of
   * theirs.
   */
  readonly guarantee?: GuaranteeSent | undefined;
  /**
   * When questions can be asked. `startDate` is the time of publication and set by the service; `endDate` is set by the
   * owner.
   */
  readonly enquiryPeriod: WithRequired<Period, "endDate">;
  /**
   * When bids are accepted. Set by the owner; may not start before enquiries end, and starts then if `startDate` is
   * absent.
   */
  readonly tenderPeriod: WithRequired<Period, "endDate">;
  /**
   * When the auction is held. `startDate` is set by the scheduler, `endDate` by the service when the auction reports
   * its results. Ignored when the owner sends it; absent for a tender with `lots`, each of which has its own.
   */
  readonly auctionPeriod?: AuctionPeriodSent | undefined;
  /** The organisation that buys. Set by the owner. */
  readonly procuringEntity: ProcuringEntitySent;
  /** Goods or services to be procured, all of one CPV class. Set by the owner. */
  readonly items: readonly ItemSent[];
  /**
   * Criteria besides the price. Set by the owner; their largest values add up to at most 0.3, with `lots` for each lot.
   */
  readonly features?: readonly FeatureSent[] | undefined;
  /**
   * Parts that are bid for and awarded separately. Set by the owner on creation; afterwards each lot has its own
   * address.
   */
  readonly lots?: readonly LotSent[] | undefined;
} & ({ readonly minimalStep: ValueSent } | { readonly lots: readonly LotSent[] });

/** A bidder, a supplier, or whoever asks or complains. As the registry shows it. */
export type Organization = {
  /** Name under which the organisation is known. Set by the client. */
  readonly name?: string | undefined;
  /** English version of `name`. Optional; set by whoever sets `name`. */
  readonly name_en?: string | undefined;
  /** Russian version of `name`. Optional; set by whoever sets `name`. */
  readonly name_ru?: string | undefined;
  /** Entry of the organisation in an official register. Set by the client. */
  readonly identifier?: Identifier | undefined;
  /** Entries in other registers. Set by the client. */
  readonly additionalIdentifiers?: readonly Identifier[] | undefined;
  /** Postal address of the organisation. Set by the client. */
  readonly address?: Address | undefined;
  /** Whom to contact. Set by the client; every member is optional. */
  readonly contactPoint?: ContactPoint | undefined;
};

/** A bidder, a supplier, or whoever asks or complains. As it is sent, without what belongs to the registry. */
export type OrganizationSent = {
  /** Name under which the organisation is known. Set by the client. */
  readonly name: string;
  /** English version of `name`. Optional; set by whoever sets `name`. */
  readonly name_en?: string | undefined;
  /** Russian version of `name`. Optional; set by whoever sets `name`. */
  readonly name_ru?: string | undefined;
  /** Entry of the organisation in an official register. Set by the client. */
  readonly identifier: IdentifierSent;
  /** Entries in other registers. Set by the client. */
  readonly additionalIdentifiers?: readonly IdentifierSent[] | undefined;
  /** Postal address of the organisation. Set by the client. */
  readonly address: AddressSent;
  /** Whom to contact. Set by the client; every member is optional. */
  readonly contactPoint: ContactPoint;
};

/** The organisation that buys. As the registry shows it. */
export type ProcuringEntity = {
  /** Name under which the organisation is known. Set by the client. */
  readonly name?: string | undefined;
  /** English version of `name`. Optional; set by whoever sets `name`. */
  readonly name_en?: string | undefined;
  /** Russian version of `name`. Optional; set by whoever sets `name`. */
  readonly name_ru?: string | undefined;
  /** Entry of the organisation in an official register. Set by the client. */
  readonly identifier?: Identifier | undefined;
  /** Entries in other registers. Set by the client. */
  readonly additionalIdentifiers?: readonly Identifier[] | undefined;
  /** Postal address of the organisation. Set by the client. */
  readonly address?: Address | undefined;
  /** Whom to contact. Set by the client; every member is optional. */
  readonly contactPoint?: ContactPoint | undefined;
  /** Kind of buyer. Set by the owner on creation, `general` if absent; only an administrator can change it later. */
  readonly kind?: "general" | "special" | "defense" | "other" | undefined;
};

/** The organisation that buys. As it is sent, without what belongs to the registry. */
export type ProcuringEntitySent = {
  /** Name under which the organisation is known. Set by the client. */
  readonly name: string;
  /** English version of `name`. Optional; set by whoever sets `name`. */
  readonly name_en?: string | undefined;
  /** Russian version of `name`. Optional; set by whoever sets `name`. */
  readonly name_ru?: string | undefined;
  /** Entry of the organisation in an official register. Set by the client. */
  readonly identifier: IdentifierSent;
  /** Entries in other registers. Set by the client. */
  readonly additionalIdentifiers?: readonly IdentifierSent[] | undefined;
  /** Postal address of the organisation. Set by the client. */
  readonly address: AddressSent;
  /** Whom to contact. Set by the client; every member is optional. */
  readonly contactPoint: ContactPoint;
  /** Kind of buyer. Set by the owner on creation, `general` if absent; only an administrator can change it later. */
  readonly kind?: "general" | "special" | "defense" | "other" | undefined;
};

/** An entry of an organisation in an official register. As the registry shows it. */
export type Identifier = {
  /** Code of the register that issued `id`, as in the Org-id.guide list. Any non-empty text. Set by the client. */
  readonly scheme?: string | undefined;
  /** Number of the organisation in that register. Set by the client. */
  readonly id?: string | undefined;
  /** Name under which the organisation is registered. Set by the client. */
  readonly legalName?: string | undefined;
  /** English version of `legalName`. Optional; set by whoever sets `legalName`. */
  readonly legalName_en?: string | undefined;
  /** Russian version of `legalName`. Optional; set by whoever sets `legalName`. */
  readonly legalName_ru?: string | undefined;
  /** Address of the organisation's entry or site, http or https. Set by the client. */
  readonly uri?: string | undefined;
};

/** An entry of an organisation in an official register. As it is sent, without what belongs to the registry. */
export type IdentifierSent = {
  /** Code of the register that issued `id`, as in the Org-id.guide list. Any non-empty text. Set by the client. */
  readonly scheme: string;
  /** Number of the organisation in that register. Set by the client. */
  readonly id: string;
  /** Name under which the organisation is registered. Set by the client. */
  readonly legalName?: string | undefined;
  /** English version of `legalName`. Optional; set by whoever sets `legalName`. */
  readonly legalName_en?: string | undefined;
  /** Russian version of `legalName`. Optional; set by whoever sets `legalName`. */
  readonly legalName_ru?: string | undefined;
  /** Address of the organisation's entry or site, http or https. Set by the client. */
  readonly uri?: string | undefined;
};

/** A postal address. As the registry shows it. */
export type Address = {
  /** Name of the country. Required wherever an address is sent under `belowThreshold`. */
  readonly countryName?: string | undefined;
  /** English version of `countryName`. Optional; set by whoever sets `countryName`. */
  readonly countryName_en?: string | undefined;
  /** Russian version of `countryName`. Optional; set by whoever sets `countryName`. */
  readonly countryName_ru?: string | undefined;
  /** Region or province. Set by the client. */
  readonly region?: string | undefined;
  /** City, town or village. Set by the client. */
  readonly locality?: string | undefined;
  /** Postal code, as it is written in the country. Set by the client. */
  readonly postalCode?: string | undefined;
  /** Street, house and room. Set by the client. */
  readonly streetAddress?: string | undefined;
};

/** A postal address. As it is sent, without what belongs to the registry. */
export type AddressSent = {
  /** Name of the country. Required wherever an address is sent under `belowThreshold`. */
  readonly countryName: string;
  /** English version of `countryName`. Optional; set by whoever sets `countryName`. */
  readonly countryName_en?: string | undefined;
  /** Russian version of `countryName`. Optional; set by whoever sets `countryName`. */
  readonly countryName_ru?: string | undefined;
  /** Region or province. Set by the client. */
  readonly region?: string | undefined;
  /** City, town or village. Set by the client. */
  readonly locality?: string | undefined;
  /** Postal code, as it is written in the country. Set by the client. */
  readonly postalCode?: string | undefined;
  /** Street, house and room. Set by the client. */
  readonly streetAddress?: string | undefined;
};

/** A person or a department to contact. As the registry shows it. */
export type ContactPoint = {
  /** Name of a person or a department. Set by the client. */
  readonly name?: string | undefined;
  /** English version of `name`. Optional; set by whoever sets `name`. */
  readonly name_en?: string | undefined;
  /** Russian version of `name`. Optional; set by whoever sets `name`. */
  readonly name_ru?: string | undefined;
  /** E-mail address. Checked for its form; set by the client. */
  readonly email?: string | undefined;
  /** Telephone number, in any notation. Set by the client. */
  readonly telephone?: string | undefined;
  /** Fax number, in any notation. Set by the client. */
  readonly faxNumber?: string | undefined;
  /** Address of a page with contacts, http or https. Set by the client. */
  readonly url?: string | undefined;
};

/** A version of a file with its metadata. The versions of a document share their `id`. As the registry shows it. */
export type Document = {
  /** Identifies the document in paths: 32 hex digits, the same for all its versions. Assigned by the service. */
  readonly id: string;
  /** Name of the file, without a path. Set by the upload; can be changed later. */
  readonly title?: string | undefined;
  /** English version of `title`. Optional; set by whoever sets `title`. */
  readonly title_en?: string | undefined;
  /** Russian version of `title`. Optional; set by whoever sets `title`. */
  readonly title_ru?: string | undefined;
  /** What the document is about. Set by the uploader. */
  readonly description?: string | undefined;
  /** English version of `description`. Optional; set by whoever sets `description`. */
  readonly description_en?: string | undefined;
  /** Russian version of `description`. Optional; set by whoever sets `description`. */
  readonly description_ru?: string | undefined;
  /** Media type of the file. Set by the upload; can be changed later. */
  readonly format?: string | undefined;
  /**
   * Address of this version of the file. Set by the service; the parameter `download` holds a key that stays valid when
   * a newer version is uploaded.
   */
  readonly url: string;
  /** Checksum of the file, `md5:` and 32 hex digits. Computed by the service while it receives the file. */
  readonly hash?: string | undefined;
  /** Time of the first upload; later versions keep it. Set by the service. */
  readonly datePublished: Timestamp;
  /** Time at which this version was uploaded; a PATCH does not change it. Set by the service. */
  readonly dateModified: Timestamp;
  /**
   * Role that uploaded the document, which alone may change it: `tender_owner`, `complaint_owner` or the group of the
   * key. Set by the service on documents of tenders, awards and complaints.
   */
  readonly author?: string | undefined;
  /** Language of the document, usually as in ISO 639-1. Not checked. Set by the uploader. */
  readonly language?: string | undefined;
  /** What kind of document it is. Set by the uploader. */
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
  /** What the document describes. Set by the uploader, `tender` if absent. */
  readonly documentOf?: "tender" | "item" | "lot" | undefined;
  /** `id` of the item or the lot, if `documentOf` is `item` or `lot`. Set by the uploader. */
  readonly relatedItem?: string | undefined;
  /** Earlier versions, oldest first. Shown by GET of one document only, also when there are none. */
  readonly previousVersions?: readonly Document[] | undefined;
};

/**
 * A version of a file with its metadata. The versions of a document share their `id`. As it is sent, without what
 * belongs to the registry.
 */
export type DocumentSent = {
  /** Name of the file, without a path. Set by the upload; can be changed later. */
  readonly title?: string | undefined;
  /** English version of `title`. Optional; set by whoever sets `title`. */
  readonly title_en?: string | undefined;
  /** Russian version of `title`. Optional; set by whoever sets `title`. */
  readonly title_ru?: string | undefined;
  /** What the document is about. Set by the uploader. */
  readonly description?: string | undefined;
  /** English version of `description`. Optional; set by whoever sets `description`. */
  readonly description_en?: string | undefined;
  /** Russian version of `description`. Optional; set by whoever sets `description`. */
  readonly description_ru?: string | undefined;
  /** Media type of the file. Set by the upload; can be changed later. */
  readonly format?: string | undefined;
  /** Language of the document, usually as in ISO 639-1. Not checked. Set by the uploader. */
  readonly language?: string | undefined;
  /** What kind of document it is. Set by the uploader. */
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
  /** What the document describes. Set by the uploader, `tender` if absent. */
  readonly documentOf?: "tender" | "item" | "lot" | undefined;
  /** `id` of the item or the lot, if `documentOf` is `item` or `lot`. Set by the uploader. */
  readonly relatedItem?: string | undefined;
};

/** A document whose file was uploaded to the document service. As it is sent, without what belongs to the registry. */
export type RegistrationSent = {
  /** Name of the file, without a path. Set by the upload; can be changed later. */
  readonly title: string;
  /** English version of `title`. Optional; set by whoever sets `title`. */
  readonly title_en?: string | undefined;
  /** Russian version of `title`. Optional; set by whoever sets `title`. */
  readonly title_ru?: string | undefined;
  /** What the document is about. Set by the uploader. */
  readonly description?: string | undefined;
  /** English version of `description`. Optional; set by whoever sets `description`. */
  readonly description_en?: string | undefined;
  /** Russian version of `description`. Optional; set by whoever sets `description`. */
  readonly description_ru?: string | undefined;
  /** Media type of the file. Set by the upload; can be changed later. */
  readonly format: string;
  /** Signed address that the document service returned for the file as `data.url`. Required; set by the uploader. */
  readonly url: string;
  /** Checksum that the document service returned, `md5:` and 32 hex digits. Required; set by the uploader. */
  readonly hash?: string | undefined;
  /** Language of the document, usually as in ISO 639-1. Not checked. Set by the uploader. */
  readonly language?: string | undefined;
  /** What kind of document it is. Set by the uploader. */
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
  /** What the document describes. Set by the uploader, `tender` if absent. */
  readonly documentOf?: "tender" | "item" | "lot" | undefined;
  /** `id` of the item or the lot, if `documentOf` is `item` or `lot`. Set by the uploader. */
  readonly relatedItem?: string | undefined;
};

/** An amount of money with its currency and whether it includes value-added tax. As the registry shows it. */
export type Value = {
  /**
   * Amount of money, 0 or more, in units of `currency`. A decimal of any precision: it is stored and compared exactly,
   * and always shown with a fraction, as in 500000.0. Set by the client.
   */
  readonly amount?: number | undefined;
  /**
   * Currency, three characters as in ISO 4217. Set by the client; if absent, a bid, an award or a contract takes the
   * tender's, and a tender `UAH`.
   */
  readonly currency?: string | undefined;
  /**
   * Whether `amount` includes value-added tax. Set by the client; if absent, a bid, an award or a contract takes the
   * tender's flag, and a tender `true`.
   */
  readonly valueAddedTaxIncluded?: boolean | undefined;
};

/**
 * An amount of money with its currency and whether it includes value-added tax. As it is sent, without what belongs to
 * the registry.
 */
export type ValueSent = {
  /**
   * Amount of money, 0 or more, in units of `currency`. A decimal of any precision: it is stored and compared exactly,
   * and always shown with a fraction, as in 500000.0. Set by the client.
   */
  readonly amount: number;
  /**
   * Currency, three characters as in ISO 4217. Set by the client; if absent, a bid, an award or a contract takes the
   * tender's, and a tender `UAH`.
   */
  readonly currency?: string | undefined;
  /**
   * Whether `amount` includes value-added tax. Set by the client; if absent, a bid, an award or a contract takes the
   * tender's flag, and a tender `true`.
   */
  readonly valueAddedTaxIncluded?: boolean | undefined;
};

/** An amount of money that a bidder has to provide as security. As the registry shows it. */
export type Guarantee = {
  /** Amount of money, 0 or more, in units of `currency`. Set by the owner. */
  readonly amount?: number | undefined;
  /**
   * Currency, three characters as in ISO 4217. Set by the owner, `UAH` if absent; the same for all lots of a tender.
   */
  readonly currency?: string | undefined;
};

/** An amount of money that a bidder has to provide as security. As it is sent, without what belongs to the registry. */
export type GuaranteeSent = {
  /** Amount of money, 0 or more, in units of `currency`. Set by the owner. */
  readonly amount: number;
  /**
   * Currency, three characters as in ISO 4217. Set by the owner, `UAH` if absent; the same for all lots of a tender.
   */
  readonly currency?: string | undefined;
};

/** A span of time. As the registry shows it. */
export type Period = {
  /** Beginning of the period, included: ISO 8601, read in the registry's time zone if no offset is given. */
  readonly startDate?: Timestamp | undefined;
  /** End of the period, not before `startDate`: ISO 8601, read in the registry's time zone if no offset is given. */
  readonly endDate?: Timestamp | undefined;
};

/** The time of an auction, planned and real. As the registry shows it. */
export type AuctionPeriod = {
  /** When the auction starts. Set by the scheduler. */
  readonly startDate?: Timestamp | undefined;
  /** When the auction ended. Set by the service when the results are reported. */
  readonly endDate?: Timestamp | undefined;
  /**
   * Earliest time for which the auction may be planned: the midnight after the tender period, or after an auction that
   * failed. Computed by the service; shown until the auction has ended.
   */
  readonly shouldStartAfter?: Timestamp | undefined;
};

/** The time of an auction, planned and real. As it is sent, without what belongs to the registry. */
export type AuctionPeriodSent = {
  /** When the auction starts. Set by the scheduler. */
  readonly startDate?: Timestamp | undefined;
  /** When the auction ended. Set by the service when the results are reported. */
  readonly endDate?: Timestamp | undefined;
};

/** Goods or a service to be procured. As the registry shows it. */
export type Item = {
  /**
   * Identifies the item in the tender: `relatedItem` of features, questions and documents refers to it. Any text that
   * is unique in the tender, set by the owner; if absent, the service assigns 32 hex digits.
   */
  readonly id?: string | undefined;
  /** What the item is. Set by the owner. */
  readonly description?: string | undefined;
  /** English version of `description`. Optional; set by whoever sets `description`. */
  readonly description_en?: string | undefined;
  /** Russian version of `description`. Optional; set by whoever sets `description`. */
  readonly description_ru?: string | undefined;
  /** How many units are procured. A decimal, in units of `unit`. Set by the owner. */
  readonly quantity?: number | undefined;
  /** Unit in which `quantity` is counted. Set by the owner. */
  readonly unit?: Unit | undefined;
  /**
   * Primary classification, by the common procurement vocabulary. All items of a tender share the first four digits of
   * its `id`, or the first three for medicines (336). Set by the owner.
   */
  readonly classification?: Classification | undefined;
  /**
   * Classifications by other schemes. Set by the owner; if the primary `id` is 99999999-9, one of them must use the
   * scheme `ДК003`, `ДК015`, `ДК018` or `specialNorms`.
   */
  readonly additionalClassifications?: readonly Classification[] | undefined;
  /** When the item is to be delivered. Set by the owner. */
  readonly deliveryDate?: Period | undefined;
  /** Where the item is to be delivered. Set by the owner. */
  readonly deliveryAddress?: Address | undefined;
  /** The same place as coordinates. Set by the owner. */
  readonly deliveryLocation?: Location | undefined;
  /** `id` of the lot that the item belongs to. Set by the owner; absent without lots. */
  readonly relatedLot?: string | undefined;
};

/** Goods or a service to be procured. As it is sent, without what belongs to the registry. */
export type ItemSent = {
  /**
   * Identifies the item in the tender: `relatedItem` of features, questions and documents refers to it. Any text that
   * is unique in the tender, set by the owner; if absent, the service assigns 32 hex digits.
   */
  readonly id?: string | undefined;
  /** What the item is. Set by the owner. */
  readonly description: string;
  /** English version of `description`. Optional; set by whoever sets `description`. */
  readonly description_en?: string | undefined;
  /** Russian version of `description`. Optional; set by whoever sets `description`. */
  readonly description_ru?: string | undefined;
  /** How many units are procured. A decimal, in units of `unit`. Set by the owner. */
  readonly quantity?: number | undefined;
  /** Unit in which `quantity` is counted. Set by the owner. */
  readonly unit?: UnitSent | undefined;
  /**
   * Primary classification, by the common procurement vocabulary. All items of a tender share the first four digits of
   * its `id`, or the first three for medicines (336). Set by the owner.
   */
  readonly classification: ClassificationSent;
  /**
   * Classifications by other schemes. Set by the owner; if the primary `id` is 99999999-9, one of them must use the
   * scheme `ДК003`, `ДК015`, `ДК018` or `specialNorms`.
   */
  readonly additionalClassifications?: readonly WithRequired<ClassificationSent, "scheme">[] | undefined;
  /** When the item is to be delivered. Set by the owner. */
  readonly deliveryDate?: Period | undefined;
  /** Where the item is to be delivered. Set by the owner. */
  readonly deliveryAddress?: AddressSent | undefined;
  /** The same place as coordinates. Set by the owner. */
  readonly deliveryLocation?: LocationSent | undefined;
  /** `id` of the lot that the item belongs to. Set by the owner; absent without lots. */
  readonly relatedLot?: string | undefined;
};

/** A unit in which an item is counted. As the registry shows it. */
export type Unit = {
  /** Name of the unit. Set by the owner. */
  readonly name?: string | undefined;
  /** English version of `name`. Optional; set by whoever sets `name`. */
  readonly name_en?: string | undefined;
  /** Russian version of `name`. Optional; set by whoever sets `name`. */
  readonly name_ru?: string | undefined;
  /** Code of the unit, usually by UN/CEFACT Recommendation 20. Not looked up. Set by the owner. */
  readonly code?: string | undefined;
  /** Price of one unit. Set by the owner. */
  readonly value?: Value | undefined;
};

/** A unit in which an item is counted. As it is sent, without what belongs to the registry. */
export type UnitSent = {
  /** Name of the unit. Set by the owner. */
  readonly name?: string | undefined;
  /** English version of `name`. Optional; set by whoever sets `name`. */
  readonly name_en?: string | undefined;
  /** Russian version of `name`. Optional; set by whoever sets `name`. */
  readonly name_ru?: string | undefined;
  /** Code of the unit, usually by UN/CEFACT Recommendation 20. Not looked up. Set by the owner. */
  readonly code?: string | undefined;
  /** Price of one unit. Set by the owner. */
  readonly value?: ValueSent | undefined;
};

/** A code that says what an item is, by a public scheme. As the registry shows it. */
export type Classification = {
  /**
   * Scheme that `id` is taken from. For a primary classification `ДК021` (the default) or `CPV`; otherwise any. Set by
   * the owner.
   */
  readonly scheme?: string | undefined;
  /**
   * Code in the scheme. For a primary classification eight digits, a hyphen and a check digit; not looked up in a list.
   * Set by the owner.
   */
  readonly id?: string | undefined;
  /** What the code stands for. Set by the owner. */
  readonly description?: string | undefined;
  /** English version of `description`. Optional; set by whoever sets `description`. */
  readonly description_en?: string | undefined;
  /** Russian version of `description`. Optional; set by whoever sets `description`. */
  readonly description_ru?: string | undefined;
  /** Address of the code in its scheme, http or https. Set by the owner. */
  readonly uri?: string | undefined;
};

/** A code that says what an item is, by a public scheme. As it is sent, without what belongs to the registry. */
export type ClassificationSent = {
  /**
   * Scheme that `id` is taken from. For a primary classification `ДК021` (the default) or `CPV`; otherwise any. Set by
   * the owner.
   */
  readonly scheme?: string | undefined;
  /**
   * Code in the scheme. For a primary classification eight digits, a hyphen and a check digit; not looked up in a list.
   * Set by the owner.
   */
  readonly id: string;
  /** What the code stands for. Set by the owner. */
  readonly description: string;
  /** English version of `description`. Optional; set by whoever sets `description`. */
  readonly description_en?: string | undefined;
  /** Russian version of `description`. Optional; set by whoever sets `description`. */
  readonly description_ru?: string | undefined;
  /** Address of the code in its scheme, http or https. Set by the owner. */
  readonly uri?: string | undefined;
};

/** A place on the map. As the registry shows it. */
export type Location = {
  /** Latitude in degrees, positive to the north. Kept as sent; set by the owner. */
  readonly latitude?: string | undefined;
  /** Longitude in degrees, positive to the east. Kept as sent; set by the owner. */
  readonly longitude?: string | undefined;
  /** Height above sea level, usually in metres. Kept as sent; set by the owner. */
  readonly elevation?: string | undefined;
};

/** A place on the map. As it is sent, without what belongs to the registry. */
export type LocationSent = {
  /** Latitude in degrees, positive to the north. Kept as sent; set by the owner. */
  readonly latitude: string;
  /** Longitude in degrees, positive to the east. Kept as sent; set by the owner. */
  readonly longitude: string;
  /** Height above sea level, usually in metres. Kept as sent; set by the owner. */
  readonly elevation?: string | undefined;
};

/**
 * A criterion besides the price: the better the option that a bidder chooses, the better the bid is ranked. As the
 * registry shows it.
 */
export type Feature = {
  /**
   * Identifies the feature: `parameters` of a bid name it. Unique in the tender. Set by the owner; if absent, the
   * service assigns 32 hex digits.
   */
  readonly code?: string | undefined;
  /** What the feature describes: the bidder, a lot or an item. Set by the owner, `tenderer` if absent. */
  readonly featureOf?: "tenderer" | "lot" | "item" | undefined;
  /** `id` of the item or the lot, if `featureOf` is `item` or `lot`. Set by the owner. */
  readonly relatedItem?: string | undefined;
  /** Name of the feature. Set by the owner. */
  readonly title?: string | undefined;
  /** English version of `title`. Optional; set by whoever sets `title`. */
  readonly title_en?: string | undefined;
  /** Russian version of `title`. Optional; set by whoever sets `title`. */
  readonly title_ru?: string | undefined;
  /** What the feature means. Set by the owner. */
  readonly description?: string | undefined;
  /** English version of `description`. Optional; set by whoever sets `description`. */
  readonly description_en?: string | undefined;
  /** Russian version of `description`. Optional; set by whoever sets `description`. */
  readonly description_ru?: string | undefined;
  /** The values that a bidder chooses from, at least one. Set by the owner. */
  readonly enum?: readonly FeatureOption[] | undefined;
};

/**
 * A criterion besides the price: the better the option that a bidder chooses, the better the bid is ranked. As it is
 * sent, without what belongs to the registry.
 */
export type FeatureSent = {
  /**
   * Identifies the feature: `parameters` of a bid name it. Unique in the tender. Set by the owner; if absent, the
   * service assigns 32 hex digits.
   */
  readonly code?: string | undefined;
  /** What the feature describes: the bidder, a lot or an item. Set by the owner, `tenderer` if absent. */
  readonly featureOf?: "tenderer" | "lot" | "item" | undefined;
  /** `id` of the item or the lot, if `featureOf` is `item` or `lot`. Set by the owner. */
  readonly relatedItem?: string | undefined;
  /** Name of the feature. Set by the owner. */
  readonly title: string;
  /** English version of `title`. Optional; set by whoever sets `title`. */
  readonly title_en?: string | undefined;
  /** Russian version of `title`. Optional; set by whoever sets `title`. */
  readonly title_ru?: string | undefined;
  /** What the feature means. Set by the owner. */
  readonly description?: string | undefined;
  /** English version of `description`. Optional; set by whoever sets `description`. */
  readonly description_en?: string | undefined;
  /** Russian version of `description`. Optional; set by whoever sets `description`. */
  readonly description_ru?: string | undefined;
  /** The values that a bidder chooses from, at least one. Set by the owner. */
  readonly enum: readonly FeatureOptionSent[];
};

/** One of the options of a feature. As the registry shows it. */
export type FeatureOption = {
  /**
   * Weight of the option, from 0 to 0.3 and unique in the feature: the larger, the better the bid is ranked. Set by the
   * owner.
   */
  readonly value?: number | undefined;
  /** Name of the option. Set by the owner. */
  readonly title?: string | undefined;
  /** English version of `title`. Optional; set by whoever sets `title`. */
  readonly title_en?: string | undefined;
  /** Russian version of `title`. Optional; set by whoever sets `title`. */
  readonly title_ru?: string | undefined;
  /** What the option means. Set by the owner. */
  readonly description?: string | undefined;
  /** English version of `description`. Optional; set by whoever sets `description`. */
  readonly description_en?: string | undefined;
  /** Russian version of `description`. Optional; set by whoever sets `description`. */
  readonly description_ru?: string | undefined;
};

/** One of the options of a feature. As it is sent, without what belongs to the registry. */
export type FeatureOptionSent = {
  /**
   * Weight of the option, from 0 to 0.3 and unique in the feature: the larger, the better the bid is ranked. Set by the
   * owner.
   */
  readonly value: number;
  /** Name of the option. Set by the owner. */
  readonly title: string;
  /** English version of `title`. Optional; set by whoever sets `title`. */
  readonly title_en?: string | undefined;
  /** Russian version of `title`. Optional; set by whoever sets `title`. */
  readonly title_ru?: string | undefined;
  /** What the option means. Set by the owner. */
  readonly description?: string | undefined;
  /** English version of `description`. Optional; set by whoever sets `description`. */
  readonly description_en?: string | undefined;
  /** Russian version of `description`. Optional; set by whoever sets `description`. */
  readonly description_ru?: string | undefined;
};

/** A part of a tender that is bid for, auctioned and awarded separately. As the registry shows it. */
export type Lot = {
  /**
   * Identifies the lot in paths and in `relatedLot`: 32 hex digits. Set by the owner on creation, otherwise assigned by
   * the service; fixed afterwards.
   */
  readonly id?: string | undefined;
  /**
   * State of the lot. Set by the service: `active` until the lot is cancelled, is left without a bid or an award, or
   * its contract is signed.
   */
  readonly status?: "active" | "cancelled" | "unsuccessful" | "complete" | undefined;
  /** Time of the last change of `status`. Set by the service. */
  readonly date?: Timestamp | undefined;
  /** Name of the lot. Set by the owner. */
  readonly title?: string | undefined;
  /** English version of `title`. Optional; set by whoever sets `title`. */
  readonly title_en?: string | undefined;
  /** Russian version of `title`. Optional; set by whoever sets `title`. */
  readonly title_ru?: string | undefined;
  /** What the lot consists of. Set by the owner. */
  readonly description?: string | undefined;
  /** English version of `description`. Optional; set by whoever sets `description`. */
  readonly description_en?: string | undefined;
  /** Russian version of `description`. Optional; set by whoever sets `description`. */
  readonly description_ru?: string | undefined;
  /**
   * Expected value of the lot; no bid for it may exceed it. Currency and VAT flag are always the tender's. Set by the
   * owner.
   */
  readonly value?: Value | undefined;
  /**
   * Smallest step by which a bid for the lot is lowered in the auction, at most `value`. Currency and VAT flag are
   * always the tender's. Set by the owner.
   */
  readonly minimalStep?: Value | undefined;
  /** Security that a bidder for the lot has to provide. Set by the owner. */
  readonly guarantee?: Guarantee | undefined;
  /**
   * When the auction of the lot is held. `startDate` is set by the scheduler, `endDate` by the service when the results
   * are reported. Ignored when the owner sends it.
   */
  readonly auctionPeriod?: AuctionPeriod | undefined;
  /** Address of the page where the auction of the lot can be watched. Set by the auction service. */
  readonly auctionUrl?: string | undefined;
};

/**
 * A part of a tender that is bid for, auctioned and awarded separately. As it is sent, without what belongs to the
 * registry.
 */
export type LotSent = {
  /**
   * Identifies the lot in paths and in `relatedLot`: 32 hex digits. Set by the owner on creation, otherwise assigned by
   * the service; fixed afterwards.
   */
  readonly id?: string | undefined;
  /** Name of the lot. Set by the owner. */
  readonly title: string;
  /** English version of `title`. Optional; set by whoever sets `title`. */
  readonly title_en?: string | undefined;
  /** Russian version of `title`. Optional; set by whoever sets `title`. */
  readonly title_ru?: string | undefined;
  /** What the lot consists of. Set by the owner. */
  readonly description?: string | undefined;
  /** English version of `description`. Optional; set by whoever sets `description`. */
  readonly description_en?: string | undefined;
  /** Russian version of `description`. Optional; set by whoever sets `description`. */
  readonly description_ru?: string | undefined;
  /**
   * Expected value of the lot; no bid for it may exceed it. Currency and VAT flag are always the tender's. Set by the
   * owner.
   */
  readonly value: ValueSent;
  /**
   * Smallest step by which a bid for the lot is lowered in the auction, at most `value`. Currency and VAT flag are
   * always the tender's. Set by the owner.
   */
  readonly minimalStep: ValueSent;
  /** Security that a bidder for the lot has to provide. Set by the owner. */
  readonly guarantee?: GuaranteeSent | undefined;
  /**
   * When the auction of the lot is held. `startDate` is set by the scheduler, `endDate` by the service when the results
   * are reported. Ignored when the owner sends it.
   */
  readonly auctionPeriod?: AuctionPeriodSent | undefined;
};

/** A question to the buyer, with its answer. As the registry shows it. */
export type Question = {
  /** Identifies the question in paths: 32 hex digits. Assigned by the service. */
  readonly id: string;
  /** Time at which it was asked. Set by the service. */
  readonly date: Timestamp;
  /** The question in a few words. Required; set by the asker. */
  readonly title?: string | undefined;
  /** The question in full. Set by the asker. */
  readonly description?: string | undefined;
  /**
   * Who asks. Set by the asker. The response to the POST shows it; other responses do so from `active.qualification`
   * on, or once the tender has ended.
   */
  readonly author?: Organization | undefined;
  /** What the question is about. Set by the asker, `tender` if absent. */
  readonly questionOf?: "tender" | "item" | "lot" | undefined;
  /** `id` of the item or the lot, if `questionOf` is `item` or `lot`. Set by the asker. */
  readonly relatedItem?: string | undefined;
  /** The buyer's answer, in plain text. Set by the tender's owner with PATCH. */
  readonly answer?: string | undefined;
  /** Time of the last change of `answer`. Set by the service; absent until the question is answered. */
  readonly dateAnswered?: Timestamp | undefined;
};

/** A question to the buyer, with its answer. As it is sent, without what belongs to the registry. */
export type QuestionSent = {
  /** The question in a few words. Required; set by the asker. */
  readonly title: string;
  /** The question in full. Set by the asker. */
  readonly description?: string | undefined;
  /**
   * Who asks. Set by the asker. The response to the POST shows it; other responses do so from `active.qualification`
   * on, or once the tender has ended.
   */
  readonly author: OrganizationSent;
  /** What the question is about. Set by the asker, `tender` if absent. */
  readonly questionOf?: "tender" | "item" | "lot" | undefined;
  /** `id` of the item or the lot, if `questionOf` is `item` or `lot`. Set by the asker. */
  readonly relatedItem?: string | undefined;
  /** The buyer's answer, in plain text. Set by the tender's owner with PATCH. */
  readonly answer?: string | undefined;
};

/**
 * An offer of one bidder. Under `belowThreshold` it is sealed until the auction has ended. As the registry shows it.
 */
export type Bid = {
  /** Identifies the bid in paths: 32 hex digits. Assigned by the service. */
  readonly id: string;
  /**
   * Time at which the price was last set: of two equal bids the earlier one is ranked first. Set by the service when
   * the bid is placed and when its amount changes.
   */
  readonly date: Timestamp;
  /**
   * `draft` does not take part and is removed when the tender period ends; the bidder makes it `active` with PATCH,
   * which cannot be undone. Set by the bidder, `active` if absent.
   */
  readonly status: "active" | "draft";
  /** Who bids: one organisation under `belowThreshold`, otherwise one or more. Required; set by the bidder. */
  readonly tenderers?: readonly Organization[] | undefined;
  /**
   * Price of the whole offer, at most the tender's value, in its currency and with its VAT flag. Set by the bidder, and
   * by the auction when it reports its results. Not allowed if the tender has lots.
   */
  readonly value?: Value | undefined;
  /**
   * Prices for single lots, each lot at most once. Set by the bidder; required instead of `value` if the tender has
   * lots.
   */
  readonly lotValues?: readonly LotValue[] | undefined;
  /**
   * The bidder's choice for every feature of the tender, with lots for every feature that concerns the lots bid for.
   * Set by the bidder.
   */
  readonly parameters?: readonly Parameter[] | undefined;
  /**
   * Personal address at which the bidder takes part in the auction. Set by the auction service; shown to the bidder,
   * and to everyone once bids are opened.
   */
  readonly participationUrl?: string | undefined;
  /**
   * Documents of the bid, in the order of upload. A new bid may bring documents whose files are with the document
   * service; others are added at their own address.
   */
  readonly documents?: readonly Document[] | undefined;
};

/**
 * An offer of one bidder. Under `belowThreshold` it is sealed until the auction has ended. As it is sent, without what
 * belongs to the registry.
 */
export type BidSent = {
  /**
   * `draft` does not take part and is removed when the tender period ends; the bidder makes it `active` with PATCH,
   * which cannot be undone. Set by the bidder, `active` if absent.
   */
  readonly status?: "active" | "draft" | undefined;
  /** Who bids: one organisation under `belowThreshold`, otherwise one or more. Required; set by the bidder. */
  readonly tenderers: readonly OrganizationSent[];
  /**
   * Price of the whole offer, at most the tender's value, in its currency and with its VAT flag. Set by the bidder, and
   * by the auction when it reports its results. Not allowed if the tender has lots.
   */
  readonly value?: ValueSent | undefined;
  /**
   * Prices for single lots, each lot at most once. Set by the bidder; required instead of `value` if the tender has
   * lots.
   */
  readonly lotValues?: readonly LotValueSent[] | undefined;
  /**
   * The bidder's choice for every feature of the tender, with lots for every feature that concerns the lots bid for.
   * Set by the bidder.
   */
  readonly parameters?: readonly ParameterSent[] | undefined;
} & ({ readonly value: ValueSent } | { readonly lotValues: readonly LotValueSent[] });

/** The price of a bid for one lot. As the registry shows it. */
export type LotValue = {
  /** `id` of the lot that the price is for. Required; set by the bidder. */
  readonly relatedLot?: string | undefined;
  /**
   * Price for the lot, at most the lot's value, in the tender's currency and with its VAT flag. Set by the bidder, and
   * by the auction when it reports its results.
   */
  readonly value?: Value | undefined;
  /** Time at which this price was last set: of two equal prices the earlier one is ranked first. Set by the service. */
  readonly date?: Timestamp | undefined;
  /** Personal address at which the bidder takes part in the auction of the lot. Set by the auction service. */
  readonly participationUrl?: string | undefined;
};

/** The price of a bid for one lot. As it is sent, without what belongs to the registry. */
export type LotValueSent = {
  /** `id` of the lot that the price is for. Required; set by the bidder. */
  readonly relatedLot: string;
  /**
   * Price for the lot, at most the lot's value, in the tender's currency and with its VAT flag. Set by the bidder, and
   * by the auction when it reports its results.
   */
  readonly value: ValueSent;
};

/** A bidder's choice for one feature. As the registry shows it. */
export type Parameter = {
  /** `code` of the feature. Required; set by the bidder. */
  readonly code?: string | undefined;
  /** `value` of the option that the bidder chooses. Required; set by the bidder. */
  readonly value?: number | undefined;
};

/** A bidder's choice for one feature. As it is sent, without what belongs to the registry. */
export type ParameterSent = {
  /** `code` of the feature. Required; set by the bidder. */
  readonly code: string;
  /** `value` of the option that the bidder chooses. Required; set by the bidder. */
  readonly value: number;
};

/** The decision on a bid: to accept it as the winner, or to reject it. As the registry shows it. */
export type Award = {
  /** Identifies the award in paths: 32 hex digits. Assigned by the service. */
  readonly id: string;
  /** Time at which the award was made, then of the last change of `status`. Set by the service. */
  readonly date: Timestamp;
  /**
   * Decision on the bid: `pending` until the tender's owner accepts it (`active`) or rejects it (`unsuccessful`);
   * `cancelled` when the owner takes a decision back.
   */
  readonly status: "pending" | "unsuccessful" | "active" | "cancelled";
  /**
   * `id` of the bid that is awarded. Set by the service; only an administrator who records an award by hand sends it.
   */
  readonly bid_id?: string | undefined;
  /** `id` of the lot that is awarded. Set by the service; absent if the tender has no lots. */
  readonly lotID?: string | undefined;
  /** Name of the decision. Set by the tender's owner. */
  readonly title?: string | undefined;
  /** English version of `title`. Optional; set by whoever sets `title`. */
  readonly title_en?: string | undefined;
  /** Russian version of `title`. Optional; set by whoever sets `title`. */
  readonly title_ru?: string | undefined;
  /** Reasons for the decision. Set by the tender's owner. */
  readonly description?: string | undefined;
  /** English version of `description`. Optional; set by whoever sets `description`. */
  readonly description_en?: string | undefined;
  /** Russian version of `description`. Optional; set by whoever sets `description`. */
  readonly description_ru?: string | undefined;
  /**
   * Whom the award is for: a list of one organisation. Copied from the bid by the service, or sent by whoever records
   * the award.
   */
  readonly suppliers?: readonly Organization[] | undefined;
  /**
   * Awarded price, not adjusted by features. Copied from the bid by the service, or sent by whoever records the award.
   */
  readonly value?: Value | undefined;
  /** Items that are awarded. Sent by whoever records the award; absent in awards that the service makes. */
  readonly items?: readonly Item[] | undefined;
  /**
   * When bidders can file claims against the award. Set by the service: from when it is made until two working days
   * after the decision. Only an administrator can change it.
   */
  readonly complaintPeriod?: Period | undefined;
  /** Documents of the award, in the order of upload. Added at their own address. */
  readonly documents?: readonly Document[] | undefined;
  /** Claims of bidders against the award. Added at their own address. */
  readonly complaints?: readonly Complaint[] | undefined;
};

/**
 * The decision on a bid: to accept it as the winner, or to reject it. As it is sent, without what belongs to the
 * registry.
 */
export type AwardSent = {
  /**
   * Decision on the bid: `pending` until the tender's owner accepts it (`active`) or rejects it (`unsuccessful`);
   * `cancelled` when the owner takes a decision back.
   */
  readonly status?: "pending" | "unsuccessful" | "active" | "cancelled" | undefined;
  /**
   * `id` of the bid that is awarded. Set by the service; only an administrator who records an award by hand sends it.
   */
  readonly bid_id?: string | undefined;
  /** `id` of the lot that is awarded. Set by the service; absent if the tender has no lots. */
  readonly lotID?: string | undefined;
  /** Name of the decision. Set by the tender's owner. */
  readonly title?: string | undefined;
  /** English version of `title`. Optional; set by whoever sets `title`. */
  readonly title_en?: string | undefined;
  /** Russian version of `title`. Optional; set by whoever sets `title`. */
  readonly title_ru?: string | undefined;
  /** Reasons for the decision. Set by the tender's owner. */
  readonly description?: string | undefined;
  /** English version of `description`. Optional; set by whoever sets `description`. */
  readonly description_en?: string | undefined;
  /** Russian version of `description`. Optional; set by whoever sets `description`. */
  readonly description_ru?: string | undefined;
  /**
   * Whom the award is for: a list of one organisation. Copied from the bid by the service, or sent by whoever records
   * the award.
   */
  readonly suppliers?: readonly OrganizationSent[] | undefined;
  /**
   * Awarded price, not adjusted by features. Copied from the bid by the service, or sent by whoever records the award.
   */
  readonly value?: ValueSent | undefined;
  /** Items that are awarded. Sent by whoever records the award; absent in awards that the service makes. */
  readonly items?: readonly ItemSent[] | undefined;
  /**
   * When bidders can file claims against the award. Set by the service: from when it is made until two working days
   * after the decision. Only an administrator can change it.
   */
  readonly complaintPeriod?: Period | undefined;
} & (
  | { readonly suppliers: readonly OrganizationSent[]; readonly bid_id: string }
  | { readonly status: "pending" | "unsuccessful" | "active" | "cancelled" }
);

/** The contract that an accepted award leads to. As the registry shows it. */
export type Contract = {
  /** Identifies the contract in paths: 32 hex digits. Assigned by the service. */
  readonly id: string;
  /** Time at which the contract was made, then of the last change of `status`. Set by the service. */
  readonly date: Timestamp;
  /**
   * `pending` until the tender's owner sets `active`, which means that the contract is signed and ends the tender or
   * the lot; `cancelled` by the service when the award is taken back. `terminated` occurs in older data only.
   */
  readonly status: "pending" | "terminated" | "active" | "cancelled";
  /**
   * `id` of the award that the contract follows from. Set by the service; an administrator who adds a contract by hand
   * sends it.
   */
  readonly awardID?: string | undefined;
  /**
   * Number of the contract for people: the tender's number, a hyphen, and 1 for its first contract. Assigned by the
   * service.
   */
  readonly contractID?: string | undefined;
  /** Number that the parties gave the contract. Set by the tender's owner. */
  readonly contractNumber?: string | undefined;
  /** Title of the contract. Set by the tender's owner. */
  readonly title?: string | undefined;
  /** English version of `title`. Optional; set by whoever sets `title`. */
  readonly title_en?: string | undefined;
  /** Russian version of `title`. Optional; set by whoever sets `title`. */
  readonly title_ru?: string | undefined;
  /** What is agreed. Set by the tender's owner. */
  readonly description?: string | undefined;
  /** English version of `description`. Optional; set by whoever sets `description`. */
  readonly description_en?: string | undefined;
  /** Russian version of `description`. Optional; set by whoever sets `description`. */
  readonly description_ru?: string | undefined;
  /** How long the contract is valid. Set by the tender's owner. */
  readonly period?: Period | undefined;
  /**
   * Agreed price: at most what was awarded, in the same currency and with the same VAT flag. Copied from the award by
   * the service; the tender's owner may lower it.
   */
  readonly value?: Value | undefined;
  /**
   * When the contract was signed: after the award's complaint period and not in the future. Set by the tender's owner;
   * if absent, the service sets the time at which `status` becomes `active`.
   */
  readonly dateSigned?: Timestamp | undefined;
  /** Items that are delivered. Copied by the service from the tender, with lots those of the lot. */
  readonly items?: readonly Item[] | undefined;
  /** Who delivers: a list of one organisation. Copied from the award by the service. */
  readonly suppliers?: readonly Organization[] | undefined;
  /** Documents of the contract, in the order of upload. Added at their own address. */
  readonly documents?: readonly Document[] | undefined;
};

/** The contract that an accepted award leads to. As it is sent, without what belongs to the registry. */
export type ContractSent = {
  /**
   * `pending` until the tender's owner sets `active`, which means that the contract is signed and ends the tender or
   * the lot; `cancelled` by the service when the award is taken back. `terminated` occurs in older data only.
   */
  readonly status?: "pending" | "terminated" | "active" | "cancelled" | undefined;
  /**
   * `id` of the award that the contract follows from. Set by the service; an administrator who adds a contract by hand
   * sends it.
   */
  readonly awardID: string;
  /** Number that the parties gave the contract. Set by the tender's owner. */
  readonly contractNumber?: string | undefined;
  /** Title of the contract. Set by the tender's owner. */
  readonly title?: string | undefined;
  /** English version of `title`. Optional; set by whoever sets `title`. */
  readonly title_en?: string | undefined;
  /** Russian version of `title`. Optional; set by whoever sets `title`. */
  readonly title_ru?: string | undefined;
  /** What is agreed. Set by the tender's owner. */
  readonly description?: string | undefined;
  /** English version of `description`. Optional; set by whoever sets `description`. */
  readonly description_en?: string | undefined;
  /** Russian version of `description`. Optional; set by whoever sets `description`. */
  readonly description_ru?: string | undefined;
  /** How long the contract is valid. Set by the tender's owner. */
  readonly period?: Period | undefined;
  /**
   * Agreed price: at most what was awarded, in the same currency and with the same VAT flag. Copied from the award by
   * the service; the tender's owner may lower it.
   */
  readonly value?: ValueSent | undefined;
  /**
   * When the contract was signed: after the award's complaint period and not in the future. Set by the tender's owner;
   * if absent, the service sets the time at which `status` becomes `active`.
   */
  readonly dateSigned?: Timestamp | undefined;
  /** Items that are delivered. Copied by the service from the tender, with lots those of the lot. */
  readonly items?: readonly ItemSent[] | undefined;
  /** Who delivers: a list of one organisation. Copied from the award by the service. */
  readonly suppliers?: readonly OrganizationSent[] | undefined;
};

/** A claim against a tender or an award, with the buyer's answer. As the registry shows it. */
export type Complaint = {
  /** Identifies the complaint in paths: 32 hex digits. Assigned by the service. */
  readonly id: string;
  /**
   * Number of the complaint for people: the tender's number, a full stop, and 1 for its first complaint. Assigned by
   * the service.
   */
  readonly complaintID: string;
  /** Time at which the complaint was created, then of the last change of `status`. Set by the service. */
  readonly date: Timestamp;
  /**
   * The complainant creates a `draft` or a `claim`, submits a draft (`claim`), takes it back (`cancelled`), or settles
   * an answered claim (`resolved`). The tender's owner sets `answered`. The service settles an answer that nobody
   * contests for three days with the status that `resolutionType` names, and sets `ignored` when the tender or the lot
   * ends with the claim unanswered. `pending` occurs in older data only.
   */
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
  /** `claim`: to be answered by the buyer. `complaint` occurs in older data only. Set by the service. */
  readonly type?: "claim" | "complaint" | undefined;
  /**
   * `id` of the lot that the complaint is about. Set by the complainant on creation; for a complaint against an award
   * the service sets the award's lot.
   */
  readonly relatedLot?: string | undefined;
  /**
   * Who complains. Required; set by the complainant. In a claim against the tender, responses other than the one to the
   * POST show it from `active.qualification` on, or once the tender has ended.
   */
  readonly author?: Organization | undefined;
  /** The complaint in a few words. Required; set by the complainant. */
  readonly title?: string | undefined;
  /** The complaint in full. Set by the complainant. */
  readonly description?: string | undefined;
  /** Time at which the complaint became a `claim`. Set by the service. */
  readonly dateSubmitted?: Timestamp | undefined;
  /** The buyer's answer, at least 20 characters. Set by the tender's owner. */
  readonly resolution?: string | undefined;
  /**
   * How the buyer judges the claim: without grounds (`invalid`), met (`resolved`) or rejected (`declined`). Set by the
   * tender's owner; required with `answered`.
   */
  readonly resolutionType?: "invalid" | "resolved" | "declined" | undefined;
  /** Time at which the claim was answered. Set by the service. */
  readonly dateAnswered?: Timestamp | undefined;
  /** What the buyer did about the claim. Set by the tender's owner. */
  readonly tendererAction?: string | undefined;
  /** Time at which `tendererAction` was first set. Set by the service. */
  readonly tendererActionDate?: Timestamp | undefined;
  /**
   * Whether the complainant accepts the answer. Set by the complainant of an answered claim; required to set
   * `resolved`.
   */
  readonly satisfied?: boolean | undefined;
  /** Time at which the claim was passed on to a review body. In older data only. */
  readonly dateEscalated?: Timestamp | undefined;
  /** Decision of a review body. In older data only. */
  readonly decision?: string | undefined;
  /** Time of the decision of a review body. In older data only. */
  readonly dateDecision?: Timestamp | undefined;
  /**
   * Why the complainant takes the complaint back; required with `cancelled`. `cancelled`, set by the service, if the
   * award that it is about was cancelled.
   */
  readonly cancellationReason?: string | undefined;
  /** Time at which the complaint was cancelled. Set by the service. */
  readonly dateCanceled?: Timestamp | undefined;
  /** Documents of the complaint, in the order of upload. Added at their own address. */
  readonly documents?: readonly Document[] | undefined;
};

/**
 * A claim against a tender or an award, with the buyer's answer. As it is sent, without what belongs to the registry.
 */
export type ComplaintSent = {
  /**
   * The complainant creates a `draft` or a `claim`, submits a draft (`claim`), takes it back (`cancelled`), or settles
   * an answered claim (`resolved`). The tender's owner sets `answered`. The service settles an answer that nobody
   * contests for three days with the status that `resolutionType` names, and sets `ignored` when the tender or the lot
   * ends with the claim unanswered. `pending` occurs in older data only.
   */
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
  /**
   * `id` of the lot that the complaint is about. Set by the complainant on creation; for a complaint against an award
   * the service sets the award's lot.
   */
  readonly relatedLot?: string | undefined;
  /**
   * Who complains. Required; set by the complainant. In a claim against the tender, responses other than the one to the
   * POST show it from `active.qualification` on, or once the tender has ended.
   */
  readonly author: OrganizationSent;
  /** The complaint in a few words. Required; set by the complainant. */
  readonly title: string;
  /** The complaint in full. Set by the complainant. */
  readonly description?: string | undefined;
  /** The buyer's answer, at least 20 characters. Set by the tender's owner. */
  readonly resolution?: string | undefined;
  /**
   * How the buyer judges the claim: without grounds (`invalid`), met (`resolved`) or rejected (`declined`). Set by the
   * tender's owner; required with `answered`.
   */
  readonly resolutionType?: "invalid" | "resolved" | "declined" | undefined;
  /** What the buyer did about the claim. Set by the tender's owner. */
  readonly tendererAction?: string | undefined;
  /**
   * Whether the complainant accepts the answer. Set by the complainant of an answered claim; required to set
   * `resolved`.
   */
  readonly satisfied?: boolean | undefined;
  /**
   * Why the complainant takes the complaint back; required with `cancelled`. `cancelled`, set by the service, if the
   * award that it is about was cancelled.
   */
  readonly cancellationReason?: string | undefined;
};

/** The cancellation of a tender or of a lot. As the registry shows it. */
export type Cancellation = {
  /** Identifies the cancellation in paths: 32 hex digits. Assigned by the service. */
  readonly id: string;
  /** Time at which the cancellation was created, then of the last change of `status`. Set by the service. */
  readonly date: Timestamp;
  /**
   * `pending` announces the cancellation, `active` puts it into effect, which cannot be undone. Set by the tender's
   * owner, `pending` if absent.
   */
  readonly status: "pending" | "active";
  /** Why it is cancelled. Required; set by the tender's owner on creation. */
  readonly reason?: string | undefined;
  /** English version of `reason`. In older data only; ignored when sent. */
  readonly reason_en?: string | undefined;
  /** Russian version of `reason`. In older data only; ignored when sent. */
  readonly reason_ru?: string | undefined;
  /**
   * What is cancelled. Set by the tender's owner on creation, `tender` if absent; if `relatedLot` is given, the lot is
   * cancelled in any case.
   */
  readonly cancellationOf?: "tender" | "lot" | undefined;
  /**
   * `id` of the lot that is cancelled; required if `cancellationOf` is `lot`. Set by the tender's owner on creation.
   */
  readonly relatedLot?: string | undefined;
  /** Documents of the cancellation, in the order of upload. Added at their own address. */
  readonly documents?: readonly Document[] | undefined;
};

/** The cancellation of a tender or of a lot. As it is sent, without what belongs to the registry. */
export type CancellationSent = {
  /**
   * `pending` announces the cancellation, `active` puts it into effect, which cannot be undone. Set by the tender's
   * owner, `pending` if absent.
   */
  readonly status?: "pending" | "active" | undefined;
  /** Why it is cancelled. Required; set by the tender's owner on creation. */
  readonly reason: string;
  /**
   * What is cancelled. Set by the tender's owner on creation, `tender` if absent; if `relatedLot` is given, the lot is
   * cancelled in any case.
   */
  readonly cancellationOf?: "tender" | "lot" | undefined;
  /**
   * `id` of the lot that is cancelled; required if `cancellationOf` is `lot`. Set by the tender's owner on creation.
   */
  readonly relatedLot?: string | undefined;
};

/** A tender as its auction sees it, and what the auction reports. As the registry shows it. */
export type Auction = {
  /** Official number of the tender, for people. Assigned by the service. */
  readonly tenderID?: string | undefined;
  /** Time of the last public change of the tender. Set by the service. */
  readonly dateModified: Timestamp;
  /** What is procured, as in the tender. */
  readonly items?: readonly Item[] | undefined;
  /** When the auction is held, as in the tender; absent if it has lots. */
  readonly auctionPeriod?: AuctionPeriod | undefined;
  /** Smallest step by which a bid is lowered, as in the tender; with lots, each lot has its own. */
  readonly minimalStep?: Value | undefined;
  /**
   * Address of the page where the auction can be watched, http or https. Set by the auction service; not allowed if the
   * tender has lots.
   */
  readonly auctionUrl?: string | undefined;
  /** Criteria besides the price, as in the tender. */
  readonly features?: readonly Feature[] | undefined;
  /** All lots of the tender, if it has any. The auction service sends all of them back to set the address of one. */
  readonly lots?: readonly AuctionLot[] | undefined;
  /**
   * Bids with their prices, without the bidders' names. The auction service sends all of them back, in any order if
   * they have their `id`. While bids are sealed, only the auction service sees any.
   */
  readonly bids: readonly AuctionBid[];
  /** When bids were accepted, as in the tender. */
  readonly tenderPeriod?: Period | undefined;
};

/**
 * A tender as its auction sees it, and what the auction reports. As it is sent, without what belongs to the registry.
 */
export type AuctionSent = {
  /**
   * Address of the page where the auction can be watched, http or https. Set by the auction service; not allowed if the
   * tender has lots.
   */
  readonly auctionUrl?: string | undefined;
  /** All lots of the tender, if it has any. The auction service sends all of them back to set the address of one. */
  readonly lots?: readonly AuctionLotSent[] | undefined;
  /**
   * Bids with their prices, without the bidders' names. The auction service sends all of them back, in any order if
   * they have their `id`. While bids are sealed, only the auction service sees any.
   */
  readonly bids?: readonly AuctionBidSent[] | undefined;
};

/** A bid as the auction sees it, without the bidder's name. As the registry shows it. */
export type AuctionBid = {
  /** `id` of the bid. If absent, the bid at the same position is meant. */
  readonly id?: string | undefined;
  /**
   * Time at which the price was offered. Sent by the auction service with the results; if absent, the bid keeps its
   * own.
   */
  readonly date?: Timestamp | undefined;
  /** Price of the bid: before the auction as the bidder set it, in the results as the auction ended. */
  readonly value?: Value | undefined;
  /** The bidder's choices for the features of the tender. */
  readonly parameters?: readonly Parameter[] | undefined;
  /**
   * Personal address at which the bidder takes part, http or https. Set by the auction service; not allowed if the
   * tender has lots.
   */
  readonly participationUrl?: string | undefined;
  /** Prices for single lots, if the tender has lots. */
  readonly lotValues?: readonly AuctionLotValue[] | undefined;
};

/** A bid as the auction sees it, without the bidder's name. As it is sent, without what belongs to the registry. */
export type AuctionBidSent = {
  /** `id` of the bid. If absent, the bid at the same position is meant. */
  readonly id?: string | undefined;
  /**
   * Time at which the price was offered. Sent by the auction service with the results; if absent, the bid keeps its
   * own.
   */
  readonly date?: Timestamp | undefined;
  /** Price of the bid: before the auction as the bidder set it, in the results as the auction ended. */
  readonly value?: ValueSent | undefined;
  /**
   * Personal address at which the bidder takes part, http or https. Set by the auction service; not allowed if the
   * tender has lots.
   */
  readonly participationUrl?: string | undefined;
  /** Prices for single lots, if the tender has lots. */
  readonly lotValues?: readonly AuctionLotValueSent[] | undefined;
};

/** The price of a bid for one lot, as the auction sees it. As the registry shows it. */
export type AuctionLotValue = {
  /** `id` of the lot that the price is for. If absent, the lot at the same position of the bid is meant. */
  readonly relatedLot?: string | undefined;
  /** Price for the lot: before the auction as the bidder set it, in the results as it ended. */
  readonly value?: Value | undefined;
  /**
   * Time at which the price was offered. Sent by the auction service with the results; if absent, the bid keeps its
   * own.
   */
  readonly date?: Timestamp | undefined;
  /**
   * Personal address at which the bidder takes part in the auction of the lot, http or https. Set by the auction
   * service.
   */
  readonly participationUrl?: string | undefined;
};

/** The price of a bid for one lot, as the auction sees it. As it is sent, without what belongs to the registry. */
export type AuctionLotValueSent = {
  /** `id` of the lot that the price is for. If absent, the lot at the same position of the bid is meant. */
  readonly relatedLot?: string | undefined;
  /** Price for the lot: before the auction as the bidder set it, in the results as it ended. */
  readonly value?: ValueSent | undefined;
  /**
   * Time at which the price was offered. Sent by the auction service with the results; if absent, the bid keeps its
   * own.
   */
  readonly date?: Timestamp | undefined;
  /**
   * Personal address at which the bidder takes part in the auction of the lot, http or https. Set by the auction
   * service.
   */
  readonly participationUrl?: string | undefined;
};

/** A lot as the auction sees it. As the registry shows it. */
export type AuctionLot = {
  /** `id` of the lot. If absent, the lot at the same position is meant. */
  readonly id?: string | undefined;
  /** State of the lot, as in the tender. */
  readonly status?: "active" | "cancelled" | "unsuccessful" | "complete" | undefined;
  /** Time of the last change of `status`, as in the tender. */
  readonly date?: Timestamp | undefined;
  /** Name of the lot, as in the tender. */
  readonly title?: string | undefined;
  /** English version of `title`. Optional; set by whoever sets `title`. */
  readonly title_en?: string | undefined;
  /** Russian version of `title`. Optional; set by whoever sets `title`. */
  readonly title_ru?: string | undefined;
  /** What the lot consists of, as in the tender. */
  readonly description?: string | undefined;
  /** English version of `description`. Optional; set by whoever sets `description`. */
  readonly description_en?: string | undefined;
  /** Russian version of `description`. Optional; set by whoever sets `description`. */
  readonly description_ru?: string | undefined;
  /** Expected value of the lot, as in the tender. */
  readonly value?: Value | undefined;
  /** Smallest step by which a bid for the lot is lowered, as in the tender. */
  readonly minimalStep?: Value | undefined;
  /** Security that a bidder for the lot has to provide, as in the tender. */
  readonly guarantee?: Guarantee | undefined;
  /** When the auction of the lot is held, as in the tender. */
  readonly auctionPeriod?: AuctionPeriod | undefined;
  /** Address of the page where the auction of the lot can be watched, http or https. Set by the auction service. */
  readonly auctionUrl?: string | undefined;
};

/** A lot as the auction sees it. As it is sent, without what belongs to the registry. */
export type AuctionLotSent = {
  /** `id` of the lot. If absent, the lot at the same position is meant. */
  readonly id?: string | undefined;
  /** Address of the page where the auction of the lot can be watched, http or https. Set by the auction service. */
  readonly auctionUrl?: string | undefined;
};

/** A tender as its scheduler sees it: when things happen, but not who bids what. As the registry shows it. */
export type Schedule = {
  /** Identifies the tender in paths: 32 hex digits. */
  readonly id: string;
  /** Stage of the procedure, as in the tender. */
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
  /** `test` for a test tender, absent for a real one. */
  readonly mode?: string | undefined;
  /**
   * Time at which the tender will next change by itself, or its auction starts or should be over. Absent if nothing is
   * due.
   */
  readonly next_check?: Timestamp | undefined;
  /** When questions can be asked, as in the tender. */
  readonly enquiryPeriod?: Period | undefined;
  /** When bids are accepted, as in the tender. */
  readonly tenderPeriod?: Period | undefined;
  /** When the auction is held; absent if the tender has lots. */
  readonly auctionPeriod?: AuctionPeriod | undefined;
  /** When the winner is chosen, as in the tender. */
  readonly awardPeriod?: Period | undefined;
  /** Free text about the auction; in the sandbox, `quick` asks to plan it without waiting for midnight. */
  readonly submissionMethodDetails?: string | undefined;
  /** Number of bids. Shown once the tender period has ended: before that, nobody learns it. */
  readonly numberOfBids?: number | undefined;
  /** The lots of the tender; absent if it has none. */
  readonly lots?: readonly ScheduledLot[] | undefined;
  /** The awards of the tender. */
  readonly awards?: readonly Award[] | undefined;
  /** The claims against the tender. */
  readonly complaints?: readonly Complaint[] | undefined;
};

/** A lot as the scheduler sees it. As the registry shows it. */
export type ScheduledLot = {
  /** `id` of the lot: 32 hex digits. */
  readonly id?: string | undefined;
  /** State of the lot: only an `active` one has an auction to plan. */
  readonly status?: string | undefined;
  /** When the auction of the lot is held. */
  readonly auctionPeriod?: AuctionPeriod | undefined;
  /** Number of bids for the lot. Shown once the tender period has ended: before that, nobody learns it. */
  readonly numberOfBids?: number | undefined;
};

/** Who owns a tender, for the service that manages its contracts. As the registry shows it. */
export type Credentials = {
  /** Identifies the tender in paths: 32 hex digits. */
  readonly id: string;
  /** Name of the account that created the tender. */
  readonly owner: string;
  /** SHA-256 of the tender's owner token, 64 hex digits. The token itself is known to its owner only. */
  readonly tender_token: string;
};

/**
 * An offer of one bidder. Under `belowThreshold` it is sealed until the auction has ended. As it is sent when it is
 * new. As it is sent, without what belongs to the registry.
 */
export type NewBidSent = {
  /**
   * `draft` does not take part and is removed when the tender period ends; the bidder makes it `active` with PATCH,
   * which cannot be undone. Set by the bidder, `active` if absent.
   */
  readonly status?: "active" | "draft" | undefined;
  /** Who bids: one organisation under `belowThreshold`, otherwise one or more. Required; set by the bidder. */
  readonly tenderers: readonly OrganizationSent[];
  /**
   * Price of the whole offer, at most the tender's value, in its currency and with its VAT flag. Set by the bidder, and
   * by the auction when it reports its results. Not allowed if the tender has lots.
   */
  readonly value?: ValueSent | undefined;
  /**
   * Prices for single lots, each lot at most once. Set by the bidder; required instead of `value` if the tender has
   * lots.
   */
  readonly lotValues?: readonly LotValueSent[] | undefined;
  /**
   * The bidder's choice for every feature of the tender, with lots for every feature that concerns the lots bid for.
   * Set by the bidder.
   */
  readonly parameters?: readonly ParameterSent[] | undefined;
  /**
   * Documents of the bid, in the order of upload. A new bid may bring documents whose files are with the document
   * service; others are added at their own address.
   */
  readonly documents?: readonly RegistrationSent[] | undefined;
} & ({ readonly value: ValueSent } | { readonly lotValues: readonly LotValueSent[] });

/** A page of the feed. As the registry shows it. */
export type FeedPage = {
  /** Tenders in the order of their last change, oldest first, or newest first with `descending`. */
  readonly data: readonly {
    /** Identifies the tender in paths: 32 hex digits. */
    readonly id: string;
    /**
     * Official number for people, `UA-<date>-<sequence>`. Assigned by the service on creation: the date is the day in
     * the registry's time zone, the sequence has at least six digits and starts at 000001 every day.
     */
    readonly tenderID?: string | undefined;
    /** Name of the account that created the tender. Set by the service from the API key. */
    readonly owner?: string | undefined;
    /**
     * Stage of the procedure. The service moves it when a deadline passes or a decision is made. The owner may create a
     * tender as `draft`, publish the draft by setting `active.enquiries`, and set `cancelled` before the tender has
     * ended; any other value in a PATCH is ignored, except that the owner of a tender without `procurementMethodType`
     * ends it by setting `complete` or `unsuccessful` in `active.qualification`.
     */
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
    /** Time of the last change of `status`. Set by the service. */
    readonly date?: Timestamp | undefined;
    /** Time of the last public change of the tender. The feed is ordered by it, and no two entries share one. */
    readonly dateModified: Timestamp;
    /**
     * Time at which the tender will next change by itself, or its auction starts or should be over. Computed by the
     * service; absent if nothing is due.
     */
    readonly next_check?: Timestamp | undefined;
    /**
     * `test` marks a test tender: its titles get a marker in brackets, and the feed lists it only with the parameter
     * `mode`. Set by the owner on creation, fixed afterwards. Absent for a real tender.
     */
    readonly mode?: "test" | undefined;
    /**
     * Procedure that the tender follows. Set by the owner on creation, `belowThreshold` if absent; fixed afterwards.
     * Responses leave it out for a tender of the plain procedure, which older versions create.
     */
    readonly procurementMethodType?: "belowThreshold" | UnknownText | undefined;
    /** Who may bid. Set by the procedure; today always `open`: anyone. */
    readonly procurementMethod?: "open" | "selective" | "limited" | undefined;
    /** Why this procedure was chosen. Set by the owner. */
    readonly procurementMethodRationale?: string | undefined;
    /** English version of `procurementMethodRationale`. Optional; set by whoever sets `procurementMethodRationale`. */
    readonly procurementMethodRationale_en?: string | undefined;
    /** Russian version of `procurementMethodRationale`. Optional; set by whoever sets `procurementMethodRationale`. */
    readonly procurementMethodRationale_ru?: string | undefined;
    /**
     * Sandbox only: a text that contains `accelerator=<n>` after at least one other character divides the stand-still
     * of awards and the time to contest an answer by n. Set by the owner.
     */
    readonly procurementMethodDetails?: string | undefined;
    /** How bids compete. Set by the procedure; today always `electronicAuction`. */
    readonly submissionMethod?: "electronicAuction" | "electronicSubmission" | "written" | "inPerson" | undefined;
    /**
     * Free text about the auction. Set by the owner. In the sandbox, `quick` plans the auction without waiting for
     * midnight, `quick(mode:no-auction)` skips it, and `quick(mode:fast-forward)` ends it at once with the prices of
     * the bids.
     */
    readonly submissionMethodDetails?: string | undefined;
    /** English version of `submissionMethodDetails`. Optional; set by whoever sets `submissionMethodDetails`. */
    readonly submissionMethodDetails_en?: string | undefined;
    /** Russian version of `submissionMethodDetails`. Optional; set by whoever sets `submissionMethodDetails`. */
    readonly submissionMethodDetails_ru?: string | undefined;
    /**
     * How bids are ranked. Set by the procedure; today always `lowestCost`: the lowest price, adjusted by `features` if
     * there are any.
     */
    readonly awardCriteria?: "lowestCost" | "bestProposal" | "bestValueToGovernment" | "singleBidOnly" | undefined;
    /** Free text about the award criteria. Set by the owner. */
    readonly awardCriteriaDetails?: string | undefined;
    /** English version of `awardCriteriaDetails`. Optional; set by whoever sets `awardCriteriaDetails`. */
    readonly awardCriteriaDetails_en?: string | undefined;
    /** Russian version of `awardCriteriaDetails`. Optional; set by whoever sets `awardCriteriaDetails`. */
    readonly awardCriteriaDetails_ru?: string | undefined;
    /** Free text about who may bid. Set by the owner; the service does not check it. */
    readonly eligibilityCriteria?: string | undefined;
    /** English version of `eligibilityCriteria`. Optional; set by whoever sets `eligibilityCriteria`. */
    readonly eligibilityCriteria_en?: string | undefined;
    /** Russian version of `eligibilityCriteria`. Optional; set by whoever sets `eligibilityCriteria`. */
    readonly eligibilityCriteria_ru?: string | undefined;
    /**
     * What is procured, in a few words. Set by the owner. In `mode` `test` the service puts `[ТЕСТУВАННЯ]` in front,
     * `[TESTING]` in front of the English title and `[ТЕСТИРОВАНИЕ]` in front of the Russian one.
     */
    readonly title?: string | undefined;
    /** English version of `title`. Optional; set by whoever sets `title`. */
    readonly title_en?: string | undefined;
    /** Russian version of `title`. Optional; set by whoever sets `title`. */
    readonly title_ru?: string | undefined;
    /** What is procured, in detail. Set by the owner. */
    readonly description?: string | undefined;
    /** English version of `description`. Optional; set by whoever sets `description`. */
    readonly description_en?: string | undefined;
    /** Russian version of `description`. Optional; set by whoever sets `description`. */
    readonly description_ru?: string | undefined;
    /** Whether the buyer received enquiries. Set by the owner; not computed from `questions`. */
    readonly hasEnquiries?: boolean | undefined;
    /** Number of bidders as the buyer counts them. Set by the owner; not computed from `bids`. */
    readonly numberOfBidders?: number | undefined;
    /** Number of bids. Computed by the service; shown from `active.qualification` on, also when it is 0. */
    readonly numberOfBids?: number | undefined;
    /**
     * Expected total value; no bid may exceed it. Set by the owner. With `lots`, the service sets `amount` to the sum
     * of theirs.
     */
    readonly value?: Value | undefined;
    /**
     * Smallest step by which a bid is lowered in the auction, at most `value`, in its currency and with its VAT flag.
     * Set by the owner. With `lots`, the service sets `amount` to the smallest of theirs.
     */
    readonly minimalStep?: Value | undefined;
    /**
     * Security that a bidder has to provide. Set by the owner. With `lots`, the service sets `amount` to the sum of
     * theirs.
     */
    readonly guarantee?: Guarantee | undefined;
    /**
     * When questions can be asked. `startDate` is the time of publication and set by the service; `endDate` is set by
     * the owner.
     */
    readonly enquiryPeriod?: Period | undefined;
    /**
     * When bids are accepted. Set by the owner; may not start before enquiries end, and starts then if `startDate` is
     * absent.
     */
    readonly tenderPeriod?: Period | undefined;
    /**
     * When the auction is held. `startDate` is set by the scheduler, `endDate` by the service when the auction reports
     * its results. Ignored when the owner sends it; absent for a tender with `lots`, each of which has its own.
     */
    readonly auctionPeriod?: AuctionPeriod | undefined;
    /** Address of the page where the auction can be watched. Set by the auction service before the auction. */
    readonly auctionUrl?: string | undefined;
    /**
     * When the winner is chosen. `startDate` is set by the service when it makes the first award, `endDate` when no
     * award is left to decide; an award that is cancelled removes `endDate` again.
     */
    readonly awardPeriod?: Period | undefined;
    /** The organisation that buys. Set by the owner. */
    readonly procuringEntity?: ProcuringEntity | undefined;
    /** Goods or services to be procured, all of one CPV class. Set by the owner. */
    readonly items?: readonly Item[] | undefined;
    /**
     * Criteria besides the price. Set by the owner; their largest values add up to at most 0.3, with `lots` for each
     * lot.
     */
    readonly features?: readonly Feature[] | undefined;
    /**
     * Parts that are bid for and awarded separately. Set by the owner on creation; afterwards each lot has its own
     * address.
     */
    readonly lots?: readonly Lot[] | undefined;
    /**
     * Documents of the tender: every version of each, in the order of upload, with the same `id`. Added at their own
     * address.
     */
    readonly documents?: readonly Document[] | undefined;
    /** Questions to the buyer, in the order in which they were asked. Added at their own address. */
    readonly questions?: readonly Question[] | undefined;
    /**
     * Bids, in the order in which they were placed. While they are sealed the field is absent: under `belowThreshold`
     * until `active.qualification`. Added at their own address.
     */
    readonly bids?: readonly Bid[] | undefined;
    /** Awards, in the order in which they were made: by the service under `belowThreshold`, otherwise by the owner. */
    readonly awards?: readonly Award[] | undefined;
    /** Contracts. The service makes one when an award becomes `active`. */
    readonly contracts?: readonly Contract[] | undefined;
    /** Claims against the tender itself. Claims against an award are in the award. */
    readonly complaints?: readonly Complaint[] | undefined;
    /** Cancellations of the tender or of one of its lots, whether in effect or not. */
    readonly cancellations?: readonly Cancellation[] | undefined;
  }[];
  /** Where to go on. On the last page it leads to what will change next. */
  readonly next_page: {
    /** Value of the parameter `offset` that leads there. */
    readonly offset: string;
    /** Path and query of that page, with the same filters. */
    readonly path: string;
    /** Absolute address of that page. */
    readonly uri: string;
  };
  /** The same way back: the page before, in the opposite order. Shown if `offset` or `descending` was given. */
  readonly prev_page?: {
    /** Value of the parameter `offset` that leads there. */
    readonly offset: string;
    /** Path and query of that page, with the same filters. */
    readonly path: string;
    /** Absolute address of that page. */
    readonly uri: string;
  };
};

/** What proves that you own an object. As the registry shows it. */
export type Access = {
  /**
   * Owner token, 32 hex digits. It works only together with the key of the account that created the object; the service
   * stores its hash, so nobody can find it out later.
   */
  readonly token: string;
};

/** Every operation of the API: what it takes and what it answers. */
export type Operations = {
  /** Check that tenders can be read and written */
  readonly "GET /health": {
    readonly answer: {
      /** `ok` if tenders can be read and written. */
      readonly status: "ok";
    };
  };
  /** List the methods in SPORE format, for old clients */
  readonly "GET /spore": {
    readonly answer: { readonly [name: string]: unknown };
  };
  /** List tenders in the order of change */
  readonly "GET /tenders": {
    readonly answer: FeedPage;
  };
  /** Create a tender */
  readonly "POST /tenders": {
    readonly body: TenderSent;
    readonly answer: {
      /** The payload. */
      readonly data: Tender;
      /** The owner token of the object, shown only this once. */
      readonly access: Access;
    };
  };
  /** Stream changes of tenders as Server-Sent Events */
  readonly "GET /tenders/stream": {
    readonly answer: unknown;
  };
  /** Get a tender */
  readonly "GET /tenders/{tender_id}": {
    readonly answer: {
      /** The payload. */
      readonly data: Tender | Schedule;
    };
  };
  /** Change a tender, or cancel it */
  readonly "PATCH /tenders/{tender_id}": {
    readonly body: Patch<TenderSent>;
    readonly answer: {
      /** The payload. */
      readonly data: Tender;
    };
  };
  /** List the documents of a tender */
  readonly "GET /tenders/{tender_id}/documents": {
    readonly answer: {
      /** The payload. */
      readonly data: readonly Document[];
    };
  };
  /** Upload a document of a tender */
  readonly "POST /tenders/{tender_id}/documents": {
    readonly body: RegistrationSent;
    readonly answer: {
      /** The payload. */
      readonly data: Document;
    };
  };
  /** Get a document of a tender, or download it */
  readonly "GET /tenders/{tender_id}/documents/{document_id}": {
    readonly answer: {
      /** The payload. */
      readonly data: Document;
    };
  };
  /** Upload a new version of a document of a tender */
  readonly "PUT /tenders/{tender_id}/documents/{document_id}": {
    readonly body: RegistrationSent;
    readonly answer: {
      /** The payload. */
      readonly data: Document;
    };
  };
  /** Change the metadata of a document of a tender */
  readonly "PATCH /tenders/{tender_id}/documents/{document_id}": {
    readonly body: Patch<DocumentSent>;
    readonly answer: {
      /** The payload. */
      readonly data: Document;
    };
  };
  /** List the questions */
  readonly "GET /tenders/{tender_id}/questions": {
    readonly answer: {
      /** The payload. */
      readonly data: readonly Question[];
    };
  };
  /** Add a question */
  readonly "POST /tenders/{tender_id}/questions": {
    readonly body: QuestionSent;
    readonly answer: {
      /** The payload. */
      readonly data: Question;
    };
  };
  /** Get a question */
  readonly "GET /tenders/{tender_id}/questions/{question_id}": {
    readonly answer: {
      /** The payload. */
      readonly data: Question;
    };
  };
  /** Change a question */
  readonly "PATCH /tenders/{tender_id}/questions/{question_id}": {
    readonly body: Patch<QuestionSent>;
    readonly answer: {
      /** The payload. */
      readonly data: Question;
    };
  };
  /** List the lots */
  readonly "GET /tenders/{tender_id}/lots": {
    readonly answer: {
      /** The payload. */
      readonly data: readonly Lot[];
    };
  };
  /** Add a lot */
  readonly "POST /tenders/{tender_id}/lots": {
    readonly body: LotSent;
    readonly answer: {
      /** The payload. */
      readonly data: Lot;
    };
  };
  /** Get a lot */
  readonly "GET /tenders/{tender_id}/lots/{lot_id}": {
    readonly answer: {
      /** The payload. */
      readonly data: Lot;
    };
  };
  /** Change a lot */
  readonly "PATCH /tenders/{tender_id}/lots/{lot_id}": {
    readonly body: Patch<LotSent>;
    readonly answer: {
      /** The payload. */
      readonly data: Lot;
    };
  };
  /** Remove a lot */
  readonly "DELETE /tenders/{tender_id}/lots/{lot_id}": {
    readonly answer: {
      /** The payload. */
      readonly data: Lot;
    };
  };
  /** List the contracts */
  readonly "GET /tenders/{tender_id}/contracts": {
    readonly answer: {
      /** The payload. */
      readonly data: readonly Contract[];
    };
  };
  /** Add a contract */
  readonly "POST /tenders/{tender_id}/contracts": {
    readonly body: ContractSent;
    readonly answer: {
      /** The payload. */
      readonly data: Contract;
    };
  };
  /** Get a contract */
  readonly "GET /tenders/{tender_id}/contracts/{contract_id}": {
    readonly answer: {
      /** The payload. */
      readonly data: Contract;
    };
  };
  /** Change a contract */
  readonly "PATCH /tenders/{tender_id}/contracts/{contract_id}": {
    readonly body: Patch<ContractSent>;
    readonly answer: {
      /** The payload. */
      readonly data: Contract;
    };
  };
  /** List the cancellations */
  readonly "GET /tenders/{tender_id}/cancellations": {
    readonly answer: {
      /** The payload. */
      readonly data: readonly Cancellation[];
    };
  };
  /** Add a cancellation */
  readonly "POST /tenders/{tender_id}/cancellations": {
    readonly body: CancellationSent;
    readonly answer: {
      /** The payload. */
      readonly data: Cancellation;
    };
  };
  /** Get a cancellation */
  readonly "GET /tenders/{tender_id}/cancellations/{cancellation_id}": {
    readonly answer: {
      /** The payload. */
      readonly data: Cancellation;
    };
  };
  /** Change a cancellation */
  readonly "PATCH /tenders/{tender_id}/cancellations/{cancellation_id}": {
    readonly body: Patch<CancellationSent>;
    readonly answer: {
      /** The payload. */
      readonly data: Cancellation;
    };
  };
  /** List the complaints */
  readonly "GET /tenders/{tender_id}/complaints": {
    readonly answer: {
      /** The payload. */
      readonly data: readonly Complaint[];
    };
  };
  /** Add a complaint */
  readonly "POST /tenders/{tender_id}/complaints": {
    readonly body: ComplaintSent;
    readonly answer: {
      /** The payload. */
      readonly data: Complaint;
      /** The owner token of the object, shown only this once. */
      readonly access: Access;
    };
  };
  /** Get a complaint */
  readonly "GET /tenders/{tender_id}/complaints/{complaint_id}": {
    readonly answer: {
      /** The payload. */
      readonly data: Complaint;
    };
  };
  /** Change a complaint */
  readonly "PATCH /tenders/{tender_id}/complaints/{complaint_id}": {
    readonly body: Patch<ComplaintSent>;
    readonly answer: {
      /** The payload. */
      readonly data: Complaint;
    };
  };
  /** List the complaints about an award */
  readonly "GET /tenders/{tender_id}/awards/{award_id}/complaints": {
    readonly answer: {
      /** The payload. */
      readonly data: readonly Complaint[];
    };
  };
  /** Add a complaint about an award */
  readonly "POST /tenders/{tender_id}/awards/{award_id}/complaints": {
    readonly body: ComplaintSent;
    readonly answer: {
      /** The payload. */
      readonly data: Complaint;
      /** The owner token of the object, shown only this once. */
      readonly access: Access;
    };
  };
  /** Get a complaint about an award */
  readonly "GET /tenders/{tender_id}/awards/{award_id}/complaints/{complaint_id}": {
    readonly answer: {
      /** The payload. */
      readonly data: Complaint;
    };
  };
  /** Change a complaint about an award */
  readonly "PATCH /tenders/{tender_id}/awards/{award_id}/complaints/{complaint_id}": {
    readonly body: Patch<ComplaintSent>;
    readonly answer: {
      /** The payload. */
      readonly data: Complaint;
    };
  };
  /** List the bids */
  readonly "GET /tenders/{tender_id}/bids": {
    readonly answer: {
      /** The payload. */
      readonly data: readonly Bid[];
    };
  };
  /** Place a bid */
  readonly "POST /tenders/{tender_id}/bids": {
    readonly body: NewBidSent;
    readonly answer: {
      /** The payload. */
      readonly data: Bid;
      /** The owner token of the object, shown only this once. */
      readonly access: Access;
    };
  };
  /** Get a bid */
  readonly "GET /tenders/{tender_id}/bids/{bid_id}": {
    readonly answer: {
      /** The payload. */
      readonly data: Bid;
    };
  };
  /** Change a bid */
  readonly "PATCH /tenders/{tender_id}/bids/{bid_id}": {
    readonly body: Patch<BidSent>;
    readonly answer: {
      /** The payload. */
      readonly data: Bid;
    };
  };
  /** Withdraw a bid */
  readonly "DELETE /tenders/{tender_id}/bids/{bid_id}": {
    readonly answer: {
      /** The payload. */
      readonly data: Bid;
    };
  };
  /** List the documents of a bid */
  readonly "GET /tenders/{tender_id}/bids/{bid_id}/documents": {
    readonly answer: {
      /** The payload. */
      readonly data: readonly Document[];
    };
  };
  /** Upload a document of a bid */
  readonly "POST /tenders/{tender_id}/bids/{bid_id}/documents": {
    readonly body: RegistrationSent;
    readonly answer: {
      /** The payload. */
      readonly data: Document;
    };
  };
  /** Get a document of a bid, or download it */
  readonly "GET /tenders/{tender_id}/bids/{bid_id}/documents/{document_id}": {
    readonly answer: {
      /** The payload. */
      readonly data: Document;
    };
  };
  /** Upload a new version of a document of a bid */
  readonly "PUT /tenders/{tender_id}/bids/{bid_id}/documents/{document_id}": {
    readonly body: RegistrationSent;
    readonly answer: {
      /** The payload. */
      readonly data: Document;
    };
  };
  /** Change the metadata of a document of a bid */
  readonly "PATCH /tenders/{tender_id}/bids/{bid_id}/documents/{document_id}": {
    readonly body: Patch<DocumentSent>;
    readonly answer: {
      /** The payload. */
      readonly data: Document;
    };
  };
  /** List the awards */
  readonly "GET /tenders/{tender_id}/awards": {
    readonly answer: {
      /** The payload. */
      readonly data: readonly Award[];
    };
  };
  /** Record an award */
  readonly "POST /tenders/{tender_id}/awards": {
    readonly body: AwardSent;
    readonly answer: {
      /** The payload. */
      readonly data: Award;
    };
  };
  /** Get an award */
  readonly "GET /tenders/{tender_id}/awards/{award_id}": {
    readonly answer: {
      /** The payload. */
      readonly data: Award;
    };
  };
  /** Decide on an award, or change it */
  readonly "PATCH /tenders/{tender_id}/awards/{award_id}": {
    readonly body: Patch<AwardSent>;
    readonly answer: {
      /** The payload. */
      readonly data: Award;
    };
  };
  /** Get what the auction starts from */
  readonly "GET /tenders/{tender_id}/auction": {
    readonly answer: {
      /** The payload. */
      readonly data: Auction;
    };
  };
  /** End the auction with its results */
  readonly "POST /tenders/{tender_id}/auction": {
    readonly body: AuctionSent;
    readonly answer: {
      /** The payload. */
      readonly data: Tender;
    };
  };
  /** Set where the auction is held */
  readonly "PATCH /tenders/{tender_id}/auction": {
    readonly body: Patch<AuctionSent>;
    readonly answer: {
      /** The payload. */
      readonly data: Auction;
    };
  };
  /** End the auction of a lot with its results */
  readonly "POST /tenders/{tender_id}/auction/{auction_lot_id}": {
    readonly body: AuctionSent;
    readonly answer: {
      /** The payload. */
      readonly data: Tender;
    };
  };
  /** Set where the auction of a lot is held */
  readonly "PATCH /tenders/{tender_id}/auction/{auction_lot_id}": {
    readonly body: Patch<AuctionSent>;
    readonly answer: {
      /** The payload. */
      readonly data: Auction;
    };
  };
  /** Renew the owner token of a tender */
  readonly "PATCH /tenders/{tender_id}/credentials": {
    readonly answer: {
      /** The payload. */
      readonly data: Tender;
      /** The owner token of the object, shown only this once. */
      readonly access: Access;
    };
  };
  /** Get the owner of a tender, for the service that manages contracts */
  readonly "GET /tenders/{tender_id}/extract_credentials": {
    readonly answer: {
      /** The payload. */
      readonly data: Credentials;
    };
  };
  /** Get the view of the scheduler */
  readonly "GET /tenders/{tender_id}/chronograph": {
    readonly answer: {
      /** The payload. */
      readonly data: Schedule;
    };
  };
  /** Plan auctions */
  readonly "PATCH /tenders/{tender_id}/chronograph": {
    readonly body: Patch<TenderSent>;
    readonly answer: {
      /** The payload. */
      readonly data: Tender;
    };
  };
  /** List the documents of an award */
  readonly "GET /tenders/{tender_id}/awards/{award_id}/documents": {
    readonly answer: {
      /** The payload. */
      readonly data: readonly Document[];
    };
  };
  /** Upload a document of an award */
  readonly "POST /tenders/{tender_id}/awards/{award_id}/documents": {
    readonly body: RegistrationSent;
    readonly answer: {
      /** The payload. */
      readonly data: Document;
    };
  };
  /** Get a document of an award, or download it */
  readonly "GET /tenders/{tender_id}/awards/{award_id}/documents/{document_id}": {
    readonly answer: {
      /** The payload. */
      readonly data: Document;
    };
  };
  /** Upload a new version of a document of an award */
  readonly "PUT /tenders/{tender_id}/awards/{award_id}/documents/{document_id}": {
    readonly body: RegistrationSent;
    readonly answer: {
      /** The payload. */
      readonly data: Document;
    };
  };
  /** Change the metadata of a document of an award */
  readonly "PATCH /tenders/{tender_id}/awards/{award_id}/documents/{document_id}": {
    readonly body: Patch<DocumentSent>;
    readonly answer: {
      /** The payload. */
      readonly data: Document;
    };
  };
  /** List the documents of a contract */
  readonly "GET /tenders/{tender_id}/contracts/{contract_id}/documents": {
    readonly answer: {
      /** The payload. */
      readonly data: readonly Document[];
    };
  };
  /** Upload a document of a contract */
  readonly "POST /tenders/{tender_id}/contracts/{contract_id}/documents": {
    readonly body: RegistrationSent;
    readonly answer: {
      /** The payload. */
      readonly data: Document;
    };
  };
  /** Get a document of a contract, or download it */
  readonly "GET /tenders/{tender_id}/contracts/{contract_id}/documents/{document_id}": {
    readonly answer: {
      /** The payload. */
      readonly data: Document;
    };
  };
  /** Upload a new version of a document of a contract */
  readonly "PUT /tenders/{tender_id}/contracts/{contract_id}/documents/{document_id}": {
    readonly body: RegistrationSent;
    readonly answer: {
      /** The payload. */
      readonly data: Document;
    };
  };
  /** Change the metadata of a document of a contract */
  readonly "PATCH /tenders/{tender_id}/contracts/{contract_id}/documents/{document_id}": {
    readonly body: Patch<DocumentSent>;
    readonly answer: {
      /** The payload. */
      readonly data: Document;
    };
  };
  /** List the documents of a cancellation */
  readonly "GET /tenders/{tender_id}/cancellations/{cancellation_id}/documents": {
    readonly answer: {
      /** The payload. */
      readonly data: readonly Document[];
    };
  };
  /** Upload a document of a cancellation */
  readonly "POST /tenders/{tender_id}/cancellations/{cancellation_id}/documents": {
    readonly body: RegistrationSent;
    readonly answer: {
      /** The payload. */
      readonly data: Document;
    };
  };
  /** Get a document of a cancellation, or download it */
  readonly "GET /tenders/{tender_id}/cancellations/{cancellation_id}/documents/{document_id}": {
    readonly answer: {
      /** The payload. */
      readonly data: Document;
    };
  };
  /** Upload a new version of a document of a cancellation */
  readonly "PUT /tenders/{tender_id}/cancellations/{cancellation_id}/documents/{document_id}": {
    readonly body: RegistrationSent;
    readonly answer: {
      /** The payload. */
      readonly data: Document;
    };
  };
  /** Change the metadata of a document of a cancellation */
  readonly "PATCH /tenders/{tender_id}/cancellations/{cancellation_id}/documents/{document_id}": {
    readonly body: Patch<DocumentSent>;
    readonly answer: {
      /** The payload. */
      readonly data: Document;
    };
  };
  /** List the documents of a complaint */
  readonly "GET /tenders/{tender_id}/complaints/{complaint_id}/documents": {
    readonly answer: {
      /** The payload. */
      readonly data: readonly Document[];
    };
  };
  /** Upload a document of a complaint */
  readonly "POST /tenders/{tender_id}/complaints/{complaint_id}/documents": {
    readonly body: RegistrationSent;
    readonly answer: {
      /** The payload. */
      readonly data: Document;
    };
  };
  /** Get a document of a complaint, or download it */
  readonly "GET /tenders/{tender_id}/complaints/{complaint_id}/documents/{document_id}": {
    readonly answer: {
      /** The payload. */
      readonly data: Document;
    };
  };
  /** Upload a new version of a document of a complaint */
  readonly "PUT /tenders/{tender_id}/complaints/{complaint_id}/documents/{document_id}": {
    readonly body: RegistrationSent;
    readonly answer: {
      /** The payload. */
      readonly data: Document;
    };
  };
  /** Change the metadata of a document of a complaint */
  readonly "PATCH /tenders/{tender_id}/complaints/{complaint_id}/documents/{document_id}": {
    readonly body: Patch<DocumentSent>;
    readonly answer: {
      /** The payload. */
      readonly data: Document;
    };
  };
  /** List the documents of a complaint about an award */
  readonly "GET /tenders/{tender_id}/awards/{award_id}/complaints/{complaint_id}/documents": {
    readonly answer: {
      /** The payload. */
      readonly data: readonly Document[];
    };
  };
  /** Upload a document of a complaint about an award */
  readonly "POST /tenders/{tender_id}/awards/{award_id}/complaints/{complaint_id}/documents": {
    readonly body: RegistrationSent;
    readonly answer: {
      /** The payload. */
      readonly data: Document;
    };
  };
  /** Get a document of a complaint about an award, or download it */
  readonly "GET /tenders/{tender_id}/awards/{award_id}/complaints/{complaint_id}/documents/{document_id}": {
    readonly answer: {
      /** The payload. */
      readonly data: Document;
    };
  };
  /** Upload a new version of a document of a complaint about an award */
  readonly "PUT /tenders/{tender_id}/awards/{award_id}/complaints/{complaint_id}/documents/{document_id}": {
    readonly body: RegistrationSent;
    readonly answer: {
      /** The payload. */
      readonly data: Document;
    };
  };
  /** Change the metadata of a document of a complaint about an award */
  readonly "PATCH /tenders/{tender_id}/awards/{award_id}/complaints/{complaint_id}/documents/{document_id}": {
    readonly body: Patch<DocumentSent>;
    readonly answer: {
      /** The payload. */
      readonly data: Document;
    };
  };
};
