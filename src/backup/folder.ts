import { createHash } from "node:crypto";
import { readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Store } from "../store/store.ts";
import { fingerprintAt } from "./exporting.ts";
import type { NamedFile } from "./history.ts";
import { checkLedger } from "./importing.ts";
import { checkSealed, linesIn } from "./sealedLines.ts";
import { writeWhole } from "./wholeFile.ts";

/**
 * A backup is a folder: the ledger in parts, one for each run, the list of the files that each part names, the files
 * themselves, the secrets, and a manifest. What the manifest does not name is not part of it.
 */

export type Part = {
  readonly after: number;
  readonly upTo: number;
  readonly ledgerSha256: string;
  readonly filesSha256: string;
  /** How many files it names. */
  readonly files: number;
};

export type Lacking = NamedFile & { readonly problem: string };

export type Manifest = {
  readonly "tenderhall backup": 1;
  /** When the last run ended, for people. */
  readonly made: string;
  readonly upTo: number;
  /** The fingerprint of its last row. */
  readonly last: string | null;
  readonly parts: readonly Part[];
  readonly secretsSha256: string;
  /** Files that were not there, or not as recorded, when they should have been copied. */
  readonly lacks: readonly Lacking[];
};

type Rows = Pick<Part, "after" | "upTo">;

const MANIFEST = "manifest.json";
/** Named by what is in it, so that those of the backup before stay until there is a new manifest. */
const secretsOf = (sha256: string): string => `secrets-${sha256.slice(0, 16)}.json`;
export const ledgerOf = ({ after, upTo }: Rows): string => `ledger-${after + 1}-${upTo}.jsonl`;
export const filesOf = ({ after, upTo }: Rows): string => `files-${after + 1}-${upTo}.jsonl`;

const PART = /^((ledger|files)-\d+-\d+\.jsonl|secrets-[0-9a-f]{16}\.json)(\.part)?$/;
const isOurs = (name: string): boolean => PART.test(name) || /^(manifest\.json.*|server\.lock.*|files)$/.test(name);

/** The manifest of a folder; none where nothing is there but what a first run left that was cut off. */
export async function findManifest(folder: string): Promise<Manifest | undefined> {
  const text = await readFile(join(folder, MANIFEST), "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw error;
  });
  if (text !== undefined) return manifestIn(folder, text);
  const strange = (await readdir(folder)).find((name) => !isOurs(name));
  if (strange !== undefined) throw new Error(`${folder} is neither empty nor a backup: it holds ${strange}`);
  return undefined;
}

export async function readManifest(folder: string): Promise<Manifest> {
  const text = await readFile(join(folder, MANIFEST), "utf8").catch(() => undefined);
  if (text === undefined) throw new Error(`${folder} holds no backup that was ever finished: it has no ${MANIFEST}`);
  return manifestIn(folder, text);
}

function manifestIn(folder: string, text: string): Manifest {
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
  const isWhole = version === 1 && Array.isArray(parts) && Array.isArray(lacks) && Number.isSafeInteger(upTo);
  if (!isWhole) throw new Error(`${join(folder, MANIFEST)} is damaged`);
  return manifest as Manifest;
}

/** The last thing that a run writes. */
export async function writeManifest(folder: string, manifest: Manifest): Promise<void> {
  await writeWhole(join(folder, MANIFEST), [`${JSON.stringify(manifest, null, 2)}\n`]);
  const parts = manifest.parts.flatMap((part) => [ledgerOf(part), filesOf(part)]);
  const named = new Set([...parts, secretsOf(manifest.secretsSha256)]);
  for (const name of await readdir(folder))
    if (PART.test(name) && !named.has(name)) await rm(join(folder, name), { force: true });
}

/** Answers what the manifest says of them. */
export async function writeSecrets(folder: string, secrets: ReadonlyMap<string, string>): Promise<string> {
  const text = `${JSON.stringify(Object.fromEntries(secrets), null, 2)}\n`;
  const sha256 = hashOf(text);
  await writeWhole(join(folder, secretsOf(sha256)), [text]);
  return sha256;
}

export async function readSecrets(folder: string, { secretsSha256 }: Manifest) {
  const path = join(folder, secretsOf(secretsSha256));
  const text = await readFile(path, "utf8");
  if (hashOf(text) !== secretsSha256) throw new Error(`${path} is not as it was written`);
  return Object.entries(JSON.parse(text) as { readonly [name: string]: string });
}

const hashOf = (text: string): string => createHash("sha256").update(text).digest("hex");

/** Every part is whole, is the one that the manifest means, and goes on where the one before it ends. */
export async function checkParts(folder: string, { parts, upTo }: Manifest): Promise<void> {
  let end = 0;
  for (const part of parts) {
    const ledger = join(folder, ledgerOf(part));
    const files = join(folder, filesOf(part));
    const checked = await checkLedger(ledger);
    if (checked.sha256 !== part.ledgerSha256) throw new Error(`${ledger} is not the one that the manifest names`);
    if ((await checkSealed(files, "files")).sha256 !== part.filesSha256)
      throw new Error(`${files} is not the one that the manifest names`);
    if (part.after !== end || checked.header.after !== end || checked.header.upTo !== part.upTo)
      throw new Error(`${ledger} does not go on at row ${end + 1}`);
    end = part.upTo;
  }
  if (end !== upTo) throw new Error(`the manifest of ${folder} speaks of ${upTo} rows, its parts of ${end}`);
}

/** Every file that the parts name. */
export async function* filesNamed(folder: string, parts: readonly Rows[]): AsyncGenerator<NamedFile> {
  for (const part of parts)
    for await (const line of linesIn(join(folder, filesOf(part)))) yield JSON.parse(line) as NamedFile;
}

export async function checkSameRegistry(store: Store, { upTo, last }: Manifest, folder: string): Promise<void> {
  const position = await store.position();
  const isSame = position >= upTo && (await fingerprintAt(store, upTo)) === last;
  if (!isSame) throw new Error(`${folder} holds the backup of another registry, or of what this one was before`);
}
