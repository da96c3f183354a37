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
    const place: Condition = { sql: pastPlace(query), values: [placeOf(query)] };
    const conditions = [...conditionsOf(filter), place];
    const first = few(conditions, place);
    const where = conditions.map((one) => (one === first || (!first && one === place) ? one.sql : asked(one)));
    // A plus keeps the database from using an index for what it stands before.
    const order = first && first !== place ? `+${inOrder(query)}` : inOrder(query);
    const sql = `
      select tender_id as id, date_modified as dateModified from facets
      where ${[...where, `+${listedAs(query)}`].join(" and ")} order by ${order} limit ?`;
    return prepare(sql).all(...conditions.flatMap(({ values }) => values), query.limit) as FeedRow[];
  }
}

/** The same condition, which no index of the facets is to be used for. */
const asked = ({ sql, asked }: Condition): string => asked ?? sql.replace(/\b(\w+) (=|>=|<=|<|>|in) /g, "+$1 $2 ");

/** So few that nothing is gained by finding out whether others are fewer. */
const FEW = 200;

/** The condition that the fewest tenders meet, if they are few: first of all those that have changed since. */
function openFewest(prepare: (sql: string) => StatementSync) {
  const count = ({ sql, counted, values }: Condition): number => {
    const counting = `select count(*) as number from (select 1 from ${counted ?? `facets where ${sql}`} limit ?)`;
    return (prepare(counting).get(...values, FOUND_FIRST_MAX + 1) as { number: number }).number;
  };
  return (conditions: readonly Condition[], place: Condition): Condition | undefined => {
    let fewest: { readonly condition: Condition; readonly number: number } | undefined;
    for (const condition of [place, ...conditions.filter((one) => one !== place)]) {
      const number = count(condition);
      if (number <= FOUND_FIRST_MAX && number < (fewest?.number ?? Number.POSITIVE_INFINITY))
        fewest = { condition, number };
      if (number <= FEW) break;
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
