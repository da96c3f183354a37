import { Worker } from "node:worker_threads";
import type { Instant } from "../domain/time.ts";
import type { Row } from "./sqliteRows.ts";
import type { Batch, Report, WriterData } from "./sqliteWriter.ts";
import type { Change, Decision, Stored } from "./store.ts";

/** Where the one order of all changes is made: decisions are taken one after another, and answered once they are on disk. */

type Waiting = {
  readonly id: string | undefined;
  readonly decision: Decision<unknown>;
  readonly resolve: (answer: unknown) => void;
  readonly reject: (error: unknown) => void;
};
type Staged = { readonly stored: Stored; readonly bytes: number };
/** Decided together, on their way to disk. */
type Open = {
  readonly staged: Map<string, Staged>;
  readonly answers: (() => void)[];
  readonly rejects: Waiting["reject"][];
  lastAt: Instant;
};

export type CommitSettings = WriterData & {
  readonly clock: () => Instant;
  readonly find: (id: string) => Stored | undefined;
  /** Called for every tender whose new state has become durable. */
  readonly keep: (id: string, stored: Stored, bytes: number) => void;
  /** What the store holds: the last instant and sequence, and the last number of a day. */
  readonly position: () => { readonly lastAt: Instant; readonly lastSequence: number };
  readonly lastNumber: (day: string) => number;
};

export function openCommits(settings: CommitSettings) {
  const { path, commitsSingly, clock, find, keep, position, lastNumber } = settings;
  const workerData: WriterData = { path, commitsSingly };
  const worker = new Worker(new URL("./sqliteWriter.ts", import.meta.url), { workerData, execArgv: [] });
  const gone = new Promise<void>((resolve) => worker.once("exit", () => resolve()));

  let waiting: Waiting[] = [];
  let scheduled = false;
  let closed = false;
  let version = 0;
  let epoch = 0;
  let batches = 0;
  /** Decided but not yet on disk: later decisions see it, readers do not. */
  const staged = new Map<string, Staged>();
  const open = new Map<number, Open>();
  const numbers = new Map<string, number>();
  let { lastAt, lastSequence } = position();
  /** Everything up to here is on disk and known to be; readers of the feed are shown no more. */
  let durableAt = lastAt;

  function write<Answer>(id: string | undefined, decision: Decision<Answer>): Promise<Answer> {
    if (closed || dead) return Promise.reject(new Error("the store is closed", { cause: dead }));
    return new Promise<Answer>((resolve, reject) => {
      waiting.push({ id, decision, resolve: resolve as (answer: unknown) => void, reject });
      if (!scheduled) setImmediate(decideAll);
      scheduled = true;
    });
  }

  function decideAll(): void {
    scheduled = false;
    const ready = waiting;
    waiting = [];
    if (commitsSingly) for (const one of ready) decideTogether([one]);
    else decideTogether(ready);
  }

  function decideTogether(ready: readonly Waiting[]): void {
    const batch: Open = { staged: new Map(), answers: [], rejects: [], lastAt: 0 };
    const rows = ready.flatMap((one) => decideOne(one, batch));
    batch.lastAt = lastAt;
    // What writes nothing may still rest on what is on its way to disk, and waits for it.
    if (rows.length === 0 && open.size === 0) {
      answer(batch);
      return;
    }
    batches += 1;
    open.set(batches, batch);
    worker.postMessage({ number: batches, epoch, rows } satisfies Batch);
  }

  function decideOne({ id, decision, resolve, reject }: Waiting, batch: Open): Row[] {
    const current = id === undefined ? undefined : (staged.get(id)?.stored ?? find(id));
    const at = Math.max(clock(), lastAt + 1);
    let taken: { day: string; number: number } | undefined;
    const numberOfDay = (day: string) => {
      taken = { day, number: (numbers.get(day) ?? lastNumber(day)) + 1 };
      return taken.number;
    };
    try {
      const { change, answer } = decision(current, { at, numberOfDay });
      batch.answers.push(() => resolve(answer));
      batch.rejects.push(reject);
      if (!change) return [];
      const stored: Stored = { tender: change.tender, revision: (current?.revision ?? 0) + 1 };
      lastAt = at;
      lastSequence += 1;
      if (taken) numbers.set(taken.day, taken.number);
      const entry = { stored, bytes: change.document.length };
      staged.set(change.tender.id, entry);
      batch.staged.set(change.tender.id, entry);
      return [rowOf(change, stored, at, lastSequence, taken)];
    } catch (error) {
      batch.answers.push(() => reject(error));
      batch.rejects.push(reject);
      return [];
    }
  }

  function answer({ answers }: Open): void {
    for (const one of answers) one();
  }

  worker.on("message", (report: Report) => {
    if ("committed" in report) for (const number of report.committed) becomeDurable(number);
    else forget(report.failed, report.error, report.epoch);
  });

  function becomeDurable(number: number): void {
    const batch = open.get(number);
    if (!batch) return;
    open.delete(number);
    for (const [id, entry] of batch.staged) {
      // A new tender is kept in memory once somebody asks for it: many are published and not read again for long.
      if (entry.stored.revision > 1) keep(id, entry.stored, entry.bytes);
      if (staged.get(id) === entry) staged.delete(id);
    }
    durableAt = Math.max(durableAt, batch.lastAt);
    if (batch.staged.size > 0) version += 1;
    answer(batch);
  }

  /** Nothing of a failed batch is there, nor of any that was decided on top of it. */
  function forget(failed: readonly number[], error: unknown, failedEpoch: number): void {
    if (failedEpoch >= epoch) {
      epoch = failedEpoch + 1;
      staged.clear();
      numbers.clear();
      ({ lastSequence } = position());
    }
    for (const number of failed) {
      for (const reject of open.get(number)?.rejects ?? []) reject(error);
      open.delete(number);
    }
  }

  /** Without its thread nothing can be written any more; whoever asks is told so. */
  let dead: unknown;
  worker.on("error", (error) => {
    dead = error;
    forget([...open.keys()], error, epoch);
  });

  async function close(): Promise<void> {
    closed = true;
    if (waiting.length > 0) decideAll();
    if (!dead) worker.postMessage("close");
    await gone;
  }

  return { write, close, feedVersion: () => version, durableAt: () => durableAt, isAlive: () => !dead && !closed };
}

function rowOf(
  change: Change,
  { tender, revision }: Stored,
  at: Instant,
  sequence: number,
  taken: { readonly day: string; readonly number: number } | undefined,
): Row {
  const { id, status, dateModified, mode } = tender;
  return {
    sequence,
    at,
    id,
    revision,
    document: change.document,
    status,
    listing: status === "draft" ? "draft" : (mode ?? "real"),
    dateModified,
    wakeAt: change.wakeAt ?? null,
    actor: change.actor ?? null,
    act: change.act,
    patch: change.patch,
    files: change.files,
    day: taken?.day ?? null,
    numberOfDay: taken?.number ?? 0,
  };
}
