import { isDeepStrictEqual } from "node:util";
import type { Tender } from "../domain/model/tender.ts";
import type { Instant } from "../domain/values/time.ts";
import { facetsOf } from "./facets.ts";
import {
  countedStatusOf,
  type DailyNumber,
  type EntryWrite,
  type Facets,
  type FeedRow,
  type KeyValueStore,
  type Listing,
  listingOf,
  type Position,
  type Store,
  type StoredTender,
  type TenderChange,
} from "./store.ts";

export type { DailyNumber, Listing, Position } from "./store.ts";

/** An entry of the key-value store as it is written. */
export type EntryRow = EntryWrite & { readonly revision: number };

/** The revision and JSON of a tender in the database. */
export type StoredRow = { readonly revision: number; readonly document: string };

/** A write transaction. It holds the write lock of the registry, so nobody else writes before it ends. */
export type WriteTransaction = {
  /** The end of the ledger when the transaction began. */
  readonly position: Position;
  /** Writes everything and ends the transaction. Resolves once it is on disk; if it rejects, nothing was written. */
  commit(rows: readonly ChangeRow[], entries?: readonly EntryRow[]): Promise<void>;
  /** Ends the transaction without writing. */
  rollback(): Promise<void>;
};

/**
 * What a database must implement: queries and write transactions. The order of changes, the cache and group commit are implemented
 * once, in the store, for all engines.
 */
export type Engine = Pick<
  Store,
  | "feed"
  | "due"
  | "nextWake"
  | "onClock"
  | "countByStatus"
  | "knownFiles"
  | "ledger"
  | "secret"
  | "secrets"
  | "putSecret"
  | "scan"
  | "ping"
  | "connections"
  | "close"
> & {
  readonly keyValues: Omit<KeyValueStore, "put">;
  /** The end of the ledger without I/O; `undefined` if other processes can write. */
  knownPosition(): Position | undefined;
  /** The end of the ledger at a time after the call. */
  position(): Promise<Position>;
  /** The tenders that changed after a sequence number, with their current `dateModified`; "many" if there are more than `countMax`. */
  changedSince(sequence: number, countMax: number): Promise<readonly FeedRow[] | "many">;
  load(id: string): Promise<StoredRow | undefined>;
  /** The last number assigned on a day (YYYY-MM-DD); 0 if none. */
  lastNumber(day: string): Promise<number>;
  /** Waits for the write lock of the registry. The store calls it for one transaction at a time. */
  begin(): Promise<WriteTransaction>;
};

/** A change as it is written: the new state of the tender, its row of the ledger, its files and its daily number. */
export type ChangeRow = {
  readonly sequence: number;
  readonly at: Instant;
  readonly id: string;
  readonly revision: number;
  /** The JSON of the tender. If a commit has several rows of a tender, only that of the last is used. */
  readonly document: string;
  readonly status: string;
  readonly listing: Listing;
  readonly dateModified: Instant;
  readonly wakeAt: Instant | null;
  readonly clock: string | null;
  readonly facets: Facets;
  readonly indexUpdate: IndexUpdate;
  readonly actor: string | null;
  readonly act: string;
  readonly patch: string;
  readonly files: readonly string[];
  readonly day: string | null;
  readonly dailyNumber: number;
  /** The statuses under which the tender was counted before and is counted now. */
  readonly countedStatusBefore: string | undefined;
  readonly countedStatus: string | undefined;
};

/** The row that writes a change. `document` may be left empty for a row whose state is not written. */
export function rowOf(
  change: TenderChange,
  before: StoredTender | undefined,
  { sequence, at }: Position,
  assigned: DailyNumber | undefined,
  document: string = change.document,
): ChangeRow {
  const { tender, wakeAt, actor, act, patch, files } = change;
  const { id, status, dateModified } = tender;
  const facets = facetsOf(tender);
  return {
    sequence,
    at,
    id,
    revision: (before?.revision ?? 0) + 1,
    document,
    status,
    listing: listingOf(tender),
    dateModified,
    wakeAt: wakeAt ?? null,
    clock: tender.testClock ?? null,
    facets,
    indexUpdate: indexUpdateOf(before?.tender, tender, facets),
    actor: actor ?? null,
    act,
    patch,
    files,
    day: assigned?.day ?? null,
    dailyNumber: assigned?.number ?? 0,
    countedStatusBefore: before && countedStatusOf(before.tender),
    countedStatus: countedStatusOf(tender),
  };
}

/** How much of a tender's index entries a change rewrites; each includes those before it. */
const INDEX_UPDATES = ["not", "moved", "facets", "classifications"] as const;
export type IndexUpdate = (typeof INDEX_UPDATES)[number];

const widerUpdate = (first: IndexUpdate, second: IndexUpdate): IndexUpdate =>
  INDEX_UPDATES.indexOf(first) > INDEX_UPDATES.indexOf(second) ? first : second;

/** Most changes only move a tender in the feed ("moved"); a change of a sealed bid does not even do that ("not"). */
function indexUpdateOf(before: Tender | undefined, after: Tender, facets: Facets): IndexUpdate {
  if (!before) return "classifications";
  const { classifications, ...rest } = facetsOf(before);
  if (!isDeepStrictEqual(classifications, facets.classifications)) return "classifications";
  if (!isDeepStrictEqual({ ...rest, classifications }, facets)) return "facets";
  const names = ["dateModified", "status", "mode"] as const;
  return names.every((name) => before[name] === after[name]) ? "not" : "moved";
}

/** The state of a tender that a commit writes. */
export type TenderWrite = {
  readonly row: ChangeRow;
  /** 0 for a new tender. */
  readonly revisionBefore: number;
  /** The sequence number of the tender's first row in the commit, for a new tender that of its first row at all. */
  readonly firstRow: number;
  readonly indexUpdate: IndexUpdate;
};

/** The total effect of the rows of a commit. */
export type CommitSummary = {
  /** The last state of each tender, with the revision that it had before the commit. */
  readonly tenderWrites: readonly TenderWrite[];
  /** The last number of each day that assigned one. */
  readonly numbers: ReadonlyMap<string, number>;
  /** By how much the number of tenders in each status changes. */
  readonly counts: ReadonlyMap<string, number>;
};

/** Summarises the rows of a commit, so that each tender, day and status is written once. */
export function summariseRows(rows: readonly ChangeRow[]): CommitSummary {
  const tenderWrites = new Map<string, TenderWrite>();
  const numbers = new Map<string, number>();
  const counts = new Map<string, number>();
  const count = (status: string | undefined, by: number) => {
    if (status !== undefined) counts.set(status, (counts.get(status) ?? 0) + by);
  };
  for (const row of rows) {
    const earlier = tenderWrites.get(row.id);
    const { revisionBefore, firstRow } = earlier ?? { revisionBefore: row.revision - 1, firstRow: row.sequence };
    tenderWrites.set(row.id, {
      row,
      revisionBefore,
      firstRow,
      indexUpdate: widerUpdate(row.indexUpdate, earlier?.indexUpdate ?? "not"),
    });
    if (row.day !== null) numbers.set(row.day, row.dailyNumber);
    count(row.countedStatusBefore, -1);
    count(row.countedStatus, 1);
  }
  for (const [status, by] of counts) if (by === 0) counts.delete(status);
  return { tenderWrites: [...tenderWrites.values()], numbers, counts };
}
