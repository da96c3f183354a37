import { setTimeout as pause } from "node:timers/promises";
import { errorMessage } from "../../base/errors.ts";
import { parseOwnJson } from "../../base/ownJson.ts";
import { openEventReader, type ServerSentEvent } from "../../client/eventReader.ts";
import { CURRENT_SEGMENT } from "../../dialects/dialects.ts";
import {
  type CliCommand,
  type CliContext,
  type CommandResult,
  EXIT_FAILURE,
  EXIT_OK,
  jsonLine,
  resultWithMessages,
} from "../command.ts";
import { type AuctionOverview, formatAuction } from "../output/auctionOverview.ts";
import { clearEcho, openInterrupt } from "../output/interrupt.ts";
import { stripControls } from "../output/tables.ts";
import { FOLLOW_RETRIES, type RemoteRegistry, URL_OPTION, withRemote } from "../remote.ts";

export const auctionWatch: CliCommand = {
  name: "auction watch",
  takes: "ID",
  handlesSignals: true,
  summary: "shows an auction of a server and prints what happens in it, until it is over or Ctrl-C",
  about:
    "The command sees what everyone may see: a price appears when its turn ends. After a lost connection it continues where it was. With " +
    "--json each event is a line with its number, and the first line is the whole auction.",
  options: URL_OPTION,
  examples: [
    ["npx --no-install tenderhall auction watch 0b2e... --url https://tenders.example", "An auction elsewhere:"],
  ],
  parse: (values, [id, ...extra]) => {
    if (!id || extra.length > 0) return { usageError: "auction watch takes the ID of one auction" };
    return withRemote(values, (remote, context) => watchAuction(remote, id, context), { reads: true });
  },
};

/** An event of an auction. Times are texts. */
type WatchedEvent = { readonly kind: string; readonly at?: string; readonly [detail: string]: unknown };

const RETRY_PAUSE_MS = 1000;

async function watchAuction(
  { url }: RemoteRegistry,
  id: string,
  { json, terminal }: CliContext,
): Promise<CommandResult> {
  const { signal, close } = openInterrupt();
  const address = `${url}/api/${CURRENT_SEGMENT}/auctions/${encodeURIComponent(id)}/events`;
  let lastId: string | undefined;
  let failures = 0;
  try {
    for (;;) {
      try {
        for await (const event of readEvents(address, lastId, signal)) {
          failures = 0;
          lastId = event.id ?? lastId;
          if (event.data === undefined) continue;
          terminal.out.write(json ? jsonLineOf(event, event.data) : textOf(event, event.data));
          if (isLast(event, event.data)) return resultWithMessages(EXIT_OK, []);
        }
      } catch (error) {
        if (signal.aborted) break;
        failures += 1;
        const isFinal = error instanceof RefusedStreamError || failures > FOLLOW_RETRIES;
        if (isFinal) return resultWithMessages(EXIT_FAILURE, [`${address}: ${reasonOf(error)}`]);
      }
      if (signal.aborted) break;
      await pause(RETRY_PAUSE_MS, undefined, { signal }).catch(() => {});
    }
  } finally {
    close();
  }
  clearEcho(terminal.err);
  return resultWithMessages(EXIT_OK, []);
}

/** The server has answered, and would give the same answer again. */
class RefusedStreamError extends Error {}

async function* readEvents(
  address: string,
  lastId: string | undefined,
  signal: AbortSignal,
): AsyncGenerator<ServerSentEvent, void, undefined> {
  const headers = { Accept: "text/event-stream", ...(lastId !== undefined && { "Last-Event-ID": lastId }) };
  const response = await fetch(address, { headers, signal });
  const { ok, status, body } = response;
  if (!ok || !body) {
    await body?.cancel();
    const message = status === 404 ? "there is no such auction" : `the server responds with ${status}`;
    throw status >= 500 || status === 429 ? new Error(message) : new RefusedStreamError(message);
  }
  const events = openEventReader();
  const decoder = new TextDecoder();
  for await (const chunk of body) yield* events.read(decoder.decode(chunk, { stream: true }));
}

const reasonOf = (error: unknown): string =>
  errorMessage(error instanceof Error && error.cause !== undefined ? error.cause : error);

const isSnapshot = ({ type }: ServerSentEvent): boolean => type === "snapshot";

const jsonLineOf = (event: ServerSentEvent, data: string): string =>
  jsonLine({ id: event.id, event: event.type, data: parseOwnJson(data) });

/** The whole auction at the beginning, then a line for each event. */
function textOf(event: ServerSentEvent, data: string): string {
  if (isSnapshot(event)) return `${formatAuction(parseOwnJson<AuctionOverview>(data))}\n`;
  const { kind, at = "", serverTime: _serverTime, ...details } = parseOwnJson<WatchedEvent>(data);
  const texts = Object.entries(details).map(([name, value]) => `${name} ${JSON.stringify(value)}`);
  return `${stripControls([at, kind, ...texts].join("  "))}\n`;
}

/** Nothing happens after names are public, or after the auction was cancelled. */
function isLast(event: ServerSentEvent, data: string): boolean {
  if (!isSnapshot(event)) return ["names", "cancelled"].includes(parseOwnJson<WatchedEvent>(data).kind);
  const { status, offers } = parseOwnJson<AuctionOverview>(data);
  return status === "cancelled" || offers.some(({ name }) => name !== undefined);
}
