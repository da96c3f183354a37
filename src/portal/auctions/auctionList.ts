import type { AuctionStatus } from "../../domain/auctions/model.ts";
import type { Instant, Zone } from "../../domain/values/time.ts";
import type { HttpResponse } from "../../http/responses.ts";
import { type PageProblem, problemSummary } from "../layout/components.ts";
import { formatMoment, machineTime } from "../layout/formats.ts";
import type { Language } from "../layout/languages.ts";
import { type PortalPage, type PortalSite, pagePathOf } from "../layout/pageLayout.ts";
import { pageResponse } from "../layout/pageRequest.ts";
import { EMPTY_MARKUP, html, type Markup } from "../markup.ts";
import { auctionMessagesIn } from "./auctionMessages.ts";

/** The page with all auctions: today, coming and finished. */

/** One auction of the list: only what everyone may see. */
export type AuctionSummary = {
  readonly id: string;
  readonly status: AuctionStatus;
  /** The planned start, or the start if it has begun. */
  readonly start: Instant;
  readonly tenderID: string;
  readonly title: string;
  readonly buyer: string;
  readonly lotTitle?: string;
};

/** What the page shows. Each list is in the order in which it is shown. */
export type AuctionList = {
  readonly today: readonly AuctionSummary[];
  readonly coming: readonly AuctionSummary[];
  /** More auctions run or start today than the list has. */
  readonly isTodayCut?: boolean;
  /** More auctions are planned than the lists have. */
  readonly isComingCut?: boolean;
  readonly finished: readonly AuctionSummary[];
  /** The query of the page with earlier finished auctions, such as `?offset=…`. */
  readonly earlierQuery?: string;
  /** What is wrong with the address of the page. */
  readonly problems?: readonly PageProblem[];
  readonly zone: Pick<Zone, "name">;
  readonly site: PortalSite;
};

/** The page as a response; with status 400 if something is wrong with its address. */
export const auctionListResponse = (list: AuctionList, language: Language): HttpResponse =>
  pageResponse(
    auctionListPage(list, language),
    { site: list.site, language },
    { status: hasProblems(list) ? 400 : 200 },
  );

const hasProblems = ({ problems = [] }: AuctionList): boolean => problems.length > 0;

function auctionListPage(list: AuctionList, language: Language): PortalPage {
  const { list: texts } = auctionMessagesIn(language);
  const { site, zone, earlierQuery } = list;
  const content = html`${problemSummary(list.problems ?? [], language)}<h1>${texts.title}</h1>
<p class="lead">${texts.lead}</p>
${listSection("today", [texts.today, texts.noneToday], list.today, list.isTodayCut, list, language)}
${listSection("coming", [texts.coming, texts.noneComing], list.coming, list.isComingCut, list, language)}
${listSection("finished", [texts.finished, texts.noneFinished], list.finished, false, list, language)}
${earlierQuery ? html`<p><a href="${pagePathOf(site, "/auctions", language)}${earlierQuery}">${texts.earlier}</a></p>` : EMPTY_MARKUP}`;
  return {
    path: "/auctions",
    title: texts.title,
    description: texts.description,
    content,
    zoneName: zone.name,
    section: "auctions",
    ...(hasProblems(list) && { isUnlisted: true }),
  };
}

function listSection(
  id: string,
  [title, noneText]: readonly [title: string, noneText: string],
  entries: readonly AuctionSummary[],
  isCut: boolean | undefined,
  list: AuctionList,
  language: Language,
): Markup {
  const items = html`<ol class="auction-list" role="list">
${entries.map((entry) => listItem(entry, list, language))}</ol>
`;
  const note = isCut ? auctionMessagesIn(language).list.cut : entries.length === 0 ? noneText : undefined;
  const content = html`${entries.length === 0 ? EMPTY_MARKUP : items}${note === undefined ? EMPTY_MARKUP : html`<p class="quiet">${note}</p>`}`;
  return html`<section class="card" aria-labelledby="${id}">
<h2 id="${id}">${title}</h2>
${content}
</section>`;
}

function listItem(entry: AuctionSummary, { site, zone }: AuctionList, language: Language): Markup {
  const { list: texts } = auctionMessagesIn(language);
  const { id, status, start, tenderID, title, buyer, lotTitle } = entry;
  const moment = formatMoment(start, "date and time", zone.name, language);
  return html`<li><a href="${pagePathOf(site, `/auctions/${encodeURIComponent(id)}`, language)}"><bdi lang="">${title || tenderID}</bdi></a> <span class="status ${status}">${texts.statuses[status]}</span>
${lotTitle === undefined ? EMPTY_MARKUP : html`<span class="about">${texts.lot}: <bdi lang="">${lotTitle}</bdi></span>\n`}<span class="about"><time datetime="${machineTime(start)}">${moment}</time> · ${tenderID} · <bdi lang="">${buyer}</bdi></span></li>
`;
}
