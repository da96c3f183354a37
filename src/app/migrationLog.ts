import type { Log } from "../ops/log.ts";
import type { OnMigration } from "../store/migrations/schema.ts";

const LOG_INTERVAL_MS = 1000;

/** Logs how far a migration of the database has come, once a second and at its end. A large registry takes minutes. */
export function logMigration(log: Log): OnMigration {
  let loggedAt = Number.NEGATIVE_INFINITY;
  return ({ name, done, total }) => {
    const now = performance.now();
    if (done < total && now - loggedAt < LOG_INTERVAL_MS) return;
    loggedAt = now;
    log.info("migrating", { moving: name, done, total });
    // The migration of SQLite blocks this process, so no timer would write the line.
    log.flush();
  };
}
