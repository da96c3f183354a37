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
import { FACET_COLUMNS, facetFilters, openFacetCounter } from "../search/searchFacets.ts";
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
/** The number of all matches that were found, the place of a match on the page, or the number of matches with a value of a facet. */
type MatchRow = {
  readonly kind: "found" | "page" | SearchFacet;
  readonly value: string | null;
  readonly number: number;
};
/** Conditions on the table `search`, with a question mark for each value. */
type Matches = { readonly where: string; readonly values: Values };

/** From so many matches on, it is faster to test the rows in order until enough of them match. */
const MANY_MATCHES = 100_000;

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

  /**
   * The rows of a plan as a table `search`. Few are found by the index of tokens and then sorted: to test every row of the table in
   * order takes longer. PostgreSQL does not know how much longer, so `offset 0` keeps it from doing that.
   */
  async function sourceOf(plan: SearchPlan): Promise<{ readonly source: string; readonly values: Values }> {
    const { where, values } = matchesOf(plan);
    const areMany = plan.tokens.length === 0 || (await estimatedCount({ where, values })) > MANY_MATCHES;
    const source = areMany
      ? `search where ${where}`
      : `(select * from search where ${where} offset 0) as search where true`;
    return { source, values };
  }

  /** How many rows PostgreSQL expects, by its statistics of tokens. */
  async function estimatedCount({ where, values }: Matches): Promise<number> {
    const [found] = await all<{ "QUERY PLAN": readonly { readonly Plan: { readonly "Plan Rows": number } }[] }>(
      `explain (format json) select 1 from search where ${where}`,
      values,
    );
    return requireRow(requireRow(found)["QUERY PLAN"][0]).Plan["Plan Rows"];
  }

  /** Reads the newest matches once: how many there are, the first ones of a page by their score, and their numbers by facets. */
  async function readMatches(
    plan: SearchPlan,
    facets: readonly SearchFacet[],
    page?: { readonly terms: readonly SearchTerm[]; readonly offset: number; readonly limit: number },
  ): Promise<readonly MatchRow[]> {
    const { source, values } = await sourceOf(plan);
    const scores = page ? scoresOf(plan, page.terms) : [];
    const columns = new Set(["public_row", "tender_id", ...facets.map((facet) => FACET_COLUMNS[facet])]);
    const order = scores.length === 0 ? "order by public_row desc" : "order by score desc, public_row desc";
    const sql = `
      with found as materialized (select ${[...columns].join(", ")} from ${source} order by public_row desc limit ?),
      matched as materialized (select * from found order by public_row desc limit ?)
      select 'found' as kind, null as value, count(*) as number from found
      ${facets.map((facet) => facetSql(facet)).join("")}
      ${page ? `union all (select 'page', tender_id, row_number() over (${order}) from ${scoredSql(scores)} ${order} limit ? offset ?)` : ""}`;
    return all<MatchRow>(sql, [
      ...[...values, SEARCH_MATCHES_MAX + 1, SEARCH_MATCHES_MAX],
      ...(page ? [...scores.map(({ value }) => value), page.limit, page.offset] : []),
    ]);
  }

  async function sorted(plan: SearchPlan, query: SearchQuery, now: Instant): Promise<readonly IdRow[]> {
    const { sort, offset, limit } = query;
    const { source, values } = await sourceOf(plan);
    const found: IdRow[] = [];
    for (const part of sortedParts(sort, now)) {
      const missing = offset + limit - found.length;
      if (missing === 0) break;
      const sql = `select tender_id as id from ${source} and ${part.condition} order by ${part.order} limit ?`;
      found.push(...(await all<IdRow>(sql, [...values, ...part.values, missing])));
    }
    return found.slice(offset);
  }

  return async (query, now) => {
    const { facets, sort, offset, limit } = query;
    const terms = await Promise.all(query.filter.terms.map((term) => withPrefixIfRare(term, query.filter.mode)));
    const filter = { ...query.filter, terms };
    const plan = searchPlanOf(filter);
    const filters = facetFilters(filter, facets);
    const isByColumn = sort === "value" || sort === "deadline";
    const page = { terms: sort === "relevance" ? terms : [], offset, limit };
    const [[backfill], matches, sortedIds, ...others] = await Promise.all([
      all<{ number: number }>(IS_BACKFILLING, []),
      readMatches(plan, filters.get(filter) ?? [], isByColumn ? undefined : page),
      isByColumn ? sorted(plan, query, now) : [],
      ...[...filters].flatMap(([facetFilter, names]) =>
        facetFilter === filter ? [] : [readMatches(searchPlanOf(facetFilter), names)],
      ),
    ]);
    const counters = new Map(facets.map((facet) => [facet, openFacetCounter(facet, filter)]));
    const rowsByKind = Map.groupBy([...matches, ...others.flat()], ({ kind }) => kind);
    for (const [facet, counter] of counters)
      for (const { value, number } of rowsByKind.get(facet) ?? []) counter.add(value, number);
    const count = requireRow(matches.find(({ kind }) => kind === "found")).number;
    const pageRows = (rowsByKind.get("page") ?? []).toSorted((a, b) => a.number - b.number);
    return {
      ids: isByColumn ? sortedIds.map(({ id }) => id) : pageRows.flatMap(({ value }) => value ?? []),
      count: Math.min(count, SEARCH_MATCHES_MAX),
      isMore: count > SEARCH_MATCHES_MAX,
      facets: Object.fromEntries([...counters].map(([facet, counter]) => [facet, counter.results()])),
      ...(requireRow(backfill).number > 0 && { isIncomplete: true as const }),
    };
  };
}

/** Counts the matches by the values of a facet. */
const facetSql = (facet: SearchFacet): string =>
  `union all select '${facet}', ${FACET_COLUMNS[facet]}, count(*) from matched group by ${FACET_COLUMNS[facet]}\n`;

/** The matches with their scores. Their tokens are read again: they are too large to be sorted by the way. */
const scoredSql = (scores: readonly { readonly sql: string }[]): string =>
  scores.length === 0
    ? "matched"
    : `(select public_row, matched.tender_id, ${scores.map(({ sql }) => sql).join(" + ")} as score
      from matched join search using (public_row)) as scored`;

/** The terms of the score of a row, with the value of each. */
const scoresOf = (plan: SearchPlan, terms: readonly SearchTerm[]) =>
  terms.slice(0, SCORED_TERMS_MAX).flatMap((term, i) => {
    const scored = scoredTokensOf(term, plan.tokens[i] ?? { exact: [] });
    return (["exact", "title"] as const).map((name) => ({
      sql: `(tokens @@ ?::tsquery)::integer * ${SCORES[name]}`,
      value: alternativesText(scored[name]),
    }));
  });

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
