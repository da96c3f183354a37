import type { ResponseHeaders } from "../../http/responses.ts";
import { EMPTY_MARKUP, html, ICON, type Markup } from "../markup.ts";
import { LANGUAGE_NAMES, LANGUAGES, type Language, localizedPath } from "./languages.ts";
import { messagesIn } from "./messages/messages.ts";
import { assetPath, scriptPaths } from "./portalAssets.ts";

/** The one layout of the pages of the portal. */

/** What all pages know of the service. */
export type PortalSite = {
  /** The address of the service, without a trailing slash, such as `https://tenders.example/registry`. */
  readonly origin: string;
  /** The path in front of all links: `basePathOf(origin)`. */
  readonly basePath: string;
  /** The language whose pages have no prefix in their path. */
  readonly defaultLanguage: Language;
  readonly sandbox: boolean;
};

/** The sections of the portal that the menu has. */
export type PortalSection = "auctions";

/** One page, before it is laid out. */
export type PortalPage = {
  /** Without base path and without language: `/auctions`. */
  readonly path: string;
  readonly title: string;
  readonly description: string;
  readonly content: Markup;
  readonly zoneName: string;
  /** The entry of the menu to which the page belongs. */
  readonly section: PortalSection;
  /** The module of `src/portal/browser` that the page runs. */
  readonly script?: string;
  /** More elements of the head. */
  readonly head?: Markup;
};

/**
 * The headers of a page. Nothing but our own style and scripts may be loaded, and nothing but this service be spoken to. The policy
 * for referrers is `same-origin`, because with `no-referrer` browsers send forms with `Origin: null`, which looks like another site.
 */
export const PORTAL_PAGE_HEADERS: ResponseHeaders = {
  "Content-Type": "text/html; charset=UTF-8",
  "Content-Security-Policy":
    "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src data:; " +
    "base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
  "Cache-Control": "no-cache",
  "Referrer-Policy": "same-origin",
};

/** The path of a page of the portal in a language, with the base path. */
export const pagePathOf = ({ basePath, defaultLanguage }: PortalSite, path: string, language: Language): string =>
  basePath + localizedPath(path, language, defaultLanguage);

/** The whole document. */
export function renderPortalPage(page: PortalPage, site: PortalSite, language: Language): Markup {
  const { layout } = messagesIn(language);
  return html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${page.title}</title>
<meta name="description" content="${page.description}">
<link rel="icon" href="${ICON}">
<link rel="stylesheet" href="${assetPath(site.basePath, "portal/layout/portal.css")}">
${alternateLinks(page, site, language)}${page.script === undefined ? EMPTY_MARKUP : scriptElements(page.script, site)}${page.head ?? EMPTY_MARKUP}</head>
<body>
<a class="skip" href="#content">${layout.skip}</a>
<header class="top">
<a class="home" href="${pagePathOf(site, "/", site.defaultLanguage)}">Tenderhall</a>
${site.sandbox ? html`<span class="mode">${layout.sandbox}</span>` : EMPTY_MARKUP}
<nav aria-label="${layout.menu}"><ul>
${MENU.map((entry) => menuItem(entry, page, site, language))}<li><a href="${site.basePath}/docs" hreflang="en">${layout.documentation}</a></li>
</ul></nav>
${languageSwitch(page, site, language)}
</header>
<main id="content" tabindex="-1">
${page.content}
</main>
<footer>
<p>${layout.about} ${layout.zone(page.zoneName)}</p>
</footer>
</body>
</html>
`;
}

type MenuEntry = { readonly section: PortalSection; readonly path: string };

/** The menu. The title of an entry is the text of the layout with the name of its section. */
const MENU: readonly MenuEntry[] = [{ section: "auctions", path: "/auctions" }];

function menuItem({ section, path }: MenuEntry, page: PortalPage, site: PortalSite, language: Language): Markup {
  const isPage = page.path === path;
  const current = page.section === section ? html` aria-current="${isPage ? "page" : "true"}"` : EMPTY_MARKUP;
  return html`<li><a href="${pagePathOf(site, path, language)}"${current}>${messagesIn(language).layout[section]}</a></li>
`;
}

/** The address of the page in each language, for search engines; these must be absolute. */
function alternateLinks({ path }: PortalPage, site: PortalSite, language: Language): Markup {
  const address = (name: Language) => site.origin + localizedPath(path, name, site.defaultLanguage);
  return html`<link rel="canonical" href="${address(language)}">
${LANGUAGES.map((name) => html`<link rel="alternate" hreflang="${name}" href="${address(name)}">\n`)}`;
}

function languageSwitch({ path }: PortalPage, site: PortalSite, language: Language): Markup {
  const links = LANGUAGES.map((name) =>
    name === language
      ? html`<li><a href="${pagePathOf(site, path, name)}" lang="${name}" hreflang="${name}" aria-current="true">${LANGUAGE_NAMES[name]}</a></li>\n`
      : html`<li><a href="${pagePathOf(site, path, name)}" lang="${name}" hreflang="${name}">${LANGUAGE_NAMES[name]}</a></li>\n`,
  );
  return html`<nav class="languages" aria-label="${messagesIn(language).layout.languages}"><ul>
${links}</ul></nav>`;
}

/** The script, and everything that it imports, so that the browser does not find out file by file. */
function scriptElements(script: string, { basePath }: PortalSite): Markup {
  const preloads = scriptPaths(script).map(
    (path) => html`<link rel="modulepreload" href="${assetPath(basePath, path)}">\n`,
  );
  return html`${preloads}<script type="module" src="${assetPath(basePath, script)}"></script>
`;
}
