import type { Instant } from "../domain/values/time.ts";
import type { EntryKey, Store } from "../store/store.ts";

/**
 * When the last complete backup was made. The backup command records it in the registry, so every server can report it. It is
 * not part of a backup, so a restored registry has none until it is backed up itself.
 */

const LAST_BACKUP_KEY: EntryKey<"last backup"> = { kind: "last backup", id: "last" };

/** When the last backup was made; `undefined` if there was none. */
export async function lastBackup({ keyValues }: Pick<Store, "keyValues">): Promise<Instant | undefined> {
  return (await keyValues.find(LAST_BACKUP_KEY))?.value.made;
}

/** Records a backup made at this instant, unless a later one is recorded already. */
export async function recordBackup({ keyValues }: Pick<Store, "keyValues">, made: Instant): Promise<void> {
  for (;;) {
    const before = await keyValues.find(LAST_BACKUP_KEY);
    if (before && before.value.made >= made) return;
    if (await keyValues.put([{ ...LAST_BACKUP_KEY, value: { made }, before: before?.revision ?? 0 }])) return;
  }
}
