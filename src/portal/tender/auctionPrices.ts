import { viewAuction } from "../../domain/auctions/view.ts";
import type { Tender } from "../../domain/model/tender.ts";
import type { Decimal } from "../../domain/values/decimal.ts";

/** The price of a bid before and after the auction. */
export type AuctionPrice = { readonly before: Decimal; readonly after: Decimal };
/** By the id of the auction, then by the id of the bid. */
export type AuctionPrices = ReadonlyMap<string, ReadonlyMap<string, AuctionPrice>>;

/**
 * The prices with which bids entered and left the auctions that the service held. Auctions whose bidders are not public yet are not
 * included: their pages show prices without names.
 */
export function auctionPricesOf({ auctions = [] }: Pick<Tender, "auctions">): AuctionPrices {
  return new Map(
    auctions
      .filter(({ status, names }) => status === "ended" && names !== undefined)
      .map((state) => {
        const prices = viewAuction(state, "everyone").offers.flatMap(({ bid, initial, amount }) =>
          bid === undefined ? [] : [[bid, { before: initial.amount, after: amount }] as const],
        );
        return [state.id, new Map(prices)] as const;
      }),
  );
}
