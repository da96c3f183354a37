import { rankPrices } from "../bids/ranking.ts";
import { type Fraction, parseFraction } from "../values/fraction.ts";
import type { AuctionOffer, AuctionPlace, DatedPrice } from "./model.ts";

/** The order of rounds and the final ranking, both by `rankPrices`, which also ranks bids for the award. */

type ComparablePrice = DatedPrice & { readonly coefficient: string };

/** A coefficient was checked when the auction began, so one that cannot be read is a bug. */
function readCoefficient(text: string): Fraction {
  const fraction = parseFraction(text);
  if (fraction === undefined) throw new RangeError("Not a coefficient: " + text);
  return fraction;
}

/** Best offer first. Of equal offers the earlier is better; of the same instant, the first in the order of the bids. */
export function rankOffers<Offer extends ComparablePrice>(offers: readonly Offer[]): readonly Offer[] {
  const prices = offers.map((offer) => {
    const { amount, date, coefficient } = offer;
    return { offer, amount, date, coefficient: readCoefficient(coefficient) };
  });
  return rankPrices(prices).map(({ offer }) => offer);
}

/** The order of the turns of a round: worst offer first, so that the best has the last word. */
export const turnOrder = <Offer extends ComparablePrice>(offers: readonly Offer[]): readonly Offer[] =>
  rankOffers(offers).toReversed();

/** The places of the bidders by their published prices, best first. */
export const placeOffers = (offers: readonly AuctionOffer[]): readonly AuctionPlace[] =>
  rankOffers(offers).map(({ bidder, amount, date }, i) => ({ place: i + 1, bidder, amount, date }));
