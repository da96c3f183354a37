import { createWriteStream } from "node:fs";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import type { Config } from "../../config/config.ts";
import {
  type CliCommand,
  type CommandResult,
  pluralize,
  stagesOnTerminal,
  successResult,
  type Terminal,
  withConfig,
} from "../command.ts";

export const importCommand: CliCommand = {
  name: "import",
  interruptHint: "The registry is incomplete: do not serve it. Run the same command again to continue.",
  takes: "FILE",
  summary: "imports an exported ledger into a registry, on any engine; - reads standard input",
  options: {},
  examples: [["DATA_DIR=./new npx --no-install tenderhall import ledger.jsonl", "Create a registry from a ledger:"]],
  parse: (_values, [from, ...extra]) =>
    from && extra.length === 0
      ? withConfig((config, terminal) => runImport(from, config, terminal))
      : { usageError: "import takes one FILE, or - for standard input" },
};

async function runImport(source: string, config: Config, terminal: Terminal): Promise<CommandResult> {
  const { openScratchRegistry } = await import("../../app/offline.ts");
  const scratch = await openScratchRegistry();
  try {
    if (source !== "-") return await importFile(source, config, terminal);
    // Standard input is stored first: only its end shows that it is complete, and nothing is imported before.
    const path = join(scratch.folder, "standard input");
    await pipeline(terminal.in, createWriteStream(path, { mode: 0o600 }));
    return await importFile(path, config, terminal);
  } finally {
    await scratch.remove();
  }
}

async function importFile(path: string, config: Config, terminal: Terminal): Promise<CommandResult> {
  const { openForImport } = await import("../../app/offline.ts");
  const { checkLedger, importLedger } = await import("../../backup/ledgerImport.ts");
  // Checked before a registry is created for it.
  await checkLedger(path);
  const { store, close } = await openForImport(config, "ledger");
  try {
    const { rows, upTo } = await importLedger(store, path, stagesOnTerminal(terminal));
    return successResult(`${pluralize(rows, "row")} imported: the registry is at row ${upTo}.\n`, { rows, upTo });
  } finally {
    await close();
  }
}
