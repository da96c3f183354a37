import type { DatabaseSync } from "node:sqlite";
import { BYTES_AT_ONCE, MOVING_BIDS, splitTender, TENDERS_AT_ONCE } from "../migrations/movingBids.ts";
import { checkIsComplete, checkIsKnown, checkIsNotNewer, type MigrationSettings } from "../migrations/schema.ts";
import { SQLITE_MIGRATIONS } from "../migrations/sqlite.ts";
import { requireRow } from "../rowMapping.ts";
import { prepareQuery } from "./query.ts";

const versionOf = (db: DatabaseSync): number =>
  requireRow(prepareQuery<{ user_version: number }>(db, "pragma user_version").get()).user_version;

/** Throws unless the database has the schema of this version and no migration is left to complete. */
export function checkSchema(db: DatabaseSync): void {
  checkIsKnown(versionOf(db), SQLITE_MIGRATIONS.length);
  checkIsComplete(pendingMigration(db) !== undefined);
}

/** Brings the schema up to date, and completes a migration of data that was interrupted. */
export function migrate(db: DatabaseSync, settings: MigrationSettings = {}): void {
  const foundVersion = versionOf(db);
  checkIsNotNewer(foundVersion, SQLITE_MIGRATIONS.length);
  if (foundVersion < SQLITE_MIGRATIONS.length) {
    db.exec("begin immediate");
    // The version is read again: another process may have migrated while this one waited.
    for (let version = versionOf(db); version < SQLITE_MIGRATIONS.length; version++)
      db.exec(`${SQLITE_MIGRATIONS[version]}; pragma user_version = ${version + 1}`);
    db.exec("commit");
  }
  if (pendingMigration(db)) moveBids(db, settings);
}

type PendingMigration = { readonly doneUpTo: string };

const pendingMigration = (db: DatabaseSync): PendingMigration | undefined =>
  prepareQuery<PendingMigration>(db, "select done_up_to as doneUpTo from data_migrations where name = ?").get(
    MOVING_BIDS,
  );

/** Each batch is a transaction, after which a server that is killed continues. */
function moveBids(db: DatabaseSync, settings: MigrationSettings): void {
  const { onMigration, migrationBatch = TENDERS_AT_ONCE, migrationBytes = BYTES_AT_ONCE } = settings;
  const countAfter = prepareQuery<{ number: number }>(db, "select count(*) as number from tenders where id > ?");
  const total = requireRow(countAfter.get("")).number;
  const moveBatch = prepareBatch(db, migrationBatch, migrationBytes);
  for (;;) {
    db.exec("begin immediate");
    // Read inside the transaction: another process may have moved the same tenders while this one waited.
    const pending = pendingMigration(db);
    const isDone = !pending || moveBatch(pending.doneUpTo);
    db.exec("commit");
    const left = isDone ? 0 : requireRow(countAfter.get(pendingMigration(db)?.doneUpTo ?? "")).number;
    onMigration?.({ name: MOVING_BIDS, done: total - left, total });
    if (isDone) return;
  }
}

/** Moves the bids of the next tenders; returns whether there were none left. */
function prepareBatch(db: DatabaseSync, size: number, bytesMax: number): (doneUpTo: string) => boolean {
  const next = prepareQuery<{ id: string; document: string }>(
    db,
    "select id, document from tenders where id > ? order by id limit ?",
  );
  const update = db.prepare("update tenders set document = ? where id = ?");
  const addBid = db.prepare("insert into bids (tender_id, id, owner, bytes, document) values (?, ?, ?, ?, ?)");
  const addTotal = db.prepare(
    "insert into bid_totals (tender_id, owner, count, bytes, changes) values (?, ?, ?, ?, 0)",
  );
  const proceed = db.prepare("update data_migrations set done_up_to = ? where name = ?");
  const complete = db.prepare("delete from data_migrations where name = ?");
  const nextTenders = (doneUpTo: string) => {
    const tenders: { readonly id: string; readonly document: string }[] = [];
    let bytes = 0;
    for (const tender of next.iterate(doneUpTo, size)) {
      tenders.push(tender);
      bytes += tender.document.length;
      if (bytes >= bytesMax) break;
    }
    return tenders;
  };
  return (doneUpTo) => {
    const tenders = nextTenders(doneUpTo);
    for (const { id, document, bids, totals } of tenders.map(splitTender)) {
      update.run(document, id);
      for (const bid of bids) addBid.run(id, bid.id, bid.owner, bid.bytes, bid.document);
      for (const { owner, count, bytes } of totals) addTotal.run(id, owner, count, bytes);
    }
    const last = tenders.at(-1);
    if (last) proceed.run(last.id, MOVING_BIDS);
    else complete.run(MOVING_BIDS);
    return !last;
  };
}
