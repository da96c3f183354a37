import { ENTRY_KINDS, ENTRY_TABLES } from "../../src/store/store.ts";

/** All key-value entries of a database, in SQL: their kinds, ids, revisions and values. */
export const ENTRIES = `(${ENTRY_KINDS.map(
  (kind) => `select '${kind}' as kind, id, revision, value from ${ENTRY_TABLES[kind].table}`,
).join(" union all ")}) as entries`;
