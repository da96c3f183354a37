import { isDeepStrictEqual } from "node:util";
import { type BidChange, bidChangesBetween } from "../domain/bids/bidChanges.ts";
import type { Bid, Tender } from "../domain/model/tender.ts";
import { bidBytes } from "../domain/tender/sizeRules.ts";
import type { Instant } from "../domain/values/time.ts";
import type { CategoryName } from "../indexing/categoryNames.ts";
import type { Contribution } from "../indexing/statistics.ts";
import { facetsOf } from "./facets.ts";
import {
  addedContributions,
  type OrganizationRow,
  publishedCategoryNames,
  publishedOrganizations,
} from "./search/indexChanges.ts";
import {
  type SearchChange,
  type SearchRow,
  type SearchWrite,
  searchChangeOf,
  searchRowOf,
} from "./search/searchRows.ts";
import {
  countedStatusOf,
  type DailyNumber,
  type Facets,
  isFirstPatchOf,
  type Listing,
  listingOf,
  type Position,
  type RecordKind,
  type StoredTender,
  type TenderChange,
} from "./store.ts";

/** Changes as the rows that a commit writes. */

/** How a row writes a bid: puts it in its place or, if it is new, at the end, or removes it. */
export type BidWrite<Text = string> =
  | { readonly id: string; readonly owner: string; readonly bytes: number; readonly document: Text }
  | { readonly id: string; readonly document?: never };

/** By how much the totals of an account change. */
export type BidTotalChange = {
  readonly owner: string;
  readonly count: number;
  readonly bytes: number;
  readonly changes: number;
};

/**
 * A change as it is written: its row of the ledger, the new state of the tender and of bids, and its files. `Text` is the type of texts
 * that may be long, such as JSON: a string, or its bytes.
 */
export type ChangeRow<Text = string> = {
  readonly sequence: number;
  readonly at: Instant;
  readonly kind: RecordKind;
  /** The id of the tender. */
  readonly id: string;
  /** The id of the tender or of the bid. */
  readonly record: string;
  readonly actor: string | null;
  readonly act: string;
  readonly patch: Text;
  readonly files: readonly string[];
  /** The new state of the tender; absent if only a bid changed. */
  readonly tender: TenderState<Text> | undefined;
  readonly bids: readonly BidWrite<Text>[];
  /** All bids of the tender are removed before `bids` are written. */
  readonly clearsBids: boolean;
  readonly bidTotals: readonly BidTotalChange[];
  readonly searchChange: SearchChange;
  /** The new row of the search index. If a commit has several rows of a tender, only the last one that changes it has it. */
  readonly searchRow: SearchRow<Text> | undefined;
  /** What the change adds to the sums of the statistics. */
  readonly contributions: readonly Contribution[];
  /** The organisations that the change has published. */
  readonly organizations: readonly OrganizationRow[];
  /** The names of categories that the change has published. */
  readonly categoryNames: readonly CategoryName[];
};

/** The state of a tender as it is written, and what it changes in the indexes and counters. */
export type TenderState<Text = string> = {
  readonly id: string;
  readonly revision: number;
  /** What `storedDocument` returns. If a commit has several rows of a tender, only that of the last is used. */
  readonly document: Text;
  readonly status: string;
  readonly listing: Listing;
  readonly dateModified: Instant;
  readonly wakeAt: Instant | null;
  readonly clock: string | null;
  readonly facets: Facets;
  readonly indexUpdate: IndexUpdate;
  readonly day: string | null;
  readonly dailyNumber: number;
  /** The statuses under which the tender was counted before and is counted now. */
  readonly countedStatusBefore: string | undefined;
  readonly countedStatus: string | undefined;
};

/** The row that writes a change. */
export function rowOf(
  change: TenderChange,
  before: StoredTender | undefined,
  position: Position,
  assigned: DailyNumber | undefined,
): ChangeRow {
  const row = incompleteRowOf(change, before, position, assigned);
  return {
    ...row,
    tender: row.tender && { ...row.tender, document: storedDocument(change, before) },
    searchRow: neededSearchRow(row, change),
  };
}

/** The row of the search index that a change needs. */
export const neededSearchRow = (
  { searchChange, tender: state }: ChangeRow,
  { tender }: TenderChange,
): SearchRow | undefined =>
  searchChange === "publication" || searchChange === "update" ? searchRowOf(tender, state?.facets) : undefined;

/** The same without its JSON and its row of the search index, which are not needed if a later row of the commit replaces them. */
export function incompleteRowOf(
  change: TenderChange,
  before: StoredTender | undefined,
  { sequence, at }: Position,
  assigned: DailyNumber | undefined,
  skipsIndex = false,
): ChangeRow {
  const { tender, kind = "tender", actor, act, patch, files } = change;
  const { changes, isReordered } = bidChangesBetween(before?.tender.bids ?? [], tender.bids);
  const searchChange = skipsIndex ? "none" : searchChangeOf(before?.tender, tender);
  if (before?.bids === "none" && changes.length > 0)
    throw new Error("a decision changed bids that it had not asked for");
  return {
    sequence,
    at,
    kind,
    id: tender.id,
    record: kind === "bid" ? singleBidId(changes) : tender.id,
    actor: actor ?? null,
    act,
    patch,
    files,
    tender: kind === "bid" ? undefined : tenderStateOf(change, before, assigned),
    bids: changes.map(bidWriteOf),
    clearsBids: isReordered,
    bidTotals: bidTotalChanges(kind, changes),
    searchChange,
    searchRow: undefined,
    contributions: skipsIndex ? [] : addedContributions(before?.tender, tender),
    organizations: publishedOrganizations(before?.tender, tender, searchChange),
    categoryNames: publishedCategoryNames(before?.tender, tender, searchChange),
  };
}

/** The JSON that is stored with the tender: none if the row of the ledger has it, which is so until the tender changes. */
export const storedDocument = ({ document, patch }: TenderChange, before: StoredTender | undefined): string =>
  before === undefined && isFirstPatchOf(document, patch) ? "" : document;

function tenderStateOf(
  { tender, wakeAt }: TenderChange,
  before: StoredTender | undefined,
  assigned: DailyNumber | undefined,
): TenderState {
  const { id, status, dateModified } = tender;
  const facets = facetsOf(tender);
  return {
    id,
    revision: (before?.revision ?? 0) + 1,
    document: "",
    status,
    listing: listingOf(tender),
    dateModified,
    wakeAt: wakeAt ?? null,
    clock: tender.testClock ?? null,
    facets,
    indexUpdate: indexUpdateOf(before?.tender, tender, facets),
    day: assigned?.day ?? null,
    dailyNumber: assigned?.number ?? 0,
    countedStatusBefore: before && countedStatusOf(before.tender),
    countedStatus: countedStatusOf(tender),
  };
}

function singleBidId([change, ...others]: readonly BidChange[]): string {
  if (!change || others.length > 0) throw new Error("a change of a bid must change exactly one");
  return change.id;
}

const bidWriteOf = ({ id, bid }: BidChange): BidWrite =>
  bid ? { id, owner: bid.owner, bytes: bidBytes(bid), document: JSON.stringify(bid) } : { id };

function bidTotalChanges(kind: RecordKind, bids: readonly BidChange[]): readonly BidTotalChange[] {
  const totals = new Map<string, BidTotalChange>();
  // A change of a bid is counted once, even if a repair gives the bid to another account.
  let uncounted = kind === "bid" ? 1 : 0;
  const add = (bid: Bid | undefined, sign: 1 | -1) => {
    if (!bid) return;
    const { owner } = bid;
    const { count, bytes, changes } = totals.get(owner) ?? { count: 0, bytes: 0, changes: uncounted };
    uncounted = 0;
    totals.set(owner, { owner, count: count + sign, bytes: bytes + sign * bidBytes(bid), changes });
  };
  for (const { before, bid } of bids) {
    add(before, -1);
    add(bid, 1);
  }
  return [...totals.values()];
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
export type TenderWrite<Text = string> = {
  readonly state: TenderState<Text>;
  /** 0 for a new tender. */
  readonly revisionBefore: number;
  /** The sequence number of the tender's first row in the commit, for a new tender that of its first row at all. */
  readonly firstRow: number;
  readonly indexUpdate: IndexUpdate;
  /** The number of its row in the search index, if it was created as a public tender. */
  readonly publicRow: number | null;
};

/** The total effect of the rows of a commit. */
export type CommitSummary<Text = string> = {
  /** The last state of each tender, with the revision that it had before the commit. */
  readonly tenderWrites: readonly TenderWrite<Text>[];
  /** By how much the totals of bids change. */
  readonly bidTotals: readonly (BidTotalChange & { readonly tender: string })[];
  /** The last number of each day that assigned one. */
  readonly numbers: ReadonlyMap<string, number>;
  /** By how much the number of tenders in each status changes. */
  readonly counts: ReadonlyMap<string, number>;
  /** The rows of the search index that are written or removed. */
  readonly searchWrites: readonly SearchWrite<Text>[];
};

/** Summarises the rows of a commit, so that each tender, total, day and status is written once. */
export function summariseRows<Text>(rows: readonly ChangeRow<Text>[]): CommitSummary<Text> {
  const tenderWrites = new Map<string, TenderWrite<Text>>();
  const searchWrites = summariseSearch(rows);
  const numbers = new Map<string, number>();
  const counts = new Map<string, number>();
  const count = (status: string | undefined, by: number) => {
    if (status !== undefined) counts.set(status, (counts.get(status) ?? 0) + by);
  };
  for (const row of rows) {
    const { tender: state } = row;
    if (!state) continue;
    const earlier = tenderWrites.get(row.id);
    const { revisionBefore, firstRow } = earlier ?? { revisionBefore: state.revision - 1, firstRow: row.sequence };
    const indexUpdate = widerUpdate(state.indexUpdate, earlier?.indexUpdate ?? "not");
    const searchWrite = searchWrites.get(row.id);
    const publicRow = (searchWrite?.isNew ? searchWrite.publicRow : null) ?? null;
    tenderWrites.set(row.id, { state, revisionBefore, firstRow, indexUpdate, publicRow });
    if (state.day !== null) numbers.set(state.day, state.dailyNumber);
    count(state.countedStatusBefore, -1);
    count(state.countedStatus, 1);
  }
  for (const [status, by] of counts) if (by === 0) counts.delete(status);
  return {
    tenderWrites: [...tenderWrites.values()],
    bidTotals: summariseTotals(rows),
    numbers,
    counts,
    searchWrites: [...searchWrites.values()],
  };
}

function summariseSearch<Text>(rows: readonly ChangeRow<Text>[]): ReadonlyMap<string, SearchWrite<Text>> {
  const writes = new Map<string, SearchWrite<Text>>();
  for (const { id, sequence, searchChange, searchRow, tender } of rows) {
    if (searchChange === "none") continue;
    const earlier = writes.get(id);
    const publicRow = searchChange === "publication" ? sequence : earlier?.publicRow;
    writes.set(id, {
      id,
      publicRow: searchChange === "removal" ? undefined : publicRow,
      row: searchRow,
      isNew: earlier?.isNew ?? tender?.revision === 1,
    });
  }
  return writes;
}

function summariseTotals(rows: readonly ChangeRow<unknown>[]): CommitSummary["bidTotals"] {
  const totals = new Map<string, CommitSummary["bidTotals"][number]>();
  for (const { id: tender, bidTotals } of rows)
    for (const { owner, count, bytes, changes } of bidTotals) {
      const earlier = totals.get(`${tender} ${owner}`) ?? { count: 0, bytes: 0, changes: 0 };
      totals.set(`${tender} ${owner}`, {
        tender,
        owner,
        count: earlier.count + count,
        bytes: earlier.bytes + bytes,
        changes: earlier.changes + changes,
      });
    }
  return [...totals.values()];
}
