import { hashOf, newId } from "../base/secrets.ts";
import type { BidSelection } from "../domain/bids/bidSelection.ts";
import { areBidsPublic, isBeforeDeadline } from "../domain/bids/sealing.ts";
import { nextDeadline } from "../domain/deadlines.ts";
import { decideByTime } from "../domain/decide.ts";
import type { Actor } from "../domain/model/actors.ts";
import type { CommandContext, CommandOutcome, Interruption } from "../domain/model/commands.ts";
import type { DomainResult } from "../domain/model/refusals.ts";
import { ok, refuse } from "../domain/model/result.ts";
import type { SizeLimits } from "../domain/model/sizeLimits.ts";
import type { Tender } from "../domain/model/tender.ts";
import type { Instant, Zone } from "../domain/values/time.ts";
import { haveSameDocument } from "../indexing/searchDocument.ts";
import type { Act } from "../ledger/acts.ts";
import type { Decision, EntryKey, EntryWrite, RequestedEntries, Store, StoredTender } from "../store/store.ts";
import { listingWrites } from "./auctionListings.ts";
import {
  entriesToRecord,
  type IdempotencyRecord,
  keysToRead,
  type OverQuota,
  type RecordedKind,
  type Replay,
  replayOf,
} from "./idempotencyRecords.ts";
import { changeOf, withRealModificationTime } from "./tenderChange.ts";
import { clockKey, timeOnClock } from "./testClocks.ts";

/** The outcome of a command that was accepted and stored. */
export type CommittedCommand = CommandOutcome & {
  /** The owner token of the created object. Only its hash is stored, so this is the only time it is known. */
  readonly token: string;
};

/** Options of a write. */
export type WriteOptions = {
  /** The test clock of the sandbox that the tender runs on. */
  readonly testClock?: string;
  /** Decides as usual, but writes nothing. */
  readonly isDryRun?: boolean;
  /** Returns "moved" without deciding if this is false for the current tender (If-Match). */
  readonly precondition?: (tender: Tender) => boolean;
  /** Records the response in the same commit; a repeated request gets the recorded response, and nothing is decided. */
  readonly idempotency?: IdempotencyRecord<DomainResult<CommittedCommand>>;
  /** The keys of uploads that this change is the first to refer to; default: the file of the command. */
  readonly files?: readonly string[];
};

/**
 * The decision, which is on disk if it was accepted; or the recorded response to an earlier request; or one of two reasons why
 * nothing was decided: the idempotency quota is used up, or the precondition failed ("moved").
 */
export type WriteResult = DomainResult<CommittedCommand> | Replay | OverQuota | "moved";

/** Who writes, and how the ledger records it. */
export type WriteRequest = {
  readonly actor: Actor;
  /** What the ledger calls the change; called after the decision. */
  readonly act: () => Act;
  readonly files?: readonly string[];
  readonly options?: WriteOptions;
  /** The bids that the decision needs; default: all. */
  readonly bidsNeeded?: (tender: Tender) => BidSelection;
  /** The key-value entries that the decision needs. */
  readonly keys?: readonly EntryKey[];
};

/** What a decision may need of the transaction. */
export type DecisionInput = {
  readonly nextDailyNumber: (day: string) => number;
  /** Counts all changes of the tender and its bids; undefined if there is no tender. */
  readonly revision: number | undefined;
  /** Those that the request names. */
  readonly entries: RequestedEntries;
};

/** What a decision returns: the outcome, and the key-value entries that it writes. */
export type DecidedOutcome = CommandOutcome & { readonly entries?: readonly EntryWrite[] };

/** The only way to write a tender: decides inside the commit, on exactly the state that it replaces and at the instant of the commit. */
export type WriteTender = (
  id: string | undefined,
  request: WriteRequest,
  decision: (
    current: Tender | undefined,
    context: CommandContext,
    input: DecisionInput,
  ) => DomainResult<DecidedOutcome>,
) => Promise<WriteResult>;

/** Records a response together with entries that its request writes. */
export type RecordResponse = <Value>(
  idempotency: IdempotencyRecord<Value>,
  value: Value,
  kind: RecordedKind,
  writes?: readonly EntryWrite[],
) => Promise<Replay | OverQuota | undefined>;

export type TenderWriteSettings = {
  readonly store: Store;
  readonly zone: Zone;
  readonly sandbox: boolean;
  /** How large a tender may become. */
  readonly limits: SizeLimits;
  /** The last interruption of the service that is known. Tenders on test clocks know none. */
  readonly interruption?: () => Interruption | undefined;
};

/** Opens the writes of a registry. `onWritten` is called after each accepted command, with the test clock of the tender. */
export function openTenderWrites(
  { store, zone, sandbox, limits, interruption: lastInterruption }: TenderWriteSettings,
  onWritten: (tender: Tender, testClock: string | undefined) => Promise<void> | void,
) {
  function advanceTender(tender: Tender, by: Instant): Tender {
    for (let current = tender; ; ) {
      const due = nextDeadline(current);
      if (due === undefined || due > by) return current;
      current = decideByTime(current, { at: due, zone, sandbox, newId });
    }
  }

  const write: WriteTender = async (id, request, decision) => {
    const { actor, act, files = [], options = {}, bidsNeeded = () => "all", keys: requestedKeys = [] } = request;
    const token = newId();
    const newTokenHash = hashOf(token);
    const { testClock, idempotency, precondition, isDryRun } = options;
    const decideInCommit: Decision<WriteResult> = (stored, { at, nextDailyNumber, entries }) => {
      const replay = replayOf(idempotency, entries, at);
      if (replay) return { result: replay };
      const before = stored?.tender;
      const now = testClock ? timeOnClock(entries.find(clockKey(testClock)), at) : at;
      const needs = stored && missingBids(stored, isDue(stored.tender, now) ? "all" : bidsNeeded(stored.tender));
      if (needs) return { needs };
      if (before && precondition && !precondition(before)) return { result: "moved" };
      const bidTotals = stored?.bidTotals;
      const interruption = testClock ? undefined : lastInterruption?.();
      const context = { actor, at: now, zone, sandbox, newId, newTokenHash, limits, bidTotals, interruption };
      // A test clock may have jumped over several deadlines: each is applied at its own time.
      const advanced = before && testClock ? advanceTender(before, now) : before;
      const revision = stored && stored.revision + (stored.bidChanges ?? 0);
      const decided = decision(advanced, context, { nextDailyNumber, revision, entries });
      if (stored && decided.ok && mustSeeAllBids(stored, decided.value.tender, isDryRun === true, now))
        return { needs: "all" };
      const stamped = decided.ok
        ? ok({ ...decided.value, tender: withRealModificationTime(before, decided.value.tender, at), token })
        : decided;
      // A command may be refused and still change what is stored: the record of an auction has refused prices.
      const outcome = decided.ok && decided.value.refused ? refuse(decided.value.refused) : stamped;
      if (isDryRun) return { result: outcome };
      const recordEntries =
        idempotency && entriesToRecord(idempotency, outcome, entries, at, decided.ok ? "write" : "refusal");
      if (recordEntries && "overQuota" in recordEntries) return { result: recordEntries };
      const tender = stamped.ok ? stamped.value.tender : before;
      if (!tender || tender === before) return { result: outcome, entries: recordEntries };
      const written = [
        ...(recordEntries ?? []),
        ...((decided.ok && decided.value.entries) || []),
        ...listingWrites(before, tender),
      ];
      return { result: outcome, entries: written, change: changeOf(before, tender, actor, act(), files) };
    };
    const keys = [...(testClock ? [clockKey(testClock)] : []), ...keysToRead(idempotency), ...requestedKeys];
    const result = await store.write<WriteResult>(id, decideInCommit, keys);
    if (!isDryRun && result !== "moved" && "ok" in result && result.ok) {
      const following = onWritten(result.value.tender, testClock);
      if (following) await following;
    }
    return result;
  };

  return { write, advanceTender, recordResponse: openRecordResponse(store) };
}

const openRecordResponse =
  (store: Store): RecordResponse =>
  (idempotency, value, kind, writes = []) =>
    store.write<Replay | OverQuota | undefined>(
      undefined,
      (_none, { entries }) => {
        // The record is not part of the ledger, so the plain clock dates it.
        const now = store.clock();
        const replay = replayOf(idempotency, entries, now);
        if (replay) return { result: replay };
        const recordEntries = entriesToRecord(idempotency, value, entries, now, kind);
        if ("overQuota" in recordEntries) return { result: recordEntries };
        return { result: undefined, entries: [...writes, ...recordEntries] };
      },
      keysToRead(idempotency),
    );

/** Whether a deadline of the tender has passed and is not applied yet. */
export const isDue = (tender: Tender, now: Instant): boolean =>
  (nextDeadline(tender) ?? Number.POSITIVE_INFINITY) <= now;

/**
 * Whether a decision on some bids has to be repeated with all of them: a change of status may remove them or open them, and they are
 * part of what is indexed once they are open. Before the deadline a change of status can only remove sealed bids. A dry run then does without them, because it could be repeated to measure how many there are.
 */
function mustSeeAllBids({ tender, bids }: StoredTender, after: Tender, isDryRun: boolean, now: Instant): boolean {
  if (bids === "all") return false;
  // What is indexed of a tender whose bids are open depends on all of them.
  if (after.status === tender.status) return areBidsPublic(after) && !haveSameDocument(tender, after);
  return !(isDryRun && isBeforeDeadline(tender, now));
}

/** What has to be read besides the bids that a decision was given; nothing if they suffice. */
function missingBids({ bids }: StoredTender, needed: BidSelection): Exclude<BidSelection, "none"> | undefined {
  if (needed === "none" || bids === "all") return undefined;
  return needed !== "all" && typeof bids === "object" && "bid" in bids && bids.bid === needed.bid ? undefined : needed;
}
