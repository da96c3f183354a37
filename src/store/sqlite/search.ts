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
import {
  FACET_COLUMNS,
  type FacetRow,
  facetCountsOf,
  facetFilters,
  SCORES,
  type SearchPlan,
  scoredTokensOf,
  searchPlanOf,
  type TokenAlternatives,
} from "../search/searchPlan.ts";
import { prepareQuery } from "./query.ts";

type Values = readonly (string | number)[];
/** The matches of a plan: tables and conditions, with a question mark for each value. */
type Matches = { readonly from: string; readonly where: string; readonly values: Values; readonly row: string };

/** Opens the search of an index. All its queries are synchronous. */
export function openSearch(db: DatabaseSync): (query: SearchQuery, now: Instant) => SearchResult {
  const all = <Row extends object>(sql: string, values: Values): readonly Row[] =>
    prepareQuery<Row>(db, sql).all(...values);
  const rowAt = prepareQuery<{ row: number }>(
    db,
    "select sequence as row from ledger where at >= ? order by at limit 1",
  );
  const backfill = prepareQuery<{ isRunning: number }>(db, "select exists (select 1 from index_backfill) as isRunning");

  function matchesOf(plan: SearchPlan): Matches {
    const conditions: string[] = [];
    const values: (string | number)[] = [];
    const match = matchExpression(plan);
    const row = match === undefined ? "search.row" : "words.rowid";
    if (match === undefined) {
      conditions.push("search.listing = ?");
      values.push(plan.listing);
    } else {
      conditions.push("words match ?");
      values.push(match);
    }
    // Rows are numbered in the order of publication, so a range of instants is a range of rows.
    const { from, to } = plan.published;
    const end = Number.MAX_SAFE_INTEGER;
    if (from !== undefined) {
      conditions.push(`${row} >= ?`);
      values.push(rowAt.get(from)?.row ?? end);
    }
    if (to !== undefined) {
      conditions.push(`${row} < ?`);
      values.push(rowAt.get(to + 1)?.row ?? end);
    }
    for (const column of plan.columns) {
      conditions.push(column.sql);
      values.push(...column.values);
    }
    const from_ = match === undefined ? "search" : "words join search on search.row = words.rowid";
    return { from: from_, where: conditions.join(" and "), values, row };
  }

  /** The tables that are needed to find the rows alone. */
  const rowSource = ({ from, where }: Matches): string =>
    from === "search" || where.includes("search.") ? from : "words";

  function countOf(matches: Matches): number {
    const sql = `select count(*) as number from (select 1 from ${rowSource(matches)} where ${matches.where} limit ?)`;
    const [counted] = all<{ number: number }>(sql, [...matches.values, SEARCH_MATCHES_MAX + 1]);
    return requireRow(counted).number;
  }

  const idsIn = (rows: readonly { id: string }[]): readonly string[] => rows.map(({ id }) => id);

  function newest(matches: Matches, offset: number, limit: number): readonly string[] {
    const { values, where, row } = matches;
    const rows = `select ${row} as row from ${rowSource(matches)} where ${where} order by ${row} desc limit ? offset ?`;
    const sql = `select tender_id as id from (${rows}) as matched join search using (row) order by row desc`;
    return idsIn(all(sql, [...values, limit, offset]));
  }

  function sorted({ from, where, values }: Matches, order: string, { offset, limit }: SearchQuery): readonly string[] {
    const sql = `select search.tender_id as id from ${from} where ${where} order by ${order}, search.row desc limit ? offset ?`;
    return idsIn(all(sql, [...values, limit, offset]));
  }

  /** The newest matches by their score. */
  function ranked(plan: SearchPlan, terms: readonly SearchTerm[], { offset, limit }: SearchQuery): readonly string[] {
    const rowsOf = (tokens: readonly TokenAlternatives[]): readonly number[] => {
      const matches = matchesOf({ ...plan, tokens });
      const sql = `
        select ${matches.row} as row from ${rowSource(matches)} where ${matches.where} order by ${matches.row} desc limit ?`;
      return all<{ row: number }>(sql, [...matches.values, SEARCH_MATCHES_MAX]).map(({ row }) => row);
    };
    const scores = new Map(rowsOf(plan.tokens).map((row) => [row, 0]));
    for (const [i, term] of terms.entries()) {
      const scored = scoredTokensOf(term);
      for (const name of ["exact", "title"] as const)
        for (const row of rowsOf(plan.tokens.with(i, scored[name]))) {
          const score = scores.get(row);
          if (score !== undefined) scores.set(row, score + SCORES[name]);
        }
    }
    const page = [...scores]
      .sort(([a, scoreOfA], [b, scoreOfB]) => scoreOfB - scoreOfA || b - a)
      .slice(offset, offset + limit)
      .map(([row]) => row);
    const idOf = prepareQuery<{ id: string }>(db, "select tender_id as id from search where row = ?");
    return idsIn(page.map((row) => requireRow(idOf.get(row))));
  }

  function facetsOf(filter: SearchFilter, facets: readonly SearchFacet[]): readonly FacetRow[] {
    const { from, where, values, row } = matchesOf(searchPlanOf(filter));
    const columns = facets.map((facet) => FACET_COLUMNS[facet]);
    const counts = facets.map(
      (facet, i) => `select '${facet}' as facet, ${columns[i]} as value, count(*) as number from matched group by 2`,
    );
    const sql = `
      with matched as materialized (select ${columns.join(", ")} from ${from} where ${where} order by ${row} desc limit ?)
      ${counts.join(" union all ")}`;
    return all<FacetRow>(sql, [...values, SEARCH_MATCHES_MAX]);
  }

  function idsOf(query: SearchQuery, plan: SearchPlan, now: Instant): readonly string[] {
    const { sort, filter, offset, limit } = query;
    const matches = matchesOf(plan);
    if (sort === "relevance" && filter.terms.length > 0) return ranked(plan, filter.terms, query);
    if (sort === "value") return sorted(matches, "search.amount desc nulls last", query);
    if (sort === "deadline") return sorted(matches, deadlineOrder(now), query);
    return newest(matches, offset, limit);
  }

  return (query, now) => {
    const { filter, facets } = query;
    const plan = searchPlanOf(filter);
    const count = countOf(matchesOf(plan));
    const counted = [...facetFilters(filter, facets)].flatMap(([facetFilter, names]) => facetsOf(facetFilter, names));
    return {
      ids: idsOf(query, plan, now),
      count: Math.min(count, SEARCH_MATCHES_MAX),
      isMore: count > SEARCH_MATCHES_MAX,
      facets: Object.fromEntries(facets.map((facet) => [facet, facetCountsOf(counted, facet)])),
      ...(requireRow(backfill.get()).isRunning === 1 && { isIncomplete: true as const }),
    };
  };
}

/** The soonest first, then those that are over, the last one first. */
const deadlineOrder = (now: Instant): string =>
  `search.deadline is null, search.deadline < ${Number(now)}, abs(search.deadline - ${Number(now)})`;

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
