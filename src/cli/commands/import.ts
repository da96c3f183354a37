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

/** Fills a registry with what was exported, on whichever engine the settings name. */
export const importCommand: CliCommand = {
  name: "import",
  interruptHint: "The registry is not complete: do not serve it. Run the same command again to continue from here.",
  takes: "FILE",
  summary: "fills a registry with what was exported, on any engine; - reads standard input",
  options: {},
  examples: [["DATA_DIR=./new npx --no-install tenderhall import ledger.jsonl", "A registry made anew of its ledger:"]],
  parse: (_values, [from, ...more]) =>
    from && more.length === 0
      ? withConfig((config, terminal) => runImport(from, config, terminal))
      : { misused: "import takes one FILE, or - for standard input" },
};

async function runImport(source: string, config: Config, terminal: Terminal): Promise<CommandResult> {
  const { openScratchRegistry: openScratch } = await import("../../app/offline.ts");
  const scratch = await openScratch();
  try {
    if (source !== "-") return await importFile(source, config, terminal);
    // Whether it came whole is known at its end, and not before that anything may be written.
    const path = join(scratch.folder, "standard input");
    await pipeline(terminal.in, createWriteStream(path, { mode: 0o600 }));
    return await importFile(path, config, terminal);
  } finally {
    await scratch.remove();
  }
}

async function importFile(path: string, config: Config, terminal: Terminal): Promise<CommandResult> {
  const { openForImport: openForFilling } = await import("../../app/offline.ts");
  const { checkLedger, importLedger } = await import("../../backup/ledgerImport.ts");
  // Before anything is made for what cannot be imported.
  await checkLedger(path);
  const { store, close } = await openForFilling(config, "ledger");
  try {
    const { rows, upTo } = await importLedger(store, path, stagesOnTerminal(terminal));
    return successResult(`${pluralize(rows, "row")} imported: the registry stands at row ${upTo}.\n`, { rows, upTo });
  } finally {
    await close();
  }
}
