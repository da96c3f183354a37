import { bidDeadlineOf, isBiddingAhead } from "../../domain/schedule.ts";
import type { Instant } from "../../domain/values/time.ts";
import { organizationKey } from "../../indexing/organizationKeys.ts";
import { statusTag, timeElement, userText } from "../layout/components.ts";
import { formatMoney } from "../layout/formats.ts";
import type { Language } from "../layout/languages.ts";
import { messagesIn } from "../layout/messages/messages.ts";
import { type PortalSite, pagePathOf } from "../layout/portalPage.ts";
import { timeLeftUntil } from "../layout/timeLeft.ts";
import { EMPTY_MARKUP, html, type Markup } from "../markup.ts";
import { tenderPath } from "../tender/tenderScreen.ts";
import { buyerNameOf, type ListedTender, listedTitle } from "./listedTenders.ts";

/** What the rows of a list depend on besides the tenders. */
export type ListContext = { readonly site: PortalSite; readonly language: Language; readonly zoneName: string };

/** A list of tenders: each with title, status, buyer, value, deadline with the time left, number, procedure and lots. */
export const renderTenderList = (tenders: readonly ListedTender[], context: ListContext): Markup =>
  html`<ol class="results" role="list">
${tenders.map((listed) => renderRow(listed, context))}</ol>`;

function renderRow(listed: ListedTender, context: ListContext): Markup {
  const { tender } = listed;
  const { site, language } = context;
  const { search, names } = messagesIn(language);
  const { tenderID, procedure, lots } = tender;
  const href = pagePathOf(site, tenderPath(tender.id), language);
  const facts = [tenderID, names.procedures[procedure], ...(lots.length > 0 ? [search.lots(lots.length)] : [])];
  return html`<li>
<h3><a href="${href}">${userText(listedTitle(tender, language))}</a></h3>
<p class="about">${buyerLink(tender, context)}</p>
<p class="result-facts">${valueMarkupOf(tender, language)} ${statusTag(tender.status, language)}</p>
${deadlineOf(listed, context)}<p class="about">${facts.join(" · ")}</p>
</li>
`;
}

function buyerLink(tender: ListedTender["tender"], { site, language }: ListContext): Markup {
  const name = buyerNameOf(tender, language);
  const key = organizationKey(tender.procuringEntity);
  if (key === undefined) return userText(name);
  const href = pagePathOf(site, `/buyers/${encodeURIComponent(key)}`, language);
  return html`<a href="${href}">${userText(name === "" ? key : name)}</a>`;
}

function valueMarkupOf({ value }: ListedTender["tender"], language: Language): Markup {
  const { amount, currency = "" } = value ?? {};
  return amount === undefined
    ? html`<span class="quiet">${messagesIn(language).search.valueUnknown}</span>`
    : html`<span class="value">${formatMoney(amount, currency, language)}</span>`;
}

function deadlineOf(listed: ListedTender, { language, zoneName }: ListContext): Markup {
  const { search } = messagesIn(language);
  const deadline = bidDeadlineOf(listed.tender);
  if (deadline === undefined) return EMPTY_MARKUP;
  const time = timeElement(deadline, "date and time", zoneName, language);
  return isBiddingAhead(listed.tender)
    ? html`<p class="deadline">${search.deadlineAt} ${time} <strong>(${timeLeftUntil(deadline, listed.now, language).text})</strong></p>
`
    : html`<p class="about">${search.deadlineWas} ${time}</p>
`;
}

/**
 * Until when the rows stay as they are if nothing is written: the time left changes. Zero if a tender runs on a test clock, whose time
 * nobody can tell in advance.
 */
export const listSameUntil = (tenders: readonly ListedTender[], language: Language): Instant =>
  Math.min(
    ...tenders.map(({ tender, now }) => {
      const deadline = bidDeadlineOf(tender);
      if (deadline === undefined || !isBiddingAhead(tender)) return Number.POSITIVE_INFINITY;
      return tender.testClock === undefined ? timeLeftUntil(deadline, now, language).sameUntil : 0;
    }),
  );
