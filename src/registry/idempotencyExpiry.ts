import type { Instant } from "../domain/values/time.ts";
import type { KeyValueEntry } from "../store/store.ts";

/** The idempotency record, unless it has expired. Expired records may still be in the store until the cleanup removes them. */
export const unexpiredRecord = (entry: StoredRecord | undefined, now: Instant): StoredRecord | undefined =>
  entry?.expiresAt !== undefined && entry.expiresAt > now ? entry : undefined;

type StoredRecord = KeyValueEntry<"idempotency record">;
