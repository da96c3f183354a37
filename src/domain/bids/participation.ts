import type { AuctionState } from "../auctions/model.ts";
import { isOver } from "../auctions/phases.ts";
import { owns } from "../model/actors.ts";
import type { CommandOutcome, TenderCommand } from "../model/commands.ts";
import { type DomainResult, forbidden, ruleRefusal } from "../model/refusals.ts";
import { ok } from "../model/result.ts";
import type { Bid, Tender } from "../model/tender.ts";
import type { RuleContext } from "../procedures/procedure.ts";
import { findWritableBid, withBid } from "./bidding.ts";

/** Who takes part in the auctions of a tender, and with which link. */

/**
 * The auctions in which the bid takes part and which are not over. There are none before the status `active.auction`: until then
 * auctions have no bids.
 */
export const openAuctionsOf = (tender: Tender, bid: string): readonly AuctionState[] =>
  (tender.auctions ?? []).filter((state) => !isOver(state) && state.bids.some(({ id }) => id === bid));

/** How often the participation links of the bid were replaced. It is part of what the secret of a link is derived from. */
export const linkNumberOf = ({ linkNumber = 0 }: Bid): number => linkNumber;

/**
 * Replaces the participation links of a bid, in all its auctions: those that were shown before are no longer valid. Only the owner of
 * the bid may do so, while one of its auctions is not over.
 */
export function replaceLink(
  tender: Tender,
  { bid: id }: Extract<TenderCommand, { kind: "replace link" }>,
  { actor, procedure }: RuleContext,
): DomainResult<CommandOutcome> {
  const found = findWritableBid(procedure, tender, id, actor);
  if (!found.ok) return found;
  const bid = found.value;
  if (!owns(actor, bid)) return forbidden();
  if (openAuctionsOf(tender, id).length === 0)
    return ruleRefusal("no-participation-link", "The bid takes part in no auction that is planned or running");
  return ok({ tender: withBid(tender, { ...bid, linkNumber: linkNumberOf(bid) + 1 }), id });
}
