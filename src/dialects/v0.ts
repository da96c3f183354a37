import { alwaysPresent, oneOf } from "./fields.ts";
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
    },
    Unit: { keep: ["name", "code"] },
    Classification: { keep: ["scheme", "id", "description"] },
    Organization: { keep: ORGANIZATION },
    ProcuringEntity: { keep: ORGANIZATION },
    Identifier: { keep: ["id", "scheme", "legalName", "uri"] },
    Address: { keep: ["countryName", "locality", "postalCode", "region", "streetAddress"] },
    ContactPoint: { keep: ["name", "telephone", "email", "url"] },
    Question: { keep: ["id", "date", "title", "description", "author", "answer"] },
    Document: { keep: ["id", "title", "format", "url", "datePublished", "dateModified"] },
    Bid: {
      keep: ["id", "date", "tenderers", "value"],
      add: { status: alwaysPresent(oneOf(["registration"])) },
      toOlder: (bid) => ({ ...bid, status: "registration" }),
    },
    Award: { keep: ["awardID", "awardDate", "awardStatus", "suppliers", "awardValue"] },
  },
};
