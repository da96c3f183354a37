import type { KeptRow, LedgerRow, Note } from "./store.ts";

/** A database says null where we say nothing. */
export function ledgerRowOf(row: object): LedgerRow {
  const { actor, ...rest } = row as LedgerRow & { readonly actor: string | null };
  return { ...rest, actor: actor ?? undefined };
}

export function keptRowOf(row: object): KeptRow {
  const { wakeAt, clock, ...rest } = row as KeptRow & { readonly wakeAt: number | null; readonly clock: string | null };
  return { ...rest, wakeAt: wakeAt ?? undefined, clock: clock ?? undefined };
}

export function noteOf(row: object): Note {
  const { dueAt, ...rest } = row as Note & { readonly dueAt: number | null };
  return { ...rest, dueAt: dueAt ?? undefined };
}

export type Counted = { readonly name: string; readonly number: number };

export const numbersOf = (rows: readonly Counted[]): ReadonlyMap<string, number> =>
  new Map(rows.map(({ name, number }) => [name, number]));
