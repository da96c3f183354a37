import { parseOwnJson } from "../base/ownJson.ts";
import type { BidTotals } from "../domain/model/sizeLimits.ts";
import { storedSearchRow } from "./search/searchScan.ts";
import {
  documentOfFirstPatch,
  type Facets,
  FIRST_PATCH_END,
  FIRST_PATCH_START,
  type LedgerQuery,
  type LedgerRow,
  type RecordKind,
  type TenderRow,
} from "./store.ts";

// The queries name their columns as these types do. A null becomes `undefined`.

const FIRST_PATCH = "(select patch from ledger where sequence = tenders.first_row)";

/**
 * SQL for the JSON of a tender. Until a tender changes for the first time, its JSON is in the ledger only, as the value of the patch that
 * created it.
 */
export const TENDER_DOCUMENT = `
  case tenders.document when '' then
    substr(${FIRST_PATCH}, ${FIRST_PATCH_START.length + 1}, length(${FIRST_PATCH}) - ${FIRST_PATCH_START.length + FIRST_PATCH_END.length})
  else tenders.document end`;

/** SQL for the same, or for the patch that has it: databases count the characters of a text before they cut it. `documentIn` cuts it. */
export const DOCUMENT_OR_PATCH = `case tenders.document when '' then ${FIRST_PATCH} else tenders.document end`;

/** The JSON of a tender from a column of `DOCUMENT_OR_PATCH`. */
export const documentIn = (text: string): string => documentOfFirstPatch(text) ?? text;

/** The columns of the ledger, in SQL. Rows of tenders do not repeat the id. */
export const LEDGER_COLUMNS = "sequence, at, kind, tender_id as tender, record_id as record, actor, act, patch";

/**
 * SQL for rows of the ledger of one tender, with the parameters tender, `after`, `upTo` and `limit` as the database writes them. One query
 * for each kind, because the index is by tender, kind and time.
 */
export function ledgerOfSql(kinds: LedgerQuery["kinds"], mark: (position: number) => string): string {
  const [tender, after, upTo, limit] = [1, 2, 3, 4].map(mark);
  const rowsOfKind = (kind: RecordKind) => `
    select * from (
      select ${LEDGER_COLUMNS} from ledger
      where tender_id = ${tender} and kind = '${kind}' and at > ${after} and at <= ${upTo} order by at limit ${limit}
    ) as rows_of_${kind}`;
  return kinds === "tender"
    ? `${rowsOfKind("tender")} order by at`
    : `${rowsOfKind("tender")} union all ${rowsOfKind("bid")} order by at limit ${limit}`;
}

/** The columns of the ledger as the database returns them. */
export type LedgerColumns = Omit<LedgerRow, "actor" | "record"> & {
  readonly record: string | null;
  readonly actor: string | null;
};

/** A row of the ledger from the database. */
export const ledgerRowOf = ({ record, actor, ...rest }: LedgerColumns): LedgerRow => ({
  ...rest,
  record: record ?? rest.tender,
  actor: actor ?? undefined,
});

/** The total of an account as the database returns it. */
export type TotalRow = { readonly owner: string; readonly count: number; readonly bytes: number };

/** Totals by account. */
export const bidTotalsIn = (rows: readonly TotalRow[]): BidTotals =>
  new Map(rows.map(({ owner, count, bytes }) => [owner, { count, bytes }]));

/** The columns of a tender as the database returns them, with its search columns. */
export type TenderColumns = Omit<TenderRow, "facets" | "wakeAt" | "clock" | "search"> &
  Omit<Facets, "classifications"> & {
    readonly wakeAt: number | null;
    readonly clock: string | null;
    /** A list in JSON. */
    readonly codes: string;
    /** The row of the search index in JSON. */
    readonly searchRow: string | null;
  };

/** A row of a tender with its search columns from the database. */
export function tenderRowOf(row: TenderColumns): TenderRow {
  const { id, revision, document, status, listing, dateModified, wakeAt, clock, codes, searchRow, ...facetColumns } =
    row;
  const facets = { ...facetColumns, classifications: parseOwnJson<string[]>(codes).sort() };
  const columns = { id, revision, document, status, listing, dateModified, facets };
  return {
    ...columns,
    wakeAt: wakeAt ?? undefined,
    clock: clock ?? undefined,
    search: storedSearchRow(searchRow),
  };
}

/** The row of a query that always returns one, such as a count. */
export function requireRow<Row>(row: Row | undefined): Row {
  if (row === undefined) throw new Error("the database returned no row");
  return row;
}

/** A row of a query that counts something by name. */
export type CountRow = { readonly name: string; readonly number: number };

export const countsByName = (rows: readonly CountRow[]): ReadonlyMap<string, number> =>
  new Map(rows.map(({ name, number }) => [name, number]));
