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

/** A prepared statement that writes. Returns the number of rows that it has changed. */
export type SqliteWrite = { readonly run: (...values: SQLInputValue[]) => number };

/**
 * Prepares a statement that writes. Its results are read as big integers: the driver also returns the last row id of the connection,
 * and those of the full-text index are larger than numbers are exact, for which it would throw.
 */
export function prepareWrite(db: DatabaseSync, sql: string): SqliteWrite {
  const statement = db.prepare(sql);
  statement.setReadBigInts(true);
  return { run: (...values) => Number(statement.run(...values).changes) };
}

/** The placeholder of a text that is bound as bytes of UTF-8, which spares SQLite and the driver a conversion. */
export const TEXT_MARK = "cast(? as text)";
