import { DatabaseSync } from "node:sqlite";
import { type ChangeRow, type CommitSummary, summariseRows, type TenderWrite } from "../changeRows.ts";
import { requireRow } from "../rowMapping.ts";
import { indexTotals } from "../search/indexChanges.ts";
import type { Batch } from "./batchBytes.ts";
import { prepareEntryWrites } from "./entries.ts";
import { prepareQuery, prepareWrite, TEXT_MARK } from "./query.ts";
import { prepareSearchWrites } from "./searchWrites.ts";
import { prepareBackfillWrites, prepareNameWrites, prepareSumWrites } from "./statisticsWrites.ts";

/** A change whose texts are bytes of UTF-8. */
type ByteRow = ChangeRow<Uint8Array>;

/** Writes groups of changes, each in one transaction. */
export type SqliteWriter = {
  /** Returns once everything is on disk; throws if nothing was written. */
  readonly commit: (batch: Batch<Uint8Array>) => void;
  readonly close: () => void;
};

/** `synchronous = full`: a commit is on disk when it returns. */
export const PRAGMAS =
  "pragma busy_timeout = 5000; pragma journal_mode = wal; pragma synchronous = full; pragma cache_size = -8000;";

/** Opens a connection for writing. */
export function openSqliteWriter(path: string): SqliteWriter {
  const db = new DatabaseSync(path);
  db.exec(PRAGMAS);
  const writeTender = prepareTenderWrites(db);
  const writeIndex = prepareIndexWrites(db);
  const writeBids = prepareBidWrites(db);
  const writeTotals = prepareTotalWrites(db);
  const writeLedgerRow = prepareLedgerWrites(db);
  const writeEntry = prepareEntryWrites(db);
  const writeCounters = prepareCounterWrites(db);
  const { writeSearch, isIndexed } = prepareSearchWrites(db);
  const addToSums = prepareSumWrites(db);
  const { putNames, addNames, addCategoryNames } = prepareNameWrites(db);
  const writeBackfill = prepareBackfillWrites(db);
  const begin = prepareWrite(db, "begin immediate");
  const commit = prepareWrite(db, "commit");
  const rollback = prepareWrite(db, "rollback");

  function writeAll({ rows, entries, backfill, totals }: Batch<Uint8Array>): void {
    const summary = summariseRows(rows);
    const { sums, organizations, categoryNames } = totals ?? indexTotals(rows, isIndexed);
    for (const tenderWrite of summary.tenderWrites) {
      writeTender(tenderWrite);
      writeIndex(tenderWrite);
    }
    for (const row of rows) {
      writeLedgerRow(row);
      writeBids(row);
    }
    writeTotals(summary);
    writeCounters(summary);
    for (const write of summary.searchWrites) writeSearch(write);
    addToSums(sums);
    putNames(organizations);
    addCategoryNames(categoryNames);
    for (const entry of entries) writeEntry(entry);
    if (!backfill) return;
    for (const write of backfill.searchWrites) writeSearch(write);
    addToSums(backfill.sums);
    addNames(backfill.organizations);
    addCategoryNames(backfill.categoryNames);
    writeBackfill(backfill);
  }

  return {
    commit(batch) {
      begin.run();
      try {
        writeAll(batch);
        commit.run();
      } catch (error) {
        if (db.isTransaction) rollback.run();
        throw error;
      }
    },
    close: () => db.close(),
  };
}

/** The tender itself. An update requires the revision that its decision was made on. */
function prepareTenderWrites(db: DatabaseSync) {
  const insert = prepareWrite(
    db,
    `insert into tenders (id, revision, document, status, listing, date_modified, wake_at, clock, first_row)
    values (?, ?, ${TEXT_MARK}, ?, ?, ?, ?, ?, ?)`,
  );
  const update = prepareWrite(
    db,
    `
    update tenders set revision = ?, document = ${TEXT_MARK}, status = ?, listing = ?, date_modified = ?, wake_at = ?, clock = ?
    where id = ? and revision = ?`,
  );
  return ({ state, revisionBefore, firstRow }: TenderWrite<Uint8Array>): void => {
    const { id, revision, document, status, listing, dateModified, wakeAt, clock } = state;
    if (revisionBefore === 0) {
      insert.run(id, revision, document, status, listing, dateModified, wakeAt, clock, firstRow);
      return;
    }
    const changedRows = update.run(
      revision,
      document,
      status,
      listing,
      dateModified,
      wakeAt,
      clock,
      id,
      revisionBefore,
    );
    if (changedRows !== 1) throw new Error(`tender ${id} no longer has revision ${revisionBefore}`);
  };
}

/** The search columns of a tender and its classifications, as far as `indexUpdate` says that they have changed. */
function prepareIndexWrites(db: DatabaseSync) {
  const insertFacets = prepareWrite(
    db,
    `
    insert into facets
      (listing, date_modified, status, number, entity, currency, amount, enquiry_end, tender_start, tender_end, first_row, tender_id,
        public_row)
    values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const updateFacets = prepareWrite(
    db,
    `
    update facets
    set listing = ?, date_modified = ?, status = ?, number = ?, entity = ?, currency = ?, amount = ?, enquiry_end = ?,
      tender_start = ?, tender_end = ?
    where first_row = ?`,
  );
  const moveFacets = prepareWrite(
    db,
    "update facets set listing = ?, date_modified = ?, status = ? where first_row = ?",
  );
  const firstRowOf = prepareQuery<{ firstRow: number }>(db, "select first_row as firstRow from tenders where id = ?");
  const removeCodes = prepareWrite(db, "delete from classifications where first_row = ?");
  const insertCode = prepareWrite(db, "insert into classifications (code, first_row) values (?, ?)");

  return ({ state, revisionBefore, firstRow, indexUpdate, publicRow }: TenderWrite<Uint8Array>): void => {
    if (indexUpdate === "not") return;
    const { id, listing, dateModified, status, facets } = state;
    const isNew = revisionBefore === 0;
    const first = isNew ? firstRow : requireRow(firstRowOf.get(id)).firstRow;
    if (indexUpdate === "moved") return void moveFacets.run(listing, dateModified, status, first);
    const { number, entity, currency, amount, enquiryEnd, tenderStart, tenderEnd, classifications } = facets;
    const columns = [
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
    if (isNew) insertFacets.run(...columns, first, id, publicRow);
    else updateFacets.run(...columns, first);
    if (indexUpdate === "facets") return;
    if (!isNew) removeCodes.run(first);
    for (const code of classifications) insertCode.run(code, first);
  };
}

/** A row of the ledger, and the files that its change refers to. */
function prepareLedgerWrites(db: DatabaseSync) {
  const insertRow = prepareWrite(
    db,
    `insert into ledger (sequence, at, kind, tender_id, record_id, actor, act, patch) values (?, ?, ?, ?, ?, ?, ?, ${TEXT_MARK})`,
  );
  const insertFile = prepareWrite(db, "insert into files (key, tender_id) values (?, ?)");
  return ({ sequence, at, kind, id, record, actor, act, patch, files }: ByteRow): void => {
    insertRow.run(sequence, at, kind, id, kind === "tender" ? null : record, actor, act, patch);
    for (const key of files) insertFile.run(key, id);
  };
}

/** The bids of a tender. Those that are new come after all others, as rows are numbered in the order of their insertion. */
function prepareBidWrites(db: DatabaseSync) {
  const clear = prepareWrite(db, "delete from bids where tender_id = ?");
  const remove = prepareWrite(db, "delete from bids where tender_id = ? and id = ?");
  const put = prepareWrite(
    db,
    `
    insert into bids (tender_id, id, owner, bytes, document) values (?, ?, ?, ?, ${TEXT_MARK})
    on conflict (tender_id, id) do update set owner = excluded.owner, bytes = excluded.bytes, document = excluded.document`,
  );
  return ({ id: tender, bids, clearsBids }: ByteRow): void => {
    if (clearsBids) clear.run(tender);
    for (const bid of bids)
      if (bid.document === undefined) remove.run(tender, bid.id);
      else put.run(tender, bid.id, bid.owner, bid.bytes, bid.document);
  };
}

function prepareTotalWrites(db: DatabaseSync) {
  const add = prepareWrite(
    db,
    `
    insert into bid_totals (tender_id, owner, count, bytes, changes) values (?, ?, ?, ?, ?)
    on conflict (tender_id, owner)
      do update set count = count + excluded.count, bytes = bytes + excluded.bytes, changes = changes + excluded.changes`,
  );
  return ({ bidTotals }: CommitSummary<unknown>): void => {
    for (const { tender, owner, count, bytes, changes } of bidTotals) add.run(tender, owner, count, bytes, changes);
  };
}

/** The last number of each day, and the number of tenders in each status. */
function prepareCounterWrites(db: DatabaseSync) {
  const putNumber = prepareWrite(
    db,
    `
    insert into days (day, last_number) values (?, ?)
    on conflict (day) do update set last_number = excluded.last_number`,
  );
  const addToStatus = prepareWrite(
    db,
    `
    insert into statuses (status, number) values (?, ?)
    on conflict (status) do update set number = number + excluded.number`,
  );
  return ({ numbers, counts }: CommitSummary<unknown>): void => {
    for (const [day, number] of numbers) putNumber.run(day, number);
    for (const [status, by] of counts) addToStatus.run(status, by);
  };
}
