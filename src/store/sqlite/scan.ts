import { DatabaseSync } from "node:sqlite";
import {
  type CountRow,
  countsByName,
  LEDGER_COLUMNS,
  ledgerRowOf,
  TENDER_DOCUMENT,
  tenderRowOf,
} from "../rowMapping.ts";
import { searchRowJson } from "../search/searchScan.ts";
import type { BidRow, BidTotalRow, FileRow, Position, Scan } from "../store.ts";
import { openIndexScan } from "./indexScan.ts";
import { prepareQuery } from "./query.ts";

const POSITION = "select sequence, at from ledger order by sequence desc limit 1";
const POSITIONS = "select sequence, at from ledger order by sequence";
const HISTORIES = `
  select ${LEDGER_COLUMNS} from ledger
  where ?1 = 0 or tender_id in (select tender_id from ledger where sequence > ?1)
  order by tender_id, sequence`;
const AUCTION_STARTS = "(select json_group_array(at) from auction_starts where public_row = search.public_row)";
const TENDERS = `
  select id, revision, ${TENDER_DOCUMENT} as document, tenders.status, tenders.listing, tenders.date_modified as dateModified,
    wake_at as wakeAt, clock, number, entity, facets.currency, facets.amount, enquiry_end as enquiryEnd, tender_start as tenderStart,
    tender_end as tenderEnd, (select json_group_array(code) from classifications where first_row = tenders.first_row) as codes,
    case when search.public_row is not null then json_object(${searchRowJson(AUCTION_STARTS)}) end as searchRow
  from tenders left join facets on facets.first_row = tenders.first_row and facets.tender_id = id
  left join search on search.public_row = facets.public_row and search.tender_id = id
  order by id`;
const BIDS = "select tender_id as tender, id, owner, bytes, document from bids order by tender_id, rowid";
const BID_TOTALS = "select tender_id as tender, owner, count, bytes, changes from bid_totals order by tender_id, owner";
const FILES = "select tender_id as tender, key from files order by tender_id, key";
const DAYS = "select day as name, last_number as number from days";
const STATUSES = "select status as name, number from statuses where number <> 0";

/** A connection of its own, on which one read transaction lasts as long as the scan. */
export function openScan(path: string): Scan {
  const db = new DatabaseSync(path, { readOnly: true });
  let position: Position;
  try {
    db.exec("pragma busy_timeout = 5000; begin");
    // SQLite takes the snapshot at the first read, not at "begin".
    position = prepareQuery<Position>(db, POSITION).get() ?? { sequence: 0, at: 0 };
  } catch (error) {
    db.close();
    throw error;
  }

  async function* rows<Columns extends object, Row>(
    sql: string,
    rowOf: (row: Columns) => Row,
    ...values: readonly number[]
  ) {
    for (const row of prepareQuery<Columns>(db, sql).iterate(...values)) yield rowOf(row);
  }

  return {
    ...openIndexScan(db),
    position: { ...position },
    positions: () => rows(POSITIONS, (row: Position) => ({ ...row })),
    histories: (changedAfter) => rows(HISTORIES, ledgerRowOf, changedAfter),
    tenders: () => rows(TENDERS, tenderRowOf),
    bids: () => rows(BIDS, (row: BidRow) => ({ ...row })),
    bidTotals: () => rows(BID_TOTALS, (row: BidTotalRow) => ({ ...row })),
    files: () => rows(FILES, (row: FileRow) => ({ ...row })),
    days: async () => countsByName(prepareQuery<CountRow>(db, DAYS).all()),
    statuses: async () => countsByName(prepareQuery<CountRow>(db, STATUSES).all()),
    close: async () => {
      if (db.isOpen) db.close();
    },
  };
}
