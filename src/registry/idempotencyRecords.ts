import { DAY, HOUR, type Instant } from "../domain/values/time.ts";
import type { EntryKey, EntryWrite, HourlyUsage, KeyValueEntry, RequestedEntries } from "../store/store.ts";
import { unexpiredRecord } from "./idempotencyExpiry.ts";

/**
 * Idempotency records: responses are stored in the same commit as the change that they report. Their bytes are counted for each
 * account and hour, so that no account can fill the disk with idempotency keys.
 */

/** How the response to a request with an idempotency key is recorded. */
export type IdempotencyRecord<Value> = {
  readonly name: EntryKey<"idempotency record">;
  readonly quota: IdempotencyQuota;
  /** Whether the stored record contains the response. A refusal in short form does not: it is evaluated again. */
  readonly holdsResponse: (stored: string) => boolean;
  /** The entry that records the response to this result. */
  readonly record: (value: Value, at: Instant) => RecordWrite;
};

/** The write of a record, which has a value and an expiry. */
export type RecordWrite = EntryKey<"idempotency record"> & { readonly value: string; readonly expiresAt: Instant };

/** The space that an account has for idempotency records. */
export type IdempotencyQuota = {
  /** The entry that counts the account's usage. */
  readonly usage: EntryKey<"idempotency usage">;
  /** Bytes of the records of one day. */
  readonly bytesMax: number;
};

/** The recorded response to an earlier request with the same key; nothing was executed. */
export type Replay = { readonly storedResponse: string };

/** The request was not executed, because the account's quota has no space to record the response. */
export const OVER_QUOTA = { overQuota: true } as const;
export type OverQuota = typeof OVER_QUOTA;

/**
 * A refusal changes nothing, so it may go unrecorded. A write is not executed unless it can be recorded. "done" is a write that was
 * executed before its response could be recorded, and is recorded in any case.
 */
export type RecordedKind = "refusal" | "write" | "done";

/** Bytes of a record besides its text: its names, its row and its index entries. */
const RECORD_BYTES = 512;
/** Share of the quota for refusals, so that they do not use up what writes need. */
const REFUSALS_SHARE = 0.5;

/** The key of the entry that counts an account's usage. */
export const usageKey = (account: string): EntryKey<"idempotency usage"> => ({
  kind: "idempotency usage",
  id: account,
});

/** The entries that a decision must request for the functions below: the account's usage and the record itself. */
export const keysToRead = (idempotency: IdempotencyRecord<never> | undefined): readonly EntryKey[] =>
  idempotency ? [idempotency.quota.usage, idempotency.name] : [];

/** The stored response to this request, if there is one. */
export function replayOf(
  idempotency: Pick<IdempotencyRecord<never>, "name" | "holdsResponse"> | undefined,
  entries: RequestedEntries,
  at: Instant,
): Replay | undefined {
  const stored = idempotency && unexpiredRecord(entries.find(idempotency.name), at);
  return stored && idempotency.holdsResponse(stored.value) ? { storedResponse: stored.value } : undefined;
}

/** The entries that record the response; none if it is recorded already, or if it is a refusal for which the quota has no space. */
export function entriesToRecord<Value>(
  { name, record, quota }: IdempotencyRecord<Value>,
  value: Value,
  entries: RequestedEntries,
  at: Instant,
  kind: RecordedKind,
): readonly EntryWrite[] | OverQuota {
  const entry = record(value, at);
  if (unexpiredRecord(entries.find(name), at)?.value === entry.value) return [];
  const usage = currentUsage(entries.find(quota.usage), at);
  const bytes = entry.value.length + RECORD_BYTES;
  const total = usage.reduce((sum, hour) => sum + hour.bytes, bytes);
  const refusals = usage.reduce((sum, hour) => sum + hour.refusals, bytes);
  const isOver = total > quota.bytesMax;
  if (kind === "write" && isOver) return OVER_QUOTA;
  if (kind === "refusal" && (isOver || refusals > quota.bytesMax * REFUSALS_SHARE)) return [];
  return [entry, usageEntry(quota, usage, bytes, kind, at)];
}

/** Whether the quota has no space for even the shortest record, so that no write should begin. */
export const isUsedUp = (usage: UsageEntry | undefined, { bytesMax }: IdempotencyQuota, now: Instant): boolean =>
  currentUsage(usage, now).reduce((sum, { bytes }) => sum + bytes, RECORD_BYTES) > bytesMax;

type UsageEntry = KeyValueEntry<"idempotency usage">;

/** The usage of all hours whose records may not have expired. */
function currentUsage(entry: UsageEntry | undefined, at: Instant): readonly HourlyUsage[] {
  return (entry?.value ?? []).filter(({ hour }) => (hour + 1) * HOUR + DAY > at);
}

function usageEntry(
  { usage: name }: IdempotencyQuota,
  usage: readonly HourlyUsage[],
  bytes: number,
  kind: RecordedKind,
  at: Instant,
): EntryWrite {
  const hour = Math.floor(at / HOUR);
  const current = usage.find((hourly) => hourly.hour === hour) ?? { hour, bytes: 0, refusals: 0 };
  const updated = {
    hour,
    bytes: current.bytes + bytes,
    refusals: current.refusals + (kind === "refusal" ? bytes : 0),
  };
  const hours = [...usage.filter((hourly) => hourly.hour !== hour), updated];
  return { ...name, value: hours, expiresAt: (hour + 1) * HOUR + DAY };
}
