import type { DatabaseSync } from "node:sqlite";
import { setImmediate } from "node:timers/promises";
import type { Engine } from "../engine.ts";
import { conditionsOf, cursorCondition, cursorOf, feedOrder, listingCondition, type SqlCondition } from "../facets.ts";
import { requireRow } from "../rowMapping.ts";
import type { FeedQuery, FeedRow, Filter } from "../store.ts";
import { openQueryCache, type SqliteQuery } from "./query.ts";

/** Up to this many matches of a condition are found by its index and then sorted; with more, the feed is searched in its order. */
const INDEX_FIRST_MAX = 5000;
/** The rows that one slice of a search looks at, which takes a few milliseconds. */
const SLICE_ROWS = 5000;

/** Opens `Engine.feed`. `waitForCommit` is awaited before each query, so that a page never misses a change that is just committed. */
export function openFeed(db: DatabaseSync, waitForCommit: () => Promise<void>): Engine["feed"] {
  const prepare = openQueryCache<FeedRow>(db);
  const prepareEnd = openQueryCache<{ readonly end: number }>(db);
  const mostSelective = openMostSelective(openQueryCache(db));
  const waitInQueue = openFairQueue();

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
    const first = mostSelective(conditions, cursor);
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

/** The condition in a form that uses no index of the table `facets`. */
export const rowCondition = ({ sql, rowSql }: SqlCondition): string =>
  rowSql ?? sql.replace(/\b(\w+) (=|>=|<=|<|>|in) /g, "+$1 $2 ");

/** With so few matches, counting those of other conditions does not pay off. */
const FEW = 200;

/** Returns the condition with the fewest matches, starting with the cursor; `undefined` if none has at most `INDEX_FIRST_MAX`. */
function openMostSelective(prepare: (sql: string) => SqliteQuery<{ readonly number: number }>) {
  const count = ({ sql, countSource, values }: SqlCondition): number => {
    const countSql = `select count(*) as number from (select 1 from ${countSource ?? `facets where ${sql}`} limit ?)`;
    return requireRow(prepare(countSql).get(...values, INDEX_FIRST_MAX + 1)).number;
  };
  return (conditions: readonly SqlCondition[], cursor: SqlCondition): SqlCondition | undefined => {
    let fewest: { readonly condition: SqlCondition; readonly number: number } | undefined;
    for (const condition of [cursor, ...conditions.filter(({ countSource }) => countSource !== null)]) {
      const number = count(condition);
      if (number <= INDEX_FIRST_MAX && number < (fewest?.number ?? Number.POSITIVE_INFINITY))
        fewest = { condition, number };
      if (number <= FEW) break;
    }
    return fewest?.condition;
  };
}

/** Runs one slice of any search for each iteration of the event loop, so that many searches do not block other work. */
function openFairQueue(): () => Promise<void> {
  let last = Promise.resolve();
  return () => {
    last = last.then(() => setImmediate());
    return last;
  };
}
