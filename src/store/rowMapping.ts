import type { Facets, KeyValueEntry, LedgerRow, TenderRow } from "./store.ts";

// Rows come untyped from the drivers. The queries name their columns as these types do; a null becomes `undefined`.

/** A row of the ledger from the database. */
export function ledgerRowOf(row: object): LedgerRow {
  const { actor, ...rest } = row as LedgerRow & { readonly actor: string | null };
  return { ...rest, actor: actor ?? undefined };
}

type TenderColumns = Omit<TenderRow, "facets" | "wakeAt" | "clock"> &
  Omit<Facets, "classifications"> & {
    readonly wakeAt: number | null;
    readonly clock: string | null;
    /** A list in JSON. */
    readonly codes: string;
  };

/** A row of a tender with its search columns from the database. */
export function tenderRowOf(row: object): TenderRow {
  const { id, revision, document, status, listing, dateModified, wakeAt, clock, codes, ...facetColumns } =
    row as TenderColumns;
  const facets = { ...facetColumns, classifications: (JSON.parse(codes) as string[]).sort() };
  const columns = { id, revision, document, status, listing, dateModified, facets };
  return { ...columns, wakeAt: wakeAt ?? undefined, clock: clock ?? undefined };
}

/** An entry of the key-value store from the database. */
export function entryOf(row: object): KeyValueEntry {
  const { dueAt, ...rest } = row as KeyValueEntry & { readonly dueAt: number | null };
  return { ...rest, dueAt: dueAt ?? undefined };
}

/** A row of a query that counts something by name. */
export type CountRow = { readonly name: string; readonly number: number };

export const countsByName = (rows: readonly CountRow[]): ReadonlyMap<string, number> =>
  new Map(rows.map(({ name, number }) => [name, number]));
