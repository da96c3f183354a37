import type { DatabaseSync } from "node:sqlite";
import { requireRow } from "../rowMapping.ts";
import { IS_BACKFILLING } from "../search/publicSql.ts";
import type { SearchRow, SearchWrite } from "../search/searchRows.ts";
import { prepareQuery, prepareWrite, TEXT_MARK } from "./query.ts";

type IndexedTender = { readonly firstRow: number; readonly publicRow: number | null };

/** The rows of the search index. They follow the search columns of their tender, which know the number of its row. */
export function prepareSearchWrites(db: DatabaseSync) {
  const find = prepareQuery<IndexedTender>(
    db,
    `select facets.first_row as firstRow, public_row as publicRow
    from tenders join facets on facets.first_row = tenders.first_row where id = ?`,
  );
  const setPublicRow = prepareWrite(db, "update facets set public_row = ? where first_row = ?");
  const backfill = prepareQuery<{ number: number }>(db, IS_BACKFILLING);
  let isComplete = false;
  const putRow = preparePut(db);
  const remove = prepareRemoval(db);

  /** Whether a public tender is in the index, which all are once the backfill is complete. */
  function isIndexed(id: string): boolean {
    isComplete ||= requireRow(backfill.get()).number === 0;
    return isComplete || typeof find.get(id)?.publicRow === "number";
  }

  function writeSearch({ id, publicRow, row, isNew }: SearchWrite<Uint8Array>): void {
    if (isNew) {
      // The search columns were inserted with the number of the row.
      if (row && publicRow !== undefined) putRow(id, publicRow, row, false);
      return;
    }
    const { firstRow, publicRow: existing } = requireRow(find.get(id));
    const number = row && (publicRow ?? existing);
    if (existing !== null && existing !== number) remove(existing);
    if ((number ?? null) !== existing) setPublicRow.run(number ?? null, firstRow);
    // A tender without a row is one that was published before there was an index, and is not added to it yet.
    if (row && typeof number === "number") putRow(id, number, row, number === existing);
  }

  return { isIndexed, writeSearch };
}

function preparePut(db: DatabaseSync) {
  const insert = prepareWrite(
    db,
    `
    insert into search
      (tender_id, listing, status, procedure, categories, region, buyer, suppliers, amount, currency, deadline, enquiry_deadline,
        opening, public_row)
    values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const update = prepareWrite(
    db,
    `
    update search
    set listing = ?, status = ?, procedure = ?, categories = ?, region = ?, buyer = ?, suppliers = ?, amount = ?, currency = ?,
      deadline = ?, enquiry_deadline = ?, opening = ?
    where public_row = ?`,
  );
  const removeWords = prepareWrite(db, "delete from words where rowid = ?");
  const insertWords = prepareWrite(db, `insert into words (rowid, tokens) values (?, ${TEXT_MARK})`);
  const removeStarts = prepareWrite(db, "delete from auction_starts where public_row = ?");
  const insertStart = prepareWrite(db, "insert into auction_starts (at, public_row) values (?, ?)");

  return (id: string, number: number, row: SearchRow<Uint8Array>, isIndexed: boolean): void => {
    const { listing, status, procedure, categories, region, buyer, suppliers, amount, currency, deadline } = row;
    const columns = [
      ...[listing, status, procedure, categories, region, buyer, suppliers, amount, currency],
      ...[deadline, row.enquiryDeadline, row.opening],
    ];
    if (isIndexed) {
      update.run(...columns, number);
      removeWords.run(number);
      removeStarts.run(number);
    } else insert.run(id, ...columns, number);
    insertWords.run(number, row.tokens);
    for (const at of row.auctionStarts) insertStart.run(at, number);
  };
}

function prepareRemoval(db: DatabaseSync): (number: number) => void {
  const removeRow = prepareWrite(db, "delete from search where public_row = ?");
  const removeWords = prepareWrite(db, "delete from words where rowid = ?");
  const removeStarts = prepareWrite(db, "delete from auction_starts where public_row = ?");
  return (number) => {
    removeRow.run(number);
    removeWords.run(number);
    removeStarts.run(number);
  };
}
