import { detach } from "../domain/values/detach.ts";
import type { Instant } from "../domain/values/time.ts";
import { type ChangeRow, type DailyNumber, type Engine, type EntryRow, type Position, rowOf } from "./engine.ts";
import { heapBytesOf, heapBytesOfTender } from "./heapBytes.ts";
import { entryKeyText, entryRow } from "./keyValueStore.ts";
import type { Decision, EntryKey, KeyValueEntry, StoredTender, TenderChange } from "./store.ts";
import { StoreUnavailableError } from "./store.ts";
import type { openTenderCache } from "./tenderCache.ts";

/**
 * Where the one order of all changes is made. Whatever was asked for while the last commit was on its way to disk is
 * decided together, one after another, in the next turn of writing, and answered once that turn is on disk.
 */

/** One turn keeps other servers waiting, and what is decided in it keeps this one from reading. */
const GROUP_WRITES_MAX = 128;

type PendingWrite = {
  readonly id: string | undefined;
  readonly decision: Decision<unknown>;
  readonly keys: readonly EntryKey[];
  readonly resolve: (answer: unknown) => void;
  readonly reject: (error: unknown) => void;
};

/**
 * How long a turn goes on taking more. Nothing else happens in this process meanwhile: letting others in would let the turn last
 * as long as they like, and PostgreSQL ends one that is idle for seconds.
 */
const GROUP_MS_MAX = 250;

/** The last state of a tender in a group, the change that led to it, and the memory that its text is expected to take. */
type GroupChange = { readonly stored: StoredTender; readonly change: TenderChange; readonly bytes: number };

/** What one turn has decided so far. */
type CommitGroup = {
  position: Position;
  /** The memory that its rows and notes take on their way to disk, and of that the largest tender. */
  bytes: number;
  largestBytes: number;
  /** Without their documents, which are added where the group is written. */
  readonly rows: ChangeRow[];
  readonly changed: Map<string, GroupChange>;
  readonly numbers: Map<string, number>;
  readonly notes: Map<string, EntryRow>;
  readonly answers: (() => void)[];
};

const NO_KEYS: readonly EntryKey[] = [];

export type CommitSettings = {
  readonly engine: Engine;
  readonly tenderCache: ReturnType<typeof openTenderCache>;
  readonly clock: () => Instant;
  /** Once a group has this many bytes, whatever else waits is left to the next. */
  readonly commitBytesMax: number;
  /** One commit for each change instead of one for all that are ready: only for comparison. */
  readonly commitsSingly: boolean;
};

export function openCommits({ engine, tenderCache, clock, commitBytesMax, commitsSingly }: CommitSettings) {
  const atOnceMax = commitsSingly ? 1 : GROUP_WRITES_MAX;
  let queue: PendingWrite[] = [];
  let running = Promise.resolve();
  let isRunning = false;
  let closed = false;
  /** The last number of each day that was asked for, as of the row of the ledger beside it. */
  let numbers = { upTo: 0, last: new Map<string, number>() };

  function write<Answer>(
    id: string | undefined,
    decision: Decision<Answer>,
    keys: readonly EntryKey[] = NO_KEYS,
  ): Promise<Answer> {
    if (closed) return Promise.reject(new Error("the store is closed"));
    return new Promise<Answer>((resolve, reject) => {
      queue.push({ id, decision, keys, resolve: resolve as (answer: unknown) => void, reject });
      if (!isRunning) running = run();
    });
  }

  async function run(): Promise<void> {
    isRunning = true;
    while (queue.length > 0) {
      // Whatever else has arrived by now is decided in the same turn.
      await new Promise(setImmediate);
      await commitGroup();
    }
    isRunning = false;
  }

  async function commitGroup(): Promise<void> {
    const pending: PendingWrite[] = [];
    const next = () => {
      const one = pending.length < atOnceMax ? queue.shift() : undefined;
      if (one) pending.push(one);
      return one;
    };
    try {
      await carryOut(next);
    } catch (error) {
      if (error instanceof StoreUnavailableError) return rejectAll(pending, error);
      if (pending.length === 0) while (next());
      if (pending.length === 1) pending[0]!.reject(error);
      else await retrySingly(pending);
    }
  }

  /** Whoever waits would only wait for the same: finding out that nobody answers may take long. */
  function rejectAll(pending: readonly PendingWrite[], error: StoreUnavailableError): void {
    for (const { reject } of [...pending, ...queue]) reject(error);
    queue = [];
  }

  /** What cannot be written must not take the others of its group with it. */
  async function retrySingly(all: readonly PendingWrite[]): Promise<void> {
    for (const [i, pending] of all.entries()) {
      try {
        const one = [pending];
        await carryOut(() => one.shift());
      } catch (error) {
        if (error instanceof StoreUnavailableError) return rejectAll(all.slice(i), error);
        pending.reject(error);
      }
    }
  }

  async function carryOut(next: () => PendingWrite | undefined): Promise<void> {
    const transaction = await engine.begin();
    let group: CommitGroup;
    let rows: readonly ChangeRow[];
    try {
      await tenderCache.bringUpTo(transaction.position);
      if (numbers.upTo !== transaction.position.sequence)
        numbers = { upTo: transaction.position.sequence, last: new Map() };
      group = {
        position: transaction.position,
        bytes: 0,
        largestBytes: 0,
        rows: [],
        changed: new Map(),
        numbers: new Map(numbers.last),
        notes: new Map(),
        answers: [],
      };
      await decideAll(next, group);
      rows = withDocuments(group);
    } catch (error) {
      await transaction.rollback().catch(() => {});
      throw error;
    }
    if (rows.length === 0 && group.notes.size === 0) await transaction.rollback();
    else await transaction.commit(rows, [...group.notes.values()]);
    tenderCache.keep(new Map([...group.changed].map(([id, { stored }]) => [id, stored])), group.position.sequence);
    numbers = { upTo: group.position.sequence, last: group.numbers };
    for (const answer of group.answers) answer();
  }

  async function decideAll(next: () => PendingWrite | undefined, group: CommitGroup): Promise<void> {
    const startedAt = performance.now();
    // The largest tender has to be written anyway, and once, however many of its changes are in the group.
    while (group.bytes - group.largestBytes < commitBytesMax) {
      const pending = next();
      if (!pending) return;
      await decide(pending, group);
      if (performance.now() - startedAt > GROUP_MS_MAX) return;
    }
  }

  /** As the decisions before it left them. */
  function readEntry(
    name: EntryKey,
    { notes }: CommitGroup,
  ): Promise<KeyValueEntry | undefined> | KeyValueEntry | undefined {
    const written = notes.get(entryKeyText(name));
    if (!written) return engine.notes.find(name);
    const { text, dueAt } = written;
    return text === undefined ? undefined : { ...written, text, dueAt };
  }

  async function decide(pending: PendingWrite, group: CommitGroup): Promise<void> {
    const { id, decision, keys, resolve, reject } = pending;
    const known = id === undefined ? undefined : (group.changed.get(id)?.stored ?? tenderCache.current(id));
    const current = known instanceof Promise ? await known : known;
    const notes = keys.length === 0 ? [] : await Promise.all(keys.map((name) => readEntry(name, group)));
    const position = { sequence: group.position.sequence + 1, at: Math.max(clock(), group.position.at + 1) };
    let assigned: DailyNumber | undefined;
    const nextDailyNumber = (day: string) => {
      const last = group.numbers.get(day);
      if (last === undefined) throw new UnknownNumberError(day);
      assigned = { day, number: last + 1 };
      return assigned.number;
    };
    try {
      const {
        change,
        notes: written = [],
        result: answer,
      } = decision(current, { at: position.at, nextDailyNumber, notes });
      // Whatever may fail comes before anything of it is in the group.
      const row = change && rowOf(change, current, position, assigned, "");
      const before = (one: EntryKey) => notes.find((entry) => hasKey(entry, one));
      for (const one of written) {
        group.notes.set(entryKeyText(one), entryRow(one, before(one)));
        group.bytes += heapBytesOf(one.text);
      }
      group.answers.push(() => resolve(answer));
      if (!change || !row) return;
      group.position = position;
      group.rows.push(row);
      addChange(change, current, group);
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

/** Only the last of a tender's states is made into text, however many decisions led to it. */
function withDocuments({ rows, changed }: CommitGroup): readonly ChangeRow[] {
  const last = new Map(rows.map((row) => [row.id, row]));
  return rows.map((row) =>
    last.get(row.id) === row ? { ...row, document: changed.get(row.id)!.change.document } : row,
  );
}

function addChange(change: TenderChange, current: StoredTender | undefined, group: CommitGroup): void {
  const { id } = change.tender;
  const before = group.changed.get(id);
  const stored = storedAfter(change, current, before !== undefined);
  // The text of a new tender is made already, as its patch is the whole of it.
  const bytes = current ? heapBytesOfTender(stored.tender) : heapBytesOf(change.document);
  group.bytes += heapBytesOf(change.patch) + bytes - (before?.bytes ?? 0);
  group.largestBytes = Math.max(group.largestBytes, bytes);
  group.changed.set(id, { stored, change, bytes });
}

/**
 * The tender as it may be kept in memory: what a request brought is copied out of its body. A new tender is not kept until
 * somebody asks for it, so it is copied only if it changes again in the same turn.
 */
function storedAfter(
  { tender }: TenderChange,
  current: StoredTender | undefined,
  isChangedAgain: boolean,
): StoredTender {
  if (!current) return { tender, revision: 1 };
  const isNew = current.revision === 1 && isChangedAgain;
  return { tender: detach(tender, isNew ? undefined : current.tender), revision: current.revision + 1 };
}

const hasKey = (entry: KeyValueEntry | undefined, { kind, id }: EntryKey): boolean =>
  entry?.kind === kind && entry.id === id;

/** Decisions do not wait; one that needs the number of a day that has not been asked for is taken again. */
class UnknownNumberError extends Error {
  readonly day: string;
  constructor(day: string) {
    super(`the last number of ${day} is not known yet`);
    this.day = day;
  }
}
