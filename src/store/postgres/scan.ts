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
import { openConnection } from "./connection.ts";
import { openIndexScan } from "./indexScan.ts";

const POSITION = "select sequence, at from ledger order by sequence desc limit 1";
const POSITIONS = "select sequence, at from ledger order by sequence";
/** The number is part of the SQL, because "declare cursor" takes no parameters. */
const historiesAfter = (sequence: number) => `
  select ${LEDGER_COLUMNS} from ledger
  ${sequence === 0 ? "" : `where tender_id in (select tender_id from ledger where sequence > ${sequence})`}
  order by tender_id collate "C", sequence`;
const AUCTION_STARTS =
  "(select coalesce(json_agg(at), '[]') from auction_starts where auction_starts.public_row = search.public_row)";
const TENDERS = `
  select id, revision, ${TENDER_DOCUMENT} as document, tenders.status, tenders.listing, tenders.date_modified as "dateModified",
    wake_at as "wakeAt", clock, number, entity, facets.currency, facets.amount, enquiry_end as "enquiryEnd",
    tender_start as "tenderStart", tender_end as "tenderEnd",
    (select coalesce(json_agg(code), '[]')::text from classifications where first_row = tenders.first_row) as codes,
    case when search.public_row is not null then json_build_object(${searchRowJson(AUCTION_STARTS)})::text end as "searchRow"
  from tenders left join facets on facets.first_row = tenders.first_row and facets.tender_id = id
  left join search on search.public_row = facets.public_row and search.tender_id = id
  order by id collate "C"`;
const BIDS = `select tender_id as tender, id, owner, bytes, document from bids order by tender_id collate "C", number`;
const BID_TOTALS = `
  select tender_id as tender, owner, count, bytes, changes from bid_totals order by tender_id collate "C", owner collate "C"`;
const FILES = `select tender_id as tender, key from files order by tender_id collate "C", key collate "C"`;
const DAYS = "select day as name, last_number as number from days";
const STATUSES = "select status as name, number from statuses where number <> 0";

const FETCH_ROWS = 200;
/** Sorting the whole ledger can take long. */
const HOUR_MS = 3_600_000;

/** A scan takes long, and its transaction is idle while rows are processed. */
const SCAN_SETUP = ["set statement_timeout = 0", "set idle_in_transaction_session_timeout = 0"];

/** Opens a scan in a connection of its own, with one read-only transaction. */
export async function openScan(url: string): Promise<Scan> {
  const connection = openConnection({ url, setup: SCAN_SETUP, answerMsMax: HOUR_MS });
  const run = <Row extends object>(text: string) => connection.runQuery<Row>({ name: "", text });
  try {
    await run("begin transaction isolation level repeatable read read only");
    // PostgreSQL takes the snapshot at the first query, not at "begin".
    const [position] = await run<Position>(POSITION);
    const rows = openCursors(run);
    return {
      ...openIndexScan(connection.runQuery),
      position: position ?? { sequence: 0, at: 0 },
      positions: () => rows(POSITIONS, (row: Position) => row),
      histories: (changedAfter) => rows(historiesAfter(Number(changedAfter)), ledgerRowOf),
      tenders: () => rows(TENDERS, tenderRowOf),
      bids: () => rows(BIDS, (row: BidRow) => row),
      bidTotals: () => rows(BID_TOTALS, (row: BidTotalRow) => row),
      files: () => rows(FILES, (row: FileRow) => row),
      days: async () => countsByName(await run<CountRow>(DAYS)),
      statuses: async () => countsByName(await run<CountRow>(STATUSES)),
      close: connection.close,
    };
  } catch (error) {
    await connection.close();
    throw error;
  }
}

function openCursors(run: <Columns extends object>(text: string) => Promise<readonly Columns[]>) {
  let opened = 0;
  return async function* rows<Columns extends object, Row>(
    sql: string,
    rowOf: (row: Columns) => Row,
  ): AsyncIterable<Row> {
    opened += 1;
    const name = `scan_${opened}`;
    await run(`declare ${name} no scroll cursor for ${sql}`);
    const fetch = () => run<Columns>(`fetch ${FETCH_ROWS} from ${name}`);
    for (let found = await fetch(); found.length > 0; ) {
      // Fetches the next rows while these are processed.
      const next = fetch();
      next.catch(() => {});
      for (const row of found) yield rowOf(row);
      found = await next;
    }
  };
}
