import { join } from "node:path";
import type { Files } from "../files/files.ts";
import type { Scan, Store } from "../store/store.ts";
import { copyFile, eachFile } from "./copying.ts";
import { exported, fingerprintAt } from "./exporting.ts";
import {
  checkSameRegistry,
  filesNamed,
  filesOf,
  findManifest,
  type Lacking,
  ledgerOf,
  type Manifest,
  type Part,
  writeManifest,
  writeSecrets,
} from "./folder.ts";
import { lifeOf, type NamedFile } from "./history.ts";
import { grouped } from "./joining.ts";
import { keptBeside } from "./keeping.ts";
import type { BeginStage, Stage } from "./progress.ts";
import { sealed, writeSealed } from "./sealedLines.ts";

export type BackingUp = {
  readonly store: Store;
  readonly files: Files;
  readonly folder: string;
  /** The files of the folder, which nobody else touches meanwhile. */
  readonly copies: Files;
  readonly begin: BeginStage;
};

export type BackedUp = {
  readonly upTo: number;
  readonly rows: number;
  readonly copied: number;
  readonly lacks: readonly Lacking[];
};

/** Adds to the folder what it does not have yet. Until the new manifest is in its place, the old one holds. */
export async function backUp({ store, files, folder, copies, begin }: BackingUp): Promise<BackedUp> {
  const before = await findManifest(folder);
  if (before) await checkSameRegistry(store, before, folder);
  await copies.sweep(async () => new Set(), Number.POSITIVE_INFINITY);
  const part = await writePart(store, folder, before?.upTo ?? 0, begin);
  const parts = part ? [part] : [];
  const stage = begin("documents", (before?.lacks.length ?? 0) + (part?.files ?? 0), "files");
  const { copied, lacks } = await copyAll(files, copies, wanted(folder, before, parts), stage);
  const upTo = part?.upTo ?? before?.upTo ?? 0;
  const manifest: Manifest = {
    "tenderhall backup": 1,
    made: new Date().toISOString(),
    upTo,
    last: await fingerprintAt(store, upTo),
    parts: [...(before?.parts ?? []), ...parts],
    secretsSha256: await writeSecrets(folder, await keptBeside(store)),
    lacks,
  };
  await writeManifest(folder, manifest);
  return { upTo, rows: part ? part.upTo - part.after : 0, copied, lacks };
}

async function writePart(store: Store, folder: string, after: number, begin: BeginStage): Promise<Part | undefined> {
  const scan = await store.scan();
  try {
    const upTo = scan.position.sequence;
    if (upTo === after) return undefined;
    const stage = begin("ledger", upTo - after, "rows");
    const rows = { after, upTo };
    try {
      const ledger = await exported(store, { ...rows, withSecrets: false }, stage);
      const { sha256: ledgerSha256 } = await writeSealed(join(folder, ledgerOf(rows)), ledger);
      const header = { tenderhall: 1, holds: "files", ...rows, follows: null } as const;
      const list = sealed(header, linesOf(namedAfter(scan, after)));
      const { sha256: filesSha256, lines } = await writeSealed(join(folder, filesOf(rows)), list);
      return { ...rows, ledgerSha256, filesSha256, files: lines };
    } finally {
      stage.end();
    }
  } finally {
    await scan.close();
  }
}

/** The files that rows after this one are the first of their tender to name. */
async function* namedAfter(scan: Scan, after: number): AsyncGenerator<NamedFile> {
  for await (const { rows } of grouped(scan.histories(after), ({ tender }) => tender)) {
    const { broken, named } = lifeOf(rows);
    if (broken) throw new Error(`the ledger cannot be followed (${broken}): verify tells more`);
    for (const { file, row } of named) if (row.sequence > after) yield file;
  }
}

async function* linesOf(files: AsyncIterable<NamedFile>): AsyncGenerator<string> {
  for await (const file of files) yield JSON.stringify(file);
}

/** What lacked before may be there now. */
async function* wanted(folder: string, before: Manifest | undefined, parts: readonly Part[]) {
  for (const { problem: _before, ...file } of before?.lacks ?? []) yield file;
  yield* filesNamed(folder, parts);
}

export async function copyAll(
  from: Files,
  to: Files,
  named: AsyncIterable<NamedFile>,
  stage: Stage,
): Promise<{ readonly copied: number; readonly lacks: readonly Lacking[] }> {
  const lacks: Lacking[] = [];
  let copied = 0;
  try {
    await eachFile(named, async (file) => {
      const done = await copyFile(from, to, file).catch(alsoNamed(file));
      if (done === "copied") copied += 1;
      else if (done !== "there") lacks.push({ ...file, problem: done.problem });
      stage.step(1);
    });
  } finally {
    stage.end();
  }
  return { copied, lacks };
}

const alsoNamed =
  ({ key, tender }: NamedFile) =>
  (error: Error): never => {
    throw new Error(`file ${key} of tender ${tender}: ${error.message}`, { cause: error });
  };
