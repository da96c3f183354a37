import type { DatabaseSync } from "node:sqlite";
import type { EntryKind } from "../entryKinds.ts";
import type { EntryReads, EntryRow, StoredEntry } from "../entryRows.ts";
import { type EntrySql, entrySql, listPlan, putValues } from "../entrySql.ts";
import { requireRow } from "../rowMapping.ts";
import { prepareQuery, prepareWrite, type SqliteQuery, TEXT_MARK } from "./query.ts";

const sqlByKind = new Map<EntryKind, EntrySql>();

function sqlOf(kind: EntryKind): EntrySql {
  const sql =
    sqlByKind.get(kind) ??
    entrySql(
      kind,
      () => "?",
      () => TEXT_MARK,
    );
  sqlByKind.set(kind, sql);
  return sql;
}

/** Prepares each statement when it is first used. */
function openStatements<Prepared>(prepare: (sql: string) => Prepared): (sql: string) => Prepared {
  const prepared = new Map<string, Prepared>();
  return (sql) => {
    const statement = prepared.get(sql) ?? prepare(sql);
    prepared.set(sql, statement);
    return statement;
  };
}

/** The reads of the key-value store. */
export function openEntryReads(db: DatabaseSync): EntryReads {
  const query = openStatements((sql): SqliteQuery<StoredEntry> => prepareQuery(db, sql));
  const counting = openStatements((sql): SqliteQuery<{ number: number }> => prepareQuery(db, sql));
  return {
    find: async (kind, id) => query(sqlOf(kind).find).get(id),
    list: async ({ kind, columns, limit }, beyond, descending) => {
      const { order, values } = listPlan(beyond, descending, limit);
      return query(sqlOf(kind).list(columns.length > 0, order)).all(...columns, ...values);
    },
    count: async ({ kind, columns, limit }) =>
      requireRow(counting(sqlOf(kind).count(columns.length > 0)).get(...columns, limit)).number,
    expired: async (kind, by, limit) => query(sqlOf(kind).expired).all(by, limit),
  };
}

/** The writes of the key-value store, inside a transaction of the caller. */
export function prepareEntryWrites(db: DatabaseSync): (row: EntryRow<Uint8Array>) => void {
  const statement = openStatements((sql) => prepareWrite(db, sql));
  return (row) => {
    const { kind, id, text } = row;
    if (text === undefined) statement(sqlOf(kind).remove).run(id);
    else statement(sqlOf(kind).put).run(...putValues(row, text));
  };
}
