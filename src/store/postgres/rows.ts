import { type ChangeRow, summariseRows, type TenderState, type TenderWrite } from "../changeRows.ts";
import { indexTotals } from "../search/indexChanges.ts";
import type { RunQuery, Statement } from "./connection.ts";
import { type ColumnValues, insertAll } from "./insertAll.ts";
import { writeSearchRows } from "./searchWrites.ts";
import { addCategoryNames, addToSums, putNames } from "./statisticsWrites.ts";

const LEDGER = {
  table: "ledger",
  columns: ["sequence", "at", "kind", "tender_id", "record_id", "actor", "act", "patch", "is_indexed"],
};
const TENDERS = {
  table: "tenders",
  columns: ["id", "revision", "document", "status", "listing", "date_modified", "wake_at", "clock", "first_row"],
};
const FACETS = {
  table: "facets",
  columns: [
    ...["tender_id", "listing", "date_modified", "status", "number", "entity", "currency", "amount"],
    ...["enquiry_end", "tender_start", "tender_end", "first_row", "public_row"],
  ],
};
const CODES = { table: "classifications", columns: ["code", "first_row"] };
const FILES = { table: "files", columns: ["key", "tender_id"] };

/** Divides by zero, which aborts the transaction, if the tender does not have the expected revision. */
const UPDATE_TENDER: Statement = {
  name: "update tender",
  text: `
    with updated as (
      update tenders
      set revision = $2, document = $3, status = $4, listing = $5, date_modified = $6, wake_at = $7, clock = $8
      where id = $1 and revision = $9 returning id)
    select 1 / count(*) from updated`,
};
const UPDATE_FACETS: Statement = {
  name: "update facets",
  text: `
    update facets
    set listing = $2, date_modified = $3, status = $4, number = $5, entity = $6, currency = $7, amount = $8,
      enquiry_end = $9, tender_start = $10, tender_end = $11
    where first_row = (select first_row from tenders where id = $1)`,
};
const MOVE_FACETS: Statement = {
  name: "move facets",
  text: `
    update facets set listing = $2, date_modified = $3, status = $4
    where first_row = (select first_row from tenders where id = $1)`,
};
const REMOVE_CODES: Statement = {
  name: "remove codes",
  text: "delete from classifications where first_row = (select first_row from tenders where id = $1)",
};
const ADD_CODES: Statement = {
  name: "add codes",
  text: `
    insert into classifications (code, first_row)
    select unnest($2::text[]), first_row from tenders where id = $1`,
};
const CLEAR_BIDS: Statement = { name: "clear bids", text: "delete from bids where tender_id = $1" };
const REMOVE_BID: Statement = { name: "remove bid", text: "delete from bids where tender_id = $1 and id = $2" };
const PUT_BID: Statement = {
  name: "put bid",
  text: `
    insert into bids (tender_id, id, owner, bytes, document) values ($1, $2, $3, $4, $5)
    on conflict (tender_id, id)
      do update set owner = excluded.owner, bytes = excluded.bytes, document = excluded.document`,
};
const ADD_TO_TOTALS: Statement = {
  name: "add to totals",
  text: `
    insert into bid_totals (tender_id, owner, count, bytes, changes) values ($1, $2, $3, $4, $5)
    on conflict (tender_id, owner) do update
      set count = bid_totals.count + excluded.count, bytes = bid_totals.bytes + excluded.bytes,
        changes = bid_totals.changes + excluded.changes`,
};
const PUT_NUMBER: Statement = {
  name: "put number",
  text: `
    insert into days (day, last_number) values ($1, $2)
    on conflict (day) do update set last_number = excluded.last_number`,
};
const ADD_TO_STATUS: Statement = {
  name: "add to status",
  text: `
    insert into statuses (status, number) values ($1, $2)
    on conflict (status) do update set number = statuses.number + excluded.number`,
};

/**
 * Sends all statements that write the rows of a commit, inside a transaction of the caller, without waiting for results. `isIndexed`
 * says whether a public tender is in the index. `namedCategories` need no name.
 */
export function writeRows(
  runQuery: RunQuery,
  rows: readonly ChangeRow[],
  isIndexed: (tender: string) => boolean,
  namedCategories: ReadonlySet<string>,
): readonly Promise<unknown>[] {
  const { tenderWrites, bidTotals, numbers, counts, searchWrites } = summariseRows(rows);
  const totals = indexTotals(rows, isIndexed);
  const created = tenderWrites.filter(({ revisionBefore }) => revisionBefore === 0);
  const changed = tenderWrites.filter(({ revisionBefore }) => revisionBefore > 0);
  return [
    ...insertAll(
      runQuery,
      TENDERS,
      created.map(({ state, firstRow }) => [...tenderValues(state), firstRow]),
    ),
    ...changed.map(({ state, revisionBefore }) => runQuery(UPDATE_TENDER, [...tenderValues(state), revisionBefore])),
    ...insertAll(
      runQuery,
      FACETS,
      created.map(({ state, firstRow, publicRow }) => [...facetValues(state), firstRow, publicRow]),
    ),
    ...insertAll(
      runQuery,
      CODES,
      created.flatMap(({ state, firstRow }) => state.facets.classifications.map((code) => [code, firstRow])),
    ),
    ...changed.flatMap((tenderWrite) => updateIndex(runQuery, tenderWrite)),
    ...insertAll(runQuery, LEDGER, rows.map(ledgerValues)),
    ...rows.flatMap((row) => writeBids(runQuery, row)),
    ...bidTotals.map(({ tender, owner, count, bytes, changes }) =>
      runQuery(ADD_TO_TOTALS, [tender, owner, count, bytes, changes]),
    ),
    ...insertAll(
      runQuery,
      FILES,
      rows.flatMap(({ id, files }) => files.map((key) => [key, id])),
    ),
    ...[...numbers].map(([day, number]) => runQuery(PUT_NUMBER, [day, number])),
    ...[...counts].map(([status, by]) => runQuery(ADD_TO_STATUS, [status, by])),
    ...writeSearchRows(runQuery, searchWrites),
    ...addToSums(runQuery, totals.sums),
    ...putNames(runQuery, totals.organizations),
    ...addCategoryNames(
      runQuery,
      totals.categoryNames.filter(({ category }) => !namedCategories.has(category)),
    ),
  ];
}

/** Bids that are new come after all others, as they are numbered in the order of their insertion. */
function writeBids(runQuery: RunQuery, { id: tender, bids, clearsBids }: ChangeRow): readonly Promise<unknown>[] {
  return [
    ...(clearsBids ? [runQuery(CLEAR_BIDS, [tender])] : []),
    ...bids.map((bid) =>
      bid.document === undefined
        ? runQuery(REMOVE_BID, [tender, bid.id])
        : runQuery(PUT_BID, [tender, bid.id, bid.owner, bid.bytes, bid.document]),
    ),
  ];
}

const ledgerValues = ({ sequence, at, kind, id, record, actor, act, patch }: ChangeRow): ColumnValues => [
  ...[sequence, at, kind, id, kind === "tender" ? null : record],
  ...[actor, act, patch, true],
];

function updateIndex(runQuery: RunQuery, { state, indexUpdate }: TenderWrite): readonly Promise<unknown>[] {
  const { id, listing, dateModified, status, facets } = state;
  if (indexUpdate === "not") return [];
  if (indexUpdate === "moved") return [runQuery(MOVE_FACETS, [id, listing, dateModified, status])];
  if (indexUpdate === "facets") return [runQuery(UPDATE_FACETS, facetValues(state))];
  return [
    runQuery(UPDATE_FACETS, facetValues(state)),
    runQuery(REMOVE_CODES, [id]),
    runQuery(ADD_CODES, [id, facets.classifications]),
  ];
}

const facetValues = ({ id, listing, dateModified, status, facets }: TenderState): ColumnValues => {
  const { number, entity, currency, amount, enquiryEnd, tenderStart, tenderEnd } = facets;
  return [id, listing, dateModified, status, number, entity, currency, amount, enquiryEnd, tenderStart, tenderEnd];
};

const tenderValues = ({
  id,
  revision,
  document,
  status,
  listing,
  dateModified,
  wakeAt,
  clock,
}: TenderState): ColumnValues => [id, revision, document, status, listing, dateModified, wakeAt, clock];
