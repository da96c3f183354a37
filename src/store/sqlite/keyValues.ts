import type { DatabaseSync } from "node:sqlite";
import type { Engine } from "../engine.ts";
import { type EntryColumns, entryOf } from "../rowMapping.ts";
import { prepareQuery } from "./query.ts";

const COLUMNS = 'kind, id, revision, due_at as "dueAt", text';

/** The reads of the key-value store. */
export function openKeyValueReads(db: DatabaseSync): Engine["keyValues"] {
  const find = prepareQuery<EntryColumns>(db, `select ${COLUMNS} from notes where kind = ? and id = ?`);
  const forward = prepareQuery<EntryColumns>(
    db,
    `select ${COLUMNS} from notes where kind = ? and id > ? order by id limit ?`,
  );
  const backward = prepareQuery<EntryColumns>(
    db,
    `
    select ${COLUMNS} from notes where kind = ? and (? is null or id < ?) order by id desc limit ?`,
  );
  const due = prepareQuery<EntryColumns>(
    db,
    `select ${COLUMNS} from notes where kind = ? and due_at <= ? order by due_at limit ?`,
  );
  return {
    find: async ({ kind, id }) => {
      const found = find.get(kind, id);
      return found && entryOf(found);
    },
    list: async ({ kind, beyond, descending, limit }) => {
      const last = beyond ?? null;
      const rows = descending ? backward.all(kind, last, last, limit) : forward.all(kind, beyond ?? "", limit);
      return rows.map(entryOf);
    },
    due: async (kind, by, limit) => due.all(kind, by, limit).map(entryOf),
  };
}
