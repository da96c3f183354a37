import type { Engine } from "../engine.ts";
import { conditionsOf, cursorCondition, cursorOf, feedOrder, listingCondition } from "../facets.ts";
import type { FeedQuery, FeedRow, Filter } from "../store.ts";
import type { RunQuery, Statement } from "./connection.ts";

/** Opens `Engine.feed`. */
export function openFeed(runQuery: RunQuery): Engine["feed"] {
  return async (query) => {
    const { filter, limit } = query;
    if (filter) return filtered(runQuery, query, filter);
    return runQuery<FeedRow>(pageStatement(query), [cursorOf(query), limit]);
  };
}

function pageStatement(query: FeedQuery): Statement {
  const text = `
    select id, date_modified as "dateModified" from tenders
    where ${listingCondition(query)} and ${cursorCondition(query)} order by ${feedOrder(query)} limit ?`;
  return { name: `feed ${query.modes} ${query.descending}`, text: numberPlaceholders(text) };
}

/** Not prepared, because the best plan depends on the values. */
function filtered(runQuery: RunQuery, query: FeedQuery, filter: Filter): Promise<FeedRow[]> {
  const conditions = conditionsOf(filter);
  const text = `
    select tender_id as id, date_modified as "dateModified" from facets
    where ${[...conditions.map(({ sql }) => sql), listingCondition(query), cursorCondition(query)].join(" and ")}
    order by ${feedOrder(query)} limit ?`;
  const values = conditions.flatMap((condition) => condition.values);
  return runQuery<FeedRow>({ name: "", text: numberPlaceholders(text) }, [...values, cursorOf(query), query.limit]);
}

/** SQL with a question mark for each value, with the numbers of the values instead. */
export function numberPlaceholders(text: string): string {
  let number = 0;
  return text.replace(/\?/g, () => {
    number += 1;
    return `$${number}`;
  });
}
