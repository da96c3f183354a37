import type { SearchEntry, SearchParams } from "../../client/index.ts";
import { SEARCHED_STATUSES } from "../../indexing/searchParameters.ts";
import { SEARCH_SORTS } from "../../indexing/searchQuery.ts";
import {
  type CliCommand,
  type CliContext,
  type CommandResult,
  EXIT_OK,
  jsonLine,
  type Options,
  type OptionValues,
  resultWithMessages,
  textOption,
} from "../command.ts";
import { paintStatus, styleFor, type TerminalStyle } from "../output/colours.ts";
import { moneyOf } from "../output/money.ts";
import { formatTable, lineWidth, stripControls } from "../output/tables.ts";
import { READ_OPTIONS, type RemoteRegistry, withRemote } from "../remote.ts";

const DEFAULT_LIMIT = 20;

/** The options that are sent as parameters of the same name, with underscores for hyphens. The registry checks them. */
const CONDITIONS: Options = {
  status: { takes: "STATUS,...", description: "only these statuses", offers: SEARCHED_STATUSES },
  procedure: { takes: "PROCEDURE,...", description: "only these procedures" },
  cpv: { takes: "CODE,...", description: "a CPV code of an item, or its first digits, such as 336" },
  buyer: { takes: "KEY", description: "the buyer, such as UA-EDR-00037256" },
  supplier: { takes: "KEY", description: "a supplier of an opened bid, award or contract" },
  region: { takes: "REGION,...", description: "the region of delivery, such as lviv" },
  "value-min": { takes: "AMOUNT", description: "the lowest value" },
  "value-max": { takes: "AMOUNT", description: "the highest value" },
  currency: { takes: "CODE", description: "the currency of the value" },
  "published-from": { takes: "TIME", description: "published at this time or later" },
  "published-to": { takes: "TIME", description: "published at this time or earlier" },
  "deadline-from": { takes: "TIME", description: "bids are accepted until this time or later" },
  "deadline-to": { takes: "TIME", description: "bids are accepted until this time or earlier" },
  mode: { takes: "MODE", description: "real or test tenders", fallback: "real", choices: ["real", "test"] },
  sort: {
    takes: "ORDER",
    description: "relevance, newest, deadline or value; default: relevance, without words newest",
    offers: SEARCH_SORTS,
  },
};

export const tenderSearch: CliCommand = {
  name: "tender search",
  summary: "searches tenders by words and conditions",
  takes: "[WORDS...]",
  options: {
    ...CONDITIONS,
    limit: { takes: "NUMBER", description: "the number of tenders", fallback: String(DEFAULT_LIMIT) },
    ...READ_OPTIONS,
  },
  examples: [
    ["npx --no-install tenderhall tender search school meals", "Tenders with both words, in any form:"],
    [
      "npx --no-install tenderhall tender search --cpv 55 --status active.tendering --sort deadline --json",
      "Catering that is open for bids, the soonest deadline first, as JSON:",
    ],
  ],
  parse: (values, positionals) => {
    const limit = textOption(values, "limit") ?? String(DEFAULT_LIMIT);
    if (!/^[1-9]\d{0,6}$/.test(limit)) return { usageError: "--limit takes a number of at least 1" };
    const params = paramsOf(values, positionals.join(" "));
    return withRemote(values, (remote, context) => searchTenders(remote, params, Number(limit), context), {
      reads: true,
    });
  },
};

const paramsOf = (values: OptionValues, q: string): SearchParams =>
  Object.fromEntries([
    ...(q === "" ? [] : [["q", q]]),
    ...Object.keys(CONDITIONS).flatMap((option) => {
      const value = textOption(values, option);
      return value === undefined ? [] : [[option.replaceAll("-", "_"), value]];
    }),
  ]);

const PAGE_SIZE_MAX = 100;

async function searchTenders(
  { client, url }: RemoteRegistry,
  params: SearchParams,
  limit: number,
  { json, terminal, environment }: CliContext,
): Promise<CommandResult> {
  const first = await client.search({ ...params, limit: Math.min(limit, PAGE_SIZE_MAX) });
  const entries: SearchEntry[] = [...first.data];
  if (entries.length < limit && first.next_page) {
    entries.length = 0;
    for await (const entry of client.searchAll({ ...params, limit: PAGE_SIZE_MAX })) {
      entries.push(entry);
      if (entries.length === limit) break;
    }
  }
  const { total, more, incomplete } = first;
  const messages = [
    ...(incomplete ? ["Older tenders are still being added to the search."] : []),
    ...(total > entries.length ? [moreMessage(total, more)] : []),
  ];
  if (json) return resultWithMessages(EXIT_OK, messages, entries.map(jsonLine).join(""));
  if (entries.length === 0)
    return resultWithMessages(EXIT_OK, messages, `No matching tenders at ${url}. Try fewer or shorter words.\n`);
  const style = styleFor(terminal.out, environment);
  const heads = ["TENDER", "STATUS", "VALUE", "DEADLINE", "TITLE"].map(style.strong);
  const rows = entries.map((entry) => tableCells(entry, style));
  const next = `\nNext: npx --no-install tenderhall tender show ${entries[0]?.tenderID ?? entries[0]?.id}\n`;
  return resultWithMessages(EXIT_OK, messages, formatTable(heads, rows, lineWidth(terminal.out)) + next);
}

const moreMessage = (total: number, isMore: boolean): string =>
  `${isMore ? "More than " : ""}${total} tenders match: use --limit NUMBER to show more, or narrow the search.`;

const tableCells = (entry: SearchEntry, style: TerminalStyle): readonly string[] => {
  const { id, tenderID, status, value, tenderPeriod, title } = entry;
  return [
    tenderID ?? id,
    paintStatus(style, status ?? ""),
    moneyOf(value),
    (tenderPeriod?.endDate ?? "").slice(0, "2026-11-16T10:00".length).replace("T", " "),
    stripControls(title ?? ""),
  ];
};
