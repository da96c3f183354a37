import { alwaysPresent, oneOf } from "./fields.ts";
import { EXAMPLE_IDS } from "./shapes/exampleIds.ts";
import type { VersionChange } from "./versionChange.ts";

const ORGANIZATION = ["name", "identifier", "address", "contactPoint"];

export const to0: VersionChange = {
  why: "0 knows the plain tender only: no types, modes, features or translations; a tender is numbered by its id, a bid is a registration",
  shapes: {
    Tender: {
      keep: [
        "id",
        "tenderID",
        "status",
        "dateModified",
        "value",
        "minimalStep",
        "enquiryPeriod",
        "tenderPeriod",
        "procuringEntity",
        "items",
      ],
      toOlder: (tender) => ("id" in tender ? { ...tender, tenderID: `UA-${tender.id}` } : tender),
      documentation: {
        tenderID: {
          description: "Official number for people: `UA-` and the tender's `id`. Assigned by the service on creation.",
          example: `UA-${EXAMPLE_IDS.tender}`,
        },
        status: {
          description:
            "Stage of the procedure. The service moves it when a deadline passes. The owner may create a tender as `draft`, publish " +
            "the draft by setting `active.enquiries`, set `cancelled` before the tender has ended, and end it by setting `complete` " +
            "or `unsuccessful` in `active.qualification`; any other value in a PATCH is ignored.",
        },
        value: { description: "Expected total value. Set by the owner." },
        minimalStep: {
          description:
            "Smallest step by which a bid is lowered in the auction, at most the tender's value, in its currency and with its VAT " +
            "flag. Set by the owner.",
        },
        items: { description: "Goods or services to be procured. Set by the owner." },
      },
    },
    Item: {
      keep: [
        "id",
        "description",
        "description_en",
        "description_ru",
        "classification",
        "additionalClassifications",
        "quantity",
        "unit",
      ],
      documentation: {
        id: {
          description:
            "Identifies the item in the tender. Any text that is unique in the tender, set by the owner; if absent, the service " +
            "assigns 32 hex digits.",
        },
        classification: {
          description: "Primary classification, usually by the common procurement vocabulary. Set by the owner.",
        },
        additionalClassifications: { description: "Classifications by other schemes. Set by the owner." },
      },
    },
    Unit: { keep: ["name", "code"] },
    Classification: {
      keep: ["scheme", "id", "description"],
      documentation: {
        scheme: { description: "Scheme that `id` is taken from. Set by the owner." },
        id: { description: "Code in the scheme. Set by the owner." },
      },
    },
    Organization: { keep: ORGANIZATION },
    ProcuringEntity: { keep: ORGANIZATION },
    Identifier: { keep: ["id", "scheme", "legalName", "uri"] },
    Address: {
      keep: ["countryName", "locality", "postalCode", "region", "streetAddress"],
      documentation: { countryName: { description: "Name of the country. Set by the client." } },
    },
    ContactPoint: { keep: ["name", "telephone", "email", "url"] },
    Question: { keep: ["id", "date", "title", "description", "author", "answer"] },
    Document: { keep: ["id", "title", "format", "url", "datePublished", "dateModified"] },
    Bid: {
      keep: ["id", "date", "tenderers", "value"],
      add: {
        status: alwaysPresent(oneOf(["registration"]), "Always `registration`. Set by the service.", "registration"),
      },
      toOlder: (bid) => ({ ...bid, status: "registration" }),
      documentation: {
        tenderers: { description: "Who bids: one or more organisations. Required; set by the bidder." },
        value: {
          description: "Price of the whole offer. Set by the bidder, and by whoever reports the auction.",
        },
      },
    },
    Award: {
      keep: ["awardID", "awardDate", "awardStatus", "suppliers", "awardValue"],
      documentation: {
        suppliers: { description: "Whom the award is for. Sent by the tender's owner, who records the award." },
        awardValue: { description: "Awarded price. Sent by the tender's owner, who records the award." },
      },
    },
  },
  descriptions: { Bid: "An offer of one bidder." },
};
