import { mkdir, readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { parseOwnJson } from "../../base/ownJson.ts";
import type { Instant } from "../../domain/values/time.ts";
import { TEMPORARY, writeCompleteFile } from "./completeFiles.ts";
import { type BulkPart, openPart } from "./gzipFile.ts";
import { BULK_TABLES, type BulkTableName, headerLine } from "./tables.ts";

/** What there is of bulk files in a folder, and what is to be made. It is stored after every month, so that a crash loses one at most. */

/** The files of a month by what they contain: `releases`, `compiled` and the tables. */
export const BULK_KINDS = ["releases", "compiled", ...tableNames()] as const;
export type BulkKind = "releases" | "compiled" | BulkTableName;

function tableNames(): readonly BulkTableName[] {
  return ["tenders", "lots", "items", "parties", "bids", "bidValues", "awards", "contracts", "documents"];
}

export const tableOf = (kind: BulkKind) => (kind === "releases" || kind === "compiled" ? undefined : BULK_TABLES[kind]);

/** The first line of files of this kind; empty if they have none. */
export function headerOf(kind: BulkKind): string {
  const table = tableOf(kind);
  return table ? headerLine(table) : "";
}

export const nameOf = (kind: BulkKind, period: BulkPeriod, part: number): string =>
  `${kind}-${period}-${part}.${tableOf(kind) ? "csv" : "jsonl"}.gz`;

/** A month (YYYY-MM), or all of them. */
export type BulkPeriod = string;
export const ALL = "all";

export type BulkFile = BulkPart & {
  readonly kind: BulkKind;
  readonly period: BulkPeriod;
  /** When the contents changed last. */
  readonly date: Instant;
  /** Of a file of all months: the checksums of the files that it consists of. */
  readonly sources?: readonly string[];
};

/** The files of a month that have to be made again: those of its releases, or those of the tenders that were published in it. */
export type BulkTask = { readonly month: string; readonly releases: boolean; readonly tenders: boolean };

/** An update that is not complete. */
export type BulkUpdate = {
  /** The update is about all releases up to this instant; 0 if it is not planned yet and is about all that there are. */
  readonly upTo: Instant;
  readonly tasks: readonly BulkTask[];
};

export type BulkState = {
  /** Changes with this layout of the files, so that they are all made again. */
  readonly format: number;
  /** What files depend on besides releases: the address of the service and the prefix of ids. */
  readonly values: string;
  /** The releases that the files are made from; see `BulkSource`. */
  readonly generation: string;
  /** All releases up to this instant are in the files; 0 until all files are made for the first time. */
  readonly upTo: Instant;
  /** The files in the folder, each as it is right now. During an update some are newer than `upTo`. */
  readonly files: readonly BulkFile[];
  readonly update?: BulkUpdate;
};

const FORMAT = 3;
export const STATE_FILE = "state.json";
export const MANIFEST_FILE = "manifest.json";

/** What the files of a folder depend on. */
export type BulkInputs = Pick<BulkState, "values" | "generation">;

export const emptyState = (inputs: BulkInputs): BulkState => ({ format: FORMAT, ...inputs, upTo: 0, files: [] });

/** The names of files that this module writes. Whatever else is in a folder belongs to somebody else. */
const OWN_FILE = new RegExp(
  `^(?:(?:${BULK_KINDS.join("|")})-(?:${ALL}|\\d{4}-\\d{2})-\\d+\\.(?:jsonl|csv)\\.gz|state\\.json|manifest\\.json)(?:\\${TEMPORARY})?$`,
);

/**
 * Opens a folder: removes files that were not completed, and reads its state. Files with other values are made again. Files of another
 * generation are made again, too, and stay until then. Throws if the folder has a manifest or a state that no export of open data has
 * written.
 */
export async function openBulkFolder(folder: string, inputs: BulkInputs): Promise<BulkState> {
  await mkdir(folder, { recursive: true });
  const names = await readdir(folder);
  const state = await readState(folder);
  const foreign = state ? undefined : await foreignFile(folder, names);
  if (foreign !== undefined)
    throw new Error(`${join(folder, foreign)} is not from an export of open data: use another folder`);
  for (const name of names) if (OWN_FILE.test(name) && name.endsWith(TEMPORARY)) await rm(join(folder, name));
  if (state?.format !== FORMAT || state.values !== inputs.values) return emptyState(inputs);
  const intact = await withIntactFiles(folder, state);
  return intact.generation === inputs.generation ? intact : { ...intact, ...inputs, update: { upTo: 0, tasks: [] } };
}

/** A file of somebody else that an export would overwrite. A manifest of an export may be there without a state, which was lost. */
async function foreignFile(folder: string, names: readonly string[]): Promise<string | undefined> {
  if (names.includes(STATE_FILE)) return STATE_FILE;
  return names.includes(MANIFEST_FILE) && !(await isManifest(join(folder, MANIFEST_FILE))) ? MANIFEST_FILE : undefined;
}

/** Whether a file is the manifest of an export of open data. */
async function isManifest(path: string): Promise<boolean> {
  try {
    const { publishedDate, files } = parseOwnJson<{
      readonly publishedDate?: string;
      readonly files?: readonly { readonly name?: string }[];
    }>(await readFile(path, "utf8"));
    return publishedDate !== undefined && files?.every(({ name = "" }) => OWN_FILE.test(name)) === true;
  } catch {
    return false;
  }
}

/** The state without files that were removed or replaced. They are made again. */
async function withIntactFiles(folder: string, state: BulkState): Promise<BulkState> {
  const files: BulkFile[] = [];
  const lost: BulkFile[] = [];
  for (const file of state.files) {
    const handle = await openPart(folder, file);
    await handle?.close();
    (handle ? files : lost).push(file);
  }
  if (lost.length === 0) return state;
  const { upTo, tasks } = state.update ?? { upTo: state.upTo, tasks: [] };
  return { ...state, files, update: { upTo, tasks: addTasks(tasks, lost.flatMap(tasksFor)) } };
}

const tasksFor = ({ kind, period: month }: BulkFile): readonly BulkTask[] =>
  month === ALL ? [] : [{ month, releases: kind === "releases", tenders: kind !== "releases" }];

/** Tasks with more of them, one for each month, in the order of the months. */
export function addTasks(tasks: readonly BulkTask[], more: readonly BulkTask[]): readonly BulkTask[] {
  const byMonth = new Map<string, BulkTask>();
  for (const { month, releases, tenders } of [...tasks, ...more]) {
    const known = byMonth.get(month);
    byMonth.set(month, {
      month,
      releases: releases || known?.releases === true,
      tenders: tenders || known?.tenders === true,
    });
  }
  return [...byMonth.values()].toSorted((a, b) => compareTexts(a.month, b.month));
}

export const compareTexts = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** The state of a folder; undefined if there is none. */
export async function readState(folder: string): Promise<BulkState | undefined> {
  try {
    const state = parseOwnJson<Partial<BulkState>>(await readFile(join(folder, STATE_FILE), "utf8"));
    const { format, values, generation = "", upTo, files, update } = state;
    if (format === undefined || values === undefined || upTo === undefined || !files) return undefined;
    return { format, values, generation, upTo, files, ...(update && { update }) };
  } catch {
    return undefined;
  }
}

export const saveState = (folder: string, state: BulkState): Promise<void> =>
  writeCompleteFile(join(folder, STATE_FILE), JSON.stringify(state));

export const saveManifest = (folder: string, manifest: string): Promise<void> =>
  writeCompleteFile(join(folder, MANIFEST_FILE), manifest);

/** Removes bulk files that the state no longer has. */
export async function removeOthers(folder: string, { files }: BulkState): Promise<void> {
  const known = new Set([STATE_FILE, MANIFEST_FILE, ...files.map(({ name }) => name)]);
  for (const name of await readdir(folder))
    if (OWN_FILE.test(name) && !known.has(name)) await rm(join(folder, name), { force: true });
}
