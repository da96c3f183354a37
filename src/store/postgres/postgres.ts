import type { Instant } from "../../domain/values/time.ts";
import type { Engine, Position, StoredRow, WriteTransaction } from "../engine.ts";
import { POSTGRES_MIGRATIONS } from "../migrations/postgres.ts";
import { checkIsKnown, checkIsNotNewer } from "../migrations/schema.ts";
import { openStore, type StoreSettings } from "../openStore.ts";
import { ledgerRowOf } from "../rowMapping.ts";
import { openSharedClock, type SharedClock } from "../sharedClock.ts";
import { type FeedRow, FileTakenError, type Store } from "../store.ts";
import { openConnection, type PostgresConnection, type Statement } from "./connection.ts";
import { openFeed } from "./feed.ts";
import { openKeyValueReads, writeEntries } from "./keyValues.ts";
import { writeRows } from "./rows.ts";
import { openScan } from "./scan.ts";

export type PostgresSettings = StoreSettings & {
  readonly url: string;
  /** A replica of `url` for large reads. What it does not have yet is read from `url`. */
  readonly readUrl?: string;
  /** Uses the clock of the database, so that all servers share it; `clock` then only measures the time that has passed. */
  readonly sharesClock?: boolean;
};

/**
 * Opens the store in a PostgreSQL database, which any number of servers may share. Every write transaction holds the same advisory
 * lock from before its first decision until it is on disk, so the order of commits is the order of the ledger on all servers.
 */
export async function openPostgres(settings: PostgresSettings): Promise<Store> {
  const { url, readUrl } = settings;
  const reader = openConnection({ url });
  const writer = openConnection({ url, setup: WRITER_SETUP, answerMsMax: WRITE_MS_MAX });
  const replica = readUrl === undefined ? undefined : openConnection({ url: readUrl, ...REPLICA_OPTIONS });
  let sharedClock: SharedClock | undefined;
  const close = async () => {
    sharedClock?.close();
    await Promise.all([reader.close(), writer.close(), replica?.close()]);
  };
  try {
    await checkServer(reader);
    if (settings.readsOnly) await checkSchema(reader);
    else await migrate(openConnection({ url, answerMsMax: MIGRATION_MS_MAX }));
    if (settings.sharesClock) sharedClock = await openSharedClock(settings.clock, () => timeOf(reader));
  } catch (error) {
    await close();
    throw error;
  }
  const clock = sharedClock?.now ?? settings.clock;
  const engine = openEngine(reader, writer, replica);
  const begin = settings.readsOnly ? refuseToWrite : engine.begin;
  return openStore({ ...engine, begin, scan: openScanner(reader, url), close }, { ...settings, clock });
}

/** Longer than `lock_timeout` below, so that PostgreSQL reports a timeout of the lock first. */
const WRITE_MS_MAX = 15_000;
const MIGRATION_MS_MAX = 60 * 60 * 1000;
/** A replica that fails or is slow is not asked for a while, as reads can go to the primary. */
const REPLICA_OPTIONS = { mayFollow: true, answerMsMax: 1000, pauseMs: 5000 };

/** A server that stalls in a transaction loses it, and waiting for the write lock is limited. */
const WRITER_SETUP = [
  "set idle_in_transaction_session_timeout = '5s'",
  "set lock_timeout = '10s'",
  // Writes are acknowledged only once they are on disk, so "off" is overridden.
  "select set_config('synchronous_commit', 'on', false) where current_setting('synchronous_commit') = 'off'",
];

const refuseToWrite = () => Promise.reject(new Error("the store is open for reading only"));

/** Runs a query first, so that scanning a closed store is rejected. */
const openScanner = (reader: PostgresConnection, url: string) => async () => {
  await reader.runQuery(POSITION);
  return openScan(url);
};

const TIME: Statement = {
  name: "time",
  text: "select (extract(epoch from clock_timestamp()) * 1000000)::bigint as now",
};
const timeOf = async ({ runQuery }: PostgresConnection): Promise<Instant> =>
  singleRow(await runQuery<{ now: Instant }>(TIME)).now;

/** The row of a query that always returns one. */
function singleRow<Row>([row]: readonly Row[]): Row {
  if (row === undefined) throw new Error("the database returned no row");
  return row;
}

const LOCK = "pg_advisory_xact_lock(hashtextextended('tenderhall ' || current_schema(), 0))";
const SERVER_VERSION_MIN = 14;

async function checkServer(connection: PostgresConnection): Promise<void> {
  const rows = await connection.runQuery<{ number: string; fsync: string; schema: string | null }>({
    name: "check server",
    text: `
      select current_setting('server_version_num') as number, current_setting('fsync') as fsync,
        current_schema() as schema`,
  });
  const { number, fsync, schema } = singleRow(rows);
  const version = Math.floor(Number(number) / 10_000);
  if (version < SERVER_VERSION_MIN)
    throw new Error(`PostgreSQL ${version} is too old: ${SERVER_VERSION_MIN} or newer is needed`);
  if (fsync !== "on") throw new Error("PostgreSQL runs with fsync = off and could lose acknowledged changes");
  if (schema === null) throw new Error("no schema of the search_path exists");
}

async function checkSchema({ runQuery }: PostgresConnection): Promise<void> {
  const [table] = await runQuery({ name: "", text: "select to_regclass('schema_version') as name" });
  const [found] = table?.name ? await runQuery({ name: "", text: "select version from schema_version" }) : [];
  checkIsKnown(found?.version ?? 0, POSTGRES_MIGRATIONS.length);
}

async function migrate(connection: PostgresConnection): Promise<void> {
  const run = (text: string) => connection.runQuery<{ version: number }>({ name: "", text });
  try {
    await run("begin");
    await run(`select ${LOCK}`);
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

const BEGIN: Statement = { name: "begin", text: "begin" };
const TAKE_LOCK: Statement = { name: "take lock", text: `select ${LOCK}` };
const COMMIT: Statement = { name: "commit", text: "commit" };
const ROLLBACK: Statement = { name: "rollback", text: "rollback" };
const POSITION: Statement = {
  name: "position",
  text: "select sequence, at from ledger order by sequence desc limit 1",
};

const EMPTY_POSITION: Position = { sequence: 0, at: 0 };

function openEngine(
  reader: PostgresConnection,
  writer: PostgresConnection,
  replica: PostgresConnection | undefined,
): Omit<Engine, "close" | "scan"> {
  const position = openPosition(reader);

  async function begin(): Promise<WriteTransaction> {
    // The whole transaction must run in the session that holds the lock.
    const runQuery = await writer.hold();
    // Statements run in the order in which they are sent: the position is read after the lock is taken.
    const started = [runQuery(BEGIN), runQuery(TAKE_LOCK)];
    const lastRow = runQuery<Position>(POSITION);
    await settleAll(writer, [...started, lastRow]);
    return {
      position: (await lastRow)[0] ?? EMPTY_POSITION,
      commit: async (rows, entries = []) => {
        await settleAll(writer, [
          ...writeRows(runQuery, rows),
          ...writeEntries(runQuery, entries),
          runQuery(COMMIT),
        ]).catch(rethrowTyped);
      },
      rollback: async () => {
        await settleAll(writer, [runQuery(ROLLBACK)]);
      },
    };
  }

  const queryReplica = replica ? openReplicaReader(replica, reader, position) : reader.runQuery;
  const connectionsByRole = [["read", reader] as const, ["write", writer] as const, ["replica", replica] as const];
  const connections = () =>
    connectionsByRole.flatMap(([role, connection]) => (connection ? [{ role, ...connection.state() }] : []));
  return { ...openReading(reader, queryReplica), knownPosition: () => undefined, position, begin, connections };
}

function rethrowTyped(error: { readonly constraint?: string }): never {
  if (error.constraint === "files_pkey")
    throw new FileTakenError("another change already refers to the file", { cause: error });
  throw error;
}

/** Waits for all statements. If one fails, cuts the connection, which aborts the transaction, and throws the first error. */
async function settleAll(connection: PostgresConnection, statements: readonly Promise<unknown>[]): Promise<void> {
  const settled = await Promise.allSettled(statements);
  const failed = settled.find((result) => result.status === "rejected");
  if (!failed) return;
  connection.cut();
  throw failed.reason;
}

/** Callers in the same iteration of the event loop share one query, which is sent after all of them have called. */
function openPosition(reader: PostgresConnection): () => Promise<Position> {
  let pendingPosition: Promise<Position> | undefined;
  return () => {
    pendingPosition ??= new Promise(setImmediate).then(async () => {
      pendingPosition = undefined;
      const [last] = await reader.runQuery<Position>(POSITION);
      return last ?? EMPTY_POSITION;
    });
    return pendingPosition;
  };
}

/** Reads from the replica together with its position; if that is behind, or the replica fails, reads from the primary. */
function openReplicaReader(
  replica: PostgresConnection,
  reader: PostgresConnection,
  position: () => Promise<Position>,
): PostgresConnection["runQuery"] {
  return async (statement, values = []) => {
    const { sequence } = await position();
    try {
      // A replica only moves forward, so a statement that runs after its position was read sees at least that position.
      const [replicaPosition, rows] = await Promise.all([
        replica.runQuery<{ sequence: number }>(REPLICA_POSITION),
        replica.runQuery(statement, values),
      ]);
      // The caller's `Row` type cannot be expressed here.
      if (singleRow(replicaPosition).sequence >= sequence) return rows as never;
    } catch {
      // Whatever is wrong with the replica, the primary can serve the read.
    }
    return reader.runQuery(statement, values);
  };
}

const REPLICA_POSITION: Statement = {
  name: "reached",
  text: "select coalesce(max(sequence), 0) as sequence from ledger",
};
const LOAD: Statement = { name: "load", text: "select revision, document from tenders where id = $1" };
const CHANGED: Statement = {
  name: "changed",
  text: `
    select tender_id as id, date_modified as "dateModified" from ledger join tenders on tenders.id = tender_id
    where sequence > $1 order by sequence limit $2`,
};
const DUE: Statement = {
  name: "due",
  text: "select id from tenders where clock is null and wake_at <= $1 order by wake_at limit $2",
};
const DUE_ON: Statement = {
  name: "due on",
  text: "select id from tenders where clock = $3 and wake_at <= $1 order by wake_at limit $2",
};
const NEXT_WAKE: Statement = {
  name: "next wake",
  text: "select wake_at from tenders where clock is null and wake_at is not null order by wake_at limit 1",
};
const NEXT_WAKE_ON: Statement = {
  name: "next wake on",
  text: "select wake_at from tenders where clock = $1 and wake_at is not null order by wake_at limit 1",
};
const ON_CLOCK: Statement = { name: "on clock", text: "select id from tenders where clock = $1 order by id limit $2" };
const STATUSES: Statement = { name: "statuses", text: "select status, number from statuses where number > 0" };
const FILES: Statement = { name: "files", text: "select key from files where key = any ($1)" };
const LEDGER: Statement = {
  name: "ledger",
  text: `
    select sequence, at, tender_id as tender, actor, act, patch from ledger
    where sequence > $1 order by sequence limit $2`,
};
const NUMBER: Statement = { name: "number", text: "select last_number as number from days where day = $1" };
const SECRET: Statement = { name: "secret", text: "select secret from secrets where name = $1" };
const PUT_SECRET: Statement = {
  name: "put secret",
  text: "insert into secrets (name, secret) values ($1, $2) on conflict do nothing",
};
const SECRETS: Statement = { name: "secrets", text: "select name, secret from secrets order by name" };
const REPLACE_SECRET: Statement = {
  name: "replace secret",
  text: `
    insert into secrets (name, secret) values ($1, $2)
    on conflict (name) do update set secret = excluded.secret`,
};

const idsIn = (rows: readonly object[]): readonly string[] => (rows as { id: string }[]).map(({ id }) => id);

/** The queries of the engine. `queryReplica` runs those that are large or frequent and may go to a replica. */
function openReading(
  { runQuery }: PostgresConnection,
  queryReplica: PostgresConnection["runQuery"],
): Omit<Engine, "close" | "connections" | "knownPosition" | "position" | "begin" | "scan"> {
  return {
    load: async (id) => (await queryReplica<StoredRow>(LOAD, [id]))[0],
    async changedSince(sequence, countMax) {
      const rows = await runQuery<FeedRow>(CHANGED, [sequence, countMax + 1]);
      return rows.length > countMax ? "many" : rows;
    },
    feed: openFeed(queryReplica),
    due: async (by, limit, clock) =>
      idsIn(clock === undefined ? await runQuery(DUE, [by, limit]) : await runQuery(DUE_ON, [by, limit, clock])),
    nextWake: async (clock) => {
      const [next] = clock === undefined ? await runQuery(NEXT_WAKE) : await runQuery(NEXT_WAKE_ON, [clock]);
      return (next as { wake_at: number } | undefined)?.wake_at;
    },
    onClock: async (clock, limit) => idsIn(await runQuery(ON_CLOCK, [clock, limit])),
    keyValues: openKeyValueReads(runQuery),
    countByStatus: async () =>
      new Map((await runQuery<{ status: string; number: number }>(STATUSES)).map((row) => [row.status, row.number])),
    knownFiles: async (keys) => new Set((await runQuery<{ key: string }>(FILES, [keys])).map(({ key }) => key)),
    ledger: async (after, limit) => (await runQuery(LEDGER, [after, limit])).map(ledgerRowOf),
    lastNumber: async (day) => (await runQuery<{ number: number }>(NUMBER, [day]))[0]?.number ?? 0,
    async secret(name, make) {
      const [found] = await runQuery<{ secret: string }>(SECRET, [name]);
      if (found) return found.secret;
      // Another server may insert its own first; then that one is returned.
      await runQuery(PUT_SECRET, [name, make()]);
      return singleRow(await runQuery<{ secret: string }>(SECRET, [name])).secret;
    },
    secrets: async () =>
      new Map((await runQuery<{ name: string; secret: string }>(SECRETS)).map(({ name, secret }) => [name, secret])),
    putSecret: async (name, secret) => {
      await runQuery(REPLACE_SECRET, [name, secret]);
    },
    ping: async () => {
      await runQuery(STATUSES);
    },
  };
}
