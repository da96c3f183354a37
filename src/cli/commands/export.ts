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
  textOption,
  withConfig,
} from "../command.ts";

type ExportOptions = { readonly to: string | undefined; readonly after: number; readonly secrets: boolean };

export const exportCommand: CliCommand = {
  name: "export",
  interruptHint:
    "The file of --to is not written unless the export completes. Run the same command again to start over.",
  summary: "writes the ledger as lines of JSON, by default to standard output",
  options: {
    to: { takes: "FILE", description: "the file to write; it appears only when it is complete" },
    after: { takes: "ROW", description: "only rows after this row of the ledger" },
    secrets: { description: "include the key that signs document URLs" },
  },
  examples: [
    ["npx --no-install tenderhall export --to ledger.jsonl", "The whole ledger, to a file:"],
    [
      "npx --no-install tenderhall export --secrets | DATABASE_URL=postgres://... npx --no-install tenderhall import -",
      "Move to another database engine:",
    ],
  ],
  parse: (values, positionals) => {
    const to = textOption(values, "to");
    const after = textOption(values, "after") ?? "0";
    const secrets = values.secrets === true;
    if (positionals.length > 0) return { usageError: "export takes only options: use --to FILE for a file" };
    if (!/^\d{1,15}$/.test(after)) return { usageError: "--after takes the number of a row of the ledger" };
    return withConfig((config, terminal) => runExport({ to, after: Number(after), secrets }, config, terminal));
  },
};

async function runExport(
  { to, after, secrets }: ExportOptions,
  config: Config,
  terminal: Terminal,
): Promise<CommandResult> {
  const { openForReading } = await import("../../app/offline.ts");
  const { exportLedger } = await import("../../backup/ledgerExport.ts");
  const { writeFileAtomically } = await import("../../backup/atomicFile.ts");
  const { store, close } = await openForReading(config);
  try {
    const upTo = await store.position();
    if (after > upTo) throw new Error(`the ledger has ${pluralize(upTo, "row")}, and none after row ${after}`);
    const stage = stagesOnTerminal(terminal)("exporting", upTo - after, "rows");
    try {
      const texts = await exportLedger(store, { after, upTo, withSecrets: secrets }, stage);
      await (to === undefined ? writeTo(texts, terminal.out) : writeFileAtomically(to, texts));
    } finally {
      stage.end();
    }
    // Without --to, standard output is the export itself.
    const json = to === undefined ? undefined : { to, after, upTo, rows: upTo - after };
    return resultWithMessages(EXIT_OK, [`${pluralize(upTo - after, "row")} up to row ${upTo} exported.`], "", json);
  } finally {
    await close();
  }
}

async function writeTo(texts: AsyncIterable<string>, out: Writable): Promise<void> {
  const { coalesceText } = await import("../../backup/atomicFile.ts");
  const failed = once(out, "error").then(([error]) => Promise.reject(error));
  failed.catch(() => {});
  for await (const text of coalesceText(texts)) if (!out.write(text)) await Promise.race([once(out, "drain"), failed]);
}
