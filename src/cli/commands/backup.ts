import type { MissingFile } from "../../backup/backupFolder.ts";
import { errorMessage } from "../../base/errors.ts";
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

export const backup: CliCommand = {
  name: "backup",
  interruptHint:
    "The backup is unchanged. Run the same command again: it keeps the files copied so far and copies the rest.",
  takes: "TO",
  summary: "copies ledger, documents and secrets to the folder TO while the server runs; later runs add what is new",
  options: {},
  examples: [
    ["npx --no-install tenderhall backup /backup/tenderhall", "Every night, while the server runs:"],
    [
      "npx --no-install tenderhall backup /tmp/moving && DATABASE_URL=postgres://... npx --no-install tenderhall restore /tmp/moving",
      "Move from SQLite to PostgreSQL, including documents:",
    ],
  ],
  parse: parseOneFolder("backup takes one folder to back up to", runBackup),
};

async function runBackup(to: string, config: Config, terminal: Terminal): Promise<CommandResult> {
  // Loaded only here, so that other commands start sooner.
  const { openBackupFolder, openForReading } = await import("../../app/offline.ts");
  const { createBackup } = await import("../../backup/backup.ts");
  const { store, files, close } = await openForReading(config);
  try {
    const folder = await openBackupFolder(to, config);
    try {
      const summary = await createBackup({
        store,
        files,
        folder: to,
        copies: folder.files,
        begin: stagesOnTerminal(terminal),
      });
      const { rows, copied, upTo, lacks } = summary;
      const text = `${to} is a backup up to row ${upTo}: ${pluralize(rows, "new row")} and ${pluralize(copied, "new file")}.\n`;
      const json = { folder: to, upTo, rows, files: copied, lacks };
      if (lacks.length > 0) return resultWithMessages(EXIT_FAILURE, missingFileMessages(lacks), text, json);
      const result = successResult(text, json);
      const problem = await recordingProblem(config, Temporal.Now.instant());
      return problem ? { ...result, err: `${result.err}${problem}\n` } : result;
    } finally {
      folder.close();
    }
  } finally {
    await close();
  }
}

/** Failing to record the backup is only a warning: the backup itself is complete. */
async function recordingProblem(config: Config, madeAt: Temporal.Instant): Promise<string | undefined> {
  const { recordBackupOf } = await import("../recordBackup.ts");
  try {
    await recordBackupOf(config, Number(madeAt.epochNanoseconds / 1000n));
    return undefined;
  } catch (error) {
    return `the time of the backup could not be recorded in the registry, so metrics do not show it: ${errorMessage(error)}`;
  }
}

const SHOWN_MAX = 100;

/** A line for each file that a backup lacks, up to SHOWN_MAX. */
export function missingFileMessages(missingFiles: readonly MissingFile[]): readonly string[] {
  const shown = missingFiles
    .slice(0, SHOWN_MAX)
    .map(({ key, tender, problem }) => `the backup lacks file ${key} of tender ${tender}: ${problem}`);
  return missingFiles.length > SHOWN_MAX ? [...shown, `and ${missingFiles.length - SHOWN_MAX} more`] : shown;
}
