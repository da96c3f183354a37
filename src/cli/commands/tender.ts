import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Tender, TenderhallError } from "../../client/index.ts";
import type { Config, Environment } from "../../config/config.ts";
import { type Json, parseJson, UNLIMITED } from "../../dialects/json.ts";
import {
  type CliCommand,
  type CliContext,
  type CommandResult,
  EXIT_FAILURE,
  type OptionValues,
  resultWithMessages,
  successResult,
  withConfig,
} from "../command.ts";
import { sendToRegistry } from "../operatorClient.ts";
import { styleFor } from "../output/colours.ts";
import { escapeControlsInJson } from "../output/tables.ts";
import { formatOverview } from "../output/tenderOverview.ts";
import { READ_OPTIONS, type RemoteRegistry, withRemote } from "../remote.ts";

const LOCATION_NOTE =
  "Without --url and TENDERHALL_URL it looks into the registry at this machine, if DATA_DIR or DATABASE_URL is given or " +
  "./data holds one; otherwise it asks the server over HTTP.";

/** Shows one tender: at the machine itself, beside the running server or without one; or over HTTP. */
export const tenderShow: CliCommand = {
  name: "tender show",
  takes: "ID|TENDERID",
  summary: "shows the tender as everyone sees it, with --json in full, or with --raw as it is kept",
  about: LOCATION_NOTE,
  options: {
    raw: { means: "as it is kept, sealed bids included, with its revision; at this machine only" },
    ...READ_OPTIONS,
  },
  examples: [
    [
      "npx --no-install tenderhall tender show UA-2026-11-16-000001 --url https://tenders.example",
      "By the number people know:",
    ],
    ["npx --no-install tenderhall tender show 0b2e... --json", "In full, for a program:"],
    ["npx --no-install tenderhall tender show 0b2e... --raw > tender.json", "To be repaired:"],
  ],
  parse: (values, [id, ...more]) => {
    if (!id || more.length > 0) return { misused: "tender show takes the ID of one tender" };
    const raw = values.raw === true;
    if (raw && values.url !== undefined)
      return { misused: "--raw shows what only this machine may see, and takes no --url" };
    return (here) => {
      const print = raw || here.json ? escapeControlsInJson : overviewFormatter(here);
      const show =
        raw || isLocal(values, here.environment)
          ? withConfig((config) => showLocal(config, id, raw, print))
          : withRemote(values, (remote) => showRemote(remote, id, print), { reads: true });
      return show(here);
    };
  },
};

type JsonFormatter = (json: string) => string;

const overviewFormatter =
  ({ terminal, environment }: CliContext): JsonFormatter =>
  (json) =>
    formatOverview((JSON.parse(json) as { readonly data: Tender }).data, styleFor(terminal.out, environment));

const isLocal = ({ url }: OptionValues, { TENDERHALL_URL, DATA_DIR, DATABASE_URL }: Environment): boolean =>
  url === undefined && !TENDERHALL_URL && (!!DATA_DIR || !!DATABASE_URL || existsSync("data/tenderhall.sqlite"));

const IS_TENDER_ID = /^UA-/i;

async function showLocal(
  config: Config,
  idOrNumber: string,
  raw: boolean,
  print: JsonFormatter,
): Promise<CommandResult> {
  const id = IS_TENDER_ID.test(idOrNumber) ? await findLocalId(config, idOrNumber) : idOrNumber;
  const reply = await sendToRegistry(config, { do: "show", id, raw });
  return reply.ok ? successResult(print(reply.text)) : resultWithMessages(EXIT_FAILURE, reply.problems);
}

/** Goes through all of them: at the machine itself nobody keeps a list of these numbers. */
async function findLocalId(config: Config, tenderID: string): Promise<string> {
  if (!config.databaseUrl && !existsSync(join(config.dataDir, "tenderhall.sqlite"))) return tenderID;
  const { openForReading } = await import("../../app/offline.ts");
  const { store, close } = await openForReading(config);
  try {
    const scan = await store.scan();
    try {
      for await (const { id, document } of scan.tenders())
        if (document.includes(tenderID) && JSON.parse(document).tenderID === tenderID) return id;
    } finally {
      await scan.close();
    }
  } finally {
    await close();
  }
  return tenderID;
}

async function showRemote(
  { client, url }: RemoteRegistry,
  idOrNumber: string,
  print: JsonFormatter,
): Promise<CommandResult> {
  const id = IS_TENDER_ID.test(idOrNumber) ? (await client.tenders.find(idOrNumber))?.data.id : idOrNumber;
  const text =
    id === undefined ? undefined : await client.tenders.text(id, { pretty: true }).catch(undefinedIfNotFound);
  if (text === undefined) throw new Error(`there is no tender ${idOrNumber} at ${url}`);
  return successResult(print(`${text.trimEnd()}\n`));
}

function undefinedIfNotFound(error: unknown): undefined {
  if (!(error instanceof TenderhallError && error.status === 404)) throw error;
}

/** Repairs one tender, beside the running server or without one. */
export const tenderReplace: CliCommand = {
  name: "tender replace",
  takes: "ID",
  summary: "puts the file that tender show --raw printed, and you edited, in the tender's place",
  options: {
    from: { takes: "FILE", means: "the edited file; - reads standard input (needed)" },
    reason: { takes: "TEXT", means: "why, in one line; the ledger keeps it (needed)" },
    force: { means: "whatever the procedure's rules say; never whatever shape" },
  },
  examples: [
    [
      `npx --no-install tenderhall tender replace 0b2e... --from tender.json --reason "ticket 17: the buyer's name was cut off"`,
      "After tender show --raw, and an editor:",
    ],
  ],
  parse: (values, [id, ...more]) => {
    const { from, reason, force = false } = values as { from?: string; reason?: string; force?: boolean };
    if (!id || more.length > 0) return { misused: "tender replace takes the ID of one tender" };
    if (!from) return { misused: "--from FILE says what to put in the tender's place" };
    if (!reason?.trim()) return { misused: "--reason TEXT says why, for the ledger" };
    return withConfig(async (config) => {
      const reply = await sendToRegistry(config, { do: "replace", id, reason, force, ...readReplacement(from) });
      return reply.ok
        ? successResult(reply.text, { id, told: reply.text.trimEnd() })
        : resultWithMessages(EXIT_FAILURE, reply.problems);
    });
  },
};

const MEMBERS = ["revision", "tender"];

/** The file holds what `show --raw` printed: the revision that was seen, and the tender. */
function readReplacement(from: string): object {
  const parsed = parseJson(readFileSync(from === "-" ? 0 : from, "utf8").replace(/^\uFEFF/, ""), UNLIMITED);
  if (!parsed.ok) throw new Error(`${from} is not JSON: ${parsed.why}`);
  const file = parsed.value as { readonly [name: string]: Json };
  const names = typeof file === "object" && file !== null ? Object.keys(file) : [];
  if (names.toSorted().join() !== MEMBERS.join())
    throw new Error(`${from} must hold an object with exactly "revision" and "tender", as tender show --raw prints it`);
  return { revision: file.revision, tender: file.tender };
}
