import { CURRENT_SEGMENT } from "../../dialects/dialects.ts";
import { isOver } from "../../domain/auctions/phases.ts";
import type { LiveAuctionView } from "../../domain/auctions/view.ts";
import { type Instant, MINUTE, SECOND, type Zone } from "../../domain/values/time.ts";
import { type HttpResponse, toCachedBody } from "../../http/responses.ts";
import type { PageProblem } from "../layout/components.ts";
import type { Language } from "../layout/languages.ts";
import {
  PORTAL_PAGE_HEADERS,
  type PortalPage,
  type PortalSite,
  pagePathOf,
  renderPortalPage,
} from "../layout/pageLayout.ts";
import { withProblems } from "../layout/pageRequest.ts";
import { EMPTY_MARKUP, html, insertMarkup, type Markup } from "../markup.ts";
import { profilePath } from "../organizations/profilePage.ts";
import { tenderPath } from "../tender/tenderScreen.ts";
import { auctionMessagesIn } from "./auctionMessages.ts";
import type { AuctionScreen, DisclosedBidder, PriceFormState } from "./auctionScreen.ts";
import { countdownTarget } from "./auctionScreen.ts";
import type { EmbeddedAuction } from "./auctionStream.ts";
import { isBidderView } from "./liveView.ts";
import { renderOffersPart } from "./offersPart.ts";
import { renderOwnPart } from "./ownPart.ts";
import { renderReplayPart } from "./replayPart.ts";
import { renderStagePart, tabTitle } from "./stagePart.ts";
import { renderTermsPart, renderTimelinePart } from "./timelinePart.ts";

/**
 * The pages of auctions. How the routes call them:
 *
 * - `GET /auctions`: `auctionListResponse(list, language)` of `auctionList.ts`.
 * - `GET /auctions/<id>`: advance the auction to now, take `viewAuction(state, audience)`, where the audience is the bid of the
 *   caller's cookie or "everyone", and respond with `auctionPageResponse(page, language)`. The page of a bidder is never cached.
 * - `POST /auctions/<id>/bids`, sent without scripts: check the origin of the request, then `readPriceForm(fields)` of
 *   `priceForm.ts`. If the auction accepts, redirect with 303 to the page, so that its reload does not send the form again. If it
 *   refuses, respond with the page and `form: { amount, rule }`, with status 422 or 403.
 * - `GET /assets/…`: `handlePortalAssets(path)` of `layout/portalAssets.ts`.
 * - Paths may begin with a language: `languagePrefixOf(path)` of `layout/languages.ts`.
 *
 * With scripts the page uses the API, with the bidder's cookie: `GET <api>/auctions/<id>/events` (see `auctionStream.ts`),
 * `POST …/bids` with `{"data": {"amount": 480.5, "confirmed": true}}`, `DELETE …/bids/current`, and `GET …/record`. So the cookie must
 * reach the page in every language and the API: set it once for each of these paths.
 */

/** What the page of one auction shows. All texts are shown as text. */
export type AuctionPage = {
  /** The auction as the caller may see it: it decides whether the page has the form of a bidder. */
  readonly view: LiveAuctionView;
  readonly tender: {
    readonly id: string;
    readonly tenderID: string;
    readonly title: string;
    readonly buyer: string;
    /** The key of the profile of the buyer, if it has one. */
    readonly buyerKey?: string;
  };
  readonly lot?: { readonly id: string; readonly title: string };
  /** The time of the auction's clock. */
  readonly serverTime: Instant;
  readonly zone: Pick<Zone, "name">;
  /** The auction is on a test clock, which stands still. */
  readonly hasTestClock?: true;
  /** The bidders, once their names are public. */
  readonly bidders?: readonly DisclosedBidder[];
  /** What the last form sent, if it was refused. */
  readonly form?: PriceFormState;
  /** What is wrong with the address. */
  readonly problems?: readonly PageProblem[];
  readonly site: PortalSite;
};

/** The page as a response. `status` is another than 200 after a form that was refused. */
export function auctionPageResponse(page: AuctionPage, language: Language, status = 200): HttpResponse {
  const isPrivate = isBidderView(page.view);
  const text = renderAuctionPage(page, language);
  return {
    status,
    // The same address shows a bidder another page, so shared caches ask for it each time.
    headers: {
      ...PORTAL_PAGE_HEADERS,
      "Cache-Control": isPrivate ? "private, no-store" : "no-cache",
      "Content-Language": language,
    },
    ...(isPrivate ? { bytes: Buffer.from(text) } : { text: toCachedBody(text) }),
  };
}

/** The page of one auction: for watchers and bidders, before, during and after it. */
export function renderAuctionPage(page: AuctionPage, language: Language): string {
  const { tender, site, zone, problems = [] } = page;
  const { auction } = auctionMessagesIn(language);
  const screen = screenOf(page, language);
  const portalPage: PortalPage = {
    path: pathOf(page),
    title: tabTitle(screen, tender.tenderID),
    description: auction.description(tender.title),
    preview: { title: auction.title(tender.tenderID) },
    content: contentOf(page, screen),
    zoneName: zone.name,
    section: "auctions",
    script: "portal/browser/auctionPage.js",
    head: reloadElement(screen),
  };
  return renderPortalPage(withProblems(portalPage, problems, language), site, language).markup;
}

const pathOf = ({ view }: AuctionPage): string => `/auctions/${encodeURIComponent(view.id)}`;

function screenOf(page: AuctionPage, language: Language): AuctionScreen {
  const { view, serverTime, zone, hasTestClock, form, bidders, site } = page;
  return {
    view,
    now: serverTime,
    zoneName: zone.name,
    language,
    pagePath: pagePathOf(site, pathOf(page), language),
    apiPath: `${site.basePath}/api/${CURRENT_SEGMENT}/auctions/${encodeURIComponent(view.id)}`,
    ...(hasTestClock && { hasTestClock }),
    ...(form && { form }),
    ...(bidders && { bidders }),
  };
}

function contentOf(page: AuctionPage, screen: AuctionScreen): Markup {
  const { tender, lot, site } = page;
  const { language } = screen;
  const { auction } = auctionMessagesIn(language);
  const title = html`<a href="${pagePathOf(site, tenderPath(tender.id), language)}"><bdi lang="">${tender.title || tender.tenderID}</bdi></a>`;
  const buyer =
    tender.buyerKey === undefined
      ? html`<bdi lang="">${tender.buyer}</bdi>`
      : html`<a href="${pagePathOf(site, profilePath("buyer", tender.buyerKey), language)}"><bdi lang="">${tender.buyer}</bdi></a>`;
  return html`<div class="auction-head">
<h1>${insertMarkup(auction.title, html`<span class="whole">${tender.tenderID}</span>`)}</h1>
<p class="lead">${title}</p>
<p class="quiet">${lot ? html`${auction.lot}: <bdi lang="">${lot.title}</bdi>. ` : EMPTY_MARKUP}${auction.buyer}: ${buyer}</p>
</div>
${connectionMarkup(screen)}
<div id="announcer" class="visually-hidden" aria-live="assertive"></div>
<div class="columns">
<div>
<section id="auction-stage" class="card stage" aria-labelledby="stage-title">
${renderStagePart(screen)}
</section>
<section id="auction-own" class="card own-part" aria-label="${auctionMessagesIn(screen.language).own.heading}">${renderOwnPart(screen)}</section>
<section id="auction-offers" class="card" aria-labelledby="offers-title">
${renderOffersPart(screen)}
</section>
<section id="auction-replay" class="card" aria-label="${auctionMessagesIn(screen.language).replay.heading}">${renderReplayPart(screen, site.origin)}</section>
</div>
<div>
<section id="auction-timeline" class="card" aria-label="${auction.timeline}">${renderTimelinePart(screen)}</section>
<section class="card" aria-labelledby="terms-title">
${renderTermsPart(screen)}
</section>
</div>
</div>
${embeddedState(page, screen)}`;
}

/**
 * Without scripts nothing is live, and the page says so; scripts replace the text. The line stays in view when the page is scrolled, and
 * then repeats the time left.
 */
function connectionMarkup({ view, language }: AuctionScreen): Markup {
  const { auction } = auctionMessagesIn(language);
  const state = isOver(view) ? "over" : "static";
  const reloads = isOver(view) ? EMPTY_MARKUP : html`<noscript> ${auction.pageReloads}</noscript>`;
  return html`<p class="connection" id="connection" data-state="${state}"><span role="status" id="connection-text">${auction.connection[state]}</span>${reloads}<span id="countdown-small" aria-hidden="true"></span></p>
<p id="clock-note" class="quiet" hidden></p>`;
}

/** The longest time after which a page without scripts reloads, so that it notices a changed plan. */
const RELOAD_SECONDS_MAX = (5 * MINUTE) / SECOND;
/** The reload comes a moment after the end of the stage, so that it shows the next one. */
const RELOAD_DELAY_SECONDS = 1;

/** Reloads the page at the end of the stage where scripts are off. It names the address, because a form may have led here. */
function reloadElement({ view, now, pagePath, hasTestClock }: AuctionScreen): Markup {
  const target = countdownTarget(view);
  if (isOver(view) || hasTestClock) return EMPTY_MARKUP;
  const left = target === undefined ? RELOAD_SECONDS_MAX : Math.ceil((target - now) / SECOND) + RELOAD_DELAY_SECONDS;
  const seconds = Math.min(RELOAD_SECONDS_MAX, Math.max(RELOAD_DELAY_SECONDS, left));
  return html`<noscript><meta http-equiv="refresh" content="${seconds}; url=${pagePath}"></noscript>
`;
}

/** The state from which the scripts go on. A browser does not run a script element of this type, so the policy allows it. */
function embeddedState({ tender, site }: AuctionPage, screen: AuctionScreen): Markup {
  const embedded: EmbeddedAuction = { screen, tenderID: tender.tenderID, origin: site.origin, siteName: site.name };
  // "<" is the only character that could end the element or begin a comment.
  const json = JSON.stringify(embedded).replaceAll("<", "\\u003c");
  return html`<script type="application/json" id="auction-state">${{ markup: json }}</script>`;
}
