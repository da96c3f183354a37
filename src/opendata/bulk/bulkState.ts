import { readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { parseOwnJson } from "../../base/ownJson.ts";
import type { Instant } from "../../domain/values/time.ts";
import type { BulkPart } from "./parts.ts";
import { createPublicFolder, TEMPORARY, writePublicFile } from "./publicFiles.ts";
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

/** The names of files that this module writes. Whatever else is in a folder belongs to somebody else. */
const OWN_FILE = new RegExp(
  `^(?:(?:${BULK_KINDS.join("|")})-(?:${ALL}|\\d{4}-\\d{2})-\\d+\\.(?:jsonl|csv)\\.gz|state\\.json|manifest\\.json)(?:\\${TEMPORARY})?$`,
);

/**
 * Opens a folder: removes files that were not completed, and reads its state. Files with other values are made again. Throws if the
 * folder has a manifest or a state that no export of open data has written.
 */
export async function openBulkFolder(folder: string, values: string): Promise<BulkState> {
  await createPublicFolder(folder);
  const names = await readdir(folder);
  const state = await readState(folder);
  const foreign = names.find((name) => name === STATE_FILE || name === MANIFEST_FILE);
  if (!state && foreign !== undefined)
    throw new Error(`${join(folder, foreign)} is not from an export of open data: use another folder`);
  for (const name of names) if (OWN_FILE.test(name) && name.endsWith(TEMPORARY)) await rm(join(folder, name));
  return state?.format === FORMAT && state.values === values ? state : emptyState(values);
}

/** The state of a folder; undefined if there is none. */
export async function readState(folder: string): Promise<BulkState | undefined> {
  try {
    const state = parseOwnJson<Partial<BulkState>>(await readFile(join(folder, STATE_FILE), "utf8"));
    const { format, values, upTo, tasks, files } = state;
    if (format === undefined || values === undefined || upTo === undefined || !tasks || !files) return undefined;
    return { format, values, upTo, tasks, files };
  } catch {
    return undefined;
  }
}

export const saveState = (folder: string, state: BulkState): Promise<void> =>
  writePublicFile(join(folder, STATE_FILE), JSON.stringify(state));

export const saveManifest = (folder: string, manifest: object): Promise<void> =>
  writePublicFile(join(folder, MANIFEST_FILE), `${JSON.stringify(manifest, null, 1)}\n`);

/** Removes bulk files that the state no longer has. */
export async function removeOthers(folder: string, { files }: BulkState): Promise<void> {
  const known = new Set([STATE_FILE, MANIFEST_FILE, ...files.map(({ name }) => name)]);
  for (const name of await readdir(folder))
    if (OWN_FILE.test(name) && !known.has(name)) await rm(join(folder, name), { force: true });
}
