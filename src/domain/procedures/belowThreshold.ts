import { checkSealedBid } from "../bidRules.ts";
import { checkBelowThreshold, withBelowThresholdDefaults } from "../requirements.ts";
import type { Lot, Tender } from "../tender.ts";
import type { Instant } from "../time.ts";
import { moveTo, TENDERING_BEGINS } from "./moves.ts";
import type { Procedure } from "./procedure.ts";

/** The open procedure below the thresholds: required fields, sealed bids, an auction where two or more compete. */
export const belowThreshold: Procedure = {
  name: "belowThreshold",
  stages: {
    draft: { accepts: ["publish draft", "cancel"], sealed: true, anonymous: true },
    "active.enquiries": {
      accepts: ["edit fields", "cancel", "ask question", "answer question", "add tender document"],
      sealed: true,
      anonymous: true,
      deadline: TENDERING_BEGINS,
    },
    "active.tendering": {
      accepts: ["cancel", "place bid", "change bid", "withdraw bid", "add bid document"],
      sealed: true,
      anonymous: true,
      deadline: {
        why: "the tender period ends",
        at: (tender) => tender.tenderPeriod?.endDate,
        becomes: ["unsuccessful", "active.qualification", "active.auction"],
        move: closeTendering,
      },
    },
    "active.auction": {
      accepts: ["cancel", "report auction", "add auction document"],
      sealed: true,
      anonymous: true,
    },
    "active.qualification": { accepts: ["cancel", "add auction document"] },
    complete: { accepts: [] },
    cancelled: { accepts: [] },
    unsuccessful: { accepts: [] },
  },
  complete: withBelowThresholdDefaults,
  checkTender: checkBelowThreshold,
  checkBid: checkSealedBid,
  checkQuestionAuthor: true,
};

/** Drafts are forgotten; then the number of bids decides: none, one to qualify, or two and more to auction. */
function closeTendering(tender: Tender, at: Instant): Tender {
  const bids = tender.bids.filter((bid) => bid.status === "active");
  const closed = { ...tender, bids };
  if (tender.lots.length > 0) return closeLots(closed, at);
  return moveTo(statusByNumber(bids.length))(closed, at);
}

function closeLots(tender: Tender, at: Instant): Tender {
  const bidsOn = (lot: Lot) =>
    tender.bids.filter((bid) => bid.lotValues?.some((lotValue) => lotValue.relatedLot === lot.id)).length;
  const lots = tender.lots.map((lot): Lot => {
    const deserted = lot.status === "active" && bidsOn(lot) === 0;
    return deserted ? { ...lot, status: "unsuccessful", date: at } : lot;
  });
  const most = Math.max(0, ...lots.filter((lot) => lot.status === "active").map(bidsOn));
  return moveTo(statusByNumber(most))({ ...tender, lots }, at);
}

const statusByNumber = (bids: number) =>
  bids === 0 ? "unsuccessful" : bids === 1 ? "active.qualification" : "active.auction";
