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

export const restore: CliCommand = {
  name: "restore",
  interruptHint: "The registry is incomplete: do not serve it. Run the same command again to continue.",
  takes: "FROM",
  summary: "restores the backup in FROM into an empty registry (on SQLite, stop the server first)",
  options: {},
  examples: [["DATA_DIR=./new npx --no-install tenderhall restore /backup/tenderhall", "After a disk failure:"]],
  parse: parseOneFolder("restore takes one folder of a backup", runRestore),
};

async function runRestore(from: string, config: Config, terminal: Terminal): Promise<CommandResult> {
  const { openBackupFiles, openForImport } = await import("../../app/offline.ts");
  const { readManifest } = await import("../../backup/backupFolder.ts");
  const { restoreBackup } = await import("../../backup/restore.ts");
  // Checked before a registry is created for it.
  await readManifest(from);
  const { store, files, close } = await openForImport(config, "and documents");
  try {
    const copies = await openBackupFiles(from);
    const summary = await restoreBackup({ store, files, folder: from, copies, begin: stagesOnTerminal(terminal) });
    const { rows, copied, upTo, lacks } = summary;
    const text = `The registry is restored up to row ${upTo}: ${pluralize(rows, "row")} and ${pluralize(copied, "file")}.\n`;
    const json = { upTo, rows, files: copied, lacks };
    return lacks.length === 0
      ? successResult(text, json)
      : resultWithMessages(EXIT_FAILURE, missingFileMessages(lacks), text, json);
  } finally {
    await close();
  }
}
