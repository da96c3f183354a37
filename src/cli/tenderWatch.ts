import { FILTER_OPTIONS, filtersOf } from "./filters.ts";
import { openInterrupt, rest } from "./interrupting.ts";
import { type Command, complained, DONE, type Here, lineOf, type Operated, REFUSED } from "./operated.ts";
import { type Query, REMOTE_OPTIONS, type Remote, remoteOf, type Seen } from "./remote.ts";
import { plain, lineOf as rowOf } from "./tables.ts";
import { SHOWN_FIELDS } from "./tenderList.ts";

const ASKED_AGAIN_MS = 1000;
const PAGE = "100";

export const tenderWatch: Command = {
  name: "tender watch",
  summary: "follows the feed and tells of every change until Ctrl-C, which tells where to go on",
  options: {
    offset: {
      takes: "OFFSET",
      means: "where to begin, as the feed or an earlier watch said; 0 is the beginning; default: now",
    },
    ...FILTER_OPTIONS,
    ...REMOTE_OPTIONS,
  },
  examples: [
    ["npx tenderhall tender watch", "What happens from now on:"],
    [
      "npx tenderhall tender watch --offset 0 --status active.tendering --json",
      "Everything that can be bid for, as lines of JSON:",
    ],
  ],
  read: (values, positionals) => {
    if (positionals.length > 0) return { misused: "tender watch takes options only" };
    const asked = { offset: values.offset as string | undefined, filters: filtersOf(values) };
    return (here) => watch(remoteOf(values, here.environment, { patient: true }), asked, here);
  },
};

type Asked = { readonly offset: string | undefined; readonly filters: Query };

async function watch(remote: Remote, { offset, filters }: Asked, { json, terminal }: Here): Promise<Operated> {
  const { signal, close } = openInterrupt();
  const query = { ...filters, opt_fields: SHOWN_FIELDS, limit: PAGE };
  const width = terminal.out.isTTY ? terminal.out.columns || 80 : Number.POSITIVE_INFINITY;
  let at = offset ?? (await lastOf(remote, filters));
  try {
    while (!signal.aborted) {
      const { data, next_page } = await remote.page({ ...query, offset: at });
      for (const entry of data) terminal.out.write(json ? lineOf(entry) : `${changeRow(entry, width)}\n`);
      // Where nothing has ever happened, the beginning is where to go on.
      at = data.length > 0 ? next_page.offset : at;
      if (data.length === 0) await rest(ASKED_AGAIN_MS, signal);
    }
  } catch (error) {
    return complained(REFUSED, [(error as Error).message, goOn(at)]);
  } finally {
    close();
  }
  return complained(DONE, [goOn(at)]);
}

async function lastOf(remote: Remote, { mode }: Query): Promise<string> {
  const { data } = await remote.page({ mode, descending: "1", limit: "1" });
  return data[0]?.dateModified ?? "0";
}

const goOn = (offset: string): string => `To go on from here: npx tenderhall tender watch --offset ${offset}`;

const WIDTHS = [19, 22, 20];

const changeRow = ({ dateModified, tenderID, id, status, title }: Seen, width: number): string =>
  rowOf([dateModified.slice(0, 19).replace("T", " "), tenderID ?? id, status ?? "", plain(title ?? "")], WIDTHS, width);
