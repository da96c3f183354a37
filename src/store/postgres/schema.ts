import { BYTES_AT_ONCE, MOVING_BIDS, splitTender, TENDERS_AT_ONCE } from "../migrations/movingBids.ts";
import { POSTGRES_MIGRATIONS } from "../migrations/postgres.ts";
import { checkIsComplete, checkIsKnown, checkIsNotNewer, type MigrationSettings } from "../migrations/schema.ts";
import { requireRow } from "../rowMapping.ts";
import type { PostgresConnection } from "./connection.ts";

/** The advisory lock that a server holds from its first decision until its commit, and while it migrates. */
export const WRITE_LOCK = "pg_advisory_xact_lock(hashtextextended('tenderhall ' || current_schema(), 0))";
const SERVER_VERSION_MIN = 14;

/** Throws if the server is too old, or may lose acknowledged changes. */
export async function checkServer(connection: PostgresConnection): Promise<void> {
  const [row] = await connection.runQuery<{ number: string; fsync: string; schema: string | null }>({
    name: "check server",
    text: `
      select current_setting('server_version_num') as number, current_setting('fsync') as fsync,
        current_schema() as schema`,
  });
  const { number, fsync, schema } = requireRow(row);
  const version = Math.floor(Number(number) / 10_000);
  if (version < SERVER_VERSION_MIN)
    throw new Error(`PostgreSQL ${version} is too old: ${SERVER_VERSION_MIN} or newer is needed`);
  if (fsync !== "on") throw new Error("PostgreSQL runs with fsync = off and could lose acknowledged changes");
  if (schema === null) throw new Error("no schema of the search_path exists");
}

/** Throws if the schema is not the one that this version knows. */
export async function checkSchema(connection: PostgresConnection): Promise<void> {
  const { runQuery } = connection;
  const [table] = await runQuery<{ name: string | null }>({
    name: "",
    text: "select to_regclass('schema_version') as name",
  });
  const [found] = table?.name
    ? await runQuery<{ version: number }>({ name: "", text: "select version from schema_version" })
    : [];
  checkIsKnown(found?.version ?? 0, POSTGRES_MIGRATIONS.length);
  checkIsComplete((await pendingMigration(connection)) !== undefined);
}

/** Brings the schema up to date and closes the connection. Servers that start together migrate one after another. */
export async function migrate(connection: PostgresConnection, settings: MigrationSettings = {}): Promise<void> {
  try {
    await migrateSchema(connection);
    if (await pendingMigration(connection)) await moveBids(connection, settings);
  } finally {
    await connection.close();
  }
}

async function migrateSchema(connection: PostgresConnection): Promise<void> {
  const run = (text: string) => connection.runQuery<{ version: number }>({ name: "", text });
  await run("begin");
  await run(`select ${WRITE_LOCK}`);
  await run("create table if not exists schema_version (version integer not null)");
  const [found] = await run("select version from schema_version");
  const version = found?.version ?? 0;
  checkIsNotNewer(version, POSTGRES_MIGRATIONS.length);
  for (const migration of POSTGRES_MIGRATIONS.slice(version)) await run(migration);
  if (!found) await run("insert into schema_version values (0)");
  if (version < POSTGRES_MIGRATIONS.length)
    await run(`update schema_version set version = ${POSTGRES_MIGRATIONS.length}`);
  // The planner has no statistics of the tables that a migration has just filled.
  if (0 < version && version < POSTGRES_MIGRATIONS.length) await run("analyze tenders, facets, classifications");
  await run("commit");
}

async function pendingMigration({ runQuery }: PostgresConnection): Promise<{ readonly doneUpTo: string } | undefined> {
  const [found] = await runQuery<{ doneUpTo: string }>(
    { name: "", text: `select done_up_to as "doneUpTo" from data_migrations where name = $1` },
    [MOVING_BIDS],
  );
  return found;
}

/** Each batch is a transaction, after which a server that is killed continues. */
async function moveBids(connection: PostgresConnection, settings: MigrationSettings): Promise<void> {
  const { onMigration, migrationBatch = TENDERS_AT_ONCE, migrationBytes = BYTES_AT_ONCE } = settings;
  const run = (text: string, values: readonly unknown[] = []) =>
    connection.runQuery<{ number: number }>({ name: "", text }, values);
  const countAfter = async (id: string) =>
    requireRow((await run("select count(*) as number from tenders where id > $1", [id]))[0]).number;
  const total = await countAfter("");
  for (;;) {
    await run("begin");
    await run(`select ${WRITE_LOCK}`);
    // Read inside the transaction: another server may have moved the same tenders while this one waited.
    const pending = await pendingMigration(connection);
    const isDone = !pending || (await moveBatch(connection, [pending.doneUpTo, migrationBatch, migrationBytes]));
    await run("commit");
    const left = isDone ? 0 : await countAfter((await pendingMigration(connection))?.doneUpTo ?? "");
    onMigration?.({ name: MOVING_BIDS, done: total - left, total });
    if (isDone) return;
  }
}

/** Tenders until their number or their bytes suffice for a batch; at least one, if any is left. */
const NEXT_TENDERS = `
  select id, document from (
    select id, document, sum(octet_length(document)) over (order by id) - octet_length(document) as bytes_before
    from (select id, document from tenders where id > $1 order by id limit $2) as following
  ) as sized where bytes_before < $3 order by id`;

/** Moves the bids of the next tenders; returns whether there were none left. */
async function moveBatch(
  { runQuery }: PostgresConnection,
  nextBatch: readonly [doneUpTo: string, size: number, bytesMax: number],
): Promise<boolean> {
  const run = (text: string, values: readonly unknown[]) => runQuery({ name: "", text }, values);
  const tenders = await runQuery<{ id: string; document: string }>({ name: "", text: NEXT_TENDERS }, nextBatch);
  const last = tenders.at(-1);
  if (!last) {
    await run("delete from data_migrations where name = $1", [MOVING_BIDS]);
    return true;
  }
  const moved = tenders.map(splitTender);
  await run(
    `update tenders set document = moved.document
     from unnest($1::text[], $2::text[]) as moved (id, document) where tenders.id = moved.id`,
    [moved.map(({ id }) => id), moved.map(({ document }) => document)],
  );
  const bids = moved.flatMap(({ id: tender, bids }) => bids.map((bid) => ({ tender, ...bid })));
  await run(
    `insert into bids (tender_id, id, owner, bytes, document)
     select * from unnest($1::text[], $2::text[], $3::text[], $4::bigint[], $5::text[])`,
    [
      ...[bids.map(({ tender }) => tender), bids.map(({ id }) => id), bids.map(({ owner }) => owner)],
      ...[bids.map(({ bytes }) => bytes), bids.map(({ document }) => document)],
    ],
  );
  const totals = moved.flatMap(({ id: tender, totals }) => totals.map((total) => ({ tender, ...total })));
  await run(
    `insert into bid_totals (tender_id, owner, count, bytes, changes)
     select *, 0 from unnest($1::text[], $2::text[], $3::bigint[], $4::bigint[])`,
    [
      ...[totals.map(({ tender }) => tender), totals.map(({ owner }) => owner)],
      ...[totals.map(({ count }) => count), totals.map(({ bytes }) => bytes)],
    ],
  );
  await run("update data_migrations set done_up_to = $1 where name = $2", [last.id, MOVING_BIDS]);
  return false;
}
