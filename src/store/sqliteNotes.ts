import type { DatabaseSync } from "node:sqlite";
import type { Engine } from "./engine.ts";
import { noteOf } from "./nullable.ts";

const COLUMNS = 'kind, id, revision, due_at as "dueAt", text';

export function openNoteReading(db: DatabaseSync): Engine["notes"] {
  const find = db.prepare(`select ${COLUMNS} from notes where kind = ? and id = ?`);
  const forward = db.prepare(`select ${COLUMNS} from notes where kind = ? and id > ? order by id limit ?`);
  const backward = db.prepare(`
    select ${COLUMNS} from notes where kind = ? and (? is null or id < ?) order by id desc limit ?`);
  const due = db.prepare(`select ${COLUMNS} from notes where kind = ? and due_at <= ? order by due_at limit ?`);
  return {
    find: async ({ kind, id }) => {
      const found = find.get(kind, id);
      return found && noteOf(found);
    },
    list: async ({ kind, beyond, descending, limit }) => {
      const last = beyond ?? null;
      const rows = descending ? backward.all(kind, last, last, limit) : forward.all(kind, beyond ?? "", limit);
      return rows.map(noteOf);
    },
    due: async (kind, by, limit) => due.all(kind, by, limit).map(noteOf),
  };
}
