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

/** So many matches are sorted sooner than they are divided further. */
const SORTED_MAX = 3000;

/** Searches that are sorted by a column. They are right however many matches there are. */
export function openSortedSearch(db: DatabaseSync) {
  const prepareCount = openQueryCache<{ readonly number: number }>(db);
  const prepareIds = openQueryCache<IdRow>(db);

  /** The number of matches, at most one more than `max`. */
  function countOf(plan: SearchPlan, max: number): number {
    const { rowSource, where, values } = matchesOf(plan);
    const sql = `select count(*) as number from (select 1 from ${rowSource} where ${where} limit ?)`;
    return requireRow(prepareCount(sql).get(...values, max + 1)).number;
  }

  /** The first matches of a part. Few are found first and then sorted, many are found in the order of the column's index. */
  function firstOf(plan: SearchPlan, part: SortedPart, isFew: boolean, limit: number): readonly IdRow[] {
    const { source, where, rowTest, values } = matchesOf(plan);
    const from = isFew ? `${source} where ${where}` : `search where ${rowTest}`;
    const sql = `select search.tender_id as id from ${from} and ${part.condition} order by ${part.order} limit ?`;
    return prepareIds(sql).all(...values, ...part.values, limit);
  }

  /**
   * The first matches of a part of which there may be many: looks for them in half of its buckets, and then in the other half. So only
   * few have to be sorted. `areMany` is set if it is known that there are many.
   */
  function firstInBuckets(
    plan: SearchPlan,
    part: SortedPart,
    buckets: Buckets,
    limit: number,
    areMany = false,
  ): readonly IdRow[] {
    const { property, from, to, descending } = buckets;
    const planIn = { ...plan, tokens: [...plan.tokens, { exact: bucketTokens(property, from, to) }] };
    const isLast = from === to;
    const sortedMax = isLast ? SEARCH_MATCHES_MAX : SORTED_MAX;
    const count = areMany && !isLast ? Number.POSITIVE_INFINITY : countOf(planIn, sortedMax);
    if (count === 0) return [];
    if (isLast || count <= sortedMax) return firstOf(planIn, part, count <= sortedMax, limit);
    const middle = Math.floor((from + to) / 2);
    const lower = { ...buckets, to: middle };
    const upper = { ...buckets, from: middle + 1 };
    const [first, second] = descending ? [upper, lower] : [lower, upper];
    const found = firstInBuckets(plan, part, first, limit);
    if (found.length === limit) return found;
    return [...found, ...firstInBuckets(plan, part, second, limit - found.length, found.length === 0)];
  }

  /** The page of a search. `areMany` says whether there are more matches than are counted. */
  function sorted(query: SearchQuery, plan: SearchPlan, areMany: boolean, now: Instant): readonly string[] {
    const { sort, offset, limit } = query;
    const found: IdRow[] = [];
    for (const part of sortedParts(sort, now)) {
      const missing = offset + limit - found.length;
      if (missing === 0) break;
      const { buckets } = part;
      // Without tokens, the index of the column finds all matches in their order.
      const isByBuckets = areMany && plan.tokens.length > 0 && buckets;
      found.push(
        ...(isByBuckets ? firstInBuckets(plan, part, buckets, missing) : firstOf(plan, part, !areMany, missing)),
      );
    }
    return found.slice(offset).map(({ id }) => id);
  }

  return { countOf, sorted };
}
