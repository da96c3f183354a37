import { EMPTY_MARKUP, html, type Markup } from "../../markup.ts";
import { renderInline } from "../markdown.ts";
import type { DocumentedOperation } from "../openapiDocument.ts";
import { type Reference, resourcePath, TYPES_SLUG } from "./resources.ts";

/** The pages of one version, for the navigation that stays in view; below the current page, its operations. */
export function referenceNavigation(reference: Reference, slug: string | undefined, base: string): Markup {
  const { path, resources } = reference;
  const items = resources.map((resource) => {
    const isCurrent = resource.slug === slug;
    const operations = isCurrent ? operationLinks(resource.operations) : EMPTY_MARKUP;
    return html`<li>${pageLink(resource.title, `${base}${resourcePath(path, resource.slug)}`, isCurrent)}${operations}</li>\n`;
  });
  const typesLink = pageLink("Shared types", `${base}${resourcePath(path, TYPES_SLUG)}`, slug === TYPES_SLUG);
  return html`<ul class="resources">
${items}${hasSharedTypes(reference) ? html`<li>${typesLink}</li>\n` : EMPTY_MARKUP}</ul>`;
}

export const hasSharedTypes = ({ path, pathOfType }: Reference): boolean =>
  [...pathOfType.values()].includes(resourcePath(path, TYPES_SLUG));

const pageLink = (title: string, address: string, isCurrent: boolean): Markup =>
  html`<a href="${address}"${isCurrent ? html` aria-current="page"` : EMPTY_MARKUP}>${title}</a>`;

export const operationLinks = (operations: readonly DocumentedOperation[]): Markup => html`<ul class="operations">
${operations.map(
  ({ id, method, summary }) =>
    html`<li><a href="#${id}"><span class="method ${method.toLowerCase()}">${method}</span> <span>${{ markup: renderInline(summary) }}</span></a></li>\n`,
)}</ul>`;

/** The same for a narrow window, where the navigation is at the end of the page: a bar that stays at the top. */
export const jumpBar = (title: string, links: Markup): Markup => html`<details class="jump">
<summary>${title}</summary>
<nav aria-label="On this page">${links}</nav>
</details>`;
