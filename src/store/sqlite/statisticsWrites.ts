import type { DatabaseSync } from "node:sqlite";
import { addDecimals, storedDecimal } from "../../domain/values/decimal.ts";
import type { CategoryName } from "../../indexing/categoryNames.ts";
import type { BackfillBatch } from "../search/backfillBatch.ts";
import { type OrganizationRow, organizationTokens } from "../search/indexChanges.ts";
import type { StoredSum } from "../search/statisticsRows.ts";
import { prepareQuery, prepareWrite } from "./query.ts";

/** The sums of the statistics. SQLite has no exact decimals, so a function of ours adds them. */
export function prepareSumWrites(db: DatabaseSync): (sums: readonly StoredSum[]) => void {
  db.function("add_decimals", { deterministic: true }, (a, b) =>
    addDecimals(storedDecimal(String(a)), storedDecimal(String(b))),
  );
  const add = prepareWrite(
    db,
    `
    insert into statistics (dimension, key, month, currency, measure, sum) values (?, ?, ?, ?, ?, ?)
    on conflict (dimension, key, month, currency, measure) do update set sum = add_decimals(sum, excluded.sum)`,
  );
  return (sums) => {
    for (const { dimension, key, month, currency, measure, sum } of sums)
      add.run(dimension, key, month, currency, measure, sum);
  };
}

/** The names of organisations and of categories. */
export function prepareNameWrites(db: DatabaseSync) {
  const put = prepareQuery<{ id: number }>(
    db,
    `
    insert into organizations (key, names) values (?, ?)
    on conflict (key) do update set names = excluded.names where names <> excluded.names
    returning id`,
  );
  const add = prepareQuery<{ id: number }>(
    db,
    "insert into organizations (key, names) values (?, ?) on conflict do nothing returning id",
  );
  const putWords = prepareWrite(db, "insert or replace into organization_words (rowid, tokens) values (?, ?)");
  /** The words change only with the name, so most tenders write none. */
  const write = (statement: typeof put, organizations: readonly OrganizationRow[]) => {
    for (const organization of organizations) {
      const written = statement.get(organization.key, organization.names);
      if (written) putWords.run(written.id, organizationTokens(organization));
    }
  };
  const addCategory = prepareWrite(
    db,
    "insert into category_names (category, name) values (?, ?) on conflict do nothing",
  );
  return {
    putNames(organizations: readonly OrganizationRow[]): void {
      write(put, organizations);
    },
    /** Keeps the names that are there. */
    addNames(organizations: readonly OrganizationRow[]): void {
      write(add, organizations);
    },
    addCategoryNames(categoryNames: readonly CategoryName[]): void {
      for (const { category, name } of categoryNames) addCategory.run(category, name);
    },
  };
}

/** How far the backfill is. */
export function prepareBackfillWrites(db: DatabaseSync): (batch: BackfillBatch<unknown>) => void {
  const proceed = prepareWrite(db, "update index_backfill set left_up_to = ?, done = ?");
  const complete = prepareWrite(db, "delete from index_backfill");
  return ({ state }) => {
    if (state) proceed.run(state.leftUpTo, state.done);
    else complete.run();
  };
}
