import type { IncomingMessage } from "node:http";
import type { Config } from "../config/config.ts";
import { METHOD_NOT_ALLOWED } from "../http/errorResponses.ts";
import { type HttpResponse, OPTIONS_RESPONSE } from "../http/responses.ts";
import { isReadMethod } from "../http/securityHeaders.ts";
import { AUCTION_ROUTES, type AuctionPagePorts } from "./auctions/auctionRoutes.ts";
import { CALENDAR_ROUTES } from "./calendar/calendarRoutes.ts";
import { CHANGES_ROUTES } from "./changes/changesRoutes.ts";
import { DATA_ROUTES, type DataPagePorts } from "./data/dataRoutes.ts";
import { HOME_ROUTES } from "./home/homeRoutes.ts";
import { fileProblemsResponse } from "./layout/fileResponse.ts";
import { languagePrefixOf } from "./layout/languages.ts";
import type { PageRequest } from "./layout/pageRequest.ts";
import { handlePortalAssets } from "./layout/portalAssets.ts";
import type { PortalSite } from "./layout/portalPage.ts";
import type { PortalRoute } from "./layout/portalRoute.ts";
import { portalSiteOf } from "./layout/portalSite.ts";
import { unknownParameterProblems } from "./layout/unknownParameters.ts";
import { ORGANIZATION_ROUTES } from "./organizations/organizationRoutes.ts";
import { PROFILE_ROUTES } from "./organizations/profileRoutes.ts";
import { PREVIEW_ROUTES } from "./preview/previewRoutes.ts";
import type { SearchPagePorts } from "./search/searchContext.ts";
import { SEARCH_ROUTES } from "./search/searchRoutes.ts";
import { acceptsHtml, notFoundPage } from "./site/notFoundPage.ts";
import { SITE_ROUTES, type SitePorts } from "./site/siteRoutes.ts";
import { STATISTICS_ROUTES } from "./statistics/statisticsRoutes.ts";
import { TENDER_ROUTES, type TenderPagePorts } from "./tender/tenderRoutes.ts";

/** What the pages of the portal need. */
export type PortalPorts = AuctionPagePorts &
  DataPagePorts &
  SearchPagePorts &
  SitePorts &
  TenderPagePorts & { readonly config: Config };

/** All pages of the portal, in every language. */
export const PORTAL_ROUTES: readonly PortalRoute<PortalPorts>[] = [
  ...HOME_ROUTES,
  ...PREVIEW_ROUTES,
  ...SITE_ROUTES,
  ...AUCTION_ROUTES,
  ...SEARCH_ROUTES,
  ...CHANGES_ROUTES,
  ...TENDER_ROUTES,
  ...STATISTICS_ROUTES,
  ...ORGANIZATION_ROUTES,
  ...PROFILE_ROUTES,
  ...CALENDAR_ROUTES,
  ...DATA_ROUTES,
];

/** Handles the pages of the portal, in any language, and the files that they load; undefined for any other path. */
export function handlePortal(
  ports: PortalPorts,
  request: IncomingMessage,
  origin: string,
  path: string,
  query: string,
): Promise<HttpResponse> | HttpResponse | undefined {
  const asset = handlePortalAssets(path);
  if (asset) return refuseMethod(request, "GET") ?? asset;
  const { language, path: pagePath } = languagePrefixOf(path) ?? { language: ports.config.language, path };
  for (const route of PORTAL_ROUTES) {
    const groups = route.pattern.exec(pagePath)?.slice(1);
    if (!groups) continue;
    const parameters = new URLSearchParams(query);
    const site = portalSiteOf(ports.config, origin);
    const problems = unknownParameterProblems(parameters, route.parameters, language);
    const pageRequest: PageRequest = {
      ...{ request, path: pagePath, query: parameters, origin, language, site, problems },
    };
    const refusal = refuseMethod(request, route.method ?? "GET") ?? refuseParameters(pageRequest);
    return refusal ?? respond(route.handle(ports, pageRequest, groups), ports, pageRequest);
  }
  return redirectFromSlash(request, path, pagePath, query, portalSiteOf(ports.config, origin));
}

const SLASH_REDIRECT_HEADERS = { "Cache-Control": "public, max-age=3600" };

/** The redirect from the address of a page with a slash at its end; undefined if there is no such page. */
function redirectFromSlash(
  request: IncomingMessage,
  path: string,
  pagePath: string,
  query: string,
  { basePath }: PortalSite,
): HttpResponse | undefined {
  if (!isReadMethod(request.method) || !/[^/]\/$/.test(pagePath)) return undefined;
  const page = pagePath.slice(0, -1);
  const isPage = PORTAL_ROUTES.some(({ method = "GET", pattern }) => method === "GET" && pattern.test(page));
  if (!isPage || isFilePath(page)) return undefined;
  const location = basePath + path.slice(0, -1) + (query === "" ? "" : `?${query}`);
  return { status: 301, headers: { Location: location, ...SLASH_REDIRECT_HEADERS } };
}

/** Whether the path is that of a file, such as a feed or a table. */
const isFilePath = (path: string): boolean => /\.[a-z]+$/.test(path);

/** The refusal of a file whose address has parameters that it does not know. Pages show such problems themselves. */
function refuseParameters({ path, language, problems = [] }: PageRequest): HttpResponse | undefined {
  if (!isFilePath(path) || problems.length === 0) return undefined;
  return fileProblemsResponse(
    problems.map(({ message }) => message),
    language,
  );
}

/** The response of a page. What does not exist is a page for browsers, and JSON for programs. */
async function respond(
  pending: Promise<HttpResponse> | HttpResponse,
  ports: PortalPorts,
  { request, origin, path, language }: PageRequest,
): Promise<HttpResponse> {
  const response = await pending;
  const isMissing = response.status === 404 && response.errors !== undefined;
  return isMissing && acceptsHtml(request) ? notFoundPage(ports, origin, path, language) : response;
}

/** The response to OPTIONS and to any other method than that of the route. */
function refuseMethod({ method }: IncomingMessage, allowed: "GET" | "POST"): HttpResponse | undefined {
  const methods = allowed === "GET" ? "GET, HEAD" : allowed;
  if (method === "OPTIONS") return OPTIONS_RESPONSE(methods);
  const isAllowed = allowed === "GET" ? isReadMethod(method) : method === allowed;
  return isAllowed ? undefined : METHOD_NOT_ALLOWED(methods);
}
