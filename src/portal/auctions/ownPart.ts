import type { OwnOfferView } from "../../domain/auctions/view.ts";
import {
  compareDecimals,
  type Decimal,
  decimal,
  multiplyDecimals,
  subtractDecimals,
} from "../../domain/values/decimal.ts";
import { formatPercent } from "../layout/formats.ts";
import { EMPTY_MARKUP, html, insertMarkup, type Markup } from "../markup.ts";
import { amountInWords } from "./amountInWords.ts";
import { type AuctionScreen, bidderText, clockTime, money, textsOf, turnsOf } from "./auctionScreen.ts";
import { isBidderView } from "./liveView.ts";
import { parseTypedAmount } from "./priceForm.ts";

/**
 * The part of the page for its bidder: the own price, the next turn, and in the own turn the form. The ids are those that programs
 * of bidders look for: do not rename them.
 */

/** How many steps lower the buttons beside the form go. */
export const STEP_COUNTS = [1, 5, 10] as const;

/** The bidder's part; empty for everybody else and after the auction. */
export function renderOwnPart(screen: AuctionScreen): Markup {
  const { view } = screen;
  const { own: texts } = textsOf(screen);
  const { own } = view;
  if (!isBidderView(view)) return EMPTY_MARKUP;
  if (!own) return view.status === "planned" ? html`<h2>${texts.heading}</h2><p>${texts.waiting}</p>` : EMPTY_MARKUP;
  return own.isOwnTurn ? renderForm(screen, own) : renderWaiting(screen, own);
}

function renderWaiting(screen: AuctionScreen, own: OwnOfferView): Markup {
  const { own: texts } = textsOf(screen);
  return html`<h2>${texts.heading}</h2>
<p>${texts.youAre(bidderText(screen, own.bidder))} ${texts.currentPrice}: <strong>${money(screen, own.previous.amount)}</strong></p>
<p>${nextTurnText(screen, own)}</p>`;
}

function nextTurnText(screen: AuctionScreen, { bidder }: OwnOfferView): Markup {
  const { view, now } = screen;
  const { own: texts } = textsOf(screen);
  const coming = turnsOf(view).filter(({ start }) => start > now);
  const next = coming.find((turn) => turn.bidder === bidder);
  if (next) return insertMarkup((time) => texts.nextTurn(next.round, time), clockTime(screen, next.start));
  const open = coming.find((turn) => turn.bidder === undefined);
  return html`${open ? texts.nextTurnUnknown(open.round) : texts.noMoreTurns}`;
}

function renderForm(screen: AuctionScreen, own: OwnOfferView): Markup {
  const { own: texts, auction } = textsOf(screen);
  const { highestAllowed, previous } = own;
  const heading = html`<h2 class="own-turn">${texts.formHeading}</h2>
<p>${texts.youAre(bidderText(screen, own.bidder))} ${texts.currentPrice}: <strong>${money(screen, previous.amount)}</strong>. ${auction.minimalStep}: ${money(screen, screen.view.rules.minimalStep)}</p>`;
  if (highestAllowed === undefined) return html`${heading}<p>${texts.noLower}</p>`;
  return html`${heading}
<p class="highest">${texts.highest}: <strong id="max_bid_amount_price" data-amount="${highestAllowed}">${money(screen, highestAllowed)}</strong></p>
${placedPrice(screen, own)}
<form id="BidsForm" name="BidsForm" method="post" action="${screen.pagePath}/bids" novalidate>
${errorMarkup(screen)}
<label for="bid-amount-input">${texts.amount(screen.view.rules.currency)}</label>
<p id="bid-hint" class="quiet">${texts.hint}</p>
<input id="bid-amount-input" name="amount" type="text" inputmode="decimal" autocomplete="off" maxlength="40" value="${screen.form?.amount ?? ""}" aria-describedby="bid-hint bid-error"${screen.form ? html` aria-invalid="true"` : EMPTY_MARKUP}>
<p class="words"><span class="visually-hidden">${texts.words}: </span><output id="bid-amount-words" for="bid-amount-input">${wordsOf(screen, screen.form?.amount ?? "")}</output></p>
${stepButtons(screen, highestAllowed)}
<div id="confirm-box">${renderConfirmation(screen, own, screen.form?.rule === "price-unconfirmed" ? parseTypedAmount(screen.form.amount) : undefined)}</div>
<p class="buttons"><button id="place-bid-button" type="submit" name="action" value="place" class="primary">${own.unpublished ? texts.change : texts.place}</button>
<button id="clear-bid-button" type="reset">${texts.clear}</button></p>
<p id="form-status" role="status"></p>
</form>`;
}

/** The amount in words with its currency, or an empty text while it is not an amount. */
export function wordsOf({ view, language }: AuctionScreen, typed: string): string {
  const amount = parseTypedAmount(typed);
  return (amount && amountInWords(amount, view.rules.currency, language)) ?? "";
}

function placedPrice(screen: AuctionScreen, { unpublished }: OwnOfferView): Markup {
  const { own: texts } = textsOf(screen);
  if (!unpublished) return EMPTY_MARKUP;
  return html`<form class="placed" method="post" action="${screen.pagePath}/bids" id="take-back-form">
<p><strong>${texts.placed(money(screen, unpublished.amount))}</strong> <span class="note">${wordsOf(screen, unpublished.amount)}</span></p>
<p class="quiet">${texts.placedHint}</p>
<p class="buttons"><a id="edit-bid-button" class="button" href="#bid-amount-input">${texts.edit}</a>
<button id="cancel-bid-button" type="submit" name="action" value="take-back">${texts.takeBack}</button></p>
</form>`;
}

/** What was wrong with the last form, in a region that screen readers announce. */
function errorMarkup(screen: AuctionScreen): Markup {
  const { own: texts, refusals } = textsOf(screen);
  const { form } = screen;
  return html`<p id="bid-error" class="error" role="alert">${form ? html`<strong>${texts.refused}.</strong> ${refusals[form.rule]}` : EMPTY_MARKUP}</p>`;
}

/** The buttons need scripts, which show them. */
function stepButtons(screen: AuctionScreen, highest: Decimal): Markup {
  const { own: texts } = textsOf(screen);
  return html`<div id="bid-steps" class="buttons" role="group" aria-label="${texts.stepButtons}" hidden>
<button type="button" data-steps="0">${texts.useHighest(money(screen, highest))}</button>
${STEP_COUNTS.map((count) => html`<button type="button" data-steps="${count}">${texts.lower(count)}</button>\n`)}</div>`;
}

/**
 * The price that a step button sets: so many steps below the typed price, or below the highest allowed one if nothing useful is typed.
 * It never falls to zero.
 */
export function steppedPrice(typed: string, steps: number, highest: Decimal, minimalStep: Decimal): Decimal {
  if (steps === 0) return highest;
  const amount = parseTypedAmount(typed);
  const isUsable = amount !== undefined && compareDecimals(amount, highest) <= 0;
  if (!isUsable && steps === 1) return highest;
  const lowered = (from: Decimal, count: number) =>
    subtractDecimals(from, multiplyDecimals(minimalStep, decimal(String(count))));
  const next = isUsable ? lowered(amount, steps) : lowered(highest, steps - 1);
  return compareDecimals(next, decimal("0")) > 0 ? next : isUsable ? amount : highest;
}

/** Whether a price is so far below the previous one that the bidder must confirm it. */
export const needsConfirmation = (amount: Decimal, { confirmBelow }: OwnOfferView): boolean =>
  compareDecimals(amount, decimal("0")) > 0 && compareDecimals(amount, confirmBelow) < 0;

/** The confirmation of a price that is far below the previous one; empty for other prices. */
export function renderConfirmation(screen: AuctionScreen, own: OwnOfferView, amount: Decimal | undefined): Markup {
  const { own: texts } = textsOf(screen);
  if (amount === undefined || !needsConfirmation(amount, own)) return EMPTY_MARKUP;
  const drop = formatPercent(Number(screen.view.rules.confirmedDrop), screen.language);
  const words = wordsOf(screen, amount);
  return html`<p class="warning">${texts.confirmHint(words ? `${money(screen, amount)} (${words})` : money(screen, amount))}</p>
<p class="check"><input type="checkbox" id="bid-confirmed" name="confirmed" value="${amount}"><label for="bid-confirmed">${texts.confirm(drop)}</label></p>`;
}
