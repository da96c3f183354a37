import { detached } from "../domain/detach.ts";
import type { Instant } from "../domain/time.ts";
import { type Engine, type NoteRow, type NumberOfDay, type Position, type Row, rowOf } from "./engine.ts";
import { heapBytesOf, heapBytesOfTender } from "./heapBytes.ts";
import { nameOf, noteRow } from "./notes.ts";
import type { Change, Decision, Note, NoteName, Stored } from "./store.ts";
import { Unavailable } from "./store.ts";
import type { openTenders } from "./tenders.ts";

/**
 * Where the one order of all changes is made. Whatever was asked for while the last commit was on its way to disk is
 * decided together, one after another, in the next turn of writing, and answered once that turn is on disk.
 */

/** One turn keeps other servers waiting, and what is decided in it keeps this one from reading. */
const DECIDED_AT_ONCE_MAX = 128;

type Asked = {
  readonly id: string | undefined;
  readonly decision: Decision<unknown>;
  readonly seeing: readonly NoteName[];
  readonly resolve: (answer: unknown) => void;
  readonly reject: (error: unknown) => void;
};

/**
 * How long a turn goes on taking more. Nothing else happens in this process meanwhile: letting others in would let the turn last
 * as long as they like, and PostgreSQL ends one that is idle for seconds.
 */
const GATHERED_MS_MAX = 250;

/** The last state of a tender in a group, the change that led to it, and the memory that its text is expected to take. */
type Changed = { readonly stored: Stored; readonly change: Change; readonly bytes: number };

/** What one turn has decided so far. */
type Group = {
  position: Position;
  /** The memory that its rows and notes take on their way to disk, and of that the largest tender. */
  bytes: number;
  largestBytes: number;
  /** Without their documents, which are added where the group is written. */
  readonly rows: Row[];
  readonly changed: Map<string, Changed>;
  readonly numbers: Map<string, number>;
  readonly notes: Map<string, NoteRow>;
  readonly answers: (() => void)[];
};

const NOTHING_SEEN: readonly NoteName[] = [];

export type CommitSettings = {
  readonly engine: Engine;
  readonly tenders: ReturnType<typeof openTenders>;
  readonly clock: () => Instant;
  /** Once a group has this many bytes, whatever else waits is left to the next. */
  readonly commitBytesMax: number;
  /** One commit for each change instead of one for all that are ready: only for comparison. */
  readonly commitsSingly: boolean;
};

export function openCommits({ engine, tenders, clock, commitBytesMax, commitsSingly }: CommitSettings) {
  const atOnceMax = commitsSingly ? 1 : DECIDED_AT_ONCE_MAX;
  let queue: Asked[] = [];
  let running = Promise.resolve();
  let isRunning = false;
  let closed = false;
  /** The last number of each day that was asked for, as of the row of the ledger beside it. */
  let numbers = { upTo: 0, last: new Map<string, number>() };

  function write<Answer>(
    id: string | undefined,
    decision: Decision<Answer>,
    seeing: readonly NoteName[] = NOTHING_SEEN,
  ): Promise<Answer> {
    if (closed) return Promise.reject(new Error("the store is closed"));
    return new Promise<Answer>((resolve, reject) => {
      queue.push({ id, decision, seeing, resolve: resolve as (answer: unknown) => void, reject });
      if (!isRunning) running = run();
    });
  }

  async function run(): Promise<void> {
    isRunning = true;
    while (queue.length > 0) {
      // Whatever else has arrived by now is decided in the same turn.
      await new Promise(setImmediate);
      await takeTurn();
    }
    isRunning = false;
  }

  async function takeTurn(): Promise<void> {
    const asked: Asked[] = [];
    const next = () => {
      const one = asked.length < atOnceMax ? queue.shift() : undefined;
      if (one) asked.push(one);
      return one;
    };
    try {
      await carryOut(next);
    } catch (error) {
      if (error instanceof Unavailable) return refuseAll(asked, error);
      if (asked.length === 0) while (next());
      if (asked.length === 1) asked[0]!.reject(error);
      else await carryOutSingly(asked);
    }
  }

  /** Whoever waits would only wait for the same: finding out that nobody answers may take long. */
  function refuseAll(asked: readonly Asked[], error: Unavailable): void {
    for (const { reject } of [...asked, ...queue]) reject(error);
    queue = [];
  }

  /** What cannot be written must not take the others of its group with it. */
  async function carryOutSingly(all: readonly Asked[]): Promise<void> {
    for (const [i, asked] of all.entries()) {
      try {
        const one = [asked];
        await carryOut(() => one.shift());
      } catch (error) {
        if (error instanceof Unavailable) return refuseAll(all.slice(i), error);
        asked.reject(error);
      }
    }
  }

  async function carryOut(next: () => Asked | undefined): Promise<void> {
    const turn = await engine.begin();
    let group: Group;
    let rows: readonly Row[];
    try {
      await tenders.bringUpTo(turn.position);
      if (numbers.upTo !== turn.position.sequence) numbers = { upTo: turn.position.sequence, last: new Map() };
      group = {
        position: turn.position,
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
      await turn.leave().catch(() => {});
      throw error;
    }
    if (rows.length === 0 && group.notes.size === 0) await turn.leave();
    else await turn.commit(rows, [...group.notes.values()]);
    tenders.keep(new Map([...group.changed].map(([id, { stored }]) => [id, stored])), group.position.sequence);
    numbers = { upTo: group.position.sequence, last: group.numbers };
    for (const answer of group.answers) answer();
  }

  async function decideAll(next: () => Asked | undefined, group: Group): Promise<void> {
    const begun = performance.now();
    // The largest tender has to be written anyway, and once, however many of its changes are in the group.
    while (group.bytes - group.largestBytes < commitBytesMax) {
      const asked = next();
      if (!asked) return;
      await decide(asked, group);
      if (performance.now() - begun > GATHERED_MS_MAX) return;
    }
  }

  /** As the decisions before it left them. */
  function seen(name: NoteName, { notes }: Group): Promise<Note | undefined> | Note | undefined {
    const written = notes.get(nameOf(name));
    if (!written) return engine.notes.find(name);
    const { text, dueAt } = written;
    return text === undefined ? undefined : { ...written, text, dueAt };
  }

  async function decide(asked: Asked, group: Group): Promise<void> {
    const { id, decision, seeing, resolve, reject } = asked;
    const known = id === undefined ? undefined : (group.changed.get(id)?.stored ?? tenders.current(id));
    const current = known instanceof Promise ? await known : known;
    const notes = seeing.length === 0 ? [] : await Promise.all(seeing.map((name) => seen(name, group)));
    const position = { sequence: group.position.sequence + 1, at: Math.max(clock(), group.position.at + 1) };
    let taken: NumberOfDay | undefined;
    const numberOfDay = (day: string) => {
      const last = group.numbers.get(day);
      if (last === undefined) throw new NumberUnknown(day);
      taken = { day, number: last + 1 };
      return taken.number;
    };
    try {
      const { change, notes: written = [], answer } = decision(current, { at: position.at, numberOfDay, notes });
      // Whatever may fail comes before anything of it is in the group.
      const row = change && rowOf(change, current, position, taken, "");
      const before = (one: NoteName) => notes.find((note) => isNamed(note, one));
      for (const one of written) {
        group.notes.set(nameOf(one), noteRow(one, before(one)));
        group.bytes += heapBytesOf(one.text);
      }
      group.answers.push(() => resolve(answer));
      if (!change || !row) return;
      group.position = position;
      group.rows.push(row);
      addChange(change, current, group);
      if (taken) group.numbers.set(taken.day, taken.number);
    } catch (error) {
      if (!(error instanceof NumberUnknown)) return reject(error);
      group.numbers.set(error.day, await engine.lastNumber(error.day));
      await decide(asked, group);
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
function withDocuments({ rows, changed }: Group): readonly Row[] {
  const last = new Map(rows.map((row) => [row.id, row]));
  return rows.map((row) =>
    last.get(row.id) === row ? { ...row, document: changed.get(row.id)!.change.document } : row,
  );
}

function addChange(change: Change, current: Stored | undefined, group: Group): void {
  const { id } = change.tender;
  const before = group.changed.get(id);
  const stored = storedBy(change, current, before !== undefined);
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
function storedBy({ tender }: Change, current: Stored | undefined, isChangedAgain: boolean): Stored {
  if (!current) return { tender, revision: 1 };
  const isNew = current.revision === 1 && isChangedAgain;
  return { tender: detached(tender, isNew ? undefined : current.tender), revision: current.revision + 1 };
}

const isNamed = (note: Note | undefined, { kind, id }: NoteName): boolean => note?.kind === kind && note.id === id;

/** Decisions do not wait; one that needs the number of a day that has not been asked for is taken again. */
class NumberUnknown extends Error {
  readonly day: string;
  constructor(day: string) {
    super(`the last number of ${day} is not known yet`);
    this.day = day;
  }
}
