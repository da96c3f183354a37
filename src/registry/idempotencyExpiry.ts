import type { Instant } from "../domain/values/time.ts";
import type { KeyValueEntry } from "../store/store.ts";

/** The idempotency record, unless it has expired. Expired records may still be in the store until the cleanup removes them. */
export const unexpiredEntry = (entry: KeyValueEntry | undefined, now: Instant): KeyValueEntry | undefined =>
  entry?.dueAt !== undefined && entry.dueAt > now ? entry : undefined;
