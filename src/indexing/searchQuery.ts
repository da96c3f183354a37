import type { Decimal } from "../domain/values/decimal.ts";
import type { Instant } from "../domain/values/time.ts";

/**
 * The orders of search results. "deadline": the soonest first, past ones last. "value": the highest first. "relevance": see
 * `SCORES` in `store/search/searchPlan.ts`; without words the same as "newest".
 */
export const SEARCH_SORTS = ["relevance", "newest", "deadline", "value"] as const;
export type SearchSort = (typeof SEARCH_SORTS)[number];

/**
 * What the matches of a search are counted by. "division" is the CPV division, and "category" are the CPV categories right below those
 * that the search filters by.
 */
export const SEARCH_FACETS = ["status", "procedure", "division", "category", "region", "buyer", "supplier"] as const;
export type SearchFacet = (typeof SEARCH_FACETS)[number];

/** A word of a query. It matches the word itself, words with the same stem and, if `isPrefix`, words that begin with it. */
export type SearchTerm = { readonly word: string; readonly stem: string; readonly isPrefix: boolean };

/** A range of a search; both ends are inclusive, and an absent end is open. */
export type SearchRange<Value> = { readonly from?: Value | undefined; readonly to?: Value | undefined };

/** Conditions for tenders, all of which must hold. Of a list, any value may match; an empty list is no condition. */
export type SearchFilter = {
  /** All must match. */
  readonly terms: readonly SearchTerm[];
  readonly statuses?: readonly string[] | undefined;
  /** The `procurementMethodType` as the API shows it. */
  readonly procedures?: readonly string[] | undefined;
  /** The first 2 to 8 digits of CPV codes; an item has a code that begins so. */
  readonly classifications?: readonly string[] | undefined;
  /** Organisation keys: see `organizationKeys.ts`. */
  readonly buyers?: readonly string[] | undefined;
  /** Organisation keys of the tenderers of opened bids, and of the suppliers of awards and contracts. */
  readonly suppliers?: readonly string[] | undefined;
  /** Region keys: see `regions.ts`. */
  readonly regions?: readonly string[] | undefined;
  readonly value?: SearchRange<Decimal> | undefined;
  readonly currency?: string | undefined;
  /** When the tender became public. */
  readonly published?: SearchRange<Instant> | undefined;
  /** The end of the tender period. */
  readonly deadline?: SearchRange<Instant> | undefined;
  readonly mode: "real" | "test";
};

/** A page of search results. */
export type SearchQuery = {
  readonly filter: SearchFilter;
  readonly sort: SearchSort;
  /** How many results come before the page. Pages reach `SEARCH_MATCHES_MAX` results. */
  readonly offset: number;
  readonly limit: number;
  /** The facets to count. */
  readonly facets: readonly SearchFacet[];
};

/** Matches are counted up to this number. Relevance and facets consider so many of them, the newest. */
export const SEARCH_MATCHES_MAX = 10_000;

/** The number of matches with a value of a facet. */
export type FacetCount = { readonly value: string; readonly count: number };

export type SearchResult = {
  /** The ids of the tenders on the page. */
  readonly ids: readonly string[];
  /** The number of matches, at most `SEARCH_MATCHES_MAX`. */
  readonly count: number;
  /** Whether there are more than `count`. */
  readonly isMore: boolean;
  /** Counted without the facet's own filter, except for "category"; the highest count first. */
  readonly facets: { readonly [facet in SearchFacet]?: readonly FacetCount[] };
  /** Present while older tenders are still being added to the index. */
  readonly isIncomplete?: true;
};
