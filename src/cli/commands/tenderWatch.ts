import type { Change, Client, FeedParams } from "../../client/index.ts";
import {
  type CliCommand,
  type CliContext,
  type CommandResult,
  EXIT_FAILURE,
  EXIT_OK,
  jsonLine,
  type OptionValues,
  resultWithMessages,
} from "../command.ts";
import { FILTER_OPTIONS, filtersOf } from "../filters.ts";
import { paintStatus, styleFor, type TerminalStyle } from "../output/colours.ts";
import { clearEcho, openInterrupt } from "../output/interrupt.ts";
import { formatRow as rowOf, stripControls } from "../output/tables.ts";
import {
  describeFailure,
  FOLLOW_RETRIES,
  optionProblems,
  READ_OPTIONS,
  type RemoteRegistry,
  withRemote,
} from "../remote.ts";
import { SHOWN_FIELDS } from "./tenderList.ts";

/** Of pages with fields the service gives no more at once. */
const PAGE_SIZE = 100;

export const tenderWatch: CliCommand = {
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
    ...READ_OPTIONS,
  },
  examples: [
    ["npx --no-install tenderhall tender watch", "What happens from now on:"],
    [
      "npx --no-install tenderhall tender watch --offset 0 --status active.tendering --json",
      "Everything that can be bid for, as lines of JSON:",
    ],
  ],
  parse: (values, positionals) => {
    if (positionals.length > 0) return { misused: "tender watch takes options only" };
    return withRemote(values, (remote, here) => watchTenders(remote, values, here), { patient: true, reads: true });
  },
};

async function watchTenders(
  remote: RemoteRegistry,
  values: OptionValues,
  { json, terminal, environment }: CliContext,
): Promise<CommandResult> {
  const { client } = remote;
  const filters = filtersOf(values);
  const { signal, close } = openInterrupt();
  const width = terminal.out.isTTY ? terminal.out.columns || 80 : Number.POSITIVE_INFINITY;
  const style = styleFor(terminal.out, environment);
  let offset = (values.offset as string | undefined) ?? (await latestOffset(client, filters));
  const params = { ...filters, opt_fields: SHOWN_FIELDS, limit: PAGE_SIZE, retries: FOLLOW_RETRIES };
  try {
    for await (const change of client.follow({ ...params, offset: offset, signal })) {
      terminal.out.write(json ? jsonLine(change) : `${changeRow(change, width, style)}\n`);
      offset = change.offset;
    }
  } catch (error) {
    // From what was never understood nobody can go on.
    if (optionProblems(error, values).length > 0) throw error;
    return resultWithMessages(EXIT_FAILURE, [describeFailure(error, remote), resumeHint(offset)]);
  } finally {
    close();
  }
  clearEcho(terminal.err);
  return resultWithMessages(EXIT_OK, [resumeHint(offset)]);
}

/** Where nothing has ever happened, the beginning is where to go on. */
async function latestOffset({ tenders }: Client, { mode }: FeedParams): Promise<string> {
  const { data } = await tenders.list({ mode, descending: true, limit: 1 });
  return data[0]?.dateModified ?? "0";
}

const resumeHint = (offset: string): string =>
  `To go on from here: npx --no-install tenderhall tender watch --offset ${offset}`;

const WIDTHS = [19, 22, 20];

const changeRow = (
  { dateModified, tenderID, id, status, title }: Change,
  width: number,
  style: TerminalStyle,
): string =>
  rowOf(
    [
      dateModified.slice(0, 19).replace("T", " "),
      tenderID ?? id,
      paintStatus(style, status ?? ""),
      stripControls(title ?? ""),
    ],
    WIDTHS,
    width,
  );
