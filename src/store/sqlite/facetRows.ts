import type { DatabaseSync } from "node:sqlite";
import type { FacetCount, SearchFacet, SearchFilter } from "../../indexing/searchQuery.ts";
import { requireRow } from "../rowMapping.ts";
import { FACET_COLUMNS, openFacetCounter } from "../search/searchFacets.ts";
import { openQueryCache, prepareQuery } from "./query.ts";

/**
 * A column of the cached rows. Each value has a code, which is its place in `values`; each row has a slot with the code of its value, or
 * `UNREAD`.
 */
type CachedColumn = {
  readonly name: string;
  readonly codeOfSlot: Int32Array;
  readonly values: string[];
  readonly codes: Map<string, number>;
};
type FacetRow = readonly [row: number, ...values: (string | null)[]];

/** The code of no value; its place is taken by a text that is never counted. */
const UNREAD = 0;

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

const rowsSql = (columns: readonly CachedColumn[]): string => `
  select search.public_row${columns.map(({ name }) => `, search.${name}`).join("")}
  from json_each(?) as wanted cross join search on search.public_row = wanted.value`;

/**
 * The facets of tenders, cached as numbers: searches count thousands of rows, and mostly the same ones, the newest. Every change of a
 * row has a row in the ledger, by which it is forgotten. At most `rowsMax` rows can be counted at once.
 */
export function openFacetRows(db: DatabaseSync, { rowsMax, charactersMax } = LIMITS) {
  const prepareRows = openQueryCache<FacetRow>(db, true);
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

  /** The slots of rows that exist, with the values of these columns. */
  function slotsOf(rows: readonly number[], needed: readonly CachedColumn[]): readonly number[] {
    const missing = rows.filter((row) => {
      const slot = slots.get(row);
      return slot === undefined || needed.some(({ codeOfSlot }) => codeOfSlot[slot] === UNREAD);
    });
    if (missing.length > 0) read(missing, needed);
    return rows.flatMap((row) => slots.get(row) ?? []);
  }

  function read(rows: readonly number[], needed: readonly CachedColumn[]): void {
    const found = prepareRows(rowsSql(needed)).all(JSON.stringify(rows));
    const foundSlots = found.map(([row]) => slots.get(row) ?? slotsUsed++);
    for (const [i, [row]] of found.entries()) slots.set(row, foundSlots[i] ?? 0);
    for (const [i, column] of needed.entries()) {
      const values = found.map((row) => String(row[i + 1] ?? ""));
      characters += setValues(column, foundSlots, values);
    }
  }

  /** Counts rows by each of these facets. */
  function countFacets(
    rows: readonly number[],
    facets: readonly SearchFacet[],
    filter: SearchFilter,
  ): readonly (readonly [SearchFacet, readonly FacetCount[]])[] {
    if (slotsUsed + rows.length > rowsMax || characters > charactersMax) clear();
    const needed = columns.filter(({ name }) => facets.some((facet) => FACET_COLUMNS[facet] === name));
    const found = slotsOf(rows, needed);
    return facets.map((facet) => {
      const counter = openFacetCounter(facet, filter);
      for (const column of needed)
        if (column.name === FACET_COLUMNS[facet])
          for (const [value, number] of countValues(column, found)) counter.add(value, number);
      return [facet, counter.results()];
    });
  }

  return { refresh, countFacets };
}

const emptyColumns = (rowsMax: number): readonly CachedColumn[] =>
  COLUMNS.map((name) => ({ name, codeOfSlot: new Int32Array(rowsMax), values: [""], codes: new Map() }));

/** Sets the values of slots; returns how many characters the new ones have. */
function setValues(
  { codeOfSlot, values, codes }: CachedColumn,
  slots: readonly number[],
  valueOfSlot: readonly string[],
): number {
  let characters = 0;
  for (const [i, value] of valueOfSlot.entries()) {
    let code = codes.get(value);
    if (code === undefined) {
      code = values.push(value) - 1;
      codes.set(value, code);
      characters += value.length;
    }
    codeOfSlot[slots[i] ?? 0] = code;
  }
  return characters;
}

function* countValues(
  { codeOfSlot, values }: CachedColumn,
  slots: readonly number[],
): Iterable<readonly [string, number]> {
  const numbers = new Uint32Array(values.length);
  for (const slot of slots) {
    const code = codeOfSlot[slot] ?? UNREAD;
    numbers[code] = (numbers[code] ?? 0) + 1;
  }
  for (const [code, value] of values.entries()) {
    const number = numbers[code] ?? 0;
    if (number > 0) yield [value, number];
  }
}
