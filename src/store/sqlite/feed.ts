import type { DatabaseSync, StatementSync } from "node:sqlite";
import { setImmediate } from "node:timers/promises";
import type { Engine } from "../engine.ts";
import { conditionsOf, cursorCondition, cursorOf, feedOrder, listingCondition, type SqlCondition } from "../facets.ts";
import type { FeedQuery, FeedRow, Filter } from "../store.ts";

/** So many tenders, or fewer, are found first and put in order then; more are looked for in the order of change. */
const INDEX_FIRST_MAX = 5000;
/** Some milliseconds' worth. */
const SLICE_ROWS = 5000;
const PREPARED_MAX = 200;

/** `settled`: what is just being committed is waited for, as whoever looks further might still find what was before it. */
export function openFeed(db: DatabaseSync, waitForCommit: () => Promise<void>): Engine["feed"] {
  const prepare = openStatements(db);
  const mostSelective = openMostSelective(prepare);
  const waitInQueue = openFairQueue();

  /** Settled last of all: while one waits for a turn, the next commit may be on its way. */
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
    return prepare(sql).all(cursorOf(query), limit) as FeedRow[];
  };

  async function filtered(query: FeedQuery, filter: Filter): Promise<readonly FeedRow[]> {
    await waitForSlot();
    const cursor: SqlCondition = { sql: cursorCondition(query), values: [cursorOf(query)] };
    const conditions = conditionsOf(filter);
    const first = mostSelective(conditions, cursor);
    return first && first !== cursor ? searchByIndex(query, conditions, first) : searchInFeedOrder(query, conditions);
  }

  /** Few are found by that condition, and then put in order. A plus keeps the database from using an index for what it stands before. */
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
    return prepare(sql).all(...values, cursorOf(query), query.limit) as FeedRow[];
  }

  /** Looks at so many at a time, and lets others have their turn in between: how far one has to look, nobody knows. */
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

  /** Where the next slice ends; nowhere, if it is the last. */
  function endOfSlice(query: FeedQuery): number | undefined {
    const sql = `
      select date_modified as end from facets where ${cursorCondition(query)} order by ${feedOrder(query)} limit 1 offset ?`;
    return (prepare(sql).get(cursorOf(query), SLICE_ROWS - 1) as { end: number } | undefined)?.end;
  }

  function slice(query: FeedQuery, conditions: readonly SqlCondition[], end: number | undefined): readonly FeedRow[] {
    const within = end === undefined ? [] : [`date_modified ${query.descending ? ">=" : "<="} ?`];
    const sql = `
      select tender_id as id, date_modified as dateModified from facets
      where ${[cursorCondition(query), ...within, ...conditions.map(rowCondition), `+${listingCondition(query)}`].join(" and ")}
      order by ${feedOrder(query)} limit ?`;
    const values = conditions.flatMap((condition) => condition.values);
    const ends = end === undefined ? [] : [end];
    return prepare(sql).all(cursorOf(query), ...ends, ...values, query.limit) as FeedRow[];
  }
}

/** The same condition, which no index of the facets is to be used for. */
const rowCondition = ({ sql, rowSql: asked }: SqlCondition): string =>
  asked ?? sql.replace(/\b(\w+) (=|>=|<=|<|>|in) /g, "+$1 $2 ");

/** So few that nothing is gained by finding out whether others are fewer. */
const FEW = 200;

/** The condition that the fewest tenders meet, if they are few: first of all those that have changed since. */
function openMostSelective(prepare: (sql: string) => StatementSync) {
  const count = ({ sql, countSource, values }: SqlCondition): number => {
    const countSql = `select count(*) as number from (select 1 from ${countSource ?? `facets where ${sql}`} limit ?)`;
    return (prepare(countSql).get(...values, INDEX_FIRST_MAX + 1) as { number: number }).number;
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

/** Many may ask for something of their own at once: one is answered between two looks at what else there is to do. */
function openFairQueue(): () => Promise<void> {
  let last = Promise.resolve();
  return () => {
    last = last.then(() => setImmediate());
    return last;
  };
}

function openStatements(db: DatabaseSync): (sql: string) => StatementSync {
  const prepared = new Map<string, StatementSync>();
  return (sql) => {
    const cached = prepared.get(sql);
    if (cached) return cached;
    if (prepared.size >= PREPARED_MAX) prepared.clear();
    const statement = db.prepare(sql);
    prepared.set(sql, statement);
    return statement;
  };
}
