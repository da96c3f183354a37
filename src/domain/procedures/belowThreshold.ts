import { nextAuctionChange } from "../auctions/liveAuctions.ts";
import { runAuctions } from "../auctions/runAuctions.ts";
import { AWARD_CLAIMS, BLOCKING_CLAIMS, TENDER_CLAIMS } from "../awards/claims.ts";
import { closeTendering, runAuctionAtOnce } from "../awards/closing.ts";
import { answerSettlesAt, pendingSettlesAt, settleAnswers, settlePending } from "../awards/complaintSettlement.ts";
import { editContract } from "../awards/contracting.ts";
import { finalise, rejectionSettlesAt } from "../awards/finalising.ts";
import { changeAwardDecision, createAward } from "../awards/qualifying.ts";
import { checkPricedBid } from "../bids/bidRules.ts";
import { ENTITY_KINDS, type Tender } from "../model/tender.ts";
import { checkCompetitiveTender, withCompetitiveDefaults } from "../tender/tenderRules.ts";
import type { Instant } from "../values/time.ts";
import { COMPETITIVE_FIELDS } from "./optionalFields.ts";
import type { Deadline, Procedure } from "./procedure.ts";
import { enquiryWindowOf, TENDERING_BEGINS, tenderingWindowOf } from "./transitions.ts";

const ANSWER_SETTLES: Deadline = {
  why: "an answer that nobody contests settles a claim",
  at: answerSettlesAt,
  becomes: [],
  apply: settleAnswers,
};

const PENDING_SETTLES: Deadline = {
  why: "a complaint that nobody reviews any more is settled",
  at: pendingSettlesAt,
  becomes: [],
  apply: settlePending,
};

const TENDERING_ENDS: Deadline = {
  why: "the tender period ends",
  at: (tender) => tender.tenderPeriod?.endDate,
  becomes: ["unsuccessful", "active.qualification", "active.auction"],
  apply: closeTendering,
};

/** In the sandbox, a tender can ask for an auction that ends at once with the prices of the bids. */
const AUCTION_RUN_AT_ONCE: Deadline = {
  why: "the auction is run at once (sandbox)",
  at: (tender) => tender.auctionEndsAt,
  becomes: ["active.qualification"],
  apply: runAuctionAtOnce,
};

/** The auction that the service itself holds goes from stage to stage. */
const AUCTION_STAGE_ENDS: Deadline = {
  why: "a stage of the auction ends",
  at: nextAuctionChange,
  becomes: ["active.qualification"],
  apply: runAuctions,
};

const REJECTION_SETTLES: Deadline = {
  why: "nobody contests that the last award was rejected",
  at: (tender) =>
    tender.status === "active.awarded" || tender.lots.length > 0
      ? rejectionSettlesAt(tender, BLOCKING_CLAIMS)
      : undefined,
  becomes: ["unsuccessful", "complete"],
  apply: finalise,
};

const LAST_LOT_CANCELLED = [
  { to: "unsuccessful", why: "the last lot is cancelled" },
  { to: "complete", why: "the last lot is cancelled" },
] as const;

/** When the last award was cancelled: qualification then begins again. */
function awardRevokedAt({ awards }: Tender): Instant | undefined {
  const revokedAt = awards.filter(({ status }) => status === "cancelled").map(({ date }) => date);
  return revokedAt.length > 0 ? Math.max(...revokedAt) : undefined;
}

/** The open procedure below the thresholds: required fields, sealed bids, an auction if there are two or more bids. */
export const belowThreshold: Procedure = {
  name: "belowThreshold",
  summary:
    "The owner publishes a tender with every required field. Suppliers ask during the enquiry period, and then place sealed bids. Two or more bids go into an auction. The owner decides on the best bid first, and signs the contract after the stand-still.",
  method: { procurementMethod: "open", submissionMethod: "electronicAuction", awardCriteria: "lowestCost" },
  accreditation: { publish: "1", participate: "2" },
  buyerKinds: ENTITY_KINDS,
  fields: COMPETITIVE_FIELDS,
  fillDefaults: withCompetitiveDefaults,
  checkTender: checkCompetitiveTender,
  entryStatus: "active.enquiries",
  stages: {
    draft: {
      accepts: ["publish draft", "cancel", "add cancellation", "add tender document"],
      sealed: true,
      anonymous: true,
    },
    "active.enquiries": {
      accepts: [
        "edit fields",
        "edit lots",
        "cancel",
        "add cancellation",
        "ask question",
        "answer question",
        "add tender document",
        "file complaint",
        "edit complaint",
      ],
      window: enquiryWindowOf,
      sealed: true,
      anonymous: true,
      deadlines: [PENDING_SETTLES, ANSWER_SETTLES, TENDERING_BEGINS],
      transitions: LAST_LOT_CANCELLED,
    },
    "active.tendering": {
      accepts: [
        "cancel",
        "add cancellation",
        "place bid",
        "change bid",
        "withdraw bid",
        "add bid document",
        "file complaint",
        "edit complaint",
      ],
      window: tenderingWindowOf,
      sealed: true,
      anonymous: true,
      deadlines: [PENDING_SETTLES, ANSWER_SETTLES, TENDERING_ENDS],
      transitions: LAST_LOT_CANCELLED,
    },
    "active.auction": {
      accepts: [
        "cancel",
        "add cancellation",
        "report auction",
        "set auction urls",
        "finish auction",
        "add auction document",
        "edit complaint",
      ],
      window: ({ tenderPeriod, awardPeriod }) => ({ from: tenderPeriod?.endDate, until: awardPeriod?.startDate }),
      sealed: true,
      anonymous: true,
      deadlines: [PENDING_SETTLES, ANSWER_SETTLES, AUCTION_RUN_AT_ONCE, AUCTION_STAGE_ENDS],
      transitions: [{ to: "active.qualification", why: "the auction reports its results" }, ...LAST_LOT_CANCELLED],
    },
    "active.qualification": {
      accepts: [
        "cancel",
        "add cancellation",
        "add auction document",
        "add pending bid document",
        "record award",
        "change award",
        "add award document",
        "file award complaint",
        "edit complaint",
        "edit award complaint",
        "add contract",
        "edit contract",
        "add contract document",
      ],
      window: ({ awardPeriod }) => awardPeriod && { from: awardPeriod.startDate, until: awardPeriod.endDate },
      resumedAt: awardRevokedAt,
      deadlines: [PENDING_SETTLES, ANSWER_SETTLES, REJECTION_SETTLES],
      transitions: [
        { to: "active.awarded", why: "no award is left to decide" },
        { to: "complete", why: "the contract is signed" },
        ...LAST_LOT_CANCELLED,
      ],
    },
    "active.awarded": {
      accepts: [
        "cancel",
        "add cancellation",
        "add auction document",
        "change award",
        "file award complaint",
        "edit complaint",
        "edit award complaint",
        "add contract",
        "edit contract",
        "add contract document",
      ],
      window: ({ awardPeriod }) => awardPeriod && { from: awardPeriod.endDate },
      deadlines: [PENDING_SETTLES, ANSWER_SETTLES, REJECTION_SETTLES],
      transitions: [
        { to: "active.qualification", why: "an award is taken back" },
        { to: "complete", why: "the contract is signed" },
        ...LAST_LOT_CANCELLED,
      ],
    },
    complete: { accepts: [] },
    cancelled: { accepts: [] },
    unsuccessful: { accepts: [] },
  },
  frozenByAwards: false,
  documents: { replacedByAuthor: true, awardUploaders: ["auction", "bots"], onlyToPendingAwards: false },
  lots: { sumUp: true, blockedByCancellation: false },
  questions: { requiresAuthor: true },
  bids: { check: checkPricedBid },
  auction: { heldBy: "service" },
  awards: {
    madeBy: "service",
    record: createAward,
    change: changeAwardDecision,
    standStill: { days: 2, counted: "working" },
  },
  complaints: { tender: TENDER_CLAIMS, award: AWARD_CLAIMS, blocking: BLOCKING_CLAIMS },
  contracts: { edit: editContract },
  cancellations: { despiteCompleteLots: true },
};
