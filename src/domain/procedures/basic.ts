import { checkAnyBid, checkAnyTender, withDefaults } from "../requirements.ts";
import { enquiriesOf, moveTo, TENDERING_BEGINS, tenderingOf } from "./moves.ts";
import type { Procedure } from "./procedure.ts";

/** The plain procedure of a tender that names no type: nothing is required, bids are open, the owner records the awards. */
export const basic: Procedure = {
  name: "basic",
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
      lasts: enquiriesOf,
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
      lasts: tenderingOf,
      anonymous: true,
      deadlines: [
        {
          why: "the tender period ends",
          at: (tender) => tender.tenderPeriod?.endDate,
          becomes: ["active.qualification"],
          move: moveTo("active.qualification"),
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
      lasts: (tender) => ({ from: tender.tenderPeriod?.endDate }),
    },
    complete: { accepts: [] },
    cancelled: { accepts: [] },
    unsuccessful: { accepts: [] },
  },
  complete: withDefaults,
  checkTender: checkAnyTender,
  checkBid: checkAnyBid,
  checkQuestionAuthor: false,
};
