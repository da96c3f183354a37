import { EMPTY_MARKUP, html, insertMarkup, type Markup } from "../markup.ts";
import { userText } from "./components.ts";
import { DOCUMENTATION_LANGUAGE, type Language } from "./languages.ts";
import { openMarkupCache } from "./markupCache.ts";
import { messagesIn } from "./messages/messages.ts";
import { type PortalSite, pagePathOf } from "./portalPage.ts";

/** The footer of all pages, those of the documentation too. */

/** What the footer depends on. */
type FooterSite = Pick<PortalSite, "name" | "operator" | "contact" | "basePath" | "defaultLanguage" | "hasOpenData">;

const LINKS = [
  { name: "aboutSite", path: "/about" },
  { name: "accessibility", path: "/accessibility" },
  { name: "privacy", path: "/privacy" },
  { name: "status", path: "/status" },
] as const;

/** The lists of organisations, for which the menu has no room on a phone. */
const LIST_PATHS = { buyer: "/buyers", supplier: "/suppliers" } as const;

const footers = openMarkupCache();

const OPEN_DATA_LINK = { name: "openData", path: "/data" } as const;

/** The footer. It is the same on all pages of a language. */
export function renderSiteFooter(site: FooterSite, zoneName: string, language: Language): Markup {
  const { operator = "", contact = "", basePath, defaultLanguage, hasOpenData } = site;
  return footers.get([operator, contact, basePath, defaultLanguage, String(hasOpenData), zoneName, language], () =>
    renderFooter(site, zoneName, language),
  );
}

function renderFooter(site: FooterSite, zoneName: string, language: Language): Markup {
  const { layout, organizations } = messagesIn(language);
  const lists = (["buyer", "supplier"] as const).map(
    (role) =>
      html`<li><a href="${pagePathOf(site, LIST_PATHS[role], language)}">${organizations.titles[role]}</a></li>\n`,
  );
  const links = [...LINKS, ...(site.hasOpenData ? [OPEN_DATA_LINK] : [])].map(
    ({ name, path }) => html`<li><a href="${pagePathOf(site, path, language)}">${layout[name]}</a></li>\n`,
  );
  return html`<footer class="site-footer"><div class="footer-row">
<nav aria-label="${layout.footer}"><ul role="list">
${lists}${links}<li><a href="${site.basePath}/docs"${language === DOCUMENTATION_LANGUAGE ? EMPTY_MARKUP : html` hreflang="${DOCUMENTATION_LANGUAGE}"`}>${layout.documentation}</a></li>
</ul></nav>
${operatorLine(site, language)}<p>${layout.zone(zoneName)} ${layout.software}</p>
</div></footer>`;
}

/** Who runs the site and where to write to, as far as the settings say. */
function operatorLine({ operator, contact }: FooterSite, language: Language): Markup {
  const { layout } = messagesIn(language);
  if (operator === undefined && contact === undefined) return EMPTY_MARKUP;
  const operatorText = operator === undefined ? EMPTY_MARKUP : insertMarkup(layout.operator, userText(operator));
  const contactText = contact === undefined ? EMPTY_MARKUP : insertMarkup(layout.contact, contactLink(contact));
  return html`<p>${operatorText} ${contactText}</p>
`;
}

/** The link to the contact of the site. */
export const contactLink = (contact: string): Markup =>
  html`<a href="${contact}">${contact.replace(/^mailto:/, "")}</a>`;
