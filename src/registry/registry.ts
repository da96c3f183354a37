import { required } from "../base/required.ts";
import { nextAuctionChange } from "../domain/auctions/liveAuctions.ts";
import { type BidSelection, bidsNeededBy, bidsToView } from "../domain/bids/bidSelection.ts";
import { nextDeadline } from "../domain/deadlines.ts";
import { decide, decideByTime } from "../domain/decide.ts";
import type { Actor } from "../domain/model/actors.ts";
import type { Publication, TenderCommand } from "../domain/model/commands.ts";
import type { DomainResult } from "../domain/model/refusals.ts";
import { notFound, ruleRefusal } from "../domain/model/refusals.ts";
import { ok } from "../domain/model/result.ts";
import type { Tender } from "../domain/model/tender.ts";
import { publish as decidePublication } from "../domain/tender/publishing.ts";
import { allDocuments, replaceTender } from "../domain/tender/replacement.ts";
import type { Instant } from "../domain/values/time.ts";
import type { Act } from "../ledger/acts.ts";
import type { PatchOperation } from "../ledger/patch.ts";
import { tenderOperations } from "../ledger/tenderPatch.ts";
import type { FeedQuery, FeedRow, PublicReads, ReadSelection, Store } from "../store/store.ts";
import type { BuiltinAuctions } from "./auctionPlanner.ts";
import { type AuctionObserver, type Auctions, openAuctionHeartbeat, openAuctions } from "./auctions.ts";
import { openChangeNotifier } from "./changeNotifier.ts";
import { openPublicReads } from "./publicReads.ts";
import {
  isDue,
  openTenderWrites,
  type RecordResponse,
  type TenderWriteSettings,
  type WriteOptions,
  type WriteResult,
  type WriteTender,
} from "./tenderWrites.ts";
import { clockKey, openTestClocks, type TestClocks, timeOnClock } from "./testClocks.ts";
import { openTicker } from "./ticker.ts";

export type RegistrySettings = TenderWriteSettings & {
  readonly onTickFailure: (error: unknown) => void;
  /** Called after a deadline was applied, with its lateness and the duration, both in microseconds. */
  readonly onTick?: (late: Instant, took: Instant, kind: DeadlineKind) => void;
  /** How the service holds auctions; undefined if other programs do. */
  readonly auctions?: BuiltinAuctions | undefined;
  readonly auctionObserver?: AuctionObserver | undefined;
  /** Whether bidders reach this process (default). A command of an operator has no heartbeat: see `auctionHeartbeat.ts`. */
  readonly isServer?: boolean;
  /** Whether a timer applies deadlines promptly (default). Without it they are applied when a tender is read or changed. */
  readonly runsTimer?: boolean | undefined;
};

/** The end of a stage of a live auction, or any other deadline of a tender. */
export type DeadlineKind = "stage" | "other";

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
export type DeferredCommand = {
  readonly read: (tender: Tender) => TenderCommand;
  /** The bids that `read` and the command need; default: those of a view. */
  readonly bids?: BidSelection;
};

/**
 * The application service that connects the domain to the ports. Reads apply the deadlines that are due; every write, whether a
 * command, a deadline or a repair, is decided inside its commit.
 */
export type Registry = PublicReads & {
  /** The tender as of now, if it exists, with the selected bids; default: those of a view. */
  readonly tender: (id: string, bids?: ReadSelection) => Promise<Tender | undefined>;
  /**
   * Returns a function that checks whether the public view of this tender is still current; synchronous where no other process writes.
   * What is shown of it may become outdated by time alone, such as the hours that are left: then it is current before `until` only.
   */
  readonly freshnessCheckOf: (tender: Tender, until?: Instant) => () => boolean | Promise<boolean>;
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
  /** Rows of the ledger of one tender, from which its history is replayed. They have everything, sealed bids included. */
  readonly ledgerOf: Store["ledgerOf"];
  /**
   * Applies all deadlines that are due, so that the next read is as of now. Returns the position of the last public change: while it
   * stays the same, so does the feed.
   */
  readonly catchUp: () => Promise<number>;
  /**
   * Whether nothing public has changed since this position, nothing is due, and it is before `until`, if that is given; synchronous where
   * no other process writes.
   */
  readonly isFreshAt: (position: number, until?: Instant) => boolean | Promise<boolean>;
  /**
   * Calls the listener after each write of this process that may have changed something, with the id of the tender. Returns a function
   * that unsubscribes.
   */
  readonly onChange: (listener: (tender: string) => void) => () => void;
  readonly countByStatus: Store["countByStatus"];
  /** The current time for a tender: that of its test clock, or real time. */
  readonly nowFor: (tender: Pick<Tender, "testClock">) => Promise<Instant>;
  readonly clocks: TestClocks;
  readonly auctions: Auctions;
  /** The tender as its deadlines alone will have changed it by then; nothing is written. */
  readonly advanceTender: (tender: Tender, by: Instant) => Tender;
  readonly onClock: Store["onClock"];
  readonly keyValues: Store["keyValues"];
  /** Records the response to a request that did not go through `publish` or `change`, together with entries that it writes. */
  readonly recordResponse: RecordResponse;
  readonly ping: Store["ping"];
  /** Stops the timer of deadlines. The caller closes the store. */
  readonly stop: () => Promise<void>;
};

/** Opens the registry on a store. */
export function openRegistry(settings: RegistrySettings): Registry {
  const { store, onTickFailure, onTick, runsTimer = true, isServer = true } = settings;
  const { clock } = store;
  const changes = openChangeNotifier();
  const onInterruption = settings.auctionObserver?.onInterruption;
  const heartbeat = settings.auctions && openAuctionHeartbeat(store, settings.auctions, { isServer, onInterruption });
  const writeSettings = { ...settings, interruption: () => heartbeat?.interruption() };
  const { write, recordResponse, advanceTender } = openTenderWrites(writeSettings, (tender, testClock) => {
    if (!testClock) ticker.schedule(nextDeadline(tender));
    changes.notify(tender.id);
    return auctions.followUp(tender);
  });
  const ensureFresh = async () => heartbeat?.ensureFresh();
  const { tender, tick, nowFor, freshnessCheckOf } = openTimelyReads(store, write, ensureFresh, onTick);
  const ticker = openTicker({ clock, store, tick, onFailure: onTickFailure, runsTimer });
  const auctions = openAuctions(
    { ...settings, auctions: settings.auctions, write, nowFor, tender, onFailure: onTickFailure, runsTimer, isServer },
    heartbeat,
  );
  return {
    tender,
    freshnessCheckOf,
    isWorthCaching: store.isWorthCaching,
    ...openCommands(write),
    replace: openReplace(store, write),
    feed: store.feed,
    ...openPublicReads(store, ticker.catchUp),
    ledgerOf: store.ledgerOf,
    catchUp: ticker.catchUp,
    isFreshAt: ticker.isFreshAt,
    onChange: changes.subscribe,
    countByStatus: store.countByStatus,
    nowFor,
    clocks: openTestClocks({ store, tick }),
    auctions: auctions.port,
    advanceTender,
    onClock: store.onClock,
    keyValues: store.keyValues,
    recordResponse,
    ping: store.ping,
    stop: async () => {
      await auctions.stop();
      await ticker.stop();
    },
  };
}

/** The writes of clients. */
function openCommands(write: WriteTender): Pick<Registry, "publish" | "change"> {
  function publish(publication: Publication, actor: Actor, options: WriteOptions = {}): Promise<WriteResult> {
    const { testClock } = options;
    return write(
      undefined,
      { actor, act: () => ({ kind: "publish tender" }), options },
      (_none, context, { nextDailyNumber }) => {
        const published = decidePublication(publication, context, nextDailyNumber);
        return published.ok ? ok({ tender: { ...published.value, ...(testClock && { testClock }) } }) : published;
      },
    );
  }

  function change(
    id: string,
    command: TenderCommand | DeferredCommand,
    actor: Actor,
    options?: WriteOptions,
  ): Promise<WriteResult> {
    const files = options?.files ?? ("file" in command ? [command.file.key] : []);
    // Parsed on each attempt: a decision may have to be repeated on another state.
    let parsed: TenderCommand | undefined;
    const act = (): Act => ({ kind: required(parsed, "the command of a decision").kind });
    const bidsNeeded = (tender: Tender): BidSelection =>
      "read" in command ? (command.bids ?? bidsToView(tender)) : bidsNeededBy(command, tender);
    return write(id, { actor, act, files, options, bidsNeeded }, (tender, context) => {
      if (!tender) return notFound("tender");
      parsed = "read" in command ? command.read(tender) : command;
      return decide(tender, parsed, context);
    });
  }

  return { publish, change };
}

/** The repair of a tender by an operator. */
function openReplace(store: Store, write: WriteTender): Registry["replace"] {
  return async (id, { tender, revision, reason, force }) => {
    const knownKeys = await store.knownFiles(allDocuments(tender).map(({ document }) => document.key));
    let before: Tender | undefined;
    const act = (): Act => ({ kind: "replace tender", reason, forced: force });
    const testClock = (await store.find(id, "none"))?.tender.testClock;
    const request = { actor: OPERATOR, act, options: { testClock } };
    const result = await write(id, request, (current, context, { revision: currentRevision }) => {
      if (!current) return notFound("tender");
      if (currentRevision !== revision)
        return ruleRefusal("changed-meanwhile", "the tender was changed in the meantime: show it again");
      before = current;
      return replaceTender(current, { tender, force, hasFile: (key) => knownKeys.has(key) }, context);
    });
    if (result === "moved" || !("ok" in result))
      throw new Error("a write without idempotency record and precondition was not decided");
    if (!result.ok) return result;
    const after = result.value.tender;
    return ok({ tender: after, changes: before ? tenderOperations(before, after) : [] });
  };
}

/** Reads as of now: deadlines that have passed are applied first, whether or not the timer has run. */
function openTimelyReads(
  store: Store,
  write: WriteTender,
  ensureFresh: () => Promise<void>,
  onTick: RegistrySettings["onTick"],
) {
  const { clock } = store;

  async function tick(id: string): Promise<void> {
    // Another server may have applied the deadline already; reading first is cheaper than a write transaction.
    const found = (await store.find(id, "none"))?.tender;
    if (!found) return;
    const startedAt = clock();
    const due = nextDeadline(found);
    if (due === undefined || due > (await nowFor(found))) return;
    const { testClock } = found;
    // An interruption moves stages of auctions, so it must be known before they are carried out.
    if (found.status === "active.auction" && !testClock) await ensureFresh();
    await write(id, { actor: {}, act: () => ({ kind: "advance" }), options: { testClock } }, (tender, context) =>
      tender ? ok({ tender: decideByTime(tender, context) }) : notFound("tender"),
    );
    if (!testClock)
      onTick?.(startedAt - due, clock() - startedAt, nextAuctionChange(found) === due ? "stage" : "other");
  }

  async function tender(id: string, bids: ReadSelection | typeof bidsToView = bidsToView): Promise<Tender | undefined> {
    const found = (await store.find(id, bids))?.tender;
    if (!found || !isDue(found, found.testClock ? await nowFor(found) : clock())) return found;
    await tick(id);
    return (await store.find(id, bids))?.tender;
  }

  async function nowFor({ testClock }: Pick<Tender, "testClock">): Promise<Instant> {
    return testClock ? timeOnClock(await store.keyValues.find(clockKey(testClock)), clock()) : clock();
  }

  function freshnessCheckOf(current: Tender, until = Number.POSITIVE_INFINITY): () => boolean | Promise<boolean> {
    const due = Math.min(nextDeadline(current) ?? Number.POSITIVE_INFINITY, until);
    // Caches hold the returned function for long, so it must not keep the whole tender alive.
    const view = { id: current.id, dateModified: current.dateModified };
    return () => due > clock() && store.isFresh(view);
  }

  return { tick, tender, nowFor, freshnessCheckOf };
}
