import type { BeginProgressStage } from "../../base/progress.ts";
import type { OpenDataSettings } from "../../config/openDataSettings.ts";
import type { Instant } from "../../domain/values/time.ts";
import type { TemplateValues } from "../releaseTemplates.ts";
import type { BulkSource } from "./bulkSource.ts";
import {
  ALL,
  addTasks,
  type BulkFile,
  type BulkState,
  type BulkTask,
  type BulkUpdate,
  openBulkFolder,
  removeOthers,
  saveManifest,
  saveState,
} from "./bulkState.ts";
import { publishFile } from "./gzipFile.ts";
import { manifestText } from "./manifest.ts";
import { isFirstRelease, kindsOf, makeMonthFiles, monthAfter, monthOf } from "./monthFiles.ts";
import { madeBefore, makeWholeFile, planWholeFiles } from "./wholeFiles.ts";

/** Bulk files: all releases and all tenders of a registry, by month and together. */

export type BulkSettings = {
  readonly folder: string;
  readonly source: BulkSource;
  readonly settings: OpenDataSettings;
  readonly origin: string;
  /** The largest size of a file when it is unpacked; smaller in tests. */
  readonly unpackedBytesMax?: number;
  /** Called after each small step: waits if it is time for a pause. */
  readonly step?: () => Promise<void>;
  readonly beginStage?: BeginProgressStage;
  readonly isStopped?: () => boolean;
};

const UNPACKED_BYTES_MAX = 1_000_000_000;

/**
 * Brings the bulk files of a folder up to date. Months in which nothing changed are left as they are. If it is interrupted, the next
 * call continues with the month that was in progress. Returns the state of the folder; it has an `update` only if it was stopped.
 */
export async function updateBulkFiles(bulk: BulkSettings): Promise<BulkState> {
  const { folder, isStopped = () => false } = bulk;
  const stop = new Error("stopped");
  const step = (): Promise<void> | undefined => {
    if (isStopped()) throw stop;
    return bulk.step?.();
  };
  const values = JSON.stringify(valuesOf(bulk));
  let state = await openBulkFolder(folder, { values, generation: await bulk.source.generation() });
  const onState = (saved: BulkState) => {
    state = saved;
  };
  try {
    await runUpdate({ ...bulk, step }, state, onState);
  } catch (error) {
    if (error !== stop) throw error;
  }
  return state;
}

type UpdateSettings = Omit<BulkSettings, "step"> & { readonly step: () => Promise<void> | undefined };

/** Carries out an update, if there is something to do. Calls `onState` with each state that was saved. */
async function runUpdate(bulk: UpdateSettings, opened: BulkState, onState: (saved: BulkState) => void): Promise<void> {
  const { folder, settings } = bulk;
  const update = await planUpdate(bulk, opened);
  if (!update) return;
  /** Files get their names right before the state that describes them is saved: readers compare both. */
  async function publish(files: readonly BulkFile[], next: BulkState): Promise<void> {
    for (const file of files) await publishFile(folder, file);
    await saveState(folder, next);
    if (next.upTo > 0) await saveManifest(folder, manifestText(settings, next));
    onState(next);
  }
  let state: BulkState = { ...opened, files: filesToKeep(opened, update), update };
  await publish([], state);
  const stage = bulk.beginStage?.("exporting", await countReleases(bulk, state, update), "releases");
  try {
    for (const [i, task] of update.tasks.entries()) {
      const files = await makeMonthFiles(
        monthSettings(bulk, update, () => stage?.step(1)),
        task,
      );
      const kinds = kindsOf(task);
      const others = state.files.filter(({ period, kind }) => period !== task.month || !kinds.includes(kind));
      state = { ...state, files: [...others, ...files], update: { ...update, tasks: update.tasks.slice(i + 1) } };
      await publish(files, state);
    }
  } finally {
    stage?.end();
  }
  const { made, files } = await makeWholeFiles(bulk, state.files);
  const { format, values, generation } = state;
  state = { format, values, generation, upTo: update.upTo, files };
  await publish(made, state);
  await removeOthers(folder, state);
}

const valuesOf = ({ origin, settings }: Pick<BulkSettings, "origin" | "settings">): TemplateValues => ({
  origin,
  ocidPrefix: settings.ocidPrefix,
});

const monthSettings = (bulk: UpdateSettings, { upTo }: BulkUpdate, onRelease: () => void) => {
  const { folder, source, unpackedBytesMax = UNPACKED_BYTES_MAX, step } = bulk;
  return { folder, source, values: valuesOf(bulk), unpackedBytesMax, upTo, step, onRelease };
};

/**
 * The update that brings a state up to date; undefined if there is nothing to do. It is about releases only: the position in the ledger
 * moves with sealed bids as well, of which nothing may be seen.
 */
async function planUpdate({ source, step }: UpdateSettings, state: BulkState): Promise<BulkUpdate | undefined> {
  const range = await source.range();
  const plannedUpTo = plannedUpToOf(state);
  if (!range || range.last <= plannedUpTo) return state.update;
  const { first, last: upTo } = range;
  if (plannedUpTo === 0) return { upTo, tasks: allMonths(first, upTo) };
  const more = new Map<string, BulkTask>();
  const add = (month: string, of: Omit<BulkTask, "month">) => more.set(`${month} ${of.releases}`, { month, ...of });
  for await (const page of source.changes(plannedUpTo, upTo))
    for (const change of page) {
      const firstAt = isFirstRelease(change) ? change.at : await source.firstReleaseOf(change.tender);
      add(monthOf(change.at), { releases: true, tenders: false });
      add(monthOf(firstAt ?? change.at), { releases: false, tenders: true });
      await step();
    }
  return { upTo, tasks: addTasks(state.update?.tasks ?? [], [...more.values()]) };
}

/** The releases up to this instant are in the files, or in the tasks of the update; 0 if everything has to be made. */
const plannedUpToOf = ({ upTo, update }: BulkState): Instant => (update ? update.upTo : upTo);

/**
 * The files that stay until an update has replaced them. If everything is made again, those of months that have no releases any more go at
 * once.
 */
function filesToKeep(opened: BulkState, { tasks }: BulkUpdate): readonly BulkFile[] {
  if (plannedUpToOf(opened) > 0) return opened.files;
  const months = new Set(tasks.map(({ month }) => month));
  return opened.files.filter(({ period }) => period === ALL || months.has(period));
}

function allMonths(first: Instant, last: Instant): readonly BulkTask[] {
  const tasks: BulkTask[] = [];
  for (let month = monthOf(first); month <= monthOf(last); month = monthAfter(month))
    tasks.push({ month, releases: true, tenders: true });
  return tasks;
}

/** The number of releases in the months of an update: all but those of the months that stay as they are. */
async function countReleases(
  { source, beginStage }: UpdateSettings,
  { files }: BulkState,
  { tasks }: BulkUpdate,
): Promise<number> {
  if (!beginStage) return 0;
  const months = new Set(tasks.map(({ month }) => month));
  const others = files.filter(({ kind, period }) => kind === "releases" && period !== ALL && !months.has(period));
  return (await source.count()) - others.reduce((sum, { lines }) => sum + lines, 0);
}

/** The files of the months, and those of all months together. Those whose months have not changed are taken as they are. */
async function makeWholeFiles(bulk: UpdateSettings, files: readonly BulkFile[]) {
  const { folder, unpackedBytesMax = UNPACKED_BYTES_MAX, step, beginStage } = bulk;
  const plans = planWholeFiles(files, unpackedBytesMax);
  const current = plans.flatMap((plan) => madeBefore(plan, files) ?? []);
  const stage = beginStage?.("joining the months", plans.length - current.length, "files");
  const made: BulkFile[] = [];
  try {
    for (const plan of plans) {
      if (madeBefore(plan, files)) continue;
      made.push(await makeWholeFile(folder, plan, step));
      stage?.step(1);
    }
  } finally {
    stage?.end();
  }
  const byName = new Map([...current, ...made].map((file) => [file.name, file]));
  const whole = plans.flatMap(({ name }) => byName.get(name) ?? []);
  return { made, files: [...files.filter(({ period }) => period !== ALL), ...whole] };
}
