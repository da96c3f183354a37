import type { HttpResponse } from "../../http/responses.ts";
import type { OrganizationRole } from "../../indexing/organizationQuery.ts";
import { SEARCH_TEXT_LENGTH_MAX, searchPagesMax } from "../../indexing/readSearchParameters.ts";
import { unknownParameters } from "../../indexing/unknownParameters.ts";
import { searchTermsOf } from "../../indexing/words.ts";
import type { PageProblem } from "../layout/components.ts";
import { formatNumber } from "../layout/formats.ts";
import { readIndexFreshness } from "../layout/indexFreshness.ts";
import { messagesIn } from "../layout/messages/messages.ts";
import { type PageRequest, pageResponse } from "../layout/pageRequest.ts";
import type { PortalRoute } from "../layout/portalRoute.ts";
import { LISTED_ORGANIZATIONS, organizationListPage } from "./organizationList.ts";
import type { ProfilePorts } from "./profile.ts";

/** The addresses of the lists of organisations: `/buyers` and `/suppliers`, with the parameters `q` and `page`. */
export const ORGANIZATION_ROUTES: readonly PortalRoute<ProfilePorts>[] = [
  {
    pattern: /^\/buyers$/,
    parameters: "checked by handler",
    handle: (ports, pageRequest) => showList(ports, pageRequest, "buyer"),
  },
  {
    pattern: /^\/suppliers$/,
    parameters: "checked by handler",
    handle: (ports, pageRequest) => showList(ports, pageRequest, "supplier"),
  },
];

const PAGES_MAX = searchPagesMax(LISTED_ORGANIZATIONS);
const PARAMETERS = ["q", "page"];
/** How much of a wrong parameter is shown. */
const SHOWN_LENGTH_MAX = 100;

type ListParameters = { readonly q: string; readonly page: number; readonly problems: readonly PageProblem[] };

/** Reads the parameters, and what is wrong with them. */
function readParameters({ query, language }: PageRequest): ListParameters {
  const texts = messagesIn(language).organizations.problems;
  const shown = (text: string) => text.slice(0, SHOWN_LENGTH_MAX).toWellFormed().replaceAll("\0", "");
  const q = (query.get("q") ?? "").trim().toWellFormed();
  const page = query.get("page") ?? "";
  const isPage = page === "" || (/^[1-9]\d{0,5}$/.test(page) && Number(page) <= PAGES_MAX);
  const areWords = q === "" || (q.length <= SEARCH_TEXT_LENGTH_MAX && searchTermsOf(q).length > 0);
  const repeated = PARAMETERS.filter((name) => query.getAll(name).length > 1);
  const unknown = [...unknownParameters(query, PARAMETERS), ...repeated];
  const problems: readonly PageProblem[] = [
    ...(areWords ? [] : [{ message: texts.q(shown(q)), fieldId: "q" }]),
    ...(isPage ? [] : [{ message: texts.page(shown(page), formatNumber(PAGES_MAX, language)) }]),
    ...unknown.map((name) => ({ message: texts.unknown(shown(name)) })),
  ];
  return { q: areWords ? q : shown(q), page: isPage && page !== "" ? Number(page) : 1, problems };
}

async function showList(
  { registry, config }: ProfilePorts,
  pageRequest: PageRequest,
  role: OrganizationRole,
): Promise<HttpResponse> {
  const { site, language } = pageRequest;
  const { q, page, problems } = readParameters(pageRequest);
  const { isIncomplete, isFresh } = await readIndexFreshness(registry);
  const list = await registry.organizations({
    role,
    terms: problems.length > 0 ? [] : searchTermsOf(q),
    offset: (page - 1) * LISTED_ORGANIZATIONS,
    limit: LISTED_ORGANIZATIONS,
  });
  const isBeyond = page > 1 && list.organizations.length === 0;
  const pageProblems = isBeyond
    ? [...problems, { message: messagesIn(language).organizations.problems.pageBeyond(String(page)) }]
    : problems;
  const view = { role, q, list, page, problems: pageProblems, isIncomplete, zoneName: config.zone.name };
  const rendered = organizationListPage(view, site, language);
  return pageResponse(rendered, pageRequest, pageProblems.length > 0 ? { status: 400 } : { isFresh });
}
