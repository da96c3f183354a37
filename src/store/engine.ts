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

/** A note as it goes to disk. */
export type EntryRow = EntryWrite & { readonly revision: number };

/** A tender as the database has it. */
export type StoredRow = { readonly revision: number; readonly document: string };

/** The right to write, which one server has at a time: from here to the end of it nobody else changes anything. */
export type WriteTransaction = {
  readonly position: Position;
  /** Ends the turn. Resolves once all of it is on disk; if it rejects, nothing of it is there. */
  commit(rows: readonly ChangeRow[], notes?: readonly EntryRow[]): Promise<void>;
  /** Ends the turn without a trace. */
  rollback(): Promise<void>;
};

/**
 * What a database does for the store: plain questions, and turns of writing. Order, memory and the gathering of changes
 * into commits are the store's, and the same over every engine.
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
  readonly notes: Omit<KeyValueStore, "put">;
  /** The position, where nobody else can write: then what was acknowledged is what this process was told. */
  knownPosition(): Position | undefined;
  /** As of a moment after it was asked for. */
  position(): Promise<Position>;
  /** The tenders that changed after that row of the ledger, as they are now; "many" where they are more than `most`. */
  changedSince(sequence: number, countMax: number): Promise<readonly FeedRow[] | "many">;
  load(id: string): Promise<StoredRow | undefined>;
  lastNumber(day: string): Promise<number>;
  begin(): Promise<WriteTransaction>;
};

/** One change as it goes to disk: the tender's new state, its row of the ledger, and what it took. */
export type ChangeRow = {
  readonly sequence: number;
  readonly at: Instant;
  readonly id: string;
  readonly revision: number;
  /** Of several rows of one tender in a commit, only that of the last is looked at. */
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
  /** The statuses that it is counted under, before and now. */
  readonly countedStatusBefore: string | undefined;
  readonly countedStatus: string | undefined;
};

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

/** How much of what a tender is found by a change writes anew: each of these includes those before it. */
const INDEX_UPDATES = ["not", "moved", "facets", "classifications"] as const;
export type IndexUpdate = (typeof INDEX_UPDATES)[number];

const widerUpdate = (first: IndexUpdate, second: IndexUpdate): IndexUpdate =>
  INDEX_UPDATES[Math.max(INDEX_UPDATES.indexOf(first), INDEX_UPDATES.indexOf(second))]!;

/** Most changes move a tender in the order of change and leave the rest; a sealed bid does not even do that. */
function indexUpdateOf(before: Tender | undefined, after: Tender, facets: Facets): IndexUpdate {
  if (!before) return "classifications";
  const { classifications, ...rest } = facetsOf(before);
  if (!isDeepStrictEqual(classifications, facets.classifications)) return "classifications";
  if (!isDeepStrictEqual({ ...rest, classifications }, facets)) return "facets";
  const names = ["dateModified", "status", "mode"] as const;
  return names.every((name) => before[name] === after[name]) ? "not" : "moved";
}

export type TenderWrite = {
  readonly row: ChangeRow;
  readonly revisionBefore: number;
  /** The row of the ledger that a new tender begins with. */
  readonly firstRow: number;
  readonly indexUpdate: IndexUpdate;
};

/** What a group of rows comes to: each tender's last state once, with the revision that it had before the group. */
export type CommitSummary = {
  readonly tenderWrites: readonly TenderWrite[];
  readonly numbers: ReadonlyMap<string, number>;
  readonly counts: ReadonlyMap<string, number>;
};

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
