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
import type { RunQuery } from "./connection.ts";
import { numberPlaceholders } from "./feed.ts";
import { tokensText } from "./search.ts";

const DIALECT: OrganizationDialect = {
  rankedStatistics: () => "statistics",
  tenders: "statistics.sum",
  orderedJoin: "join",
  matches: "select key, names from organizations where tokens @@ ?::tsquery",
};

/** Opens the list of organisations. Its queries are not prepared, because the best plan depends on the words. */
export function openOrganizations(runQuery: RunQuery): (query: OrganizationQuery) => Promise<OrganizationList> {
  const all = <Row extends object>(text: string, values: readonly (string | number)[]): Promise<readonly Row[]> =>
    runQuery<Row>({ name: "", text: numberPlaceholders(text) }, values);
  return async (query) => {
    const { role, terms } = query;
    const { list, count } = organizationSql(role, terms.length > 0, DIALECT);
    const words = terms.length === 0 ? [] : [tokensText(terms.map(tokensOfTerm))];
    const [rows, [counted]] = await Promise.all([
      all<OrganizationListRow>(list, [...words, ...pageValues(query)]),
      all<OrganizationCountRow>(count, words),
    ]);
    return organizationListOf(rows, requireRow(counted));
  };
}
