import type { Instant } from "../domain/values/time.ts";
import type { KeyValueEntry } from "../store/store.ts";

/** What was answered before under a key; one that is over is as good as none. */
export const unexpiredEntry = (entry: KeyValueEntry | undefined, now: Instant): KeyValueEntry | undefined =>
  entry && entry.dueAt! > now ? entry : undefined;
