import { startLoop, type TaskLoop } from "../../base/loop.ts";
import { openPacing } from "../pacing.ts";
import { type BulkSettings, updateBulkFiles } from "./bulkFiles.ts";

export type BulkUpdateSettings = Omit<BulkSettings, "step" | "isStopped"> & {
  /** Whether the releases of all changes are made, or nearly all: files of half a registry would help nobody. */
  readonly isReady: () => Promise<boolean>;
  /** Called after an update that made files. */
  readonly onUpdate: (files: number) => void;
  readonly onFailure: (error: unknown) => void;
};

const CHECK_MS = 60_000;
/** How often the files are brought up to date. */
const INTERVAL_MS = 60 * 60 * 1000;

/** Keeps the bulk files of a folder up to date while the server runs. */
export function startBulkUpdates(settings: BulkUpdateSettings): TaskLoop {
  const { isReady, onUpdate, onFailure } = settings;
  const { step } = openPacing();
  let isStopped = false;
  let nextAt = 0;
  const update = async () => {
    if (performance.now() < nextAt || !(await isReady())) return;
    const { update: unfinished, files } = await updateBulkFiles({ ...settings, step, isStopped: () => isStopped });
    // A new registry has nothing to publish yet: its first files should not wait for an hour.
    if (unfinished || files.length === 0) return;
    nextAt = performance.now() + INTERVAL_MS;
    onUpdate(files.length);
  };
  const loop = startLoop(update, CHECK_MS, onFailure);
  return {
    stop: () => {
      isStopped = true;
      return loop.stop();
    },
  };
}
