import { mkdir, open, readdir, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { parseOwnJson } from "../../base/ownJson.ts";
import type { Instant } from "../../domain/values/time.ts";
import { type BulkPart, isTemporary } from "./parts.ts";
import { BULK_TABLES, type BulkTableName } from "./tables.ts";

/** What there is of bulk files in a folder, and what is to be made. It is stored after every step, so that a crash loses one at most. */

/** The files of a month by what they contain: `releases`, `compiled` and the tables. */
export const BULK_KINDS = ["releases", "compiled", ...tableNames()] as const;
export type BulkKind = "releases" | "compiled" | BulkTableName;

function tableNames(): readonly BulkTableName[] {
  return ["tenders", "lots", "items", "parties", "bids", "awards", "contracts", "documents"];
}

export const tableOf = (kind: BulkKind) => (kind === "releases" || kind === "compiled" ? undefined : BULK_TABLES[kind]);

/** A month (YYYY-MM), or all of them. */
export type BulkPeriod = string;
export const ALL = "all";

export type BulkFile = BulkPart & {
  readonly kind: BulkKind;
  readonly period: BulkPeriod;
  /** When the contents changed last. */
  readonly date: Instant;
};

/** What has to be made again for a month: its releases, or what is known of the tenders that were published in it. */
export type BulkTask = { readonly month: string; readonly of: "releases" | "tenders" };

export type BulkState = {
  /** Changes with this layout of the files, so that they are all made again. */
  readonly format: number;
  /** What files depend on besides releases: the address of the service and the prefix of ids. */
  readonly values: string;
  /** All releases up to this instant are in the files, or in `tasks`. */
  readonly upTo: Instant;
  readonly tasks: readonly BulkTask[];
  readonly files: readonly BulkFile[];
};

const FORMAT = 1;
export const STATE_FILE = "state.json";
export const MANIFEST_FILE = "manifest.json";

export const emptyState = (values: string): BulkState => ({ format: FORMAT, values, upTo: 0, tasks: [], files: [] });

/** Opens a folder: removes files that were not completed, and reads its state. Files with other values are made again. */
export async function openBulkFolder(folder: string, values: string): Promise<BulkState> {
  await mkdir(folder, { recursive: true });
  for (const name of await readdir(folder)) if (isTemporary(name)) await rm(join(folder, name));
  const state = await readState(folder);
  return state?.format === FORMAT && state.values === values ? state : emptyState(values);
}

/** The state of a folder; undefined if there is none. */
export async function readState(folder: string): Promise<BulkState | undefined> {
  try {
    return parseOwnJson<BulkState>(await readFile(join(folder, STATE_FILE), "utf8"));
  } catch {
    return undefined;
  }
}

export const saveState = (folder: string, state: BulkState): Promise<void> =>
  replaceFile(join(folder, STATE_FILE), JSON.stringify(state));

export const saveManifest = (folder: string, manifest: object): Promise<void> =>
  replaceFile(join(folder, MANIFEST_FILE), `${JSON.stringify(manifest, null, 1)}\n`);

async function replaceFile(path: string, text: string): Promise<void> {
  const handle = await open(`${path}.part`, "w", 0o644);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(`${path}.part`, path);
}

/** Removes files that the state no longer has. */
export async function removeOthers(folder: string, { files }: BulkState): Promise<void> {
  const known = new Set([STATE_FILE, MANIFEST_FILE, ...files.map(({ name }) => name)]);
  for (const name of await readdir(folder)) if (!known.has(name)) await rm(join(folder, name));
}
