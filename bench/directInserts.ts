import { randomBytes } from "node:crypto";
import { Client } from "pg";
import { systemClock } from "../src/app/systemClock.ts";
import { openPostgres } from "../src/store/postgres/postgres.ts";
import { type ReadyMessage, resourceUsage, type ServerCommand } from "./messages.ts";

// The baseline for PostgreSQL: inserts the rows that the product wrote again, with new ids, into the same tables. It uses one
// connection and pipelined statements in transactions of BATCH_ROWS rows.

const BATCH_ROWS = 64;
const [from, to] = process.argv.slice(2) as [string, string];

type ProductRow = {
  readonly revision: string;
  readonly document: string;
  readonly status: string;
  readonly listing: string;
  readonly wake_at: string | null;
  readonly actor: string | null;
  readonly act: string;
  readonly patch: string;
  readonly kind: string;
  readonly record_id: string | null;
  /** The columns of `facets` that the product fills, in their order. */
  readonly facet_values: readonly unknown[];
  /** The classification codes of its items. */
  readonly codes: readonly string[];
};

async function readProductRows(): Promise<readonly ProductRow[]> {
  const client = new Client({ connectionString: from });
  await client.connect();
  const { rows } = await client.query<ProductRow>(`
    select revision, document, tenders.status, tenders.listing, wake_at, actor, act, patch, kind, record_id,
      json_build_array(number, entity, currency, amount, enquiry_end, tender_start, tender_end) as facet_values,
      array(select code from classifications where first_row = tenders.first_row) as codes
    from tenders join ledger on ledger.tender_id = id join facets on facets.first_row = tenders.first_row
    where revision = 1 and kind = 'tender' order by sequence desc limit 1000`);
  await client.end();
  return rows;
}

/** Lets the product create its tables. */
async function createTables(): Promise<void> {
  const store = await openPostgres({ url: to, clock: systemClock, recentBytesMax: 0 });
  await store.close();
}

const INSERT_TENDER = {
  name: "insert tender",
  text: `
    insert into tenders (id, revision, document, status, listing, date_modified, wake_at, first_row)
    values ($1, $2, $3, $4, $5, $6, $7, $8)`,
};
const INSERT_FACETS = {
  name: "insert facets",
  text: `
    insert into facets
      (first_row, tender_id, listing, date_modified, status, number, entity, currency, amount, enquiry_end, tender_start, tender_end)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
};
const INSERT_CODE = { name: "insert code", text: "insert into classifications (code, first_row) values ($1, $2)" };
const INSERT_LEDGER = {
  name: "insert ledger",
  text: "insert into ledger (sequence, at, kind, tender_id, record_id, actor, act, patch) values ($1, $2, $3, $4, $5, $6, $7, $8)",
};
const PUT_NUMBER = {
  name: "put number",
  text: `
    insert into days (day, last_number) values ($1, $2)
    on conflict (day) do update set last_number = excluded.last_number`,
};
const ADD_TO_STATUS = {
  name: "add to status",
  text: `
    insert into statuses (status, number) values ($1, $2)
    on conflict (status) do update set number = statuses.number + excluded.number`,
};

const productRows = await readProductRows();
await createTables();
const client = new Client({ connectionString: to, pipeline: true } as ConstructorParameters<typeof Client>[0]);
await client.connect();
let sequence = 0;
let at = systemClock();

async function insertBatch(): Promise<void> {
  const queries: Promise<unknown>[] = [client.query({ name: "begin", text: "begin" })];
  for (let i = 0; i < BATCH_ROWS; i++) {
    const { revision, document, status, listing, wake_at, ...rest } = productRows[sequence % productRows.length]!;
    const { actor, act, patch, kind, record_id, facet_values, codes } = rest;
    const id = randomBytes(16).toString("hex");
    sequence += 1;
    at += 1;
    queries.push(
      client.query({ ...INSERT_TENDER, values: [id, revision, document, status, listing, at, wake_at, sequence] }),
      client.query({ ...INSERT_FACETS, values: [sequence, id, listing, at, status, ...facet_values] }),
      ...codes.map((code) => client.query({ ...INSERT_CODE, values: [code, sequence] })),
      client.query({ ...INSERT_LEDGER, values: [sequence, at, kind, id, record_id, actor, act, patch] }),
    );
  }
  queries.push(
    client.query({ ...PUT_NUMBER, values: ["today", sequence] }),
    client.query({ ...ADD_TO_STATUS, values: [productRows[0]!.status, BATCH_ROWS] }),
    client.query({ name: "commit", text: "commit" }),
  );
  await Promise.all(queries);
}

async function insertFor(targetSeconds: number): Promise<{ readonly rows: number; readonly seconds: number }> {
  const before = sequence;
  const started = performance.now();
  const elapsedSeconds = () => (performance.now() - started) / 1000;
  while (elapsedSeconds() < targetSeconds) await insertBatch();
  return { rows: sequence - before, seconds: elapsedSeconds() };
}

process.on("message", async ({ seconds }: ServerCommand) => {
  const inserted = seconds === undefined ? undefined : await insertFor(seconds);
  process.send!({ ...resourceUsage(), inserted });
});
process.on("disconnect", () => process.exit(0));
process.send!({ url: "" } satisfies ReadyMessage);
