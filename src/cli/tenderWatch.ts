import type { Change, Client, FeedWishes } from "../client/index.ts";
import { paintedStatus, type Style, styleFor } from "./colours.ts";
import { FILTER_OPTIONS, filtersOf } from "./filters.ts";
import { clearEcho, openInterrupt } from "./interrupting.ts";
import { type Command, complained, DONE, type Here, lineOf, type Operated, REFUSED, type Values } from "./operated.ts";
import { FOLLOWED_AGAIN, problemOf, READING_OPTIONS, type Remote, withRemote, wrongOptions } from "./remote.ts";
import { plain, lineOf as rowOf } from "./tables.ts";
import { SHOWN_FIELDS } from "./tenderList.ts";

/** Of pages with fields the service gives no more at once. */
const PAGE = 100;

export const tenderWatch: Command = {
  name: "tender watch",
  handlesSignals: true,
  summary: "follows the feed and tells of every change until Ctrl-C, which tells where to go on",
  about:
    "Changes are told as they happen. With --json each is a line of its own, with the offset to go on from after it, so that a " +
    "program that was killed goes on from its last line.",
  options: {
    offset: {
      takes: "OFFSET",
      means: "where to begin, as the feed or an earlier watch said; 0 is the beginning; default: now",
    },
    ...FILTER_OPTIONS,
    ...READING_OPTIONS,
  },
  examples: [
    ["npx --no-install tenderhall tender watch", "What happens from now on:"],
    [
      "npx --no-install tenderhall tender watch --offset 0 --status active.tendering --json",
      "Everything that can be bid for, as lines of JSON:",
    ],
  ],
  read: (values, positionals) => {
    if (positionals.length > 0) return { misused: "tender watch takes options only" };
    return withRemote(values, (remote, here) => watch(remote, values, here), { patient: true, reads: true });
  },
};

async function watch(remote: Remote, values: Values, { json, terminal, environment }: Here): Promise<Operated> {
  const { client } = remote;
  const filters = filtersOf(values);
  const { signal, close } = openInterrupt();
  const width = terminal.out.isTTY ? terminal.out.columns || 80 : Number.POSITIVE_INFINITY;
  const style = styleFor(terminal.out, environment);
  let at = (values.offset as string | undefined) ?? (await lastOf(client, filters));
  const wishes = { ...filters, opt_fields: SHOWN_FIELDS, limit: PAGE, retries: FOLLOWED_AGAIN };
  try {
    for await (const change of client.follow({ ...wishes, offset: at, signal })) {
      terminal.out.write(json ? lineOf(change) : `${changeRow(change, width, style)}\n`);
      at = change.offset;
    }
  } catch (error) {
    // From what was never understood nobody can go on.
    if (wrongOptions(error, values).length > 0) throw error;
    return complained(REFUSED, [problemOf(error, remote), goOn(at)]);
  } finally {
    close();
  }
  clearEcho(terminal.err);
  return complained(DONE, [goOn(at)]);
}

/** Where nothing has ever happened, the beginning is where to go on. */
async function lastOf({ tenders }: Client, { mode }: FeedWishes): Promise<string> {
  const { data } = await tenders.list({ mode, descending: true, limit: 1 });
  return data[0]?.dateModified ?? "0";
}

const goOn = (offset: string): string =>
  `To go on from here: npx --no-install tenderhall tender watch --offset ${offset}`;

const WIDTHS = [19, 22, 20];

const changeRow = ({ dateModified, tenderID, id, status, title }: Change, width: number, style: Style): string =>
  rowOf(
    [
      dateModified.slice(0, 19).replace("T", " "),
      tenderID ?? id,
      paintedStatus(style, status ?? ""),
      plain(title ?? ""),
    ],
    WIDTHS,
    width,
  );
