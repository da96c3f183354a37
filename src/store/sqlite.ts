import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Tender } from "../domain/tender.ts";
import type { Instant } from "../domain/time.ts";
import { openCommits } from "./commits.ts";
import { SQLITE_MIGRATIONS } from "./migrations/sqlite.ts";
import { openRecent } from "./recent.ts";
import { PRAGMAS } from "./sqliteRows.ts";
import type { FeedQuery, FeedRow, LedgerRow, Store, Stored } from "./store.ts";

export type SqliteSettings = {
  readonly dataDir: string;
  readonly clock: () => Instant;
  /** How much text of tenders is kept parsed in memory. */
  readonly recentBytesMax: number;
  /** One commit for each change instead of one for all that are ready: only for comparison. */
  readonly commitsSingly?: boolean;
};

export function openSqlite(settings: SqliteSettings): Store {
  mkdirSync(settings.dataDir, { recursive: true, mode: 0o700 });
  const lock = lockFolder(settings.dataDir);
  const path = join(settings.dataDir, "tenderhall.sqlite");
  const db = openDatabase(path, () => lock.close());
  const reading = prepareReading(db);
  const recent = openRecent<Stored>(settings.recentBytesMax);
  const commits = openCommits({
    path,
    commitsSingly: settings.commitsSingly ?? false,
    clock: settings.clock,
    find,
    keep: (id, stored, bytes) => recent.put(id, stored, bytes),
    position: reading.position,
    lastNumber: reading.lastNumber,
  });

  function find(id: string): Stored | undefined {
    return recent.get(id) ?? load(id);
  }

  function load(id: string): Stored | undefined {
    const row = reading.tender.get(id) as { revision: number; document: string } | undefined;
    if (!row) return undefined;
    const stored = { tender: JSON.parse(row.document) as Tender, revision: row.revision };
    recent.put(id, stored, row.document.length);
    return stored;
  }

  return {
    find: async (id) => find(id),
    write: commits.write,
    feed: async (query) => reading.feed(query, commits.durableAt()),
    feedVersion: commits.feedVersion,
    due: async (by, limit) => (reading.due.all(by, limit) as { id: string }[]).map(({ id }) => id),
    nextWake: async () => (reading.nextWake.get() as { wake_at: number } | undefined)?.wake_at,
    countByStatus: async () =>
      new Map(
        (reading.countByStatus.all() as { status: string; number: number }[]).map((row) => [row.status, row.number]),
      ),
    knownFiles: async (keys) => new Set(keys.filter((key) => reading.file.get(key) !== undefined)),
    ledger: async (after, limit) => reading.ledger.all(after, limit).map(ledgerRowOf),
    ping: async () => {
      if (!commits.isAlive()) throw new Error("the store cannot be written to");
      reading.ping.get();
    },
    close: async () => {
      if (!db.isOpen) return;
      await commits.close();
      recent.clear();
      db.close();
      lock.close();
    },
  };
}

/** SQLite says null where we say nothing. */
const ledgerRowOf = (row: object): LedgerRow => {
  const { actor, ...rest } = row as LedgerRow & { readonly actor: string | null };
  return { ...rest, actor: actor ?? undefined };
};

/** One server a folder: what another process wrote would be missing from this one's memory. The lock dies with its holder. */
function lockFolder(dataDir: string): DatabaseSync {
  const lock = new DatabaseSync(join(dataDir, "server.lock"));
  try {
    lock.exec("pragma locking_mode = exclusive; begin exclusive; create table if not exists held (by integer);");
    return lock;
  } catch (cause) {
    lock.close();
    throw new Error(`another server is running on ${dataDir}`, { cause });
  }
}

function openDatabase(path: string, onFailure: () => void): DatabaseSync {
  const db = new DatabaseSync(path);
  try {
    prepareDatabase(db);
    return db;
  } catch (error) {
    db.close();
    onFailure();
    throw error;
  }
}

function prepareDatabase(db: DatabaseSync): void {
  db.exec(PRAGMAS);
  migrate(db);
}

function migrate(db: DatabaseSync): void {
  const { user_version: seen } = db.prepare("pragma user_version").get() as { user_version: number };
  if (seen > SQLITE_MIGRATIONS.length)
    throw new Error(
      `the data are of a newer Tenderhall (schema ${seen}; this one knows ${SQLITE_MIGRATIONS.length}): update the program`,
    );
  for (let version = seen; version < SQLITE_MIGRATIONS.length; version++)
    db.exec(`begin immediate; ${SQLITE_MIGRATIONS[version]}; pragma user_version = ${version + 1}; commit;`);
}

function prepareReading(db: DatabaseSync) {
  const last = db.prepare("select sequence, at from ledger order by sequence desc limit 1");
  const lastNumber = db.prepare("select last_number from days where day = ?");
  const feeds = new Map<string, ReturnType<DatabaseSync["prepare"]>>();
  const feedSql = (modes: FeedQuery["modes"], descending: boolean) => `
    select id, date_modified as dateModified from tenders
    where ${modes === "all" ? "listing <> 'draft'" : `listing = '${modes}'`}
      and date_modified > ? and date_modified <= ?
    order by date_modified ${descending ? "desc" : "asc"} limit ?`;
  return {
    tender: db.prepare("select revision, document from tenders where id = ?"),
    due: db.prepare("select id from tenders where wake_at <= ? order by wake_at limit ?"),
    nextWake: db.prepare("select wake_at from tenders where wake_at is not null order by wake_at limit 1"),
    countByStatus: db.prepare("select status, count(*) as number from tenders where listing = 'real' group by status"),
    file: db.prepare("select 1 from files where key = ?"),
    ledger: db.prepare(
      "select sequence, at, tender_id as tender, actor, act, patch from ledger where sequence > ? order by sequence limit ?",
    ),
    ping: db.prepare("select count(*) from days"),
    position() {
      const row = last.get() as { sequence: number; at: number } | undefined;
      return { lastAt: row?.at ?? 0, lastSequence: row?.sequence ?? 0 };
    },
    lastNumber: (day: string) => (lastNumber.get(day) as { last_number: number } | undefined)?.last_number ?? 0,
    /** `until`: what is committed later than this is not shown yet, as whoever looks further would not find it. */
    feed(query: FeedQuery, until: Instant): FeedRow[] {
      const { modes, descending, beyond, limit } = query;
      const sql = feedSql(modes, descending);
      const statement = feeds.get(sql) ?? db.prepare(sql);
      feeds.set(sql, statement);
      const after = descending ? Number.MIN_SAFE_INTEGER : (beyond ?? Number.MIN_SAFE_INTEGER);
      const to = descending && beyond !== undefined ? Math.min(beyond - 1, until) : until;
      return statement.all(after, to, limit) as FeedRow[];
    },
  };
}
