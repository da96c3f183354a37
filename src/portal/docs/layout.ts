import { DOCUMENTATION_LANGUAGE } from "../layout/languages.ts";
import type { PortalSite } from "../layout/portalPage.ts";
import { renderSiteFooter } from "../layout/siteFooter.ts";
import { renderDocsSiteHeader } from "../layout/siteHeader.ts";
import { EMPTY_MARKUP, html, ICON, type Markup } from "../markup.ts";
import { DOCS_INDEX, type DocsEntry, isBelow, isWithin, nextEntryAfter, SECTIONS } from "./contents.ts";

/** One page of the documentation, before it is laid out. */
export type DocsPage = {
  readonly path: string;
  readonly title: string;
  readonly content: Markup;
  /** Scripts of ours that it needs beside the one of all pages. */
  readonly scripts?: readonly string[];
  /** Stylesheets of ours that it needs beside the one of all pages. */
  readonly styles?: readonly string[];
  /** Links to the pages beside this one, shown below its entry in the contents. */
  readonly navigation?: Markup;
  readonly isWide?: true;
  /** It shows its next step itself. */
  readonly hasNextStep?: true;
};

export type DocsSite = {
  /** The path that the service stands below, if it does. */
  readonly base: string;
  /** What the header and the footer need, which are those of the whole site. */
  readonly portal: Omit<PortalSite, "origin">;
  readonly zoneName: string;
  readonly sandbox: boolean;
  /** The key that the sandbox's newcomers may use; empty where there is none. */
  readonly key: string;
  readonly asset: (name: string) => string;
};

/** What the search looks in. */
export const SEARCH_INDEX_PATH = `${DOCS_INDEX}/search.json`;

/** Stands for the address that this very service is reached under. */
export const ORIGIN_PLACEHOLDER = "http://this-service.invalid";

/** The one layout: where you are at the left, the text, and one obvious next step at its end. */
export function renderLayout(page: DocsPage, { base, portal, zoneName, asset }: DocsSite): Markup {
  const { path, title, content, scripts = [], styles = [], isWide, hasNextStep } = page;
  return html`<!doctype html>
<html lang="${DOCUMENTATION_LANGUAGE}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · ${portal.name}</title>
<link rel="icon" href="${ICON}">
${["docs.css", ...styles].map((name) => html`<link rel="stylesheet" href="${asset(name)}">\n`)}${["docs.js", ...scripts].map((name) => html`<script type="module" src="${asset(name)}"></script>\n`)}</head>
<body>
<a class="skip" href="#content">Skip to the text</a>
<a class="skip" href="#contents">Skip to the contents</a>
${renderDocsSiteHeader(portal, docsBar(base, isWide))}
<div class="columns${isWide ? " wide" : ""}">
<main id="content" class="${isWide ? "reference" : "text"}" tabindex="-1">
${content}
${hasNextStep ? EMPTY_MARKUP : nextStep(path, base)}
</main>
<nav id="contents" class="contents" aria-label="Documentation" tabindex="-1">
${SECTIONS.map((section) => navSection(section.title, section.entries, page, base))}</nav>
</div>
${renderSiteFooter(portal, zoneName, DOCUMENTATION_LANGUAGE)}
</body>
</html>
`;
}

/** Where the reader is. The script adds the search of all pages. */
const docsBar = (base: string, isWide: true | undefined): Markup =>
  html`<div class="docs-bar${isWide ? " wide" : ""}" data-searched="${base}${SEARCH_INDEX_PATH}" data-base="${base}">
<a href="${base}${DOCS_INDEX}">Documentation</a>
<a class="to-contents" href="#contents">Contents</a>
</div>`;

function navSection(title: string, entries: readonly DocsEntry[], page: DocsPage, base: string): Markup {
  const { path, navigation = EMPTY_MARKUP } = page;
  const items = entries.map((entry) => {
    const inner = isWithin(path, entry) ? navigation : EMPTY_MARKUP;
    return html`<li>${navLink(entry, path, base)}${versionNumberLinks(entry, path, base)}${inner}</li>\n`;
  });
  return html`<h2>${title}</h2>
<ul>
${items}</ul>
`;
}

const CURRENT_PAGE = html` aria-current="page"`;
/** An entry whose part the page is. */
const CURRENT_ENTRY = html` aria-current="true"`;

function navLink(entry: DocsEntry, path: string, base: string): Markup {
  const isPage = path === entry.path || entry.versions?.some((version) => version.path === path);
  const current = isPage ? CURRENT_PAGE : isWithin(path, entry) ? CURRENT_ENTRY : EMPTY_MARKUP;
  return html`<a href="${base}${entry.path}"${current}>${entry.title}</a>`;
}

/** By its number, each version's page. */
export function versionNumberLinks({ versions = [], title }: DocsEntry, path: string, base: string): Markup {
  if (versions.length === 0) return EMPTY_MARKUP;
  const links = versions.map(
    ({ name, path: versionPath }) =>
      html`<a href="${base}${versionPath}" aria-label="${title} ${name}"${isBelow(path, versionPath) ? CURRENT_PAGE : EMPTY_MARKUP}>${name}</a>\n`,
  );
  return html`<span class="numbers">${links}</span>`;
}

export function nextStep(after: string, base: string): Markup {
  const { path, title, summary } = nextEntryAfter(after);
  return html`<aside class="next" aria-label="Next step">
<p class="quiet">Next step</p>
<p><a class="go" href="${base}${path}">${title}</a></p>
<p>${summary}</p>
</aside>`;
}
