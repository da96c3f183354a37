import { openConfiguredStore } from "../app/adapters.ts";
import { systemClock } from "../app/systemClock.ts";
import type { Config } from "../config/config.ts";
import type { Instant } from "../domain/values/time.ts";
import { recordBackup } from "../registry/lastBackup.ts";
import { operatorSocketPath } from "../registry/operatorAccess.ts";
import { sendToServer } from "./operatorClient.ts";

/**
 * Records in the registry when a backup was made. On SQLite the running server writes it, because it locks the database.
 * Otherwise it is written to the store directly: opening the registry would carry out due deadlines, which the backup lacks.
 */
export async function recordBackupOf(config: Config, madeAt: Instant): Promise<void> {
  const reply = config.databaseUrl
    ? undefined
    : await sendToServer(operatorSocketPath(config.dataDir), { do: "record backup", made: madeAt });
  if (reply?.ok === false) throw new Error(reply.problems.join("; "));
  if (reply) return;
  const store = await openConfiguredStore(config, { clock: systemClock });
  try {
    await recordBackup(store, madeAt);
  } finally {
    await store.close();
  }
}
