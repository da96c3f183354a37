import type { Engine } from "../engine.ts";
import { conditionsOf } from "../facets.ts";
import { type ReleaseRow, releaseCursor } from "../releaseQuery.ts";
import type { RunQuery } from "./connection.ts";
import { numberPlaceholders } from "./feed.ts";

/** Opens `Engine.releases`. */
export function openReleases(runQuery: RunQuery): Engine["releases"] {
  return async (query) => {
    const { filter, descending, limit } = query;
    const conditions = filter ? conditionsOf(filter) : [];
    const matching = conditions.map(({ sql }) => ` and ${sql}`).join("");
    const filtered = filter ? ` and tender in (select tender_id from facets where listing = 'real'${matching})` : "";
    const text = `
      select id, value as template from releases where id ${descending ? "<" : ">"} ?${filtered}
      order by id ${descending ? "desc" : "asc"} limit ?`;
    const values = conditions.flatMap((condition) => condition.values);
    // Not prepared if there is a filter, because the best plan depends on its values.
    const name = filter ? "" : `releases ${descending}`;
    return runQuery<ReleaseRow>({ name, text: numberPlaceholders(text) }, [releaseCursor(query), ...values, limit]);
  };
}
