import { join } from "node:path";
import type { BeginProgressStage, ProgressStage } from "../base/progress.ts";
import type { Files } from "../files/files.ts";
import { type ReferencedFile, replayTender } from "../ledger/tenderHistory.ts";
import type { Scan, Store } from "../store/store.ts";
import {
  type BackupPart,
  checkSameRegistry,
  fileListName,
  findManifest,
  ledgerFileName,
  listedFiles,
  type Manifest,
  type MissingFile,
  writeManifest,
  writeSecrets,
} from "./backupFolder.ts";
import { checksummedLines, writeChecksummedFile } from "./checksummedFile.ts";
import { copyFile, forEachFile } from "./fileCopy.ts";
import { exportLedger, fingerprintAt } from "./ledgerExport.ts";
import { readNonLedgerData } from "./nonLedgerData.ts";
import { groupConsecutive } from "./tenderRecords.ts";

export type BackupOptions = {
  readonly store: Store;
  readonly files: Files;
  /** The folder of the backup: empty, or with an earlier backup of this registry. */
  readonly folder: string;
  /** The file store in the folder. The caller has locked it. */
  readonly copies: Files;
  readonly begin: BeginProgressStage;
};

export type BackupResult = {
  /** The last row of the ledger in the backup. */
  readonly upTo: number;
  /** The number of rows added by this run. */
  readonly rows: number;
  /** The number of files copied by this run. */
  readonly copied: number;
  /** Files that tenders refer to and that are missing or damaged. */
  readonly lacks: readonly MissingFile[];
};

/**
 * Makes a backup, or adds to an existing one what is new since. The old manifest is valid until the new one replaces it at the end.
 * Throws if the folder has a backup of another registry.
 */
export async function createBackup({ store, files, folder, copies, begin }: BackupOptions): Promise<BackupResult> {
  const before = await findManifest(folder);
  if (before) await checkSameRegistry(store, before, folder);
  await copies.sweep(async () => new Set(), Number.POSITIVE_INFINITY);
  const part = await writePart(store, folder, before?.upTo ?? 0, begin);
  const parts = part ? [part] : [];
  const stage = begin("documents", (before?.lacks.length ?? 0) + (part?.files ?? 0), "files");
  const { copied, lacks } = await copyAll(files, copies, filesToCopy(folder, before, parts), stage);
  const upTo = part?.upTo ?? before?.upTo ?? 0;
  const manifest: Manifest = {
    "tenderhall backup": 1,
    made: new Date().toISOString(),
    upTo,
    last: await fingerprintAt(store, upTo),
    parts: [...(before?.parts ?? []), ...parts],
    secretsSha256: await writeSecrets(folder, await readNonLedgerData(store)),
    lacks,
  };
  await writeManifest(folder, manifest);
  return { upTo, rows: part ? part.upTo - part.after : 0, copied, lacks };
}

/** Writes the rows after `after` and the list of the files they refer to; nothing if there are none. */
async function writePart(
  store: Store,
  folder: string,
  after: number,
  begin: BeginProgressStage,
): Promise<BackupPart | undefined> {
  const scan = await store.scan();
  try {
    const upTo = scan.position.sequence;
    if (upTo === after) return undefined;
    const stage = begin("ledger", upTo - after, "rows");
    const rows = { after, upTo };
    try {
      const ledger = await exportLedger(store, { ...rows, withSecrets: false }, stage);
      const { sha256: ledgerSha256 } = await writeChecksummedFile(join(folder, ledgerFileName(rows)), ledger);
      const header = { tenderhall: 1, holds: "files", ...rows, follows: null } as const;
      const list = checksummedLines(header, linesOf(filesReferencedAfter(scan, after)));
      const { sha256: filesSha256, lines } = await writeChecksummedFile(join(folder, fileListName(rows)), list);
      return { ...rows, ledgerSha256, filesSha256, files: lines };
    } finally {
      stage.end();
    }
  } finally {
    await scan.close();
  }
}

/** The files that tenders refer to for the first time in rows after this one. */
async function* filesReferencedAfter(scan: Scan, after: number): AsyncGenerator<ReferencedFile> {
  for await (const { rows } of groupConsecutive(scan.histories(after), ({ tender }) => tender)) {
    const { error, references } = replayTender(rows);
    if (error) throw new Error(`the ledger cannot be replayed (${error}): run verify for details`);
    for (const { file, row } of references) if (row.sequence > after) yield file;
  }
}

async function* linesOf(files: AsyncIterable<ReferencedFile>): AsyncGenerator<string> {
  for await (const file of files) yield JSON.stringify(file);
}

/** The files of the new parts, and those that were missing in earlier runs. */
async function* filesToCopy(folder: string, before: Manifest | undefined, parts: readonly BackupPart[]) {
  for (const { problem: _problem, ...file } of before?.lacks ?? []) yield file;
  yield* listedFiles(folder, parts);
}

/** Copies files and checks them against what their documents say. Files that are missing or differ are in `lacks`. */
export async function copyAll(
  from: Files,
  to: Files,
  referenced: AsyncIterable<ReferencedFile>,
  stage: ProgressStage,
): Promise<{ readonly copied: number; readonly lacks: readonly MissingFile[] }> {
  const lacks: MissingFile[] = [];
  let copied = 0;
  try {
    await forEachFile(referenced, async (file) => {
      const result = await copyFile(from, to, file).catch(withFileContext(file));
      if (result === "copied") copied += 1;
      else if (result !== "there") lacks.push({ ...file, problem: result.problem });
      stage.step(1);
    });
  } finally {
    stage.end();
  }
  return { copied, lacks };
}

const withFileContext =
  ({ key, tender }: ReferencedFile) =>
  (error: Error): never => {
    throw new Error(`file ${key} of tender ${tender}: ${error.message}`, { cause: error });
  };
