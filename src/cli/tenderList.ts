import { FILTER_OPTIONS, filtersOf } from "./filters.ts";
import { type Command, type Here, lineOf, type Operated, said } from "./operated.ts";
import { type Query, REMOTE_OPTIONS, type Remote, remoteOf, type Seen } from "./remote.ts";
import { plain, tableOf } from "./tables.ts";

export const SHOWN_FIELDS = "tenderID,status,title,value,procuringEntity,tenderPeriod";
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
    return (here) => list(remoteOf(values, here.environment), filtersOf(values), Number(limit), here);
  },
};

async function list(remote: Remote, filters: Query, limit: number, { json, terminal }: Here): Promise<Operated> {
  const entries = await newest(remote, { ...filters, opt_fields: SHOWN_FIELDS }, limit);
  if (json) return said(entries.map(lineOf).join(""));
  if (entries.length === 0) return said(`There are none at ${remote.url}.\n`);
  const width = terminal.out.isTTY ? terminal.out.columns || 80 : undefined;
  return said(tableOf(["TENDER", "STATUS", "VALUE", "TITLE"], entries.map(cellsOf), width ? { width } : {}));
}

async function newest(remote: Remote, query: Query, limit: number): Promise<readonly Seen[]> {
  const entries: Seen[] = [];
  let offset: string | undefined;
  while (entries.length < limit) {
    const size = Math.min(PAGE, limit - entries.length);
    const page = await remote.page({ ...query, descending: "1", limit: String(size), offset });
    entries.push(...page.data);
    if (page.data.length === 0) break;
    offset = page.next_page.offset;
  }
  return entries;
}

export const cellsOf = ({ id, tenderID, status, value, title }: Seen): readonly string[] => [
  tenderID ?? id,
  status ?? "",
  value?.amount === undefined ? "" : `${value.amount} ${value.currency}`,
  plain(title ?? ""),
];
