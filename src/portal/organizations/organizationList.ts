import type { OrganizationList, OrganizationRole } from "../../indexing/organizationQuery.ts";
import {
  dataTable,
  notice,
  type PageProblem,
  pagination,
  problemSummary,
  searchForm,
  userText,
} from "../layout/components.ts";
import { formatNumber } from "../layout/formats.ts";
import type { Language } from "../layout/languages.ts";
import { messagesIn } from "../layout/messages/messages.ts";
import { type PortalPage, type PortalSite, pagePathOf } from "../layout/portalPage.ts";
import { shortText } from "../layout/shortText.ts";
import { textIn } from "../layout/textIn.ts";
import { EMPTY_MARKUP, html, type Markup } from "../markup.ts";
import { ORGANIZATION_PATHS, profilePath } from "./profilePage.ts";

/** The pages `/buyers` and `/suppliers`: everybody in the role, or those with words in their name or code. */

/** How many organisations a page has. */
export const LISTED_ORGANIZATIONS = 50;

/** What the page shows. */
export type OrganizationListView = {
  readonly role: OrganizationRole;
  /** The words as they were sent; empty without any. */
  readonly q: string;
  readonly list: OrganizationList;
  /** From 1. */
  readonly page: number;
  readonly problems: readonly PageProblem[];
  /** Whether older tenders are still being added, so that some organisations are missing. */
  readonly isIncomplete: boolean;
  readonly zoneName: string;
};

/** The page, before it is laid out. */
export function organizationListPage(view: OrganizationListView, site: PortalSite, language: Language): PortalPage {
  const { role, q, page, problems } = view;
  const { organizations, search, statistics } = messagesIn(language);
  const path = ORGANIZATION_PATHS[role];
  const content = html`<h1>${organizations.titles[role]}</h1>
${problemSummary(problems, language)}
${searchForm(pagePathOf(site, path, language), organizations.labels[role], search.search, { hint: organizations.hint, query: q })}
${view.isIncomplete ? notice("information", html`<p>${statistics.incomplete}</p>`) : EMPTY_MARKUP}
${problems.length > 0 ? EMPTY_MARKUP : listSection(view, site, language)}`;
  return {
    path,
    query: queryText(q, page),
    title: q === "" ? organizations.titles[role] : organizations.titlesWith[role](shortText(q)),
    description: organizations.descriptions[role],
    content,
    zoneName: view.zoneName,
    section: "tenders",
    hasSearchBox: true,
    ...((q !== "" || page > 1 || problems.length > 0) && { isUnlisted: true as const }),
  };
}

function queryText(q: string, page: number): string {
  const query = new URLSearchParams({ ...(q !== "" && { q }), ...(page > 1 && { page: String(page) }) }).toString();
  return query === "" ? "" : `?${query}`;
}

function listSection(view: OrganizationListView, site: PortalSite, language: Language): Markup {
  const { role, q, page, list } = view;
  const { organizations: texts } = messagesIn(language);
  const path = pagePathOf(site, ORGANIZATION_PATHS[role], language);
  if (list.count === 0)
    return html`<section aria-labelledby="found"><h2 id="found">${texts.none}</h2>
${q === "" ? EMPTY_MARKUP : html`<p>${texts.noneHint}</p>\n<p><a href="${path}">${texts.showAll[role]}</a></p>\n`}</section>`;
  const count = formatNumber(list.count, language);
  const pageCount = Math.ceil(list.count / LISTED_ORGANIZATIONS);
  return html`<section aria-labelledby="found"><h2 id="found">${list.isMore ? texts.countOver(count) : texts.count(list.count, count)}</h2>
${organizationTable(view, site, language)}
${pagination({ page, pageCount, hrefOf: (target) => path + queryText(q, target) }, language)}</section>`;
}

function organizationTable({ role, list }: OrganizationListView, site: PortalSite, language: Language): Markup {
  const { organizations: texts } = messagesIn(language);
  const columns = [
    { title: texts.columns.name },
    { title: texts.columns.key },
    { title: texts.columns.tenders, isNumber: true as const },
  ];
  const rows = list.organizations.map(({ key, name, tenders }) => {
    const query = new URLSearchParams({ [role]: key }).toString();
    return [
      html`<a href="${pagePathOf(site, profilePath(role, key), language)}">${userText(shortText(textIn(language, name, "name") ?? key))}</a>`,
      html`<bdi>${key}</bdi>`,
      html`<a href="${pagePathOf(site, "/tenders", language)}?${query}">${formatNumber(tenders, language)}</a>`,
    ];
  });
  return dataTable(texts.order, columns, rows);
}
