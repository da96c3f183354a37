import type { DatabaseSync } from "node:sqlite";
import type { Engine } from "../engine.ts";
import { conditionsOf, type SqlCondition } from "../facets.ts";
import { type ReleaseQuery, type ReleaseRow, releaseCursor } from "../releaseQuery.ts";
import { openMostSelective, rowCondition } from "./conditionSearch.ts";
import { openQueryCache } from "./query.ts";

/** Up to this many tenders are found by an index, and their releases sorted; with more, releases are searched in their order. */
const INDEX_FIRST_MAX = 2000;
/** The releases that one slice of a search looks at, which takes a few milliseconds. */
const SLICE_ROWS = 2000;

/** Opens `Engine.releases`. `waitInQueue` is awaited before each slice of a search. */
export function openReleases(db: DatabaseSync, waitInQueue: () => Promise<void>): Engine["releases"] {
  const prepare = openQueryCache<ReleaseRow>(db);
  const prepareEnd = openQueryCache<{ readonly id: string }>(db);
  const mostSelective = openMostSelective(openQueryCache(db), INDEX_FIRST_MAX);

  return async (query) => {
    const { filter, limit } = query;
    if (!filter)
      return prepare(
        `select id, value as template from releases where id ${comparison(query)} ? order by id ${order(query)} limit ?`,
      ).all(releaseCursor(query), limit);
    await waitInQueue();
    const conditions = conditionsOf(filter);
    const first = mostSelective(conditions);
    return first ? searchByIndex(query, conditions, first) : searchInOrder(query, conditions);
  };

  function searchByIndex(
    query: ReleaseQuery,
    conditions: readonly SqlCondition[],
    first: SqlCondition,
  ): readonly ReleaseRow[] {
    const where = conditions.map((condition) => (condition === first ? first.sql : rowCondition(condition)));
    // A cross join is carried out in the order in which it is written.
    const found = `
      select releases.id from facets cross join releases on releases.tender = facets.tender_id
      where ${[...where, "listing = 'real'", `releases.id ${comparison(query)} ?`].join(" and ")}
      order by releases.id ${order(query)} limit ?`;
    const values = conditions.flatMap((condition) => condition.values);
    const sql = `select id, value as template from releases where id in (${found}) order by id ${order(query)}`;
    return prepare(sql).all(...values, releaseCursor(query), query.limit);
  }

  /** Searches in slices and lets other work run in between, since the number of releases to look at is unknown. */
  async function searchInOrder(
    query: ReleaseQuery,
    conditions: readonly SqlCondition[],
  ): Promise<readonly ReleaseRow[]> {
    const values = conditions.flatMap((condition) => condition.values);
    const endSql = `
      select id from releases where id ${comparison(query)} ? order by id ${order(query)} limit 1 offset ?`;
    const matching = conditions.map(rowCondition).join(" and ");
    const sql = `
      select id, value as template from releases
      where id ${comparison(query)} ? and id ${query.descending ? ">=" : "<="} ? and exists (
        select 1 from facets where first_row = (select first_row from tenders where id = releases.tender)
          and +listing = 'real' and ${matching})
      order by id ${order(query)} limit ?`;
    const found: ReleaseRow[] = [];
    for (let cursor = releaseCursor(query); ; ) {
      const end = prepareEnd(endSql).get(cursor, SLICE_ROWS - 1)?.id;
      const lastId = end ?? releaseCursor({ beyond: undefined, descending: !query.descending });
      found.push(...prepare(sql).all(cursor, lastId, ...values, query.limit - found.length));
      if (end === undefined || found.length === query.limit) return found;
      cursor = end;
      await waitInQueue();
    }
  }
}

const comparison = ({ descending }: ReleaseQuery): string => (descending ? "<" : ">");
const order = ({ descending }: ReleaseQuery): string => (descending ? "desc" : "asc");
