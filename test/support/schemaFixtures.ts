import { globSync, readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";

/** A row of a registry of an older schema, as `npm run fixture` has written it. */
export type FixtureRow = {
  readonly table: string;
  readonly row: { readonly [column: string]: string | number | null };
};

/** A registry of an older schema. */
export type SchemaFixture = {
  readonly file: string;
  /** The version that SQLite gives the schema. */
  readonly version: number;
  /** Whether bids are part of their tenders, so that a migration moves them in batches. */
  readonly movesBids: boolean;
};

/** The first schema with bids in rows of their own. */
const BIDS_AS_ROWS = 4;

/** The registries of older schemas, oldest first. */
export const SCHEMA_FIXTURES: readonly SchemaFixture[] = globSync("test/fixtures/schema-*.jsonl.gz")
  .map((file) => ({ file, version: Number(/schema-(\d+)/.exec(file)?.[1]) }))
  .map((fixture) => ({ ...fixture, movesBids: fixture.version < BIDS_AS_ROWS }))
  .toSorted((a, b) => a.version - b.version);

/** The rows of a fixture. Those of the ledger are in order. */
export function fixtureRows(file: string): readonly FixtureRow[] {
  const rows = gunzipSync(readFileSync(file))
    .toString()
    .trimEnd()
    .split("\n")
    .map((line): FixtureRow => JSON.parse(line));
  return rows.some(({ table }) => table === "notes") ? [...rows, ...RARE_NOTES] : rows;
}

/**
 * Rows of the table of key-value entries, which schemas 3 and 4 have, that the demo does not make: of a webhook, of one that is being
 * removed, of a running server, and of bodies that early releases stored.
 */
const RARE_NOTES: readonly FixtureRow[] = [
  {
    ...{ kind: "webhook", id: "e0", revision: 3, due_at: null },
    text: '{"id":"e0","owner":"broker3","url":"https://a.example/Ї","version":"2.5","status":"paused","offset":5}',
  },
  { kind: "webhooks of", id: "broker3", revision: 1, due_at: null, text: '["e0"]' },
  { kind: "webhook gone", id: "e1", revision: 1, due_at: null, text: "broker" },
  { kind: "webhooks", id: "lease", revision: 7, due_at: null, text: '{"holder":"h","until":5}' },
  { kind: "receiving", id: "0a", revision: 2, due_at: 77, text: "" },
  { kind: "delivery failed e1", id: "17-t", revision: 3, due_at: 99, text: '{"id":"17-t","status":"failed"}' },
  { kind: "delivery body e1", id: "17-t", revision: 1, due_at: null, text: '{"data":"\\"Ї\\n"}' },
  { kind: "delivery pending e1", id: "18-t", revision: 1, due_at: 55, text: '{"id":"18-t","status":"pending"}' },
].map((row) => ({ table: "notes", row }));

/** The statement that inserts a row, and its values; `mark` writes the placeholder of a value. */
export function insertOf({ table, row }: FixtureRow, mark: (i: number) => string) {
  const columns = Object.keys(row);
  const sql = `insert into ${table} (${columns.join(", ")}) values (${columns.map((_, i) => mark(i)).join(", ")})`;
  return { sql, values: Object.values(row) };
}
