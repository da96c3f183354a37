import type { Config } from "../../config/config.ts";
import { auctionId } from "../../domain/auctions/tenderAuctions.ts";
import { areBidsSealed } from "../../domain/bids/sealing.ts";
import type { Tender } from "../../domain/model/tender.ts";
import { procedureOf } from "../../domain/procedures/index.ts";
import type { Instant } from "../../domain/values/time.ts";
import { viewContextAt } from "../../http/exchange.ts";
import type { HttpResponse } from "../../http/responses.ts";
import type { Registry } from "../../registry/registry.ts";
import { type PublicTender, publicTender } from "../../views/publicTender.ts";
import { viewChangesWithTime } from "../../views/visibility.ts";
import { CALENDAR_TYPE } from "../feeds/icalendar.ts";
import { messagesIn } from "../layout/messages/messages.ts";
import { type PageRequest, pageResponse } from "../layout/pageRequest.ts";
import { pagePathOf } from "../layout/portalPage.ts";
import type { PortalRoute } from "../layout/portalRoute.ts";
import { sameUntilOf } from "../layout/timeLeft.ts";
import { qrSvgOf } from "../qr/qrSvg.ts";
import { auctionPricesOf } from "./auctionPrices.ts";
import { currentActions } from "./currentActions.ts";
import { readPageQuery, WHOLE_PAGE } from "./pageQuery.ts";
import { renderTenderCalendar } from "./tenderCalendar.ts";
import { tenderNotFoundResponse } from "./tenderNotFound.ts";
import { entryCountOf, tenderPage } from "./tenderPage.ts";
import { type TenderScreen, tenderPath } from "./tenderScreen.ts";
import { nextChangeOf, tenderTimeline } from "./tenderTimeline.ts";

/** The addresses of a tender: its page by id, the redirect from its number, its calendar and its QR code. */

/** What the pages of tenders need. */
export type TenderPagePorts = {
  readonly registry: Registry;
  readonly config: Config;
  readonly clock: () => Instant;
};

export const TENDER_ROUTES: readonly PortalRoute<TenderPagePorts>[] = [
  { pattern: /^\/tenders\/([^/]+)\.ics$/, handle: showCalendar },
  { pattern: /^\/tenders\/([^/]+)\/qr\.svg$/, handle: showQrCode },
  { pattern: /^\/tenders\/([^/]+)$/, handle: showTender },
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
  const id = NUMBER.test(requested) ? await findByNumber(requested.toUpperCase()) : undefined;
  return id === undefined ? undefined : { movedTo: id };
}

/** The store does not index numbers yet. */
const findByNumber = async (_number: string): Promise<string | undefined> => undefined;

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
  const screen = await screenOf(ports, pageRequest, found.tender);
  const { tender: texts } = messagesIn(pageRequest.language);
  const { query, problems } = readPageQuery(pageRequest.query, (section) => entryCountOf(screen, section), texts);
  const page = tenderPage({ ...screen, query }, problems);
  const isFresh = freshnessOf(ports, found.tender, screen);
  return pageResponse(page, pageRequest, {
    status: problems.length > 0 ? 400 : 200,
    ...(isFresh && problems.length === 0 && { isFresh }),
  });
}

export const redirectTo = ({ site, language, request }: PageRequest, path: string): HttpResponse => {
  const query = /\?.*$/s.exec(request.url ?? "")?.[0] ?? "";
  return { status: 301, headers: { Location: pagePathOf(site, path, language) + query, ...REDIRECT_HEADERS } };
};

/** Reads everything that the page shows. */
export async function screenOf(
  { registry, config }: TenderPagePorts,
  { language, site }: Pick<PageRequest, "language" | "site">,
  tender: Tender,
): Promise<TenderScreen> {
  const now = await registry.nowFor(tender);
  const view = publicTender(tender, viewContextAt({ config }, now));
  return {
    tender: view,
    procedure: tender.procedure,
    timeline: tenderTimeline(tender, view, now),
    actions: currentActions(tender, now),
    nextChange: nextChangeOf(tender),
    auctionPrices: auctionPricesOf(tender),
    auctionIds: auctionIdsOf(tender, view),
    areBidsSealed: procedureOf(tender).bids !== undefined && areBidsSealed(tender),
    now,
    zone: config.zone,
    language,
    site,
    query: WHOLE_PAGE,
  };
}

/** The auctions that have a page: those that the service holds, once the view has their address. */
function auctionIdsOf({ auctions = [] }: Tender, { id, auctionUrl, lots }: PublicTender): ReadonlyMap<string, string> {
  const held = new Set(auctions.map((auction) => auction.id));
  const subjects = [{ lot: "", auction: auctionId(id), url: auctionUrl }].concat(
    lots.map((lot) => ({ lot: lot.id, auction: auctionId(id, lot.id), url: lot.auctionUrl })),
  );
  return new Map(
    subjects
      .filter(({ auction, url }) => url !== undefined && held.has(auction))
      .map(({ lot, auction }) => [lot, auction]),
  );
}

/** A check whether the page would still be the same; none if it can change at any time. */
function freshnessOf(
  { registry, clock }: TenderPagePorts,
  tender: Tender,
  { timeline, actions, nextChange, now }: TenderScreen,
): (() => boolean | Promise<boolean>) | undefined {
  // A test clock may be moved by another process at any time.
  if (tender.testClock !== undefined || viewChangesWithTime(tender)) return undefined;
  const moments = [
    ...timeline.map(({ at }) => at),
    ...actions.flatMap(({ from, until }) => [from ?? [], until ?? []].flat()),
    ...(nextChange ? [nextChange.at] : []),
    ...tender.awards.flatMap(({ complaintPeriod }) => complaintPeriod?.endDate ?? []),
  ];
  const sameUntil = sameUntilOf(moments, now);
  const isCurrent = registry.freshnessCheckOf(tender);
  return () => clock() < sameUntil && isCurrent();
}

async function showCalendar(
  ports: TenderPagePorts,
  pageRequest: PageRequest,
  [segment = ""]: readonly string[],
): Promise<HttpResponse> {
  const found = await findTender(ports, segment);
  if (!found) return tenderNotFoundResponse(pageRequest, decoded(segment), ports.config.zone.name);
  if ("movedTo" in found) return redirectTo(pageRequest, `${tenderPath(found.movedTo)}.ics`);
  const screen = await screenOf(ports, pageRequest, found.tender);
  return {
    status: 200,
    headers: {
      "Content-Type": CALENDAR_TYPE,
      "Content-Language": pageRequest.language,
      "Content-Disposition": `inline; filename="${found.tender.tenderID}.ics"`,
      "Cache-Control": "no-cache",
    },
    bytes: Buffer.from(renderTenderCalendar(screen)),
  };
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
