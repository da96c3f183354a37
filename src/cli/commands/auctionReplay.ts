import { readFile } from "node:fs/promises";
import { errorMessage } from "../../base/errors.ts";
import { CURRENT_SEGMENT } from "../../dialects/dialects.ts";
import { bidderLabel } from "../../domain/auctions/model.ts";
import { type AuctionReplay, type RecordDifference, replayText } from "../../domain/auctions/replay.ts";
import {
  type CliCommand,
  type CommandResult,
  EXIT_FAILURE,
  EXIT_OK,
  pluralize,
  resultWithMessages,
} from "../command.ts";
import { formatTable, stripControls } from "../output/tables.ts";

/** Differences that are printed; --json has all of them. */
const PRINTED_MAX = 20;
const VALUE_LENGTH_MAX = 80;

export const auctionReplay: CliCommand = {
  name: "auction replay",
  takes: "FILE|URL",
  summary: "computes an auction again from its published record and compares the result",
  about:
    `The record is the file that the service publishes at /api/${CURRENT_SEGMENT}/auctions/ID/record when the names of the bidders are public. The command ` +
    "runs the rules of auctions over it and prints each turn. It needs no server and no settings. Any byte that is not as it was published is " +
    "a difference; then the exit code is 1.",
  options: {},
  examples: [
    ["npx --no-install tenderhall auction replay record.json", "A saved record:"],
    [
      `npx --no-install tenderhall auction replay https://tenders.example/api/${CURRENT_SEGMENT}/auctions/0b2e.../record`,
      "Straight from a server:",
    ],
  ],
  parse: (_values, [source, ...extra]) => {
    if (!source || extra.length > 0) return { usageError: "auction replay takes one FILE or URL" };
    return async () => describeReplay(replayText(await readRecord(source)));
  },
};

async function readRecord(source: string): Promise<string> {
  if (!/^https?:\/\//.test(source)) return readFile(source, "utf8");
  const response = await fetch(source).catch((error: Error) => {
    throw new Error(`${source} does not respond: ${errorMessage(error.cause ?? error)}`);
  });
  if (!response.ok) throw new Error(`${source} responds with ${response.status}: the record may not be public yet`);
  // `text()` would drop a byte order mark, which is a difference, too.
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(await response.arrayBuffer());
}

function describeReplay(replayed: AuctionReplay): CommandResult {
  const { differences, turns } = replayed;
  const rows = turns.map(({ round, bidder, result, isInterrupted, isSame }) => [
    String(round),
    bidder === undefined ? "" : bidderLabel(bidder),
    isInterrupted ? "interrupted" : (result?.amount ?? ""),
    result?.isNew ? "new" : "",
    isSame ? "same" : "DIFFERENT",
  ]);
  const table = rows.length > 0 ? `${formatTable(["ROUND", "BIDDER", "PRICE", "", "RECORD"], rows)}\n` : "";
  const json = { same: differences.length === 0, turns, differences };
  if (differences.length === 0)
    return resultWithMessages(EXIT_OK, [], `${table}The record is the same as the replay, to the byte.\n`, json);
  const more = differences.length > PRINTED_MAX ? [`and ${differences.length - PRINTED_MAX} more`] : [];
  const messages = [
    `The record differs from the replay in ${pluralize(differences.length, "place")}:`,
    ...differences.slice(0, PRINTED_MAX).map(differenceText),
    ...more,
  ];
  return resultWithMessages(EXIT_FAILURE, messages, table, json);
}

function differenceText({ path, recorded, computed }: RecordDifference): string {
  const name = path === "" ? "the record" : path;
  // A difference without a computed value is an explanation.
  return computed === undefined && typeof recorded === "string"
    ? `  ${stripControls(name)}: ${printed(recorded)}`
    : `  ${stripControls(name)}: recorded ${printed(recorded)}, computed ${printed(computed)}`;
}

function printed(value: unknown): string {
  const text = stripControls(
    value === undefined ? "nothing" : typeof value === "string" ? value : JSON.stringify(value),
  );
  return text.length > VALUE_LENGTH_MAX ? `${text.slice(0, VALUE_LENGTH_MAX)}…` : text;
}
