import type { Config } from "../../config/config.ts";
import { BAD_PARAMS, NO_RELEASES, OPEN_DATA_OFF } from "../../http/errorResponses.ts";
import type { HttpResponse } from "../../http/responses.ts";
import { readSearchParameters } from "../../indexing/readSearchParameters.ts";
import { formatSearchParameters, type SearchParameters, searchFilterOf } from "../../indexing/searchParameters.ts";
import { type OpenData, openGenerationCheck } from "../../opendata/openData.ts";
import { BAD_MODE } from "../../opendata/pageParameters.ts";
import type { PageLinks } from "../../opendata/publication.ts";
import { recordPackageJson } from "../../opendata/recordPages.ts";
import { type RecordText, recordOf } from "../../opendata/records.ts";
import type { Registry } from "../../registry/registry.ts";
import { type PageRequest, pageResponse } from "../layout/pageRequest.ts";
import type { PortalRoute } from "../layout/portalRoute.ts";
import { searchProblemText } from "../search/searchProblems.ts";
import { dataPage } from "./dataPage.ts";

/** What the pages of open data need. */
export type DataPagePorts = {
  readonly registry: Registry;
  readonly config: Config;
  /** Undefined if the registry publishes none. */
  readonly openData: OpenData | undefined;
};

/** The page of open data, and the records of the tenders that a search finds. */
export const DATA_ROUTES: readonly PortalRoute<DataPagePorts>[] = [
  { pattern: /^\/data$/, handle: showDataPage },
  { pattern: /^\/tenders\.ocds\.json$/, parameters: "checked by handler", handle: showSearchRecords },
];

async function showDataPage({ config, openData }: DataPagePorts, pageRequest: PageRequest): Promise<HttpResponse> {
  const { site, language } = pageRequest;
  if (!openData || !config.openData) return OPEN_DATA_OFF;
  const state = await openData.bulkState();
  const view = { settings: config.openData, state, site, language, zoneName: config.zone.name };
  return pageResponse(dataPage(view), pageRequest);
}

/** As many as on a page of the search. */
const PAGE_SIZE = 20;

async function showSearchRecords(ports: DataPagePorts, pageRequest: PageRequest): Promise<HttpResponse> {
  const { registry, config, openData } = ports;
  const { query, origin, language } = pageRequest;
  if (!openData || !config.openData) return OPEN_DATA_OFF;
  const { parameters, problems } = readSearchParameters(query, { zone: config.zone, pageSize: PAGE_SIZE });
  const badParameters = [
    ...problems.map((problem) => ({
      name: problem.parameter,
      description: searchProblemText(problem, { language, pageSize: PAGE_SIZE }),
    })),
    ...(parameters.mode === "real" ? [] : [BAD_MODE]),
  ];
  if (badParameters.length > 0) return BAD_PARAMS(badParameters);
  const isSameGeneration = await openGenerationCheck(openData);
  const version = await registry.catchUp();
  const { ids, count, isIncomplete } = await registry.search({
    filter: searchFilterOf(parameters, config.zone),
    ...{ sort: parameters.sort, offset: (parameters.page - 1) * PAGE_SIZE, limit: PAGE_SIZE, facets: [] },
  });
  const publication = { openData, settings: config.openData, origin };
  // A page of a search has all its tenders, so it leaves out what may be long: versioned releases are in the records of single tenders.
  const records: RecordText[] = [];
  for (const id of ids) {
    const tender = await registry.tender(id);
    const record = tender && (await recordOf(ports, publication, tender, "compiled"));
    if (record) records.push(record);
  }
  const address = recordsAddress(origin, parameters, parameters.page);
  const json = recordPackageJson(records, address, publication, linksOf(origin, parameters, count));
  if (json === undefined) return NO_RELEASES;
  const isFresh = async () => (await registry.isFreshAt(version)) && (await isSameGeneration());
  return { status: 200, json, ...(!isIncomplete && { isFresh }) };
}

/** The address of a page of records, with the canonical parameters of the search. */
function recordsAddress(origin: string, parameters: SearchParameters, page: number): string {
  const query = String(formatSearchParameters({ ...parameters, page }));
  return `${origin}/tenders.ocds.json${query && `?${query}`}`;
}

/** The links of a page of a search with so many results. */
function linksOf(origin: string, parameters: SearchParameters, count: number): PageLinks {
  const { page } = parameters;
  return {
    ...(page * PAGE_SIZE < count && { next: recordsAddress(origin, parameters, page + 1) }),
    ...(page > 1 && { prev: recordsAddress(origin, parameters, page - 1) }),
  };
}
