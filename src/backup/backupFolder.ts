import { createHash } from "node:crypto";
import { readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { parseOwnJson } from "../base/ownJson.ts";
import type { ReferencedFile } from "../ledger/tenderHistory.ts";
import type { Store } from "../store/store.ts";
import { writeFileAtomically } from "./atomicFile.ts";
import { readLines, verifyChecksummedFile } from "./checksummedFile.ts";
import { fingerprintAt } from "./ledgerExport.ts";
import { checkLedger } from "./ledgerImport.ts";

/**
 * The folder of a backup. It has the ledger in parts, one for each run; for each part the list of the files it refers to; the files
 * themselves; the secrets; and a manifest. Whatever the manifest does not mention is not part of the backup.
 */

/** The rows `after + 1` to `upTo` of the ledger, with the checksums of the two files of the part. */
export type BackupPart = {
  readonly after: number;
  readonly upTo: number;
  readonly ledgerSha256: string;
  readonly filesSha256: string;
  /** The number of files that the part refers to. */
  readonly files: number;
};

/** A file that could not be copied, and why. */
export type MissingFile = ReferencedFile & { readonly problem: string };

/** The content of manifest.json. */
export type Manifest = {
  readonly "tenderhall backup": 1;
  /** When the last run ended, in ISO 8601, for people. */
  readonly made: string;
  /** The last row of the ledger in the backup. */
  readonly upTo: number;
  /** The fingerprint of that row; see `fingerprintAt`. */
  readonly last: string | null;
  readonly parts: readonly BackupPart[];
  readonly secretsSha256: string;
  /** Files that were missing, or not as recorded, when they should have been copied. */
  readonly lacks: readonly MissingFile[];
};

type RowRange = Pick<BackupPart, "after" | "upTo">;

const MANIFEST = "manifest.json";
/** Named by its content, so that the file of the previous manifest stays until there is a new one. */
const secretsFileName = (sha256: string): string => `secrets-${sha256.slice(0, 16)}.json`;
/** The file with the rows of a part. */
export const ledgerFileName = ({ after, upTo }: RowRange): string => `ledger-${after + 1}-${upTo}.jsonl`;
/** The file with the list of files of a part. */
export const fileListName = ({ after, upTo }: RowRange): string => `files-${after + 1}-${upTo}.jsonl`;

const PART = /^((ledger|files)-\d+-\d+\.jsonl|secrets-[0-9a-f]{16}\.json)(\.part)?$/;
const isBackupFile = (name: string): boolean =>
  PART.test(name) || /^(manifest\.json.*|server\.lock.*|files)$/.test(name);

/** The manifest of a folder; `undefined` if it is empty or has only the leftovers of an interrupted first run. Throws for any other folder. */
export async function findManifest(folder: string): Promise<Manifest | undefined> {
  const text = await readFile(join(folder, MANIFEST), "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw error;
  });
  if (text !== undefined) return parseManifest(folder, text);
  const unknownName = (await readdir(folder)).find((name) => !isBackupFile(name));
  if (unknownName !== undefined) throw new Error(`${folder} is neither empty nor a backup: it contains ${unknownName}`);
  return undefined;
}

/** The manifest of a folder that must have one. */
export async function readManifest(folder: string): Promise<Manifest> {
  const text = await readFile(join(folder, MANIFEST), "utf8").catch(() => undefined);
  if (text === undefined) throw new Error(`${folder} has no complete backup: there is no ${MANIFEST}`);
  return parseManifest(folder, text);
}

function parseManifest(folder: string, text: string): Manifest {
  let manifest: Partial<Manifest> = {};
  try {
    manifest = JSON.parse(text) ?? {};
  } catch {
    // Reported below as damaged.
  }
  const version = manifest["tenderhall backup"];
  if (typeof version === "number" && version > 1)
    throw new Error(`${folder} was written by a newer Tenderhall: update the program`);
  const { parts, lacks, upTo } = manifest;
  const isComplete = version === 1 && Array.isArray(parts) && Array.isArray(lacks) && Number.isSafeInteger(upTo);
  if (!isComplete) throw new Error(`${join(folder, MANIFEST)} is damaged`);
  // One version writes all its properties together, so those that were not looked at are there as well.
  return manifest as Manifest;
}

/** Writes the manifest, which completes a run, and removes files that it does not mention. */
export async function writeManifest(folder: string, manifest: Manifest): Promise<void> {
  await writeFileAtomically(join(folder, MANIFEST), [`${JSON.stringify(manifest, null, 2)}\n`]);
  const parts = manifest.parts.flatMap((part) => [ledgerFileName(part), fileListName(part)]);
  const current = new Set([...parts, secretsFileName(manifest.secretsSha256)]);
  for (const name of await readdir(folder))
    if (PART.test(name) && !current.has(name)) await rm(join(folder, name), { force: true });
}

/** Writes the secrets and returns their checksum for the manifest. */
export async function writeSecrets(folder: string, secrets: ReadonlyMap<string, string>): Promise<string> {
  const text = `${JSON.stringify(Object.fromEntries(secrets), null, 2)}\n`;
  const sha256 = hashOf(text);
  await writeFileAtomically(join(folder, secretsFileName(sha256)), [text]);
  return sha256;
}

/** The secrets of a backup, by name. Throws if the file is damaged. */
export async function readSecrets(folder: string, { secretsSha256 }: Manifest) {
  const path = join(folder, secretsFileName(secretsSha256));
  const text = await readFile(path, "utf8");
  if (hashOf(text) !== secretsSha256) throw new Error(`${path} is damaged`);
  return Object.entries(parseOwnJson<{ readonly [name: string]: string }>(text));
}

const hashOf = (text: string): string => createHash("sha256").update(text).digest("hex");

/** Throws unless every part is complete, has the checksums of the manifest, and continues where the previous one ends. */
export async function checkParts(folder: string, { parts, upTo }: Manifest): Promise<void> {
  let end = 0;
  for (const part of parts) {
    const ledger = join(folder, ledgerFileName(part));
    const files = join(folder, fileListName(part));
    const checked = await checkLedger(ledger);
    if (checked.sha256 !== part.ledgerSha256) throw new Error(`${ledger} does not match the manifest`);
    if ((await verifyChecksummedFile(files, "files")).sha256 !== part.filesSha256)
      throw new Error(`${files} does not match the manifest`);
    if (part.after !== end || checked.header.after !== end || checked.header.upTo !== part.upTo)
      throw new Error(`${ledger} does not begin with row ${end + 1}`);
    end = part.upTo;
  }
  if (end !== upTo) throw new Error(`the manifest of ${folder} lists ${upTo} rows, but its parts have ${end}`);
}

/** Every file that the parts refer to. */
export async function* listedFiles(folder: string, parts: readonly RowRange[]): AsyncGenerator<ReferencedFile> {
  for (const part of parts)
    for await (const line of readLines(join(folder, fileListName(part)))) yield parseOwnJson<ReferencedFile>(line);
}

/** Throws unless the backup is one of this registry: its last row must be in the registry's ledger. */
export async function checkSameRegistry(store: Store, { upTo, last }: Manifest, folder: string): Promise<void> {
  const position = await store.position();
  const isSame = position >= upTo && (await fingerprintAt(store, upTo)) === last;
  if (!isSame) throw new Error(`${folder} has the backup of another registry, or of an earlier history of this one`);
}
