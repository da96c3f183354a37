import type { Config } from "../config/config.ts";
import { BAD_PARAMS } from "../http/errorResponses.ts";
import { type Exchange, viewContextAt } from "../http/exchange.ts";
import { ignoredParametersHeader } from "../http/ignoredParameters.ts";
import { type HttpResponse, toCachedBody } from "../http/responses.ts";
import { readSearchParameters } from "../indexing/readSearchParameters.ts";
import {
  formatSearchParameters,
  SEARCH_PARAMETER_NAMES,
  type SearchParameters,
  searchFilterOf,
} from "../indexing/searchParameters.ts";
import { SEARCH_FACETS, type SearchResult } from "../indexing/searchQuery.ts";
import { publicTender } from "../views/publicTender.ts";
import { type EntryPorts, entryFieldNames, parseOptFields, type VersionContext } from "./feedEntries.ts";
import { pageLimitOf } from "./pageLimit.ts";
import { searchParamProblem } from "./searchProblems.ts";

/** The search over the API, and the JSON that pages offer of the same results. */

type SearchExchange = Exchange<EntryPorts & { readonly config: Pick<Config, "limits"> }>;

const PAGE_DEFAULT = 20;
const PAGE_MAX = 100;

/** The fields of a result, besides those of every entry of the feed, unless `opt_fields` asks for others. */
const SUMMARY_FIELDS = [
  ...["tenderID", "title", "title_en", "status", "procurementMethodType", "procuringEntity", "value", "tenderPeriod"],
  "mode",
];

const OTHER_PARAMS = ["limit", "opt_fields", "opt_pretty", "opt_jsonp", "acc_token"];
const KNOWN_PARAMS = new Set<string>([...SEARCH_PARAMETER_NAMES, ...OTHER_PARAMS]);

/** A page of the results of a search. */
export async function showSearch(exchange: SearchExchange): Promise<HttpResponse> {
  const { query, ports } = exchange;
  const limit = pageLimitOf(query, PAGE_DEFAULT, Math.min(PAGE_MAX, ports.config.limits.pageMax));
  const { parameters, problems } = readSearchParameters(query, { zone: ports.config.zone, pageSize: limit.value });
  const badParams = [
    // As everywhere in the API, parameters that nobody knows are not an error; a header names them.
    ...problems
      .filter(({ kind }) => kind !== "unknown parameter")
      .map((problem) => searchParamProblem(problem, limit.value)),
    ...(limit.problem ? [limit.problem] : []),
  ];
  if (badParams.length > 0) return BAD_PARAMS(badParams);
  const version = await ports.registry.catchUp();
  const fields = parseOptFields(query.get("opt_fields"));
  const echoed = OTHER_PARAMS.slice(0, 2).flatMap((name) => {
    const value = query.get(name);
    return value ? [[name, value] as const] : [];
  });
  const { text, isIncomplete } = await renderSearch(exchange, { parameters, limit: limit.value, fields, echoed });
  return {
    status: 200,
    headers: ignoredParametersHeader(query, KNOWN_PARAMS, []) ?? {},
    json: toCachedBody(text),
    ...(isIncomplete ? {} : { isFresh: () => ports.registry.isFreshAt(version) }),
  };
}

/** A page of results to render. */
export type SearchPageRequest = {
  readonly parameters: SearchParameters;
  readonly limit: number;
  /** Fields of the tender in addition to those that every entry has; those of a summary if there are none. */
  readonly fields: readonly string[];
  /** Further parameters that links to other pages repeat. */
  readonly echoed: readonly (readonly [string, string])[];
};

/** Searches, and renders a page of results as JSON for one version of the API. */
export async function renderSearch(
  context: VersionContext,
  request: SearchPageRequest,
): Promise<{ readonly text: string; readonly isIncomplete: boolean }> {
  const { parameters, limit, fields } = request;
  const { ports } = context;
  const result = await ports.registry.search({
    filter: searchFilterOf(parameters, ports.config.zone),
    sort: parameters.sort,
    offset: (parameters.page - 1) * limit,
    limit,
    facets: SEARCH_FACETS,
  });
  const entries = await Promise.all(result.ids.map((id) => renderTender(context, id, fields)));
  const rest = JSON.stringify({
    total: result.count,
    more: result.isMore,
    ...(result.isIncomplete && { incomplete: true }),
    facets: result.facets,
    ...pageLinks(context, request, result),
  });
  return { text: `{"data":[${entries.flat().join(",")}],${rest.slice(1)}`, isIncomplete: result.isIncomplete === true };
}

/** The tender as everyone sees it, in a list; empty if it is no longer public. */
async function renderTender(
  { ports, dialect, root }: VersionContext,
  id: string,
  fields: readonly string[],
): Promise<readonly string[]> {
  const { registry } = ports;
  // Nothing in a summary depends on bids.
  const tender = await (fields.length === 0 ? registry.tender(id, "none") : registry.tender(id));
  if (!tender || tender.status === "draft") return [];
  const view = publicTender(tender, viewContextAt(ports, await registry.nowFor(tender)));
  const names = entryFieldNames(dialect, fields.length === 0 ? SUMMARY_FIELDS : fields);
  return [dialect.write("Tender", view, root, names)];
}

function pageLinks({ root }: VersionContext, { parameters, limit, echoed }: SearchPageRequest, result: SearchResult) {
  const { page } = parameters;
  const link = (target: number) => {
    const query = formatSearchParameters({ ...parameters, page: target });
    for (const [name, value] of echoed) query.append(name, value);
    const uri = `${root}/search?${query}`;
    return { page: target, path: uri.replace(/^\w+:\/\/[^/]+/, ""), uri };
  };
  return {
    ...(page * limit < result.count && { next_page: link(page + 1) }),
    ...(page > 1 && { prev_page: link(page - 1) }),
  };
}
