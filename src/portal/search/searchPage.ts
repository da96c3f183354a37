import type { SearchProblem } from "../../indexing/readSearchParameters.ts";
import { LIST_NAMES, NO_SEARCH_PARAMETERS } from "../../indexing/searchParameters.ts";
import { SEARCH_MATCHES_MAX, SEARCH_SORTS } from "../../indexing/searchQuery.ts";
import { notice, pagination, problemSummary } from "../layout/components.ts";
import { formatNumber } from "../layout/formats.ts";
import { localizedPath } from "../layout/languages.ts";
import { messagesIn } from "../layout/messages/messages.ts";
import type { AlternateForm, PortalPage } from "../layout/portalPage.ts";
import { shortText } from "../layout/shortText.ts";
import { EMPTY_MARKUP, html, type Markup } from "../markup.ts";
import { renderFacets } from "./facetPanel.ts";
import { renderOrganizationChoices } from "./organizationChoice.ts";
import { renderTenderList } from "./resultList.ts";
import { FIELD_IDS, renderSearchForm } from "./searchForm.ts";
import { searchProblemText } from "./searchProblems.ts";
import {
  changeParameters,
  conditionsIn,
  conditionsText,
  type SearchView,
  searchPathOf,
  searchQueryText,
} from "./searchView.ts";

/** The page of a search: the form, the conditions, the facets and a page of results. */

/** The other forms of the results, with their media types. */
export const SEARCH_FORMS = {
  csv: "text/csv",
  json: "application/json",
  "ocds.json": "application/json",
  atom: "application/atom+xml",
  ics: "text/calendar",
} as const;
export type SearchForm = keyof typeof SEARCH_FORMS;
const formNamesOf = ({ site, parameters }: SearchView): readonly SearchForm[] =>
  site.hasOpenData && parameters.mode === "real"
    ? ["csv", "json", "ocds.json", "atom", "ics"]
    : ["csv", "json", "atom", "ics"];

const NO_WRONG_PARAMETERS: ReadonlySet<string> = new Set();

/** The page with results. */
export function searchPage(view: SearchView): PortalPage {
  const { parameters, language } = view;
  const { search } = messagesIn(language);
  const conditions = conditionsText(view);
  return {
    path: "/tenders",
    query: searchQueryText(parameters),
    title: conditions === "" ? search.title : search.titleWith(shortText(conditions, TITLE_LENGTH_MAX)),
    description: search.description,
    zoneName: view.zoneName,
    section: "tenders",
    hasSearchBox: true,
    alternateForms: alternateFormsOf(view),
    ...(isListed(view) ? {} : { isUnlisted: true }),
    structuredData: { "@type": "SearchResultsPage" },
    content: html`<h1>${search.title}</h1>
${renderSearchForm({ ...view, wrongParameters: NO_WRONG_PARAMETERS })}
${conditionChips(view)}${renderOrganizationChoices(view.choices, view)}${withFacets(resultsSection(view), renderFacets(view))}`,
  };
}

const withFacets = (results: Markup, facets: Markup): Markup =>
  facets.markup === "" ? results : html`<div class="columns">\n${results}\n${facets}\n</div>`;

/** The page that names wrong parameters: the form alone, with what was sent. */
export function searchProblemsPage(
  view: Pick<SearchView, "parameters" | "query" | "site" | "language" | "zoneName" | "pageSize">,
  problems: readonly SearchProblem[],
): PortalPage {
  const messages = problems.map((problem) => {
    const fieldId = Object.entries(FIELD_IDS).find(([name]) => name === problem.parameter)?.[1];
    return { message: searchProblemText(problem, view), ...(fieldId !== undefined && { fieldId }) };
  });
  const wrongParameters = new Set(problems.map(({ parameter }) => parameter));
  const form = renderSearchForm({ ...view, wrongParameters });
  return formPage(view, html`${problemSummary(messages, view.language)}\n${form}`);
}

/** The page for names in the fields of organisations: who has such a name, and the form. */
export function organizationChoicePage(
  view: Pick<SearchView, "parameters" | "query" | "site" | "language" | "zoneName" | "choices">,
): PortalPage {
  const { choices } = view;
  // Fields with names keep what was sent.
  const namedParameters = new Set(choices.map(({ list }) => LIST_NAMES[list]));
  const form = renderSearchForm({ ...view, wrongParameters: NO_WRONG_PARAMETERS, namedParameters });
  return formPage(view, html`${renderOrganizationChoices(choices, view)}${form}`);
}

/** A page with the form and without results. */
function formPage({ language, zoneName }: Pick<SearchView, "language" | "zoneName">, content: Markup): PortalPage {
  const { search } = messagesIn(language);
  return {
    ...{ path: "/tenders", title: search.title, description: search.description, zoneName, section: "tenders" },
    ...{ hasSearchBox: true, isUnlisted: true },
    content: html`<h1>${search.title}</h1>\n${content}`,
  };
}

const TITLE_LENGTH_MAX = 80;

/**
 * Whether search engines may list the page: all tenders, or those of one category, region, status, procedure or buyer. Combinations
 * are without end and have nothing that the pages of tenders do not have.
 */
function isListed({ parameters }: SearchView): boolean {
  const query = searchQueryText({ ...parameters, page: 1 });
  return parameters.page === 1 && /^(?:\?(?:status|procedure|cpv|buyer|region)=[^&]*)?$/.test(query);
}

function alternateFormsOf(view: SearchView): readonly AlternateForm[] {
  const { language, site, parameters } = view;
  const { search } = messagesIn(language);
  const query = searchQueryText({ ...parameters, page: 1 });
  return formNamesOf(view).map((form) => ({
    type: SEARCH_FORMS[form],
    title: search[form],
    path: localizedPath(`/tenders.${form}`, language, site.defaultLanguage) + query,
  }));
}

function conditionChips(view: SearchView): Markup {
  const { search } = messagesIn(view.language);
  const conditions = conditionsIn(view);
  if (conditions.length === 0) return EMPTY_MARKUP;
  const chips = conditions.map(
    ({ text, plain, without }) =>
      html`<li><a class="chip" href="${searchPathOf(without, view)}" aria-label="${search.remove(plain)}">${text} <span class="chip-remove" aria-hidden="true">×</span></a></li>\n`,
  );
  const all =
    conditions.length === 1
      ? EMPTY_MARKUP
      : html`<li><a href="${searchPathOf(NO_SEARCH_PARAMETERS, view)}">${search.removeAll}</a></li>\n`;
  return html`<nav aria-label="${search.conditions}"><ul class="chips" role="list">
${chips}${all}</ul></nav>
`;
}

function resultsSection(view: SearchView): Markup {
  const { result, tenders, parameters, pageSize, language } = view;
  const { search } = messagesIn(language);
  const incomplete = result.isIncomplete ? notice("information", html`<p>${search.incomplete}</p>`) : EMPTY_MARKUP;
  if (result.count === 0)
    return html`<section aria-labelledby="results"><h2 id="results">${search.none}</h2>
${incomplete}<ul>
${search.noneHints.map((hint) => html`<li>${hint}</li>\n`)}</ul></section>`;
  const pageCount = Math.ceil(result.count / pageSize);
  const pages = pagination(
    { page: parameters.page, pageCount, hrefOf: (page) => searchPathOf({ ...parameters, page }, view) },
    language,
  );
  const list =
    tenders.length === 0
      ? html`<p>${search.noneOnPage} <a href="${searchPathOf({ ...parameters, page: 1 }, view)}">${search.firstPage}</a></p>`
      : renderTenderList(tenders, view);
  return html`<section aria-labelledby="results">
<h2 id="results">${countText(view)}</h2>
${result.isMore ? html`<p class="quiet">${search.countOverHint(formatNumber(SEARCH_MATCHES_MAX, language))}</p>\n` : EMPTY_MARKUP}${incomplete}<p class="jump"><a href="#narrow">${search.narrow}</a></p>
${sortLinks(view)}
${currencyNote(view)}${list}
${pages}${formLinks(view)}
</section>`;
}

/** Amounts are compared without conversion, which readers must know unless they chose a currency. */
function currencyNote({ parameters, language }: SearchView): Markup {
  const { sort, valueMin, valueMax, currency } = parameters;
  const comparesAmounts = sort === "value" || valueMin !== undefined || valueMax !== undefined;
  if (!comparesAmounts || currency !== undefined) return EMPTY_MARKUP;
  return html`<p class="quiet" id="currency-note">${messagesIn(language).search.mixedCurrencies}</p>\n`;
}

function countText({ result: { count, isMore }, language }: SearchView): string {
  const { search } = messagesIn(language);
  const number = formatNumber(count, language);
  return isMore ? search.countOver(number) : search.count(count, number);
}

function sortLinks(view: SearchView): Markup {
  const { parameters, language } = view;
  const { search } = messagesIn(language);
  const sorts = SEARCH_SORTS.filter((sort) => sort !== "relevance" || parameters.q !== "");
  const links = sorts.map((sort) => {
    const isCurrent =
      sort === parameters.sort || (parameters.q === "" && parameters.sort === "relevance" && sort === "newest");
    const href = searchPathOf(changeParameters(parameters, { sort }), view);
    return html`<li><a href="${href}" rel="nofollow"${isCurrent ? html` aria-current="true"` : EMPTY_MARKUP}>${search.sorts[sort]}</a></li>\n`;
  });
  return html`<nav class="sorts" aria-label="${search.sort}"><span aria-hidden="true">${search.sort}:</span> <ul role="list">
${links}</ul></nav>`;
}

function formLinks(view: SearchView): Markup {
  const { search } = messagesIn(view.language);
  const parameters = { ...view.parameters, page: 1 };
  const links = formNamesOf(view).map(
    (form) =>
      html`<li><a href="${searchPathOf(parameters, view, `.${form}`)}" type="${SEARCH_FORMS[form]}" rel="nofollow">${search[form]}</a></li>\n`,
  );
  return html`
<section class="forms" aria-labelledby="forms"><h3 id="forms">${search.forms}</h3>
<ul role="list">
${links}</ul></section>`;
}
