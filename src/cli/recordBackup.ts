import type { Config } from "../config.ts";
import type { Instant } from "../domain/time.ts";
import { controlPath } from "../registry/control.ts";
import { recordBackup } from "../registry/lastBackup.ts";
import { openStoreOf, systemClock } from "../start.ts";
import { askServer } from "./ask.ts";

/**
 * Records in the registry when a backup was made. On SQLite the running server writes it, because it holds the database. Without a
 * server it is written to the store directly: opening the registry would carry out due deadlines, which the backup would not have.
 */
export async function recordBackupOf(config: Config, made: Instant): Promise<void> {
  const answered = config.databaseUrl
    ? undefined
    : await askServer(controlPath(config.dataDir), { do: "record backup", made });
  if (answered?.ok === false) throw new Error(answered.problems.join("; "));
  if (answered) return;
  const store = await openStoreOf(config, { clock: systemClock });
  try {
    await recordBackup(store, made);
  } finally {
    await store.close();
  }
}
