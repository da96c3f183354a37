import type { RunQuery, Statement } from "./connection.ts";

/** A table, and the columns that rows are inserted with. */
export type InsertedTable = {
  readonly table: string;
  readonly columns: readonly string[];
  /** The SQL of columns that do not store their value as it is, with the placeholder of the value. */
  readonly expressions?: { readonly [column: string]: (placeholder: string) => string };
};

/** The values of a row, in the order of the columns. */
export type ColumnValues = readonly unknown[];

const ROWS_PER_STATEMENT_MAX = 64;

/** Inserts rows by statements of 64, 32, 16 ... rows: few enough to prepare each once, and far cheaper than one for each row. */
export function insertAll(
  runQuery: RunQuery,
  into: InsertedTable,
  rows: readonly ColumnValues[],
): readonly Promise<unknown>[] {
  const sent: Promise<unknown>[] = [];
  for (let from = 0, size = ROWS_PER_STATEMENT_MAX; from < rows.length; ) {
    while (size > rows.length - from) size /= 2;
    sent.push(runQuery(insertOf(into, size), rows.slice(from, from + size).flat()));
    from += size;
  }
  return sent;
}

function insertOf({ table, columns, expressions = {} }: InsertedTable, size: number): Statement {
  const name = `insert ${table} ${size}`;
  const cached = inserts.get(name);
  if (cached) return cached;
  const value = (column: string, position: number) => expressions[column]?.(`$${position}`) ?? `$${position}`;
  const row = (i: number) => `(${columns.map((column, j) => value(column, i * columns.length + j + 1)).join(", ")})`;
  const values = Array.from({ length: size }, (_, i) => row(i)).join(", ");
  const statement = { name, text: `insert into ${table} (${columns.join(", ")}) values ${values}` };
  inserts.set(name, statement);
  return statement;
}

const inserts = new Map<string, Statement>();
