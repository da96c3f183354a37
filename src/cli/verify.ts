import type { Looked } from "../backup/verifyingAll.ts";
import type { Scratch } from "../beside.ts";
import type { Config } from "../config.ts";
import {
  type Command,
  complained,
  counted,
  type Operated,
  REFUSED,
  said,
  stagesOn,
  type Terminal,
  withSettings,
} from "./operated.ts";

/** Holds the registry to its ledger and its files to their hashes; or a backup. */
export const verify: Command = {
  name: "verify",
  interrupted: "Nothing was changed. Run the same command again to start over.",
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
  read: (values, positionals) => {
    if (positionals.length > 0) return { misused: "verify takes options only" };
    const { backup, "no-files": noFiles = false } = values as { backup?: string; "no-files"?: boolean };
    return withSettings((config, terminal) => run({ backup, withFiles: !noFiles }, config, terminal));
  },
};

type Asked = { readonly backup: string | undefined; readonly withFiles: boolean };

const SHOWN_MAX = 100;

async function run(asked: Asked, config: Config, terminal: Terminal): Promise<Operated> {
  const { openScratch } = await import("../beside.ts");
  const scratch = await openScratch();
  const problems: string[] = [];
  let found = 0;
  const report = (problem: string) => {
    found += 1;
    if (found <= SHOWN_MAX) problems.push(problem);
  };
  try {
    const looked = await look(asked, config, scratch, { begin: stagesOn(terminal), report });
    if (found > SHOWN_MAX) problems.push(`and ${counted(found - SHOWN_MAX, "more problem")}`);
    const text = `${toldOf(looked, asked)}: ${found === 0 ? "all is as it should be" : counted(found, "problem")}.\n`;
    const json = { ...looked, problems, found };
    return found === 0 ? said(text, json) : complained(REFUSED, problems, text, json);
  } finally {
    await scratch.remove();
  }
}

async function look(
  { backup, withFiles }: Asked,
  config: Config,
  scratch: Scratch,
  how: { begin: ReturnType<typeof stagesOn>; report: (problem: string) => void },
): Promise<Looked> {
  const { openCopies, openForReading } = await import("../beside.ts");
  const { verifyAll, verifyBackup } = await import("../backup/verifyingAll.ts");
  if (backup === undefined) {
    const { store, files, close } = await openForReading(config);
    return verifyAll({ ...how, store, files: withFiles ? files : undefined, scratch: scratch.folder }).finally(close);
  }
  const { readManifest } = await import("../backup/folder.ts");
  await readManifest(backup);
  const store = scratch.openStore();
  const files = withFiles ? await openCopies(backup) : undefined;
  return verifyBackup({ ...how, store, files, folder: backup, scratch: scratch.folder }).finally(store.close);
}

const toldOf = ({ rows, tenders, files }: Looked, { withFiles }: Asked): string =>
  `Looked at ${counted(rows, "row")} of the ledger, ${counted(tenders, "tender")}` +
  (withFiles ? ` and ${counted(files, "file")}` : "");
