import type { Client, FeedEntry, FeedParams } from "../../client/index.ts";
import {
  type CliCommand,
  type CliContext,
  type CommandResult,
  EXIT_OK,
  jsonLine,
  resultWithMessages,
  successResult,
} from "../command.ts";
import { FILTER_OPTIONS, filtersOf } from "../filters.ts";
import { paintStatus, styleFor, type TerminalStyle } from "../output/colours.ts";
import { moneyOf } from "../output/money.ts";
import { formatTable, stripControls } from "../output/tables.ts";
import { READ_OPTIONS, type RemoteRegistry, withRemote } from "../remote.ts";

export const SHOWN_FIELDS = ["tenderID", "status", "title", "value", "procuringEntity", "tenderPeriod"];
const DEFAULT_LIMIT = 20;
/** Of pages with fields the service gives no more at once. */
const PAGE_SIZE_MAX = 100;

export const tenderList: CliCommand = {
  name: "tender list",
  summary: "lists tenders, the last changed first",
  options: {
    ...FILTER_OPTIONS,
    limit: { takes: "NUMBER", means: "how many", fallback: String(DEFAULT_LIMIT) },
    ...READ_OPTIONS,
  },
  examples: [
    ["npx --no-install tenderhall tender list --status active.tendering", "What can be bid for:"],
    [
      "npx --no-install tenderhall tender list --classification 5552 --value-min 100000 --json",
      "Meals of some size, for a program:",
    ],
  ],
  parse: (values, positionals) => {
    if (positionals.length > 0) return { misused: "tender list takes options only" };
    const { limit } = values as { limit?: string };
    if (limit !== undefined && !/^[1-9]\d{0,6}$/.test(limit))
      return { misused: "--limit takes a number of at least 1" };
    const wanted = limit === undefined ? undefined : Number(limit);
    return withRemote(values, (remote, here) => listTenders(remote, filtersOf(values), wanted, here), { reads: true });
  },
};

/** Whoever did not say how many hears that there are more, which one more tells. */
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
      ? [`There are more than these ${DEFAULT_LIMIT}: --limit NUMBER says how many.`]
      : [];
  if (json) return resultWithMessages(EXIT_OK, notes, entries.map(jsonLine).join(""));
  if (entries.length === 0) return successResult(`There are none at ${remote.url}.\n`);
  const width = terminal.out.isTTY ? terminal.out.columns || 80 : undefined;
  const style = styleFor(terminal.out, environment);
  const heads = ["TENDER", "STATUS", "VALUE", "TITLE"].map(style.strong);
  const table = formatTable(
    heads,
    entries.map((entry) => tableCells(entry, style)),
    width ? { width } : {},
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
