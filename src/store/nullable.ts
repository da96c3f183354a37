import type { Facets, KeptRow, LedgerRow, Note } from "./store.ts";

/** A database says null where we say nothing. */
export function ledgerRowOf(row: object): LedgerRow {
  const { actor, ...rest } = row as LedgerRow & { readonly actor: string | null };
  return { ...rest, actor: actor ?? undefined };
}

type KeptColumns = Omit<KeptRow, "facets" | "wakeAt" | "clock"> &
  Omit<Facets, "classifications"> & {
    readonly wakeAt: number | null;
    readonly clock: string | null;
    /** A list in JSON. */
    readonly codes: string;
  };

export function keptRowOf(row: object): KeptRow {
  const { id, revision, document, status, listing, dateModified, wakeAt, clock, codes, ...found } = row as KeptColumns;
  const facets = { ...found, classifications: (JSON.parse(codes) as string[]).sort() };
  const kept = { id, revision, document, status, listing, dateModified, facets };
  return { ...kept, wakeAt: wakeAt ?? undefined, clock: clock ?? undefined };
}

export function noteOf(row: object): Note {
  const { dueAt, ...rest } = row as Note & { readonly dueAt: number | null };
  return { ...rest, dueAt: dueAt ?? undefined };
}

export type Counted = { readonly name: string; readonly number: number };

export const numbersOf = (rows: readonly Counted[]): ReadonlyMap<string, number> =>
  new Map(rows.map(({ name, number }) => [name, number]));
