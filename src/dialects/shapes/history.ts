import { TENDER_STATUSES } from "../../domain/model/tender.ts";
import { PUBLIC_ACTS } from "../../views/publicActs.ts";
import { arrayOf, inEveryResponse, instant, integer, json, oneOf, readOnly, text } from "../fields.ts";
import { EXAMPLE_IDS } from "./exampleIds.ts";

/** The public history of a tender. */
export const historyShapes = {
  HistoryEntry: {
    number: inEveryResponse(
      integer,
      "Number of the version: 1 is the publication, and each public change makes the next. Drafts and sealed bids make none.",
      7,
    ),
    date: inEveryResponse(
      instant,
      "Time of the change: `dateModified` of this version. The version lasts until the next one.",
      "2026-11-18T14:05:40.871002+02:00",
    ),
    act: inEveryResponse(
      { ...text, known: PUBLIC_ACTS },
      "What was done. `advance` means that a deadline passed; `replace tender` that the operator of the registry repaired the tender.",
      "answer question",
    ),
    status: inEveryResponse(oneOf(TENDER_STATUSES), "Stage of the procedure in this version.", "active.enquiries"),
    changes: readOnly(
      arrayOf("HistoryChange"),
      "What is different from the version before, except `dateModified`. Absent from version 1, and if nothing else is different.",
    ),
  },
  HistoryChange: {
    path: inEveryResponse(
      text,
      "Where, as a JSON Pointer. Elements of lists are named by their `id`, `code` or `relatedLot`, or else by their position. " +
        "Versions of a document share their `id`: of later ones it is followed by .2, .3 and so on.",
      `/questions/${EXAMPLE_IDS.question}/answer`,
    ),
    before: readOnly(json, "The old value. Absent if there was none.", "claim.txt"),
    after: readOnly(json, "The new value. Absent if it was removed.", "Lunch only."),
  },
};
