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
import { tokensOfTerm } from "../../indexing/words.ts";
import { requireRow } from "../rowMapping.ts";
import { IS_BACKFILLING } from "../search/publicSql.ts";
import { facetFilters } from "../search/searchFacets.ts";
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
import { openFacetRows } from "./facetRows.ts";
import { openPrefixWords } from "./prefixWords.ts";
import { openQueryCache, prepareQuery } from "./query.ts";
import { matchesOf } from "./searchMatches.ts";
import { openSortedSearch } from "./sortedSearch.ts";

/** Opens the search of an index. All its queries are synchronous. */
export function openSearch(db: DatabaseSync): (query: SearchQuery, now: Instant) => SearchResult {
  const prepareRows = openQueryCache<readonly [row: number]>(db, true);
  const backfill = prepareQuery<{ number: number }>(db, IS_BACKFILLING);
  const idOf = prepareQuery<{ id: string }>(db, "select tender_id as id from search where public_row = ?");
  const { countOf, sorted } = openSortedSearch(db);
  const { refresh, countFacets } = openFacetRows(db);
  const prefixWords = openPrefixWords(db);

  /** The rows of the newest matches, one more than are counted. */
  function newest(plan: SearchPlan): readonly number[] {
    const { row, rowSource, where, values } = matchesOf(plan);
    const sql = `select ${row} from ${rowSource} where ${where} order by ${row} desc limit ?`;
    return rowsIn(prepareRows(sql).all(...values, SEARCH_MATCHES_MAX + 1));
  }

  /** The rows of all matches from a row on, the newest first. */
  function newestFrom(fromRow: number, plan: SearchPlan): readonly number[] {
    const { row, rowSource, where, values } = matchesOf(plan);
    // The driver binds numbers as floating-point ones, and FTS5 would compare all rows with such a bound instead of stopping there.
    const sql = `select ${row} from ${rowSource} where ${where} and ${row} >= cast(? as integer) order by ${row} desc`;
    return rowsIn(prepareRows(sql).all(...values, fromRow));
  }

  /** The term, with its prefix only if the word itself is rare. */
  function withPrefixIfRare(term: SearchTerm, mode: SearchQuery["filter"]["mode"]): SearchTerm {
    const isFrequent = term.isPrefix && countOf(planOfTerm(term, mode), SEARCH_MATCHES_MAX) > SEARCH_MATCHES_MAX;
    return isFrequent ? termWithoutPrefix(term) : term;
  }

  const idsOfRows = (rows: readonly number[]): readonly string[] => rows.map((row) => requireRow(idOf.get(row)).id);

  /** The tokens of a term, with the words that begin with its prefix instead of the prefix. */
  function tokensOf(term: SearchTerm): TokenAlternatives {
    const { exact, prefix } = tokensOfTerm(term);
    const words = prefix === undefined ? [] : prefixWords(prefix);
    return words ? { exact: [...new Set([...exact, ...words])] } : { exact, prefix };
  }

  /** The matches by their score. */
  function ranked(
    plan: SearchPlan,
    matches: readonly number[],
    terms: readonly SearchTerm[],
    { offset, limit }: SearchQuery,
  ): readonly string[] {
    const scores = new Uint8Array(matches.length);
    const oldest = matches.at(-1) ?? 0;
    /** Both lists are in the same order, so they are compared in one pass. Rows that are no matches need no conditions to exclude them. */
    const addScore = (tokens: readonly TokenAlternatives[], by: number) => {
      let at = 0;
      for (const row of newestFrom(oldest, { ...plan, tokens, columns: [] })) {
        while ((matches[at] ?? row) > row) at += 1;
        if (matches[at] === row) scores[at] = (scores[at] ?? 0) + by;
      }
    };
    for (const [i, term] of terms.slice(0, SCORED_TERMS_MAX).entries()) {
      const scored = scoredTokensOf(term, plan.tokens[i] ?? { exact: [] });
      // A term that has a prefix is a rare word: finding all its rows takes less time than the prefixes of other terms.
      addScore(term.isPrefix ? [scored.exact] : plan.tokens.with(i, scored.exact), SCORES.exact);
      addScore(plan.tokens.with(i, scored.title), SCORES.title);
    }
    return idsOfRows(bestRows(matches, scores, offset + limit).slice(offset));
  }

  return (query, now) => {
    refresh();
    const { facets, sort, offset, limit } = query;
    const filter = {
      ...query.filter,
      terms: query.filter.terms.map((term) => withPrefixIfRare(term, query.filter.mode)),
    };
    const termTokens = filter.terms.map(tokensOf);
    const planOf = (conditions: SearchFilter): SearchPlan => withTermTokens(searchPlanOf(conditions), termTokens);
    const plan = planOf(filter);
    const found = newest(plan);
    const matches = firstOf(found);
    const isMore = found.length > matches.length;
    const counts = new Map<SearchFacet, readonly FacetCount[]>();
    for (const [facetFilter, names] of facetFilters(filter, facets)) {
      const rows = facetFilter === filter ? matches : firstOf(newest(planOf(facetFilter)));
      for (const [facet, counted] of countFacets(rows, names, filter)) counts.set(facet, counted);
    }
    const idsOf = (): readonly string[] => {
      if (matches.length === 0) return [];
      if (sort === "relevance" && filter.terms.length > 0) return ranked(plan, matches, filter.terms, query);
      if (sort === "value" || sort === "deadline") return sorted(query, plan, isMore, now);
      return idsOfRows(matches.slice(offset, offset + limit));
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

/** The plan with other tokens of its terms, which come first. */
const withTermTokens = (plan: SearchPlan, termTokens: readonly TokenAlternatives[]): SearchPlan => ({
  ...plan,
  tokens: [...termTokens, ...plan.tokens.slice(termTokens.length)],
});

const rowsIn = (rows: readonly (readonly [row: number])[]): readonly number[] => rows.map(([row]) => row);

const firstOf = (rows: readonly number[]): readonly number[] =>
  rows.length > SEARCH_MATCHES_MAX ? rows.slice(0, SEARCH_MATCHES_MAX) : rows;

/** The rows with the highest scores; of those with the same score, the first ones. */
function bestRows(matches: readonly number[], scores: Uint8Array, limit: number): readonly number[] {
  const rowsByScore: number[][] = [];
  for (const [i, row] of matches.entries()) {
    const score = scores[i] ?? 0;
    const rows = rowsByScore[score] ?? [];
    rowsByScore[score] = rows;
    if (rows.length < limit) rows.push(row);
  }
  // Scores that no match has leave holes, which `flat` skips.
  return rowsByScore.reverse().flat().slice(0, limit);
}
