import type { Client, FeedEntry, FeedParams } from "../../client/index.ts";
import {
  type CliCommand,
  type CliContext,
  type CommandResult,
  EXIT_OK,
  jsonLine,
  resultWithMessages,
  successResult,
  textOption,
} from "../command.ts";
import { FILTER_OPTIONS, filtersOf } from "../filters.ts";
import { paintStatus, styleFor, type TerminalStyle } from "../output/colours.ts";
import { moneyOf } from "../output/money.ts";
import { formatTable, lineWidth, stripControls } from "../output/tables.ts";
import { READ_OPTIONS, type RemoteRegistry, withRemote } from "../remote.ts";

/** The fields of a tender that lists show. */
export const SHOWN_FIELDS = ["tenderID", "status", "title", "value", "procuringEntity", "tenderPeriod"];
const DEFAULT_LIMIT = 20;
/** The registry's maximum for pages with `opt_fields`. */
const PAGE_SIZE_MAX = 100;

export const tenderList: CliCommand = {
  name: "tender list",
  summary: "lists tenders, most recently changed first",
  options: {
    ...FILTER_OPTIONS,
    limit: { takes: "NUMBER", description: "the number of tenders", fallback: String(DEFAULT_LIMIT) },
    ...READ_OPTIONS,
  },
  examples: [
    ["npx --no-install tenderhall tender list --status active.tendering", "Tenders open for bids:"],
    [
      "npx --no-install tenderhall tender list --classification 5552 --value-min 100000 --json",
      "Catering worth at least 100,000, as JSON:",
    ],
  ],
  parse: (values, positionals) => {
    if (positionals.length > 0) return { usageError: "tender list takes only options" };
    const limit = textOption(values, "limit");
    if (limit !== undefined && !/^[1-9]\d{0,6}$/.test(limit))
      return { usageError: "--limit takes a number of at least 1" };
    const limitNumber = limit === undefined ? undefined : Number(limit);
    return withRemote(values, (remote, context) => listTenders(remote, filtersOf(values), limitNumber, context), {
      reads: true,
    });
  },
};

/** Without --limit, one more tender than the default is fetched to see whether there are more. */
async function listTenders(
  remote: RemoteRegistry,
  filters: FeedParams,
  limit: number | undefined,
  { json, terminal, environment }: CliContext,
): Promise<CommandResult> {
  const fetched = await newestTenders(
    remote.client,
    { ...filters, opt_fields: SHOWN_FIELDS },
    limit ?? DEFAULT_LIMIT + 1,
  );
  const entries = fetched.slice(0, limit ?? DEFAULT_LIMIT);
  const notes =
    fetched.length > entries.length
      ? [`There are more than ${DEFAULT_LIMIT} tenders: use --limit NUMBER to show more.`]
      : [];
  if (json) return resultWithMessages(EXIT_OK, notes, entries.map(jsonLine).join(""));
  if (entries.length === 0) return successResult(`No matching tenders at ${remote.url}.\n`);
  const style = styleFor(terminal.out, environment);
  const heads = ["TENDER", "STATUS", "VALUE", "TITLE"].map(style.strong);
  const table = formatTable(
    heads,
    entries.map((entry) => tableCells(entry, style)),
    lineWidth(terminal.out),
  );
  return resultWithMessages(EXIT_OK, notes, table);
}

async function newestTenders({ tenders }: Client, params: FeedParams, limit: number): Promise<readonly FeedEntry[]> {
  const entries: FeedEntry[] = [];
  for await (const { offset: _offset, ...entry } of tenders.all({
    ...params,
    descending: true,
    limit: Math.min(PAGE_SIZE_MAX, limit),
  })) {
    entries.push(entry);
    if (entries.length === limit) break;
  }
  return entries;
}

const tableCells = ({ id, tenderID, status, value, title }: FeedEntry, style: TerminalStyle): readonly string[] => [
  tenderID ?? id,
  paintStatus(style, status ?? ""),
  moneyOf(value),
  stripControls(title ?? ""),
];
