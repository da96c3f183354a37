import { CURRENT_SEGMENT } from "../../dialects/dialects.ts";
import { bidDeadlineOf, isBiddingAhead } from "../../domain/schedule.ts";
import { notice, type PageProblem, problemSummary, statusTag, userText } from "../layout/components.ts";
import { formatMoment, formatNumber } from "../layout/formats.ts";
import { localizedPath } from "../layout/languages.ts";
import { messagesIn } from "../layout/messages/messages.ts";
import type { PortalPage } from "../layout/portalPage.ts";
import { shortLine, shortText } from "../layout/shortText.ts";
import { textIn } from "../layout/textIn.ts";
import { EMPTY_MARKUP, html, insertMarkup, type Markup } from "../markup.ts";
import { renderAwardsPart, renderCancellationsPart, renderContractsPart } from "./awardsPart.ts";
import { renderBidsPart } from "./bidsPart.ts";
import { documentCountOf, renderDocumentsPart } from "./documentsPart.ts";
import { renderFeaturesPart, renderItemsPart, renderLotsPart } from "./itemsPart.ts";
import type { ListSection } from "./pageQuery.ts";
import { filedComplaints, renderComplaintsPart, renderQuestionsPart } from "./questionsPart.ts";
import { sectionOf } from "./sectionPart.ts";
import { structuredDataOf } from "./structuredData.ts";
import { renderSummaryPart } from "./summaryPart.ts";
import {
  amountOf,
  hrefOf,
  isPrinted,
  longText,
  momentOf,
  organizationName,
  pageHref,
  pastQuery,
  type TenderScreen,
  TITLE_LENGTH_MAX,
  tenderPath,
  textsOf,
} from "./tenderScreen.ts";
import { renderActionsPart, renderTimelinePart } from "./timelinePart.ts";

/** The page of a tender. `problems` are what is wrong with the query of the address. */
export function tenderPage(screen: TenderScreen, problems: readonly PageProblem[] = []): PortalPage {
  const { tender, zone, query, language, site } = screen;
  const { layout } = messagesIn(language);
  const isWhole = query.show === undefined && !query.isPrint && !screen.past;
  const path = tenderPath(tender.id);
  const localPath = localizedPath(path, language, site.defaultLanguage);
  const { forms } = textsOf(screen);
  return {
    path,
    query: queryText(screen),
    title: pageTitle(screen),
    description: pageDescription(screen),
    content: contentOf(screen, problems),
    zoneName: zone.name,
    section: "tenders",
    breadcrumbs: [{ title: layout.tenders, path: "/tenders" }, ...(isWhole ? [] : [{ title: tender.tenderID, path }])],
    ...((!isWhole || tender.mode === "test" || problems.length > 0) && { isUnlisted: true as const }),
    alternateForms: [
      { type: "application/json", title: forms.json, path: jsonPath(screen) },
      ...(screen.past
        ? []
        : [
            { type: "text/calendar", title: forms.calendar, path: `${localPath}.ics` },
            { type: "application/atom+xml", title: forms.feed, path: `${localPath}.atom` },
          ]),
    ],
    // Picture and structured data show the present.
    ...(!screen.past && {
      preview: { type: "article" as const, imagePath: `${path}/preview.png` },
      structuredData: structuredDataOf(screen),
    }),
  };
}

const jsonPath = ({ tender, past, zone }: TenderScreen): string =>
  `/api/${CURRENT_SEGMENT}/tenders/${tender.id}${past ? `?${pastQuery(past.at, zone)}` : ""}`;

/** The query of this page in its shortest form. */
function queryText({ query, past, zone }: TenderScreen): string {
  const parts = [
    ...(past ? [pastQuery(past.at, zone)] : []),
    ...(query.show === undefined ? [] : [`show=${query.show}`]),
    ...(query.page > 1 ? [`page=${query.page}`] : []),
    ...(query.isPrint ? ["view=print"] : []),
  ];
  return parts.length === 0 ? "" : `?${parts.join("&")}`;
}

const TAB_TITLE_LENGTH_MAX = 90;

const titleOf = (screen: TenderScreen): string =>
  textIn(screen.language, screen.tender, "title") ?? textsOf(screen).untitled;

/** The title of the tab. It begins with what is bought, so that tabs differ, and has the number. */
function pageTitle(screen: TenderScreen): string {
  const { show } = screen.query;
  const { past, zone, language } = screen;
  const number = `${shortLine(titleOf(screen), TAB_TITLE_LENGTH_MAX)} · ${screen.tender.tenderID}`;
  const title = past
    ? `${number} · ${textsOf(screen).past.title(formatMoment(past.at, "date and time", zone.name, language))}`
    : number;
  return show === undefined ? title : `${textsOf(screen).sections[show]} · ${title}`;
}

const NAME_LENGTH_MAX = 120;

/** One sentence for lists of results and previews of links: who buys, for how much and until when. */
function pageDescription(screen: TenderScreen): string {
  const { tender, zone, language } = screen;
  const texts = textsOf(screen);
  const buyer = organizationName(screen, tender.procuringEntity);
  const deadline = bidDeadlineOf(tender);
  const until = isBiddingAhead(tender) ? texts.summary.deadline : texts.summary.deadlineWas;
  const facts = [
    ...(buyer === undefined ? [] : [`${texts.summary.buyer}: ${shortLine(buyer, NAME_LENGTH_MAX)}`]),
    ...(tender.value?.amount === undefined ? [] : [`${texts.summary.value}: ${amountOf(screen, tender.value)}`]),
    ...(deadline === undefined ? [] : [`${until} ${formatMoment(deadline, "date and time", zone.name, language)}`]),
  ];
  return `${texts.description(tender.tenderID)}. ${facts.map((fact) => `${fact}. `).join("")}`.trim();
}

function contentOf(screen: TenderScreen, problems: readonly PageProblem[]): Markup {
  const { query } = screen;
  const body = query.show === undefined ? wholeContent(screen) : singleSection(screen, query.show);
  return html`<div class="tender${isPrinted(screen) ? " print-view" : ""}">
${problemSummary(problems, screen.language)}${headOf(screen)}
${body}${printedFoot(screen)}</div>`;
}

function headOf(screen: TenderScreen): Markup {
  const { tender, language } = screen;
  const texts = textsOf(screen);
  const title = titleOf(screen);
  const whole = title.length > TITLE_LENGTH_MAX ? longText(screen, title) : EMPTY_MARKUP;
  return html`<p class="tender-number"><span class="whole">${tender.tenderID}</span> ${statusTag(tender.status, language)}</p>
<h1>${userText(shortText(title, TITLE_LENGTH_MAX))}</h1>
${whole}${tender.mode === "test" ? notice("warning", html`<p>${texts.testBanner}</p>`) : EMPTY_MARKUP}
${tender.testClock === undefined ? EMPTY_MARKUP : notice("information", html`<p>${texts.testClock}</p>`)}${pastNotice(screen)}`;
}

/** Says that the page shows the past, and leads to the present. */
function pastNotice(screen: TenderScreen): Markup {
  const { past, language } = screen;
  if (!past) return EMPTY_MARKUP;
  const { past: texts } = textsOf(screen);
  const href = hrefOf(screen, tenderPath(screen.tender.id));
  return notice(
    "warning",
    html`<p><strong>${insertMarkup(texts.notice, momentOf(screen, past.at))}</strong> ${texts.version(formatNumber(past.version, language))}</p>
<p class="screen-only"><a href="${href}">${texts.present}</a> · <a href="${href}/changes">${texts.versions}</a></p>`,
  );
}

/** How to render each section that can be shown alone. */
const SECTIONS: { readonly [section in ListSection]: (screen: TenderScreen) => Markup } = {
  timeline: renderTimelinePart,
  lots: renderLotsPart,
  items: renderItemsPart,
  features: renderFeaturesPart,
  documents: renderDocumentsPart,
  questions: renderQuestionsPart,
  complaints: renderComplaintsPart,
  bids: renderBidsPart,
  awards: renderAwardsPart,
  contracts: renderContractsPart,
  cancellations: renderCancellationsPart,
};

/** The sections below the summary, in their order. */
const LOWER_SECTIONS = [
  "lots",
  "items",
  "bids",
  "awards",
  "contracts",
  "documents",
  "features",
  "questions",
  "complaints",
  "cancellations",
] as const satisfies readonly ListSection[];

/** How many entries a section has. */
export function entryCountOf(
  screen: Pick<TenderScreen, "tender" | "timeline" | "language">,
  section: ListSection,
): number {
  const { tender, timeline } = screen;
  switch (section) {
    case "timeline":
      return timeline.length;
    case "items":
      return tender.items?.length ?? 0;
    case "features":
      return tender.features?.length ?? 0;
    case "documents":
      return documentCountOf(tender);
    case "complaints":
      return filedComplaints(screen).length;
    case "bids":
      return offerCountOf(screen);
    default:
      return tender[section].length;
  }
}

const submittedBids = ({ bids = [] }: TenderScreen["tender"]) => bids.filter(({ status }) => status !== "draft");

/** Bids for lots are listed once for each lot. */
function offerCountOf({ tender }: Pick<TenderScreen, "tender">): number {
  const bids = submittedBids(tender);
  return tender.lots.length === 0 ? bids.length : bids.reduce((sum, { lotValues = [] }) => sum + lotValues.length, 0);
}

function wholeContent(screen: TenderScreen): Markup {
  const rendered = LOWER_SECTIONS.map((section) => ({ section, markup: SECTIONS[section](screen) })).filter(
    ({ markup }) => markup.markup !== "",
  );
  return html`${contentsOf(
    screen,
    rendered.map(({ section }) => section),
  )}
<div class="columns">
<div>
${renderSummaryPart(screen)}</div>
<div>
${screen.past ? EMPTY_MARKUP : renderActionsPart(screen)}${renderTimelinePart(screen)}</div>
</div>
${rendered.map(({ markup }) => markup)}${changesPart(screen)}${formsPart(screen)}`;
}

/** Links to the sections, with the number of their entries. A bid for several lots counts once, as in the summary. */
function contentsOf(screen: TenderScreen, sections: readonly (typeof LOWER_SECTIONS)[number][]): Markup {
  if (isPrinted(screen)) return EMPTY_MARKUP;
  const texts = textsOf(screen);
  const items = sections.map((section) => {
    const count = section === "bids" ? submittedBids(screen.tender).length : entryCountOf(screen, section);
    const number =
      count === 0 ? EMPTY_MARKUP : html` <span class="count">${formatNumber(count, screen.language)}</span>`;
    return html`<li><a href="#${section}">${texts.sections[section]}</a>${number}</li>\n`;
  });
  return html`<nav class="tabs" aria-label="${texts.contents}"><ul role="list">
${items}<li><a href="#changes">${texts.sections.changes}</a></li>
</ul></nav>`;
}

function singleSection(screen: TenderScreen, section: ListSection): Markup {
  const back = html`<p><a href="${pageHref(screen, "")}">${textsOf(screen).whole}</a></p>\n`;
  return html`${back}${SECTIONS[section](screen)}`;
}

function changesPart(screen: TenderScreen): Markup {
  const { changes } = textsOf(screen);
  const href = `${hrefOf(screen, tenderPath(screen.tender.id))}/changes`;
  return sectionOf(
    screen,
    "changes",
    html`<p>${changes.lastChange}: ${momentOf(screen, screen.tender.dateModified)}</p>
<p class="screen-only">${changes.lead} <a href="${href}">${changes.link}</a></p>`,
  );
}

function formsPart(screen: TenderScreen): Markup {
  const { forms } = textsOf(screen);
  const path = hrefOf(screen, tenderPath(screen.tender.id));
  if (isPrinted(screen)) return EMPTY_MARKUP;
  const hasOpenData = screen.site.hasOpenData && screen.tender.mode !== "test" && !screen.past;
  const subscriptions = screen.past
    ? EMPTY_MARKUP
    : html`<li><a href="${path}.ics" type="text/calendar">${forms.calendar}</a></li>
<li><a href="${path}.atom" type="application/atom+xml">${forms.feed}</a></li>
`;
  return html`<div class="screen-only">
${sectionOf(
  screen,
  "forms",
  html`<ul class="forms" role="list">
<li><a href="${screen.site.basePath}${jsonPath(screen)}" type="application/json">${forms.json}</a></li>
${hasOpenData ? html`<li><a href="${screen.site.basePath}${jsonPath(screen)}?opt_schema=ocds" type="application/json">${forms.ocds}</a></li>\n` : EMPTY_MARKUP}${subscriptions}<li><a href="${pageHref(screen, "view=print")}" rel="nofollow">${forms.print}</a></li>
</ul>`,
)}</div>
`;
}

/** The address of the page, on paper only; that of the present also as a QR code. */
function printedFoot(screen: TenderScreen): Markup {
  const { site, tender } = screen;
  const { printed } = textsOf(screen);
  const path = pageHref(screen, "");
  const address = site.origin + path.slice(site.basePath.length);
  const back = isPrinted(screen)
    ? html`<p class="screen-only"><a href="${path}">${printed.back}</a></p>\n`
    : EMPTY_MARKUP;
  const code = screen.past
    ? EMPTY_MARKUP
    : html`<img src="${hrefOf(screen, tenderPath(tender.id))}/qr.svg" alt="${printed.qr}" width="132" height="132" decoding="async">\n`;
  return html`${back}<div class="print-only paper-address">
${code}<p>${printed.address}:<br>${address}</p>
</div>
`;
}
