import { DatabaseSync } from "node:sqlite";
import { type ChangeRow, type EntryRow, summariseRows, type TenderWrite } from "../engine.ts";

/** Writes groups of changes, each in one transaction. */
export type SqliteWriter = {
  /** Returns once everything is on disk; throws if nothing was written. */
  readonly commit: (rows: readonly ChangeRow[], entries: readonly EntryRow[]) => void;
  readonly close: () => void;
};

/** `synchronous = full`: a commit is on disk when it returns. */
export const PRAGMAS =
  "pragma busy_timeout = 5000; pragma journal_mode = wal; pragma synchronous = full; pragma cache_size = -8000;";

/** Opens a connection for writing. */
export function openSqliteWriter(path: string): SqliteWriter {
  const db = new DatabaseSync(path);
  db.exec(PRAGMAS);
  const insertLedger = db.prepare(
    "insert into ledger (sequence, at, tender_id, actor, act, patch) values (?, ?, ?, ?, ?, ?)",
  );
  const insertTender = db.prepare(
    "insert into tenders (id, revision, document, status, listing, date_modified, wake_at, clock, first_row) values (?, ?, ?, ?, ?, ?, ?, ?, ?)",
  );
  const updateTender = db.prepare(`
    update tenders set revision = ?, document = ?, status = ?, listing = ?, date_modified = ?, wake_at = ?, clock = ?
    where id = ? and revision = ?`);
  const insertFacets = db.prepare(`
    insert into facets
      (listing, date_modified, status, number, entity, currency, amount, enquiry_end, tender_start, tender_end, first_row, tender_id)
    values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`);
  const updateFacets = db.prepare(`
    update facets
    set listing = ?, date_modified = ?, status = ?, number = ?, entity = ?, currency = ?, amount = ?, enquiry_end = ?,
      tender_start = ?, tender_end = ?
    where first_row = ?`);
  const moveFacets = db.prepare(`
    update facets set listing = ?, date_modified = ?, status = ?
    where first_row = ?`);
  const firstRowOf = db.prepare("select first_row as firstRow from tenders where id = ?");
  const removeCodes = db.prepare("delete from classifications where first_row = ?");
  const insertCode = db.prepare("insert into classifications (code, first_row) values (?, ?)");
  const putEntry = db.prepare("insert or replace into notes (kind, id, revision, due_at, text) values (?, ?, ?, ?, ?)");
  const removeEntry = db.prepare("delete from notes where kind = ? and id = ?");
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

  function putTender({ row, revisionBefore, firstRow }: TenderWrite): void {
    const { id, revision, document, status, listing, dateModified, wakeAt, clock } = row;
    if (revisionBefore === 0)
      insertTender.run(id, revision, document, status, listing, dateModified, wakeAt, clock, firstRow);
    else if (
      updateTender.run(revision, document, status, listing, dateModified, wakeAt, clock, id, revisionBefore).changes !==
      1
    )
      throw new Error(`tender ${id} no longer has revision ${revisionBefore}`);
  }

  function putIndex({ row, revisionBefore, firstRow, indexUpdate }: TenderWrite): void {
    if (indexUpdate === "not") return;
    const { id, listing, dateModified, status, facets } = row;
    const isNew = revisionBefore === 0;
    const first = isNew ? firstRow : (firstRowOf.get(id) as { firstRow: number }).firstRow;
    if (indexUpdate === "moved") return void moveFacets.run(listing, dateModified, status, first);
    const { number, entity, currency, amount, enquiryEnd, tenderStart, tenderEnd, classifications } = facets;
    const values = [
      listing,
      dateModified,
      status,
      number,
      entity,
      currency,
      amount,
      enquiryEnd,
      tenderStart,
      tenderEnd,
    ];
    if (isNew) insertFacets.run(...values, first, id);
    else updateFacets.run(...values, first);
    if (indexUpdate === "facets") return;
    if (!isNew) removeCodes.run(first);
    for (const code of classifications) insertCode.run(code, first);
  }

  function writeEntry({ kind, id, revision, dueAt, text }: EntryRow): void {
    if (text === undefined) removeEntry.run(kind, id);
    else putEntry.run(kind, id, revision, dueAt ?? null, text);
  }

  function writeAll(rows: readonly ChangeRow[]): void {
    const { tenderWrites, numbers, counts } = summariseRows(rows);
    for (const tenderWrite of tenderWrites) {
      putTender(tenderWrite);
      putIndex(tenderWrite);
    }
    for (const { sequence, at, id, actor, act, patch, files } of rows) {
      insertLedger.run(sequence, at, id, actor, act, patch);
      for (const key of files) insertFile.run(key, id);
    }
    for (const [day, number] of numbers) putNumber.run(day, number);
    for (const [status, by] of counts) addToStatus.run(status, by);
  }

  return {
    commit(rows, entries) {
      begin.run();
      try {
        writeAll(rows);
        for (const entry of entries) writeEntry(entry);
        commit.run();
      } catch (error) {
        if (db.isTransaction) rollback.run();
        throw error;
      }
    },
    close: () => db.close(),
  };
}
