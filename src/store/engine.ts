import type { BidTotals } from "../domain/model/sizeLimits.ts";
import type { Instant } from "../domain/values/time.ts";
import type { SearchQuery, SearchResult } from "../indexing/searchQuery.ts";
import type { ChangeRow } from "./changeRows.ts";
import type { EntryReads, EntryRow } from "./entryRows.ts";
import type { BackfillBatch, BackfillReads } from "./search/backfillBatch.ts";
import type { PublicReads } from "./search/publicReads.ts";
import type { FeedRow, Position, RecordKind, Store } from "./store.ts";

export type { EntryRow } from "./entryRows.ts";
export type { DailyNumber, Listing, Position } from "./store.ts";

/** The revision and JSON of a tender in the database, or the patch that has the JSON; see `documentIn`. */
export type StoredRow = { readonly revision: number; readonly document: string };
/** The same with its bids, as texts of JSON with commas between them, and the number of changes that only changed one of them. */
export type StoredRowWithBids = StoredRow & { readonly bids: string | null; readonly bidChanges: number };

/** A write transaction. It holds the write lock of the registry, so nobody else writes before it ends. */
export type WriteTransaction = {
  /** The end of the ledger when the transaction began. */
  readonly position: Position;
  /** Writes everything and ends the transaction. Resolves once it is on disk; if it rejects, nothing was written. */
  commit(rows: readonly ChangeRow[], entries?: readonly EntryRow[], backfill?: BackfillBatch): Promise<void>;
  /** Ends the transaction without writing. */
  rollback(): Promise<void>;
};

/** What pages read, where the time decides which deadlines are past. */
export type EnginePublicReads = Omit<PublicReads, "search"> & {
  search(query: SearchQuery, now: Instant): Promise<SearchResult>;
};

/**
 * What a database must implement: queries and write transactions. The order of changes, the cache and group commit are implemented
 * once, in the store, for all engines.
 */
export type Engine = Pick<
  Store,
  | "feed"
  | "releases"
  | "due"
  | "nextWake"
  | "onClock"
  | "countByStatus"
  | "knownFiles"
  | "ledger"
  | "ledgerOf"
  | "secret"
  | "secrets"
  | "putSecret"
  | "scan"
  | "ping"
  | "connections"
  | "close"
> & {
  readonly publicReads: EnginePublicReads;
  readonly backfill: BackfillReads;
  readonly entries: EntryReads;
  /** The end of the ledger without I/O; `undefined` if other processes can write. */
  knownPosition(): Position | undefined;
  /** The end of the ledger at a time after the call. */
  position(): Promise<Position>;
  /** What changed after a sequence number, with the current `dateModified` of each tender; "many" if there is more than `countMax`. */
  changedSince(sequence: number, countMax: number): Promise<readonly ChangedRecord[] | "many">;
  /** The tender without its bids. */
  load(id: string): Promise<StoredRow | undefined>;
  /** The tender with all its bids, as they were at one time. */
  loadWithBids(id: string): Promise<StoredRowWithBids | undefined>;
  /** The JSON of a bid. */
  loadBid(tender: string, id: string): Promise<string | undefined>;
  /** The JSON of each bid of an account, in the order of the list. */
  loadBidsOf(tender: string, owner: string): Promise<readonly string[]>;
  /** The number and size of all bids of a tender, by account. */
  bidTotals(tender: string): Promise<BidTotals>;
  /** The last number assigned on a day (YYYY-MM-DD); 0 if none. */
  lastNumber(day: string): Promise<number>;
  /** Waits for the write lock of the registry. The store calls it for one transaction at a time. */
  begin(): Promise<WriteTransaction>;
};

/** A tender that changed, or of which only a bid changed. */
export type ChangedRecord = FeedRow & { readonly kind: RecordKind };
