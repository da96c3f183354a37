import { join } from "node:path";
import type { Files } from "../files/files.ts";
import type { Store } from "../store/store.ts";
import { copyAll } from "./backingUp.ts";
import { checkParts, filesNamed, type Lacking, ledgerOf, type Manifest, readManifest, readSecrets } from "./folder.ts";
import type { NamedFile } from "./history.ts";
import { appendRest, checkAgrees, checkLedger } from "./importing.ts";
import { keepBeside } from "./keeping.ts";
import type { BeginStage } from "./progress.ts";

export type Restoring = {
  readonly store: Store;
  readonly files: Files;
  readonly folder: string;
  readonly copies: Files;
  readonly begin: BeginStage;
};

export type Restored = {
  readonly upTo: number;
  readonly rows: number;
  readonly copied: number;
  readonly lacks: readonly Lacking[];
};

/**
 * Into a registry that is empty, or as far as an earlier run came. The files come first: as long as one of them lacks,
 * there is no tender that names it.
 */
export async function restore({ store, files, folder, copies, begin }: Restoring): Promise<Restored> {
  const manifest = await readManifest(folder);
  await checkParts(folder, manifest);
  await checkIsBeginning(store, folder, manifest);
  if ((await store.position()) === 0) await keepBeside(store, await readSecrets(folder, manifest));
  await files.sweep(store.knownFiles, Number.POSITIVE_INFINITY);
  const stage = begin("documents", sum(manifest.parts.map((part) => part.files)), "files");
  const { copied, lacks } = await copyAll(copies, files, wanted(folder, manifest), stage);
  if (lacks.length > 0) {
    const [{ key, tender, problem }] = lacks as [Lacking];
    throw new Error(`the backup is damaged: file ${key} of tender ${tender}: ${problem} (verify --backup tells all)`);
  }
  const rows = await appendParts(store, folder, manifest, begin);
  return { upTo: manifest.upTo, rows, copied, lacks: manifest.lacks };
}

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);

async function checkIsBeginning(store: Store, folder: string, { parts, upTo }: Manifest): Promise<void> {
  const position = await store.position();
  if (position === 0) return;
  const isLonger = position > upTo;
  for (const part of isLonger ? [] : parts) {
    const path = join(folder, ledgerOf(part));
    await checkAgrees(store, path, (await checkLedger(path)).header).catch(() => {
      throw notEmpty(position);
    });
  }
  if (isLonger) throw notEmpty(position);
}

const notEmpty = (position: number): Error =>
  new Error(`the registry is not empty: it has ${position} rows, which are not the beginning of this backup`);

/** What lacked when the backup was made cannot be put back. */
async function* wanted(folder: string, { parts, lacks }: Manifest): AsyncGenerator<NamedFile> {
  const lacking = new Set(lacks.map(({ key }) => key));
  for await (const file of filesNamed(folder, parts)) if (!lacking.has(file.key)) yield file;
}

async function appendParts(store: Store, folder: string, { parts }: Manifest, begin: BeginStage): Promise<number> {
  let rows = 0;
  for (const part of parts) {
    if ((await store.position()) >= part.upTo) continue;
    const path = join(folder, ledgerOf(part));
    rows += (await appendRest(store, path, (await checkLedger(path)).header, begin)).rows;
  }
  return rows;
}
