import type { DatabaseSync } from "node:sqlite";
import type { Instant } from "../../domain/values/time.ts";
import { bucketTokens } from "../../indexing/rangeTokens.ts";
import { SEARCH_MATCHES_MAX, type SearchQuery } from "../../indexing/searchQuery.ts";
import { requireRow } from "../rowMapping.ts";
import { type SearchPlan, type SortedPart, sortedParts } from "../search/searchPlan.ts";
import { openQueryCache } from "./query.ts";
import { matchesOf } from "./searchMatches.ts";

type IdRow = { readonly id: string };
type Buckets = NonNullable<SortedPart["buckets"]>;

/** Searches that are sorted by a column. They are right however many matches there are. */
export function openSortedSearch(db: DatabaseSync) {
  const prepareCount = openQueryCache<{ readonly number: number }>(db);
  const prepareIds = openQueryCache<IdRow>(db);

  /** The number of matches, at most one more than are counted. */
  function countOf(plan: SearchPlan): number {
    const { rowSource, where, values } = matchesOf(plan);
    const sql = `select count(*) as number from (select 1 from ${rowSource} where ${where} limit ?)`;
    return requireRow(prepareCount(sql).get(...values, SEARCH_MATCHES_MAX + 1)).number;
  }

  /** The first matches of a part. Few are found first and then sorted, many are found in the order of the column's index. */
  function firstOf(plan: SearchPlan, part: SortedPart, limit: number): readonly IdRow[] {
    const { source, where, rowTest, values } = matchesOf(plan);
    const isFew = countOf(plan) <= SEARCH_MATCHES_MAX;
    const from = isFew ? `${source} where ${where}` : `search where ${rowTest}`;
    const sql = `select search.tender_id as id from ${from} and ${part.condition} order by ${part.order} limit ?`;
    return prepareIds(sql).all(...values, ...part.values, limit);
  }

  /**
   * The first matches of a part of which there are many: looks for them in half of its buckets, and then in the other half. So only
   * few have to be sorted.
   */
  function firstInBuckets(plan: SearchPlan, part: SortedPart, buckets: Buckets, limit: number): readonly IdRow[] {
    const { property, from, to, descending } = buckets;
    const planIn = { ...plan, tokens: [...plan.tokens, { exact: bucketTokens(property, from, to) }] };
    if (from === to || countOf(planIn) <= SEARCH_MATCHES_MAX) return firstOf(planIn, part, limit);
    const middle = Math.floor((from + to) / 2);
    const halves = [
      { ...buckets, to: middle },
      { ...buckets, from: middle + 1 },
    ];
    const found: IdRow[] = [];
    for (const half of descending ? halves.reverse() : halves) {
      if (found.length === limit) break;
      found.push(...firstInBuckets(plan, part, half, limit - found.length));
    }
    return found;
  }

  function sorted({ sort, offset, limit }: SearchQuery, plan: SearchPlan, now: Instant): readonly string[] {
    const found: IdRow[] = [];
    for (const part of sortedParts(sort, now)) {
      const missing = offset + limit - found.length;
      if (missing === 0) break;
      // Without tokens, the index of the column finds all matches in their order.
      const isByIndex = plan.tokens.length === 0 || !part.buckets;
      found.push(...(isByIndex ? firstOf(plan, part, missing) : firstInBuckets(plan, part, part.buckets, missing)));
    }
    return found.slice(offset).map(({ id }) => id);
  }

  return { countOf, sorted };
}
