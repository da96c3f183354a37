import { TENDER_STATUSES } from "../../domain/model/tender.ts";
import type { Instant } from "../../domain/values/time.ts";
import type { AuctionSummary } from "../auctions/auctionList.ts";
import { searchForm, statusTag, timeElement, userText } from "../layout/components.ts";
import { formatMoney, formatNumber } from "../layout/formats.ts";
import type { Language } from "../layout/languages.ts";
import { messagesIn } from "../layout/messages/messages.ts";
import { nameOf } from "../layout/nameOf.ts";
import { type PortalPage, type PortalSite, pagePathOf } from "../layout/portalPage.ts";
import { shortLine } from "../layout/shortText.ts";
import { textIn } from "../layout/textIn.ts";
import { timeLeftUntil } from "../layout/timeLeft.ts";
import { EMPTY_MARKUP, html, insertMarkup, type Markup } from "../markup.ts";
import type { HomeData, TenderSummary } from "./homeData.ts";

/** The first page: the search, what closes soon, what is new, what was decided, and the way for programs. */

/** What the page is rendered from. */
export type HomeScreen = {
  readonly data: HomeData;
  readonly site: PortalSite;
  readonly language: Language;
  readonly now: Instant;
  /** The times of the test clocks of the tenders that close soon. */
  readonly clockTimes: ReadonlyMap<string, Instant>;
  readonly zoneName: string;
  /** The section for developers. */
  readonly developersPart: Markup;
};

export function homePage(screen: HomeScreen): PortalPage {
  const { data, site, language, zoneName, developersPart } = screen;
  const { home, layout } = messagesIn(language);
  const search = pagePathOf(site, "/tenders", language);
  const content = html`<div class="hero">
<h1>${home.heading}</h1>
<p class="lead">${home.lead}</p>
${searchForm(search, home.search, layout.searchButton, { hint: home.searchHint })}
<ul class="hero-links" role="list">
<li><a href="${search}">${home.allTenders}</a></li>
<li><a href="${pagePathOf(site, "/buyers", language)}">${home.allBuyers}</a></li>
<li><a href="${pagePathOf(site, "/suppliers", language)}">${home.allSuppliers}</a></li>
</ul>
</div>
${data.counts.size === 0 ? emptyPart(language) : registryPart(screen)}
${developersPart}`;
  return {
    path: "/",
    title: home.title(site.name),
    description: home.description,
    content,
    zoneName,
    hasSearchBox: true,
    structuredData: {
      "@type": "WebSite",
      name: site.name,
      potentialAction: {
        "@type": "SearchAction",
        target: `${site.origin}${search.slice(site.basePath.length)}?q={search_term_string}`,
        "query-input": "required name=search_term_string",
      },
    },
  };
}

const emptyPart = (language: Language): Markup => {
  const { home } = messagesIn(language);
  return html`<section aria-labelledby="empty">
<h2 id="empty">${home.empty}</h2>
<p>${home.emptyText}</p>
</section>`;
};

function registryPart(screen: HomeScreen): Markup {
  const { data, language, site } = screen;
  const { home } = messagesIn(language);
  const linkTo = (query: string) => `${pagePathOf(site, "/tenders", language)}?${query}`;
  const { closing, newest, decided } = data;
  return html`${figuresPart(screen)}
<div class="columns">
<div>
${listSection(
  "closing",
  home.closing,
  home.closingNone,
  closing.map((tender) => tenderItem(tender, "deadline", screen)),
  [home.closingAll, linkTo("status=active.tendering&sort=deadline")],
)}
${listSection(
  "newest",
  home.newest,
  "",
  newest.map((tender) => tenderItem(tender, "status", screen)),
  [home.newestAll, linkTo("sort=newest")],
)}
</div>
<div>
${listSection(
  "auctions-today",
  home.auctions,
  home.auctionsNone,
  data.auctionsToday.auctions.map((auction) => auctionItem(auction, screen)),
  [home.auctionsAll, pagePathOf(site, "/auctions", language)],
)}
${listSection(
  "decided",
  home.decided,
  home.decidedNone,
  decided.map((tender) => decidedItem(tender, screen)),
  [home.decidedAll, linkTo("status=complete")],
)}
${statusesPart(screen)}
</div>
</div>`;
}

/** The most important numbers, each with a link to what it counts. */
function figuresPart({ data, language, site }: HomeScreen): Markup {
  const { home } = messagesIn(language);
  const search = pagePathOf(site, "/tenders", language);
  const total = totalOf(data);
  const [open, complete] = ["active.tendering", "complete"].map((status) => data.counts.get(status) ?? 0);
  const { count: auctions, isMore } = data.auctionsToday;
  const figure = (number: number) => formatNumber(number, language);
  const figures: readonly (readonly [number: string, text: string, href: string])[] = [
    [figure(total), home.tenderCount(total), search],
    [figure(open ?? 0), home.openCount(open ?? 0), `${search}?status=active.tendering`],
    [
      isMore ? home.moreThan(figure(auctions)) : figure(auctions),
      home.auctionCount(auctions),
      pagePathOf(site, "/auctions", language),
    ],
    [figure(complete ?? 0), home.completeCount(complete ?? 0), `${search}?status=complete`],
  ];
  return html`<section aria-label="${home.figures}">
<ul class="figures" role="list">
${figures.map(([number, text, href]) => html`<li class="figure"><strong>${number}</strong> <a href="${href}">${text}</a></li>\n`)}</ul>
</section>`;
}

const totalOf = ({ counts }: HomeData): number => [...counts.values()].reduce((sum, count) => sum + count, 0);

function listSection(
  id: string,
  title: string,
  none: string,
  items: readonly Markup[],
  [linkText, href]: readonly [text: string, href: string],
): Markup {
  const list =
    items.length === 0 ? html`<p class="quiet">${none}</p>` : html`<ol class="results" role="list">\n${items}</ol>`;
  return html`<section class="home-list" aria-labelledby="${id}">
<h2 id="${id}">${title}</h2>
${list}
<p><a href="${href}">${linkText}</a></p>
</section>`;
}

function tenderItem(tender: TenderSummary, shown: "deadline" | "status", screen: HomeScreen): Markup {
  const { language } = screen;
  const { value, status } = tender;
  const money = value
    ? html`<span class="value">${formatMoney(value.amount, value.currency, language)}</span>`
    : EMPTY_MARKUP;
  const second = shown === "deadline" ? deadlineText(tender, screen) : statusTag(status, language);
  return html`<li>${itemHead(tender, screen)}<p class="facts">${money} ${second}</p></li>
`;
}

const WINNERS_MAX = 3;

/** A tender with its winners, and what they get for it. */
function decidedItem(tender: TenderSummary, screen: HomeScreen): Markup {
  const { decision } = tender;
  if (!decision) return tenderItem(tender, "status", screen);
  const { language, site } = screen;
  const { home, profiles } = messagesIn(language);
  const { winners, amounts, isSigned } = decision;
  const links = winners.slice(0, WINNERS_MAX).map(({ key, name }, i) => {
    const text = userText(shortLine(textIn(language, name, "name") ?? "") || (key ?? "–"));
    const href = pagePathOf(site, `/suppliers/${encodeURIComponent(key ?? "")}`, language);
    return html`${i > 0 ? ", " : ""}${key === undefined ? text : html`<a href="${href}">${text}</a>`}`;
  });
  const more = winners.length > WINNERS_MAX ? ` ${home.moreWinners(winners.length - WINNERS_MAX)}` : "";
  const sum = amounts.map(({ amount, currency }) => formatMoney(amount, currency, language)).join(" + ");
  const decided = sum === "" ? EMPTY_MARKUP : html`<span class="value">${home.decidedFor(sum, isSigned)}</span>`;
  const expected = tender.value
    ? html` <span class="quiet">${home.expected(formatMoney(tender.value.amount, tender.value.currency, language))}</span>`
    : EMPTY_MARKUP;
  return html`<li>${itemHead(tender, screen)}${links.length === 0 ? EMPTY_MARKUP : html`<p class="about">${insertMarkup(profiles.winners, html`${links}${more}`)}</p>\n`}<p class="facts">${decided}${expected}</p></li>
`;
}

/** The title and the buyer. */
const itemHead = ({ id, title, buyer }: TenderSummary, { language, site }: HomeScreen): Markup =>
  html`<h3><a href="${pagePathOf(site, `/tenders/${encodeURIComponent(id)}`, language)}">${userText(title)}</a></h3>
${buyer === "" ? EMPTY_MARKUP : html`<p class="about">${userText(buyer)}</p>\n`}`;

function deadlineText({ deadline, testClock }: TenderSummary, screen: HomeScreen): Markup {
  if (deadline === undefined) return EMPTY_MARKUP;
  const { language, zoneName } = screen;
  const { home } = messagesIn(language);
  const text = insertMarkup(home.deadline, timeElement(deadline, "date and time", zoneName, language));
  const now = testClock === undefined ? screen.now : screen.clockTimes.get(testClock);
  const left = now === undefined ? "" : timeLeftUntil(deadline, now, language).text;
  return html`<span>${text}</span> <span class="quiet">${left}</span>`;
}

/** Whether an auction runs is not shown: it changes all the time, and the list of auctions says it. */
function auctionItem({ id, start, title, tenderID, buyer }: AuctionSummary, screen: HomeScreen): Markup {
  const { language, site, zoneName } = screen;
  return html`<li><h3><a href="${pagePathOf(site, `/auctions/${encodeURIComponent(id)}`, language)}">${userText(title || tenderID)}</a></h3>
<p class="about">${timeElement(start, "time", zoneName, language)} · ${userText(buyer)}</p></li>
`;
}

/** Statuses are sorted in the order in which a tender goes through them. */
const STATUS_ORDER: readonly string[] = TENDER_STATUSES;

function statusesPart({ data, language, site }: HomeScreen): Markup {
  const { home, names } = messagesIn(language);
  const rows = [...data.counts].sort(([a], [b]) => STATUS_ORDER.indexOf(a) - STATUS_ORDER.indexOf(b));
  const countMax = Math.max(1, ...data.counts.values());
  const search = pagePathOf(site, "/tenders", language);
  return html`<section class="home-list" aria-labelledby="statuses">
<h2 id="statuses">${home.statuses}</h2>
<table class="statuses" aria-labelledby="statuses">
<thead><tr><th scope="col">${home.status}</th><th scope="col" class="number">${home.tenders}</th></tr></thead>
<tbody>
${rows.map(
  ([
    status,
    count,
  ]) => html`<tr><th scope="row"><a href="${search}?status=${encodeURIComponent(status)}">${nameOf(names.tenderStatuses, status)}</a>
<progress aria-hidden="true" max="${countMax}" value="${count}"></progress></th>
<td class="number">${formatNumber(count, language)}</td></tr>
`,
)}</tbody>
</table>
</section>`;
}
