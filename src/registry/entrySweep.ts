import type { Instant } from "../domain/values/time.ts";
import { type KeyValueStore, SWEPT_KINDS } from "../store/store.ts";

/** Small enough that other writes do not wait long for a batch. */
const BATCH_SIZE = 1000;

/** Deletes the expired entries of all kinds whose retention is "swept"; returns their number. */
export async function sweepExpiredEntries(keyValues: KeyValueStore, now: Instant): Promise<number> {
  let deleted = 0;
  for (const kind of SWEPT_KINDS)
    for (;;) {
      const expired = await keyValues.expired(kind, now, BATCH_SIZE);
      if (expired.length === 0) break;
      const deletions = expired.map(({ id, revision }) => ({ kind, id, value: undefined, before: revision }));
      // False if another process has changed one of them: the next round reads them again.
      if (await keyValues.put(deletions)) deleted += expired.length;
    }
  return deleted;
}
