import type { Config } from "../../config/config.ts";
import {
  type CliCommand,
  type CommandResult,
  EXIT_FAILURE,
  parseOneFolder,
  pluralize,
  resultWithMessages,
  stagesOnTerminal,
  successResult,
  type Terminal,
} from "../command.ts";
import { missingFileMessages } from "./backup.ts";

/** Makes an empty registry what a backup holds, on whichever engine the settings name. */
export const restore: CliCommand = {
  name: "restore",
  interruptHint: "The registry is not complete: do not serve it. Run the same command again to continue from here.",
  takes: "FROM",
  summary: "makes an empty registry what the backup in FROM holds (on SQLite: stop the server)",
  options: {},
  examples: [["DATA_DIR=./new npx --no-install tenderhall restore /backup/tenderhall", "The day after the disk died:"]],
  parse: parseOneFolder("restore takes the one folder of a backup", runRestore),
};

async function runRestore(from: string, config: Config, terminal: Terminal): Promise<CommandResult> {
  const { openBackupFiles: openCopies, openForImport: openForFilling } = await import("../../app/offline.ts");
  const { readManifest } = await import("../../backup/backupFolder.ts");
  const { restoreBackup: restoreFrom } = await import("../../backup/restore.ts");
  // Before anything is made where there may be nothing to restore.
  await readManifest(from);
  const { store, files, close } = await openForFilling(config, "and documents");
  try {
    const copies = await openCopies(from);
    const summary = await restoreFrom({ store, files, folder: from, copies, begin: stagesOnTerminal(terminal) });
    const { rows, copied, upTo, lacks } = summary;
    const text = `The registry is restored up to row ${upTo}: ${pluralize(rows, "row")} and ${pluralize(copied, "file")} came back.\n`;
    const json = { upTo, rows, files: copied, lacks };
    return lacks.length === 0
      ? successResult(text, json)
      : resultWithMessages(EXIT_FAILURE, missingFileMessages(lacks), text, json);
  } finally {
    await close();
  }
}
