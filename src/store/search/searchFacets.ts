import { cpvChildren } from "../../indexing/cpvTree.ts";
import { CATEGORY_SEPARATOR, SUPPLIER_SEPARATOR } from "../../indexing/searchDocument.ts";
import type { FacetCount, SearchFacet, SearchFilter } from "../../indexing/searchQuery.ts";

/** How the matches of a search are counted by facets, for all engines. */

/** The filter that a facet is counted without. The categories below those of the filter are only in what the filter finds. */
const OWN_FILTERS = {
  status: "statuses",
  procedure: "procedures",
  division: "classifications",
  category: undefined,
  region: "regions",
  buyer: "buyers",
  supplier: "suppliers",
} as const satisfies { readonly [facet in SearchFacet]: keyof SearchFilter | undefined };

const isFiltered = (filter: SearchFilter, name: (typeof OWN_FILTERS)[SearchFacet]): boolean =>
  name !== undefined && (filter[name]?.length ?? 0) > 0;

/** The facets by the filter that they are counted with: that of the search without their own. */
export function facetFilters(
  filter: SearchFilter,
  facets: readonly SearchFacet[],
): ReadonlyMap<SearchFilter, readonly SearchFacet[]> {
  // Without a category, there is nothing to look below.
  const counted = facets.filter((facet) => facet !== "category" || isFiltered(filter, "classifications"));
  const shared = counted.filter((facet) => !isFiltered(filter, OWN_FILTERS[facet]));
  const filters = new Map<SearchFilter, readonly SearchFacet[]>();
  if (shared.length > 0) filters.set(filter, shared);
  for (const facet of counted) {
    const own = OWN_FILTERS[facet];
    if (own !== undefined && isFiltered(filter, own)) filters.set({ ...filter, [own]: undefined }, [facet]);
  }
  return filters;
}

/** The column of the table `search` that has the values of a facet. */
export const FACET_COLUMNS: { readonly [facet in SearchFacet]: string } = {
  status: "status",
  procedure: "procedure",
  division: "categories",
  category: "categories",
  region: "region",
  buyer: "buyer",
  supplier: "suppliers",
};

/** Of each facet, so many values are returned. */
const FACET_VALUES_MAX = 100;

/** Counts the matches of a facet by its values, from what its column has and how many matches have that. */
export function facetCountsOf(
  facet: SearchFacet,
  filter: SearchFilter,
  stored: Iterable<readonly [value: string | null, number: number]>,
): readonly FacetCount[] {
  const valuesIn = openFacetValues(facet, filter);
  const counts = new Map<string, number>();
  for (const [text, number] of stored) {
    if (text === null || text === "") continue;
    for (const value of valuesIn(text)) counts.set(value, (counts.get(value) ?? 0) + number);
  }
  return [...counts]
    .map(([value, count]) => ({ value, count }))
    .sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1))
    .slice(0, FACET_VALUES_MAX);
}

/** Returns a function for the values of a facet in the text of its column, each once. A tender is counted in all of them. */
function openFacetValues(facet: SearchFacet, filter: SearchFilter): (stored: string) => Iterable<string> {
  switch (facet) {
    case "division":
      return divisionsIn;
    case "category":
      return openCategoriesBelow(filter.classifications ?? []);
    case "supplier":
      return (stored) => stored.split(SUPPLIER_SEPARATOR);
    default:
      return (stored) => [stored];
  }
}

const DIVISION_DIGITS = 2;

const divisionsIn = (stored: string): Iterable<string> =>
  stored.includes(CATEGORY_SEPARATOR)
    ? new Set(stored.split(CATEGORY_SEPARATOR).map((category) => category.slice(0, DIVISION_DIGITS)))
    : [stored.slice(0, DIVISION_DIGITS)];

/** Some levels are left out in the CPV, so the categories right below a category may have different numbers of digits. */
function openCategoriesBelow(selected: readonly string[]): (stored: string) => Iterable<string> {
  const below = new Set(selected.flatMap(cpvChildren));
  const lengths = [...new Set([...below].map(({ length }) => length))];
  return (stored) => {
    const found = new Set<string>();
    for (const category of stored.split(CATEGORY_SEPARATOR))
      for (const length of lengths) {
        const above = category.slice(0, length);
        if (below.has(above)) found.add(above);
      }
    return found;
  };
}
