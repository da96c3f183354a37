import { changeSupplier, recordSupplier } from "../direct/directAwards.ts";
import { editDirectContract } from "../direct/directContracts.ts";
import { checkReport } from "../direct/directTenderRules.ts";
import { ENTITY_KINDS } from "../model/tender.ts";
import { withCompetitiveDefaults } from "../tender/tenderRules.ts";
import type { Procedure } from "./procedure.ts";

/** The report of a purchase that needs no competition: the owner records the supplier and the contract. */
export const reporting: Procedure = {
  name: "reporting",
  summary:
    "The owner reports a purchase that needs no competition: publishes the tender, records the supplier as an award, accepts it and signs the contract. Time changes nothing.",
  method: { procurementMethod: "limited" },
  accreditation: { publish: "13", participate: "2" },
  buyerKinds: ENTITY_KINDS,
  fields: {
    Tender: [],
    Lot: [],
    Award: ["qualified", "subcontractingDetails"],
    Complaint: [],
    Cancellation: ["reasonType"],
  },
  fillDefaults: withCompetitiveDefaults,
  checkTender: checkReport,
  entryStatus: "active",
  stages: {
    draft: { accepts: ["publish draft", "cancel", "add cancellation"] },
    active: {
      accepts: [
        "edit fields",
        "cancel",
        "add cancellation",
        "add tender document",
        "add auction document",
        "record award",
        "change award",
        "add award document",
        "add contract",
        "edit contract",
        "add contract document",
      ],
      transitions: [{ to: "complete", why: "the contract is signed" }],
    },
    complete: { accepts: [] },
    cancelled: { accepts: [] },
    unsuccessful: { accepts: [] },
  },
  frozenByAwards: true,
  documents: { replacedByAuthor: false, awardUploaders: [], onlyToPendingAwards: true },
  awards: { madeBy: "owner", record: recordSupplier, change: changeSupplier },
  complaints: { blocking: [] },
  contracts: { edit: editDirectContract },
  cancellations: { despiteCompleteLots: true },
};
