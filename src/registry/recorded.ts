import type { Instant } from "../domain/time.ts";
import type { Note } from "../store/store.ts";

/** What was answered before under a key; one that is over is as good as none. */
export const recordedIn = (note: Note | undefined, now: Instant): Note | undefined =>
  note && note.dueAt! > now ? note : undefined;
