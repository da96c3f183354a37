import type { Tender } from "../domain/model/tender.ts";
import type { Instant } from "../domain/values/time.ts";
import type { Facets } from "./facets.ts";
import type { FeedQuery } from "./feedQuery.ts";

export { type Facets, facetsOf } from "./facets.ts";
export {
  type FeedQuery,
  FILTERED_DATES,
  type Filter,
  type FilteredDate,
  type Modes,
  type ValueRange,
} from "./feedQuery.ts";

/** A tender as it is kept. The same object is handed out until the tender changes. */
export type StoredTender = { readonly tender: Tender; readonly revision: number };

/** Every public change moves `dateModified`, and nothing else does: it names the public view of a tender. */
export type PublicView = Pick<Tender, "id" | "dateModified">;

/** What the store gives to a decision: its place in the one order of all changes. */
export type WriteContext = {
  /** Unique and strictly rising over the whole registry, in the order of commit. */
  readonly at: Instant;
  /** The next number of that day; it is taken only if the decision is written. */
  readonly nextDailyNumber: (day: string) => number;
  /** What was asked to be seen, in that order: nobody can change it before the decision is written. */
  readonly notes: readonly (KeyValueEntry | undefined)[];
};

/**
 * What is kept beside the tenders and is not of the ledger: clocks of the sandbox, answers to be given again, who wants to
 * be told of changes. Each is a text under a kind and an id, and may be due at some time.
 */
export type KeyValueEntry = EntryKey & {
  /** Counts how often it was written. */
  readonly revision: number;
  readonly dueAt: Instant | undefined;
  readonly text: string;
};
export type EntryKey = { readonly kind: string; readonly id: string };
/** A note as it is to be from now on; without a text it is gone. */
export type EntryWrite = EntryKey & { readonly text: string | undefined; readonly dueAt?: Instant };
/** Only if the note is in that revision still; 0, if there is none. */
export type ConditionalEntryWrite = EntryWrite & { readonly before: number };

export type KeyValueStore = {
  find(name: EntryKey): Promise<KeyValueEntry | undefined>;
  /** In the order of ids, by their bytes: those beyond that one, in the direction asked for. */
  list(query: EntryQuery): Promise<readonly KeyValueEntry[]>;
  /** Those that are due by then, the earliest first. */
  due(kind: string, by: Instant, limit: number): Promise<readonly KeyValueEntry[]>;
  /** All of them, or none where one is not in the revision it should be in. */
  put(puts: readonly ConditionalEntryWrite[]): Promise<boolean>;
};
export type EntryQuery = {
  readonly kind: string;
  readonly beyond?: string;
  readonly descending?: boolean;
  readonly limit: number;
};

/** One row of the ledger, and with it the new state. */
export type TenderChange = {
  readonly tender: Tender;
  /** The same as text, the way it is kept; asked for only where it is written. */
  readonly document: string;
  /** When time alone will change this tender next. */
  readonly wakeAt: Instant | undefined;
  readonly actor: string | undefined;
  readonly act: string;
  /** Operations that lead from the state before to this one. */
  readonly patch: string;
  /** The keys of files that this change is the first to name. */
  readonly files: readonly string[];
};

/** Decided in the order of commit: nothing can come between what it saw and what it writes. */
export type Decision<Answer> = (current: StoredTender | undefined, context: WriteContext) => DecisionResult<Answer>;

/**
 * What is written with a decision: the change, and notes in the place of those of their names. Revisions are counted on from the
 * notes that were asked for; any other begins anew.
 */
export type DecisionResult<Answer> = { change?: TenderChange; notes?: readonly EntryWrite[]; result: Answer };

/** Where the ledger stands: the number of its last row, and that row's instant. Both rise with every change. */
export type Position = { readonly sequence: number; readonly at: Instant };

export type DailyNumber = { readonly day: string; readonly number: number };

/** A change that was made elsewhere or earlier, and keeps its place in the order. */
export type PastChange = Position & {
  readonly change: TenderChange;
  /** What it was made of. */
  readonly before: StoredTender | undefined;
  /** The number of the day that it took. */
  readonly taken: DailyNumber | undefined;
};

export type Listing = "draft" | "real" | "test";

export const listingOf = ({ status, mode }: Tender): Listing => (status === "draft" ? "draft" : (mode ?? "real"));

/** Drafts and tests are not counted. */
export const countedStatusOf = (tender: Tender): string | undefined =>
  listingOf(tender) === "real" ? tender.status : undefined;

export type FeedRow = { readonly id: string; readonly dateModified: Instant };

export type LedgerRow = {
  readonly sequence: number;
  readonly at: Instant;
  readonly tender: string;
  readonly actor: string | undefined;
  readonly act: string;
  readonly patch: string;
};

/** A tender with all that is kept beside its text, as the database has it. */
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
};

export type FileRow = { readonly tender: string; readonly key: string };

/** Everything as of one moment, whatever is written meanwhile. Tenders come in the order of the bytes of their ids. */
export type Scan = {
  readonly position: Position;
  /** Every place of the ledger, in its order. */
  positions(): AsyncIterable<Position>;
  /** The ledger by tender, and each tender's in its order: of those alone that changed after that row. */
  histories(changedAfter: number): AsyncIterable<LedgerRow>;
  tenders(): AsyncIterable<TenderRow>;
  /** By tender. */
  files(): AsyncIterable<FileRow>;
  /** The last number of each day. */
  days(): Promise<ReadonlyMap<string, number>>;
  statuses(): Promise<ReadonlyMap<string, number>>;
  close(): Promise<void>;
};

/** The store cannot be reached or written to for the moment. What was asked may be asked again. */
export class StoreUnavailableError extends Error {}

/** The disk of the store is full: nothing of what was asked is written, and nothing will be until there is room. */
export class DiskFullError extends StoreUnavailableError {}

/** A change names a file as the first that does so, and another has done it before. */
export class FileTakenError extends Error {}

/** A connection to a database server. */
export type DatabaseConnection = {
  readonly role: "read" | "write" | "replica";
  readonly isOpen: boolean;
  /** Statements that wait for an answer. */
  readonly pending: number;
};

/** Reads see every change that was acknowledged before they were asked, whichever server acknowledged it. */
export type Store = {
  /** The one clock of the registry, whichever server is asked. */
  clock(): Instant;
  find(id: string): Promise<StoredTender | undefined>;
  /**
   * Whether the public view of a tender that was found before is the same now: sealed bids do not change it, and must not be
   * told from the time that an answer takes. It says so at once where nobody else can write.
   */
  isFresh(tender: PublicView): boolean | Promise<boolean>;
  /** Whether a tender was asked for again not long ago, so that what is made of it is worth keeping. */
  isWorthCaching(tender: PublicView): boolean;
  /** When the public view of any tender last changed, whichever server changed it; pages made since then are the same. */
  publicPosition(): Promise<Instant>;
  /** The same, where nobody else can write and it is therefore known. */
  knownPublicPosition(): Instant | undefined;
  /** Resolves once what was decided is on disk; `id` is absent for a tender that is to be made. The decision is shown the notes of these names. */
  write<Answer>(id: string | undefined, decision: Decision<Answer>, keys?: readonly EntryKey[]): Promise<Answer>;
  feed(query: FeedQuery): Promise<readonly FeedRow[]>;
  /** The number of the last change, whichever server made it; pages made at the same number are the same. */
  position(): Promise<number>;
  /** The same, where nobody else can write and it is therefore known. */
  knownPosition(): number | undefined;
  /** By everybody's time, or by that of a test clock. */
  due(by: Instant, limit: number, clock?: string): Promise<readonly string[]>;
  nextWake(clock?: string): Promise<Instant | undefined>;
  /** The tenders that live on a test clock, in the order of their ids. */
  onClock(clock: string, limit: number): Promise<readonly string[]>;
  readonly notes: KeyValueStore;
  countByStatus(): Promise<ReadonlyMap<string, number>>;
  knownFiles(keys: readonly string[]): Promise<ReadonlySet<string>>;
  ledger(after: number, limit: number): Promise<readonly LedgerRow[]>;
  /** What all servers of one registry share and nobody else may know; made by `make` where there is none yet. */
  secret(name: string, make: () => string): Promise<string>;
  secrets(): Promise<ReadonlyMap<string, string>>;
  /** In the place of the one of that name, if there is one; servers that run know of it after a new start. */
  putSecret(name: string, secret: string): Promise<void>;
  /** Rows that go on exactly where the ledger ends, each made of what it says it was made of; all of them or none. */
  append(past: readonly PastChange[]): Promise<void>;
  /** To be closed by whoever asked for it. */
  scan(): Promise<Scan>;
  /** Asks the disk, not the memory; rejects when it cannot answer. */
  ping(): Promise<void>;
  /** Those that this process keeps open to its database server; none where the database is a file. */
  connections(): readonly DatabaseConnection[];
  close(): Promise<void>;
};
