/**
 * What the registry requires of what a client of the newest version creates, by the shape that is sent: the types of the
 * client require the same. `belowThreshold` is meant, as the newest version creates nothing else.
 * test/docs/requiredFields.test.ts holds every line of this to the service, in both directions.
 */
export type Requirements = {
  readonly always?: readonly string[];
  /** One of these sets of fields, or more. */
  readonly either?: readonly (readonly string[])[];
  /** Of objects that need more here than elsewhere: the field that holds one, and what it needs. */
  readonly inside?: { readonly [field: string]: readonly string[] };
};

const ORGANIZATION: Requirements = { always: ["name", "identifier", "address", "contactPoint"] };

/** Whether or not it brings documents. */
const BID: Requirements = { always: ["tenderers"], either: [["value"], ["lotValues"]] };

export const REQUIRED: { readonly [shape: string]: Requirements } = {
  Tender: {
    always: ["title", "procuringEntity", "value", "enquiryPeriod", "tenderPeriod", "items"],
    // The step of a tender with lots follows from theirs.
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
  // By hand; a tender of an older version, whose owner decides alone, takes a status for all.
  Award: { either: [["suppliers", "bid_id"], ["status"]] },
  Contract: { always: ["awardID"] },
  Registration: { always: ["url", "title", "format"] },
};
