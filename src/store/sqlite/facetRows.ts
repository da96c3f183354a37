import type { DatabaseSync } from "node:sqlite";
import type { FacetCount, SearchFacet, SearchFilter } from "../../indexing/searchQuery.ts";
import { requireRow } from "../rowMapping.ts";
import { FACET_COLUMNS, openFacetCounter } from "../search/searchFacets.ts";
import { prepareQuery } from "./query.ts";

/** A column of the cached rows. Each value has a code, which is its place in `values`; each row has a slot with the code of its value. */
type CachedColumn = {
  readonly codeOfSlot: Int32Array;
  readonly values: string[];
  readonly codes: Map<string, number>;
};

/** What is cached, before it is read again: so many rows, and values with so many characters. These take at most about 50 MB. */
const LIMITS = { rowsMax: 100_000, charactersMax: 20_000_000 };
/** After more changes than these, it is cheaper to read all rows again. */
const CHANGES_MAX = 5000;

const COLUMNS: readonly string[] = [...new Set(Object.values(FACET_COLUMNS))];

const CHANGED_ROWS = `
  select facets.public_row as row from ledger
  join tenders on tenders.id = ledger.tender_id
  join facets on facets.first_row = tenders.first_row
  where ledger.sequence > ? limit ?`;

/**
 * The facets of tenders, cached as numbers: searches count thousands of rows, and mostly the same ones, the newest. Every change of a
 * row has a row in the ledger, by which it is forgotten. At most `rowsMax` rows can be counted at once.
 */
export function openFacetRows(db: DatabaseSync, { rowsMax, charactersMax } = LIMITS) {
  const readRows = prepareQuery<readonly [row: number, ...values: (string | null)[]]>(
    db,
    `select search.public_row, ${COLUMNS.join(", ")} from json_each(?) as wanted
    cross join search on search.public_row = wanted.value`,
    true,
  );
  const lastSequence = prepareQuery<{ number: number | null }>(db, "select max(sequence) as number from ledger");
  const changedRows = prepareQuery<{ row: number | null }>(db, CHANGED_ROWS);
  const slots = new Map<number, number>();
  let columns = emptyColumns(rowsMax);
  let slotsUsed = 0;
  let characters = 0;
  let sequence = 0;

  function clear(): void {
    slots.clear();
    columns = emptyColumns(rowsMax);
    slotsUsed = 0;
    characters = 0;
  }

  /** Forgets what has changed since the last search. Every search begins with it. */
  function refresh(): void {
    const last = requireRow(lastSequence.get()).number ?? 0;
    if (last === sequence) return;
    const changed = slots.size === 0 ? [] : changedRows.all(sequence, CHANGES_MAX + 1);
    if (changed.length > CHANGES_MAX) clear();
    else for (const { row } of changed) if (row !== null) slots.delete(row);
    sequence = last;
  }

  function cache(rows: readonly number[]): void {
    if (slotsUsed + rows.length > rowsMax || characters > charactersMax) clear();
    const missing = rows.filter((row) => !slots.has(row));
    if (missing.length === 0) return;
    for (const [row, ...values] of readRows.all(JSON.stringify(missing))) {
      slots.set(row, slotsUsed);
      for (const [i, column] of columns.entries()) column.codeOfSlot[slotsUsed] = codeOf(column, values[i] ?? "");
      slotsUsed += 1;
    }
  }

  function codeOf({ values, codes }: CachedColumn, value: string): number {
    const known = codes.get(value);
    if (known !== undefined) return known;
    characters += value.length;
    codes.set(value, values.length);
    return values.push(value) - 1;
  }

  /** Counts rows by each of these facets. */
  function countFacets(
    rows: readonly number[],
    facets: readonly SearchFacet[],
    filter: SearchFilter,
  ): readonly (readonly [SearchFacet, readonly FacetCount[]])[] {
    if (facets.length === 0) return [];
    cache(rows);
    const found = rows.flatMap((row) => slots.get(row) ?? []);
    return facets.map((facet) => {
      const counter = openFacetCounter(facet, filter);
      const column = columns[COLUMNS.indexOf(FACET_COLUMNS[facet])];
      if (column) for (const [value, number] of countValues(column, found)) counter.add(value, number);
      return [facet, counter.results()];
    });
  }

  return { refresh, countFacets };
}

const emptyColumns = (rowsMax: number): readonly CachedColumn[] =>
  COLUMNS.map(() => ({ codeOfSlot: new Int32Array(rowsMax), values: [], codes: new Map() }));

function* countValues(
  { codeOfSlot, values }: CachedColumn,
  slots: readonly number[],
): Iterable<readonly [string, number]> {
  const numbers = new Uint32Array(values.length);
  for (const slot of slots) {
    const code = codeOfSlot[slot] ?? 0;
    numbers[code] = (numbers[code] ?? 0) + 1;
  }
  for (const [code, value] of values.entries()) {
    const number = numbers[code] ?? 0;
    if (number > 0) yield [value, number];
  }
}
