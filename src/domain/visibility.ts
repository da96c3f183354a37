import { type Actor, isIn, owns } from "./actors.ts";
import { nextDeadline } from "./clock.ts";
import { stageOf } from "./procedures/index.ts";
import type { Bid, Question, Tender } from "./tender.ts";
import type { Instant } from "./time.ts";

/** What may be seen of a tender, and by whom. Nothing leaves the registry but through here. */

export const areBidsSealed = (tender: Tender): boolean => stageOf(tender).sealed === true;

export const maySeeBid = (bid: Bid, tender: Tender, actor: Actor): boolean =>
  !areBidsSealed(tender) || owns(actor, bid);

export const bidsSeenBy = (tender: Tender, actor: Actor): readonly Bid[] =>
  tender.bids.filter((bid) => maySeeBid(bid, tender, actor));

/** The names behind questions are shown once the competition is over. */
export function questionSeen(question: Question, tender: Tender): Question {
  if (!stageOf(tender).anonymous) return question;
  const { author: _hidden, ...rest } = question;
  return rest;
}

/** The tender as everyone sees it, its owner included. */
export type TenderSeen = Omit<Tender, "bids" | "procedure" | "tokenHash"> & {
  readonly procurementMethodType?: "belowThreshold";
  readonly procurementMethod: "open";
  readonly submissionMethod: "electronicAuction";
  readonly awardCriteria: "lowestCost";
  readonly next_check?: Instant;
  readonly numberOfBids?: number;
  readonly bids?: readonly Bid[];
};

export function tenderSeen(tender: Tender): TenderSeen {
  const { procedure, bids, tokenHash: _secret, questions, ...rest } = tender;
  return {
    ...rest,
    ...(procedure !== "basic" && { procurementMethodType: procedure }),
    procurementMethod: "open",
    submissionMethod: "electronicAuction",
    awardCriteria: "lowestCost",
    next_check: nextDeadline(tender),
    questions: questions.map((question) => questionSeen(question, tender)),
    ...(!areBidsSealed(tender) && { bids, ...(!stageOf(tender).anonymous && { numberOfBids: bids.length }) }),
  };
}

export type AuctionSeen = {
  readonly dateModified: Instant;
  readonly bids: readonly Pick<Bid, "id" | "date" | "value">[];
  readonly minimalStep?: Tender["minimalStep"];
  readonly tenderPeriod?: Tender["tenderPeriod"];
};

/** What an auction starts from. Sealed bids are opened to the auction alone, once bidding has closed. */
export function auctionSeen(tender: Tender, actor: Actor): AuctionSeen {
  const forAuction = tender.status === "active.auction" && isIn(actor, "auction");
  const bids = !areBidsSealed(tender) || forAuction ? tender.bids : [];
  const { dateModified, minimalStep, tenderPeriod } = tender;
  return { dateModified, bids: bids.map(({ id, date, value }) => ({ id, date, value })), minimalStep, tenderPeriod };
}
