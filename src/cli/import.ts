import { createWriteStream } from "node:fs";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import type { Config } from "../config.ts";
import { type Command, counted, type Operated, said, stagesOn, type Terminal, withSettings } from "./operated.ts";

/** Fills a registry with what was exported, on whichever engine the settings name. */
export const importLines: Command = {
  name: "import",
  interrupted: "The registry is not complete: do not serve it. Run the same command again to continue from here.",
  takes: "FILE",
  summary: "fills a registry with what was exported, on any engine; - reads standard input",
  options: {},
  examples: [["DATA_DIR=./new npx --no-install tenderhall import ledger.jsonl", "A registry made anew of its ledger:"]],
  read: (_values, [from, ...more]) =>
    from && more.length === 0
      ? withSettings((config, terminal) => run(from, config, terminal))
      : { misused: "import takes one FILE, or - for standard input" },
};

async function run(from: string, config: Config, terminal: Terminal): Promise<Operated> {
  const { openScratch } = await import("../beside.ts");
  const scratch = await openScratch();
  try {
    if (from !== "-") return await fill(from, config, terminal);
    // Whether it came whole is known at its end, and not before that anything may be written.
    const path = join(scratch.folder, "standard input");
    await pipeline(terminal.in, createWriteStream(path, { mode: 0o600 }));
    return await fill(path, config, terminal);
  } finally {
    await scratch.remove();
  }
}

async function fill(path: string, config: Config, terminal: Terminal): Promise<Operated> {
  const { openForFilling } = await import("../beside.ts");
  const { checkLedger, importLedger } = await import("../backup/importing.ts");
  // Before anything is made for what cannot be imported.
  await checkLedger(path);
  const { store, close } = await openForFilling(config, "ledger");
  try {
    const { rows, upTo } = await importLedger(store, path, stagesOn(terminal));
    return said(`${counted(rows, "row")} imported: the registry stands at row ${upTo}.\n`, { rows, upTo });
  } finally {
    await close();
  }
}
