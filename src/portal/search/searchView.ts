import type { Decimal } from "../../domain/values/decimal.ts";
import type { OrganizationList } from "../../indexing/organizationQuery.ts";
import {
  defaultSearchSort,
  formatSearchParameters,
  type SearchList,
  type SearchParameters,
} from "../../indexing/searchParameters.ts";
import type { SearchFacet, SearchResult } from "../../indexing/searchQuery.ts";
import { type CpvName, cpvName, type GivenCategoryNames } from "../cpv/cpv.ts";
import { formatDecimal, formatMoment } from "../layout/formats.ts";
import type { Language } from "../layout/languages.ts";
import { messagesIn } from "../layout/messages/messages.ts";
import { nameOf } from "../layout/nameOf.ts";
import { type PortalSite, pagePathOf } from "../layout/portalPage.ts";
import { html, type Markup } from "../markup.ts";
import type { ListedTender } from "./listedTenders.ts";

/** The organisations for a text in one of the fields of organisations. */
export type OrganizationChoice = {
  readonly list: "buyers" | "suppliers";
  /** As it was sent. */
  readonly text: string;
  readonly found: OrganizationList;
};

/** What the page of a search shows. */
export type SearchView = {
  readonly parameters: SearchParameters;
  /** The query as it was sent, for fields whose values are not valid. */
  readonly query: URLSearchParams;
  readonly result: SearchResult;
  readonly tenders: readonly ListedTender[];
  /** The names of the organisations that the page mentions, by their keys. */
  readonly organizationNames: ReadonlyMap<string, string>;
  /** The names that tenders give to categories, if the language of the page is theirs. */
  readonly categoryNames: GivenCategoryNames;
  /** For names in the fields of organisations. */
  readonly choices: readonly OrganizationChoice[];
  readonly pageSize: number;
  readonly site: PortalSite;
  readonly language: Language;
  readonly zoneName: string;
};

/** The path of the search in a form, `.csv` and so on, with its canonical query; without the base path if `site` has none. */
export function searchPathOf(
  parameters: SearchParameters,
  { site, language }: Pick<SearchView, "site" | "language">,
  form = "",
): string {
  return pagePathOf(site, `/tenders${form}`, language) + searchQueryText(parameters);
}

/** The canonical query with its question mark; empty for a search without conditions. */
export function searchQueryText(parameters: SearchParameters): string {
  const query = String(formatSearchParameters(parameters));
  return query === "" ? "" : `?${query}`;
}

/** The parameters with changes, on the first page. Without words there is no relevance to sort by. */
export function changeParameters(parameters: SearchParameters, changes: Partial<SearchParameters>): SearchParameters {
  const changed = { ...parameters, page: 1, ...changes };
  const wasDefault = parameters.sort === defaultSearchSort(parameters);
  return wasDefault && changes.sort === undefined ? { ...changed, sort: defaultSearchSort(changed) } : changed;
}

/** The parameters with or without a value of a list. */
export function toggleValue(parameters: SearchParameters, list: SearchList, value: string): SearchParameters {
  const values = parameters[list];
  const changed = values.includes(value) ? values.filter((other) => other !== value) : [...values, value].sort();
  return changeParameters(parameters, { [list]: changed });
}

/** The facets that the page has a part for; the categories below a division are part of the tree that begins with the divisions. */
export type ShownFacet = Exclude<SearchFacet, "category">;

/** The list of parameters that a facet filters by. */
export const FACET_LISTS: { readonly [facet in ShownFacet]: SearchList } = {
  status: "statuses",
  procedure: "procedures",
  division: "classifications",
  region: "regions",
  buyer: "buyers",
  supplier: "suppliers",
};

/** What the names of values depend on. */
type NamingView = Pick<SearchView, "language" | "organizationNames" | "categoryNames">;

/** What people call a value of a list, as text; categories of the CPV come with their code. */
export function valueName(view: NamingView, list: SearchList, value: string): string {
  const { names, regions } = messagesIn(view.language);
  switch (list) {
    case "statuses":
      return nameOf(names.tenderStatuses, value);
    case "procedures":
      return nameOf(names.procedures, value);
    case "regions":
      return nameOf(regions, value);
    case "classifications":
      return [value, cpvName(value, view.language, view.categoryNames)?.text]
        .filter((text) => text !== undefined)
        .join(" ");
    case "buyers":
    case "suppliers":
      return view.organizationNames.get(value) ?? value;
  }
}

/** The same as markup, with the language of the name if it is not that of the page. */
export function valueMarkup(view: NamingView, list: SearchList, value: string): Markup {
  if (list === "classifications")
    return cpvMarkup(value, cpvName(value, view.language, view.categoryNames), view.language);
  const name = valueName(view, list, value);
  return list === "buyers" || list === "suppliers" ? html`<bdi lang="">${name}</bdi>` : html`${name}`;
}

function cpvMarkup(category: string, name: CpvName | undefined, language: Language): Markup {
  if (!name) return html`${category}`;
  return name.language === language
    ? html`${category} ${name.text}`
    : html`${category} <span lang="${name.language}">${name.text}</span>`;
}

/** One condition of a search, in words, with the parameters without it. */
export type SearchCondition = { readonly text: Markup; readonly plain: string; readonly without: SearchParameters };

const LISTS: readonly SearchList[] = ["statuses", "procedures", "classifications", "buyers", "suppliers", "regions"];

/** All conditions of a search, in the order of the form. */
export function conditionsIn(view: NamingView & Pick<SearchView, "parameters">): readonly SearchCondition[] {
  const { parameters, language } = view;
  const { search } = messagesIn(language);
  const { q, valueMin, valueMax, currency, mode } = parameters;
  const { publishedFrom, publishedTo, deadlineFrom, deadlineTo } = parameters;
  const plainCondition = (plain: string, changes: Partial<SearchParameters>): SearchCondition => ({
    text: html`${plain}`,
    plain,
    without: changeParameters(parameters, changes),
  });
  const range = (name: string, from: string | undefined, to: string | undefined, changes: Partial<SearchParameters>) =>
    from === undefined && to === undefined
      ? []
      : [plainCondition(`${name}: ${rangeText(from, to, language)}`, changes)];
  const amount = (value: Decimal | undefined) => value && formatDecimal(value, language);
  const moment = (text: string | undefined) => text && dayText(text, language);
  return [
    ...(q === "" ? [] : [{ ...plainCondition(q, { q: "" }), text: html`<bdi lang="">${q}</bdi>` }]),
    ...LISTS.flatMap((list) =>
      parameters[list].map((value) => ({
        text: valueMarkup(view, list, value),
        plain: valueName(view, list, value),
        without: toggleValue(parameters, list, value),
      })),
    ),
    ...range(search.value, amount(valueMin), amount(valueMax), { valueMin: undefined, valueMax: undefined }),
    ...(currency === undefined ? [] : [plainCondition(`${search.currency}: ${currency}`, { currency: undefined })]),
    ...range(search.published, moment(publishedFrom), moment(publishedTo), {
      publishedFrom: undefined,
      publishedTo: undefined,
    }),
    ...range(search.deadline, moment(deadlineFrom), moment(deadlineTo), {
      deadlineFrom: undefined,
      deadlineTo: undefined,
    }),
    ...(mode === "real" ? [] : [plainCondition(search.test, { mode: "real" })]),
  ];
}

/** A day as the language writes it; other moments as they were given. */
function dayText(text: string, language: Language): string {
  const at = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? text : formatMoment(at * 1000, "date", "UTC", language);
}

function rangeText(from: string | undefined, to: string | undefined, language: Language): string {
  const { search } = messagesIn(language);
  if (from === undefined) return search.onlyTo(to ?? "");
  return to === undefined ? search.onlyFrom(from) : search.between(from, to);
}

/** All conditions as one text, for titles. */
export const conditionsText = (view: NamingView & Pick<SearchView, "parameters">): string =>
  conditionsIn(view)
    .map(({ plain }) => plain)
    .join(", ");
