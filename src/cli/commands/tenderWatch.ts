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
  textOption,
} from "../command.ts";
import { FILTER_OPTIONS, filtersOf } from "../filters.ts";
import { paintStatus, styleFor, type TerminalStyle } from "../output/colours.ts";
import { clearEcho, openInterrupt } from "../output/interrupt.ts";
import { formatRow, lineWidth, stripControls } from "../output/tables.ts";
import {
  describeFailure,
  FOLLOW_RETRIES,
  optionProblems,
  READ_OPTIONS,
  type RemoteRegistry,
  withRemote,
} from "../remote.ts";
import { SHOWN_FIELDS } from "./tenderList.ts";

/** The registry's maximum for pages with `opt_fields`. */
const PAGE_SIZE = 100;

export const tenderWatch: CliCommand = {
  name: "tender watch",
  handlesSignals: true,
  summary: "prints every change as it happens until Ctrl-C, then the offset to continue from",
  about:
    "With --json each change is a line with the offset to continue after it, so that a program that was killed can continue from the last " +
    "line.",
  options: {
    offset: {
      takes: "OFFSET",
      description: "where to start: an offset of the feed or of an earlier watch; 0 is the oldest change; default: now",
    },
    ...FILTER_OPTIONS,
    ...READ_OPTIONS,
  },
  examples: [
    ["npx --no-install tenderhall tender watch", "Changes from now on:"],
    [
      "npx --no-install tenderhall tender watch --offset 0 --status active.tendering --json",
      "All changes of tenders open for bids, as lines of JSON:",
    ],
  ],
  parse: (values, positionals) => {
    if (positionals.length > 0) return { usageError: "tender watch takes only options" };
    return withRemote(values, (remote, context) => watchTenders(remote, values, context), {
      patient: true,
      reads: true,
    });
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
  const width = lineWidth(terminal.out);
  const style = styleFor(terminal.out, environment);
  let offset = textOption(values, "offset") ?? (await latestOffset(client, filters));
  const params = { ...filters, opt_fields: SHOWN_FIELDS, limit: PAGE_SIZE, retries: FOLLOW_RETRIES };
  try {
    for await (const change of client.follow({ ...params, offset, signal })) {
      terminal.out.write(json ? jsonLine(change) : `${changeRow(change, width, style)}\n`);
      offset = change.offset;
    }
  } catch (error) {
    // There is no offset to continue from if the options were wrong.
    if (optionProblems(error, values).length > 0) throw error;
    return resultWithMessages(EXIT_FAILURE, [describeFailure(error, remote), resumeHint(offset)]);
  } finally {
    close();
  }
  clearEcho(terminal.err);
  return resultWithMessages(EXIT_OK, [resumeHint(offset)]);
}

/** The offset of the latest change; the start of the feed if there is none. */
async function latestOffset({ tenders }: Client, { mode }: FeedParams): Promise<string> {
  const { data } = await tenders.list({ mode, descending: true, limit: 1 });
  return data[0]?.dateModified ?? "0";
}

const resumeHint = (offset: string): string =>
  `To continue from here: npx --no-install tenderhall tender watch --offset ${offset}`;

const WIDTHS = [19, 22, 20];

const changeRow = (
  { dateModified, tenderID, id, status, title }: Change,
  width: number,
  style: TerminalStyle,
): string =>
  formatRow(
    [
      dateModified.slice(0, 19).replace("T", " "),
      tenderID ?? id,
      paintStatus(style, status ?? ""),
      stripControls(title ?? ""),
    ],
    WIDTHS,
    width,
  );
