import type { ChangedRecord, Engine, StoredRow, StoredRowWithBids } from "../engine.ts";
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
import { BACKFILL_NEXT, BACKFILL_STATE } from "../search/publicSql.ts";
import type { LedgerQuery } from "../store.ts";
import type { RunQuery, Statement } from "./connection.ts";
import { openEntryReads } from "./entries.ts";
import { numberPlaceholders, openFeed } from "./feed.ts";
import { openPublicReads } from "./publicReads.ts";
import { openReleases } from "./releases.ts";

const LOAD: Statement = {
  name: "load",
  text: `select revision, ${DOCUMENT_OR_PATCH} as document from tenders where id = $1`,
};
const LOAD_WITH_BIDS: Statement = {
  name: "load with bids",
  text: `
    select revision, ${DOCUMENT_OR_PATCH} as document,
      (select string_agg(document, ',' order by number) from bids where tender_id = tenders.id) as bids,
      (select coalesce(sum(changes), 0)::bigint from bid_totals where tender_id = tenders.id) as "bidChanges"
    from tenders where id = $1`,
};
const BID: Statement = { name: "bid", text: "select document from bids where tender_id = $1 and id = $2" };
const BIDS_OF: Statement = {
  name: "bids of",
  text: "select document from bids where tender_id = $1 and owner = $2 order by number",
};
const BID_TOTALS: Statement = {
  name: "bid totals",
  text: "select owner, count, bytes from bid_totals where tender_id = $1",
};
const CHANGED: Statement = {
  name: "changed",
  text: `
    select kind, tender_id as id, date_modified as "dateModified" from ledger join tenders on tenders.id = tender_id
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
    select ${LEDGER_COLUMNS} from ledger
    where sequence > $1 order by sequence limit $2`,
};
const dollarMark = (position: number): string => `$${position}`;
const LEDGER_OF: { readonly [kinds in LedgerQuery["kinds"]]: Statement } = {
  all: { name: "ledger of", text: ledgerOfSql("all", dollarMark) },
  tender: { name: "ledger of tender", text: ledgerOfSql("tender", dollarMark) },
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

type IdRow = { readonly id: string };
type WakeRow = { readonly wake_at: number };

const idsIn = (rows: readonly IdRow[]): readonly string[] => rows.map(({ id }) => id);

/** The queries of the engine. `queryReplica` runs those that are large or frequent and may go to a replica, `search` searches. */
export function openReads(
  runQuery: RunQuery,
  queryReplica: RunQuery,
  search: RunQuery,
): Omit<Engine, "close" | "connections" | "knownPosition" | "position" | "begin" | "scan"> {
  return {
    load: async (id) => (await queryReplica<StoredRow>(LOAD, [id]))[0],
    loadWithBids: async (id) => (await queryReplica<StoredRowWithBids>(LOAD_WITH_BIDS, [id]))[0],
    loadBid: async (tender, id) => (await queryReplica<{ document: string }>(BID, [tender, id]))[0]?.document,
    loadBidsOf: async (tender, owner) =>
      (await queryReplica<{ document: string }>(BIDS_OF, [tender, owner])).map(({ document }) => document),
    bidTotals: async (tender) => bidTotalsIn(await queryReplica<TotalRow>(BID_TOTALS, [tender])),
    async changedSince(sequence, countMax) {
      const rows = await runQuery<ChangedRecord>(CHANGED, [sequence, countMax + 1]);
      return rows.length > countMax ? "many" : rows;
    },
    feed: openFeed(queryReplica),
    publicReads: openPublicReads(queryReplica, search),
    backfill: {
      state: async () => (await runQuery<BackfillState>({ name: "backfill state", text: BACKFILL_STATE }))[0],
      next: (leftUpTo, limit) =>
        runQuery<LeftTender>({ name: "backfill next", text: numberPlaceholders(BACKFILL_NEXT) }, [leftUpTo, limit]),
    },
    // Not from a replica: it may have the change of a tender but not its release yet.
    releases: openReleases(runQuery),
    due: async (by, limit, clock) =>
      idsIn(
        clock === undefined
          ? await runQuery<IdRow>(DUE, [by, limit])
          : await runQuery<IdRow>(DUE_ON, [by, limit, clock]),
      ),
    nextWake: async (clock) => {
      const [next] =
        clock === undefined ? await runQuery<WakeRow>(NEXT_WAKE) : await runQuery<WakeRow>(NEXT_WAKE_ON, [clock]);
      return next?.wake_at;
    },
    onClock: async (clock, limit) => idsIn(await runQuery<IdRow>(ON_CLOCK, [clock, limit])),
    entries: openEntryReads(runQuery),
    countByStatus: async () =>
      new Map((await runQuery<{ status: string; number: number }>(STATUSES)).map((row) => [row.status, row.number])),
    knownFiles: async (keys) => new Set((await runQuery<{ key: string }>(FILES, [keys])).map(({ key }) => key)),
    ledger: async (after, limit) => (await runQuery<LedgerColumns>(LEDGER, [after, limit])).map(ledgerRowOf),
    ledgerOf: async (tender, { after, upTo, limit, kinds }) =>
      (await queryReplica<LedgerColumns>(LEDGER_OF[kinds], [tender, after, upTo, limit])).map(ledgerRowOf),
    lastNumber: async (day) => (await runQuery<{ number: number }>(NUMBER, [day]))[0]?.number ?? 0,
    async secret(name, make) {
      const [found] = await runQuery<{ secret: string }>(SECRET, [name]);
      if (found) return found.secret;
      // Another server may insert its own first; then that one is returned.
      await runQuery(PUT_SECRET, [name, make()]);
      const [stored] = await runQuery<{ secret: string }>(SECRET, [name]);
      return requireRow(stored).secret;
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
