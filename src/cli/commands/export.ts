import { once } from "node:events";
import type { Writable } from "node:stream";
import type { Config } from "../../config/config.ts";
import {
  type CliCommand,
  type CommandResult,
  EXIT_OK,
  pluralize,
  resultWithMessages,
  stagesOnTerminal,
  type Terminal,
  withConfig,
} from "../command.ts";

type ExportOptions = { readonly to: string | undefined; readonly after: number; readonly secrets: boolean };

/** Writes the ledger as lines of JSON. */
export const exportCommand: CliCommand = {
  name: "export",
  interruptHint: "A file named by --to is written whole or not at all. Run the same command again to start over.",
  summary: "writes the ledger as lines of JSON, to standard output if there is no FILE",
  options: {
    to: { takes: "FILE", means: "where to; the file is there whole or not at all" },
    after: { takes: "ROW", means: "only what follows that row of the ledger" },
    secrets: { means: "with the key that the addresses of documents are signed with" },
  },
  examples: [
    ["npx --no-install tenderhall export --to ledger.jsonl", "Everything that ever happened, to a file:"],
    [
      "npx --no-install tenderhall export --secrets | DATABASE_URL=postgres://... npx --no-install tenderhall import -",
      "To another engine:",
    ],
  ],
  parse: (values, positionals) => {
    const { to, after = "0", secrets = false } = values as { to?: string; after?: string; secrets?: boolean };
    if (positionals.length > 0) return { misused: "export takes options only: --to FILE says where to" };
    if (!/^\d{1,15}$/.test(after)) return { misused: "--after takes the number of a row of the ledger" };
    return withConfig((config, terminal) => runExport({ to, after: Number(after), secrets }, config, terminal));
  },
};

async function runExport(
  { to, after, secrets }: ExportOptions,
  config: Config,
  terminal: Terminal,
): Promise<CommandResult> {
  const { openForReading } = await import("../../app/offline.ts");
  const { exportLedger: exported } = await import("../../backup/ledgerExport.ts");
  const { writeFileAtomically: writeWhole } = await import("../../backup/atomicFile.ts");
  const { store, close } = await openForReading(config);
  try {
    const upTo = await store.position();
    if (after > upTo) throw new Error(`the ledger has ${pluralize(upTo, "row")}: there is none after row ${after}`);
    const stage = stagesOnTerminal(terminal)("exporting", upTo - after, "rows");
    try {
      const texts = await exported(store, { after, upTo, withSecrets: secrets }, stage);
      await (to === undefined ? writeTo(texts, terminal.out) : writeWhole(to, texts));
    } finally {
      stage.end();
    }
    // Standard output may be the export itself.
    const json = to === undefined ? undefined : { to, after, upTo, rows: upTo - after };
    return resultWithMessages(EXIT_OK, [`${pluralize(upTo - after, "row")} up to row ${upTo} exported.`], "", json);
  } finally {
    await close();
  }
}

async function writeTo(texts: AsyncIterable<string>, out: Writable): Promise<void> {
  const { coalesceText: gathered } = await import("../../backup/atomicFile.ts");
  const failed = once(out, "error").then(([error]) => Promise.reject(error));
  failed.catch(() => {});
  for await (const text of gathered(texts)) if (!out.write(text)) await Promise.race([once(out, "drain"), failed]);
}
