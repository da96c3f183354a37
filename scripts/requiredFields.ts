import { PROCEDURES } from "../src/domain/procedures/index.ts";
import { PROCUREMENT_METHOD_TYPES } from "../src/domain/procedures/names.ts";

/** The fields that a request body must have. */
export type Requirements = {
  /** Fields that are always required. */
  readonly always?: readonly string[];
  /** Sets of fields of which at least one is required. */
  readonly either?: readonly (readonly string[])[];
  /** Values of a field with which none of these sets is required. */
  readonly unless?: { readonly field: string; readonly values: readonly string[] };
  /** Fields that a nested object must have here, in addition to those it always needs; by the field that has the object. */
  readonly inside?: { readonly [field: string]: readonly string[] };
};

const WITHOUT_BIDS: readonly string[] = PROCUREMENT_METHOD_TYPES.filter((name) => !PROCEDURES[name].bids);

const ORGANIZATION: Requirements = { always: ["name", "identifier", "address", "contactPoint"] };

/** The same with and without documents. */
const BID: Requirements = { always: ["tenderers"], either: [["value"], ["lotValues"]] };

/**
 * The required fields of what a client of API 2.5 creates, by schema: what every procedure of that version requires, and of a tender
 * also what those with bids require. The types of the client are generated from this; test/docs/requiredFields.test.ts checks every
 * line against the service.
 */
export const REQUIRED: { readonly [shape: string]: Requirements } = {
  Tender: {
    always: ["title", "procuringEntity", "value", "items"],
    // The minimal step of a tender with lots follows from that of the lots.
    either: ["minimalStep", "lots"].map((name) => ["enquiryPeriod", "tenderPeriod", name]),
    unless: { field: "procurementMethodType", values: WITHOUT_BIDS },
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
  Lot: { always: ["title", "value"] },
  Question: { always: ["title", "author"] },
  Bid: BID,
  NewBid: BID,
  LotValue: { always: ["relatedLot", "value"] },
  Parameter: { always: ["code", "value"] },
  Complaint: { always: ["title", "author"] },
  Cancellation: { always: ["reason"] },
  // The second set is for tenders of older versions, whose owner sets only a status.
  Award: { either: [["suppliers"], ["status"]] },
  Contract: { always: ["awardID"] },
  Registration: { always: ["url", "title", "format"] },
};
