import type { Instant } from "../../domain/values/time.ts";
import type { Engine, Position, WriteTransaction } from "../engine.ts";
import { openStore, type StoreSettings } from "../openStore.ts";
import { requireRow } from "../rowMapping.ts";
import { openSharedClock, type SharedClock } from "../sharedClock.ts";
import { FileTakenError, type Store } from "../store.ts";
import { writeBackfill } from "./backfillWrites.ts";
import { openConnection, type PostgresConnection, type Statement } from "./connection.ts";
import { writeEntries } from "./entries.ts";
import { openIndexedTenders } from "./indexedTenders.ts";
import { openReads } from "./reads.ts";
import { openReplicaReader } from "./replicaReader.ts";
import { writeRows } from "./rows.ts";
import { openScan } from "./scan.ts";
import { checkSchema, checkServer, migrate, WRITE_LOCK } from "./schema.ts";

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
  const searcher = openConnection({ url, ...SEARCH_OPTIONS });
  const replica = readUrl === undefined ? undefined : openConnection({ url: readUrl, ...REPLICA_OPTIONS });
  const replicaSearcher =
    readUrl === undefined ? undefined : openConnection({ url: readUrl, ...REPLICA_OPTIONS, ...SEARCH_OPTIONS });
  let sharedClock: SharedClock | undefined;
  const close = async () => {
    sharedClock?.close();
    await Promise.all([reader, writer, searcher, replica, replicaSearcher].map((connection) => connection?.close()));
  };
  try {
    await checkServer(reader);
    if (settings.readsOnly) await checkSchema(reader);
    else await migrate(openConnection({ url, answerMsMax: MIGRATION_MS_MAX }), settings);
    if (settings.sharesClock) sharedClock = await openSharedClock(settings.clock, () => timeOf(reader));
  } catch (error) {
    await close();
    throw error;
  }
  const clock = sharedClock?.now ?? settings.clock;
  const engine = openEngine({ reader, writer, searcher, replica, replicaSearcher });
  const begin = settings.readsOnly ? refuseToWrite : engine.begin;
  return openStore({ ...engine, begin, scan: openScanner(reader, url), close }, { ...settings, clock });
}

/** Longer than `lock_timeout` below, so that PostgreSQL reports a timeout of the lock first. */
const WRITE_MS_MAX = 15_000;
const MIGRATION_MS_MAX = 60 * 60 * 1000;
/** A replica that fails or is slow is not asked for a while, as reads can go to the primary. */
const REPLICA_OPTIONS = { mayFollow: true, answerMsMax: 1000, pauseMs: 5000 };

/**
 * A search ends after ten seconds. Those that wait for it are not rejected, as `openSearchLimit` says how many may wait. Planning for
 * them knows that the table is read often and that matching a row takes time: never the whole table, no compiling, one processor.
 */
const SEARCH_OPTIONS = {
  setup: [
    ...["set statement_timeout = '10s'", "set enable_seqscan = off", "set random_page_cost = 1.1"],
    ...["set jit = off", "set max_parallel_workers_per_gather = 0"],
    // Matches are joined with the table one by one.
    ...["set enable_hashjoin = off", "set enable_mergejoin = off"],
  ],
  answerMsMax: 10 * 60 * 1000,
};

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
async function timeOf({ runQuery }: PostgresConnection): Promise<Instant> {
  const [row] = await runQuery<{ now: Instant }>(TIME);
  return requireRow(row).now;
}

const BEGIN: Statement = { name: "begin", text: "begin" };
const TAKE_LOCK: Statement = { name: "take lock", text: `select ${WRITE_LOCK}` };
const COMMIT: Statement = { name: "commit", text: "commit" };
const ROLLBACK: Statement = { name: "rollback", text: "rollback" };
const POSITION: Statement = {
  name: "position",
  text: "select sequence, at from ledger order by sequence desc limit 1",
};

const EMPTY_POSITION: Position = { sequence: 0, at: 0 };

type Connections = {
  readonly reader: PostgresConnection;
  readonly writer: PostgresConnection;
  /** For searches, which take longer than other reads: these and the writes of all servers would have to wait for them. */
  readonly searcher: PostgresConnection;
  readonly replica: PostgresConnection | undefined;
  readonly replicaSearcher: PostgresConnection | undefined;
};

function openEngine(connections: Connections): Omit<Engine, "close" | "scan"> {
  const { reader, writer, searcher, replica, replicaSearcher } = connections;
  const position = openPosition(reader);
  const indexedTenders = openIndexedTenders();
  /** Categories that certainly have a name. Most tenders name no others, and then need no statement. */
  const namedCategories = new Set<string>();

  async function begin(): Promise<WriteTransaction> {
    // The whole transaction must run in the session that holds the lock.
    const runQuery = await writer.hold();
    // Statements run in the order in which they are sent: the position is read after the lock is taken.
    const started = [runQuery(BEGIN), runQuery(TAKE_LOCK)];
    const lastRow = runQuery<Position>(POSITION);
    await settleAll(writer, [...started, lastRow]);
    return {
      position: (await lastRow)[0] ?? EMPTY_POSITION,
      commit: async (rows, entries = [], backfill) => {
        const isIndexed = indexedTenders(runQuery, rows);
        await settleAll(writer, [isIndexed]);
        await settleAll(writer, [
          ...writeRows(runQuery, rows, await isIndexed, namedCategories),
          ...writeEntries(runQuery, entries),
          ...(backfill ? writeBackfill(runQuery, backfill) : []),
          runQuery(COMMIT),
        ]).catch(rethrowTyped);
        for (const { categoryNames } of rows) for (const { category } of categoryNames) namedCategories.add(category);
      },
      rollback: async () => {
        await settleAll(writer, [runQuery(ROLLBACK)]);
      },
    };
  }

  const queryReplica = replica ? openReplicaReader(replica, reader, position) : reader.runQuery;
  const search = replicaSearcher ? openReplicaReader(replicaSearcher, searcher, position) : searcher.runQuery;
  const connectionsByRole = [
    ["read", reader],
    ["write", writer],
    ["search", searcher],
    ["replica", replica],
    ["replica-search", replicaSearcher],
  ] as const;
  return {
    ...openReads(reader.runQuery, queryReplica, search),
    ...{ knownPosition: () => undefined, position, begin },
    connections: () =>
      connectionsByRole.flatMap(([role, connection]) => (connection ? [{ role, ...connection.state() }] : [])),
  };
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
