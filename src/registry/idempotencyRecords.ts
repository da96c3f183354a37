import { DAY, HOUR, type Instant } from "../domain/values/time.ts";
import type { EntryKey, EntryWrite, KeyValueEntry } from "../store/store.ts";
import { unexpiredEntry } from "./idempotencyExpiry.ts";

/**
 * Idempotency records: responses are stored in the same commit as the change that they report. Their bytes are counted for each
 * account and hour, so that no account can fill the disk with idempotency keys.
 */

export type IdempotencyRecord<Value> = {
  readonly name: EntryKey;
  readonly quota: IdempotencyQuota;
  /** Whether the stored record answers the request. A refusal in short form does not: it is evaluated again. */
  readonly holdsResponse: (stored: string) => boolean;
  readonly record: (value: Value, at: Instant) => EntryWrite;
};

export type IdempotencyQuota = {
  /** Where the account's use is counted. */
  readonly usage: EntryKey;
  /** For the records of a day. */
  readonly bytesMax: number;
};

export type Replay = { readonly storedResponse: string };

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
const REFUSALS_SHARE = 0.5;

export const usageKey = (account: string): EntryKey => ({ kind: USAGE, id: account });
export const USAGE_KIND = USAGE;

/** The notes that a decision has to see; they come last. */
export const keysToRead = (idempotency: IdempotencyRecord<never> | undefined): readonly EntryKey[] =>
  idempotency ? [idempotency.quota.usage, idempotency.name] : [];

/** The stored response to this request, if there is one. */
export function replayOf(
  idempotency: Pick<IdempotencyRecord<never>, "holdsResponse"> | undefined,
  entries: readonly (KeyValueEntry | undefined)[],
  at: Instant,
): Replay | undefined {
  const stored = idempotency && unexpiredEntry(entries.at(-1), at);
  return stored && idempotency.holdsResponse(stored.text) ? { storedResponse: stored.text } : undefined;
}

/** What to write to record the response; nothing if there is no room and it need not be recorded. */
export function entriesToRecord<Value>(
  { record, quota }: IdempotencyRecord<Value>,
  value: Value,
  entries: readonly (KeyValueEntry | undefined)[],
  at: Instant,
  kind: RecordKind,
): readonly EntryWrite[] | OverQuota {
  const entry = record(value, at);
  if (unexpiredEntry(entries.at(-1), at)?.text === entry.text) return [];
  const usage = parseUsage(entries.at(-2), at);
  const bytes = (entry.text?.length ?? 0) + RECORD_BYTES;
  const total = usage.reduce((sum, hour) => sum + hour.bytes, bytes);
  const refusals = usage.reduce((sum, hour) => sum + hour.refusals, bytes);
  const isOver = total > quota.bytesMax;
  if (kind === "write" && isOver) return OVER_QUOTA;
  if (kind === "refusal" && (isOver || refusals > quota.bytesMax * REFUSALS_SHARE)) return [];
  return [entry, usageEntry(quota, usage, bytes, kind, at)];
}

/** Whether the quota is nearly used up, so that no new write should begin. */
export const isUsedUp = (usage: KeyValueEntry | undefined, { bytesMax }: IdempotencyQuota, now: Instant): boolean =>
  parseUsage(usage, now).reduce((sum, { bytes }) => sum + bytes, RECORD_BYTES) > bytesMax;

type HourOfUse = { readonly hour: number; readonly bytes: number; readonly refusals: number };

/** The hours whose records may still exist. */
function parseUsage(entry: KeyValueEntry | undefined, at: Instant): readonly HourOfUse[] {
  const hours = entry ? (JSON.parse(entry.text) as readonly HourOfUse[]) : [];
  return hours.filter(({ hour }) => (hour + 1) * HOUR + DAY > at);
}

function usageEntry(
  { usage: name }: IdempotencyQuota,
  usage: readonly HourOfUse[],
  bytes: number,
  kind: RecordKind,
  at: Instant,
): EntryWrite {
  const hour = Math.floor(at / HOUR);
  const current = usage.find((hourOfUse) => hourOfUse.hour === hour) ?? { hour, bytes: 0, refusals: 0 };
  const updated = {
    hour,
    bytes: current.bytes + bytes,
    refusals: current.refusals + (kind === "refusal" ? bytes : 0),
  };
  const hours = [...usage.filter((hourOfUse) => hourOfUse.hour !== hour), updated];
  return { ...name, text: JSON.stringify(hours), dueAt: (hour + 1) * HOUR + DAY };
}
