import { createHash } from "node:crypto";
import { readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import type { ReferencedFile } from "../ledger/tenderHistory.ts";
import type { Store } from "../store/store.ts";
import { writeFileAtomically } from "./atomicFile.ts";
import { readLines, verifyChecksummedFile } from "./checksummedFile.ts";
import { fingerprintAt } from "./ledgerExport.ts";
import { checkLedger } from "./ledgerImport.ts";

/**
 * A backup is a folder: the ledger in parts, one for each run, the list of the files that each part names, the files
 * themselves, the secrets, and a manifest. What the manifest does not name is not part of it.
 */

export type BackupPart = {
  readonly after: number;
  readonly upTo: number;
  readonly ledgerSha256: string;
  readonly filesSha256: string;
  /** How many files it names. */
  readonly files: number;
};

export type MissingFile = ReferencedFile & { readonly problem: string };

export type Manifest = {
  readonly "tenderhall backup": 1;
  /** When the last run ended, for people. */
  readonly made: string;
  readonly upTo: number;
  /** The fingerprint of its last row. */
  readonly last: string | null;
  readonly parts: readonly BackupPart[];
  readonly secretsSha256: string;
  /** Files that were not there, or not as recorded, when they should have been copied. */
  readonly lacks: readonly MissingFile[];
};

type RowRange = Pick<BackupPart, "after" | "upTo">;

const MANIFEST = "manifest.json";
/** Named by what is in it, so that those of the backup before stay until there is a new manifest. */
const secretsFileName = (sha256: string): string => `secrets-${sha256.slice(0, 16)}.json`;
export const ledgerFileName = ({ after, upTo }: RowRange): string => `ledger-${after + 1}-${upTo}.jsonl`;
export const fileListName = ({ after, upTo }: RowRange): string => `files-${after + 1}-${upTo}.jsonl`;

const PART = /^((ledger|files)-\d+-\d+\.jsonl|secrets-[0-9a-f]{16}\.json)(\.part)?$/;
const isBackupFile = (name: string): boolean =>
  PART.test(name) || /^(manifest\.json.*|server\.lock.*|files)$/.test(name);

/** The manifest of a folder; none where nothing is there but what a first run left that was cut off. */
export async function findManifest(folder: string): Promise<Manifest | undefined> {
  const text = await readFile(join(folder, MANIFEST), "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw error;
  });
  if (text !== undefined) return parseManifest(folder, text);
  const unknownName = (await readdir(folder)).find((name) => !isBackupFile(name));
  if (unknownName !== undefined) throw new Error(`${folder} is neither empty nor a backup: it holds ${unknownName}`);
  return undefined;
}

export async function readManifest(folder: string): Promise<Manifest> {
  const text = await readFile(join(folder, MANIFEST), "utf8").catch(() => undefined);
  if (text === undefined) throw new Error(`${folder} holds no backup that was ever finished: it has no ${MANIFEST}`);
  return parseManifest(folder, text);
}

function parseManifest(folder: string, text: string): Manifest {
  let manifest: Partial<Manifest> = {};
  try {
    manifest = JSON.parse(text) ?? {};
  } catch {
    // Told below.
  }
  const version = manifest["tenderhall backup"];
  if (typeof version === "number" && version > 1)
    throw new Error(`${folder} was written by a newer Tenderhall: update the program`);
  const { parts, lacks, upTo } = manifest;
  const isComplete = version === 1 && Array.isArray(parts) && Array.isArray(lacks) && Number.isSafeInteger(upTo);
  if (!isComplete) throw new Error(`${join(folder, MANIFEST)} is damaged`);
  return manifest as Manifest;
}

/** The last thing that a run writes. */
export async function writeManifest(folder: string, manifest: Manifest): Promise<void> {
  await writeFileAtomically(join(folder, MANIFEST), [`${JSON.stringify(manifest, null, 2)}\n`]);
  const parts = manifest.parts.flatMap((part) => [ledgerFileName(part), fileListName(part)]);
  const named = new Set([...parts, secretsFileName(manifest.secretsSha256)]);
  for (const name of await readdir(folder))
    if (PART.test(name) && !named.has(name)) await rm(join(folder, name), { force: true });
}

/** Answers what the manifest says of them. */
export async function writeSecrets(folder: string, secrets: ReadonlyMap<string, string>): Promise<string> {
  const text = `${JSON.stringify(Object.fromEntries(secrets), null, 2)}\n`;
  const sha256 = hashOf(text);
  await writeFileAtomically(join(folder, secretsFileName(sha256)), [text]);
  return sha256;
}

export async function readSecrets(folder: string, { secretsSha256 }: Manifest) {
  const path = join(folder, secretsFileName(secretsSha256));
  const text = await readFile(path, "utf8");
  if (hashOf(text) !== secretsSha256) throw new Error(`${path} is not as it was written`);
  return Object.entries(JSON.parse(text) as { readonly [name: string]: string });
}

const hashOf = (text: string): string => createHash("sha256").update(text).digest("hex");

/** Every part is whole, is the one that the manifest means, and goes on where the one before it ends. */
export async function checkParts(folder: string, { parts, upTo }: Manifest): Promise<void> {
  let end = 0;
  for (const part of parts) {
    const ledger = join(folder, ledgerFileName(part));
    const files = join(folder, fileListName(part));
    const checked = await checkLedger(ledger);
    if (checked.sha256 !== part.ledgerSha256) throw new Error(`${ledger} is not the one that the manifest names`);
    if ((await verifyChecksummedFile(files, "files")).sha256 !== part.filesSha256)
      throw new Error(`${files} is not the one that the manifest names`);
    if (part.after !== end || checked.header.after !== end || checked.header.upTo !== part.upTo)
      throw new Error(`${ledger} does not go on at row ${end + 1}`);
    end = part.upTo;
  }
  if (end !== upTo) throw new Error(`the manifest of ${folder} speaks of ${upTo} rows, its parts of ${end}`);
}

/** Every file that the parts name. */
export async function* listedFiles(folder: string, parts: readonly RowRange[]): AsyncGenerator<ReferencedFile> {
  for (const part of parts)
    for await (const line of readLines(join(folder, fileListName(part)))) yield JSON.parse(line) as ReferencedFile;
}

export async function checkSameRegistry(store: Store, { upTo, last }: Manifest, folder: string): Promise<void> {
  const position = await store.position();
  const isSame = position >= upTo && (await fingerprintAt(store, upTo)) === last;
  if (!isSame) throw new Error(`${folder} holds the backup of another registry, or of what this one was before`);
}
