import { hashOf, newId } from "../base/secrets.ts";
import { nextDeadline } from "../domain/deadlines.ts";
import { decide, decideByTime } from "../domain/decide.ts";
import type { Actor } from "../domain/model/actors.ts";
import type { CommandContext, CommandOutcome, Publication, TenderCommand } from "../domain/model/commands.ts";
import type { DomainResult } from "../domain/model/refusals.ts";
import { notFound, ruleRefusal } from "../domain/model/refusals.ts";
import { ok } from "../domain/model/result.ts";
import type { SizeLimits } from "../domain/model/sizeLimits.ts";
import type { Tender } from "../domain/model/tender.ts";
import { publish as decidePublication } from "../domain/tender/publishing.ts";
import { allDocuments, replaceTender } from "../domain/tender/replacement.ts";
import type { Instant, Zone } from "../domain/values/time.ts";
import { REPLACE_ACT_PREFIX } from "../ledger/acts.ts";
import { type PatchOperation, patchBetween } from "../ledger/patch.ts";
import type { EntryWrite, FeedQuery, FeedRow, Store } from "../store/store.ts";
import { openChangeNotifier } from "./changeNotifier.ts";
import {
  entriesToRecord,
  type IdempotencyRecord,
  keysToRead,
  type OverQuota,
  type RecordKind,
  type Replay,
  replayOf,
} from "./idempotencyRecords.ts";
import { changeOf, withRealModificationTime } from "./tenderChange.ts";
import { clockKey, openTestClocks, type TestClocks, timeOnClock } from "./testClocks.ts";
import { openTicker } from "./ticker.ts";

/** The outcome of a command that was accepted and stored. */
export type Committed = CommandOutcome & {
  /** The owner token of the created object. Only its hash is stored, so this is the only time it is known. */
  readonly token: string;
};

export type RegistrySettings = {
  readonly store: Store;
  readonly zone: Zone;
  readonly sandbox: boolean;
  /** How large a tender may become. */
  readonly limits: SizeLimits;
  readonly onTickFailure: (error: unknown) => void;
  /** Called after a deadline was applied, with its lateness and the duration, both in microseconds. */
  readonly onTick?: (late: Instant, took: Instant) => void;
  /** Whether a timer applies deadlines promptly (default). Without it they are applied when a tender is read or changed. */
  readonly runsTimer?: boolean | undefined;
};

/** An operator's replacement for a tender; refused if the tender is no longer in this revision. */
export type ReplaceRequest = {
  readonly tender: Tender;
  readonly revision: number;
  readonly reason: string;
  readonly force: boolean;
};
/** The tender after a replacement, and what changed; nothing if it was in this state already. */
export type ReplacementResult = { readonly tender: Tender; readonly changes: readonly PatchOperation[] };

/** The actor of repairs by an operator, who works on the machine itself and not over HTTP. */
const OPERATOR: Actor = { account: { name: "operator", group: "admins" } };

/** A command whose body can only be parsed against the tender that it changes, such as one that patches a list by position. */
export type DeferredCommand = { readonly read: (tender: Tender) => TenderCommand };

/** Options of a write. */
export type WriteOptions = {
  /** The test clock of the sandbox that the tender runs on. */
  readonly testClock?: string;
  /** Decides as usual, but writes nothing. */
  readonly isDryRun?: boolean;
  /** Returns "moved" without deciding if this is false for the current tender (If-Match). */
  readonly precondition?: (tender: Tender) => boolean;
  /** Records the response in the same commit; a repeated request gets the recorded response, and nothing is decided. */
  readonly idempotency?: IdempotencyRecord<DomainResult<Committed>>;
  /** The keys of uploads that this change is the first to refer to; default: the file of the command. */
  readonly files?: readonly string[];
};

/**
 * The decision, which is on disk if it was accepted; or the recorded response to an earlier request; or one of two reasons why
 * nothing was decided: the idempotency quota is used up, or the precondition failed ("moved").
 */
export type WriteResult = DomainResult<Committed> | Replay | OverQuota | "moved";

/**
 * The application service that connects the domain to the ports. Reads apply the deadlines that are due; every write, whether a
 * command, a deadline or a repair, is decided inside its commit.
 */
export type Registry = {
  /** The tender as of now, if it exists. */
  readonly tender: (id: string) => Promise<Tender | undefined>;
  /** Returns a function that checks whether the public view of this tender is still current; synchronous where no other process writes. */
  readonly freshnessCheckOf: (tender: Tender) => () => boolean | Promise<boolean>;
  readonly isWorthCaching: Store["isWorthCaching"];
  readonly publish: (publication: Publication, actor: Actor, options?: WriteOptions) => Promise<WriteResult>;
  /** Applies a command to the tender with this id. Refuses with "not found" if there is none. */
  readonly change: (
    id: string,
    command: TenderCommand | DeferredCommand,
    actor: Actor,
    options?: WriteOptions,
  ) => Promise<WriteResult>;
  /** Replaces a whole tender (repair by an operator). */
  readonly replace: (id: string, replacement: ReplaceRequest) => Promise<DomainResult<ReplacementResult>>;
  readonly feed: (query: FeedQuery) => Promise<readonly FeedRow[]>;
  /**
   * Applies all deadlines that are due, so that the next read is as of now. Returns the position of the last public change: while it
   * stays the same, so does the feed.
   */
  readonly catchUp: () => Promise<number>;
  /** Whether nothing public has changed since this position and nothing is due; synchronous where no other process writes. */
  readonly isFreshAt: (position: number) => boolean | Promise<boolean>;
  /** Calls the listener after each write of this process that may have changed something. Returns a function that unsubscribes. */
  readonly onChange: (listener: () => void) => () => void;
  readonly countByStatus: Store["countByStatus"];
  /** The current time for a tender: that of its test clock, or real time. */
  readonly nowFor: (tender: Pick<Tender, "testClock">) => Promise<Instant>;
  readonly clocks: TestClocks;
  /** The tender as its deadlines alone will have changed it by then; nothing is written. */
  readonly advanceTender: (tender: Tender, by: Instant) => Tender;
  readonly onClock: Store["onClock"];
  readonly keyValues: Store["keyValues"];
  /** Records the response to a request that did not go through `publish` or `change`, together with entries that it writes. */
  readonly recordResponse: <Value>(
    idempotency: IdempotencyRecord<Value>,
    value: Value,
    kind: RecordKind,
    writes?: readonly EntryWrite[],
  ) => Promise<Replay | OverQuota | undefined>;
  readonly ping: Store["ping"];
  /** Stops the timer of deadlines. The caller closes the store. */
  readonly stop: () => Promise<void>;
};

/** Opens the registry on a store. */
export function openRegistry({
  store,
  zone,
  sandbox,
  limits,
  onTickFailure,
  onTick,
  runsTimer = true,
}: RegistrySettings): Registry {
  const { clock } = store;
  const ticker = openTicker({ clock, store, tick, onFailure: onTickFailure, runsTimer });
  const clocks = openTestClocks({ store, tick });
  const changes = openChangeNotifier();

  /** The only way to write a tender: decides inside the commit, on exactly the state that it replaces and at the instant of the commit. */
  async function write(
    id: string | undefined,
    { actor, act, files = [], options = {} }: WriteRequest,
    decision: (
      current: Tender | undefined,
      context: CommandContext,
      nextDailyNumber: (day: string) => number,
      revision: number | undefined,
    ) => DomainResult<CommandOutcome>,
  ): Promise<WriteResult> {
    const token = newId();
    const newTokenHash = hashOf(token);
    const { testClock, idempotency, precondition, isDryRun } = options;
    const keys = [...(testClock ? [clockKey(testClock)] : []), ...keysToRead(idempotency)];
    const result = await store.write<WriteResult>(
      id,
      (stored, { at, nextDailyNumber, entries }) => {
        const replay = replayOf(idempotency, entries, at);
        if (replay) return { result: replay };
        const before = stored?.tender;
        if (before && precondition && !precondition(before)) return { result: "moved" };
        const now = testClock ? timeOnClock(entries[0], at) : at;
        const context = { actor, at: now, zone, sandbox, newId, newTokenHash, limits };
        // A test clock may have jumped over several deadlines: each is applied at its own time.
        const advanced = before && testClock ? advanceTender(before, now) : before;
        const decided = decision(advanced, context, nextDailyNumber, stored?.revision);
        const outcome = decided.ok
          ? ok({ ...decided.value, tender: withRealModificationTime(before, decided.value.tender, at), token })
          : decided;
        if (isDryRun) return { result: outcome };
        const recordEntries =
          idempotency && entriesToRecord(idempotency, outcome, entries, at, decided.ok ? "write" : "refusal");
        if (recordEntries && "overQuota" in recordEntries) return { result: recordEntries };
        const tender = outcome.ok ? outcome.value.tender : before;
        return !tender || tender === before
          ? { result: outcome, entries: recordEntries }
          : { result: outcome, entries: recordEntries, change: changeOf(before, tender, actor, act(), files) };
      },
      keys,
    );
    if (isDryRun || typeof result === "string" || !("ok" in result) || !result.ok) return result;
    if (!testClock) ticker.schedule(nextDeadline(result.value.tender));
    changes.notify();
    return result;
  }

  const recordResponse: Registry["recordResponse"] = (idempotency, value, kind, writes = []) =>
    store.write<Replay | OverQuota | undefined>(
      undefined,
      (_none, { entries }) => {
        // The record is not part of the ledger, so the plain clock dates it.
        const now = clock();
        const replay = replayOf(idempotency, entries, now);
        if (replay) return { result: replay };
        const recordEntries = entriesToRecord(idempotency, value, entries, now, kind);
        if ("overQuota" in recordEntries) return { result: recordEntries };
        return { result: undefined, entries: [...writes, ...recordEntries] };
      },
      keysToRead(idempotency),
    );

  function publish(publication: Publication, actor: Actor, options: WriteOptions = {}): Promise<WriteResult> {
    const { testClock } = options;
    return write(undefined, { actor, act: () => "publish tender", options }, (_none, context, nextDailyNumber) => {
      const published = decidePublication(publication, context, nextDailyNumber);
      return published.ok ? ok({ tender: { ...published.value, ...(testClock && { testClock }) } }) : published;
    });
  }

  function change(
    id: string,
    command: TenderCommand | DeferredCommand,
    actor: Actor,
    options?: WriteOptions,
  ): Promise<WriteResult> {
    const files = options?.files ?? ("file" in command ? [command.file.key] : []);
    let kind = "read" in command ? "" : command.kind;
    return write(id, { actor, act: () => kind, files, options }, (tender, context) => {
      if (!tender) return notFound("tender");
      // Parsed on each attempt: a decision may have to be repeated on another state.
      const parsed = "read" in command ? command.read(tender) : command;
      kind = parsed.kind;
      return decide(tender, parsed, context);
    });
  }

  async function replace(
    id: string,
    { tender, revision, reason, force }: ReplaceRequest,
  ): Promise<DomainResult<ReplacementResult>> {
    const knownKeys = await store.knownFiles(allDocuments(tender).map(({ document }) => document.key));
    let before: Tender | undefined;
    const act = () => `${REPLACE_ACT_PREFIX}${reason}${force ? " (forced)" : ""}`;
    const testClock = (await store.find(id))?.tender.testClock;
    const result = await write(
      id,
      { actor: OPERATOR, act, options: { testClock } },
      (current, context, _nextDailyNumber, currentRevision) => {
        if (!current) return notFound("tender");
        if (currentRevision !== revision)
          return ruleRefusal("changed-meanwhile", "the tender was changed in the meantime: show it again");
        before = current;
        return replaceTender(current, { tender, force, hasFile: (key) => knownKeys.has(key) }, context);
      },
    );
    // Without an idempotency record or a precondition, `write` returns the decision.
    const decided = result as DomainResult<Committed>;
    if (!decided.ok) return decided;
    const after = decided.value.tender;
    return ok({ tender: after, changes: patchBetween(before, after) });
  }

  async function tick(id: string): Promise<void> {
    // Another server may have applied the deadline already; reading first is cheaper than a write transaction.
    const found = (await store.find(id))?.tender;
    if (!found) return;
    const startedAt = clock();
    const due = nextDeadline(found);
    if (due === undefined || due > (await nowFor(found))) return;
    const { testClock } = found;
    await write(id, { actor: {}, act: () => "advance", options: { testClock } }, (tender, context) =>
      tender ? ok({ tender: decideByTime(tender, context) }) : notFound("tender"),
    );
    if (!testClock) onTick?.(startedAt - due, clock() - startedAt);
  }

  /** Applies deadlines that have passed before it returns the tender, whether or not the timer has run. */
  async function tender(id: string): Promise<Tender | undefined> {
    const found = (await store.find(id))?.tender;
    if (!found || !isDue(found, found.testClock ? await nowFor(found) : clock())) return found;
    await tick(id);
    return (await store.find(id))?.tender;
  }

  function advanceTender(tender: Tender, by: Instant): Tender {
    for (let current = tender; ; ) {
      const due = nextDeadline(current);
      if (due === undefined || due > by) return current;
      current = decideByTime(current, { at: due, zone, sandbox, newId });
    }
  }

  async function nowFor({ testClock }: Pick<Tender, "testClock">): Promise<Instant> {
    return testClock ? timeOnClock(await store.keyValues.find(clockKey(testClock)), clock()) : clock();
  }

  function freshnessCheckOf(current: Tender): () => boolean | Promise<boolean> {
    const due = nextDeadline(current) ?? Number.POSITIVE_INFINITY;
    // Caches hold the returned function for long, so it must not keep the whole tender alive.
    const view = { id: current.id, dateModified: current.dateModified };
    return () => due > clock() && store.isFresh(view);
  }

  return {
    tender,
    freshnessCheckOf,
    isWorthCaching: store.isWorthCaching,
    publish,
    change,
    replace,
    feed: store.feed,
    catchUp: ticker.catchUp,
    isFreshAt: ticker.isFreshAt,
    onChange: changes.subscribe,
    countByStatus: store.countByStatus,
    nowFor,
    clocks,
    advanceTender,
    onClock: store.onClock,
    keyValues: store.keyValues,
    recordResponse,
    ping: store.ping,
    stop: ticker.stop,
  };
}

type WriteRequest = {
  readonly actor: Actor;
  /** What the ledger calls the change; called after the decision. */
  readonly act: () => string;
  readonly files?: readonly string[];
  readonly options?: WriteOptions;
};

const isDue = (tender: Tender, now: Instant): boolean => (nextDeadline(tender) ?? Number.POSITIVE_INFINITY) <= now;
