import type { Actor } from "../model/actors.ts";
import type { Bid, Tender } from "../model/tender.ts";
import { procedureOf } from "../procedures/index.ts";
import type { Instant } from "../values/time.ts";
import { isBidVisible, isSealedStage, mustStaySealed, sealsBids } from "./sealRules.ts";

/** What is sealed of a tender, for those who read it. Rules know their procedure already and use `sealRules.ts`. */

/** Whether the tender is in a sealed stage, in which each bid is visible to its owner only. */
export const areBidsSealed = (tender: Tender): boolean => isSealedStage(procedureOf(tender), tender);

/** Whether the procedure of the tender has bids that everybody sees as they arrive. */
export function takesOpenBids(tender: Tender): boolean {
  const procedure = procedureOf(tender);
  return procedure.bids !== undefined && !sealsBids(procedure);
}

/** Whether the actor may see this bid and its documents now. */
export const maySeeBid = (bid: Bid, tender: Tender, actor: Actor): boolean =>
  isBidVisible(procedureOf(tender), bid, tender, actor);

/** Whether the tender may have sealed bids now; before the tender period there are none. */
export const mayHoldSealedBids = (tender: Tender): boolean =>
  areBidsSealed(tender) && (tender.status === "active.tendering" || tender.status === "active.auction");

/**
 * Whether everybody may see the bids, and no more can be placed: not before tendering is over, even if the procedure has open bids. So
 * what is derived from bids changes only together with the status or with a bid that everybody sees.
 */
export const areBidsPublic = (tender: Tender): boolean =>
  tender.status !== "draft" &&
  tender.status !== "active.enquiries" &&
  tender.status !== "active.tendering" &&
  !areBidsSealed(tender);

/** Whether bids must stay secret because of their deadline, whatever the status says. */
export const isBeforeDeadline = (tender: Tender, at: Instant): boolean =>
  mustStaySealed(procedureOf(tender), tender, at);
