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

/** Counts the matches of a facet by its values. A search counts up to 10,000 matches, so nothing is copied for each of them. */
export type FacetCounter = {
  /** Adds so many matches that have this text in the column of the facet. */
  readonly add: (stored: string | null, number: number) => void;
  /** The values with the highest counts, these first. */
  readonly results: () => readonly FacetCount[];
};

/** Opens the counter of a facet for the matches of a filter. A tender with several values is counted in each of them once. */
export function openFacetCounter(facet: SearchFacet, filter: SearchFilter): FacetCounter {
  const counts = new Map<string, number>();
  const count = (value: string, number: number) => void counts.set(value, (counts.get(value) ?? 0) + number);
  const addTo = openAddition(facet, filter);
  return {
    add: (stored, number) => {
      if (stored !== null && stored !== "") addTo(stored, number, count);
    },
    results: () => highestCounts(counts),
  };
}

/** Counts each value in the text of a column. */
type Addition = (stored: string, number: number, count: (value: string, number: number) => void) => void;

function openAddition(facet: SearchFacet, filter: SearchFilter): Addition {
  switch (facet) {
    case "division":
      return addDivisions;
    case "category":
      return openCategoryAddition(filter.classifications ?? []);
    case "supplier":
      return addSuppliers;
    default:
      return (stored, number, count) => count(stored, number);
  }
}

const addSuppliers: Addition = (stored, number, count) => {
  if (!stored.includes(SUPPLIER_SEPARATOR)) return count(stored, number);
  for (const supplier of stored.split(SUPPLIER_SEPARATOR)) count(supplier, number);
};

const DIVISION_DIGITS = 2;

/** Categories are in order, so those of one division follow each other. */
const addDivisions: Addition = (stored, number, count) => {
  let last = stored.slice(0, DIVISION_DIGITS);
  count(last, number);
  for (let end = stored.indexOf(CATEGORY_SEPARATOR); end >= 0; end = stored.indexOf(CATEGORY_SEPARATOR, end + 1)) {
    if (stored.startsWith(last, end + 1)) continue;
    last = stored.slice(end + 1, end + 1 + DIVISION_DIGITS);
    count(last, number);
  }
};

/** Some levels are left out in the CPV, so the categories right below a category may have different numbers of digits. */
function openCategoryAddition(selected: readonly string[]): Addition {
  const below = new Set(selected.flatMap(cpvChildren));
  const lengths = [...new Set([...below].map(({ length }) => length))];
  return (stored, number, count) => {
    const found = new Set<string>();
    for (const category of stored.split(CATEGORY_SEPARATOR)) {
      // Most codes of a tender with several are in other divisions.
      if (!selected.some((above) => category.startsWith(above))) continue;
      for (const length of lengths) {
        const above = category.slice(0, length);
        if (below.has(above)) found.add(above);
      }
    }
    for (const category of found) count(category, number);
  };
}

const isBefore = (a: FacetCount, b: FacetCount): boolean =>
  a.count > b.count || (a.count === b.count && a.value < b.value);

/** Keeps the highest counts in order. There may be thousands of others, which are compared once and not sorted. */
function highestCounts(counts: ReadonlyMap<string, number>): readonly FacetCount[] {
  const highest: FacetCount[] = [];
  for (const [value, count] of counts) {
    const last = highest[FACET_VALUES_MAX - 1];
    if (last && (count < last.count || (count === last.count && value > last.value))) continue;
    const counted = { value, count };
    const at = highest.findIndex((other) => isBefore(counted, other));
    highest.splice(at < 0 ? highest.length : at, 0, counted);
    if (highest.length > FACET_VALUES_MAX) highest.pop();
  }
  return highest;
}
