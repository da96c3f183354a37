import { join } from "node:path";
import { errorMessage } from "../base/errors.ts";
import { parseOwnJson } from "../base/ownJson.ts";
import type { BeginProgressStage } from "../base/progress.ts";
import type { Files } from "../files/files.ts";
import type { ReferencedFile } from "../ledger/tenderHistory.ts";
import type { Store } from "../store/store.ts";
import { checkParts, ledgerFileName, type Manifest, readManifest, readSecrets } from "./backupFolder.ts";
import { checksummedLines, readLines, writeChecksummedFile } from "./checksummedFile.ts";
import { findFileProblem, forEachFile } from "./fileCopy.ts";
import { checkLedger, importRemainingRows } from "./ledgerImport.ts";
import { type ReportProblem, verifyRecords } from "./recordVerification.ts";

export type VerificationOptions = {
  readonly store: Store;
  /** The file store; `undefined` to skip the files. */
  readonly files: Files | undefined;
  /** A temporary folder, for the list of files, which may not fit into memory. */
  readonly scratch: string;
  readonly begin: BeginProgressStage;
  readonly report: ReportProblem;
};

/** How many rows, tenders and files were checked. */
export type VerificationCounts = { readonly rows: number; readonly tenders: number; readonly files: number };

/** Verifies a registry: first its records, in one snapshot; then the files, which take long but never change. */
export async function verifyAll({
  store,
  files,
  scratch,
  begin,
  report,
}: VerificationOptions): Promise<VerificationCounts> {
  const list = join(scratch, "files.jsonl");
  let tenders = 0;
  const onTender = () => {
    tenders += 1;
  };
  const scan = await store.scan();
  const { sequence: rows } = scan.position;
  let fileCount = 0;
  try {
    const header = { tenderhall: 1, holds: "files", after: 0, upTo: rows, follows: null } as const;
    const found = linesOf(verifyRecords(scan, { report, begin, onTender }));
    fileCount = (await writeChecksummedFile(list, checksummedLines(header, found))).lines;
  } finally {
    await scan.close();
  }
  if (!files) return { rows, tenders, files: 0 };
  await verifyFiles(files, filesIn(list), fileCount, { begin, report });
  return { rows, tenders, files: fileCount };
}

async function* linesOf(files: AsyncIterable<ReferencedFile>): AsyncGenerator<string> {
  for await (const file of files) yield JSON.stringify(file);
}

async function* filesIn(list: string): AsyncGenerator<ReferencedFile> {
  for await (const line of readLines(list)) yield parseOwnJson<ReferencedFile>(line);
}

async function verifyFiles(
  files: Files,
  referenced: AsyncIterable<ReferencedFile>,
  count: number,
  { begin, report }: Pick<VerificationOptions, "begin" | "report">,
): Promise<void> {
  const stage = begin("documents", count, "files");
  try {
    await forEachFile(referenced, async (file) => {
      const readError = (error: Error) => `it cannot be read: ${error.message}`;
      const problem = await findFileProblem(files, file).catch(readError);
      if (problem !== undefined) report(`file ${file.key} of tender ${file.tender}: ${problem}`);
      stage.step(1);
    });
  } finally {
    stage.end();
  }
}

export type BackupVerificationOptions = VerificationOptions & { readonly folder: string };

/** Verifies a backup by restoring its ledger into `store`, which must be empty, and verifying the result. */
export async function verifyBackup({ folder, ...options }: BackupVerificationOptions): Promise<VerificationCounts> {
  const { store, begin, report } = options;
  try {
    const manifest = await readManifest(folder);
    await checkParts(folder, manifest);
    await readSecrets(folder, manifest);
    for (const part of manifest.parts) {
      const path = join(folder, ledgerFileName(part));
      await importRemainingRows(store, path, (await checkLedger(path)).header, begin);
    }
    return await verifyAll({ ...options, report: withKnownProblems(manifest, report) });
  } catch (error) {
    report(errorMessage(error));
    return { rows: await store.position(), tenders: 0, files: 0 };
  }
}

/** Adds to problems of files that they were missing already when the backup was made, so that the backup itself is not damaged. */
const withKnownProblems =
  ({ lacks }: Manifest, report: ReportProblem): ReportProblem =>
  (problem) => {
    const known = lacks.find(({ key }) => problem.startsWith(`file ${key} `));
    report(known ? `${problem} (already when the backup was made: ${known.problem})` : problem);
  };
