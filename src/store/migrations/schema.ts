/** How a database of an older version is migrated. */
export type MigrationSettings = {
  readonly onMigration?: OnMigration | undefined;
  /** How many tenders are migrated in one transaction; fewer in tests. */
  readonly migrationBatch?: number | undefined;
  /** After this many bytes of tenders, a transaction takes no more of them; fewer in tests. */
  readonly migrationBytes?: number | undefined;
};

/** Called while a migration of data proceeds; it can take minutes. `done` and `total` are numbers of tenders. */
export type OnMigration = (progress: { readonly name: string; readonly done: number; readonly total: number }) => void;

/** Throws if the schema version is newer than the supported one. A server migrates older databases, but cannot use newer ones. */
export function checkIsNotNewer(found: number, supported: number): void {
  if (found > supported)
    throw new Error(
      `the database was written by a newer Tenderhall (schema ${found}; this one supports ${supported}): update the program`,
    );
}

/** Throws unless the schema version is the supported one, for programs that only read and therefore cannot migrate. */
export function checkIsKnown(found: number, supported: number): void {
  checkIsNotNewer(found, supported);
  if (found === 0) throw new Error("there is no registry in this database yet");
  if (found < supported)
    throw new Error(
      `the database was written by an older Tenderhall (schema ${found}; this one needs ${supported}): start the new server on it first`,
    );
}

/** Throws if a migration of data was interrupted, for programs that only read and therefore cannot complete it. */
export function checkIsComplete(isPending: boolean): void {
  if (isPending) throw new Error("the migration of the database is not complete: start the server on it first");
}
