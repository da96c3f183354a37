import { cpvAncestors, cpvChildren } from "../../indexing/cpvTree.ts";
import type { FacetCount } from "../../indexing/searchQuery.ts";
import { formatNumber } from "../layout/formats.ts";
import { messagesIn } from "../layout/messages/messages.ts";
import { pagePathOf } from "../layout/portalPage.ts";
import { EMPTY_MARKUP, html, type Markup } from "../markup.ts";
import { ORGANIZATION_PATHS } from "../organizations/profilePage.ts";
import {
  changeParameters,
  FACET_LISTS,
  type SearchView,
  type ShownFacet,
  searchPathOf,
  toggleValue,
  valueMarkup,
} from "./searchView.ts";

/** The facets beside the results: links that add a condition or remove it, with the number of tenders. */

/** How many values of a facet are shown before the rest folds away. */
const SHOWN_MAX = 8;

/** Renders all facets that have values; nothing if none has. */
export function renderFacets(view: SearchView): Markup {
  const { search } = messagesIn(view.language);
  const facets = [
    renderFacet(view, "status"),
    renderCpvTree(view),
    renderFacet(view, "region"),
    renderFacet(view, "procedure"),
    renderFacet(view, "buyer"),
    renderFacet(view, "supplier"),
  ];
  if (facets.every(({ markup }) => markup === "")) return EMPTY_MARKUP;
  return html`<section class="facets" aria-labelledby="narrow">
<h2 id="narrow">${search.narrow}</h2>
${facets}</section>`;
}

function facetSection(view: SearchView, facet: ShownFacet, content: Markup): Markup {
  const { search } = messagesIn(view.language);
  return html`<details class="facet" open>
<summary>${search.facets[facet]}</summary>
${content}</details>
`;
}

function renderFacet(view: SearchView, facet: ShownFacet): Markup {
  const counts = withSelected(view.result.facets[facet] ?? [], view.parameters[FACET_LISTS[facet]]);
  if (counts.length === 0) return EMPTY_MARKUP;
  return facetSection(
    view,
    facet,
    html`${foldedList(view, counts, (count) => facetItem(view, facet, count))}${allLink(view, facet)}`,
  );
}

/** The link to the list of all buyers or suppliers. */
function allLink({ site, language }: SearchView, facet: ShownFacet): Markup {
  if (facet !== "buyer" && facet !== "supplier") return EMPTY_MARKUP;
  const { showAll } = messagesIn(language).organizations;
  return html`<p class="facet-all"><a href="${pagePathOf(site, ORGANIZATION_PATHS[facet], language)}">${showAll[facet]}</a></p>
`;
}

/** The counts, and the selected values that no match has. */
const withSelected = (counts: readonly FacetCount[], selected: readonly string[]): readonly FacetCount[] => [
  ...counts,
  ...selected.filter((value) => counts.every((count) => count.value !== value)).map((value) => ({ value, count: 0 })),
];

function foldedList<Entry>(
  { language }: SearchView,
  entries: readonly Entry[],
  renderEntry: (entry: Entry) => Markup,
): Markup {
  // One more takes no more room than the line that would unfold it.
  const shown = entries.length <= SHOWN_MAX + 1 ? entries : entries.slice(0, SHOWN_MAX);
  const folded = entries.slice(shown.length);
  const list = html`<ul role="list">
${shown.map(renderEntry)}</ul>
`;
  if (folded.length === 0) return list;
  return html`${list}<details class="more"><summary>${messagesIn(language).search.more(folded.length)}</summary>
<ul role="list">
${folded.map(renderEntry)}</ul>
</details>
`;
}

function facetItem(view: SearchView, facet: ShownFacet, { value, count }: FacetCount): Markup {
  const list = FACET_LISTS[facet];
  const href = searchPathOf(toggleValue(view.parameters, list, value), view);
  const isSelected = view.parameters[list].includes(value);
  return facetLink(view, href, valueMarkup(view, list, value), count, isSelected);
}

const facetLink = (view: SearchView, href: string, name: Markup, count: number | undefined, isSelected: boolean) =>
  html`<li><a href="${href}" rel="nofollow"${isSelected ? html` aria-current="true"` : EMPTY_MARKUP}><span>${name}</span>${count === undefined ? EMPTY_MARKUP : html` <span class="count">${formatNumber(count, view.language)}</span>`}</a></li>
`;

/**
 * The tree of CPV categories: the divisions with their numbers, or, inside of a category, the way down to it and the categories below
 * that have results. Each link is a search of its own, so the whole tree can be walked without scripts.
 */
function renderCpvTree(view: SearchView): Markup {
  const { parameters, result } = view;
  const [category, ...others] = parameters.classifications;
  if (category === undefined || others.length > 0) return renderFacet(view, "division");
  const { division = [], category: below = [] } = result.facets;
  const counts = new Map([...division, ...below].map(({ value, count }) => [value, count]));
  // Only the newest results are counted, so a category without a number may still have some.
  if (result.isMore) counts.delete(category);
  else counts.set(category, result.count);
  const link = (target: string | undefined, name: Markup, isSelected = false) => {
    const classifications = target === undefined ? [] : [target];
    const href = searchPathOf(changeParameters(parameters, { classifications }), view);
    return facetLink(view, href, name, target === undefined ? undefined : counts.get(target), isSelected);
  };
  const categoryLink = (target: string) => link(target, valueMarkup(view, "classifications", target));
  const children = cpvChildren(category).filter((child) => result.isMore || counts.has(child));
  const belowItem =
    children.length === 0
      ? EMPTY_MARKUP
      : html`<li class="cpv-below">${foldedList(view, children, categoryLink)}</li>
`;
  return facetSection(
    view,
    "division",
    html`<ul class="cpv-path" role="list">
${link(undefined, html`${messagesIn(view.language).search.allCategories}`)}${cpvAncestors(category).map(categoryLink)}${link(category, valueMarkup(view, "classifications", category), true)}${belowItem}</ul>
`,
  );
}
