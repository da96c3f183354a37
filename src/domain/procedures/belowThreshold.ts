import { checkSealedBid } from "../bidRules.ts";
import { closeTendering, runAuction } from "../closing.ts";
import { answerSettlesAt, pendingSettlesAt, settleAnswers, settlePending } from "../complaints.ts";
import { finalise, rejectionSettlesAt } from "../finalising.ts";
import { checkBelowThreshold, withBelowThresholdDefaults } from "../requirements.ts";
import type { Tender } from "../tender.ts";
import type { Instant } from "../time.ts";
import { enquiriesOf, TENDERING_BEGINS, tenderingOf } from "./moves.ts";
import type { Deadline, Procedure } from "./procedure.ts";

const ANSWER_SETTLES: Deadline = {
  why: "an answer that nobody contests settles a claim",
  at: answerSettlesAt,
  becomes: [],
  move: settleAnswers,
};

const PENDING_SETTLES: Deadline = {
  why: "a complaint that nobody reviews any more is settled",
  at: pendingSettlesAt,
  becomes: [],
  move: settlePending,
};

const TENDERING_ENDS: Deadline = {
  why: "the tender period ends",
  at: (tender) => tender.tenderPeriod?.endDate,
  becomes: ["unsuccessful", "active.qualification", "active.auction"],
  move: closeTendering,
};

/** In the sandbox an auction may be run at once, with the prices there are. */
const AUCTION_RUN_AT_ONCE: Deadline = {
  why: "the auction is run at once (sandbox)",
  at: (tender) => tender.auctionEndsAt,
  becomes: ["active.qualification"],
  move: runAuction,
};

const REJECTION_SETTLES: Deadline = {
  why: "nobody contests that the last award was rejected",
  at: (tender) =>
    tender.status === "active.awarded" || tender.lots.length > 0 ? rejectionSettlesAt(tender) : undefined,
  becomes: ["unsuccessful", "complete"],
  move: (tender, { at }) => finalise(tender, at),
};

const LAST_LOT = [
  { to: "unsuccessful", why: "the last lot is cancelled" },
  { to: "complete", why: "the last lot is cancelled" },
] as const;

/** A decision that is taken back has to be taken anew. */
function awardTakenBackAt({ awards }: Tender): Instant | undefined {
  const taken = awards.filter(({ status }) => status === "cancelled").map(({ date }) => date);
  return taken.length > 0 ? Math.max(...taken) : undefined;
}

/** The open procedure below the thresholds: required fields, sealed bids, an auction where two or more compete. */
export const belowThreshold: Procedure = {
  name: "belowThreshold",
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
      lasts: enquiriesOf,
      sealed: true,
      anonymous: true,
      deadlines: [PENDING_SETTLES, ANSWER_SETTLES, TENDERING_BEGINS],
      moves: LAST_LOT,
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
      lasts: tenderingOf,
      sealed: true,
      anonymous: true,
      deadlines: [PENDING_SETTLES, ANSWER_SETTLES, TENDERING_ENDS],
      moves: LAST_LOT,
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
      lasts: ({ tenderPeriod, awardPeriod }) => ({ from: tenderPeriod?.endDate, until: awardPeriod?.startDate }),
      sealed: true,
      anonymous: true,
      deadlines: [PENDING_SETTLES, ANSWER_SETTLES, AUCTION_RUN_AT_ONCE],
      moves: [{ to: "active.qualification", why: "the auction reports its results" }, ...LAST_LOT],
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
      lasts: ({ awardPeriod }) => ({ from: awardPeriod?.startDate, until: awardPeriod?.endDate }),
      resumed: awardTakenBackAt,
      deadlines: [PENDING_SETTLES, ANSWER_SETTLES, REJECTION_SETTLES],
      moves: [
        { to: "active.awarded", why: "no award is left to decide" },
        { to: "complete", why: "the contract is signed" },
        ...LAST_LOT,
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
      lasts: ({ awardPeriod }) => ({ from: awardPeriod?.endDate }),
      deadlines: [PENDING_SETTLES, ANSWER_SETTLES, REJECTION_SETTLES],
      moves: [
        { to: "active.qualification", why: "an award is taken back" },
        { to: "complete", why: "the contract is signed" },
        ...LAST_LOT,
      ],
    },
    complete: { accepts: [] },
    cancelled: { accepts: [] },
    unsuccessful: { accepts: [] },
  },
  complete: withBelowThresholdDefaults,
  checkTender: checkBelowThreshold,
  checkBid: checkSealedBid,
  checkQuestionAuthor: true,
};
