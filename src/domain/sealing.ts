import { type Actor, owns } from "./actors.ts";
import { stageOf } from "./procedures/index.ts";
import type { Bid, Tender } from "./tender.ts";

/** While a stage is sealed, a bid is known to its owner alone. */
export const areBidsSealed = (tender: Tender): boolean => stageOf(tender).sealed === true;

export const maySeeBid = (bid: Bid, tender: Tender, actor: Actor): boolean =>
  !areBidsSealed(tender) || owns(actor, bid);

/** There may be bids, and they are sealed: before the tender period there are none to hide. */
export const mayHoldSealedBids = (tender: Tender): boolean =>
  areBidsSealed(tender) && (tender.status === "active.tendering" || tender.status === "active.auction");
