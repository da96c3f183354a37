import { EMPTY_MARKUP, html, type Markup } from "../markup.ts";
import { DOCUMENTATION_LANGUAGE, LANGUAGE_ROWS, LANGUAGES, type Language } from "./languages.ts";
import { openMarkupCache } from "./markupCache.ts";
import { messagesIn } from "./messages/messages.ts";
import { PORTAL_SECTIONS, type PortalPage, type PortalSite, pagePathOf } from "./portalPage.ts";

/** The header of all pages, those of the documentation too: the name of the site, a search box, the menu and the languages. */

/** What the header depends on. The documentation is English and has no other languages to switch to. */
type HeaderSite = Pick<PortalSite, "name" | "basePath" | "defaultLanguage" | "sandbox">;

const mastheads = openMarkupCache();
const menus = openMarkupCache();

/** The header of a page of the portal. Only the switch of languages is different on every page. */
export function renderSiteHeader(page: PortalPage, site: PortalSite, language: Language): Markup {
  const { name, sandbox, basePath, defaultLanguage } = site;
  const { section = "", hasSearchBox = false, path } = page;
  const masthead = mastheads.get(
    [name, String(sandbox), basePath, defaultLanguage, language, String(hasSearchBox)],
    () => html`${brand(site, language)}
${hasSearchBox ? EMPTY_MARKUP : searchBox(site, language)}`,
  );
  const siteMenu = menus.get([basePath, defaultLanguage, language, section, String(path === `/${section}`)], () =>
    menu(site, language, page),
  );
  return html`<header class="site-header">
<div class="masthead"><div class="masthead-row">
${masthead}${languageSwitch(page, site, language)}
</div></div>
${siteMenu}
</header>`;
}

/** The header of a page of the documentation, with a bar of its own below the menu. */
export const renderDocsSiteHeader = (site: HeaderSite, bar: Markup): Markup =>
  html`<header class="site-header">
<div class="masthead"><div class="masthead-row">
${brand(site, DOCUMENTATION_LANGUAGE)}
</div></div>
${menu(site, DOCUMENTATION_LANGUAGE, "documentation")}
${bar}
</header>`;

const brand = (site: HeaderSite, language: Language): Markup =>
  html`<a class="brand" href="${pagePathOf(site, "/", language)}">${site.name}</a>${site.sandbox ? html` <span class="mode">${messagesIn(language).layout.sandbox}</span>` : EMPTY_MARKUP}`;

/** The search of tenders, on every page that has none of its own. */
function searchBox(site: HeaderSite, language: Language): Markup {
  const { layout } = messagesIn(language);
  return html`<form class="site-search" role="search" action="${pagePathOf(site, "/tenders", language)}">
<label class="visually-hidden" for="site-search">${layout.searchLabel}</label>
<input id="site-search" type="search" name="q" maxlength="500" placeholder="${layout.searchLabel}">
<button type="submit">${layout.searchButton}</button>
</form>
`;
}

function menu(site: HeaderSite, language: Language, page: PortalPage | "documentation"): Markup {
  const { layout } = messagesIn(language);
  const items = PORTAL_SECTIONS.map((section) => {
    const path = `/${section}`;
    const isCurrent = page !== "documentation" && page.section === section;
    const current = isCurrent ? html` aria-current="${page.path === path ? "page" : "true"}"` : EMPTY_MARKUP;
    return html`<li><a href="${pagePathOf(site, path, language)}"${current}>${layout[section]}</a></li>\n`;
  });
  const docsCurrent =
    page === "documentation" ? html` aria-current="true"` : html` hreflang="${DOCUMENTATION_LANGUAGE}"`;
  return html`<nav class="menu" aria-label="${layout.menu}"><ul role="list">
${items}<li><a href="${site.basePath}/docs"${docsCurrent}>${layout.documentation}</a></li>
</ul></nav>`;
}

function languageSwitch({ path, query = "" }: PortalPage, site: PortalSite, language: Language): Markup {
  const links = LANGUAGES.map((name) => {
    const current = name === language ? html` aria-current="true"` : EMPTY_MARKUP;
    return html`<li><a href="${pagePathOf(site, path, name)}${query}" lang="${name}" hreflang="${name}"${current}>${LANGUAGE_ROWS[name].name}</a></li>\n`;
  });
  return html`<nav class="languages" aria-label="${messagesIn(language).layout.languages}"><ul role="list">
${links}</ul></nav>`;
}
