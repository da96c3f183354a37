import type { Instant } from "../../domain/values/time.ts";
import {
  SEARCH_MATCHES_MAX,
  type SearchFacet,
  type SearchQuery,
  type SearchResult,
  type SearchTerm,
} from "../../indexing/searchQuery.ts";
import type { SqlCondition } from "../facets.ts";
import { requireRow } from "../rowMapping.ts";
import { IS_BACKFILLING } from "../search/publicSql.ts";
import { type FacetRow, facetCountsOf, facetFilters, facetSql } from "../search/searchFacets.ts";
import {
  planOfTerm,
  publishedConditions,
  SCORED_TERMS_MAX,
  SCORES,
  type SearchPlan,
  scoredTokensOf,
  searchPlanOf,
  sortedParts,
  type TokenAlternatives,
  termWithoutPrefix,
} from "../search/searchPlan.ts";
import type { RunQuery } from "./connection.ts";
import { numberPlaceholders } from "./feed.ts";

type Values = readonly (string | number)[];
type IdRow = { readonly id: string };
/** Conditions on the table `search`, with a question mark for each value. */
type Matches = { readonly where: string; readonly values: Values };

/** Opens the search of an index. Its queries are not prepared, because the best plan depends on the values. */
export function openSearch(runQuery: RunQuery): (query: SearchQuery, now: Instant) => Promise<SearchResult> {
  const all = <Row extends object>(text: string, values: Values): Promise<readonly Row[]> =>
    runQuery<Row>({ name: "", text: numberPlaceholders(text) }, values);

  async function countOf({ where, values }: Matches): Promise<number> {
    const sql = `select count(*) as number from (select 1 from search where ${where} limit ?) as matched`;
    const [counted] = await all<{ number: number }>(sql, [...values, SEARCH_MATCHES_MAX + 1]);
    return requireRow(counted).number;
  }

  /** The term, with its prefix only if the word itself is rare. */
  async function withPrefixIfRare(term: SearchTerm, mode: SearchQuery["filter"]["mode"]): Promise<SearchTerm> {
    const isFrequent = term.isPrefix && (await countOf(matchesOf(planOfTerm(term, mode)))) > SEARCH_MATCHES_MAX;
    return isFrequent ? termWithoutPrefix(term) : term;
  }

  /** The newest matches by their score. */
  async function ranked(plan: SearchPlan, terms: readonly SearchTerm[], { offset, limit }: SearchQuery) {
    const { where, values } = matchesOf(plan);
    const scores = terms.slice(0, SCORED_TERMS_MAX).flatMap((term, i) => {
      const scored = scoredTokensOf(term, plan.tokens[i] ?? { exact: [] });
      return (["exact", "title"] as const).map((name) => ({
        sql: `(tokens @@ ?::tsquery)::integer * ${SCORES[name]}`,
        value: alternativesText(scored[name]),
      }));
    });
    const sql = `
      with matched as materialized (
        select public_row, tender_id, tokens from search where ${where} order by public_row desc limit ?)
      select tender_id as id from matched order by ${scores.map((score) => score.sql).join(" + ")} desc, public_row desc
      limit ? offset ?`;
    const scoreValues = scores.map(({ value }) => value);
    return all<IdRow>(sql, [...values, SEARCH_MATCHES_MAX, ...scoreValues, limit, offset]);
  }

  async function sorted({ where, values }: Matches, query: SearchQuery, now: Instant): Promise<readonly IdRow[]> {
    const { sort, offset, limit } = query;
    const found: IdRow[] = [];
    for (const part of sortedParts(sort, now)) {
      const missing = offset + limit - found.length;
      if (missing === 0) break;
      const conditions = [where, part.condition].filter((condition) => condition !== "").join(" and ");
      const sql = `select tender_id as id from search where ${conditions} order by ${part.order} limit ?`;
      found.push(...(await all<IdRow>(sql, [...values, ...part.values, missing])));
    }
    return found.slice(offset);
  }

  async function facetsOf(plan: SearchPlan, facets: readonly SearchFacet[]): Promise<readonly FacetRow[]> {
    const { where, values } = matchesOf(plan);
    const matches = `search where ${where} order by public_row desc limit ?`;
    return all<FacetRow>(facetSql(facets, matches), [...values, SEARCH_MATCHES_MAX]);
  }

  return async (query, now) => {
    const { facets, sort } = query;
    const terms = await Promise.all(query.filter.terms.map((term) => withPrefixIfRare(term, query.filter.mode)));
    const filter = { ...query.filter, terms };
    const plan = searchPlanOf(filter);
    const matches = matchesOf(plan);
    const isRanked = sort === "relevance" && filter.terms.length > 0;
    const [count, ids, [backfill], ...counted] = await Promise.all([
      countOf(matches),
      isRanked ? ranked(plan, filter.terms, query) : sorted(matches, query, now),
      all<{ number: number }>(IS_BACKFILLING, []),
      ...[...facetFilters(filter, facets)].map(([facetFilter, names]) => facetsOf(searchPlanOf(facetFilter), names)),
    ]);
    const rowsByFacet = Map.groupBy(counted.flat(), ({ facet }) => facet);
    const countsOf = (facet: SearchFacet) =>
      facetCountsOf(
        facet,
        filter,
        (rowsByFacet.get(facet) ?? []).map(({ value, number }) => [value, number]),
      );
    return {
      ids: ids.map(({ id }) => id),
      count: Math.min(count, SEARCH_MATCHES_MAX),
      isMore: count > SEARCH_MATCHES_MAX,
      facets: Object.fromEntries(facets.map((facet) => [facet, countsOf(facet)])),
      ...(requireRow(backfill).number > 0 && { isIncomplete: true as const }),
    };
  };
}

function matchesOf(plan: SearchPlan): Matches {
  const conditions: readonly SqlCondition[] = [
    { sql: "search.listing = ?", values: [plan.listing] },
    ...(plan.tokens.length === 0 ? [] : [{ sql: "search.tokens @@ ?::tsquery", values: [tokensText(plan.tokens)] }]),
    ...publishedConditions(plan, "search.public_row"),
    ...plan.columns,
  ];
  return {
    where: conditions.map(({ sql }) => sql).join(" and "),
    values: conditions.flatMap(({ values }) => values),
  };
}

/** The text of a `tsquery` for tokens, all of which must match. */
export const tokensText = (tokens: readonly TokenAlternatives[]): string => tokens.map(alternativesText).join(" & ");

/** The text of a `tsquery` for alternative tokens, none of which contains a quote or a backslash. */
const alternativesText = ({ exact, prefix }: TokenAlternatives): string =>
  `(${[...exact.map((token) => `'${token}'`), ...(prefix === undefined ? [] : [`'${prefix}':*`])].join(" | ")})`;
