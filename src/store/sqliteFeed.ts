import type { DatabaseSync, StatementSync } from "node:sqlite";
import { setImmediate } from "node:timers/promises";
import type { Engine } from "./engine.ts";
import { type Condition, conditionsOf, inOrder, listedAs, pastPlace, placeOf } from "./facets.ts";
import type { FeedQuery, FeedRow, Filter } from "./store.ts";

/** So many tenders, or fewer, are found first and put in order then; more are looked for in the order of change. */
const FOUND_FIRST_MAX = 5000;
/** Some milliseconds' worth. */
const LOOKED_AT_ONCE = 5000;
const PREPARED_MAX = 200;

/** `settled`: what is just being committed is waited for, as whoever looks further might still find what was before it. */
export function openFeed(db: DatabaseSync, settled: () => Promise<void>): Engine["feed"] {
  const prepare = openStatements(db);
  const few = openFewest(prepare);
  const turn = openTurnstile();

  /** Settled last of all: while one waits for a turn, the next commit may be on its way. */
  const settledTurn = async () => {
    await turn();
    await settled();
  };

  return async (query) => {
    const { filter, limit } = query;
    if (filter) return filtered(query, filter);
    await settled();
    const sql = `
      select id, date_modified as dateModified from tenders
      where ${listedAs(query)} and ${pastPlace(query)} order by ${inOrder(query)} limit ?`;
    return prepare(sql).all(placeOf(query), limit) as FeedRow[];
  };

  async function filtered(query: FeedQuery, filter: Filter): Promise<readonly FeedRow[]> {
    await settledTurn();
    const place: Condition = { sql: pastPlace(query), values: [placeOf(query)] };
    const conditions = conditionsOf(filter);
    const first = few(conditions, place);
    return first && first !== place ? foundFirst(query, conditions, first) : inOrderOfChange(query, conditions);
  }

  /** Few are found by that condition, and then put in order. A plus keeps the database from using an index for what it stands before. */
  function foundFirst(query: FeedQuery, conditions: readonly Condition[], first: Condition): readonly FeedRow[] {
    const where = conditions.map((one) => (one === first ? one.sql : asked(one)));
    const sql = `
      select tender_id as id, date_modified as dateModified from facets
      where ${[...where, `+${listedAs(query)}`, `+${pastPlace(query)}`].join(" and ")}
      order by +${inOrder(query)} limit ?`;
    const values = conditions.flatMap((one) => one.values);
    return prepare(sql).all(...values, placeOf(query), query.limit) as FeedRow[];
  }

  /** Looks at so many at a time, and lets others have their turn in between: how far one has to look, nobody knows. */
  async function inOrderOfChange(query: FeedQuery, conditions: readonly Condition[]): Promise<readonly FeedRow[]> {
    const found: FeedRow[] = [];
    for (let beyond = placeOf(query); ; ) {
      const end = endOfSlice({ ...query, beyond });
      found.push(...slice({ ...query, beyond, limit: query.limit - found.length }, conditions, end));
      if (end === undefined || found.length === query.limit) return found;
      beyond = end;
      await settledTurn();
    }
  }

  /** Where the next slice ends; nowhere, if it is the last. */
  function endOfSlice(query: FeedQuery): number | undefined {
    const sql = `
      select date_modified as end from facets where ${pastPlace(query)} order by ${inOrder(query)} limit 1 offset ?`;
    return (prepare(sql).get(placeOf(query), LOOKED_AT_ONCE - 1) as { end: number } | undefined)?.end;
  }

  function slice(query: FeedQuery, conditions: readonly Condition[], end: number | undefined): readonly FeedRow[] {
    const within = end === undefined ? [] : [`date_modified ${query.descending ? ">=" : "<="} ?`];
    const sql = `
      select tender_id as id, date_modified as dateModified from facets
      where ${[pastPlace(query), ...within, ...conditions.map(asked), `+${listedAs(query)}`].join(" and ")}
      order by ${inOrder(query)} limit ?`;
    const values = conditions.flatMap((one) => one.values);
    const ends = end === undefined ? [] : [end];
    return prepare(sql).all(placeOf(query), ...ends, ...values, query.limit) as FeedRow[];
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
    for (const condition of [place, ...conditions.filter(({ counted }) => counted !== null)]) {
      const number = count(condition);
      if (number <= FOUND_FIRST_MAX && number < (fewest?.number ?? Number.POSITIVE_INFINITY))
        fewest = { condition, number };
      if (number <= FEW) break;
    }
    return fewest?.condition;
  };
}

/** Many may ask for something of their own at once: one is answered between two looks at what else there is to do. */
function openTurnstile(): () => Promise<void> {
  let last = Promise.resolve();
  return () => {
    last = last.then(() => setImmediate());
    return last;
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
