import { changeAward, recordAward } from "../awards/awarding.ts";
import { AWARD_CLAIMS, BLOCKING_CLAIMS, TENDER_CLAIMS } from "../awards/claims.ts";
import { editContract } from "../awards/contracting.ts";
import { ENTITY_KINDS } from "../model/tender.ts";
import { checkGivenBid, checkGivenFields, withDefaults } from "../tender/tenderRules.ts";
import { COMPETITIVE_FIELDS } from "./optionalFields.ts";
import type { Procedure } from "./procedure.ts";
import { changeStatus, enquiryWindowOf, TENDERING_BEGINS, tenderingWindowOf } from "./transitions.ts";

/** The procedure of a tender without `procurementMethodType`: no field is required, bids are not sealed, the owner records awards. */
export const basic: Procedure = {
  name: "basic",
  summary:
    "The owner publishes a tender. Suppliers ask, and the owner answers. Suppliers place open bids until the tender period ends. Then the owner records the awards and closes the tender.",
  method: { procurementMethod: "open", submissionMethod: "electronicAuction", awardCriteria: "lowestCost" },
  accreditation: { publish: "1", participate: "2" },
  buyerKinds: ENTITY_KINDS,
  fields: COMPETITIVE_FIELDS,
  fillDefaults: withDefaults,
  checkTender: checkGivenFields,
  entryStatus: "active.enquiries",
  stages: {
    draft: { accepts: ["publish draft", "cancel", "record award", "change award"] },
    "active.enquiries": {
      accepts: [
        "edit fields",
        "cancel",
        "ask question",
        "answer question",
        "add tender document",
        "record award",
        "change award",
        "report auction",
      ],
      window: enquiryWindowOf,
      anonymous: true,
      deadlines: [TENDERING_BEGINS],
    },
    "active.tendering": {
      accepts: [
        "edit fields",
        "cancel",
        "answer question",
        "add tender document",
        "place bid",
        "change bid",
        "withdraw bid",
        "add bid document",
        "record award",
        "change award",
        "report auction",
      ],
      window: tenderingWindowOf,
      anonymous: true,
      deadlines: [
        {
          why: "the tender period ends",
          at: (tender) => tender.tenderPeriod?.endDate,
          becomes: ["active.qualification"],
          apply: changeStatus("active.qualification"),
        },
      ],
    },
    "active.qualification": {
      accepts: [
        "edit fields",
        "cancel",
        "complete",
        "declare unsuccessful",
        "answer question",
        "add tender document",
        "record award",
        "change award",
        "report auction",
      ],
      window: (tender) => ({ from: tender.tenderPeriod?.endDate }),
    },
    complete: { accepts: [] },
    cancelled: { accepts: [] },
    unsuccessful: { accepts: [] },
  },
  frozenByAwards: false,
  documents: { replacedByAuthor: true, awardUploaders: ["auction", "bots"], onlyToPendingAwards: false },
  lots: { sumUp: true, blockedByCancellation: false },
  questions: { requiresAuthor: false },
  bids: { check: checkGivenBid },
  auction: { heldBy: "owner" },
  awards: { madeBy: "owner", record: recordAward, change: changeAward },
  complaints: { tender: TENDER_CLAIMS, award: AWARD_CLAIMS, blocking: BLOCKING_CLAIMS },
  contracts: { edit: editContract },
  cancellations: { despiteCompleteLots: true },
};
