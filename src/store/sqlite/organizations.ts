import type { DatabaseSync } from "node:sqlite";
import type { OrganizationList, OrganizationQuery } from "../../indexing/organizationQuery.ts";
import { tokensOfTerm } from "../../indexing/words.ts";
import { requireRow } from "../rowMapping.ts";
import {
  type OrganizationCountRow,
  type OrganizationDialect,
  type OrganizationListRow,
  organizationListOf,
  organizationSql,
  pageValues,
} from "../search/organizationSql.ts";
import { openQueryCache } from "./query.ts";
import { tokensExpression } from "./searchMatches.ts";

const DIALECT: OrganizationDialect = {
  // Without statistics of its own, SQLite would take the primary key and sort all organisations.
  rankedStatistics: (role) => `statistics indexed by ${role}s_by_tenders`,
  tenders: "cast(statistics.sum as integer)",
  orderedJoin: "cross join",
  matches: `
    select organizations.key, names
    from organization_words cross join organizations on organizations.id = organization_words.rowid
    where organization_words match ?`,
};

/** Opens the list of organisations. Its queries are synchronous. */
export function openOrganizations(db: DatabaseSync): (query: OrganizationQuery) => OrganizationList {
  const prepareList = openQueryCache<OrganizationListRow>(db);
  const prepareCount = openQueryCache<OrganizationCountRow>(db);
  return (query) => {
    const { role, terms } = query;
    const { list, count } = organizationSql(role, terms.length > 0, DIALECT);
    const words = terms.length === 0 ? [] : [tokensExpression(terms.map(tokensOfTerm))];
    return organizationListOf(
      prepareList(list).all(...words, ...pageValues(query)),
      requireRow(prepareCount(count).get(...words)),
    );
  };
}
