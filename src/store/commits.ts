import { heapBytesOf, heapBytesOfRecord } from "../base/heapBytes.ts";
import type { Instant } from "../domain/values/time.ts";
import { type ChangeRow, incompleteRowOf, neededSearchRow, storedDocument } from "./changeRows.ts";
import type { DailyNumber, Engine, EntryRow, Position } from "./engine.ts";
import { type GroupTenders, openGroupTenders } from "./groupTenders.ts";
import { entryKeyText, entryOf, entryRow, findEntry, requestedEntries } from "./keyValueStore.ts";
import type { Decision, EntryKey, KeyValueEntry, StoredTender, TenderChange } from "./store.ts";
import { StoreUnavailableError } from "./store.ts";
import type { openTenderCache } from "./tenderCache.ts";

/**
 * Group commit, which defines the order of all changes. Writes that arrive while a commit is on its way to disk are decided one after
 * another in the next transaction, and acknowledged once that is on disk.
 */

/** A group is limited because other servers wait for the write lock, and because deciding blocks reads of this process. */
const GROUP_WRITES_MAX = 128;

type PendingWrite = {
  readonly id: string | undefined;
  readonly decision: Decision<unknown>;
  readonly keys: readonly EntryKey[];
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
};

/**
 * How long a group accepts more writes. Deciding does not yield to other work of this process: that could make the transaction last
 * arbitrarily long, and PostgreSQL aborts one that is idle for seconds.
 */
const GROUP_MS_MAX = 250;

/** The last change of a tender in a group, the state before it, and the estimated memory of its JSON. */
type GroupChange = {
  readonly change: TenderChange;
  readonly before: StoredTender | undefined;
  readonly bytes: number;
};

/** What a transaction has decided so far. */
type CommitGroup = {
  position: Position;
  /** Estimated memory of all rows and entries of the group. */
  bytes: number;
  /** Of these, the memory of the largest tender. */
  largestBytes: number;
  /** Rows without their documents, which `completeRows` adds. */
  readonly rows: ChangeRow[];
  readonly tenders: GroupTenders;
  /** The last change of each tender itself, which writes its JSON. */
  readonly lastChanges: Map<string, GroupChange>;
  /** The last change of each tender that changes its row of the search index. */
  readonly lastIndexed: Map<string, { readonly row: ChangeRow; readonly change: TenderChange }>;
  readonly numbers: Map<string, number>;
  readonly entries: Map<string, EntryRow>;
  /** Resolve the writes of the group; called once it is on disk. */
  readonly acknowledgements: (() => void)[];
};

const NO_KEYS: readonly EntryKey[] = [];

export type CommitSettings = {
  readonly engine: Engine;
  readonly tenderCache: ReturnType<typeof openTenderCache>;
  readonly clock: () => Instant;
  /** Once a group has this many bytes, further writes wait for the next one. */
  readonly commitBytesMax: number;
  /** Disables group commit, for benchmarks. */
  readonly commitsSingly: boolean;
  /** Does not update the search index, for benchmarks. */
  readonly skipsIndex: boolean;
};

/** Opens `Store.write`. `close` waits for the writes that are queued. */
export function openCommits(settings: CommitSettings) {
  const { engine, tenderCache, clock, commitBytesMax, commitsSingly, skipsIndex } = settings;
  const groupWritesMax = commitsSingly ? 1 : GROUP_WRITES_MAX;
  let queue: PendingWrite[] = [];
  let running = Promise.resolve();
  let isRunning = false;
  let closed = false;
  /** Cached last numbers of days, valid up to a sequence number. */
  let numbers = { upTo: 0, last: new Map<string, number>() };

  function write<Result>(
    id: string | undefined,
    decision: Decision<Result>,
    keys: readonly EntryKey[] = NO_KEYS,
  ): Promise<Result> {
    if (closed) return Promise.reject(new Error("the store is closed"));
    return new Promise<Result>((resolve, reject) => {
      // `resolve` is only called with the result of this `decision`.
      queue.push({ id, decision, keys, resolve: resolve as (result: unknown) => void, reject });
      if (!isRunning) running = run();
    });
  }

  async function run(): Promise<void> {
    isRunning = true;
    while (queue.length > 0) {
      // Lets further writes arrive that then share the commit.
      await new Promise(setImmediate);
      await commitGroup();
    }
    isRunning = false;
  }

  async function commitGroup(): Promise<void> {
    const group: PendingWrite[] = [];
    const next = () => {
      const pending = group.length < groupWritesMax ? queue.shift() : undefined;
      if (pending) group.push(pending);
      return pending;
    };
    try {
      await runTransaction(next);
    } catch (error) {
      if (error instanceof StoreUnavailableError) return rejectAll(group, error);
      // The transaction failed before its first decision: the writes that would have been in it are retried.
      if (group.length === 0) while (next());
      if (group.length === 1) group[0]?.reject(error);
      else await retrySingly(group);
    }
  }

  /** Rejects the whole queue as well: every pending write would hit the same outage, and detecting it can take seconds. */
  function rejectAll(group: readonly PendingWrite[], error: StoreUnavailableError): void {
    for (const { reject } of [...group, ...queue]) reject(error);
    queue = [];
  }

  /** Retries the writes of a failed group one by one, so that one bad write does not fail the others. */
  async function retrySingly(group: readonly PendingWrite[]): Promise<void> {
    for (const [i, pending] of group.entries()) {
      try {
        const single = [pending];
        await runTransaction(() => single.shift());
      } catch (error) {
        if (error instanceof StoreUnavailableError) return rejectAll(group.slice(i), error);
        pending.reject(error);
      }
    }
  }

  /** Decides the writes that `next` returns, commits them and acknowledges them. Throws if nothing was committed. */
  async function runTransaction(next: () => PendingWrite | undefined): Promise<void> {
    const transaction = await engine.begin();
    let group: CommitGroup;
    let rows: readonly ChangeRow[];
    try {
      await tenderCache.syncTo(transaction.position);
      if (numbers.upTo !== transaction.position.sequence)
        numbers = { upTo: transaction.position.sequence, last: new Map() };
      group = {
        position: transaction.position,
        bytes: 0,
        largestBytes: 0,
        rows: [],
        tenders: openGroupTenders(engine, tenderCache),
        lastChanges: new Map(),
        lastIndexed: new Map(),
        numbers: new Map(numbers.last),
        entries: new Map(),
        acknowledgements: [],
      };
      await decideAll(next, group);
      rows = completeRows(group);
    } catch (error) {
      await transaction.rollback().catch(() => {});
      throw error;
    }
    if (rows.length === 0 && group.entries.size === 0) await transaction.rollback();
    else await transaction.commit(rows, [...group.entries.values()]);
    tenderCache.storeCommitted(group.tenders.changed(), group.position.sequence);
    numbers = { upTo: group.position.sequence, last: group.numbers };
    for (const acknowledge of group.acknowledgements) acknowledge();
  }

  async function decideAll(next: () => PendingWrite | undefined, group: CommitGroup): Promise<void> {
    const startedAt = performance.now();
    // The largest tender does not count: it has to be written anyway, and only once for all its changes in the group.
    while (group.bytes - group.largestBytes < commitBytesMax) {
      const pending = next();
      if (!pending) return;
      await decide(pending, group);
      if (performance.now() - startedAt > GROUP_MS_MAX) return;
    }
  }

  /** The entry as the earlier decisions of the group left it. */
  function readEntry(
    key: EntryKey,
    { entries }: CommitGroup,
  ): Promise<KeyValueEntry | undefined> | KeyValueEntry | undefined {
    const written = entries.get(entryKeyText(key));
    if (!written) return findEntry(engine, key);
    const { text } = written;
    return text === undefined ? undefined : entryOf(key.kind, { ...written, text });
  }

  async function decide(pending: PendingWrite, group: CommitGroup): Promise<void> {
    const { id, decision, keys, resolve, reject } = pending;
    const found = id === undefined ? undefined : group.tenders.find(id);
    let current = found instanceof Promise ? await found : found;
    const entries = keys.length === 0 ? [] : await Promise.all(keys.map((key) => readEntry(key, group)));
    const position = { sequence: group.position.sequence + 1, at: Math.max(clock(), group.position.at + 1) };
    let assigned: DailyNumber | undefined;
    const nextDailyNumber = (day: string) => {
      const last = group.numbers.get(day);
      if (last === undefined) throw new UnknownNumberError(day);
      assigned = { day, number: last + 1 };
      return assigned.number;
    };
    try {
      const context = { at: position.at, nextDailyNumber, entries: requestedEntries(keys, entries) };
      let decided = decision(current, context);
      while (decided.needs) {
        if (!current) throw new Error("a decision about a new tender asked for bids");
        current = await group.tenders.select(current.tender.id, decided.needs);
        decided = decision(current, context);
      }
      const { change, entries: writes = [], result } = decided;
      // Everything that may throw comes before the group is changed.
      const row = change && incompleteRowOf(change, current, position, assigned, skipsIndex);
      for (const write of writes) {
        const before = entries.find((entry) => hasKey(entry, write));
        const written = entryRow(write, before);
        group.entries.set(entryKeyText(write), written);
        group.bytes += heapBytesOf(written.text);
      }
      group.acknowledgements.push(() => resolve(result));
      if (!change || !row) return;
      group.position = position;
      group.rows.push(row);
      addChange(change, current, row, group);
      if (assigned) group.numbers.set(assigned.day, assigned.number);
    } catch (error) {
      if (!(error instanceof UnknownNumberError)) return reject(error);
      group.numbers.set(error.day, await engine.lastNumber(error.day));
      await decide(pending, group);
    }
  }

  return {
    write,
    close: async () => {
      closed = true;
      await running;
    },
  };
}

/**
 * Adds the JSON of each tender to its last row, and its row of the search index to the last one that changes it. For earlier states of
 * a tender in the group, neither is computed.
 */
function completeRows({ rows, lastChanges, lastIndexed }: CommitGroup): readonly ChangeRow[] {
  const lastRows = new Map(rows.filter(({ tender }) => tender).map((row) => [row.id, row]));
  return rows.map((row) => {
    const last = lastRows.get(row.id) === row ? lastChanges.get(row.id) : undefined;
    const indexed = lastIndexed.get(row.id);
    const searchRow = indexed?.row === row ? neededSearchRow(row, indexed.change) : undefined;
    return last && row.tender
      ? { ...row, searchRow, tender: { ...row.tender, document: storedDocument(last.change, last.before) } }
      : { ...row, searchRow };
  });
}

function addChange(change: TenderChange, current: StoredTender | undefined, row: ChangeRow, group: CommitGroup): void {
  const { id } = change.tender;
  const tender = group.tenders.add(change, current);
  if (row.searchChange !== "none") group.lastIndexed.set(id, { row, change });
  group.bytes += heapBytesOf(change.patch) + heapBytesOf(row.bids);
  if (change.kind === "bid") return;
  // The JSON of a new tender exists already, as part of its patch.
  const bytes = current ? heapBytesOfRecord({ ...tender, bids: [] }) : heapBytesOf(change.document);
  group.bytes += bytes - (group.lastChanges.get(id)?.bytes ?? 0);
  group.largestBytes = Math.max(group.largestBytes, bytes);
  group.lastChanges.set(id, { change, before: current, bytes });
}

const hasKey = (entry: KeyValueEntry | undefined, { kind, id }: EntryKey): boolean =>
  entry?.kind === kind && entry.id === id;

/** Thrown inside a decision that needs the number of a day that is not cached: decisions are synchronous, so it is loaded and they run again. */
class UnknownNumberError extends Error {
  readonly day: string;
  constructor(day: string) {
    super(`the last number of ${day} is not known yet`);
    this.day = day;
  }
}
