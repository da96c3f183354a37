import type { TenderCommand } from "../model/commands.ts";
import type { Tender } from "../model/tender.ts";
import { areBidsSealed } from "./sealing.ts";

/**
 * Which bids are read with a tender. They are rows of their own: most reads and writes need none of them, and those of a bidder need
 * one. `{ bid }` is the bid with this id, if there is one; without an id, a new bid is about to be added.
 */
export type BidSelection = "none" | "all" | { readonly bid: string | undefined };

/**
 * The bids that a view of the tender is made of: none before the auction of a sealed procedure, when nobody but their owners may see
 * or count them. From its auction on, views depend on the number of bids.
 */
export const bidsToView = (tender: Tender): "all" | "none" =>
  areBidsSealed(tender) && tender.status !== "active.auction" ? "none" : "all";

const AUCTION_COMMANDS: ReadonlySet<TenderCommand["kind"]> = new Set<TenderCommand["kind"]>([
  "report auction",
  "set auction urls",
  "finish auction",
]);

/**
 * The bids that a command needs, so that its cost does not grow with the others. Until its auction, a sealed tender is changed without
 * looking at its bids. A command that changes the status of the tender has to be decided again with all of them, as it may remove them.
 */
export function bidsNeededBy(command: TenderCommand, tender: Tender): BidSelection {
  if (command.kind === "place bid") return { bid: undefined };
  if (command.kind === "change bid" || command.kind === "withdraw bid" || command.kind === "replace link")
    return { bid: command.bid };
  if ("of" in command && command.of.bid !== undefined) return { bid: command.of.bid };
  return AUCTION_COMMANDS.has(command.kind) ? "all" : bidsToView(tender);
}
