import type { DatabaseSync } from "node:sqlite";
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
import { prepareQuery } from "./query.ts";

/** Opens what pages read. `waitForCommit` is awaited before each query, so that it never misses a change that is just committed. */
export function openPublicReads(
  db: DatabaseSync,
  { search, organizations }: Pick<EnginePublicReads, "search" | "organizations">,
  waitForCommit: () => Promise<void>,
): EnginePublicReads {
  const calendar = prepareQuery<ScheduledEvent>(db, CALENDAR);
  const byNumber = prepareQuery<{ id: string }>(db, FIND_BY_NUMBER);
  const published = prepareQuery<FeedRow>(db, PUBLISHED_PAGE);
  const publishedCount = prepareQuery<{ number: number }>(db, PUBLISHED_COUNT);
  const profileKeys = prepareQuery<{ key: string }>(db, PROFILE_KEYS);
  const profileCount = prepareQuery<{ number: number }>(db, PROFILE_COUNT);
  const organization = prepareQuery<{ names: string }>(db, ORGANIZATION_NAMES);
  const publicationTimes = prepareQuery<PublicationRow>(db, publicationTimesSql("select value from json_each(?)"));
  const categoryNames = prepareQuery<CategoryName>(
    db,
    "select category, name from category_names where category in (select value from json_each(?))",
  );

  return {
    search: async (query, now) => {
      await waitForCommit();
      return search(query, now);
    },
    organizations: async (query) => {
      await waitForCommit();
      return organizations(query);
    },
    calendar: async ({ from, to, mode, limit }) => {
      await waitForCommit();
      const range = [mode, from, to] as const;
      return calendar.all(...range, ...range, ...range, ...range, limit).map((event) => ({ ...event }));
    },
    publishedPage: async ({ offset, limit }) => published.all(limit, offset).map((row) => ({ ...row })),
    publishedCount: async () => publishedCount.get()?.number ?? 0,
    publicationTimes: async (ids) => {
      await waitForCommit();
      return new Map(publicationTimes.all(JSON.stringify(ids)).map(({ id, at }) => [id, at]));
    },
    findByNumber: async (tenderID) => byNumber.get(tenderID)?.id,
    statistics: async (query) => {
      await waitForCommit();
      const { where, values } = statisticsCondition(query);
      const sql = `
        select dimension, key, month, currency, measure, sum from statistics where ${where} and sum <> '0'
        order by dimension, key, month, currency`;
      return contributionsIn(prepareQuery<StoredSum>(db, sql).all(...values));
    },
    profileKeys: async ({ role, limit, offset }) => profileKeys.all(role, limit, offset).map(({ key }) => key),
    profileCount: async (role) => profileCount.get(role)?.number ?? 0,
    organizationName: async (key) => {
      const names = organization.get(key)?.names;
      return names === undefined ? undefined : parseOwnJson<OrganizationName>(names);
    },
    categoryNames: async (categories) =>
      new Map(categoryNames.all(JSON.stringify(categories)).map(({ category, name }) => [category, name])),
  };
}
