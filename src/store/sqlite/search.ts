import type { DatabaseSync } from "node:sqlite";
import type { Instant } from "../../domain/values/time.ts";
import {
  SEARCH_MATCHES_MAX,
  type SearchFacet,
  type SearchFilter,
  type SearchQuery,
  type SearchResult,
  type SearchTerm,
} from "../../indexing/searchQuery.ts";
import { requireRow } from "../rowMapping.ts";
import { IS_BACKFILLING } from "../search/publicSql.ts";
import {
  type FacetRow,
  facetCountsOf,
  facetFilters,
  facetSql,
  publishedConditions,
  SCORES,
  type SearchPlan,
  type SortedPart,
  scoredTokensOf,
  searchPlanOf,
  sortedParts,
  type TokenAlternatives,
} from "../search/searchPlan.ts";
import { prepareQuery } from "./query.ts";

type Values = readonly (string | number)[];
type IdRow = { readonly id: string };

/** The matches of a plan: the tables and conditions that find them, with a question mark for each value. */
type Matches = {
  /** The column with the numbers of the rows. */
  readonly row: string;
  readonly where: string;
  readonly values: Values;
  /** The tables that find the rows. */
  readonly rowSource: string;
  /** The tables with all columns. */
  readonly source: string;
  /** A condition for the number of a row, instead of `where`. */
  readonly rowTest: string;
};

/** Opens the search of an index. All its queries are synchronous. */
export function openSearch(db: DatabaseSync): (query: SearchQuery, now: Instant) => SearchResult {
  const all = <Row extends object>(sql: string, values: Values): readonly Row[] =>
    prepareQuery<Row>(db, sql).all(...values);
  const backfill = prepareQuery<{ number: number }>(db, IS_BACKFILLING);

  function countOf({ rowSource, where, values }: Matches): number {
    const sql = `select count(*) as number from (select 1 from ${rowSource} where ${where} limit ?)`;
    const [counted] = all<{ number: number }>(sql, [...values, SEARCH_MATCHES_MAX + 1]);
    return requireRow(counted).number;
  }

  /** The numbers of the newest matches. */
  const newestRows = ({ row, rowSource, where, values }: Matches, limit: number, offset = 0): readonly number[] =>
    all<{ row: number }>(
      `select ${row} as row from ${rowSource} where ${where} order by ${row} desc limit ? offset ?`,
      [...values, limit, offset],
    ).map(({ row: number }) => number);

  function idsOfRows(rows: readonly number[]): readonly string[] {
    const idOf = prepareQuery<IdRow>(db, "select tender_id as id from search where public_row = ?");
    return rows.map((row) => requireRow(idOf.get(row)).id);
  }

  /** The first matches of a part: few are sorted, many are found in the order of an index. */
  function firstOf(part: SortedPart, matches: Matches, isFew: boolean, limit: number): readonly IdRow[] {
    const { source, where, values, rowTest } = matches;
    const sql = isFew
      ? `select search.tender_id as id from ${source} where ${where} and ${part.condition} order by ${part.order} limit ?`
      : `select search.tender_id as id from search where ${rowTest} and ${part.condition} order by ${part.order} limit ?`;
    return all<IdRow>(sql, [...values, ...part.values, limit]);
  }

  function sorted(query: SearchQuery, matches: Matches, count: number, now: Instant): readonly string[] {
    const { sort, offset, limit } = query;
    const isFew = count <= SEARCH_MATCHES_MAX;
    const found: IdRow[] = [];
    for (const part of sortedParts(sort, now)) {
      const missing = offset + limit - found.length;
      if (missing > 0) found.push(...firstOf(part, matches, isFew, missing));
    }
    return found.slice(offset).map(({ id }) => id);
  }

  /** The newest matches by their score. */
  function ranked(plan: SearchPlan, terms: readonly SearchTerm[], { offset, limit }: SearchQuery): readonly string[] {
    const rowsWith = (tokens: readonly TokenAlternatives[]) =>
      newestRows(matchesOf({ ...plan, tokens }), SEARCH_MATCHES_MAX);
    const scores = new Map(rowsWith(plan.tokens).map((row) => [row, 0]));
    for (const [i, term] of terms.entries()) {
      const scored = scoredTokensOf(term);
      for (const name of ["exact", "title"] as const)
        for (const row of rowsWith(plan.tokens.with(i, scored[name]))) {
          const score = scores.get(row);
          if (score !== undefined) scores.set(row, score + SCORES[name]);
        }
    }
    const page = [...scores]
      .sort(([a, scoreOfA], [b, scoreOfB]) => scoreOfB - scoreOfA || b - a)
      .slice(offset, offset + limit);
    return idsOfRows(page.map(([row]) => row));
  }

  function facetsOf(filter: SearchFilter, facets: readonly SearchFacet[]): readonly FacetRow[] {
    const { source, where, values, row } = matchesOf(searchPlanOf(filter));
    return all<FacetRow>(facetSql(facets, `${source} where ${where} order by ${row} desc limit ?`), [
      ...values,
      SEARCH_MATCHES_MAX,
    ]);
  }

  function idsOf(query: SearchQuery, plan: SearchPlan, count: number, now: Instant): readonly string[] {
    const { sort, filter, offset, limit } = query;
    if (count === 0) return [];
    if (sort === "relevance" && filter.terms.length > 0) return ranked(plan, filter.terms, query);
    if (sort === "value" || sort === "deadline") return sorted(query, matchesOf(plan), count, now);
    return idsOfRows(newestRows(matchesOf(plan), limit, offset));
  }

  return (query, now) => {
    const { filter, facets } = query;
    const plan = searchPlanOf(filter);
    const count = countOf(matchesOf(plan));
    const counted = [...facetFilters(filter, facets)].flatMap(([facetFilter, names]) => facetsOf(facetFilter, names));
    return {
      ids: idsOf(query, plan, count, now),
      count: Math.min(count, SEARCH_MATCHES_MAX),
      isMore: count > SEARCH_MATCHES_MAX,
      facets: Object.fromEntries(facets.map((facet) => [facet, facetCountsOf(counted, facet)])),
      ...(requireRow(backfill.get()).number > 0 && { isIncomplete: true as const }),
    };
  };
}

function matchesOf(plan: SearchPlan): Matches {
  const match = matchExpression(plan);
  const row = match === undefined ? "search.public_row" : "words.rowid";
  const tokens =
    match === undefined
      ? { sql: "search.listing = ?", values: [plan.listing] }
      : { sql: "words match ?", values: [match] };
  const rowTokens =
    match === undefined ? tokens.sql : "search.public_row in (select rowid from words where words match ?)";
  const others = [...publishedConditions(plan, row), ...plan.columns];
  const rowOthers = [...publishedConditions(plan, "search.public_row"), ...plan.columns];
  const source = match === undefined ? "search" : "words join search on search.public_row = words.rowid";
  return {
    row,
    where: [tokens, ...others].map(({ sql }) => sql).join(" and "),
    values: [tokens, ...others].flatMap(({ values }) => values),
    source,
    rowSource: match !== undefined && plan.columns.length === 0 ? "words" : source,
    rowTest: [rowTokens, ...rowOthers.map(({ sql }) => sql)].join(" and "),
  };
}

/** The expression of FTS5 for the tokens of a plan; `undefined` if it has none. */
function matchExpression({ tokens, withoutToken }: SearchPlan): string | undefined {
  if (tokens.length === 0) return undefined;
  const alternatives = tokens.map(
    ({ exact, prefix }) =>
      `(${[...exact.map((token) => `"${token}"`), ...(prefix === undefined ? [] : [`"${prefix}" *`])].join(" OR ")})`,
  );
  const all = alternatives.join(" AND ");
  return withoutToken === undefined ? all : `(${all}) NOT "${withoutToken}"`;
}
