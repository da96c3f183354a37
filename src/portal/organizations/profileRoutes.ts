import { NOT_FOUND } from "../../http/errorResponses.ts";
import type { HttpResponse } from "../../http/responses.ts";
import { indexKey } from "../../indexing/organizationKeys.ts";
import type { OrganizationRole } from "../../indexing/organizationQuery.ts";
import { SEARCH_MATCHES_MAX } from "../../indexing/searchQuery.ts";
import { AMOUNT_MEASURES, COUNT_MEASURES } from "../../indexing/statistics.ts";
import { unknownParameters } from "../../indexing/unknownParameters.ts";
import type { PageProblem } from "../layout/components.ts";
import { readIndexFreshness } from "../layout/indexFreshness.ts";
import { messagesIn } from "../layout/messages/messages.ts";
import { type PageRequest, pageResponse } from "../layout/pageRequest.ts";
import { pagePathOf } from "../layout/portalPage.ts";
import type { PortalRoute } from "../layout/portalRoute.ts";
import { html } from "../markup.ts";
import { type Figures, successRate } from "../statistics/figures.ts";
import {
  type OrganizationProfile,
  PROFILE_TENDERS,
  type ProfilePorts,
  readProfile,
  readProfileTenders,
} from "./profile.ts";
import { profilePage, profilePath } from "./profilePage.ts";

/** The addresses of profiles: `/buyers/<key>` and `/suppliers/<key>`, with `.json` as data. */
export const PROFILE_ROUTES: readonly PortalRoute<ProfilePorts>[] = [
  { pattern: /^\/(buyers|suppliers)\/([^/]+)\.json$/, handle: sendProfile },
  { pattern: /^\/(buyers|suppliers)\/([^/]+)$/, parameters: "checked by handler", handle: showProfile },
];

const PAGES_MAX = SEARCH_MATCHES_MAX / PROFILE_TENDERS;
/** How much of a wrong parameter or key is shown. */
const SHOWN_LENGTH_MAX = 100;

/** The role and the key in a path. A path that is not encoded properly names nobody. */
function readPath([folder, encoded = ""]: readonly string[]): {
  readonly role: OrganizationRole;
  readonly key: string;
} {
  const role = folder === "buyers" ? "buyer" : "supplier";
  try {
    return { role, key: indexKey(decodeURIComponent(encoded)) };
  } catch {
    return { role, key: indexKey(encoded) };
  }
}

/** Reads the page of the list from the query. With problems, it is the first. */
function readPage(
  query: URLSearchParams,
  { language }: PageRequest,
): { readonly page: number; readonly problems: readonly PageProblem[] } {
  const texts = messagesIn(language).profiles.problems;
  const shown = (text: string) => text.slice(0, SHOWN_LENGTH_MAX);
  const unknown = unknownParameters(query, ["page"]).map((name) => ({ message: texts.unknown(shown(name)) }));
  const wrongPages = query.getAll("page").flatMap((value, _, all): readonly PageProblem[] => {
    const isPage = /^[1-9]\d{0,2}$/.test(value) && Number(value) <= PAGES_MAX && all.length === 1;
    return isPage ? [] : [{ message: texts.page(shown(value)) }];
  });
  const problems = [...unknown, ...wrongPages];
  return { page: problems.length > 0 ? 1 : Number(query.get("page") ?? 1), problems };
}

async function showProfile(
  ports: ProfilePorts,
  pageRequest: PageRequest,
  parameters: readonly string[],
): Promise<HttpResponse> {
  const { registry, config } = ports;
  const { role, key } = readPath(parameters);
  const { isIncomplete, isFresh } = await readIndexFreshness(registry);
  const profile = await readProfile(ports, role, key);
  if (!profile) return unknownProfile(ports, pageRequest, role, key);
  const { page, problems } = readPage(pageRequest.query, pageRequest);
  const listed = await readProfileTenders(ports, role, key, page);
  const isBeyond = page > 1 && listed.tenders.length === 0;
  const allProblems = isBeyond
    ? [{ message: messagesIn(pageRequest.language).profiles.problems.pageBeyond(String(page)) }]
    : problems;
  const view = { profile, listed, page, problems: allProblems, isIncomplete, zoneName: config.zone.name };
  const rendered = profilePage(view, pageRequest.site, pageRequest.language);
  return pageResponse(rendered, pageRequest, allProblems.length > 0 ? { status: 400 } : { isFresh });
}

/** A page that says what could be wrong, with a search for the code. */
function unknownProfile(
  { config }: ProfilePorts,
  pageRequest: PageRequest,
  role: OrganizationRole,
  key: string,
): HttpResponse {
  const { language, site } = pageRequest;
  const texts = messagesIn(language).profiles;
  const shownKey = key.slice(0, SHOWN_LENGTH_MAX);
  // The code is what follows the scheme, and what the search finds.
  const query = new URLSearchParams({ q: shownKey.slice(shownKey.lastIndexOf("-") + 1) }).toString();
  const content = html`<h1>${texts.unknownTitle[role]}</h1>
<p>${texts.unknown[role](shownKey)}</p>
<p>${texts.unknownHelp}</p>
<p><a class="button" href="${pagePathOf(site, "/tenders", language)}?${query}">${texts.unknownSearch}</a></p>`;
  const page = {
    path: profilePath(role, key),
    title: texts.unknownTitle[role],
    description: texts.unknownHelp,
    content,
    zoneName: config.zone.name,
    section: "tenders",
    isUnlisted: true,
  } as const;
  return pageResponse(page, pageRequest, { status: 404 });
}

async function sendProfile(
  ports: ProfilePorts,
  pageRequest: PageRequest,
  parameters: readonly string[],
): Promise<HttpResponse> {
  const { registry } = ports;
  const { role, key } = readPath(parameters);
  const { isFresh } = await readIndexFreshness(registry);
  const profile = await readProfile(ports, role, key);
  if (!profile) return NOT_FOUND("organization_key");
  const { origin } = pageRequest.site;
  return {
    status: 200,
    headers: { "Cache-Control": "no-cache" },
    json: JSON.stringify({ data: profileData(profile, origin) }),
    isFresh,
  };
}

/** The profile as data. Amounts are strings, because they are exact. */
const profileData = ({ role, key, name, figures, partners, partnerCount }: OrganizationProfile, origin: string) => ({
  role,
  key,
  ...name,
  url: origin + profilePath(role, key),
  ...figureData(figures),
  ...(role === "supplier" && { successRate: successRate(figures) ?? null }),
  partnerCount,
  partners: partners.map((partner) => ({ key: partner.key, ...partner.name, ...figureData(partner.figures) })),
});

const figureData = ({ counts, amounts }: Figures) => ({
  counts: Object.fromEntries(COUNT_MEASURES.map((measure) => [measure, counts[measure]])),
  amounts: [...amounts].map(([currency, ofCurrency]) => ({
    currency,
    ...Object.fromEntries(AMOUNT_MEASURES.map((measure) => [measure, ofCurrency[measure]])),
  })),
});
