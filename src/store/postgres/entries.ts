import type { EntryKind } from "../entryKinds.ts";
import type { EntryReads, EntryRow, StoredEntry } from "../entryRows.ts";
import { type EntrySql, entrySql, listPlan, putValues } from "../entrySql.ts";
import { requireRow } from "../rowMapping.ts";
import type { RunQuery, Statement } from "./connection.ts";

const sqlByKind = new Map<EntryKind, EntrySql>();

/** A statement of a kind. Its name tells it from all others, as PostgreSQL prepares each name once. */
function statementOf(kind: EntryKind, name: string, textIn: (sql: EntrySql) => string): Statement {
  const sql = sqlByKind.get(kind) ?? entrySql(kind, (i) => `$${i + 1}`);
  sqlByKind.set(kind, sql);
  return { name: `${name} ${kind}`, text: textIn(sql) };
}

/** The reads of the key-value store. */
export function openEntryReads(runQuery: RunQuery): EntryReads {
  return {
    find: async (kind, id) => {
      const [found] = await runQuery<StoredEntry>(
        statementOf(kind, "find", ({ find }) => find),
        [id],
      );
      return found;
    },
    list: async ({ kind, columns, limit }, beyond, descending) => {
      const { order, values } = listPlan(beyond, descending, limit);
      const isFiltered = columns.length > 0;
      const name = `list ${isFiltered ? "filtered " : ""}${order}`;
      const statement = statementOf(kind, name, ({ list }) => list(isFiltered, order));
      return runQuery<StoredEntry>(statement, [...columns, ...values]);
    },
    count: async ({ kind, columns, limit }) => {
      const isFiltered = columns.length > 0;
      const name = isFiltered ? "count filtered" : "count";
      const statement = statementOf(kind, name, ({ count }) => count(isFiltered));
      const [row] = await runQuery<{ number: number }>(statement, [...columns, limit]);
      return requireRow(row).number;
    },
    expired: (kind, by, limit) =>
      runQuery<StoredEntry>(
        statementOf(kind, "expired", ({ expired }) => expired),
        [by, limit],
      ),
  };
}

/** Writes and deletes entries, inside a transaction of the caller. */
export const writeEntries = (runQuery: RunQuery, entries: readonly EntryRow[]): readonly Promise<unknown>[] =>
  entries.map((row) => {
    const { kind, id, text } = row;
    return text === undefined
      ? runQuery(
          statementOf(kind, "remove", ({ remove }) => remove),
          [id],
        )
      : runQuery(
          statementOf(kind, "put", ({ put }) => put),
          putValues(row, text),
        );
  });
