import type { DatabaseSync } from "node:sqlite";
import type { Instant } from "../../domain/values/time.ts";
import {
  type FacetCount,
  SEARCH_MATCHES_MAX,
  type SearchFacet,
  type SearchFilter,
  type SearchQuery,
  type SearchResult,
  type SearchTerm,
} from "../../indexing/searchQuery.ts";
import { requireRow } from "../rowMapping.ts";
import { IS_BACKFILLING } from "../search/publicSql.ts";
import { FACET_COLUMNS, facetFilters, openFacetCounter } from "../search/searchFacets.ts";
import {
  planOfTerm,
  SCORED_TERMS_MAX,
  SCORES,
  type SearchPlan,
  scoredTokensOf,
  searchPlanOf,
  type TokenAlternatives,
  termWithoutPrefix,
} from "../search/searchPlan.ts";
import { openQueryCache, prepareQuery } from "./query.ts";
import { matchesOf } from "./searchMatches.ts";
import { openSortedSearch } from "./sortedSearch.ts";

/** A match: the number of its row and, if they were asked for, the values of facets. */
type Match = readonly [row: number, ...facets: (string | null)[]];

/** Opens the search of an index. All its queries are synchronous. */
export function openSearch(db: DatabaseSync): (query: SearchQuery, now: Instant) => SearchResult {
  const prepareMatches = openQueryCache<Match>(db, true);
  const backfill = prepareQuery<{ number: number }>(db, IS_BACKFILLING);
  const idOf = prepareQuery<{ id: string }>(db, "select tender_id as id from search where public_row = ?");
  const { countOf, sorted } = openSortedSearch(db);

  /** The newest matches, one more than are counted, with the values of these facets. */
  function newest(plan: SearchPlan, facets: readonly SearchFacet[] = [], fromRow?: number): readonly Match[] {
    const { row, rowSource, source, where, values } = matchesOf(plan);
    const columns = facets.map((facet) => `, search.${FACET_COLUMNS[facet]}`).join("");
    // The driver binds numbers as floating-point ones, and FTS5 would compare all rows with such a bound instead of stopping there.
    const bound = fromRow === undefined ? "" : ` and ${row} >= cast(? as integer)`;
    const sql = `
      select ${row}${columns} from ${columns === "" ? rowSource : source}
      where ${where}${bound} order by ${row} desc limit ?`;
    const bounds = fromRow === undefined ? [] : [fromRow];
    return prepareMatches(sql).all(...values, ...bounds, SEARCH_MATCHES_MAX + 1);
  }

  /** The term, with its prefix only if the word itself is rare. */
  function withPrefixIfRare(term: SearchTerm, mode: SearchQuery["filter"]["mode"]): SearchTerm {
    const isFrequent = term.isPrefix && countOf(planOfTerm(term, mode)) > SEARCH_MATCHES_MAX;
    return isFrequent ? termWithoutPrefix(term) : term;
  }

  const idsOfRows = (rows: readonly number[]): readonly string[] => rows.map((row) => requireRow(idOf.get(row)).id);

  /** The matches by their score. */
  function ranked(
    plan: SearchPlan,
    matches: readonly Match[],
    terms: readonly SearchTerm[],
    { offset, limit }: SearchQuery,
  ): readonly string[] {
    const scores = new Uint8Array(matches.length);
    const oldest = matches.at(-1)?.[0];
    /** Both lists are in the same order, so they are compared in one pass. */
    const addScore = (scoredPlan: SearchPlan, by: number) => {
      let at = 0;
      for (const [row] of newest(scoredPlan, [], oldest)) {
        while ((matches[at]?.[0] ?? row) > row) at += 1;
        if (matches[at]?.[0] === row) scores[at] = (scores[at] ?? 0) + by;
      }
    };
    for (const [i, term] of terms.slice(0, SCORED_TERMS_MAX).entries()) {
      const scored = scoredTokensOf(term, plan.tokens[i] ?? { exact: [] });
      const planWith = (tokens: TokenAlternatives): SearchPlan => ({ ...plan, tokens: plan.tokens.with(i, tokens) });
      // A term that has a prefix is a rare word: finding all its rows takes less time than the prefixes of other terms.
      addScore(term.isPrefix ? { ...plan, tokens: [scored.exact], columns: [] } : planWith(scored.exact), SCORES.exact);
      addScore(planWith(scored.title), SCORES.title);
    }
    return idsOfRows(bestRows(matches, scores, offset + limit).slice(offset));
  }

  return (query, now) => {
    const { facets, sort, offset, limit } = query;
    const filter = {
      ...query.filter,
      terms: query.filter.terms.map((term) => withPrefixIfRare(term, query.filter.mode)),
    };
    const plan = searchPlanOf(filter);
    const filters = facetFilters(filter, facets);
    const sharedFacets = filters.get(filter) ?? [];
    const found = newest(plan, sharedFacets);
    const matches = firstOf(found);
    const isMore = found.length > matches.length;
    const counts = new Map(countFacets(matches, sharedFacets, filter));
    for (const [facetFilter, names] of filters)
      if (facetFilter !== filter)
        for (const [facet, counted] of countFacets(firstOf(newest(searchPlanOf(facetFilter), names)), names, filter))
          counts.set(facet, counted);
    const idsOf = (): readonly string[] => {
      if (matches.length === 0) return [];
      if (sort === "relevance" && filter.terms.length > 0) return ranked(plan, matches, filter.terms, query);
      if (sort === "value" || sort === "deadline") return sorted(query, plan, isMore, now);
      return idsOfRows(matches.slice(offset, offset + limit).map(([row]) => row));
    };
    return {
      ids: idsOf(),
      count: matches.length,
      isMore,
      facets: Object.fromEntries(facets.map((facet) => [facet, counts.get(facet) ?? []])),
      ...(requireRow(backfill.get()).number > 0 && { isIncomplete: true as const }),
    };
  };
}

const firstOf = (matches: readonly Match[]): readonly Match[] =>
  matches.length > SEARCH_MATCHES_MAX ? matches.slice(0, SEARCH_MATCHES_MAX) : matches;

/** The rows with the highest scores; of those with the same score, the first ones. */
function bestRows(matches: readonly Match[], scores: Uint8Array, limit: number): readonly number[] {
  const rowsByScore: number[][] = [];
  for (const [i, [row]] of matches.entries()) {
    const score = scores[i] ?? 0;
    const rows = rowsByScore[score] ?? [];
    rowsByScore[score] = rows;
    if (rows.length < limit) rows.push(row);
  }
  // Scores that no match has leave holes, which `flat` skips.
  return rowsByScore.reverse().flat().slice(0, limit);
}

/** Counts the matches by each facet. */
const countFacets = (
  matches: readonly Match[],
  facets: readonly SearchFacet[],
  filter: SearchFilter,
): readonly (readonly [SearchFacet, readonly FacetCount[]])[] =>
  facets.map((facet, i) => {
    const counter = openFacetCounter(facet, filter);
    for (const match of matches) {
      const value = match[i + 1];
      if (typeof value === "string") counter.add(value, 1);
    }
    return [facet, counter.results()] as const;
  });
