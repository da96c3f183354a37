import type { DatabaseSync, SQLInputValue } from "node:sqlite";

/** A prepared statement that returns rows with the columns of `Row`. */
export type SqliteQuery<Row extends object> = {
  readonly get: (...values: SQLInputValue[]) => Row | undefined;
  readonly all: (...values: SQLInputValue[]) => Row[];
  readonly iterate: (...values: SQLInputValue[]) => Iterable<Row>;
};

/** Prepares a query. With `asLists`, it returns each row as a list of its columns, which is cheaper than an object. */
export function prepareQuery<Row extends object>(db: DatabaseSync, sql: string, asLists = false): SqliteQuery<Row> {
  const statement = db.prepare(sql);
  if (asLists) statement.setReturnArrays(true);
  // The driver knows no columns. `Row` repeats those that the SQL selects, and the contract suite of the store reads them all.
  return statement as unknown as SqliteQuery<Row>;
}

const PREPARED_MAX = 200;

/** Caches prepared queries by their SQL. */
export function openQueryCache<Row extends object>(
  db: DatabaseSync,
  asLists = false,
): (sql: string) => SqliteQuery<Row> {
  const prepared = new Map<string, SqliteQuery<Row>>();
  return (sql) => {
    const cached = prepared.get(sql);
    if (cached) return cached;
    if (prepared.size >= PREPARED_MAX) prepared.clear();
    const query = prepareQuery<Row>(db, sql, asLists);
    prepared.set(sql, query);
    return query;
  };
}

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
