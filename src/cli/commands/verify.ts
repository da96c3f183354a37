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
  textOption,
  withConfig,
} from "../command.ts";

export const verify: CliCommand = {
  name: "verify",
  interruptHint: "Nothing was changed. Run the same command again to start over.",
  summary: "checks tenders against the ledger, and documents against their hashes",
  options: {
    backup: { takes: "FROM", description: "check a backup instead, by restoring it to a temporary folder" },
    "no-files": { description: "skip the contents of documents" },
  },
  examples: [
    ["npx --no-install tenderhall verify", "The registry of this machine:"],
    [
      "npx --no-install tenderhall backup /backup/tenderhall && npx --no-install tenderhall verify --backup /backup/tenderhall",
      "Every night, a backup that is known to be restorable:",
    ],
  ],
  parse: (values, positionals) => {
    if (positionals.length > 0) return { usageError: "verify takes only options" };
    const backup = textOption(values, "backup");
    const withFiles = values["no-files"] !== true;
    return withConfig((config, terminal) => runVerify({ backup, withFiles }, config, terminal));
  },
};

type VerifyOptions = { readonly backup: string | undefined; readonly withFiles: boolean };

const SHOWN_MAX = 100;

async function runVerify(options: VerifyOptions, config: Config, terminal: Terminal): Promise<CommandResult> {
  const { openScratchRegistry } = await import("../../app/offline.ts");
  const scratch = await openScratchRegistry();
  const problems: string[] = [];
  let found = 0;
  const report = (problem: string) => {
    found += 1;
    if (found <= SHOWN_MAX) problems.push(problem);
  };
  try {
    const checkedCounts = await verifyTarget(options, config, scratch, { begin: stagesOnTerminal(terminal), report });
    if (found > SHOWN_MAX) problems.push(`and ${pluralize(found - SHOWN_MAX, "more problem")}`);
    const text = `${describeCounts(checkedCounts, options)}: ${found === 0 ? "no problems" : pluralize(found, "problem")}.\n`;
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
  const { openBackupFiles, openForReading } = await import("../../app/offline.ts");
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
  const files = withFiles ? await openBackupFiles(backup) : undefined;
  return verifyBackup({ ...reporting, store, files, folder: backup, scratch: scratch.folder }).finally(store.close);
}

const describeCounts = ({ rows, tenders, files }: VerificationCounts, { withFiles }: VerifyOptions): string =>
  `Checked ${pluralize(rows, "row")} of the ledger, ${pluralize(tenders, "tender")}` +
  (withFiles ? ` and ${pluralize(files, "file")}` : "");
