import { isDeepStrictEqual } from "node:util";
import type { Tender } from "../domain/tender.ts";
import type { Instant } from "../domain/time.ts";
import { facetsOf } from "./facets.ts";
import {
  type Change,
  countedUnder,
  type Facets,
  type FeedRow,
  type Listing,
  listingOf,
  type NewNote,
  type Notes,
  type NumberOfDay,
  type Position,
  type Store,
  type Stored,
} from "./store.ts";

export type { Listing, NumberOfDay, Position } from "./store.ts";

/** A note as it goes to disk. */
export type NoteRow = NewNote & { readonly revision: number };

/** A tender as the database has it. */
export type Kept = { readonly revision: number; readonly document: string };

/** The right to write, which one server has at a time: from here to the end of it nobody else changes anything. */
export type WritingTurn = {
  readonly position: Position;
  /** Ends the turn. Resolves once all of it is on disk; if it rejects, nothing of it is there. */
  commit(rows: readonly Row[], notes?: readonly NoteRow[]): Promise<void>;
  /** Ends the turn without a trace. */
  leave(): Promise<void>;
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
  readonly notes: Omit<Notes, "put">;
  /** The position, where nobody else can write: then what was acknowledged is what this process was told. */
  knownPosition(): Position | undefined;
  /** As of a moment after it was asked for. */
  position(): Promise<Position>;
  /** The tenders that changed after that row of the ledger, as they are now; "many" where they are more than `most`. */
  changedSince(sequence: number, most: number): Promise<readonly FeedRow[] | "many">;
  load(id: string): Promise<Kept | undefined>;
  lastNumber(day: string): Promise<number>;
  begin(): Promise<WritingTurn>;
};

/** One change as it goes to disk: the tender's new state, its row of the ledger, and what it took. */
export type Row = {
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
  readonly refound: Refound;
  readonly actor: string | null;
  readonly act: string;
  readonly patch: string;
  readonly files: readonly string[];
  readonly day: string | null;
  readonly numberOfDay: number;
  /** The statuses that it is counted under, before and now. */
  readonly uncounted: string | undefined;
  readonly counted: string | undefined;
};

export function rowOf(
  change: Change,
  before: Stored | undefined,
  { sequence, at }: Position,
  taken: NumberOfDay | undefined,
  document: string = change.document,
): Row {
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
    refound: refoundBy(before?.tender, tender, facets),
    actor: actor ?? null,
    act,
    patch,
    files,
    day: taken?.day ?? null,
    numberOfDay: taken?.number ?? 0,
    uncounted: before && countedUnder(before.tender),
    counted: countedUnder(tender),
  };
}

/** How much of what a tender is found by a change writes anew: each of these includes those before it. */
const REFOUND = ["not", "moved", "facets", "classifications"] as const;
export type Refound = (typeof REFOUND)[number];

const moreOf = (one: Refound, other: Refound): Refound =>
  REFOUND[Math.max(REFOUND.indexOf(one), REFOUND.indexOf(other))]!;

/** Most changes move a tender in the order of change and leave the rest; a sealed bid does not even do that. */
function refoundBy(before: Tender | undefined, after: Tender, facets: Facets): Refound {
  if (!before) return "classifications";
  const { classifications, ...rest } = facetsOf(before);
  if (!isDeepStrictEqual(classifications, facets.classifications)) return "classifications";
  if (!isDeepStrictEqual({ ...rest, classifications }, facets)) return "facets";
  const names = ["dateModified", "status", "mode"] as const;
  return names.every((name) => before[name] === after[name]) ? "not" : "moved";
}

export type State = {
  readonly row: Row;
  readonly revisionBefore: number;
  /** The row of the ledger that a new tender begins with. */
  readonly firstRow: number;
  readonly refound: Refound;
};

/** What a group of rows comes to: each tender's last state once, with the revision that it had before the group. */
export type Sum = {
  readonly states: readonly State[];
  readonly numbers: ReadonlyMap<string, number>;
  readonly counts: ReadonlyMap<string, number>;
};

export function sumOf(rows: readonly Row[]): Sum {
  const states = new Map<string, State>();
  const numbers = new Map<string, number>();
  const counts = new Map<string, number>();
  const count = (status: string | undefined, by: number) => {
    if (status !== undefined) counts.set(status, (counts.get(status) ?? 0) + by);
  };
  for (const row of rows) {
    const earlier = states.get(row.id);
    const { revisionBefore, firstRow } = earlier ?? { revisionBefore: row.revision - 1, firstRow: row.sequence };
    states.set(row.id, { row, revisionBefore, firstRow, refound: moreOf(row.refound, earlier?.refound ?? "not") });
    if (row.day !== null) numbers.set(row.day, row.numberOfDay);
    count(row.uncounted, -1);
    count(row.counted, 1);
  }
  for (const [status, by] of counts) if (by === 0) counts.delete(status);
  return { states: [...states.values()], numbers, counts };
}
