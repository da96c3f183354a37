import type { Client, FeedEntry, FeedWishes } from "../client/index.ts";
import { FILTER_OPTIONS, filtersOf } from "./filters.ts";
import { type Command, type Here, lineOf, type Operated, said } from "./operated.ts";
import { REMOTE_OPTIONS, type Remote, withRemote } from "./remote.ts";
import { plain, tableOf } from "./tables.ts";

export const SHOWN_FIELDS = ["tenderID", "status", "title", "value", "procuringEntity", "tenderPeriod"];
const LIMIT = 20;
/** Of pages with fields the service gives no more at once. */
const PAGE = 100;

export const tenderList: Command = {
  name: "tender list",
  summary: "lists tenders, the last changed first",
  options: {
    ...FILTER_OPTIONS,
    limit: { takes: "NUMBER", means: "how many", fallback: String(LIMIT) },
    ...REMOTE_OPTIONS,
  },
  examples: [
    ["npx tenderhall tender list --status active.tendering", "What can be bid for:"],
    [
      "npx tenderhall tender list --classification 5552 --value-min 100000 --json",
      "Meals of some size, for a program:",
    ],
  ],
  read: (values, positionals) => {
    if (positionals.length > 0) return { misused: "tender list takes options only" };
    const { limit = String(LIMIT) } = values as { limit?: string };
    if (!/^[1-9]\d{0,6}$/.test(limit)) return { misused: "--limit takes a number from 1" };
    return withRemote(values, (remote, here) => list(remote, filtersOf(values), Number(limit), here));
  },
};

async function list(remote: Remote, filters: FeedWishes, limit: number, { json, terminal }: Here): Promise<Operated> {
  const entries = await newest(remote.client, { ...filters, opt_fields: SHOWN_FIELDS }, limit);
  if (json) return said(entries.map(lineOf).join(""));
  if (entries.length === 0) return said(`There are none at ${remote.url}.\n`);
  const width = terminal.out.isTTY ? terminal.out.columns || 80 : undefined;
  return said(tableOf(["TENDER", "STATUS", "VALUE", "TITLE"], entries.map(cellsOf), width ? { width } : {}));
}

async function newest({ tenders }: Client, wishes: FeedWishes, limit: number): Promise<readonly FeedEntry[]> {
  const entries: FeedEntry[] = [];
  let offset: string | undefined;
  while (entries.length < limit) {
    const size = Math.min(PAGE, limit - entries.length);
    const { data, next_page } = await tenders.list({ ...wishes, descending: true, limit: size, offset });
    entries.push(...data);
    if (data.length === 0) break;
    offset = next_page.offset;
  }
  return entries;
}

export const cellsOf = ({ id, tenderID, status, value, title }: FeedEntry): readonly string[] => [
  tenderID ?? id,
  status ?? "",
  value?.amount === undefined ? "" : `${value.amount} ${value.currency}`,
  plain(title ?? ""),
];
