import { type Client, type HistoryEntry, TenderhallError } from "../../client/index.ts";
import {
  type CliCommand,
  type CliContext,
  type CommandResult,
  jsonLine,
  successResult,
  textOption,
} from "../command.ts";
import { paintStatus, styleFor, type TerminalStyle } from "../output/colours.ts";
import { formatTable, lineWidth, stripControls } from "../output/tables.ts";
import { READ_OPTIONS, type RemoteRegistry, withRemote } from "../remote.ts";

const DEFAULT_LIMIT = 20;
/** The registry's maximum for a page. */
const PAGE_SIZE_MAX = 1000;

export const tenderHistory: CliCommand = {
  name: "tender history",
  takes: "ID|TENDERID",
  summary: "lists the public versions of a tender, latest first: when, what was done, and what changed",
  options: {
    limit: { takes: "NUMBER", description: "the number of versions", fallback: String(DEFAULT_LIMIT) },
    ...READ_OPTIONS,
  },
  examples: [
    ["npx --no-install tenderhall tender history UA-2026-11-16-000001", "What happened to a tender:"],
    [
      "npx --no-install tenderhall tender history 0b2e... --limit 1 --json",
      "Its last change, with the old and new values:",
    ],
  ],
  parse: (values, [id, ...extra]) => {
    if (!id || extra.length > 0) return { usageError: "tender history takes the ID of one tender" };
    const limit = textOption(values, "limit") ?? String(DEFAULT_LIMIT);
    if (!/^[1-9]\d{0,6}$/.test(limit)) return { usageError: "--limit takes a number of at least 1" };
    return withRemote(values, (remote, context) => listVersions(remote, id, Number(limit), context), { reads: true });
  },
};

async function listVersions(
  { client, url }: RemoteRegistry,
  idOrNumber: string,
  limit: number,
  { json, terminal, environment }: CliContext,
): Promise<CommandResult> {
  const versions = await lastVersions(client, idOrNumber, limit);
  if (!versions) throw new Error(`there is no tender ${idOrNumber} at ${url}`);
  if (json) return successResult(versions.map(jsonLine).join(""));
  if (versions.length === 0) return successResult("The tender is not published yet.\n");
  const style = styleFor(terminal.out, environment);
  const heads = ["VERSION", "DATE", "ACT", "STATUS", "CHANGED"].map(style.strong);
  const rows = versions.map((version) => tableCells(version, style));
  return successResult(formatTable(heads, rows, lineWidth(terminal.out)));
}

/** The last versions, the latest first; undefined if there is no such tender. */
async function lastVersions(
  { tenders }: Client,
  idOrNumber: string,
  limit: number,
): Promise<readonly HistoryEntry[] | undefined> {
  const id = /^UA-/i.test(idOrNumber) ? (await tenders.find(idOrNumber))?.data.id : idOrNumber;
  if (id === undefined) return undefined;
  const versions: HistoryEntry[] = [];
  try {
    for (let offset: string | undefined; versions.length < limit; ) {
      const pageLimit = Math.min(PAGE_SIZE_MAX, limit - versions.length);
      const page = await tenders.history(id, { descending: true, limit: pageLimit, offset });
      versions.push(...page.data);
      if (page.data.length === 0) break;
      offset = page.next_page.offset;
    }
  } catch (error) {
    if (error instanceof TenderhallError && error.status === 404) return undefined;
    throw error;
  }
  return versions;
}

/** An id in a path, also of a later version of a document. */
const ID_STEP = /\/[0-9a-f]{32}(?:\.\d+)?(?=\/|$)/g;

/** Long ids say nothing to people, so only the names of fields are shown. */
const fieldsOf = ({ changes = [] }: HistoryEntry): string =>
  [...new Set(changes.map(({ path }) => path.slice(1).replaceAll(ID_STEP, "")))].join(" ");

const tableCells = (version: HistoryEntry, style: TerminalStyle): readonly string[] => [
  String(version.number),
  version.date,
  version.act,
  paintStatus(style, version.status),
  stripControls(fieldsOf(version)),
];
