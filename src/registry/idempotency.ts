import { DAY, HOUR, type Instant } from "../domain/time.ts";
import type { NewNote, Note, NoteName } from "../store/store.ts";
import { recordedIn } from "./recorded.ts";

/**
 * Idempotency records: responses are stored in the same commit as the change that they report. Their bytes are counted for each
 * account and hour, so that no account can fill the disk with idempotency keys.
 */

export type IdempotencyRecord<Value> = {
  readonly name: NoteName;
  readonly quota: IdempotencyQuota;
  /** Whether the stored record answers the request. A refusal in short form does not: it is evaluated again. */
  readonly holdsAnswer: (stored: string) => boolean;
  readonly record: (value: Value, at: Instant) => NewNote;
};

export type IdempotencyQuota = {
  /** Where the account's use is counted. */
  readonly usage: NoteName;
  /** For the records of a day. */
  readonly bytesMax: number;
};

export type Replay = { readonly again: string };

/** The request was not carried out, because there was no room to record its response. */
export const OVER_QUOTA = { overQuota: true } as const;
export type OverQuota = typeof OVER_QUOTA;

/**
 * Refusals change nothing, so they may go unrecorded. A write is recorded or not carried out. A write that was carried out before
 * its response could be recorded is recorded in any case.
 */
export type RecordKind = "refusal" | "write" | "done";

const USAGE = "answers of";
/** Bytes of a record besides its text: its names, its row and its index entries. */
const RECORD_BYTES = 512;
/** Share of the quota for refusals, so that they do not use up what writes need. */
const SHARE_OF_REFUSALS = 0.5;

export const usageOf = (account: string): NoteName => ({ kind: USAGE, id: account });
export const USAGE_KIND = USAGE;

/** The notes that a decision has to see; they come last. */
export const notesSeenFor = (once: IdempotencyRecord<never> | undefined): readonly NoteName[] =>
  once ? [once.quota.usage, once.name] : [];

/** The stored response to this request, if there is one. */
export function replayOf(
  once: Pick<IdempotencyRecord<never>, "holdsAnswer"> | undefined,
  seen: readonly (Note | undefined)[],
  at: Instant,
): Replay | undefined {
  const stored = once && recordedIn(seen.at(-1), at);
  return stored && once.holdsAnswer(stored.text) ? { again: stored.text } : undefined;
}

/** What to write to record the response; nothing if there is no room and it need not be recorded. */
export function notesToRecord<Value>(
  { record, quota }: IdempotencyRecord<Value>,
  value: Value,
  seen: readonly (Note | undefined)[],
  at: Instant,
  kind: RecordKind,
): readonly NewNote[] | OverQuota {
  const note = record(value, at);
  if (recordedIn(seen.at(-1), at)?.text === note.text) return [];
  const usage = usageIn(seen.at(-2), at);
  const bytes = (note.text?.length ?? 0) + RECORD_BYTES;
  const total = usage.reduce((sum, hour) => sum + hour.bytes, bytes);
  const refusals = usage.reduce((sum, hour) => sum + hour.refusals, bytes);
  const isOver = total > quota.bytesMax;
  if (kind === "write" && isOver) return OVER_QUOTA;
  if (kind === "refusal" && (isOver || refusals > quota.bytesMax * SHARE_OF_REFUSALS)) return [];
  return [note, usageNote(quota, usage, bytes, kind, at)];
}

/** Whether the quota is nearly used up, so that no new write should begin. */
export const isUsedUp = (usage: Note | undefined, { bytesMax }: IdempotencyQuota, now: Instant): boolean =>
  usageIn(usage, now).reduce((sum, { bytes }) => sum + bytes, RECORD_BYTES) > bytesMax;

type HourOfUse = { readonly hour: number; readonly bytes: number; readonly refusals: number };

/** The hours whose records may still exist. */
function usageIn(note: Note | undefined, at: Instant): readonly HourOfUse[] {
  const hours = note ? (JSON.parse(note.text) as readonly HourOfUse[]) : [];
  return hours.filter(({ hour }) => (hour + 1) * HOUR + DAY > at);
}

function usageNote(
  { usage: name }: IdempotencyQuota,
  usage: readonly HourOfUse[],
  bytes: number,
  kind: RecordKind,
  at: Instant,
): NewNote {
  const hour = Math.floor(at / HOUR);
  const current = usage.find((one) => one.hour === hour) ?? { hour, bytes: 0, refusals: 0 };
  const more = {
    hour,
    bytes: current.bytes + bytes,
    refusals: current.refusals + (kind === "refusal" ? bytes : 0),
  };
  const hours = [...usage.filter((one) => one.hour !== hour), more];
  return { ...name, text: JSON.stringify(hours), dueAt: (hour + 1) * HOUR + DAY };
}
