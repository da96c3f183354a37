import { EMPTY_MARKUP, html, type Markup } from "../../markup.ts";
import { pageTitleOf, VERSIONS } from "../contents.ts";
import type { DocsPage, DocsSite } from "../layout.ts";
import { renderInline } from "../markdown.ts";
import type { DocumentedOperation, OpenApiDocument } from "../openapiDocument.ts";
import { schemaAnchor, schemaSection, sentence, type TypeAddress } from "../schemaTables.ts";
import { hasSharedTypes, jumpBar, operationLinks, referenceNavigation } from "./navigation.ts";
import { operationSection } from "./operationSection.ts";
import { overviewPage } from "./overviewPage.ts";
import { divideIntoResources, type Reference, type Resource, resourcePath, TYPES_SLUG } from "./resources.ts";

/** The pages of one version, or of what all versions share (`site`), by address; everything on them is in its OpenAPI document. */
export function referencePages(
  document: OpenApiDocument,
  segment: string,
  site: DocsSite,
  newest: () => Reference | undefined,
): ReadonlyMap<string, () => DocsPage> {
  const reference = divideIntoResources(document, segment);
  const pages = new Map([[reference.path, () => overviewPage(reference, site)]]);
  for (const resource of reference.resources)
    pages.set(resourcePath(reference.path, resource.slug), () => resourcePage(reference, resource, site, newest()));
  if (hasSharedTypes(reference)) pages.set(resourcePath(reference.path, TYPES_SLUG), () => typesPage(reference, site));
  return pages;
}

const isOld = ({ segment }: Reference): boolean => VERSIONS.slice(1).some(({ name }) => name === segment);

function resourcePage(
  reference: Reference,
  resource: Resource,
  site: DocsSite,
  newest: Reference | undefined,
): DocsPage {
  const { title, slug, description, operations } = resource;
  const path = resourcePath(reference.path, slug);
  const addressOf = typeAddressFrom(path, reference, site);
  const newestAddressOf = ({ id }: DocumentedOperation) => newestOperation(reference, newest, site, id);
  const types = typesOn(path, reference);
  const versionTitle = pageTitleOf(reference.path);
  const content = html`<h1 id="${slug}">${title} <span class="quiet">${versionTitle}</span></h1>
${jumpBar(`${title}: ${operations.length} operations`, operationLinks(operations))}
${oldVersionNotice(reference, newest, site, slug)}${sentence(description)}
${consoleNotice(site)}
${operations.map((operation) => operationSection(operation, { reference, site, addressOf, newestAddressOf }))}
${types.length > 0 ? html`<h2 id="types"><a class="anchor" href="#types">Types</a></h2>\n${typesNotice(reference, site)}` : EMPTY_MARKUP}
${types.map((name) => schemaSection(name, reference.document.components.schemas, addressOf, "h3"))}`;
  return page(reference, slug, `${title}, ${versionTitle}`, content, site);
}

function typesPage(reference: Reference, site: DocsSite): DocsPage {
  const path = resourcePath(reference.path, TYPES_SLUG);
  const addressOf = typeAddressFrom(path, reference, site);
  const types = typesOn(path, reference);
  const versionTitle = pageTitleOf(reference.path);
  const links = html`<ul>${types.map((name) => html`<li><a href="#${schemaAnchor(name)}">${name}</a></li>\n`)}</ul>`;
  const content = html`<h1 id="shared-types">Shared types <span class="quiet">${versionTitle}</span></h1>
${jumpBar(`Shared types: ${types.length}`, links)}
<p>Types that several resources use. Read-only fields belong to the service and are ignored when sent.</p>
<nav class="on-page" aria-label="Types"><p>On this page</p>${links}</nav>
${types.map((name) => schemaSection(name, reference.document.components.schemas, addressOf, "h2"))}`;
  const scripts = ["reference.js"];
  return { ...page(reference, TYPES_SLUG, `Shared types, ${versionTitle}`, content, site), scripts };
}

const page = (reference: Reference, slug: string, title: string, content: Markup, site: DocsSite): DocsPage => ({
  path: resourcePath(reference.path, slug),
  title,
  content,
  scripts: ["reference.js", "tryit.js"],
  styles: ["reference.css"],
  isWide: true,
  navigation: referenceNavigation(reference, slug, site.base),
});

const typesOn = (path: string, { pathOfType }: Reference): readonly string[] =>
  [...pathOfType].filter(([, home]) => home === path).map(([name]) => name);

const typeAddressFrom =
  (path: string, { pathOfType }: Reference, { base }: DocsSite): TypeAddress =>
  (name) => {
    const home = pathOfType.get(name);
    return `${home === path ? "" : base + home}#${schemaAnchor(name)}`;
  };

const typesNotice = (reference: Reference, { base }: DocsSite): Markup => {
  const address = `${base}${resourcePath(reference.path, TYPES_SLUG)}`;
  const shared = hasSharedTypes(reference)
    ? html` Types that other resources use too are on <a href="${address}">their own page</a>.`
    : EMPTY_MARKUP;
  return html`<p>Read-only fields belong to the service and are ignored when sent. A field that is always present is in every response; the operations say what must be sent.${shared}</p>`;
};

/** Bids had another name in their path once. */
const newestId = (id: string): string => id.replace("_bidders", "_bids");

function newestOperation(
  reference: Reference,
  newest: Reference | undefined,
  { base }: DocsSite,
  id: string,
): string | undefined {
  const path = isOld(reference) ? newest?.pathOfOperation.get(newestId(id)) : undefined;
  return path && `${base}${path}#${newestId(id)}`;
}

function oldVersionNotice(
  reference: Reference,
  newest: Reference | undefined,
  { base }: DocsSite,
  slug: string,
): Markup {
  if (!isOld(reference) || !newest) return EMPTY_MARKUP;
  const resource = newest.resources.find((candidate) => candidate.slug === slug);
  const address = base + (resource ? resourcePath(newest.path, slug) : newest.path);
  const title = resource ? `${resource.title} in ${newest.segment}` : pageTitleOf(newest.path);
  return html`<p class="notice">Version ${reference.segment} is old and only for programs that already use it. Start with <a href="${address}">${title}</a>.</p>\n`;
}

/** Says what the forms of the page do, and tells their script the key and the address of the service. */
function consoleNotice({ sandbox, base, key }: DocsSite): Markup {
  const text = sandbox
    ? "“Try it” sends a request to this sandbox. The ids and tokens of what you create stay in the forms until you close the tab."
    : "This is a registry in production: only operations that read can be tried here. Use a sandbox of your own for the others.";
  return html`<p class="quiet" id="console" data-base="${base}" data-key="${key}">${{ markup: renderInline(text) }}</p>`;
}
