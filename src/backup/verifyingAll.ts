import { join } from "node:path";
import type { Files } from "../files/files.ts";
import type { Store } from "../store/store.ts";
import { eachFile, whyWrong } from "./copying.ts";
import { checkParts, ledgerOf, type Manifest, readManifest, readSecrets } from "./folder.ts";
import type { NamedFile } from "./history.ts";
import { appendRest, checkLedger } from "./importing.ts";
import type { BeginStage } from "./progress.ts";
import { linesIn, sealed, writeSealed } from "./sealedLines.ts";
import { type Report, verifyRecords } from "./verifying.ts";

export type VerifyingAll = {
  readonly store: Store;
  /** Absent where files are not to be looked at. */
  readonly files: Files | undefined;
  /** A folder for what does not fit into memory. */
  readonly scratch: string;
  readonly begin: BeginStage;
  readonly report: Report;
};

export type Looked = { readonly rows: number; readonly tenders: number; readonly files: number };

/** Records first, in one moment of the registry; then the files, which take long and never change. */
export async function verifyAll({ store, files, scratch, begin, report }: VerifyingAll): Promise<Looked> {
  const list = join(scratch, "files.jsonl");
  let tenders = 0;
  const onTender = () => {
    tenders += 1;
  };
  const scan = await store.scan();
  const { sequence: rows } = scan.position;
  let named = 0;
  try {
    const header = { tenderhall: 1, holds: "files", after: 0, upTo: rows, follows: null } as const;
    const found = linesOf(verifyRecords(scan, { report, begin, onTender }));
    named = (await writeSealed(list, sealed(header, found))).lines;
  } finally {
    await scan.close();
  }
  if (!files) return { rows, tenders, files: 0 };
  await verifyFiles(files, filesIn(list), named, { begin, report });
  return { rows, tenders, files: named };
}

async function* linesOf(files: AsyncIterable<NamedFile>): AsyncGenerator<string> {
  for await (const file of files) yield JSON.stringify(file);
}

async function* filesIn(list: string): AsyncGenerator<NamedFile> {
  for await (const line of linesIn(list)) yield JSON.parse(line) as NamedFile;
}

async function verifyFiles(
  files: Files,
  named: AsyncIterable<NamedFile>,
  count: number,
  { begin, report }: Pick<VerifyingAll, "begin" | "report">,
): Promise<void> {
  const stage = begin("documents", count, "files");
  try {
    await eachFile(named, async (file) => {
      const wrong = await whyWrong(files, file).catch((error: Error) => error.message);
      if (wrong !== undefined) report(`file ${file.key} of tender ${file.tender}: ${wrong}`);
      stage.step(1);
    });
  } finally {
    stage.end();
  }
}

export type VerifyingBackup = VerifyingAll & { readonly folder: string };

/** A backup is proved by what it is for: `store` is an empty one, which is filled from it. */
export async function verifyBackup({ folder, ...how }: VerifyingBackup): Promise<Looked> {
  const { store, begin, report } = how;
  try {
    const manifest = await readManifest(folder);
    await checkParts(folder, manifest);
    await readSecrets(folder, manifest);
    for (const part of manifest.parts) {
      const path = join(folder, ledgerOf(part));
      await appendRest(store, path, (await checkLedger(path)).header, begin);
    }
    return await verifyAll({ ...how, report: knowing(manifest, report) });
  } catch (error) {
    report((error as Error).message);
    return { rows: await store.position(), tenders: 0, files: 0 };
  }
}

/** What lacked when the backup was made is no damage of the backup, and a problem all the same. */
const knowing =
  ({ lacks }: Manifest, report: Report): Report =>
  (problem) => {
    const known = lacks.find(({ key }) => problem.startsWith(`file ${key} `));
    report(known ? `${problem} (nor was it sound when the backup was made: ${known.problem})` : problem);
  };
