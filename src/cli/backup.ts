import type { Lacking } from "../backup/folder.ts";
import type { Config } from "../config.ts";
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

/** Copies the registry to a folder, or what is new of it since the last time. */
export const backup: Command = {
  name: "backup",
  interrupted:
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
  read: ofOneFolder("backup takes the one folder to back up to", run),
};

async function run(to: string, config: Config, terminal: Terminal): Promise<Operated> {
  // Loaded only here, so that other commands start sooner.
  const { openBackupFolder, openForReading } = await import("../beside.ts");
  const { backUp } = await import("../backup/backingUp.ts");
  const { store, files, close } = await openForReading(config);
  try {
    const folder = await openBackupFolder(to, config);
    try {
      const done = await backUp({ store, files, folder: to, copies: folder.copies, begin: stagesOn(terminal) });
      const { rows, copied, upTo, lacks } = done;
      const text = `${to} is a backup up to row ${upTo}: ${counted(rows, "row")} and ${counted(copied, "file")} new.\n`;
      const json = { folder: to, upTo, rows, files: copied, lacks };
      if (lacks.length > 0) return complained(REFUSED, lackingIn(lacks), text, json);
      const operated = said(text, json);
      const problem = await problemOfRecording(config, Temporal.Now.instant());
      return problem ? { ...operated, err: `${operated.err}${problem}\n` } : operated;
    } finally {
      folder.close();
    }
  } finally {
    await close();
  }
}

/** The backup is made and can be restored, so failing to record it is only worth a line. */
async function problemOfRecording(config: Config, made: Temporal.Instant): Promise<string | undefined> {
  const { recordBackupOf } = await import("./recordBackup.ts");
  try {
    await recordBackupOf(config, Number(made.epochNanoseconds / 1000n));
    return undefined;
  } catch (error) {
    return `when it was made could not be recorded in the registry, so metrics do not show it: ${(error as Error).message}`;
  }
}

const SHOWN_MAX = 100;

export function lackingIn(lacks: readonly Lacking[]): readonly string[] {
  const shown = lacks
    .slice(0, SHOWN_MAX)
    .map(({ key, tender, problem }) => `the backup lacks file ${key} of tender ${tender}: ${problem}`);
  return lacks.length > SHOWN_MAX ? [...shown, `and ${lacks.length - SHOWN_MAX} more`] : shown;
}
