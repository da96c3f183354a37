import { existsSync, mkdirSync, rmSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { Config } from "../config/config.ts";
import { openDisk } from "../files/disk.ts";
import type { Files } from "../files/files.ts";
import { lockFolder, openSqlite } from "../store/sqlite/sqlite.ts";
import type { Store } from "../store/store.ts";
import { openConfiguredFiles, openConfiguredStore } from "./adapters.ts";
import { systemClock } from "./systemClock.ts";

/** Opens registries and backup folders for commands of operators, without a server. */

export type OfflineRegistry = { readonly store: Store; readonly files: Files; readonly close: () => Promise<void> };

/** Opens the registry to read only; a server may run at the same time. Throws if there is no registry. */
export async function openForReading(config: Config): Promise<OfflineRegistry> {
  if (!config.databaseUrl && !existsSync(join(config.dataDir, "tenderhall.sqlite")))
    throw new Error(`there is no registry in DATA_DIR ${resolve(config.dataDir)}`);
  return withFiles(await openConfiguredStore(config, { clock: systemClock, readsOnly: true }), config);
}

/** Opens the registry to import data. On SQLite no server may run at the same time; on PostgreSQL it may, and sees the new data. */
export async function openForImport(config: Config, scope: "ledger" | "and documents"): Promise<OfflineRegistry> {
  const needsNoLock = scope === "ledger" || config.documents || !config.databaseUrl;
  const documentsLock = needsNoLock ? undefined : lockDocuments(config);
  try {
    const { close, ...rest } = await openExclusively(config);
    return { ...rest, close: () => close().finally(() => documentsLock?.close()) };
  } catch (error) {
    documentsLock?.close();
    throw error;
  }
}

/** An import sweeps unfinished files first. In the folder of another server on SQLite, these could be files that it is receiving. */
const lockDocuments = ({ dataDir }: Config) =>
  acquireFolderLock(dataDir, `another server keeps its documents in DATA_DIR ${dataDir}: use another folder`);

/** A server is running on the registry. */
export class RegistryInUseError extends Error {}

const SQLITE_BUSY = 5;
const codeOf = (cause: unknown): unknown => (cause instanceof Error && "errcode" in cause ? cause.errcode : undefined);

async function openExclusively(config: Config): Promise<OfflineRegistry> {
  const store = await openConfiguredStore(config, { clock: systemClock }).catch((error: Error) => {
    const isLocked = error.message.startsWith("another server");
    // Every failure to lock the folder is reported like that, with the cause; only this code is really another server.
    if (isLocked && codeOf(error.cause) === SQLITE_BUSY)
      throw new RegistryInUseError(
        `${error.message}: stop it first, because nothing else may write during this command`,
      );
    throw isLocked && error.cause instanceof Error ? error.cause : error;
  });
  return withFiles(store, config);
}

async function withFiles(store: Store, config: Config): Promise<OfflineRegistry> {
  try {
    return { store, files: await openConfiguredFiles(config), close: store.close };
  } catch (error) {
    await store.close();
    throw error;
  }
}

export type BackupFolder = { readonly files: Files; readonly close: () => void };

/** Opens and locks a folder to write a backup to. Throws if it is the folder of a registry or in use by another backup. */
export async function openBackupFolder(folder: string, { dataDir }: Config): Promise<BackupFolder> {
  if (resolve(folder) === resolve(dataDir) || existsSync(join(folder, "tenderhall.sqlite")))
    throw new Error(`${folder} is the folder of a registry: a backup needs its own folder`);
  const folderLock = acquireFolderLock(folder, `another backup to ${folder} is running`);
  return { files: await openDisk(folder), close: folderLock.close };
}

/** Locks a folder, and creates it if needed. The lock ends with the process. Throws `messageIfLocked` if it is held by another. */
export function acquireFolderLock(
  folder: string,
  messageIfLocked: string,
  name?: string,
): { readonly close: () => void } {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  try {
    const lock = lockFolder(folder, name);
    return { close: () => lock.close() };
  } catch (cause) {
    throw new Error(messageIfLocked, { cause });
  }
}

/** The files of a backup, to read. */
export const openBackupFiles = (folder: string): Promise<Files> => openDisk(folder);

export type ScratchRegistry = {
  readonly folder: string;
  readonly openStore: () => Store;
  readonly remove: () => Promise<void>;
};

const CACHE_BYTES = 32 * 1024 * 1024;

/** A temporary folder for a registry, for example to check a backup. The caller must call `remove`. */
export async function openScratchRegistry(): Promise<ScratchRegistry> {
  const folder = await mkdtemp(join(tmpdir(), "tenderhall-"));
  // Also removes it if the process exits early.
  const removeAtExit = () => rmSync(folder, { recursive: true, force: true });
  process.once("exit", removeAtExit);
  return {
    folder,
    openStore: () => openSqlite({ dataDir: folder, clock: systemClock, recentBytesMax: CACHE_BYTES }),
    remove: async () => {
      await rm(folder, { recursive: true, force: true });
      process.off("exit", removeAtExit);
    },
  };
}
