import type { Config } from "../config.ts";
import { lackingIn } from "./backup.ts";
import {
  type Command,
  complained,
  counted,
  type Operated,
  ofOneFolder,
  REFUSED,
  said,
  stagesOn,
  type Terminal,
} from "./operated.ts";

/** Makes an empty registry what a backup holds, on whichever engine the settings name. */
export const restore: Command = {
  name: "restore",
  interrupted: "The registry is not complete: do not serve it. Run the same command again to continue from here.",
  takes: "FROM",
  summary: "makes an empty registry what the backup in FROM holds (on SQLite: stop the server)",
  options: {},
  examples: [["DATA_DIR=./new npx --no-install tenderhall restore /backup/tenderhall", "The day after the disk died:"]],
  read: ofOneFolder("restore takes the one folder of a backup", run),
};

async function run(from: string, config: Config, terminal: Terminal): Promise<Operated> {
  const { openCopies, openForFilling } = await import("../beside.ts");
  const { readManifest } = await import("../backup/folder.ts");
  const { restore: restoreFrom } = await import("../backup/restoring.ts");
  // Before anything is made where there may be nothing to restore.
  await readManifest(from);
  const { store, files, close } = await openForFilling(config, "and documents");
  try {
    const copies = await openCopies(from);
    const done = await restoreFrom({ store, files, folder: from, copies, begin: stagesOn(terminal) });
    const { rows, copied, upTo, lacks } = done;
    const text = `The registry is restored up to row ${upTo}: ${counted(rows, "row")} and ${counted(copied, "file")} came back.\n`;
    const json = { upTo, rows, files: copied, lacks };
    return lacks.length === 0 ? said(text, json) : complained(REFUSED, lackingIn(lacks), text, json);
  } finally {
    await close();
  }
}
