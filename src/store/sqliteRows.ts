import { DatabaseSync } from "node:sqlite";

/** One change as it goes to disk: the tender's new state, its row of the ledger, and what it took. */
export type Row = {
  readonly sequence: number;
  readonly at: number;
  readonly id: string;
  readonly revision: number;
  readonly document: string;
  readonly status: string;
  readonly listing: string;
  readonly dateModified: number;
  readonly wakeAt: number | null;
  readonly actor: string | null;
  readonly act: string;
  readonly patch: string;
  readonly files: readonly string[];
  readonly day: string | null;
  readonly numberOfDay: number;
};

export type Writing = { readonly commit: (rows: readonly Row[]) => void; readonly close: () => void };

/** Commits reach the disk before they return. */
export const PRAGMAS =
  "pragma journal_mode = wal; pragma synchronous = full; pragma busy_timeout = 5000; pragma cache_size = -32000;";

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
    where id = ?`);
  const insertFile = db.prepare("insert into files (key, tender_id) values (?, ?)");
  const putNumber = db.prepare(`
    insert into days (day, last_number) values (?, ?)
    on conflict (day) do update set last_number = excluded.last_number`);
  const begin = db.prepare("begin immediate");
  const commit = db.prepare("commit");
  const rollback = db.prepare("rollback");

  function write(row: Row): void {
    const { id, revision, document, status, listing, dateModified, wakeAt } = row;
    if (revision === 1) insertTender.run(id, revision, document, status, listing, dateModified, wakeAt);
    else updateTender.run(revision, document, status, listing, dateModified, wakeAt, id);
    insertLedger.run(row.sequence, row.at, id, row.actor, row.act, row.patch);
    for (const key of row.files) insertFile.run(key, id);
  }

  return {
    commit(rows) {
      if (rows.length === 0) return;
      begin.run();
      try {
        for (const row of rows) write(row);
        const numbers = new Map(rows.flatMap(({ day, numberOfDay }) => (day ? [[day, numberOfDay] as const] : [])));
        for (const [day, number] of numbers) putNumber.run(day, number);
        commit.run();
      } catch (error) {
        if (db.isTransaction) rollback.run();
        throw error;
      }
    },
    close: () => db.close(),
  };
}
