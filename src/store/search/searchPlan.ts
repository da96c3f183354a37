import type { Instant } from "../../domain/values/time.ts";
import type { FacetCount, SearchFacet, SearchFilter, SearchRange, SearchTerm } from "../../indexing/searchQuery.ts";
import { filterTokens, TEST_TOKEN, TITLE_MARK } from "../../indexing/searchTokens.ts";
import { tokensOfTerm } from "../../indexing/words.ts";
import { type SqlCondition, sortableDecimal } from "../facets.ts";

/** How a search is answered by tokens and columns, for all engines. */

/** A tender has one of these tokens, or one that begins with `prefix`. */
export type TokenAlternatives = { readonly exact: readonly string[]; readonly prefix?: string };

/** The conditions of a search, all of which must hold. */
export type SearchPlan = {
  readonly listing: "real" | "test";
  readonly tokens: readonly TokenAlternatives[];
  /** Tokens of tenders that do not match. */
  readonly withoutToken: string | undefined;
  /** Conditions on columns of the table `search`. */
  readonly columns: readonly SqlCondition[];
  readonly published: SearchRange<Instant>;
};

/** The conditions of a filter. */
export function searchPlanOf(filter: SearchFilter): SearchPlan {
  const { terms, mode, published = {} } = filter;
  const isTest = mode === "test";
  const tokens: readonly TokenAlternatives[] = [
    ...terms.map(tokensOfTerm),
    ...filterTokens(filter).map((exact) => ({ exact })),
    ...(isTest ? [{ exact: [TEST_TOKEN] }] : []),
  ];
  return {
    listing: mode,
    tokens,
    withoutToken: isTest || tokens.length === 0 ? undefined : TEST_TOKEN,
    columns: columnConditions(filter),
    published,
  };
}

function columnConditions({ value, currency, deadline }: SearchFilter): readonly SqlCondition[] {
  const conditions: SqlCondition[] = [];
  const add = (sql: string, bound: string | number | undefined) => {
    if (bound !== undefined) conditions.push({ sql, values: [bound] });
  };
  add("search.amount >= ?", value?.from && sortableDecimal(value.from));
  add("search.amount <= ?", value?.to && sortableDecimal(value.to));
  add("search.currency = ?", currency);
  add("search.deadline >= ?", deadline?.from);
  add("search.deadline <= ?", deadline?.to);
  return conditions;
}

/**
 * What makes a match of a term more relevant: the word itself counts one more than another form of it, and a word of the title, in any
 * form, two more. The score of a tender is the sum over all terms; of tenders with the same score, the newest comes first.
 */
export const SCORES = { exact: 1, title: 2 } as const;

/** The tokens for the scores of a term: those of the word itself, and those of the title. */
export function scoredTokensOf(term: SearchTerm): { readonly [score in keyof typeof SCORES]: TokenAlternatives } {
  const { exact, prefix } = tokensOfTerm(term);
  return {
    exact: { exact: [term.word] },
    title: {
      exact: exact.map((token) => TITLE_MARK + token),
      ...(prefix !== undefined && { prefix: TITLE_MARK + prefix }),
    },
  };
}

const FILTER_OF_FACET: { readonly [facet in SearchFacet]: keyof SearchFilter } = {
  status: "statuses",
  procedure: "procedures",
  division: "classifications",
  region: "regions",
  buyer: "buyers",
};

/** The facets by the filter that they are counted with: that of the search without their own. */
export function facetFilters(
  filter: SearchFilter,
  facets: readonly SearchFacet[],
): ReadonlyMap<SearchFilter, readonly SearchFacet[]> {
  const hasFilter = (facet: SearchFacet) => filter[FILTER_OF_FACET[facet]] !== undefined;
  const shared = facets.filter((facet) => !hasFilter(facet));
  const filters = new Map<SearchFilter, readonly SearchFacet[]>();
  if (shared.length > 0) filters.set(filter, shared);
  for (const facet of facets)
    if (hasFilter(facet)) filters.set({ ...filter, [FILTER_OF_FACET[facet]]: undefined }, [facet]);
  return filters;
}

/** The column of the table `search` that has the values of a facet. */
export const FACET_COLUMNS: { readonly [facet in SearchFacet]: string } = {
  status: "status",
  procedure: "procedure",
  division: "divisions",
  region: "region",
  buyer: "buyer",
};

/** A row of a query that counts matches: the number of those with this value in the column of the facet. */
export type FacetRow = { readonly facet: SearchFacet; readonly value: string | null; readonly number: number };

/** Of each facet, so many values are returned. */
const FACET_VALUES_MAX = 100;

/** The counts of a facet. A tender with items of several divisions is counted in each. */
export function facetCountsOf(rows: readonly FacetRow[], facet: SearchFacet): readonly FacetCount[] {
  const counts = new Map<string, number>();
  for (const row of rows) {
    if (row.facet !== facet || row.value === null) continue;
    for (const value of facet === "division" ? row.value.split(" ") : [row.value])
      if (value !== "") counts.set(value, (counts.get(value) ?? 0) + row.number);
  }
  return [...counts]
    .map(([value, count]) => ({ value, count }))
    .sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1))
    .slice(0, FACET_VALUES_MAX);
}
