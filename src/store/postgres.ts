import type { Instant } from "../domain/time.ts";
import type { Engine, Kept, Position, WritingTurn } from "./engine.ts";
import { POSTGRES_MIGRATIONS } from "./migrations/postgres.ts";
import { checkIsKnown, checkIsNotNewer } from "./migrations/schema.ts";
import { ledgerRowOf } from "./nullable.ts";
import { openStore, type StoreSettings } from "./openStore.ts";
import { openFeed } from "./postgresFeed.ts";
import { type Link, openLink, type Statement } from "./postgresLink.ts";
import { openNoteReading, writeNotes } from "./postgresNotes.ts";
import { writeAll } from "./postgresRows.ts";
import { openScan } from "./postgresScan.ts";
import { openSharedClock, type SharedClock } from "./sharedClock.ts";
import { type FeedRow, FileTaken, type Store } from "./store.ts";

export type PostgresSettings = StoreSettings & {
  readonly url: string;
  /** A copy that follows `url`, asked for what is large; it may lag behind, which is noticed. */
  readonly readUrl?: string;
  /** The database's clock is the clock, and `clock` only tells how much time has passed. */
  readonly sharesClock?: boolean;
};

/**
 * Any number of servers on one PostgreSQL. A turn of writing is a transaction that holds one lock from before its first
 * decision until it is on disk, so the order of commit is the order of the ledger, whoever writes.
 */
export async function openPostgres(settings: PostgresSettings): Promise<Store> {
  const { url, readUrl } = settings;
  const asking = openLink({ url });
  const writing = openLink({ url, greeting: WRITER_GREETING, answerMsMax: TURN_MS_MAX });
  const following = readUrl === undefined ? undefined : openLink({ url: readUrl, ...FOLLOWER });
  let shared: SharedClock | undefined;
  const close = async () => {
    shared?.close();
    await Promise.all([asking.close(), writing.close(), following?.close()]);
  };
  try {
    await checkServer(asking);
    if (settings.readsOnly) await checkSchema(asking);
    else await migrate(openLink({ url, answerMsMax: MIGRATION_MS_MAX }));
    if (settings.sharesClock) shared = await openSharedClock(settings.clock, () => timeOf(asking));
  } catch (error) {
    await close();
    throw error;
  }
  const clock = shared?.now ?? settings.clock;
  const engine = openEngine(asking, writing, following);
  const begin = settings.readsOnly ? refuseToWrite : engine.begin;
  return openStore({ ...engine, begin, scan: openScans(asking, url), close }, { ...settings, clock });
}

/** Longer than anyone waits for the turn. */
const TURN_MS_MAX = 15_000;
const MIGRATION_MS_MAX = 60 * 60 * 1000;
/** The original is there when a copy does not answer; it is left alone for a while then. */
const FOLLOWER = { mayFollow: true, answerMsMax: 1000, pauseMs: 5000 };

/** Whoever stalls in a turn loses it, and nobody waits for one without end. */
const WRITER_GREETING = [
  "set idle_in_transaction_session_timeout = '5s'",
  "set lock_timeout = '10s'",
  // Weaker is nobody's to choose here: an answer is sent only once the change is on disk.
  "select set_config('synchronous_commit', 'on', false) where current_setting('synchronous_commit') = 'off'",
];

const refuseToWrite = () => Promise.reject(new Error("the store is open for reading only"));

/** Asks first, so that a store that was closed is closed for this too. */
const openScans = (asking: Link, url: string) => async () => {
  await asking.ask(POSITION);
  return openScan(url);
};

const TIME: Statement = {
  name: "time",
  text: "select (extract(epoch from clock_timestamp()) * 1000000)::bigint as now",
};
const timeOf = async ({ ask }: Link): Promise<Instant> => (await ask<{ now: Instant }>(TIME))[0]!.now;

const LOCK = "pg_advisory_xact_lock(hashtextextended('tenderhall ' || current_schema(), 0))";
const OLDEST_SERVER = 14;

async function checkServer(link: Link): Promise<void> {
  const [server] = await link.ask<{ number: string; fsync: string; schema: string | null }>({
    name: "check server",
    text: `
      select current_setting('server_version_num') as number, current_setting('fsync') as fsync,
        current_schema() as schema`,
  });
  const version = Math.floor(Number(server!.number) / 10_000);
  if (version < OLDEST_SERVER) throw new Error(`PostgreSQL ${version} is too old: ${OLDEST_SERVER} or newer is needed`);
  if (server!.fsync !== "on") throw new Error("PostgreSQL runs with fsync = off and would lose what it acknowledged");
  if (server!.schema === null) throw new Error("no schema of the search_path is there");
}

async function checkSchema({ ask }: Link): Promise<void> {
  const [there] = await ask({ name: "", text: "select to_regclass('schema_version') as name" });
  const [found] = there?.name ? await ask({ name: "", text: "select version from schema_version" }) : [];
  checkIsKnown(found?.version ?? 0, POSTGRES_MIGRATIONS.length);
}

async function migrate(link: Link): Promise<void> {
  const tell = (text: string) => link.ask<{ version: number }>({ name: "", text });
  try {
    await tell("begin");
    await tell(`select ${LOCK}`);
    await tell("create table if not exists schema_version (version integer not null)");
    const [found] = await tell("select version from schema_version");
    const seen = found?.version ?? 0;
    checkIsNotNewer(seen, POSTGRES_MIGRATIONS.length);
    for (const migration of POSTGRES_MIGRATIONS.slice(seen)) await tell(migration);
    if (!found) await tell("insert into schema_version values (0)");
    if (seen < POSTGRES_MIGRATIONS.length)
      await tell(`update schema_version set version = ${POSTGRES_MIGRATIONS.length}`);
    // Which way is the shortest depends on how many there are, which is not known of what was just made.
    if (0 < seen && seen < POSTGRES_MIGRATIONS.length) await tell("analyze tenders, facets, classifications");
    await tell("commit");
  } finally {
    await link.close();
  }
}

const BEGIN: Statement = { name: "begin", text: "begin" };
const TAKE_TURN: Statement = { name: "take turn", text: `select ${LOCK}` };
const COMMIT: Statement = { name: "commit", text: "commit" };
const ROLLBACK: Statement = { name: "rollback", text: "rollback" };
const POSITION: Statement = {
  name: "position",
  text: "select sequence, at from ledger order by sequence desc limit 1",
};

const START: Position = { sequence: 0, at: 0 };

function openEngine(asking: Link, writing: Link, following: Link | undefined): Omit<Engine, "close" | "scan"> {
  const position = openPosition(asking);

  async function begin(): Promise<WritingTurn> {
    // A turn is worth nothing on another connection than the one that has the lock.
    const ask = await writing.hold();
    const [, , last] = await together(writing, [ask(BEGIN), ask(TAKE_TURN), ask<Position>(POSITION)]);
    return {
      position: (last as Position[])[0] ?? START,
      commit: async (rows, notes = []) => {
        await together(writing, [...writeAll(ask, rows), ...writeNotes(ask, notes), ask(COMMIT)]).catch(reasoned);
      },
      leave: async () => {
        await together(writing, [ask(ROLLBACK)]);
      },
    };
  }

  const large = following ? openFollower(following, asking, position) : asking.ask;
  const links = [["read", asking] as const, ["write", writing] as const, ["replica", following] as const];
  const connections = () => links.flatMap(([role, link]) => (link ? [{ role, ...link.state() }] : []));
  return { ...openReading(asking, large), knownPosition: () => undefined, position, begin, connections };
}

function reasoned(error: { readonly constraint?: string }): never {
  if (error.constraint === "files_pkey") throw new FileTaken("a file is named already", { cause: error });
  throw error;
}

/** Waits for all of it; where anything went wrong, what was begun on the link ends with its connection. */
async function together(link: Link, asked: readonly Promise<unknown>[]): Promise<readonly unknown[]> {
  const settled = await Promise.allSettled(asked);
  const failed = settled.find(({ status }) => status === "rejected") as PromiseRejectedResult | undefined;
  if (!failed) return settled.map((one) => (one as PromiseFulfilledResult<unknown>).value);
  link.cut();
  throw failed.reason;
}

/** Everybody who asks in one turn of the event loop is given one answer, which was asked for after all of them had come. */
function openPosition(asking: Link): () => Promise<Position> {
  let gathering: Promise<Position> | undefined;
  return () => {
    gathering ??= new Promise(setImmediate).then(async () => {
      gathering = undefined;
      const [last] = await asking.ask<Position>(POSITION);
      return last ?? START;
    });
    return gathering;
  };
}

/** Asks the copy, in one statement with how far it has come; where that is not far enough, asks the original. */
function openFollower(following: Link, asking: Link, position: () => Promise<Position>): Link["ask"] {
  return async (statement, values = []) => {
    const { sequence } = await position();
    const reached = { name: "reached", text: "select coalesce(max(sequence), 0) as sequence from ledger" };
    try {
      // The copy only ever goes forward, so what is asked after it had come far enough is far enough too.
      const [[at], rows] = await Promise.all([
        following.ask<{ sequence: number }>(reached),
        following.ask(statement, values),
      ]);
      if (at!.sequence >= sequence) return rows as never;
    } catch {
      // Whatever is wrong with the copy, the original is there.
    }
    return asking.ask(statement, values);
  };
}

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

/** `large`: asks for what is large, or often asked for, and may be read from a copy. */
function openReading(
  { ask }: Link,
  large: Link["ask"],
): Omit<Engine, "close" | "connections" | "knownPosition" | "position" | "begin" | "scan"> {
  return {
    load: async (id) => (await large<Kept>(LOAD, [id]))[0],
    async changedSince(sequence, most) {
      const rows = await ask<FeedRow>(CHANGED, [sequence, most + 1]);
      return rows.length > most ? "many" : rows;
    },
    feed: openFeed(large),
    due: async (by, limit, clock) =>
      idsIn(clock === undefined ? await ask(DUE, [by, limit]) : await ask(DUE_ON, [by, limit, clock])),
    nextWake: async (clock) => {
      const [next] = clock === undefined ? await ask(NEXT_WAKE) : await ask(NEXT_WAKE_ON, [clock]);
      return (next as { wake_at: number } | undefined)?.wake_at;
    },
    onClock: async (clock, limit) => idsIn(await ask(ON_CLOCK, [clock, limit])),
    notes: openNoteReading(ask),
    countByStatus: async () =>
      new Map((await ask<{ status: string; number: number }>(STATUSES)).map((row) => [row.status, row.number])),
    knownFiles: async (keys) => new Set((await ask<{ key: string }>(FILES, [keys])).map(({ key }) => key)),
    ledger: async (after, limit) => (await ask(LEDGER, [after, limit])).map(ledgerRowOf),
    lastNumber: async (day) => (await ask<{ number: number }>(NUMBER, [day]))[0]?.number ?? 0,
    async secret(name, make) {
      const find = async () => (await ask<{ secret: string }>(SECRET, [name]))[0]?.secret;
      const found = await find();
      if (found !== undefined) return found;
      await ask(PUT_SECRET, [name, make()]);
      return (await find())!;
    },
    secrets: async () =>
      new Map((await ask<{ name: string; secret: string }>(SECRETS)).map(({ name, secret }) => [name, secret])),
    putSecret: async (name, secret) => {
      await ask(REPLACE_SECRET, [name, secret]);
    },
    ping: async () => {
      await ask(STATUSES);
    },
  };
}
