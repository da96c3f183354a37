import type { Engine } from "./engine.ts";
import { conditionsOf, inOrder, listedAs, pastPlace, placeOf } from "./facets.ts";
import type { Ask, Statement } from "./postgresLink.ts";
import type { FeedQuery, FeedRow, Filter } from "./store.ts";

export function openFeed(ask: Ask): Engine["feed"] {
  return async (query) => {
    const { filter, limit } = query;
    if (filter) return filtered(ask, query, filter);
    return ask<FeedRow>(pageStatement(query), [placeOf(query), limit]);
  };
}

function pageStatement(query: FeedQuery): Statement {
  const text = `
    select id, date_modified as "dateModified" from tenders
    where ${listedAs(query)} and ${pastPlace(query)} order by ${inOrder(query)} limit ?`;
  return { name: `feed ${query.modes} ${query.descending}`, text: numbered(text) };
}

/** Not prepared: which way is the shortest depends on the values. */
function filtered(ask: Ask, query: FeedQuery, filter: Filter): Promise<FeedRow[]> {
  const conditions = conditionsOf(filter);
  const text = `
    select tender_id as id, date_modified as "dateModified" from facets
    where ${[...conditions.map(({ sql }) => sql), listedAs(query), pastPlace(query)].join(" and ")}
    order by ${inOrder(query)} limit ?`;
  const values = conditions.flatMap((one) => one.values);
  return ask<FeedRow>({ name: "", text: numbered(text) }, [...values, placeOf(query), query.limit]);
}

function numbered(text: string): string {
  let number = 0;
  return text.replace(/\?/g, () => {
    number += 1;
    return `$${number}`;
  });
}
