import { required } from "../../../base/required.ts";
import type { ListedRule } from "../../../http/errorRules.ts";
import { EMPTY_MARKUP, html, type Markup } from "../../markup.ts";
import { NEWEST_VERSION, pageTitleOf, VERSIONS } from "../contents.ts";
import type { DocsPage, DocsSite } from "../layout.ts";
import { renderInline } from "../markdown.ts";
import type { DocumentedOperation } from "../openapiDocument.ts";
import { schemaAnchor, sentence } from "../schemaTables.ts";
import { jumpBar, referenceNavigation } from "./navigation.ts";
import { requestErrorRules, writeErrorRules } from "./operationErrors.ts";
import { commaList, endpoint, parameterDescriptions, ruleLink } from "./operationSection.ts";
import { type Reference, type Resource, resourcePath } from "./resources.ts";

/**
 * The first page of a version: every operation and every type with a link to the page that has it. The ids are those that the
 * reference had when it was one page, so that old links find their entry here; the page's script follows it at once.
 */
export function overviewPage(reference: Reference, site: DocsSite): DocsPage {
  const { path, segment, document, resources } = reference;
  const title = pageTitleOf(path);
  const file = segment === "site" ? "/openapi.json" : `/api/${segment}/openapi.json`;
  const count = resources.reduce((sum, { operations }) => sum + operations.length, 0);
  const content = html`<h1>${title}</h1>
${jumpBar(`${title}: ${resources.length} resources`, referenceNavigation(reference, undefined, site.base))}
${versionNotice(reference, site)}
<p>${{ markup: renderInline(document.info.description) }} The same as a file: <a href="${site.base}${file}">OpenAPI 3.1</a>.</p>
<p class="versions">Version ${versionLinks(path, site.base)}</p>
<p class="finder"><label for="search">Find an operation</label> <input id="search" type="search" data-search=".listed" autocomplete="off" placeholder="bids, PATCH, document …"></p>
<p class="quiet" id="found" role="status">${count} operations</p>
${resources.map((resource) => resourceSection(resource, reference, site))}
${commonParameters(reference)}<h2 id="errors"><a class="anchor" href="#errors">Errors</a></h2>
<p>Each operation lists the errors of its own. ${ruleSentence("Any request", requestErrorRules(), site)} ${ruleSentence("A request that writes", writeErrorRules(), site)}</p>
<h2 id="schemas"><a class="anchor" href="#schemas">Types</a></h2>
<p>What bodies consist of.</p>
<ul class="columns-list">
${Object.keys(document.components.schemas).map((name) => html`<li id="${schemaAnchor(name)}"><a href="${site.base}${required(reference.pathOfType.get(name), `the page of ${name}`)}#${schemaAnchor(name)}">${name}</a></li>\n`)}</ul>`;
  return {
    path,
    title,
    content,
    scripts: ["reference.js"],
    styles: ["reference.css"],
    isWide: true,
    navigation: referenceNavigation(reference, undefined, site.base),
  };
}

const ruleSentence = (subject: string, rules: readonly ListedRule[], { base }: DocsSite): Markup =>
  html`${subject} can also be refused by ${commaList(rules.map((rule) => ruleLink(rule, base)))}.`;

function commonParameters({ commonParameters: parameters }: Reference): Markup {
  if (parameters.size === 0) return EMPTY_MARKUP;
  return html`<h2 id="parameters"><a class="anchor" href="#parameters">Common parameters</a></h2>
<p>Many operations take these.</p>
${parameterDescriptions([...parameters.values()], true)}`;
}

function versionNotice({ segment }: Reference, { base }: DocsSite): Markup {
  if (segment === NEWEST_VERSION.name)
    return html`<p class="notice">This is the newest version, and the one to start with. The older ones are for programs that already use them.</p>`;
  if (!VERSIONS.some(({ name }) => name === segment)) return EMPTY_MARKUP;
  return html`<p class="notice">Version ${segment} is old and only for programs that already use it. Start with <a href="${base}${NEWEST_VERSION.path}">${pageTitleOf(NEWEST_VERSION.path)}</a>.</p>`;
}

function versionLinks(currentPath: string, base: string): readonly Markup[] {
  const pages = [...VERSIONS, { name: "what all versions share", path: "/docs/api/site" }];
  return pages.map(({ name, path }) =>
    path === currentPath ? html`<strong>${name}</strong> ` : html`<a href="${base}${path}">${name}</a> `,
  );
}

function resourceSection(
  { title, slug, description, operations }: Resource,
  reference: Reference,
  { base }: DocsSite,
): Markup {
  const address = `${base}${resourcePath(reference.path, slug)}`;
  const id = `about-${slug}`;
  return html`<section class="group" aria-labelledby="${id}">
<h2 id="${id}"><a href="${address}">${title}</a></h2>
${sentence(description)}
<ul class="listing">
${operations.map((operation) => listedOperation(operation, address))}</ul>
</section>
`;
}

const listedOperation = (operation: DocumentedOperation, address: string): Markup =>
  html`<li class="listed" id="${operation.id}"><a href="${address}#${operation.id}">${endpoint(operation)}</a> <span class="what">${{ markup: renderInline(operation.summary) }}</span></li>\n`;
