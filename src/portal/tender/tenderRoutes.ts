import type { Config } from "../../config/config.ts";
import type { Tender } from "../../domain/model/tender.ts";
import { findPastVersion } from "../../history/pastVersion.ts";
import { viewContextAt } from "../../http/exchange.ts";
import type { HttpResponse } from "../../http/responses.ts";
import type { Registry } from "../../registry/registry.ts";
import { viewChangesWithTime } from "../../views/visibility.ts";
import { CALENDAR_TYPE } from "../feeds/icalendar.ts";
import type { PageProblem } from "../layout/components.ts";
import { fileResponse } from "../layout/fileResponse.ts";
import { messagesIn } from "../layout/messages/messages.ts";
import { type PageRequest, pageResponse } from "../layout/pageRequest.ts";
import { pagePathOf } from "../layout/portalPage.ts";
import type { PortalRoute } from "../layout/portalRoute.ts";
import { qrSvgOf } from "../qr/qrSvg.ts";
import { echoed, readPageQuery } from "./pageQuery.ts";
import { readPublication } from "./publication.ts";
import { pastScreenOf, screenOf, screenSameUntil } from "./screenOf.ts";
import { renderTenderCalendar } from "./tenderCalendar.ts";
import { tenderNotFoundResponse } from "./tenderNotFound.ts";
import { entryCountOf, tenderPage } from "./tenderPage.ts";
import { type TenderScreen, tenderPath } from "./tenderScreen.ts";

/** The addresses of a tender: its page by id, the redirect from its number, its calendar and its QR code. */

/** What the pages of tenders need. */
export type TenderPagePorts = {
  readonly registry: Registry;
  readonly config: Config;
};

export const TENDER_ROUTES: readonly PortalRoute<TenderPagePorts>[] = [
  { pattern: /^\/tenders\/([^/]+)\.ics$/, handle: showCalendar },
  { pattern: /^\/tenders\/([^/]+)\/qr\.svg$/, handle: showQrCode },
  { pattern: /^\/tenders\/([^/]+)$/, parameters: "checked by handler", handle: showTender },
];

const ID = /^[0-9a-f]{32}$/;
/** The number that people know; they may type it in any case. */
const NUMBER = /^UA-\d{4}-\d\d-\d\d-\d{6,}$/i;

/** Decodes a segment of a path; one that cannot be decoded stays as it is. */
export function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** The tender of an address: found, at another address, or unknown. */
type FoundTender = { readonly tender: Tender } | { readonly movedTo: string } | undefined;

export async function findTender({ registry }: TenderPagePorts, segment: string): Promise<FoundTender> {
  const requested = decoded(segment).trim();
  const lowered = requested.toLowerCase();
  if (ID.test(lowered)) {
    if (lowered !== segment) return { movedTo: lowered };
    const tender = await registry.tender(lowered);
    return tender && tender.status !== "draft" ? { tender } : undefined;
  }
  const id = NUMBER.test(requested) ? await registry.findByNumber(requested.toUpperCase()) : undefined;
  return id === undefined ? undefined : { movedTo: id };
}

const REDIRECT_HEADERS = { "Cache-Control": "public, max-age=3600" };

/** The page of a tender by its id. Its number redirects there, so that each page has one address. */
async function showTender(
  ports: TenderPagePorts,
  pageRequest: PageRequest,
  [segment = ""]: readonly string[],
): Promise<HttpResponse> {
  const found = await findTender(ports, segment);
  if (!found) return tenderNotFoundResponse(pageRequest, decoded(segment), ports.config.zone.name);
  if ("movedTo" in found) return redirectTo(pageRequest, tenderPath(found.movedTo));
  const at = pageRequest.query.get("at");
  if (at !== null) return showPast(ports, pageRequest, found.tender, at);
  const screen = await readScreen(ports, pageRequest, found.tender);
  const { page, status } = renderScreen(screen, pageRequest, []);
  return pageResponse(page, pageRequest, { status, ...freshnessOf(ports, found.tender, screen) });
}

/** The check whether the screen is still the same. A test clock may be moved by another process at any time. */
function freshnessOf(
  { registry }: TenderPagePorts,
  tender: Tender,
  screen: TenderScreen,
): Pick<HttpResponse, "isFresh"> {
  const isCacheable = tender.testClock === undefined && !viewChangesWithTime(tender);
  return isCacheable ? { isFresh: registry.freshnessCheckOf(tender, screenSameUntil(screen)) } : {};
}

/** The page with what the query of the address asks for, and its status. `problems` are those that are known already. */
function renderScreen(screen: TenderScreen, pageRequest: PageRequest, problems: readonly PageProblem[]) {
  const { tender: texts } = messagesIn(pageRequest.language);
  const read = readPageQuery(pageRequest.query, (section) => entryCountOf(screen, section), texts);
  const all = [...problems, ...read.problems];
  return { page: tenderPage({ ...screen, query: read.query }, all), status: all.length > 0 ? 400 : 200 };
}

/** The tender as everybody saw it at an instant; the present page with an explanation if that cannot be shown. */
async function showPast(
  ports: TenderPagePorts,
  pageRequest: PageRequest,
  tender: Tender,
  text: string,
): Promise<HttpResponse> {
  const { registry, config } = ports;
  const { pastProblems } = messagesIn(pageRequest.language).tender;
  const realTime = await registry.nowFor({});
  const found = await findPastVersion(registry, tender, text, { zone: config.zone, realTime });
  const isPast = !("problem" in found);
  const screen = isPast
    ? pastScreenOf(
        found,
        tender,
        { zone: config.zone, sandbox: config.sandbox },
        pageRequest,
        await readPublication(registry, found.version.tender),
      )
    : await readScreen(ports, pageRequest, tender);
  const problems = isPast ? [] : [{ message: pastProblems[found.problem](echoed(text)) }];
  const { page, status } = renderScreen(screen, pageRequest, problems);
  return pageResponse(page, pageRequest, { status });
}

export const redirectTo = ({ site, language, request }: PageRequest, path: string): HttpResponse => {
  const query = /\?.*$/s.exec(request.url ?? "")?.[0] ?? "";
  return { status: 301, headers: { Location: pagePathOf(site, path, language) + query, ...REDIRECT_HEADERS } };
};

/** Everything that the page shows, at the time of the tender's clock. */
async function readScreen(
  { registry, config }: TenderPagePorts,
  pageRequest: PageRequest,
  tender: Tender,
): Promise<TenderScreen> {
  const publishedAt = await readPublication(registry, tender);
  return screenOf(tender, viewContextAt({ config }, await registry.nowFor(tender)), pageRequest, publishedAt);
}

async function showCalendar(
  ports: TenderPagePorts,
  pageRequest: PageRequest,
  [segment = ""]: readonly string[],
): Promise<HttpResponse> {
  const found = await findTender(ports, segment);
  if (!found) return tenderNotFoundResponse(pageRequest, decoded(segment), ports.config.zone.name);
  if ("movedTo" in found) return redirectTo(pageRequest, `${tenderPath(found.movedTo)}.ics`);
  const screen = await readScreen(ports, pageRequest, found.tender);
  return fileResponse(renderTenderCalendar(screen), {
    type: CALENDAR_TYPE,
    language: pageRequest.language,
    fileName: `${found.tender.tenderID}.ics`,
    ...freshnessOf(ports, found.tender, screen),
  });
}

const QR_POLICY = "default-src 'none'; frame-ancestors 'none'";

/** The QR code of the address of the page. It depends on the address alone, so it never changes. */
async function showQrCode(
  ports: TenderPagePorts,
  pageRequest: PageRequest,
  [segment = ""]: readonly string[],
): Promise<HttpResponse> {
  const found = await findTender(ports, segment);
  const { site, language, origin } = pageRequest;
  if (!found || "movedTo" in found)
    return tenderNotFoundResponse(pageRequest, decoded(segment), ports.config.zone.name);
  const path = pagePathOf(site, tenderPath(found.tender.id), language).slice(site.basePath.length);
  const svg = qrSvgOf(origin + path);
  if (svg === undefined) return tenderNotFoundResponse(pageRequest, decoded(segment), ports.config.zone.name);
  return {
    status: 200,
    headers: {
      "Content-Type": "image/svg+xml",
      "Content-Security-Policy": QR_POLICY,
      "Cache-Control": "public, max-age=31536000, immutable",
    },
    bytes: Buffer.from(svg),
  };
}
