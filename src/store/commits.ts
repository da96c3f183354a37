import { Worker } from "node:worker_threads";
import type { Instant } from "../domain/time.ts";
import type { Row } from "./sqliteRows.ts";
import type { Report, Sent, WriterData } from "./sqliteWriter.ts";
import type { Change, Decision, Stored } from "./store.ts";

/**
 * Where the one order of all changes is made: decisions are taken one after another, here, and answered once they are on
 * disk. The thread that writes takes whatever has gathered while it waited for the disk into one commit.
 */

/** Enough that messages are few, and few enough that the writing thread begins while this one still decides. */
const POSTED_AT_ONCE = 8;

type Staged = { readonly stored: Stored; readonly bytes: number };

/** Decided, on its way to disk. */
type Open = {
  readonly at: Instant;
  readonly staged: Staged;
  /** Its own, and those of decisions that wrote nothing but may rest on it. */
  readonly waiting: { readonly resolve: () => void; readonly reject: (error: unknown) => void }[];
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

  let closed = false;
  let dead: unknown;
  let version = 0;
  let epoch = 0;
  /** Decided but not yet on disk: later decisions see it, readers do not. */
  const staged = new Map<string, Staged>();
  const open = new Map<number, Open>();
  const numbers = new Map<string, number>();
  let { lastAt, lastSequence } = position();
  let lastSent = 0;
  let outbox: Sent[] = [];
  /** Everything up to here is on disk and known to be; readers of the feed are shown no more. */
  let durableAt = lastAt;

  function write<Answer>(id: string | undefined, decision: Decision<Answer>): Promise<Answer> {
    if (closed || dead) return Promise.reject(new Error("the store is closed", { cause: dead }));
    return new Promise<Answer>((resolve, reject) => decide(id, decision, resolve, reject));
  }

  function decide<Answer>(
    id: string | undefined,
    decision: Decision<Answer>,
    resolve: (answer: Answer) => void,
    reject: (error: unknown) => void,
  ): void {
    const current = id === undefined ? undefined : (staged.get(id)?.stored ?? find(id));
    const at = Math.max(clock(), lastAt + 1);
    let taken: { day: string; number: number } | undefined;
    const numberOfDay = (day: string) => {
      taken = { day, number: (numbers.get(day) ?? lastNumber(day)) + 1 };
      return taken.number;
    };
    const { change, answer } = decision(current, { at, numberOfDay });
    const waiting = { resolve: () => resolve(answer), reject };
    if (change) send(change, current, at, taken, waiting);
    else rest(waiting);
  }

  /** What writes nothing may still rest on what is on its way to disk, and waits for it. */
  function rest(waiting: Open["waiting"][number]): void {
    const last = open.get(lastSent);
    if (last) last.waiting.push(waiting);
    else waiting.resolve();
  }

  function send(
    change: Change,
    current: Stored | undefined,
    at: Instant,
    taken: { readonly day: string; readonly number: number } | undefined,
    waiting: Open["waiting"][number],
  ): void {
    const stored: Stored = { tender: change.tender, revision: (current?.revision ?? 0) + 1 };
    lastAt = at;
    lastSequence += 1;
    lastSent += 1;
    if (taken) numbers.set(taken.day, taken.number);
    const entry = { stored, bytes: change.document.length };
    staged.set(change.tender.id, entry);
    open.set(lastSent, { at, staged: entry, waiting: [waiting] });
    if (outbox.length === 0) setImmediate(post);
    outbox.push({ number: lastSent, epoch, row: rowOf(change, stored, at, lastSequence, taken) });
    if (outbox.length >= POSTED_AT_ONCE) post();
  }

  /** What one turn of the event loop decided goes over together, as each message costs. */
  function post(): void {
    if (outbox.length > 0) worker.postMessage(outbox);
    outbox = [];
  }

  worker.on("message", (report: Report) => {
    if ("committed" in report) for (const number of report.committed) becomeDurable(number);
    else forget(report.failed, report.error, report.epoch);
  });

  function becomeDurable(number: number): void {
    const { at, staged: entry, waiting } = open.get(number)!;
    open.delete(number);
    const { id } = entry.stored.tender;
    // A new tender is kept in memory once somebody asks for it: many are published and not read again for long.
    if (entry.stored.revision > 1) keep(id, entry.stored, entry.bytes);
    if (staged.get(id) === entry) staged.delete(id);
    durableAt = at;
    version += 1;
    for (const { resolve } of waiting) resolve();
  }

  /** Nothing of a failed commit is there, nor of anything that was decided on top of it. */
  function forget(failed: readonly number[], error: unknown, failedEpoch: number): void {
    if (failedEpoch >= epoch) {
      epoch = failedEpoch + 1;
      staged.clear();
      numbers.clear();
      ({ lastSequence } = position());
    }
    for (const number of failed) {
      for (const { reject } of open.get(number)?.waiting ?? []) reject(error);
      open.delete(number);
    }
  }

  /** Without its thread nothing can be written any more; whoever asks is told so. */
  worker.on("error", (error) => {
    dead = error;
    forget([...open.keys()], error, epoch);
  });

  async function close(): Promise<void> {
    closed = true;
    post();
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
