import { globSync, readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";

/** A row of a registry of an older schema, as `npm run fixture` has written it. */
export type FixtureRow = {
  readonly table: string;
  readonly row: { readonly [column: string]: string | number | null };
};

/** The registries of older schemas, with the version that SQLite gives the schema. */
export const SCHEMA_FIXTURES: readonly { readonly version: number; readonly file: string }[] = globSync(
  "test/fixtures/schema-*.jsonl.gz",
)
  .map((file) => ({ file, version: Number(/schema-(\d+)/.exec(file)?.[1]) }))
  .toSorted((a, b) => a.version - b.version);

/** The rows of a fixture. Those of the ledger are in order. */
export const fixtureRows = (file: string): readonly FixtureRow[] =>
  gunzipSync(readFileSync(file))
    .toString()
    .trimEnd()
    .split("\n")
    .map((line): FixtureRow => JSON.parse(line));

/** The statement that inserts a row, and its values; `mark` writes the placeholder of a value. */
export function insertOf({ table, row }: FixtureRow, mark: (i: number) => string) {
  const columns = Object.keys(row);
  const sql = `insert into ${table} (${columns.join(", ")}) values (${columns.map((_, i) => mark(i)).join(", ")})`;
  return { sql, values: Object.values(row) };
}
