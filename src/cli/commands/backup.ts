import type { MissingFile } from "../../backup/backupFolder.ts";
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

/** Copies the registry to a folder, or what is new of it since the last time. */
export const backup: CliCommand = {
  name: "backup",
  interruptHint:
    "The backup is as it was before. Run the same command again: it keeps what was copied and adds the rest.",
  takes: "TO",
  summary: "copies ledger, documents and secrets to the folder TO, while serving; run again, it adds what is new",
  options: {},
  examples: [
    ["npx --no-install tenderhall backup /backup/tenderhall", "Every night, beside the running server:"],
    [
      "npx --no-install tenderhall backup /tmp/moving && DATABASE_URL=postgres://... npx --no-install tenderhall restore /tmp/moving",
      "From SQLite to PostgreSQL, documents included:",
    ],
  ],
  parse: parseOneFolder("backup takes the one folder to back up to", runBackup),
};

async function runBackup(to: string, config: Config, terminal: Terminal): Promise<CommandResult> {
  // Loaded only here, so that other commands start sooner.
  const { openBackupFolder, openForReading } = await import("../../app/offline.ts");
  const { createBackup: backUp } = await import("../../backup/backup.ts");
  const { store, files, close } = await openForReading(config);
  try {
    const folder = await openBackupFolder(to, config);
    try {
      const summary = await backUp({
        store,
        files,
        folder: to,
        copies: folder.files,
        begin: stagesOnTerminal(terminal),
      });
      const { rows, copied, upTo, lacks } = summary;
      const text = `${to} is a backup up to row ${upTo}: ${pluralize(rows, "row")} and ${pluralize(copied, "file")} new.\n`;
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

/** The backup is made and can be restored, so failing to record it is only worth a line. */
async function recordingProblem(config: Config, madeAt: Temporal.Instant): Promise<string | undefined> {
  const { recordBackupOf } = await import("../recordBackup.ts");
  try {
    await recordBackupOf(config, Number(madeAt.epochNanoseconds / 1000n));
    return undefined;
  } catch (error) {
    return `when it was made could not be recorded in the registry, so metrics do not show it: ${(error as Error).message}`;
  }
}

const SHOWN_MAX = 100;

export function missingFileMessages(missingFiles: readonly MissingFile[]): readonly string[] {
  const shown = missingFiles
    .slice(0, SHOWN_MAX)
    .map(({ key, tender, problem }) => `the backup lacks file ${key} of tender ${tender}: ${problem}`);
  return missingFiles.length > SHOWN_MAX ? [...shown, `and ${missingFiles.length - SHOWN_MAX} more`] : shown;
}
