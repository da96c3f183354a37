import { CURRENT_SEGMENT, dialectNamed } from "../../dialects/dialects.ts";
import { renderSearch } from "../../feed/search.ts";
import type { HttpResponse } from "../../http/responses.ts";
import { cpvAncestors, cpvChildren } from "../../indexing/cpvTree.ts";
import { readSearchParameters, type SearchProblem } from "../../indexing/readSearchParameters.ts";
import { type SearchParameters, searchFilterOf } from "../../indexing/searchParameters.ts";
import { SEARCH_FACETS, type SearchResult } from "../../indexing/searchQuery.ts";
import { fileProblemsResponse } from "../layout/fileResponse.ts";
import { type PageRequest, pageResponse } from "../layout/pageRequest.ts";
import type { PortalRoute } from "../layout/portalRoute.ts";
import { readListedTenders } from "./listedTenders.ts";
import { readOrganizationChoices } from "./organizationChoice.ts";
import { listSameUntil } from "./resultList.ts";
import { type SearchContext, type SearchPagePorts, searchContextOf } from "./searchContext.ts";
import { searchAtom, searchCalendar, searchCsv } from "./searchForms.ts";
import { organizationChoicePage, type SearchForm, searchPage, searchProblemsPage } from "./searchPage.ts";
import { searchProblemText } from "./searchProblems.ts";
import { type OrganizationChoice, type SearchView, searchPathOf } from "./searchView.ts";

/** The addresses of the search: `/tenders`, and the same results at `/tenders.csv`, `.json`, `.atom` and `.ics`. */

const PAGE_SIZE = 20;

export const SEARCH_ROUTES: readonly PortalRoute<SearchPagePorts>[] = [
  { pattern: /^\/tenders$/, parameters: "checked by handler", handle: showSearchPage },
  { pattern: /^\/tenders\.json$/, parameters: "checked by handler", handle: showJson },
  { pattern: /^\/tenders\.(csv|atom|ics)$/, parameters: "checked by handler", handle: showForm },
];

async function showSearchPage(ports: SearchPagePorts, pageRequest: PageRequest): Promise<HttpResponse> {
  const { query, site, language } = pageRequest;
  const context = searchContextOf(ports, pageRequest);
  const { zone } = context;
  const { parameters, problems } = readSearchParameters(query, { zone, pageSize: PAGE_SIZE });
  const page = { parameters, query, site, language, zoneName: zone.name, pageSize: PAGE_SIZE };
  if (problems.length > 0) return showProblems(ports, pageRequest, page, problems);
  // A form sends all its fields; the address without the empty ones is the one to keep and to share.
  if ([...query.values()].includes("")) return redirectTo(searchPathOf(parameters, page));
  const version = await ports.registry.catchUp();
  const result = await searchWithFacets(context, parameters);
  const tenders = await readListedTenders(ports.registry, result.ids);
  const organizationNames = await context.readOrganizationNames(organizationsIn(parameters, result));
  const categoryNames = await context.readCategoryNames(categoriesIn(parameters));
  // What looks like a key may be a name, too.
  const choices =
    result.count === 0 ? await readOrganizationChoices(ports.registry, query, "unknown keys") : NO_CHOICES;
  const view: SearchView = { ...page, result, tenders, organizationNames, categoryNames, choices };
  const sameUntil = listSameUntil(tenders, language);
  const isFresh = async () =>
    (await ports.registry.nowFor({})) < sameUntil && (await ports.registry.isFreshAt(version));
  return pageResponse(searchPage(view), pageRequest, result.isIncomplete ? {} : { isFresh });
}

const NO_CHOICES: readonly OrganizationChoice[] = [];

/** The page for parameters that are not valid: if all are names of organisations, those that have them, and otherwise what is wrong. */
async function showProblems(
  { registry }: SearchPagePorts,
  pageRequest: PageRequest,
  page: Parameters<typeof searchProblemsPage>[0],
  problems: readonly SearchProblem[],
): Promise<HttpResponse> {
  const areNames = problems.every(({ kind }) => kind === "organization");
  const version = await registry.catchUp();
  const choices = areNames ? await readOrganizationChoices(registry, pageRequest.query, "names") : NO_CHOICES;
  const wrong = new Set(problems.map(({ parameter, value }) => `${parameter} ${value}`));
  if (choices.length < wrong.size || !areNames)
    return pageResponse(searchProblemsPage(page, problems), pageRequest, { status: 400 });
  return pageResponse(organizationChoicePage({ ...page, choices }), pageRequest, {
    isFresh: () => registry.isFreshAt(version),
  });
}

const redirectTo = (path: string): HttpResponse => ({
  status: 302,
  headers: { Location: path, "Cache-Control": "no-cache" },
});

const searchWithFacets = ({ registry, zone }: SearchContext, parameters: SearchParameters): Promise<SearchResult> =>
  registry.search({
    filter: searchFilterOf(parameters, zone),
    sort: parameters.sort,
    offset: (parameters.page - 1) * PAGE_SIZE,
    limit: PAGE_SIZE,
    facets: SEARCH_FACETS,
  });

const organizationsIn = ({ buyers, suppliers }: SearchParameters, { facets }: SearchResult): readonly string[] => [
  ...buyers,
  ...suppliers,
  ...[...(facets.buyer ?? []), ...(facets.supplier ?? [])].map(({ value }) => value),
];

/** The categories that the page may name: those of the search, and in the tree those above and below. */
const categoriesIn = ({ classifications }: SearchParameters): readonly string[] =>
  classifications.flatMap((category) => [...cpvAncestors(category), category, ...cpvChildren(category)]);

const FORMS: {
  readonly [form in Exclude<SearchForm, "json" | "ocds.json">]: (
    context: SearchContext,
    parameters: SearchParameters,
    version: number,
  ) => Promise<HttpResponse>;
} = { csv: searchCsv, atom: searchAtom, ics: searchCalendar };

const JSON_PAGE_SIZE = 100;

/** The results as the API shows them. Links to further pages lead there. */
async function showJson(ports: SearchPagePorts, pageRequest: PageRequest): Promise<HttpResponse> {
  const { query, origin } = pageRequest;
  const { parameters, problems } = readSearchParameters(query, { zone: ports.config.zone, pageSize: JSON_PAGE_SIZE });
  if (problems.length > 0) return problemsText(problems, pageRequest, JSON_PAGE_SIZE);
  const version = await ports.registry.catchUp();
  const dialect = dialectNamed(ports.dialects, CURRENT_SEGMENT);
  const context = { ports, dialect, root: `${origin}/api/${CURRENT_SEGMENT}` };
  const echoed = [["limit", String(JSON_PAGE_SIZE)]] as const;
  const { text, isIncomplete } = await renderSearch(context, { parameters, limit: JSON_PAGE_SIZE, fields: [], echoed });
  const isFresh = () => ports.registry.isFreshAt(version);
  return { status: 200, json: text, ...(isIncomplete ? {} : { isFresh }) };
}

async function showForm(
  ports: SearchPagePorts,
  pageRequest: PageRequest,
  [form = ""]: readonly string[],
): Promise<HttpResponse> {
  const context = searchContextOf(ports, pageRequest);
  const { parameters, problems } = readSearchParameters(pageRequest.query, { zone: context.zone, pageSize: PAGE_SIZE });
  // These forms have all results at once.
  const pageProblems: readonly SearchProblem[] =
    parameters.page === 1 ? [] : [{ parameter: "page", kind: "unknown parameter", value: "page" }];
  const allProblems = [...problems, ...pageProblems];
  if (allProblems.length > 0) return problemsText(allProblems, pageRequest, PAGE_SIZE);
  const version = await ports.registry.catchUp();
  return FORMS[form === "atom" || form === "ics" ? form : "csv"](context, parameters, version);
}

/** The problems for a program: as plain text. */
const problemsText = (problems: readonly SearchProblem[], { language }: PageRequest, pageSize: number): HttpResponse =>
  fileProblemsResponse(
    problems.map((problem) => searchProblemText(problem, { language, pageSize })),
    language,
  );
