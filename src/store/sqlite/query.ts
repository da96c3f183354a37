import type { DatabaseSync, SQLInputValue } from "node:sqlite";

/** A prepared statement that returns rows with the columns of `Row`. */
export type SqliteQuery<Row extends object> = {
  readonly get: (...values: SQLInputValue[]) => Row | undefined;
  readonly all: (...values: SQLInputValue[]) => Row[];
  readonly iterate: (...values: SQLInputValue[]) => Iterable<Row>;
};

/** Prepares a query. */
export const prepareQuery = <Row extends object>(db: DatabaseSync, sql: string): SqliteQuery<Row> =>
  // The driver knows no columns. `Row` repeats those that the SQL selects, and the contract suite of the store reads them all.
  db.prepare(sql) as unknown as SqliteQuery<Row>;

/** The placeholder of a text that is bound as bytes of UTF-8, which spares SQLite and the driver a conversion. */
export const TEXT_MARK = "cast(? as text)";
