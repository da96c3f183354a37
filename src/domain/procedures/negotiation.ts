import { BLOCKING_REVIEWS, DIRECT_AWARD_COMPLAINTS } from "../awards/reviewedComplaints.ts";
import { changeSupplier, recordSupplier } from "../direct/directAwards.ts";
import { editDirectContract } from "../direct/directContracts.ts";
import { checkNegotiation } from "../direct/directTenderRules.ts";
import { withCompetitiveDefaults } from "../tender/tenderRules.ts";
import type { Procedure } from "./procedure.ts";

/** The legal grounds for negotiating with one supplier. */
export const NEGOTIATION_CAUSES = [
  "artContestIP",
  "noCompetition",
  "twiceUnsuccessful",
  "additionalPurchase",
  "additionalConstruction",
  "stateLegalServices",
] as const;

/** Negotiation with a supplier that the buyer chooses, for a legal cause. Others may complain about the award before the contract. */
export const negotiation: Procedure = {
  name: "negotiation",
  summary:
    "The owner negotiates with one supplier and gives the legal cause for doing so: publishes the tender, records the supplier as an award, and accepts it. Any broker may complain about the award for ten days. Then the owner signs the contract, once the reviewers have decided on every complaint.",
  method: { procurementMethod: "limited" },
  accreditation: { publish: "3", participate: "4" },
  buyerKinds: ["general", "special", "defense"],
  fields: {
    Tender: ["lots", "cause", "causeDescription", "causeDescription_en", "causeDescription_ru"],
    Lot: [],
    Award: ["lotID", "qualified", "subcontractingDetails"],
    Complaint: ["acceptance", "dateAccepted", "rejectReason", "rejectReasonDescription", "reviewDate", "reviewPlace"],
    Cancellation: ["reasonType"],
  },
  fillDefaults: withCompetitiveDefaults,
  checkTender: checkNegotiation({ causes: NEGOTIATION_CAUSES, isRequired: true }),
  entryStatus: "active",
  stages: {
    draft: { accepts: ["publish draft", "cancel", "add cancellation"] },
    active: {
      accepts: [
        "edit fields",
        "edit lots",
        "cancel",
        "add cancellation",
        "add tender document",
        "add auction document",
        "record award",
        "change award",
        "add award document",
        "file award complaint",
        "edit award complaint",
        "add contract",
        "edit contract",
        "add contract document",
      ],
      transitions: [
        { to: "complete", why: "the contract is signed" },
        { to: "unsuccessful", why: "the last lot is cancelled" },
        { to: "complete", why: "the last lot is cancelled" },
      ],
    },
    complete: { accepts: [] },
    cancelled: { accepts: [] },
    unsuccessful: { accepts: [] },
  },
  frozenByAwards: true,
  documents: { replacedByAuthor: false, awardUploaders: [], onlyToPendingAwards: true },
  lots: { sumUp: false, blockedByCancellation: true },
  awards: {
    madeBy: "owner",
    record: recordSupplier,
    change: changeSupplier,
    mustBeQualified: true,
    standStill: { days: 10, counted: "calendar", startsNextDay: true },
  },
  complaints: { award: DIRECT_AWARD_COMPLAINTS, blocking: BLOCKING_REVIEWS },
  contracts: { edit: editDirectContract },
  cancellations: { despiteCompleteLots: false },
};
