import type { Engine, EntryRow } from "../engine.ts";
import { type EntryColumns, entryOf } from "../rowMapping.ts";
import type { RunQuery, Statement } from "./connection.ts";

const COLUMNS = 'kind, id, revision, due_at as "dueAt", text';
const FIND: Statement = { name: "find entry", text: `select ${COLUMNS} from notes where kind = $1 and id = $2` };
const FORWARD: Statement = {
  name: "entries forward",
  text: `select ${COLUMNS} from notes where kind = $1 and id > $2 order by id limit $3`,
};
const BACKWARD: Statement = {
  name: "entries backward",
  text: `select ${COLUMNS} from notes where kind = $1 and ($2::text is null or id < $2) order by id desc limit $3`,
};
const DUE: Statement = {
  name: "entries due",
  text: `select ${COLUMNS} from notes where kind = $1 and due_at <= $2 order by due_at limit $3`,
};
const PUT: Statement = {
  name: "put entry",
  text: `
    insert into notes (kind, id, revision, due_at, text) values ($1, $2, $3, $4, $5)
    on conflict (kind, id) do update
      set revision = excluded.revision, due_at = excluded.due_at, text = excluded.text`,
};
const REMOVE: Statement = { name: "remove entry", text: "delete from notes where kind = $1 and id = $2" };

/** The reads of the key-value store. */
export function openKeyValueReads(runQuery: RunQuery): Engine["keyValues"] {
  return {
    find: async ({ kind, id }) => {
      const [found] = await runQuery<EntryColumns>(FIND, [kind, id]);
      return found && entryOf(found);
    },
    list: async ({ kind, beyond, descending, limit }) => {
      const rows = descending
        ? await runQuery<EntryColumns>(BACKWARD, [kind, beyond ?? null, limit])
        : await runQuery<EntryColumns>(FORWARD, [kind, beyond ?? "", limit]);
      return rows.map(entryOf);
    },
    due: async (kind, by, limit) => (await runQuery<EntryColumns>(DUE, [kind, by, limit])).map(entryOf),
  };
}

/** Writes and deletes entries, inside a transaction of the caller. */
export const writeEntries = (runQuery: RunQuery, entries: readonly EntryRow[]): readonly Promise<unknown>[] =>
  entries.map(({ kind, id, revision, dueAt, text }) =>
    text === undefined ? runQuery(REMOVE, [kind, id]) : runQuery(PUT, [kind, id, revision, dueAt ?? null, text]),
  );
