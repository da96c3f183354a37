import type { DatabaseSync } from "node:sqlite";
import { setImmediate } from "node:timers/promises";
import type { Engine } from "../engine.ts";
import { conditionsOf, type SqlCondition } from "../facets.ts";
import { type ReleaseQuery, type ReleaseRow, releaseCursor } from "../releaseQuery.ts";
import { requireRow } from "../rowMapping.ts";
import type { Filter } from "../store.ts";
import { rowCondition } from "./feed.ts";
import { prepareQuery } from "./query.ts";

/** Up to this many tenders are found by an index, and their releases sorted; with more, releases are searched in their order. */
const INDEX_FIRST_MAX = 2000;
/** The releases that one slice of a search looks at. */
const SLICE_ROWS = 2000;

/** Opens `Engine.releases`. */
export function openReleases(db: DatabaseSync): Engine["releases"] {
  return async (query) => {
    const { filter, limit } = query;
    const cursor = releaseCursor(query);
    if (!filter)
      return prepareQuery<ReleaseRow>(
        db,
        `select id, value as template from releases where id ${comparison(query)} ? order by id ${order(query)} limit ?`,
      ).all(cursor, limit);
    const first = firstCondition(filter);
    return first ? searchByIndex(query, filter, first) : searchInOrder(query, filter);
  };

  /** A condition with an index that few tenders match. */
  function firstCondition(filter: Filter): SqlCondition | undefined {
    return conditionsOf(filter).find(({ sql, countSource, values }) => {
      if (countSource === null) return false;
      const counted = `select 1 from ${countSource ?? `facets where ${sql}`} limit ?`;
      const count = prepareQuery<{ readonly number: number }>(db, `select count(*) as number from (${counted})`);
      return requireRow(count.get(...values, INDEX_FIRST_MAX + 1)).number <= INDEX_FIRST_MAX;
    });
  }

  function searchByIndex(query: ReleaseQuery, filter: Filter, { sql: first }: SqlCondition): readonly ReleaseRow[] {
    const conditions = conditionsOf(filter);
    const where = conditions.map((condition) => (condition.sql === first ? first : rowCondition(condition)));
    // A cross join is carried out in the order in which it is written.
    const found = `
      select releases.id from facets cross join releases on releases.tender = facets.tender_id
      where ${[...where, "listing = 'real'", `releases.id ${comparison(query)} ?`].join(" and ")}
      order by releases.id ${order(query)} limit ?`;
    const values = conditions.flatMap((condition) => condition.values);
    return prepareQuery<ReleaseRow>(
      db,
      `select id, value as template from releases where id in (${found}) order by id ${order(query)}`,
    ).all(...values, releaseCursor(query), query.limit);
  }

  /** Searches in slices and lets other work run in between, since the number of releases to look at is unknown. */
  async function searchInOrder(query: ReleaseQuery, filter: Filter): Promise<readonly ReleaseRow[]> {
    const conditions = conditionsOf(filter);
    const values = conditions.flatMap((condition) => condition.values);
    const endOfSlice = prepareQuery<{ readonly id: string }>(
      db,
      `select id from releases where id ${comparison(query)} ? order by id ${order(query)} limit 1 offset ?`,
    );
    const matching = conditions.map(rowCondition).join(" and ");
    const slice = prepareQuery<ReleaseRow>(
      db,
      `
      select id, value as template from releases
      where id ${comparison(query)} ? and id ${query.descending ? ">=" : "<="} ? and exists (
        select 1 from facets where first_row = (select first_row from tenders where id = releases.tender)
          and +listing = 'real' and ${matching})
      order by id ${order(query)} limit ?`,
    );
    const found: ReleaseRow[] = [];
    for (let cursor = releaseCursor(query); ; ) {
      const end = endOfSlice.get(cursor, SLICE_ROWS - 1)?.id;
      const lastId = end ?? releaseCursor({ beyond: undefined, descending: !query.descending });
      found.push(...slice.all(cursor, lastId, ...values, query.limit - found.length));
      if (end === undefined || found.length === query.limit) return found;
      cursor = end;
      await setImmediate();
    }
  }
}

const comparison = ({ descending }: ReleaseQuery): string => (descending ? "<" : ">");
const order = ({ descending }: ReleaseQuery): string => (descending ? "desc" : "asc");
