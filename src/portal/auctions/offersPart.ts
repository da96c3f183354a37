import { rankOffers } from "../../domain/auctions/order.ts";
import type { AuctionOfferView, LiveAuctionView } from "../../domain/auctions/view.ts";
import { compareDecimals, type Decimal, subtractDecimals } from "../../domain/values/decimal.ts";
import { divideFractions, fractionOf, parseFraction } from "../../domain/values/fraction.ts";
import { formatDecimal, formatPercent, formatWeightedPrice } from "../layout/formats.ts";
import { EMPTY_MARKUP, html, insertMarkup, type Markup } from "../markup.ts";
import { type AuctionScreen, bidderLink, bidderMarkup, money, roundResult, textsOf } from "./auctionScreen.ts";

/** The tables of the auction page: the offers, best first, with their movements, and the prices of each round. */

/** The table of offers and, once the first turn has ended, that of the prices by round. */
export function renderOffersPart(screen: AuctionScreen): Markup {
  const { view } = screen;
  const { auction } = textsOf(screen);
  if (view.offers.length === 0)
    return html`<h2 id="offers-title">${auction.offers}</h2>
<p>${auction.noOffers}</p>`;
  return html`<h2 id="offers-title">${view.status === "ended" ? textsOf(screen).auction.announcement : auction.offers}</h2>
${view.status === "ended" ? resultSummary(screen) : EMPTY_MARKUP}
${offersTable(screen)}
${view.stages.some((stage) => stage.kind === "turn" && stage.result) ? roundsTable(screen) : EMPTY_MARKUP}`;
}

function resultSummary(screen: AuctionScreen): Markup {
  const { view, language } = screen;
  const { auction } = textsOf(screen);
  const [best] = view.offers;
  const [bestBefore] = initialRanking(view);
  if (!best || !bestBefore) return EMPTY_MARKUP;
  const fall = subtractDecimals(bestBefore.initial.amount, best.amount);
  const hasFallen = Number(fall) > 0;
  const percent = formatPercent(shareOf(fall, bestBefore.initial.amount), language);
  return html`<p class="winner">${insertMarkup((bidder) => auction.winner(bidder, money(screen, best.amount)), bidderLink(screen, best.bidder))}</p>
${hasFallen ? html`<p>${auction.saving(money(screen, fall), percent)}</p>` : EMPTY_MARKUP}
${best.name === undefined ? html`<p class="quiet">${auction.namesLater}</p>` : EMPTY_MARKUP}`;
}

/** The share of a part in a whole, for display only. */
export const shareOf = (part: Decimal, whole: Decimal): number => Number(part) / Number(whole);

/** The offers by their initial prices, best first. */
function initialRanking({ offers }: LiveAuctionView): readonly AuctionOfferView[] {
  const initial = offers
    .toSorted((a, b) => b.bidder - a.bidder)
    .map((offer) => ({ offer, ...offer.initial, coefficient: offer.coefficient }));
  return rankOffers(initial).map(({ offer }) => offer);
}

function offersTable(screen: AuctionScreen): Markup {
  const { view } = screen;
  const { auction } = textsOf(screen);
  const before = initialRanking(view).map(({ bidder }) => bidder);
  const { hasFeatures } = view.rules;
  const rows = view.offers.map((offer) => {
    const isOwn = view.own?.bidder === offer.bidder;
    return html`<tr class="${isOwn ? "own" : "other"}" data-bidder="${offer.bidder}"><td class="place" data-label="${auction.place}"><span>${offer.place}${placeMovement(screen, offer, before.indexOf(offer.bidder) + 1)}</span></td>
<th scope="row">${isOwn ? bidderMarkup(screen, offer.bidder) : bidderLink(screen, offer.bidder)}${hasFeatures ? coefficientNote(screen, offer) : EMPTY_MARKUP}</th>
<td class="number price" data-label="${auction.price}"><span>${money(screen, offer.amount)}${hasFeatures ? weightedPriceNote(screen, offer) : EMPTY_MARKUP}${priceMovement(screen, offer)}</span></td></tr>
`;
  });
  return html`<table class="offers stacks" aria-labelledby="offers-title">
<thead><tr><th scope="col">${auction.place}</th><th scope="col">${auction.name}</th><th scope="col" class="number">${auction.price}</th></tr></thead>
<tbody>
${rows}</tbody>
</table>`;
}

function placeMovement(screen: AuctionScreen, { place }: AuctionOfferView, before: number): Markup {
  const { auction } = textsOf(screen);
  if (place === before) return EMPTY_MARKUP;
  const isUp = place < before;
  const by = Math.abs(before - place);
  const text = isUp ? auction.placeUp(by, before) : auction.placeDown(by, before);
  return html` <span class="movement ${isUp ? "up" : "down"}" title="${text}"><span aria-hidden="true">${isUp ? "▲" : "▼"}${by}</span><span class="visually-hidden">(${text})</span></span>`;
}

/** The change since the initial price, in money and in percent. */
function priceMovement(screen: AuctionScreen, { amount, initial }: AuctionOfferView): Markup {
  const { language } = screen;
  if (compareDecimals(amount, initial.amount) === 0)
    return html` <span class="note">${textsOf(screen).auction.unchanged}</span>`;
  const fall = subtractDecimals(initial.amount, amount);
  const percent = formatPercent(shareOf(fall, initial.amount), language);
  return html` <span class="note fall">−${formatDecimal(fall, language)} (−${percent})</span>`;
}

const coefficientNote = (screen: AuctionScreen, { coefficient }: AuctionOfferView): Markup =>
  html` <span class="note">${textsOf(screen).auction.coefficient} ${coefficient}</span>`;

/** The price by which the offers are compared. */
function weightedPriceNote(screen: AuctionScreen, { amount, coefficient }: AuctionOfferView): Markup {
  const divisor = parseFraction(coefficient);
  if (!divisor) return EMPTY_MARKUP;
  const price = formatWeightedPrice(divideFractions(fractionOf(amount), divisor), screen.language);
  return html` <span class="note">${textsOf(screen).auction.weightedPrice} ${price}</span>`;
}

/** Every bidder's price after each round, so that the whole course can be seen at once. */
function roundsTable(screen: AuctionScreen): Markup {
  const { view, language } = screen;
  const { auction } = textsOf(screen);
  const rounds = Array.from({ length: view.rules.rounds }, (_, i) => i + 1);
  const cell = (offer: AuctionOfferView, round: number): Markup => {
    const result = roundResult(view, offer, round);
    if (!result) return html`<td class="number">—</td>`;
    return html`<td class="number${result.isNew ? " new" : " quiet"}">${formatDecimal(result.amount, language)}</td>`;
  };
  return html`<h3 id="rounds-title">${auction.prices}</h3>
<div class="scrolled" role="region" aria-labelledby="rounds-title" tabindex="0" id="rounds-table">
<table class="rounds" aria-labelledby="rounds-title">
<thead><tr><th scope="col">${auction.name}</th><th scope="col" class="number">${auction.initial}</th>${rounds.map((round) => html`<th scope="col" class="number">${auction.round(round)}</th>`)}</tr></thead>
<tbody>
${view.offers.map(
  (offer) => html`<tr><th scope="row">${bidderMarkup(screen, offer.bidder)}</th>
<td class="number quiet">${formatDecimal(offer.initial.amount, language)}</td>${rounds.map((round) => cell(offer, round))}</tr>
`,
)}</tbody>
</table>
</div>`;
}
