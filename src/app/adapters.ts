import type { Config } from "../config/config.ts";
import type { Instant } from "../domain/values/time.ts";
import { type FileSystem, openDisk } from "../files/disk.ts";
import type { Files } from "../files/files.ts";
import { openS3 } from "../files/s3/s3.ts";
import type { OnMigration } from "../store/migrations/schema.ts";
import { openPostgres } from "../store/postgres/postgres.ts";
import { type AcquireWriteLock, openSqlite } from "../store/sqlite/sqlite.ts";
import type { Store } from "../store/store.ts";
import { systemClock } from "./systemClock.ts";

/** The only place that chooses the adapters of the store and of the files. */

export type StoreOptions = {
  readonly clock: () => Instant;
  /** For benchmarks: one commit for each change. */
  readonly commitsSingly?: boolean;
  /** For benchmarks: the simulated time of an fsync. */
  readonly slowDiskMs?: number;
  /** For benchmarks: changes do not update the search index and the statistics. */
  readonly skipsIndex?: boolean;
  /** Set if this process is one of several workers. */
  readonly worker?: { readonly acquireWriteLock: AcquireWriteLock };
  readonly readsOnly?: boolean;
  /** Called while a database of an older version is migrated. */
  readonly onMigration?: OnMigration;
};

/** Opens the store of the settings: PostgreSQL with DATABASE_URL, otherwise SQLite. */
export async function openConfiguredStore(
  { dataDir, databaseUrl, databaseReadUrl, cacheBytesMax, commitBytesMax, sizes }: Config,
  { clock, commitsSingly, slowDiskMs, skipsIndex, worker, readsOnly, onMigration }: StoreOptions,
): Promise<Store> {
  // A parsed tender takes up to twice the memory of its JSON.
  const memory = { recentBytesMax: cacheBytesMax, largeBytesMax: 2 * sizes.storedBytesMax, commitBytesMax };
  const settings = { clock, commitsSingly, slowDiskMs, skipsIndex, readsOnly, onMigration, ...memory };
  return databaseUrl
    ? openPostgres({ ...settings, url: databaseUrl, readUrl: databaseReadUrl, sharesClock: clock === systemClock })
    : openSqlite({ ...settings, dataDir, shared: worker });
}

/** Opens the document files of the settings: S3 with DOCUMENTS_URL, otherwise the disk. */
export const openConfiguredFiles = async ({ documents, dataDir }: Config, fileSystem?: FileSystem): Promise<Files> =>
  documents ? openS3(documents) : openDisk(dataDir, fileSystem);
