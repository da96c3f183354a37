import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { openFairQueue } from "../../base/fairQueue.ts";
import type { ChangeRow } from "../changeRows.ts";
import type { ChangedRecord, Engine, Position, StoredRow, StoredRowWithBids, WriteTransaction } from "../engine.ts";
import type { MigrationSettings } from "../migrations/schema.ts";
import { openStore, type StoreSettings } from "../openStore.ts";
import {
  bidTotalsIn,
  DOCUMENT_OR_PATCH,
  LEDGER_COLUMNS,
  type LedgerColumns,
  ledgerOfSql,
  ledgerRowOf,
  requireRow,
  type TotalRow,
} from "../rowMapping.ts";
import type { BackfillState, LeftTender } from "../search/backfillBatch.ts";
import { indexTotals } from "../search/indexChanges.ts";
import { BACKFILL_NEXT, BACKFILL_STATE } from "../search/publicSql.ts";
import { DiskFullError, FileTakenError, type LedgerQuery, type Store, StoreUnavailableError } from "../store.ts";
import type { Batch } from "./batchBytes.ts";
import { openEntryReads } from "./entries.ts";
import { openFeed } from "./feed.ts";
import { openPublicReads } from "./publicReads.ts";
import { prepareQuery } from "./query.ts";
import { openReleases } from "./releases.ts";
import { resultCodeOf } from "./resultCode.ts";
import { PRAGMAS } from "./rows.ts";
import { openScan } from "./scan.ts";
import { checkSchema, migrate } from "./schema.ts";
import { openSearchThread } from "./searchThread.ts";
import { openWriterThread } from "./writerThread.ts";

/** Waits for the write lock among processes that share a folder; resolves to a function that releases it. */
export type AcquireWriteLock = () => Promise<() => void>;

export type SqliteSettings = StoreSettings & {
  readonly dataDir: string;
  /** Set if several processes share the folder: their parent process holds the folder's lock and grants the write lock. */
  readonly shared?: { readonly acquireWriteLock: AcquireWriteLock };
};

/**
 * Opens the store in a SQLite database in the data folder. Throws if another server is using the folder. Commits run in a thread of
 * their own, so that waiting for the disk does not block reads.
 */
export const openSqlite = (settings: SqliteSettings): Store => openStore(openEngine(settings), settings);

function openEngine({ dataDir, shared, readsOnly = false, slowDiskMs = 0, ...migration }: SqliteSettings): Engine {
  if (!readsOnly) mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const lock = shared || readsOnly ? undefined : lockFolder(dataDir);
  const path = pathIn(dataDir);
  const db = openDatabase(path, { readsOnly, migration, onFailure: () => lock?.close() });
  const position = lock ? openCachedPosition(db) : openPosition(db);
  /** The commit in progress, if any. Its rows may already be visible to readers before it is acknowledged. */
  let pendingCommit: Promise<unknown> | undefined;
  const waitForCommit = async () => {
    while (lock && pendingCommit) await pendingCommit;
  };
  const searchThread = openSearchThread(path);
  const reading = prepareReading(db, searchThread, waitForCommit);
  const thread = readsOnly ? undefined : openWriterThread({ path, slowDiskMs });

  async function begin(): Promise<WriteTransaction> {
    if (!thread) throw new Error("the store is open for reading only");
    const releaseLock = await shared?.acquireWriteLock();
    const rollback = async () => releaseLock?.();
    try {
      return {
        position: position.now(),
        rollback,
        commit: (rows, entries = [], backfill) => {
          const written = thread
            .commit({ ...withTotals(rows, reading.isIndexComplete()), entries, backfill })
            .catch(rethrowTyped);
          const commit = written.finally(position.refresh).finally(rollback);
          const settledCommit = commit
            .catch(() => {})
            .then(() => {
              pendingCommit = undefined;
            });
          pendingCommit = settledCommit;
          return commit;
        },
      };
    } catch (error) {
      releaseLock?.();
      throw error;
    }
  }

  return {
    ...reading,
    knownPosition: () => (lock ? position.now() : undefined),
    position: async () => position.now(),
    begin,
    scan: async () => {
      if (!db.isOpen) throw new Error("the store is closed");
      return openScan(path);
    },
    ping: async () => {
      if (thread && !thread.isAlive()) throw new Error("the store cannot be written to");
      reading.ping();
    },
    connections: () => [],
    close: async () => {
      if (!db.isOpen) return;
      await thread?.close();
      await searchThread.close();
      db.close();
      lock?.close();
    },
  };
}

/** Adds up what rows contribute, which is less to send than their contributions, once all tenders are indexed. */
const withTotals = (rows: readonly ChangeRow[], isIndexComplete: boolean): Pick<Batch, "rows" | "totals"> =>
  isIndexComplete
    ? {
        rows: rows.map((row) => ({ ...row, contributions: [], organizations: [], categoryNames: [] })),
        totals: indexTotals(rows, () => true),
      }
    : { rows };

const [BUSY, IO_ERROR, FULL] = [5, 10, 13];

function rethrowTyped(error: unknown): never {
  if (!(error instanceof Error)) throw error;
  // The lower byte is the primary result code of SQLite; the rest is detail.
  const reason = (resultCodeOf(error) ?? 0) & 0xff;
  if (reason === FULL) throw new DiskFullError(error.message, { cause: error });
  if (reason === BUSY || reason === IO_ERROR) throw new StoreUnavailableError(error.message, { cause: error });
  if (error.message === "UNIQUE constraint failed: files.key")
    throw new FileTakenError("another change already refers to the file", { cause: error });
  throw error;
}

function withTypedErrors(write: () => void): void {
  try {
    write();
  } catch (error) {
    rethrowTyped(error);
  }
}

const pathIn = (dataDir: string): string => join(dataDir, "tenderhall.sqlite");

/** Locks a folder for processes that will share it, and migrates its database. The parent process calls it before it starts them. */
export function holdFolder(dataDir: string, migration: MigrationSettings = {}): { readonly release: () => void } {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const lock = lockFolder(dataDir);
  openDatabase(pathIn(dataDir), { migration, onFailure: () => lock.close() }).close();
  return { release: () => lock.close() };
}

/** Locks a folder, as only one server may write to it. Throws if it is locked. The lock ends with the process that holds it. */
export function lockFolder(dataDir: string, name = "server.lock"): DatabaseSync {
  const lock = new DatabaseSync(join(dataDir, name));
  try {
    lock.exec("pragma locking_mode = exclusive; begin exclusive; create table if not exists held (by integer);");
    return lock;
  } catch (cause) {
    lock.close();
    throw new Error(`another server is running on ${dataDir}`, { cause });
  }
}

type DatabaseOptions = {
  readonly readsOnly?: boolean;
  readonly migration: MigrationSettings;
  readonly onFailure: () => void;
};

function openDatabase(path: string, { readsOnly = false, migration, onFailure }: DatabaseOptions): DatabaseSync {
  const db = new DatabaseSync(path, { readOnly: readsOnly });
  try {
    if (readsOnly) db.exec("pragma busy_timeout = 5000");
    else db.exec(PRAGMAS);
    if (readsOnly) checkSchema(db);
    else migrate(db, migration);
    return db;
  } catch (error) {
    db.close();
    onFailure();
    throw error;
  }
}

type IdRow = { readonly id: string };
type WakeRow = { readonly wake_at: number };

function prepareReading(
  db: DatabaseSync,
  searchThread: ReturnType<typeof openSearchThread>,
  waitForCommit: () => Promise<void>,
) {
  const tender = prepareQuery<StoredRow>(
    db,
    `select revision, ${DOCUMENT_OR_PATCH} as document from tenders where id = ?`,
  );
  const tenderWithBids = prepareQuery<StoredRowWithBids>(
    db,
    `
    select revision, ${DOCUMENT_OR_PATCH} as document,
      (select group_concat(document, ',' order by rowid) from bids where tender_id = tenders.id) as bids,
      (select coalesce(sum(changes), 0) from bid_totals where tender_id = tenders.id) as bidChanges
    from tenders where id = ?`,
  );
  const bid = prepareQuery<{ document: string }>(db, "select document from bids where tender_id = ? and id = ?");
  const bidsOf = prepareQuery<{ document: string }>(
    db,
    "select document from bids where tender_id = ? and owner = ? order by rowid",
  );
  const totals = prepareQuery<TotalRow>(db, "select owner, count, bytes from bid_totals where tender_id = ?");
  const changed = prepareQuery<ChangedRecord>(
    db,
    `
    select kind, tender_id as id, date_modified as dateModified from ledger join tenders on tenders.id = tender_id
    where sequence > ? limit ?`,
  );
  const due = prepareQuery<IdRow>(
    db,
    "select id from tenders where clock is null and wake_at <= ? order by wake_at limit ?",
  );
  const nextWake = prepareQuery<WakeRow>(
    db,
    "select wake_at from tenders where clock is null and wake_at is not null order by wake_at limit 1",
  );
  const dueOn = prepareQuery<IdRow>(
    db,
    "select id from tenders where clock = ? and wake_at <= ? order by wake_at limit ?",
  );
  const nextWakeOn = prepareQuery<WakeRow>(
    db,
    "select wake_at from tenders where clock = ? and wake_at is not null order by wake_at limit 1",
  );
  const onClock = prepareQuery<IdRow>(db, "select id from tenders where clock = ? order by id limit ?");
  const statuses = prepareQuery<{ status: string; number: number }>(
    db,
    "select status, number from statuses where number > 0",
  );
  const file = db.prepare("select 1 from files where key = ?");
  const ledger = prepareQuery<LedgerColumns>(
    db,
    `select ${LEDGER_COLUMNS} from ledger where sequence > ? order by sequence limit ?`,
  );
  const prepareLedgerOf = (kinds: LedgerQuery["kinds"]) =>
    prepareQuery<LedgerColumns>(
      db,
      ledgerOfSql(kinds, (position) => `?${position}`),
    );
  const ledgerOf = { all: prepareLedgerOf("all"), tender: prepareLedgerOf("tender") };
  const lastNumber = prepareQuery<{ last_number: number }>(db, "select last_number from days where day = ?");
  const secret = prepareQuery<{ secret: string }>(db, "select secret from secrets where name = ?");
  const putSecret = db.prepare("insert into secrets (name, secret) values (?, ?) on conflict do nothing");
  const secrets = prepareQuery<{ name: string; secret: string }>(db, "select name, secret from secrets order by name");
  const replaceSecret = db.prepare(`
    insert into secrets (name, secret) values (?, ?)
    on conflict (name) do update set secret = excluded.secret`);
  /** One for all searches, whatever they are for. */
  const waitInQueue = openFairQueue();
  const backfillState = prepareQuery<BackfillState>(db, BACKFILL_STATE);
  let isIndexComplete = false;
  const backfillNext = prepareQuery<LeftTender>(db, BACKFILL_NEXT);
  const ping = db.prepare("select count(*) from days");
  return {
    load: async (id: string) => tender.get(id),
    loadWithBids: async (id: string) => tenderWithBids.get(id),
    loadBid: async (tenderId: string, id: string) => bid.get(tenderId, id)?.document,
    loadBidsOf: async (tenderId: string, owner: string) => bidsOf.all(tenderId, owner).map(({ document }) => document),
    bidTotals: async (tenderId: string) => bidTotalsIn(totals.all(tenderId)),
    async changedSince(sequence: number, countMax: number) {
      const rows = changed.all(sequence, countMax + 1);
      return rows.length > countMax ? "many" : rows;
    },
    feed: openFeed(db, waitForCommit, waitInQueue),
    publicReads: openPublicReads(db, searchThread, waitForCommit),
    isIndexComplete: () => {
      isIndexComplete ||= backfillState.get() === undefined;
      return isIndexComplete;
    },
    backfill: {
      state: async () => backfillState.get(),
      next: async (leftUpTo: number, limit: number) => backfillNext.all(leftUpTo, limit),
    },
    releases: openReleases(db, waitInQueue),
    due: async (by: number, limit: number, clock?: string) =>
      idsIn(clock === undefined ? due.all(by, limit) : dueOn.all(clock, by, limit)),
    nextWake: async (clock?: string) => (clock === undefined ? nextWake.get() : nextWakeOn.get(clock))?.wake_at,
    onClock: async (clock: string, limit: number) => idsIn(onClock.all(clock, limit)),
    entries: openEntryReads(db),
    countByStatus: async () => new Map(statuses.all().map((row) => [row.status, row.number])),
    knownFiles: async (keys: readonly string[]) => new Set(keys.filter((key) => file.get(key) !== undefined)),
    ledger: async (after: number, limit: number) => ledger.all(after, limit).map(ledgerRowOf),
    ledgerOf: async (tenderId: string, { after, upTo, limit, kinds }: LedgerQuery) =>
      ledgerOf[kinds].all(tenderId, after, upTo, limit).map(ledgerRowOf),
    lastNumber: async (day: string) => lastNumber.get(day)?.last_number ?? 0,
    async secret(name: string, make: () => string) {
      if (!secret.get(name)) withTypedErrors(() => putSecret.run(name, make()));
      return requireRow(secret.get(name)).secret;
    },
    secrets: async () => new Map(secrets.all().map((row) => [row.name, row.secret])),
    putSecret: async (name: string, value: string) => {
      withTypedErrors(() => replaceSecret.run(name, value));
    },
    ping: () => ping.get(),
  };
}

const idsIn = (rows: readonly IdRow[]): readonly string[] => rows.map(({ id }) => id);

const LAST_POSITION = "select sequence, at from ledger order by sequence desc limit 1";

/** The end of the ledger, cached: a process that has the folder to itself only reads it again after its own commits. */
function openCachedPosition(db: DatabaseSync) {
  const last = prepareQuery<Position>(db, LAST_POSITION);
  const read = () => last.get() ?? { sequence: 0, at: 0 };
  let position = read();
  return {
    now: (): Position => {
      if (!db.isOpen) throw new Error("the store is closed");
      return position;
    },
    refresh: () => {
      position = read();
    },
  };
}

/** The end of the ledger in a shared folder. `data_version`, which is far cheaper to read, shows whether anything was committed. */
function openPosition(db: DatabaseSync): ReturnType<typeof openCachedPosition> {
  const version = prepareQuery<{ data_version: number }>(db, "pragma data_version");
  const cached = openCachedPosition(db);
  let lastVersion: number | undefined;
  return {
    now: () => {
      const { data_version: currentVersion } = requireRow(version.get());
      if (currentVersion !== lastVersion) cached.refresh();
      lastVersion = currentVersion;
      return cached.now();
    },
    refresh: () => {},
  };
}
