import type { ScratchRegistry } from "../../app/offline.ts";
import type { VerificationCounts } from "../../backup/verification.ts";
import type { Config } from "../../config/config.ts";
import {
  type CliCommand,
  type CommandResult,
  EXIT_FAILURE,
  pluralize,
  resultWithMessages,
  stagesOnTerminal,
  successResult,
  type Terminal,
  withConfig,
} from "../command.ts";

/** Holds the registry to its ledger and its files to their hashes; or a backup. */
export const verify: CliCommand = {
  name: "verify",
  interruptHint: "Nothing was changed. Run the same command again to start over.",
  summary: "holds tenders to the ledger, and documents to their hashes",
  options: {
    backup: { takes: "FROM", means: "the same for a backup: restores it to a folder for a while" },
    "no-files": { means: "leaves out the contents of documents" },
  },
  examples: [
    ["npx --no-install tenderhall verify", "Is everything as it should be?"],
    [
      "npx --no-install tenderhall backup /backup/tenderhall && npx --no-install tenderhall verify --backup /backup/tenderhall",
      "Every night, with proof that it can be restored:",
    ],
  ],
  parse: (values, positionals) => {
    if (positionals.length > 0) return { misused: "verify takes options only" };
    const { backup, "no-files": noFiles = false } = values as { backup?: string; "no-files"?: boolean };
    return withConfig((config, terminal) => runVerify({ backup, withFiles: !noFiles }, config, terminal));
  },
};

type VerifyOptions = { readonly backup: string | undefined; readonly withFiles: boolean };

const SHOWN_MAX = 100;

async function runVerify(options: VerifyOptions, config: Config, terminal: Terminal): Promise<CommandResult> {
  const { openScratchRegistry: openScratch } = await import("../../app/offline.ts");
  const scratch = await openScratch();
  const problems: string[] = [];
  let found = 0;
  const report = (problem: string) => {
    found += 1;
    if (found <= SHOWN_MAX) problems.push(problem);
  };
  try {
    const checkedCounts = await verifyTarget(options, config, scratch, { begin: stagesOnTerminal(terminal), report });
    if (found > SHOWN_MAX) problems.push(`and ${pluralize(found - SHOWN_MAX, "more problem")}`);
    const text = `${describeCounts(checkedCounts, options)}: ${found === 0 ? "all is as it should be" : pluralize(found, "problem")}.\n`;
    const json = { ...checkedCounts, problems, found };
    return found === 0 ? successResult(text, json) : resultWithMessages(EXIT_FAILURE, problems, text, json);
  } finally {
    await scratch.remove();
  }
}

async function verifyTarget(
  { backup, withFiles }: VerifyOptions,
  config: Config,
  scratch: ScratchRegistry,
  reporting: { begin: ReturnType<typeof stagesOnTerminal>; report: (problem: string) => void },
): Promise<VerificationCounts> {
  const { openBackupFiles: openCopies, openForReading } = await import("../../app/offline.ts");
  const { verifyAll, verifyBackup } = await import("../../backup/verification.ts");
  if (backup === undefined) {
    const { store, files, close } = await openForReading(config);
    return verifyAll({ ...reporting, store, files: withFiles ? files : undefined, scratch: scratch.folder }).finally(
      close,
    );
  }
  const { readManifest } = await import("../../backup/backupFolder.ts");
  await readManifest(backup);
  const store = scratch.openStore();
  const files = withFiles ? await openCopies(backup) : undefined;
  return verifyBackup({ ...reporting, store, files, folder: backup, scratch: scratch.folder }).finally(store.close);
}

const describeCounts = ({ rows, tenders, files }: VerificationCounts, { withFiles }: VerifyOptions): string =>
  `Looked at ${pluralize(rows, "row")} of the ledger, ${pluralize(tenders, "tender")}` +
  (withFiles ? ` and ${pluralize(files, "file")}` : "");
