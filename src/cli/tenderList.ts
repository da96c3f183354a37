import type { Client, FeedEntry, FeedWishes } from "../client/index.ts";
import { paintedStatus, type Style, styleFor } from "./colours.ts";
import { FILTER_OPTIONS, filtersOf } from "./filters.ts";
import { moneyOf } from "./money.ts";
import { type Command, complained, DONE, type Here, lineOf, type Operated, said } from "./operated.ts";
import { READING_OPTIONS, type Remote, withRemote } from "./remote.ts";
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
    ...READING_OPTIONS,
  },
  examples: [
    ["npx --no-install tenderhall tender list --status active.tendering", "What can be bid for:"],
    [
      "npx --no-install tenderhall tender list --classification 5552 --value-min 100000 --json",
      "Meals of some size, for a program:",
    ],
  ],
  read: (values, positionals) => {
    if (positionals.length > 0) return { misused: "tender list takes options only" };
    const { limit } = values as { limit?: string };
    if (limit !== undefined && !/^[1-9]\d{0,6}$/.test(limit))
      return { misused: "--limit takes a number of at least 1" };
    const wanted = limit === undefined ? undefined : Number(limit);
    return withRemote(values, (remote, here) => list(remote, filtersOf(values), wanted, here), { reads: true });
  },
};

/** Whoever did not say how many hears that there are more, which one more tells. */
async function list(
  remote: Remote,
  filters: FeedWishes,
  limit: number | undefined,
  { json, terminal, environment }: Here,
): Promise<Operated> {
  const found = await newest(remote.client, { ...filters, opt_fields: SHOWN_FIELDS }, limit ?? LIMIT + 1);
  const entries = found.slice(0, limit ?? LIMIT);
  const more =
    found.length > entries.length ? [`There are more than these ${LIMIT}: --limit NUMBER says how many.`] : [];
  if (json) return complained(DONE, more, entries.map(lineOf).join(""));
  if (entries.length === 0) return said(`There are none at ${remote.url}.\n`);
  const width = terminal.out.isTTY ? terminal.out.columns || 80 : undefined;
  const style = styleFor(terminal.out, environment);
  const heads = ["TENDER", "STATUS", "VALUE", "TITLE"].map(style.strong);
  const table = tableOf(
    heads,
    entries.map((entry) => cellsOf(entry, style)),
    width ? { width } : {},
  );
  return complained(DONE, more, table);
}

async function newest({ tenders }: Client, wishes: FeedWishes, limit: number): Promise<readonly FeedEntry[]> {
  const entries: FeedEntry[] = [];
  for await (const { offset: _offset, ...entry } of tenders.all({
    ...wishes,
    descending: true,
    limit: Math.min(PAGE, limit),
  })) {
    entries.push(entry);
    if (entries.length === limit) break;
  }
  return entries;
}

const cellsOf = ({ id, tenderID, status, value, title }: FeedEntry, style: Style): readonly string[] => [
  tenderID ?? id,
  paintedStatus(style, status ?? ""),
  moneyOf(value),
  plain(title ?? ""),
];
