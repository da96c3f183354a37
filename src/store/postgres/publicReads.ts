import { parseOwnJson } from "../../base/ownJson.ts";
import type { CategoryName } from "../../indexing/categoryNames.ts";
import type { OrganizationName } from "../../indexing/organizationQuery.ts";
import type { EnginePublicReads } from "../engine.ts";
import type { ScheduledEvent } from "../search/publicReads.ts";
import {
  CALENDAR,
  FIND_BY_NUMBER,
  ORGANIZATION_NAMES,
  PROFILE_COUNT,
  PROFILE_KEYS,
  PUBLISHED_COUNT,
  PUBLISHED_PAGE,
  type PublicationRow,
  publicationTimesSql,
  statisticsCondition,
} from "../search/publicSql.ts";
import { contributionsIn, type StoredSum } from "../search/statisticsRows.ts";
import type { FeedRow } from "../store.ts";
import type { RunQuery, Statement } from "./connection.ts";
import { numberPlaceholders } from "./feed.ts";
import { openOrganizations } from "./organizations.ts";
import { openSearch } from "./search.ts";

const CATEGORY_NAMES: Statement = {
  name: "category names",
  text: "select category, name from category_names where category = any($1::text[])",
};

const PUBLICATION_TIMES: Statement = {
  name: "publication times",
  text: publicationTimesSql("select unnest($1::text[])"),
};

/** Opens what pages read. `runSearch` runs what may take long. */
export function openPublicReads(runQuery: RunQuery, runSearch: RunQuery): EnginePublicReads {
  const all = <Row extends object>(text: string, values: readonly (string | number)[]): Promise<readonly Row[]> =>
    runQuery<Row>({ name: "", text: numberPlaceholders(text) }, values);
  return {
    search: openSearch(runSearch),
    organizations: openOrganizations(runSearch),
    calendar: ({ from, to, mode, limit }) =>
      all<ScheduledEvent>(CALENDAR, [
        ...[mode, from, to],
        ...[mode, from, to],
        ...[mode, from, to],
        ...[mode, from, to],
        limit,
      ]),
    publishedPage: ({ offset, limit }) => all<FeedRow>(PUBLISHED_PAGE, [limit, offset]),
    publishedCount: async () => Number((await all<{ number: string }>(PUBLISHED_COUNT, []))[0]?.number ?? 0),
    publicationTimes: async (ids) => {
      const found = await runQuery<PublicationRow>(PUBLICATION_TIMES, [ids]);
      return new Map(found.map(({ id, at }) => [id, at]));
    },
    findByNumber: async (tenderID) => (await all<{ id: string }>(FIND_BY_NUMBER, [withoutNul(tenderID)]))[0]?.id,
    statistics: async (query) => {
      const { where, values } = statisticsCondition(query);
      const sql = `
        select dimension, key, month, currency, measure, trim_scale(sum)::text as sum from statistics where ${where} and sum <> 0
        order by dimension, key, month, currency`;
      return contributionsIn(await all<StoredSum>(sql, values.map(withoutNul)));
    },
    profileKeys: async ({ role, limit, offset }) =>
      (await all<{ key: string }>(PROFILE_KEYS, [role, limit, offset])).map(({ key }) => key),
    profileCount: async (role) => Number((await all<{ number: string }>(PROFILE_COUNT, [role]))[0]?.number ?? 0),
    organizationName: async (key) => {
      const [found] = await all<{ names: string }>(ORGANIZATION_NAMES, [withoutNul(key)]);
      return found && parseOwnJson<OrganizationName>(found.names);
    },
    categoryNames: async (categories) => {
      const found = await runQuery<CategoryName>(CATEGORY_NAMES, [categories.map(withoutNul)]);
      return new Map(found.map(({ category, name }) => [category, name]));
    },
  };
}

/** PostgreSQL accepts no NUL. No key has one, so a text with one finds nothing, whatever replaces it. */
const withoutNul = (text: string): string => text.replaceAll("\0", "\u{10FFFF}");
