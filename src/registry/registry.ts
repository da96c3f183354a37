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
import { publish as decidePublication } from "../domain/publishing.ts";
import { allDocuments, replaceTender } from "../domain/replacement.ts";
import type { Instant, Zone } from "../domain/values/time.ts";
import { REPLACE_ACT_PREFIX } from "../ledger/acts.ts";
import { type PatchOperation, patchBetween } from "../ledger/patch.ts";
import type { EntryWrite, FeedQuery, FeedRow, Store, TenderChange } from "../store/store.ts";
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
import { clockKey, openTestClocks, type TestClocks, timeOnClock } from "./testClocks.ts";
import { openTicker } from "./ticker.ts";

export type Committed = CommandOutcome & {
  /** The owner token of what was created, told once. */
  readonly token: string;
};

export type RegistrySettings = {
  readonly store: Store;
  readonly zone: Zone;
  readonly sandbox: boolean;
  /** How large a tender may become. */
  readonly limits: SizeLimits;
  readonly onTickFailure: (error: unknown) => void;
  /** How late a deadline was when its turn came, and how long carrying it out took. */
  readonly onTick?: (late: Instant, took: Instant) => void;
  /** Whether deadlines are carried out by a timer, too, as they are unless it is said otherwise. */
  readonly runsTimer?: boolean | undefined;
};

/** A whole tender for the one that is kept, by somebody who saw it in that revision. */
export type ReplaceRequest = {
  readonly tender: Tender;
  readonly revision: number;
  readonly reason: string;
  readonly force: boolean;
};
/** What it came to; no changes where it was so already. */
export type ReplacementResult = { readonly tender: Tender; readonly changes: readonly PatchOperation[] };

/** Who repairs: at the machine itself, not over the interface. */
const OPERATOR: Actor = { account: { name: "operator", group: "admins" } };

export type DeferredCommand = { readonly read: (tender: Tender) => TenderCommand };

/** How a change is to be made, where it is not simply made. */
export type WriteOptions = {
  /** The clock of the sandbox that the tender lives on. */
  readonly testClock?: string;
  /** Everything is decided as it would be, and nothing written. */
  readonly isDryRun?: boolean;
  /** Only to a tender of which this is true. */
  readonly precondition?: (tender: Tender) => boolean;
  /** What is answered is written with what is decided; whoever asks again is told the same, and nothing is decided. */
  readonly idempotency?: IdempotencyRecord<DomainResult<Committed>>;
  /** The keys of uploads that this change is the first to name; default: the file of the command. */
  readonly files?: readonly string[];
};

/** What was decided, or what was recorded when it was; or the tender is not the one that was meant, or the record has no room. */
export type WriteResult = DomainResult<Committed> | Replay | OverQuota | "moved";

/** Where the domain meets the ports: everything read is as of now, everything written goes through one `change`. */
export type Registry = {
  readonly tender: (id: string) => Promise<Tender | undefined>;
  /** Tells, as often as it is asked, whether the public view of this tender is still the same; at once, where that is known. */
  readonly freshnessCheckOf: (tender: Tender) => () => boolean | Promise<boolean>;
  readonly isWorthCaching: Store["isWorthCaching"];
  readonly publish: (publication: Publication, actor: Actor, options?: WriteOptions) => Promise<WriteResult>;
  /** A command may have to be read against the tender that it changes; then it is, at the moment of the decision. */
  readonly change: (
    id: string,
    command: TenderCommand | DeferredCommand,
    actor: Actor,
    options?: WriteOptions,
  ) => Promise<WriteResult>;
  /** The operators' repair. */
  readonly replace: (id: string, replacement: ReplaceRequest) => Promise<DomainResult<ReplacementResult>>;
  readonly feed: (query: FeedQuery) => Promise<readonly FeedRow[]>;
  /**
   * Carries out whatever is due by now, so that what is read next is as of now. Answers when anything public last changed: as
   * long as it is that, the feed is the same.
   */
  readonly catchUp: () => Promise<number>;
  /** Whether nothing public has changed since, and nothing is due; at once, where that is known. */
  readonly isFreshAt: (position: number) => boolean | Promise<boolean>;
  /** Calls back after what may be a change by this server, once it is stored; answers how to stop that. */
  readonly onChange: (listener: () => void) => () => void;
  readonly countByStatus: Store["countByStatus"];
  /** What time it is for a tender, or on a clock of the sandbox. */
  readonly nowFor: (tender: Pick<Tender, "testClock">) => Promise<Instant>;
  readonly clocks: TestClocks;
  /** What time alone will have made of a tender by then. */
  readonly advanceTender: (tender: Tender, by: Instant) => Tender;
  readonly onClock: Store["onClock"];
  readonly notes: Store["notes"];
  /** Stores the answer to a request that no decision of the registry recorded, together with notes that it made. */
  readonly recordResponse: <Value>(
    idempotency: IdempotencyRecord<Value>,
    value: Value,
    kind: RecordKind,
    writes?: readonly EntryWrite[],
  ) => Promise<Replay | OverQuota | undefined>;
  readonly ping: Store["ping"];
  /** From then on nothing is carried out by itself; the store is its opener's to close. */
  readonly stop: () => Promise<void>;
};

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

  /** The one way to write: decided inside the commit, at the very instant that the commit is stamped with. */
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
      (stored, { at, nextDailyNumber, notes }) => {
        const replay = replayOf(idempotency, notes, at);
        if (replay) return { result: replay };
        const before = stored?.tender;
        if (before && precondition && !precondition(before)) return { result: "moved" };
        const now = testClock ? timeOnClock(notes[0], at) : at;
        const context = { actor, at: now, zone, sandbox, newId, newTokenHash, limits };
        // A test clock may have been moved far: what fell due on the way did so at its own moment.
        const advanced = before && testClock ? advanceTender(before, now) : before;
        const decided = decision(advanced, context, nextDailyNumber, stored?.revision);
        const tender = decided.ok ? withRealModificationTime(before, decided.value.tender, at) : undefined;
        const outcome = decided.ok ? ok({ ...decided.value, tender: tender!, token }) : decided;
        if (isDryRun) return { result: outcome };
        const recordEntries =
          idempotency && entriesToRecord(idempotency, outcome, notes, at, decided.ok ? "write" : "refusal");
        if (recordEntries && "overQuota" in recordEntries) return { result: recordEntries };
        return !tender || tender === before
          ? { result: outcome, notes: recordEntries }
          : { result: outcome, notes: recordEntries, change: changeOf(before, tender, actor, act(), files) };
      },
      keys,
    );
    if (isDryRun || typeof result === "string" || !("ok" in result) || !result.ok) return result;
    if (!testClock) ticker.expect(nextDeadline(result.value.tender));
    changes.notify();
    return result;
  }

  const recordResponse: Registry["recordResponse"] = (idempotency, value, kind, writes = []) =>
    store.write<Replay | OverQuota | undefined>(
      undefined,
      (_none, { notes }) => {
        // It has no place in the order of changes, so it is dated by the clock alone.
        const now = clock();
        const replay = replayOf(idempotency, notes, now);
        if (replay) return { result: replay };
        const recordEntries = entriesToRecord(idempotency, value, notes, now, kind);
        if ("overQuota" in recordEntries) return { result: recordEntries };
        return { result: undefined, notes: [...writes, ...recordEntries] };
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
    let known: TenderCommand | undefined = "read" in command ? undefined : command;
    return write(id, { actor, act: () => known!.kind, files, options }, (tender, context) => {
      if (!tender) return notFound("tender");
      // A decision may have to be taken again, on another state.
      known = "read" in command ? command.read(tender) : command;
      return decide(tender, known, context);
    });
  }

  async function replace(
    id: string,
    { tender, revision, reason, force }: ReplaceRequest,
  ): Promise<DomainResult<ReplacementResult>> {
    const known = await store.knownFiles(allDocuments(tender).map(({ document }) => document.key));
    let before: Tender | undefined;
    const act = () => `${REPLACE_ACT_PREFIX}${reason}${force ? " (forced)" : ""}`;
    const testClock = (await store.find(id))?.tender.testClock;
    const result = await write(
      id,
      { actor: OPERATOR, act, options: { testClock } },
      (current, context, _numberOfDay, found) => {
        if (!current) return notFound("tender");
        if (found !== revision) return ruleRefusal("changed-meanwhile", "changed meanwhile: show it again");
        before = current;
        return replaceTender(current, { tender, force, hasFile: (key) => known.has(key) }, context);
      },
    );
    const decided = result as DomainResult<Committed>;
    if (!decided.ok) return decided;
    const after = decided.value.tender;
    return ok({ tender: after, changes: patchBetween(before, after) });
  }

  async function tick(id: string): Promise<void> {
    // Another server may have been quicker; finding that out costs less than a turn of writing.
    const found = (await store.find(id))?.tender;
    const startedAt = clock();
    const due = found && nextDeadline(found);
    if (due === undefined || due > (await nowFor(found!))) return;
    const { testClock } = found!;
    await write(id, { actor: {}, act: () => "advance", options: { testClock } }, (tender, context) =>
      tender ? ok({ tender: decideByTime(tender, context) }) : notFound("tender"),
    );
    if (!testClock) onTick?.(startedAt - due, clock() - startedAt);
  }

  /** A deadline that has passed is carried out before anyone is told of the tender, whether or not a timer has run. */
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
    return testClock ? timeOnClock(await store.notes.find(clockKey(testClock)), clock()) : clock();
  }

  function freshnessCheckOf(result: Tender): () => boolean | Promise<boolean> {
    const due = nextDeadline(result) ?? Number.POSITIVE_INFINITY;
    // Whoever asks keeps this for long, and must not keep the whole tender by it.
    const view = { id: result.id, dateModified: result.dateModified };
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
    isFreshAt: ticker.isStillAt,
    onChange: changes.subscribe,
    countByStatus: store.countByStatus,
    nowFor,
    clocks,
    advanceTender,
    onClock: store.onClock,
    notes: store.notes,
    recordResponse,
    ping: store.ping,
    stop: ticker.stop,
  };
}

type WriteRequest = {
  readonly actor: Actor;
  readonly act: () => string;
  readonly files?: readonly string[];
  readonly options?: WriteOptions;
};

const isDue = (tender: Tender, now: Instant): boolean => (nextDeadline(tender) ?? Number.POSITIVE_INFINITY) <= now;

/** By whatever clock a tender lives, its last change has its place in the one order of all changes. */
const withRealModificationTime = (before: Tender | undefined, after: Tender, at: Instant): Tender =>
  after.testClock && after.dateModified !== before?.dateModified ? { ...after, dateModified: at } : after;

/** What a decision comes to, as it is written. */
export function changeOf(
  before: Tender | undefined,
  tender: Tender,
  actor: Actor,
  act: string,
  files: readonly string[],
): TenderChange {
  let text: string | undefined;
  const documentText = () => {
    text ??= JSON.stringify(tender);
    return text;
  };
  return {
    tender,
    // Only the last state of a commit is written: of a tender that changes often, the others are never made into text.
    get document() {
      return documentText();
    },
    wakeAt: nextDeadline(tender),
    actor: actor.account?.name,
    act,
    patch: before ? JSON.stringify(patchBetween(before, tender)) : `[{"op":"add","path":"","value":${documentText()}}]`,
    files,
  };
}
