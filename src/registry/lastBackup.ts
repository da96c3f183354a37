import type { Instant } from "../domain/time.ts";
import type { NoteName, Store } from "../store/store.ts";

/**
 * When the last complete backup was made, as the registry itself knows it: whoever backs up tells it, and every server of the
 * registry can say it. It is not in a backup, so a restored registry has none until it is backed up itself.
 */

const NAME: NoteName = { kind: "backup", id: "last" };

/** In microseconds since 1970; undefined if there was none. */
export async function lastBackup({ notes }: Pick<Store, "notes">): Promise<Instant | undefined> {
  const note = await notes.find(NAME);
  return note && (JSON.parse(note.text) as { readonly made: Instant }).made;
}

/** Of two backups at once the later one counts. */
export async function recordBackup({ notes }: Pick<Store, "notes">, made: Instant): Promise<void> {
  for (;;) {
    const before = await notes.find(NAME);
    if (before && (JSON.parse(before.text) as { readonly made: Instant }).made >= made) return;
    if (await notes.put([{ ...NAME, text: JSON.stringify({ made }), before: before?.revision ?? 0 }])) return;
  }
}
