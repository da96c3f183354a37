import { DatabaseSync } from "node:sqlite";
import { type Row, type Sum, sumOf } from "./engine.ts";

export type Writing = { readonly commit: (rows: readonly Row[]) => void; readonly close: () => void };

/** Commits reach the disk before they return. */
export const PRAGMAS =
  "pragma busy_timeout = 5000; pragma journal_mode = wal; pragma synchronous = full; pragma cache_size = -8000;";

export function openForWriting(path: string): Writing {
  const db = new DatabaseSync(path);
  db.exec(PRAGMAS);
  const insertLedger = db.prepare(
    "insert into ledger (sequence, at, tender_id, actor, act, patch) values (?, ?, ?, ?, ?, ?)",
  );
  const insertTender = db.prepare(
    "insert into tenders (id, revision, document, status, listing, date_modified, wake_at) values (?, ?, ?, ?, ?, ?, ?)",
  );
  const updateTender = db.prepare(`
    update tenders set revision = ?, document = ?, status = ?, listing = ?, date_modified = ?, wake_at = ?
    where id = ? and revision = ?`);
  const insertFile = db.prepare("insert into files (key, tender_id) values (?, ?)");
  const putNumber = db.prepare(`
    insert into days (day, last_number) values (?, ?)
    on conflict (day) do update set last_number = excluded.last_number`);
  const addToStatus = db.prepare(`
    insert into statuses (status, number) values (?, ?)
    on conflict (status) do update set number = number + excluded.number`);
  const begin = db.prepare("begin immediate");
  const commit = db.prepare("commit");
  const rollback = db.prepare("rollback");

  function putTender({ row, revisionBefore }: Sum["states"][number]): void {
    const { id, revision, document, status, listing, dateModified, wakeAt } = row;
    if (revisionBefore === 0) insertTender.run(id, revision, document, status, listing, dateModified, wakeAt);
    else if (
      updateTender.run(revision, document, status, listing, dateModified, wakeAt, id, revisionBefore).changes !== 1
    )
      throw new Error(`tender ${id} is not in revision ${revisionBefore} any more`);
  }

  function writeAll(rows: readonly Row[]): void {
    const { states, numbers, counts } = sumOf(rows);
    for (const state of states) putTender(state);
    for (const { sequence, at, id, actor, act, patch, files } of rows) {
      insertLedger.run(sequence, at, id, actor, act, patch);
      for (const key of files) insertFile.run(key, id);
    }
    for (const [day, number] of numbers) putNumber.run(day, number);
    for (const [status, by] of counts) addToStatus.run(status, by);
  }

  return {
    commit(rows) {
      begin.run();
      try {
        writeAll(rows);
        commit.run();
      } catch (error) {
        if (db.isTransaction) rollback.run();
        throw error;
      }
    },
    close: () => db.close(),
  };
}
