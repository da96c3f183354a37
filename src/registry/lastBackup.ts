import { parseOwnJson } from "../base/ownJson.ts";
import type { Instant } from "../domain/values/time.ts";
import type { EntryKey, Store } from "../store/store.ts";

/**
 * When the last complete backup was made. The backup command records it in the registry, so every server can report it. It is
 * not part of a backup, so a restored registry has none until it is backed up itself.
 */

const LAST_BACKUP_KEY: EntryKey = { kind: "backup", id: "last" };

/** When the last backup was made; `undefined` if there was none. */
export async function lastBackup({ keyValues }: Pick<Store, "keyValues">): Promise<Instant | undefined> {
  const entry = await keyValues.find(LAST_BACKUP_KEY);
  return entry && parseOwnJson<{ readonly made: Instant }>(entry.text).made;
}

/** Records a backup made at this instant, unless a later one is recorded already. */
export async function recordBackup({ keyValues }: Pick<Store, "keyValues">, made: Instant): Promise<void> {
  for (;;) {
    const before = await keyValues.find(LAST_BACKUP_KEY);
    if (before && parseOwnJson<{ readonly made: Instant }>(before.text).made >= made) return;
    if (await keyValues.put([{ ...LAST_BACKUP_KEY, text: JSON.stringify({ made }), before: before?.revision ?? 0 }]))
      return;
  }
}
