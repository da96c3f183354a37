import { POSTGRES_MIGRATIONS } from "../migrations/postgres.ts";
import { checkIsKnown, checkIsNotNewer } from "../migrations/schema.ts";
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
export async function checkSchema({ runQuery }: PostgresConnection): Promise<void> {
  const [table] = await runQuery<{ name: string | null }>({
    name: "",
    text: "select to_regclass('schema_version') as name",
  });
  const [found] = table?.name
    ? await runQuery<{ version: number }>({ name: "", text: "select version from schema_version" })
    : [];
  checkIsKnown(found?.version ?? 0, POSTGRES_MIGRATIONS.length);
}

/** Brings the schema up to date and closes the connection. Servers that start together migrate one after another. */
export async function migrate(connection: PostgresConnection): Promise<void> {
  const run = (text: string) => connection.runQuery<{ version: number }>({ name: "", text });
  try {
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
  } finally {
    await connection.close();
  }
}
