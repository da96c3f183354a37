import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Tender } from "../domain/tender.ts";
import type { Instant } from "../domain/time.ts";
import { SQLITE_MIGRATIONS } from "./migrations/sqlite.ts";
import { openRecent } from "./recent.ts";
import type { Change, Decision, FeedQuery, FeedRow, LedgerRow, Store, Stored } from "./store.ts";

export type SqliteSettings = {
  readonly dataDir: string;
  readonly clock: () => Instant;
  /** How much text of tenders is kept parsed in memory. */
  readonly recentBytesMax: number;
  /** One commit for each change instead of one for all that are ready: only for comparison. */
  readonly commitsSingly?: boolean;
};

type Waiting = {
  readonly id: string | undefined;
  readonly decision: Decision<unknown>;
  readonly resolve: (answer: unknown) => void;
  readonly reject: (error: unknown) => void;
};

export function openSqlite(settings: SqliteSettings): Store {
  mkdirSync(settings.dataDir, { recursive: true });
  const lock = lockFolder(settings.dataDir);
  const db = openDatabase(join(settings.dataDir, "tenderhall.sqlite"), () => lock.close());
  const reading = prepareReading(db);
  const recent = openRecent<Stored>(settings.recentBytesMax);
  const writer = openWriter(db, settings, find, (id, stored, bytes) => recent.put(id, stored, bytes));

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
    write: writer.write,
    feed: async (query) => reading.feed(query),
    feedVersion: writer.feedVersion,
    due: async (by, limit) => (reading.due.all(by, limit) as { id: string }[]).map(({ id }) => id),
    nextWake: async () => (reading.nextWake.get() as { wake_at: number } | undefined)?.wake_at,
    countByStatus: async () =>
      new Map(
        (reading.countByStatus.all() as { status: string; number: number }[]).map((row) => [row.status, row.number]),
      ),
    knownFiles: async (keys) => new Set(keys.filter((key) => reading.file.get(key) !== undefined)),
    ledger: async (after, limit) => reading.ledger.all(after, limit).map(ledgerRowOf),
    ping: async () => void reading.ping.get(),
    close: async () => {
      if (!db.isOpen) return;
      writer.close();
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
  db.exec(
    "pragma journal_mode = wal; pragma synchronous = full; pragma busy_timeout = 5000; pragma cache_size = -32000;",
  );
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
  const feeds = new Map<string, ReturnType<DatabaseSync["prepare"]>>();
  const feedSql = ({ modes, descending }: FeedQuery) => `
    select id, date_modified as dateModified from tenders
    where ${modes === "all" ? "listing <> 'draft'" : `listing = '${modes}'`}
      and date_modified ${descending ? "<" : ">"} ?
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
    feed(query: FeedQuery): FeedRow[] {
      const sql = feedSql(query);
      const statement = feeds.get(sql) ?? db.prepare(sql);
      feeds.set(sql, statement);
      const edge = query.beyond ?? (query.descending ? Number.MAX_SAFE_INTEGER : Number.MIN_SAFE_INTEGER);
      return statement.all(edge, query.limit) as FeedRow[];
    },
  };
}

/** All decisions that are ready go to disk in one transaction: instants and numbers are given out inside it, in one order. */
function openWriter(
  db: DatabaseSync,
  settings: SqliteSettings,
  find: (id: string) => Stored | undefined,
  keep: (id: string, stored: Stored, bytes: number) => void,
) {
  const put = prepareWriting(db);
  let waiting: Waiting[] = [];
  let scheduled = false;
  let closed = false;
  let version = 0;
  let { lastAt, lastSequence } = put.position();

  function write<Answer>(id: string | undefined, decision: Decision<Answer>): Promise<Answer> {
    if (closed) return Promise.reject(new Error("the store is closed"));
    return new Promise<Answer>((resolve, reject) => {
      waiting.push({ id, decision, resolve: resolve as (answer: unknown) => void, reject });
      if (!scheduled) setImmediate(flush);
      scheduled = true;
    });
  }

  function flush(): void {
    scheduled = false;
    const ready = waiting;
    waiting = [];
    const batches = settings.commitsSingly ? ready.map((one) => [one]) : [ready];
    for (const batch of batches) commit(batch);
  }

  function commit(batch: readonly Waiting[]): void {
    const staged = new Map<string, { stored: Stored; bytes: number }>();
    const answers: (() => void)[] = [];
    const before = { lastAt, lastSequence };
    let listed = false;
    try {
      for (const { id, decision, resolve, reject } of batch) {
        const current = id === undefined ? undefined : (staged.get(id)?.stored ?? find(id));
        const at = Math.max(settings.clock(), lastAt + 1);
        const numbers = new Map<string, number>();
        const decided = attempt(() => decision(current, { at, numberOfDay: (day) => put.nextNumber(day, numbers) }));
        if ("failed" in decided) {
          answers.push(() => reject(decided.failed));
          continue;
        }
        const { change, answer } = decided.done;
        answers.push(() => resolve(answer));
        if (!change) continue;
        if (staged.size === 0) put.begin.run();
        lastAt = at;
        lastSequence++;
        staged.set(change.tender.id, put.change(change, current, { at, sequence: lastSequence }, numbers));
        listed ||= change.tender.dateModified === at;
      }
      if (staged.size > 0) put.commit.run();
    } catch (error) {
      ({ lastAt, lastSequence } = before);
      if (db.isTransaction) put.rollback.run();
      for (const { reject } of batch) reject(error);
      return;
    }
    for (const [id, { stored, bytes }] of staged) keep(id, stored, bytes);
    if (listed) version++;
    for (const answer of answers) answer();
  }

  function close(): void {
    closed = true;
    if (waiting.length > 0) flush();
  }

  return { write, close, feedVersion: () => version };
}

function attempt<Done>(work: () => Done): { done: Done } | { failed: unknown } {
  try {
    return { done: work() };
  } catch (failed) {
    return { failed };
  }
}

function prepareWriting(db: DatabaseSync) {
  const insertLedger = db.prepare(
    "insert into ledger (sequence, at, tender_id, actor, act, patch) values (?, ?, ?, ?, ?, ?)",
  );
  const putTender = db.prepare(`
    insert into tenders (id, revision, document, status, listing, date_modified, wake_at) values (?, ?, ?, ?, ?, ?, ?)
    on conflict (id) do update set revision = excluded.revision, document = excluded.document, status = excluded.status,
      listing = excluded.listing, date_modified = excluded.date_modified, wake_at = excluded.wake_at`);
  const insertFile = db.prepare("insert into files (key, tender_id) values (?, ?)");
  const lastNumber = db.prepare("select last_number from days where day = ?");
  const putNumber = db.prepare(
    "insert into days (day, last_number) values (?, ?) on conflict (day) do update set last_number = excluded.last_number",
  );
  const last = db.prepare("select sequence, at from ledger order by sequence desc limit 1");

  return {
    begin: db.prepare("begin immediate"),
    commit: db.prepare("commit"),
    rollback: db.prepare("rollback"),
    position() {
      const row = last.get() as { sequence: number; at: number } | undefined;
      return { lastAt: row?.at ?? 0, lastSequence: row?.sequence ?? 0 };
    },
    nextNumber(day: string, taken: Map<string, number>): number {
      const row = lastNumber.get(day) as { last_number: number } | undefined;
      const number = (row?.last_number ?? 0) + 1;
      taken.set(day, number);
      return number;
    },
    change(
      change: Change,
      current: Stored | undefined,
      { at, sequence }: { at: Instant; sequence: number },
      numbers: ReadonlyMap<string, number>,
    ) {
      const { tender } = change;
      const document = JSON.stringify(tender);
      const stored: Stored = { tender, revision: (current?.revision ?? 0) + 1 };
      const listing = tender.status === "draft" ? "draft" : (tender.mode ?? "real");
      const { id, status, dateModified } = tender;
      putTender.run(id, stored.revision, document, status, listing, dateModified, change.wakeAt ?? null);
      insertLedger.run(sequence, at, id, change.actor ?? null, change.act, change.patch);
      for (const key of change.files) insertFile.run(key, id);
      for (const [day, number] of numbers) putNumber.run(day, number);
      return { stored, bytes: document.length };
    },
  };
}
