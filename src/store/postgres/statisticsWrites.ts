import type { CategoryName } from "../../indexing/categoryNames.ts";
import { type OrganizationRow, organizationTokens } from "../search/indexChanges.ts";
import type { StoredSum } from "../search/statisticsRows.ts";
import type { RunQuery, Statement } from "./connection.ts";

const ADD_TO_SUMS: Statement = {
  name: "add to sums",
  text: `
    insert into statistics (dimension, key, month, currency, measure, sum)
    select * from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::numeric[])
    on conflict (dimension, key, month, currency, measure) do update set sum = statistics.sum + excluded.sum`,
};
const INSERT_NAMES = `
  insert into organizations (key, names, tokens)
  select key, names, array_to_tsvector(string_to_array(tokens, ' '))
  from unnest($1::text[], $2::text[], $3::text[]) as named (key, names, tokens)`;
const PUT_NAMES: Statement = {
  name: "put names",
  text: `
    ${INSERT_NAMES}
    on conflict (key) do update set names = excluded.names, tokens = excluded.tokens where organizations.names <> excluded.names`,
};

const ADD_NAMES: Statement = {
  name: "add names",
  text: `${INSERT_NAMES} on conflict do nothing`,
};

const ADD_CATEGORY_NAMES: Statement = {
  name: "add category names",
  text: "insert into category_names (category, name) select * from unnest($1::text[], $2::text[]) on conflict do nothing",
};

/** Sends the statement that adds to sums, to each once. */
export function addToSums(runQuery: RunQuery, sums: readonly StoredSum[]): readonly Promise<unknown>[] {
  if (sums.length === 0) return [];
  const columns = ["dimension", "key", "month", "currency", "measure", "sum"] as const;
  return [
    runQuery(
      ADD_TO_SUMS,
      columns.map((column) => sums.map((sum) => sum[column])),
    ),
  ];
}

type WriteNames = (runQuery: RunQuery, organizations: readonly OrganizationRow[]) => readonly Promise<unknown>[];

const writeNames =
  (statement: Statement): WriteNames =>
  (runQuery, organizations) =>
    organizations.length === 0
      ? []
      : [
          runQuery(statement, [
            organizations.map(({ key }) => key),
            organizations.map(({ names }) => names),
            organizations.map(organizationTokens),
          ]),
        ];

/** Sends the statement that writes the names of organisations. */
export const putNames = writeNames(PUT_NAMES);
/** The same, but keeps the names that are there. */
export const addNames = writeNames(ADD_NAMES);

/** Sends the statement that adds the names of categories; those that have a name keep it. */
export const addCategoryNames = (
  runQuery: RunQuery,
  categoryNames: readonly CategoryName[],
): readonly Promise<unknown>[] =>
  categoryNames.length === 0
    ? []
    : [
        runQuery(ADD_CATEGORY_NAMES, [
          categoryNames.map(({ category }) => category),
          categoryNames.map(({ name }) => name),
        ]),
      ];
