import { join } from "node:path";
import type { BeginProgressStage } from "../base/progress.ts";
import type { Files } from "../files/files.ts";
import type { ReferencedFile } from "../ledger/tenderHistory.ts";
import type { Store } from "../store/store.ts";
import { copyAll } from "./backup.ts";
import {
  checkParts,
  ledgerFileName,
  listedFiles,
  type Manifest,
  type MissingFile,
  readManifest,
  readSecrets,
} from "./backupFolder.ts";
import { checkLedger, checkSameHistory, importRemainingRows } from "./ledgerImport.ts";
import { writeNonLedgerData } from "./nonLedgerData.ts";

export type RestoreOptions = {
  readonly store: Store;
  readonly files: Files;
  readonly folder: string;
  /** The file store in the folder of the backup. */
  readonly copies: Files;
  readonly begin: BeginProgressStage;
};

export type RestoreResult = {
  /** The last row of the ledger. */
  readonly upTo: number;
  /** The number of rows restored by this run. */
  readonly rows: number;
  /** The number of files restored by this run. */
  readonly copied: number;
  /** Files that the backup does not have. */
  readonly lacks: readonly MissingFile[];
};

/**
 * Restores a backup into an empty registry, or continues an interrupted restore. The files are restored first, so that no tender
 * refers to a file that is not there yet. Throws if the backup is damaged or the registry has another history.
 */
export async function restoreBackup({ store, files, folder, copies, begin }: RestoreOptions): Promise<RestoreResult> {
  const manifest = await readManifest(folder);
  await checkParts(folder, manifest);
  await checkIsPrefix(store, folder, manifest);
  if ((await store.position()) === 0) await writeNonLedgerData(store, await readSecrets(folder, manifest));
  await files.sweep(store.knownFiles, Number.POSITIVE_INFINITY);
  const stage = begin("documents", sum(manifest.parts.map((part) => part.files)), "files");
  const { copied, lacks } = await copyAll(copies, files, filesToRestore(folder, manifest), stage);
  const [missing] = lacks;
  if (missing) {
    const { key, tender, problem } = missing;
    throw new Error(`the backup is damaged: file ${key} of tender ${tender}: ${problem} (verify --backup lists all)`);
  }
  const rows = await appendParts(store, folder, manifest, begin);
  return { upTo: manifest.upTo, rows, copied, lacks: manifest.lacks };
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

async function checkIsPrefix(store: Store, folder: string, { parts, upTo }: Manifest): Promise<void> {
  const position = await store.position();
  if (position === 0) return;
  const isLonger = position > upTo;
  for (const part of isLonger ? [] : parts) {
    const path = join(folder, ledgerFileName(part));
    await checkSameHistory(store, path, (await checkLedger(path)).header).catch(() => {
      throw notEmpty(position);
    });
  }
  if (isLonger) throw notEmpty(position);
}

const notEmpty = (position: number): Error =>
  new Error(`the registry is not empty: it has ${position} rows that are not the beginning of this backup`);

/** All files except those that were missing when the backup was made. */
async function* filesToRestore(folder: string, { parts, lacks }: Manifest): AsyncGenerator<ReferencedFile> {
  const missingKeys = new Set(lacks.map(({ key }) => key));
  for await (const file of listedFiles(folder, parts)) if (!missingKeys.has(file.key)) yield file;
}

async function appendParts(
  store: Store,
  folder: string,
  { parts }: Manifest,
  begin: BeginProgressStage,
): Promise<number> {
  let rows = 0;
  for (const part of parts) {
    if ((await store.position()) >= part.upTo) continue;
    const path = join(folder, ledgerFileName(part));
    rows += (await importRemainingRows(store, path, (await checkLedger(path)).header, begin)).rows;
  }
  return rows;
}
