import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { Engine } from "./engine.ts";
import { type Condition, conditionsOf, inOrder, listedAs, pastPlace, placeOf } from "./facets.ts";
import type { FeedQuery, FeedRow, Filter } from "./store.ts";

/** So many tenders, or fewer, are found first and put in order then; more are looked for in the order of change. */
const FOUND_FIRST_MAX = 5000;
const PREPARED_MAX = 200;

/** `settled`: what is just being committed is waited for, as whoever looks further might still find what was before it. */
export function openFeed(db: DatabaseSync, settled: () => Promise<void>): Engine["feed"] {
  const prepare = openStatements(db);
  const few = openFewest(prepare);

  return async (query) => {
    await settled();
    const { filter, limit } = query;
    if (filter) return filtered(query, filter);
    const sql = `
      select id, date_modified as dateModified from tenders
      where ${listedAs(query)} and ${pastPlace(query)} order by ${inOrder(query)} limit ?`;
    return prepare(sql).all(placeOf(query), limit) as FeedRow[];
  };

  function filtered(query: FeedQuery, filter: Filter): readonly FeedRow[] {
    const conditions = conditionsOf(filter);
    const first = few(conditions);
    // A plus keeps the database from using an index for what it stands before.
    const order = first ? `+${inOrder(query)}` : inOrder(query);
    const listed = `${first ? "+" : ""}${listedAs(query)}`;
    const where = conditions.map((one) => (first && one !== first ? notFirst(one) : one.sql));
    const sql = `
      select tender_id as id, date_modified as dateModified from facets
      where ${[...where, listed, `${first ? "+" : ""}${pastPlace(query)}`].join(" and ")} order by ${order} limit ?`;
    const values = conditions.flatMap((one) => one.values);
    return prepare(sql).all(...values, placeOf(query), query.limit) as FeedRow[];
  }
}

/** The same condition, which no index is to be used for. */
const notFirst = ({ sql }: Condition): string => sql.replace(/\b(\w+) (=|>=|<=|in) /g, "+$1 $2 ");

/** The condition that the fewest tenders meet, if they are few. */
function openFewest(prepare: (sql: string) => StatementSync) {
  return (conditions: readonly Condition[]): Condition | undefined => {
    let fewest: { readonly condition: Condition; readonly number: number } | undefined;
    for (const condition of conditions) {
      const counting = `select count(*) as number from (select 1 from facets where ${condition.sql} limit ?)`;
      const { number } = prepare(counting).get(...condition.values, FOUND_FIRST_MAX + 1) as { number: number };
      if (number <= FOUND_FIRST_MAX && number < (fewest?.number ?? Number.POSITIVE_INFINITY))
        fewest = { condition, number };
    }
    return fewest?.condition;
  };
}

function openStatements(db: DatabaseSync): (sql: string) => StatementSync {
  const prepared = new Map<string, StatementSync>();
  return (sql) => {
    const known = prepared.get(sql);
    if (known) return known;
    if (prepared.size >= PREPARED_MAX) prepared.clear();
    const statement = db.prepare(sql);
    prepared.set(sql, statement);
    return statement;
  };
}
