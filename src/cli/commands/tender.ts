import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseOwnJson } from "../../base/ownJson.ts";
import { type Tender, TenderhallError } from "../../client/index.ts";
import type { Config, Environment } from "../../config/config.ts";
import { parseJson, UNLIMITED } from "../../dialects/json.ts";
import { isPlainObject } from "../../domain/values/merge.ts";
import {
  type CliCommand,
  type CliContext,
  type CommandResult,
  EXIT_FAILURE,
  type OptionValues,
  resultWithMessages,
  successResult,
  textOption,
  withConfig,
} from "../command.ts";
import { sendToRegistry } from "../operatorClient.ts";
import { styleFor } from "../output/colours.ts";
import { escapeControlsInJson } from "../output/tables.ts";
import { formatOverview } from "../output/tenderOverview.ts";
import { READ_OPTIONS, type RemoteRegistry, withRemote } from "../remote.ts";

const LOCATION_NOTE =
  "Without --url and TENDERHALL_URL the command reads the registry of this machine if DATA_DIR or DATABASE_URL is set or ./data " +
  "has one; otherwise it uses HTTP.";

export const tenderShow: CliCommand = {
  name: "tender show",
  takes: "ID|TENDERID",
  summary: "shows the public view of a tender; with --json in full, with --raw as it is stored",
  about: LOCATION_NOTE,
  options: {
    raw: { description: "as it is stored, with its revision and sealed bids; only on the machine of the registry" },
    ...READ_OPTIONS,
  },
  examples: [
    [
      "npx --no-install tenderhall tender show UA-2026-11-16-000001 --url https://tenders.example",
      "By its public number:",
    ],
    ["npx --no-install tenderhall tender show 0b2e... --json", "In full, as JSON:"],
    ["npx --no-install tenderhall tender show 0b2e... --raw > tender.json", "To repair it with tender replace:"],
  ],
  parse: (values, [id, ...extra]) => {
    if (!id || extra.length > 0) return { usageError: "tender show takes the ID of one tender" };
    const raw = values.raw === true;
    if (raw && values.url !== undefined)
      return { usageError: "--raw works only on the machine of the registry, without --url" };
    return (context) => {
      const print = raw || context.json ? escapeControlsInJson : overviewFormatter(context);
      const show =
        raw || isLocal(values, context.environment)
          ? withConfig((config) => showLocal(config, id, raw, print))
          : withRemote(values, (remote) => showRemote(remote, id, print), { reads: true });
      return show(context);
    };
  },
};

type JsonFormatter = (json: string) => string;

const overviewFormatter =
  ({ terminal, environment }: CliContext): JsonFormatter =>
  (json) =>
    formatOverview(parseOwnJson<{ readonly data: Tender }>(json).data, styleFor(terminal.out, environment));

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

/** Scans all tenders: the store has no index of public numbers. */
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

export const tenderReplace: CliCommand = {
  name: "tender replace",
  takes: "ID",
  summary: "replaces a tender by a file that tender show --raw printed and you edited",
  options: {
    from: { takes: "FILE", description: "the edited file; - reads standard input", required: true },
    reason: { takes: "TEXT", description: "the reason, in one line; the ledger records it", required: true },
    force: { description: "ignore the rules of the procedure; the structure is always checked" },
  },
  examples: [
    [
      `npx --no-install tenderhall tender replace 0b2e... --from tender.json --reason "ticket 17: the buyer's name was cut off"`,
      "After tender show --raw and an editor:",
    ],
  ],
  parse: (values, [id, ...extra]) => {
    const from = textOption(values, "from");
    const reason = textOption(values, "reason");
    const force = values.force === true;
    if (!id || extra.length > 0) return { usageError: "tender replace takes the ID of one tender" };
    if (!from) return { usageError: "--from FILE is required: the edited tender" };
    if (!reason?.trim()) return { usageError: "--reason TEXT is required: the ledger records it" };
    return withConfig(async (config) => {
      const reply = await sendToRegistry(config, { do: "replace", id, reason, force, ...readReplacement(from) });
      return reply.ok
        ? successResult(reply.text, { id, told: reply.text.trimEnd() })
        : resultWithMessages(EXIT_FAILURE, reply.problems);
    });
  },
};

const MEMBERS = ["revision", "tender"];

/** Reads the file that `tender show --raw` printed: the revision that was edited, and the tender. */
function readReplacement(from: string): object {
  const parsed = parseJson(readFileSync(from === "-" ? 0 : from, "utf8").replace(/^\uFEFF/, ""), UNLIMITED);
  if (!parsed.ok) throw new Error(`${from} is not JSON: ${parsed.why}`);
  const file = parsed.value;
  if (!isPlainObject(file) || Object.keys(file).toSorted().join() !== MEMBERS.join())
    throw new Error(`${from} must be an object with exactly "revision" and "tender", as tender show --raw prints it`);
  return { revision: file.revision, tender: file.tender };
}
