import { DAY, HOUR, type Instant } from "../domain/time.ts";
import type { NewNote, Note, NoteName } from "../store/store.ts";
import { recordedIn } from "./recorded.ts";

/**
 * Answers under idempotency keys are stored in the commit that they report. What they take up is counted for each account,
 * by the hour in which they were stored, so that nobody fills the disk by sending keys.
 */

export type IdempotencyRecord<Value> = {
  readonly name: NoteName;
  readonly quota: IdempotencyQuota;
  /** Whether what is stored under this key answers the request; a refusal in its short form does not, and is evaluated anew. */
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

/** The request was not carried out, because its answer could not have been recorded. */
export const OVER_QUOTA = { overQuota: true } as const;
export type OverQuota = typeof OVER_QUOTA;

/**
 * Refusals change nothing, so one that is not recorded does no harm. A write is recorded or not carried out. What was done before
 * its answer could be recorded is recorded in any case.
 */
export type Recorded = "refusal" | "write" | "done";

const USAGE = "answers of";
/** What a record takes up besides its text: its names, its row, and its place in the indexes. */
const RECORD_BYTES = 512;
/** Of the quota: refusals must not use up what writes need. */
const SHARE_OF_REFUSALS = 0.5;

export const usageOf = (account: string): NoteName => ({ kind: USAGE, id: account });
export const USAGE_KIND = USAGE;

/** The notes that a decision has to see; they come last. */
export const notesSeenFor = (once: IdempotencyRecord<never> | undefined): readonly NoteName[] =>
  once ? [once.quota.usage, once.name] : [];

/** What answers the request already, if anything does. */
export function replayOf(
  once: Pick<IdempotencyRecord<never>, "holdsAnswer"> | undefined,
  seen: readonly (Note | undefined)[],
  at: Instant,
): Replay | undefined {
  const stored = once && recordedIn(seen.at(-1), at);
  return stored && once.holdsAnswer(stored.text) ? { again: stored.text } : undefined;
}

/** What is to be written so that the answer is remembered; nothing, where it need not be and there is no room for it. */
export function notesToRecord<Value>(
  { record, quota }: IdempotencyRecord<Value>,
  value: Value,
  seen: readonly (Note | undefined)[],
  at: Instant,
  kind: Recorded,
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

/** Whether hardly anything more can be recorded, so that nothing should be begun. */
export const isUsedUp = (usage: Note | undefined, { bytesMax }: IdempotencyQuota, now: Instant): boolean =>
  usageIn(usage, now).reduce((sum, { bytes }) => sum + bytes, RECORD_BYTES) > bytesMax;

type HourOfUse = { readonly hour: number; readonly bytes: number; readonly refusals: number };

/** The hours whose records may still be there. */
function usageIn(note: Note | undefined, at: Instant): readonly HourOfUse[] {
  const hours = note ? (JSON.parse(note.text) as readonly HourOfUse[]) : [];
  return hours.filter(({ hour }) => (hour + 1) * HOUR + DAY > at);
}

function usageNote(
  { usage: name }: IdempotencyQuota,
  usage: readonly HourOfUse[],
  bytes: number,
  kind: Recorded,
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
