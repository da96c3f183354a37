import type { ResponseHeaders } from "../../http/responses.ts";
import { EMPTY_MARKUP, html, type Markup } from "../markup.ts";
import type { Language } from "./languages.ts";
import { messagesIn } from "./messages/messages.ts";
import { renderHead } from "./pageHead.ts";
import { type PortalPage, type PortalSite, pagePathOf } from "./portalPage.ts";
import { renderSiteFooter } from "./siteFooter.ts";
import { renderSiteHeader } from "./siteHeader.ts";

export { type PortalPage, type PortalSite, pagePathOf };

/** The one layout of the pages of the portal. */

/**
 * The headers of a page. Nothing but our own style and scripts may be loaded, and nothing but this service be spoken to. The policy
 * for referrers is `same-origin`, because with `no-referrer` browsers send forms with `Origin: null`, which looks like another site.
 */
export const PORTAL_PAGE_HEADERS: ResponseHeaders = {
  "Content-Type": "text/html; charset=UTF-8",
  "Content-Security-Policy":
    "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self' data:; " +
    "base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
  "Cache-Control": "no-cache",
  "Referrer-Policy": "same-origin",
};

/** The whole document. */
export function renderPortalPage(page: PortalPage, site: PortalSite, language: Language): Markup {
  const { layout } = messagesIn(language);
  return html`<!doctype html>
<html lang="${language}">
${renderHead(page, site, language)}
<body>
<a class="skip" href="#content">${layout.skip}</a>
${renderSiteHeader(page, site, language)}
<div class="page">
${breadcrumbTrail(page, site, language)}<main id="content" tabindex="-1">
${page.content}
</main>
</div>
${renderSiteFooter(site, page.zoneName, language)}
</body>
</html>
`;
}

function breadcrumbTrail({ breadcrumbs = [] }: PortalPage, site: PortalSite, language: Language): Markup {
  if (breadcrumbs.length === 0) return EMPTY_MARKUP;
  const links = breadcrumbs.map(
    ({ title, path }) => html`<li><a href="${pagePathOf(site, path, language)}">${title}</a></li>\n`,
  );
  return html`<nav class="breadcrumbs" aria-label="${messagesIn(language).layout.breadcrumbs}"><ol role="list">
${links}</ol></nav>
`;
}
