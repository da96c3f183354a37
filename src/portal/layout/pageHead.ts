import { EMPTY_MARKUP, html, ICON, type Markup, withoutDirectionControls } from "../markup.ts";
import { LANGUAGES, type Language, localeOf, localizedPath } from "./languages.ts";
import { assetPath, scriptPaths } from "./portalAssets.ts";
import { type PortalPage, type PortalSite, pagePathOf } from "./portalPage.ts";

/** The head of a page: its title, its addresses in all languages, how a link to it looks, and what it loads. */

/** The title of a tab: what the page is, and the name of the site. The first page begins with that name. */
export const tabTitleOf = ({ title }: Pick<PortalPage, "title">, { name }: Pick<PortalSite, "name">): string =>
  title.startsWith(name) ? title : `${title} · ${name}`;

/** The `<head>`. */
export function renderHead(page: PortalPage, site: PortalSite, language: Language): Markup {
  return html`<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${tabTitleOf(page, site)}</title>
<meta name="description" content="${page.description}">
${page.isUnlisted ? html`<meta name="robots" content="noindex, follow">\n` : addressLinks(page, site, language)}<link rel="icon" href="${ICON}">
<link rel="stylesheet" href="${assetPath(site.basePath, "portal/layout/portal.css")}">
<link rel="search" type="application/opensearchdescription+xml" title="${site.name}" href="${pagePathOf(site, "/opensearch.xml", language)}">
${alternateForms(page, site)}${previewElements(page, site, language)}${structuredData(page, site, language)}${page.script === undefined ? EMPTY_MARKUP : scriptElements(page.script, site)}${page.head ?? EMPTY_MARKUP}</head>`;
}

const addressOf = ({ path, query = "" }: PortalPage, site: PortalSite, language: Language): string =>
  site.origin + localizedPath(path, language, site.defaultLanguage) + query;

/** The address of the page in each language, for search engines; these must be absolute. */
function addressLinks(page: PortalPage, site: PortalSite, language: Language): Markup {
  const links = LANGUAGES.map(
    (name) => html`<link rel="alternate" hreflang="${name}" href="${addressOf(page, site, name)}">\n`,
  );
  return html`<link rel="canonical" href="${addressOf(page, site, language)}">
${links}<link rel="alternate" hreflang="x-default" href="${addressOf(page, site, site.defaultLanguage)}">
`;
}

function alternateForms({ alternateForms: forms = [] }: PortalPage, { basePath }: PortalSite): Markup {
  const links = forms.map(
    ({ type, title, path }) => html`<link rel="alternate" type="${type}" title="${title}" href="${basePath}${path}">\n`,
  );
  return html`${links}`;
}

/** Open Graph, by which other services show a link. */
function previewElements(page: PortalPage, site: PortalSite, language: Language): Markup {
  const imagePath = page.preview?.imagePath ?? "/preview.png";
  const image = site.origin + localizedPath(imagePath, language, site.defaultLanguage);
  return html`<meta property="og:type" content="${page.preview?.type ?? "website"}">
<meta property="og:site_name" content="${site.name}">
<meta property="og:title" content="${page.preview?.title ?? page.title}">
<meta property="og:description" content="${page.description}">
<meta property="og:url" content="${addressOf(page, site, language)}">
<meta property="og:locale" content="${localeOf(language).replace("-", "_")}">
<meta property="og:image" content="${image}">
<meta property="og:image:width" content="1200">
<meta property="og:image:height" content="630">
<meta name="twitter:card" content="summary_large_image">
`;
}

/** A browser does not run a script element of this type, so the policy allows it. */
function structuredData(page: PortalPage, site: PortalSite, language: Language): Markup {
  const { structuredData: data, breadcrumbs = [], title, description } = page;
  const url = addressOf(page, site, language);
  const webPage = { "@type": "WebPage", name: title, description, url, inLanguage: language, ...data };
  const trail = breadcrumbs.map((crumb, i) => ({
    "@type": "ListItem",
    position: i + 1,
    name: crumb.title,
    item: site.origin + localizedPath(crumb.path, language, site.defaultLanguage),
  }));
  const graph = [webPage, ...(trail.length > 0 ? [{ "@type": "BreadcrumbList", itemListElement: trail }] : [])];
  // "<" is the only character that could end the element or begin a comment.
  const json = JSON.stringify({ "@context": "https://schema.org", "@graph": graph }).replaceAll("<", "\\u003c");
  return html`<script type="application/ld+json">${{ markup: withoutDirectionControls(json) }}</script>
`;
}

/** The script, and everything that it imports, so that the browser does not find out file by file. */
function scriptElements(script: string, { basePath }: PortalSite): Markup {
  const preloads = scriptPaths(script).map(
    (path) => html`<link rel="modulepreload" href="${assetPath(basePath, path)}">\n`,
  );
  return html`${preloads}<script type="module" src="${assetPath(basePath, script)}"></script>
`;
}
