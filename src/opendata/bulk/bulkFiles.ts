import type { OpenDataSettings } from "../../config/openDataSettings.ts";
import type { Instant } from "../../domain/values/time.ts";
import { utcText } from "../../ocds/content/fieldValues.ts";
import { compileReleases, type Release } from "../../ocds/merge.ts";
import { instantOfRelease } from "../../store/store.ts";
import type { StoredReleases } from "../openData.ts";
import { parseRelease } from "../releaseProgress.ts";
import { fillTemplate, type TemplateValues } from "../releaseTemplates.ts";
import {
  ALL,
  BULK_KINDS,
  type BulkFile,
  type BulkKind,
  type BulkState,
  type BulkTask,
  openBulkFolder,
  removeOthers,
  saveManifest,
  saveState,
  tableOf,
} from "./bulkState.ts";
import { type BulkPart, joinParts, openPartWriter, type PartWriter } from "./parts.ts";
import { headerLine, linesOf } from "./tables.ts";

/** Bulk files: all releases and all tenders of a registry, by month and together. */

export type BulkSettings = {
  readonly folder: string;
  readonly openData: StoredReleases;
  readonly settings: OpenDataSettings;
  readonly origin: string;
  /** The largest size of a file when it is unpacked; smaller in tests. */
  readonly unpackedBytesMax?: number;
  /** Called after each release or tender: waits if it is time for a pause. */
  readonly step?: () => Promise<void>;
  /** Called after each month that was made, with the number of those that are left. */
  readonly onTask?: (left: number) => void;
  readonly isStopped?: () => boolean;
};

const UNPACKED_BYTES_MAX = 1_000_000_000;
const ROWS_AT_ONCE = 100;

/**
 * Brings the bulk files of a folder up to date. Months in which nothing changed are left as they are. If it is interrupted, the next
 * call continues. Returns the state of the folder; its tasks are empty unless it was stopped.
 */
export async function updateBulkFiles(bulk: BulkSettings): Promise<BulkState> {
  const { folder, isStopped = () => false, onTask } = bulk;
  const values = valuesOf(bulk);
  let state = await openBulkFolder(folder, JSON.stringify(values));
  const before = state;
  state = await withNewTasks(bulk, state);
  await saveState(folder, state);
  while (state.tasks.length > 0) {
    const [task, ...tasks] = state.tasks;
    if (task === undefined || isStopped()) return state;
    const made = await carryOut(bulk, task);
    const kinds = kindsOf(task);
    const kept = state.files.filter(({ period, kind }) => period !== task.month || !kinds.includes(kind));
    state = { ...state, tasks, files: [...kept, ...made] };
    await saveState(folder, state);
    onTask?.(tasks.length);
  }
  if (state.upTo === before.upTo && before.tasks.length === 0 && hasWhole(state)) return state;
  state = { ...state, files: await withWholeFiles(bulk, state) };
  await saveManifest(folder, manifestOf(bulk, state));
  await saveState(folder, state);
  await removeOthers(folder, state);
  return state;
}

const valuesOf = ({ origin, settings }: BulkSettings): TemplateValues => ({ origin, ocidPrefix: settings.ocidPrefix });
const kindsOf = ({ of }: BulkTask): readonly BulkKind[] =>
  of === "releases" ? ["releases"] : BULK_KINDS.filter((kind) => kind !== "releases");
const hasWhole = ({ files, upTo }: BulkState): boolean => upTo === 0 || files.some(({ period }) => period === ALL);

/** The month of an instant in UTC, as releases write dates. */
export const monthOf = (at: Instant): string => utcText(at).slice(0, "YYYY-MM".length);

const startOf = (month: string): Instant => Date.parse(`${month}-01T00:00:00Z`) * 1000;
const monthAfter = (month: string): string => Temporal.PlainYearMonth.from(month).add({ months: 1 }).toString();

/** The state with tasks for all months that releases since `upTo` are about. */
async function withNewTasks(bulk: BulkSettings, state: BulkState): Promise<BulkState> {
  const { openData, step } = bulk;
  const { at: upTo } = await openData.position();
  if (upTo <= state.upTo) return state;
  const tasks = new Map(state.tasks.map((task) => [`${task.month} ${task.of}`, task]));
  const add = (month: string, of: BulkTask["of"]) => tasks.set(`${month} ${of}`, { month, of });
  if (state.upTo === 0) for (const month of await allMonths(bulk, upTo)) for (const of of TASK_KINDS) add(month, of);
  else
    for await (const { at, tender } of changesAfter(bulk, state.upTo, upTo)) {
      add(monthOf(at), "releases");
      add(monthOf((await openData.firstReleaseOf(tender)) ?? at), "tenders");
      await step?.();
    }
  return { ...state, upTo, tasks: [...tasks.values()].toSorted((a, b) => compare(a.month, b.month)) };
}

const TASK_KINDS = ["releases", "tenders"] as const;
const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

async function allMonths({ openData }: BulkSettings, upTo: Instant): Promise<readonly string[]> {
  const [first] = await openData.releases({ descending: false, beyond: undefined, limit: 1 });
  const months: string[] = [];
  const start = first && monthOf(instantOfRelease(first.id));
  for (let month = start ?? ""; month !== "" && month <= monthOf(upTo); month = monthAfter(month)) months.push(month);
  return months;
}

type StoredChange = { readonly at: Instant; readonly tender: string; readonly template: string };

/** The stored releases after an instant and up to another. */
async function* changesAfter({ openData }: BulkSettings, after: Instant, upTo: Instant): AsyncGenerator<StoredChange> {
  for (let beyond = after; ; ) {
    const rows = await openData.releases({ descending: false, beyond, limit: ROWS_AT_ONCE });
    for (const { id, template } of rows) {
      const at = instantOfRelease(id);
      if (at > upTo) return;
      yield { at, tender: id.slice(id.indexOf("/") + 1), template };
      beyond = at;
    }
    if (rows.length < ROWS_AT_ONCE) return;
  }
}

/** Makes the files of a task. */
async function carryOut(bulk: BulkSettings, task: BulkTask): Promise<readonly BulkFile[]> {
  const writers = new Map(kindsOf(task).map((kind) => [kind, openWriter(bulk, kind, task.month)]));
  let date = startOf(task.month);
  try {
    for await (const change of changesAfter(bulk, startOf(task.month) - 1, startOf(monthAfter(task.month)) - 1)) {
      const last =
        task.of === "releases" ? await writeRelease(bulk, change, writers) : await writeTender(bulk, change, writers);
      date = Math.max(date, last);
      await bulk.step?.();
    }
    const files: BulkFile[] = [];
    for (const [kind, writer] of writers)
      for (const part of await writer.end()) files.push({ ...part, kind, period: task.month, date });
    return files;
  } catch (error) {
    for (const writer of writers.values()) await writer.abort().catch(() => {});
    throw error;
  }
}

type Writers = ReadonlyMap<BulkKind, PartWriter>;

async function writeRelease(bulk: BulkSettings, { at, template }: StoredChange, writers: Writers): Promise<Instant> {
  await writers.get("releases")?.write(`${fillTemplate(template, valuesOf(bulk))}\n`);
  return at;
}

/** Whether the release has the number 1. That is cheaper to see than to ask which one is the first. */
const isFirstRelease = ({ template, tender }: StoredChange): boolean =>
  template.slice(0, tender.length * 2 + 40).includes(`${tender}-1"`);

/** Writes a tender when its first release comes. Returns the instant of its last one; 0 for any other release. */
async function writeTender(bulk: BulkSettings, change: StoredChange, writers: Writers): Promise<Instant> {
  const { openData } = bulk;
  if (!isFirstRelease(change) && (await openData.firstReleaseOf(change.tender)) !== change.at) return 0;
  const templates = await openData.templatesOf(change.tender);
  const releases = templates.map((template) => parseRelease(fillTemplate(template, valuesOf(bulk))));
  const compiled = compileReleases(releases);
  for (const [kind, writer] of writers) for (const line of linesFor(kind, compiled)) await writer.write(line);
  return Date.parse(compiled.date) * 1000;
}

function linesFor(kind: BulkKind, compiled: Release): readonly string[] {
  const table = tableOf(kind);
  return table ? linesOf(table, compiled) : [`${JSON.stringify(compiled)}\n`];
}

const nameOf = (kind: BulkKind, period: string, part: number): string =>
  `${kind}-${period}-${part}.${tableOf(kind) ? "csv" : "jsonl"}.gz`;

function openWriter(bulk: BulkSettings, kind: BulkKind, month: string): PartWriter {
  const { folder, unpackedBytesMax = UNPACKED_BYTES_MAX } = bulk;
  const table = tableOf(kind);
  const header = table ? headerLine(table) : "";
  return openPartWriter(folder, (part) => nameOf(kind, month, part), { header, unpackedBytesMax });
}

/** The files of the months, and those of all months together. */
async function withWholeFiles(bulk: BulkSettings, { files }: BulkState): Promise<readonly BulkFile[]> {
  const { folder, unpackedBytesMax = UNPACKED_BYTES_MAX } = bulk;
  const monthly = files.filter(({ period }) => period !== ALL);
  const whole: BulkFile[] = [];
  for (const kind of BULK_KINDS) {
    const sources = monthly.filter((file) => file.kind === kind).toSorted((a, b) => compare(a.period, b.period));
    for (const [i, group] of grouped(sources, unpackedBytesMax).entries()) {
      const joined = await joinParts(folder, nameOf(kind, ALL, i + 1), group);
      whole.push({ ...joined, kind, period: ALL, date: Math.max(...group.map(({ date }) => date)) });
    }
  }
  return [...monthly, ...whole];
}

/** Neighbours that fit into one file. */
function grouped<Part extends BulkPart>(
  parts: readonly Part[],
  unpackedBytesMax: number,
): readonly (readonly Part[])[] {
  const groups: Part[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const part of parts) {
    bytes += part.unpackedBytes;
    if (bytes > unpackedBytesMax) {
      groups.push([]);
      bytes = part.unpackedBytes;
    }
    groups.at(-1)?.push(part);
  }
  return groups;
}

/** What `manifest.json` says. */
function manifestOf({ settings }: BulkSettings, { files, upTo }: BulkState) {
  const { publisher, license, policy } = settings;
  return {
    publisher: { name: publisher },
    license,
    publicationPolicy: policy,
    publishedDate: utcText(upTo),
    files: files.map(({ name, kind, period, bytes, unpackedBytes, lines, sha256, date }) => ({
      ...{ name, kind, period, bytes, unpackedBytes, lines, sha256 },
      date: utcText(date),
    })),
  };
}
