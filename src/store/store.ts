import type { BidSelection } from "../domain/bids/bidSelection.ts";
import type { BidTotals } from "../domain/model/sizeLimits.ts";
import type { Tender } from "../domain/model/tender.ts";
import type { Instant } from "../domain/values/time.ts";
import type { Facets } from "./facets.ts";
import type { FeedQuery, FeedRow } from "./feedQuery.ts";
import type { EntryKey, EntryWrite, KeyValueStore, RequestedEntries } from "./keyValues.ts";
import type { ReleaseQuery, ReleaseRow } from "./releaseQuery.ts";
import type { BackfillProgress, PublicReads } from "./search/publicReads.ts";
import type { IndexScan, StoredSearchRow } from "./search/searchScan.ts";

export type { BidSelection } from "../domain/bids/bidSelection.ts";
export {
  DURABLE_KINDS,
  type DurableKind,
  durableWriteOf,
  ENTRY_KINDS,
  ENTRY_TABLES,
  type EntryKind,
  type ExpiringKind,
  SWEPT_KINDS,
  textOf,
} from "./entryKinds.ts";
export * from "./entryValues.ts";
export { type Facets, facetsOf } from "./facets.ts";
export {
  type FeedQuery,
  type FeedRow,
  FILTERED_DATES,
  type Filter,
  type FilteredDate,
  type Modes,
  type ValueRange,
} from "./feedQuery.ts";
export * from "./firstPatch.ts";
export type {
  ConditionalEntryWrite,
  EntryKey,
  EntryQuery,
  EntryWrite,
  KeyValueEntry,
  KeyValueStore,
  RequestedEntries,
} from "./keyValues.ts";
export { instantOfRelease, type ReleaseQuery, type ReleaseRow, releaseEntryId } from "./releaseQuery.ts";

export * from "./search/publicReads.ts";

/** What reads may select besides: the bids of an account. Those of others cost nothing, so the response time does not reveal them. */
export type ReadSelection = BidSelection | { readonly owner: string };

/** A stored tender. The store returns the same object until the tender or the bids read with it change. */
export type StoredTender = {
  /** The tender with the bids that were selected; its list of bids is empty without them. */
  readonly tender: Tender;
  /** Counts the changes of the tender itself, from 1. */
  readonly revision: number;
  readonly bids: ReadSelection;
  /** Counts the changes that only changed a bid; known if all bids were selected. */
  readonly bidChanges?: number;
  /** The number and size of all bids; known in a decision that selected one bid. */
  readonly bidTotals?: BidTotals;
};

/** Identifies a public view of a tender: `dateModified` changes with every public change and with nothing else. */
export type PublicView = Pick<Tender, "id" | "dateModified">;

/** What the store provides to a decision. */
export type WriteContext = {
  /** The instant of the change: unique, and strictly increasing over the whole registry in the order of commit. */
  readonly at: Instant;
  /** The next number of a day (YYYY-MM-DD). It is assigned only if the decision writes a change. */
  readonly nextDailyNumber: (day: string) => number;
  readonly entries: RequestedEntries;
};

/** What a row of the ledger is about. A bid belongs to a tender. */
export const RECORD_KINDS = ["tender", "bid"] as const;
export type RecordKind = (typeof RECORD_KINDS)[number];

/** A change of a tender or of a bid: the new state and its row of the ledger. */
export type TenderChange = {
  /** The new state, with the bids that the decision was made on. */
  readonly tender: Tender;
  /** "bid" if a single bid changed and nothing else; the patch is then that of the bid. Default: "tender". */
  readonly kind?: RecordKind;
  /** The JSON of the tender without its bids. May be computed lazily: it is read only if this state is written. */
  readonly document: string;
  /** When time alone will next change this tender. */
  readonly wakeAt: Instant | undefined;
  /** The name of the account; undefined for deadlines. */
  readonly actor: string | undefined;
  readonly act: string;
  /** JSON Patch from the previous state to this one. */
  readonly patch: string;
  /** The keys of files that this change is the first to refer to. */
  readonly files: readonly string[];
};

/**
 * Decides a write on the current state of the tender. Runs in the order of commit, and nothing changes between what it reads and
 * what it writes. It may run several times, so it must not have side effects. It first runs with the bids that are at hand, which may
 * be none, and asks for those that it needs.
 */
export type Decision<Result> = (current: StoredTender | undefined, context: WriteContext) => DecisionResult<Result>;

/**
 * The result of a decision, with the change and the entries to write, if any. An entry that was requested with the write continues
 * its revision; any other starts at 1.
 */
export type DecisionResult<Result> =
  | { change?: TenderChange; entries?: readonly EntryWrite[]; result: Result; needs?: never }
  /** Nothing can be decided without these bids: the decision runs again with them. */
  | { needs: Exclude<BidSelection, "none"> };

/** A position in the ledger: the sequence number of a row and its instant. Both increase with every change. */
export type Position = { readonly sequence: number; readonly at: Instant };

/** The number of a tender among those published on a day (YYYY-MM-DD). */
export type DailyNumber = { readonly day: string; readonly number: number };

/** A change that was made earlier or elsewhere, and is imported with its position. */
export type PastChange = Position & {
  readonly change: TenderChange;
  /** The state before the change. */
  readonly before: StoredTender | undefined;
  /** The daily number that the change assigned. */
  readonly assigned: DailyNumber | undefined;
};

/** In which feeds a tender is listed: drafts in none. */
export type Listing = "draft" | "real" | "test";

export const listingOf = ({ status, mode }: Tender): Listing => (status === "draft" ? "draft" : (mode ?? "real"));

/** The status under which `countByStatus` counts a tender; drafts and tests are not counted. */
export const countedStatusOf = (tender: Tender): string | undefined =>
  listingOf(tender) === "real" ? tender.status : undefined;

/**
 * A row of the ledger. `patch` is the text of a JSON Patch from the previous state of the record. The patch of a tender may also change
 * its bids, which it finds by their ids.
 */
export type LedgerRow = {
  readonly sequence: number;
  readonly at: Instant;
  readonly kind: RecordKind;
  /** The id of the tender that the record is or belongs to. */
  readonly tender: string;
  /** The id of the record. */
  readonly record: string;
  readonly actor: string | undefined;
  readonly act: string;
  readonly patch: string;
};

/**
 * Which rows of the ledger of one tender to read: those after one instant and up to another, the first `limit` of them. Rows outside, and
 * those of bids unless `kinds` is "all", are not touched: the time of a read does not depend on them.
 */
export type LedgerQuery = {
  readonly after: Instant;
  readonly upTo: Instant;
  readonly limit: number;
  readonly kinds: "all" | "tender";
};

/** A tender with the columns and index entries that are derived from it, as the database has them. */
export type TenderRow = {
  readonly id: string;
  readonly revision: number;
  readonly document: string;
  readonly status: string;
  readonly listing: string;
  readonly dateModified: Instant;
  readonly wakeAt: Instant | undefined;
  readonly clock: string | undefined;
  readonly facets: Facets;
  /** Absent for drafts, and for older tenders that are not indexed yet. */
  readonly search: StoredSearchRow | undefined;
};

/** A bid as the database has it. */
export type BidRow = {
  readonly tender: string;
  readonly id: string;
  readonly owner: string;
  readonly bytes: number;
  readonly document: string;
};

/** The number and size of the bids of an account on a tender, and how often its bids were changed on their own. */
export type BidTotalRow = {
  readonly tender: string;
  readonly owner: string;
  readonly count: number;
  readonly bytes: number;
  readonly changes: number;
};

/** A file and the tender that was the first to refer to it. */
export type FileRow = { readonly tender: string; readonly key: string };

/** A consistent snapshot of everything, whatever is written in the meantime. Tenders are ordered by the bytes of their ids. */
export type Scan = IndexScan & {
  readonly position: Position;
  /** The position of every row of the ledger, in order. */
  positions(): AsyncIterable<Position>;
  /** The rows of all tenders that changed after this sequence number: by tender, and in order for each tender. */
  histories(changedAfter: number): AsyncIterable<LedgerRow>;
  tenders(): AsyncIterable<TenderRow>;
  /** All bids: by tender, and in the order of its list. */
  bids(): AsyncIterable<BidRow>;
  /** By tender. */
  bidTotals(): AsyncIterable<BidTotalRow>;
  /** All files, by tender. */
  files(): AsyncIterable<FileRow>;
  /** The last number of each day. */
  days(): Promise<ReadonlyMap<string, number>>;
  /** The number of tenders in each status, as `countByStatus` returns it. */
  statuses(): Promise<ReadonlyMap<string, number>>;
  close(): Promise<void>;
};

/** The store cannot be reached or written to at the moment. The operation may be retried. */
export class StoreUnavailableError extends Error {}

/** The disk of the store is full: nothing was written, and nothing will be until there is space. */
export class DiskFullError extends StoreUnavailableError {}

/** A change claims to be the first to refer to a file, but another one already does. */
export class FileTakenError extends Error {}

/** A connection to a database server. */
export type DatabaseConnection = {
  readonly role: "read" | "write" | "search" | "replica" | "replica-search";
  readonly isOpen: boolean;
  /** The number of statements that wait for a result. */
  readonly pending: number;
};

/**
 * The store of tenders, with their ledger and a key-value store. Reads see every change that was acknowledged before they began,
 * whichever server acknowledged it. Methods that need the database reject with `StoreUnavailableError` during an outage.
 */
export type Store = PublicReads & {
  /** The current time. All servers of a registry share this clock. */
  clock(): Instant;
  /** The tender with the selected bids; the selection may depend on the tender itself. */
  find(id: string, bids?: ReadSelection | ((tender: Tender) => ReadSelection)): Promise<StoredTender | undefined>;
  /**
   * Whether a public view that was read before is still current. Sealed bids do not change it, and must not be detectable from the
   * response time. Synchronous if no other process can write.
   */
  isFresh(view: PublicView): boolean | Promise<boolean>;
  /** Whether a tender was read repeatedly of late, so that caching what is rendered from it pays off. */
  isWorthCaching(view: PublicView): boolean;
  /** When the public view of any tender last changed, on any server. Pages rendered since then are still current. */
  publicPosition(): Promise<Instant>;
  /** The same without I/O; `undefined` if other processes can write. */
  knownPublicPosition(): Instant | undefined;
  /**
   * Runs the decision on the tender with this id (none, for a tender that is to be created) and on the entries with these keys, and
   * writes its result. Resolves once that is on disk.
   */
  write<Result>(id: string | undefined, decision: Decision<Result>, keys?: readonly EntryKey[]): Promise<Result>;
  feed(query: FeedQuery): Promise<readonly FeedRow[]>;
  /** A page of the OCDS releases that are stored. */
  releases(query: ReleaseQuery): Promise<readonly ReleaseRow[]>;
  /** The sequence number of the last change, on any server. Pages rendered at the same number are the same. */
  position(): Promise<number>;
  /** The same without I/O; `undefined` if other processes can write. */
  knownPosition(): number | undefined;
  /** The ids of tenders whose next deadline is at `by` or before, earliest first: of those in real time, or of those on a test clock. */
  due(by: Instant, limit: number, clock?: string): Promise<readonly string[]>;
  /** The earliest deadline of all tenders in real time, or of those on a test clock. */
  nextWake(clock?: string): Promise<Instant | undefined>;
  /** The ids of the tenders on a test clock, in order. */
  onClock(clock: string, limit: number): Promise<readonly string[]>;
  readonly keyValues: KeyValueStore;
  /** The number of tenders in each status, without drafts and tests. */
  countByStatus(): Promise<ReadonlyMap<string, number>>;
  /** Which of these keys belong to files that tenders refer to. */
  knownFiles(keys: readonly string[]): Promise<ReadonlySet<string>>;
  /** Rows of the ledger after a sequence number. */
  ledger(after: number, limit: number): Promise<readonly LedgerRow[]>;
  /** Rows of the ledger of one tender, in order. */
  ledgerOf(tender: string, query: LedgerQuery): Promise<readonly LedgerRow[]>;
  /** A secret that the servers of the registry share; `make` creates it if there is none yet. */
  secret(name: string, make: () => string): Promise<string>;
  secrets(): Promise<ReadonlyMap<string, string>>;
  /** Adds or replaces a secret. Running servers use it after a restart. */
  putSecret(name: string, secret: string): Promise<void>;
  /** Appends past changes to the ledger, all or none. Rejects if they do not continue exactly where it ends. */
  append(past: readonly PastChange[]): Promise<void>;
  /**
   * Adds the next tenders that were published before there was a search index to it. Resolves to the progress, or to nothing once all
   * tenders are indexed. Several servers may call it: each batch is indexed once.
   */
  backfillIndex(tendersMax?: number): Promise<BackfillProgress | undefined>;
  /** Opens a snapshot, which the caller closes. */
  scan(): Promise<Scan>;
  /** Reads from the database, not from the cache; rejects if that fails. */
  ping(): Promise<void>;
  /** The connections of this process to its database server; none for SQLite. */
  connections(): readonly DatabaseConnection[];
  close(): Promise<void>;
};
