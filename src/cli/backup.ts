import { backUp } from "../backup/backingUp.ts";
import type { Lacking } from "../backup/folder.ts";
import type { Config } from "../config.ts";
import { complained, counted, type Operated, ofOneFolder, REFUSED, said, stagesOn, type Terminal } from "./operated.ts";

/** Copies the registry to a folder, or what is new of it since the last time. */
export const backup = ofOneFolder("backup takes the one folder to back up to", run);

async function run(to: string, config: Config, terminal: Terminal): Promise<Operated> {
  // Loaded only here, so that other commands start sooner.
  const { openBackupFolder, openForReading } = await import("../beside.ts");
  const { store, files, close } = await openForReading(config);
  try {
    const folder = await openBackupFolder(to, config);
    try {
      const done = await backUp({ store, files, folder: to, copies: folder.copies, begin: stagesOn(terminal) });
      const { rows, copied, upTo, lacks } = done;
      const text = `${to} is a backup up to row ${upTo}: ${counted(rows, "row")} and ${counted(copied, "file")} new.\n`;
      return lacks.length === 0 ? said(text) : complained(REFUSED, lackingIn(lacks), text);
    } finally {
      folder.close();
    }
  } finally {
    await close();
  }
}

const SHOWN_MAX = 100;

export function lackingIn(lacks: readonly Lacking[]): readonly string[] {
  const shown = lacks
    .slice(0, SHOWN_MAX)
    .map(({ key, tender, problem }) => `the backup lacks file ${key} of tender ${tender}: ${problem}`);
  return lacks.length > SHOWN_MAX ? [...shown, `and ${lacks.length - SHOWN_MAX} more`] : shown;
}
