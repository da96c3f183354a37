import type { DatabaseSync } from "node:sqlite";
import type { Engine } from "../engine.ts";
import { conditionsOf, cursorCondition, cursorOf, feedOrder, listingCondition, type SqlCondition } from "../facets.ts";
import type { FeedQuery, FeedRow, Filter } from "../store.ts";
import { openMostSelective, rowCondition } from "./conditionSearch.ts";
import { openQueryCache } from "./query.ts";

/** Up to this many matches of a condition are found by its index and then sorted; with more, the feed is searched in its order. */
const INDEX_FIRST_MAX = 5000;
/** The rows that one slice of a search looks at, which takes a few milliseconds. */
const SLICE_ROWS = 5000;

/**
 * Opens `Engine.feed`. `waitForCommit` is awaited before each query, so that a page never misses a change that is just committed, and
 * `waitInQueue` before each slice of a search.
 */
export function openFeed(
  db: DatabaseSync,
  waitForCommit: () => Promise<void>,
  waitInQueue: () => Promise<void>,
): Engine["feed"] {
  const prepare = openQueryCache<FeedRow>(db);
  const prepareEnd = openQueryCache<{ readonly end: number }>(db);
  const mostSelective = openMostSelective(openQueryCache(db), INDEX_FIRST_MAX);

  /** Waits for the commit last, because the next one may begin while the query waits in the queue. */
  const waitForSlot = async () => {
    await waitInQueue();
    await waitForCommit();
  };

  return async (query) => {
    const { filter, limit } = query;
    if (filter) return filtered(query, filter);
    await waitForCommit();
    const sql = `
      select id, date_modified as dateModified from tenders
      where ${listingCondition(query)} and ${cursorCondition(query)} order by ${feedOrder(query)} limit ?`;
    return prepare(sql).all(cursorOf(query), limit);
  };

  async function filtered(query: FeedQuery, filter: Filter): Promise<readonly FeedRow[]> {
    await waitForSlot();
    const cursor: SqlCondition = { sql: cursorCondition(query), values: [cursorOf(query)] };
    const conditions = conditionsOf(filter);
    const first = mostSelective([cursor, ...conditions]);
    return first && first !== cursor ? searchByIndex(query, conditions, first) : searchInFeedOrder(query, conditions);
  }

  /** Finds the few matches of one condition by its index and sorts them. In SQLite, a unary plus prevents the use of an index. */
  function searchByIndex(
    query: FeedQuery,
    conditions: readonly SqlCondition[],
    first: SqlCondition,
  ): readonly FeedRow[] {
    const where = conditions.map((condition) => (condition === first ? condition.sql : rowCondition(condition)));
    const sql = `
      select tender_id as id, date_modified as dateModified from facets
      where ${[...where, `+${listingCondition(query)}`, `+${cursorCondition(query)}`].join(" and ")}
      order by +${feedOrder(query)} limit ?`;
    const values = conditions.flatMap((condition) => condition.values);
    return prepare(sql).all(...values, cursorOf(query), query.limit);
  }

  /** Searches the feed in slices and lets other work run in between, since the number of rows to look at is unknown. */
  async function searchInFeedOrder(query: FeedQuery, conditions: readonly SqlCondition[]): Promise<readonly FeedRow[]> {
    const found: FeedRow[] = [];
    for (let beyond = cursorOf(query); ; ) {
      const end = endOfSlice({ ...query, beyond });
      found.push(...slice({ ...query, beyond, limit: query.limit - found.length }, conditions, end));
      if (end === undefined || found.length === query.limit) return found;
      beyond = end;
      await waitForSlot();
    }
  }

  /** The `dateModified` at which the next slice ends; `undefined` if it is the last. */
  function endOfSlice(query: FeedQuery): number | undefined {
    const sql = `
      select date_modified as end from facets where ${cursorCondition(query)} order by ${feedOrder(query)} limit 1 offset ?`;
    return prepareEnd(sql).get(cursorOf(query), SLICE_ROWS - 1)?.end;
  }

  function slice(query: FeedQuery, conditions: readonly SqlCondition[], end: number | undefined): readonly FeedRow[] {
    const within = end === undefined ? [] : [`date_modified ${query.descending ? ">=" : "<="} ?`];
    const sql = `
      select tender_id as id, date_modified as dateModified from facets
      where ${[cursorCondition(query), ...within, ...conditions.map(rowCondition), `+${listingCondition(query)}`].join(" and ")}
      order by ${feedOrder(query)} limit ?`;
    const values = conditions.flatMap((condition) => condition.values);
    const ends = end === undefined ? [] : [end];
    return prepare(sql).all(cursorOf(query), ...ends, ...values, query.limit);
  }
}
