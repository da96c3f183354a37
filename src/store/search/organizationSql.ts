import { parseOwnJson } from "../../base/ownJson.ts";
import type {
  ListedOrganization,
  OrganizationList,
  OrganizationName,
  OrganizationQuery,
  OrganizationRole,
} from "../../indexing/organizationQuery.ts";
import { SEARCH_MATCHES_MAX } from "../../indexing/searchQuery.ts";

/** SQL that lists organisations, with a question mark for each value, for all engines. */

/** What differs between databases. */
export type OrganizationDialect = {
  /** The table `statistics`, by the index of the role if the database needs to be told so. */
  readonly rankedStatistics: (role: OrganizationRole) => string;
  /** The number of tenders as a number that can be compared, from the column `sum`. */
  readonly tenders: string;
  /** The join that reads the statistics of the matches, and not the other way round. */
  readonly orderedJoin: string;
  /** Selects the columns `key` and `names` of the organisations whose words match one value. */
  readonly matches: string;
};

/** An organisation as the database has it. */
export type OrganizationListRow = { readonly key: string; readonly names: string; readonly tenders: number };
/** How many organisations have the words, and how many of them have tenders in the role. */
export type OrganizationCountRow = { readonly matched: number; readonly number: number };

/** The role is part of the SQL, because an index has the organisations of each role by their number of tenders. */
const hasTenders = (role: OrganizationRole, tenders: string): string =>
  `statistics.dimension = '${role}' and statistics.measure = 'tenders' and ${tenders} > 0`;

/** Queries for a role: values are the words if `hasWords`, and then the limit and the offset of the list. */
export function organizationSql(
  role: OrganizationRole,
  hasWords: boolean,
  { rankedStatistics, tenders, orderedJoin, matches }: OrganizationDialect,
): { readonly list: string; readonly count: string } {
  const order = `order by ${tenders} desc, statistics.key limit ? offset ?`;
  const condition = hasTenders(role, tenders);
  if (!hasWords)
    return {
      list: `
        select statistics.key, names, ${tenders} as tenders
        from ${rankedStatistics(role)} join organizations on organizations.key = statistics.key where ${condition} ${order}`,
      count: `
        select count(*) as matched, count(*) as number
        from (select 1 from ${rankedStatistics(role)} where ${condition} limit ${SEARCH_MATCHES_MAX + 1}) as counted`,
    };
  const matched = `with matched as materialized (${matches} limit ${SEARCH_MATCHES_MAX + 1})`;
  const statistics = `
    statistics on statistics.key = matched.key and statistics.month = '' and statistics.currency = '' and ${condition}`;
  return {
    list: `${matched} select matched.key, names, ${tenders} as tenders from matched ${orderedJoin} ${statistics} ${order}`,
    count: `${matched} select count(*) as matched, count(statistics.key) as number from matched left join ${statistics}`,
  };
}

/** The page of a query, from the rows that its SQL returns. */
export function organizationListOf(
  rows: readonly OrganizationListRow[],
  { matched, number }: OrganizationCountRow,
): OrganizationList {
  return {
    organizations: rows.map(
      ({ key, names, tenders }): ListedOrganization => ({
        key,
        name: parseOwnJson<OrganizationName>(names),
        tenders: Number(tenders),
      }),
    ),
    count: Math.min(Number(number), SEARCH_MATCHES_MAX),
    isMore: Number(matched) > SEARCH_MATCHES_MAX,
  };
}

/** The limit and the offset of a query. No query leads beyond `SEARCH_MATCHES_MAX` organisations. */
export const pageValues = ({ offset, limit }: OrganizationQuery): readonly [limit: number, offset: number] => [
  Math.max(0, Math.min(limit, SEARCH_MATCHES_MAX - offset)),
  offset,
];
