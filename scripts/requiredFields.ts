/** The fields that a request body must have. */
export type Requirements = {
  /** Fields that are always required. */
  readonly always?: readonly string[];
  /** Sets of fields of which at least one is required. */
  readonly either?: readonly (readonly string[])[];
  /** Fields that a nested object must have here, in addition to those it always needs; by the field that has the object. */
  readonly inside?: { readonly [field: string]: readonly string[] };
};

const ORGANIZATION: Requirements = { always: ["name", "identifier", "address", "contactPoint"] };

/** The same with and without documents. */
const BID: Requirements = { always: ["tenderers"], either: [["value"], ["lotValues"]] };

/**
 * The required fields of what a client of API 2.5 creates, by schema. That version creates only `belowThreshold` tenders. The
 * types of the client are generated from this; test/docs/requiredFields.test.ts checks every line against the service.
 */
export const REQUIRED: { readonly [shape: string]: Requirements } = {
  Tender: {
    always: ["title", "procuringEntity", "value", "enquiryPeriod", "tenderPeriod", "items"],
    // The minimal step of a tender with lots follows from that of the lots.
    either: [["minimalStep"], ["lots"]],
    inside: { enquiryPeriod: ["endDate"], tenderPeriod: ["endDate"] },
  },
  ProcuringEntity: ORGANIZATION,
  Organization: ORGANIZATION,
  Identifier: { always: ["scheme", "id"] },
  Address: { always: ["countryName"] },
  Location: { always: ["latitude", "longitude"] },
  Value: { always: ["amount"] },
  Guarantee: { always: ["amount"] },
  Item: { always: ["description", "classification"], inside: { additionalClassifications: ["scheme"] } },
  Classification: { always: ["id", "description"] },
  Feature: { always: ["title", "enum"] },
  FeatureOption: { always: ["title", "value"] },
  Lot: { always: ["title", "value", "minimalStep"] },
  Question: { always: ["title", "author"] },
  Bid: BID,
  NewBid: BID,
  LotValue: { always: ["relatedLot", "value"] },
  Parameter: { always: ["code", "value"] },
  Complaint: { always: ["title", "author"] },
  Cancellation: { always: ["reason"] },
  // The first set is for administrators; the second for tenders of older versions, whose owner sets only a status.
  Award: { either: [["suppliers", "bid_id"], ["status"]] },
  Contract: { always: ["awardID"] },
  Registration: { always: ["url", "title", "format"] },
};
