import type { Tender } from "../domain/tender.ts";
import type { Instant } from "../domain/time.ts";

/** A tender as it is kept. The same object is handed out until the tender changes, so what is derived from it may be kept beside it. */
export type Stored = { readonly tender: Tender; readonly revision: number };

/** What the store gives to a decision: its place in the one order of all changes. */
export type Turn = {
  /** Unique and strictly rising over the whole registry, in the order of commit. */
  readonly at: Instant;
  /** The next number of that day; it is taken only if the decision is written. */
  readonly numberOfDay: (day: string) => number;
};

/** One row of the ledger, and with it the new state. */
export type Change = {
  readonly tender: Tender;
  /** The same as text, the way it is kept. */
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
export type Decision<Answer> = (current: Stored | undefined, turn: Turn) => { change?: Change; answer: Answer };

export type Modes = "real" | "test" | "all";
export type FeedQuery = {
  readonly modes: Modes;
  readonly descending: boolean;
  /** Rows strictly beyond this moment, in the direction asked for. */
  readonly beyond: Instant | undefined;
  readonly limit: number;
};
export type FeedRow = { readonly id: string; readonly dateModified: Instant };

export type LedgerRow = {
  readonly sequence: number;
  readonly at: Instant;
  readonly tender: string;
  readonly actor: string | undefined;
  readonly act: string;
  readonly patch: string;
};

/** The store cannot be reached or written to for the moment. What was asked may be asked again. */
export class Unavailable extends Error {}

/** Reads see every change that was acknowledged before they were asked, whichever server acknowledged it. */
export type Store = {
  find(id: string): Promise<Stored | undefined>;
  /** Resolves once what was decided is on disk; `id` is absent for a tender that is to be made. */
  write<Answer>(id: string | undefined, decision: Decision<Answer>): Promise<Answer>;
  feed(query: FeedQuery): Promise<readonly FeedRow[]>;
  /** The number of the last change, whichever server made it; pages made at the same number are the same. */
  position(): Promise<number>;
  due(by: Instant, limit: number): Promise<readonly string[]>;
  nextWake(): Promise<Instant | undefined>;
  countByStatus(): Promise<ReadonlyMap<string, number>>;
  knownFiles(keys: readonly string[]): Promise<ReadonlySet<string>>;
  ledger(after: number, limit: number): Promise<readonly LedgerRow[]>;
  /** What all servers of one registry share and nobody else may know; made by `make` where there is none yet. */
  secret(name: string, make: () => string): Promise<string>;
  /** Asks the disk, not the memory; rejects when it cannot answer. */
  ping(): Promise<void>;
  close(): Promise<void>;
};
