import { Agent, get, type IncomingMessage } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { TENDERS } from "./requests.ts";

/** A client that reads every change, by streaming or by polling. */
export type ChangeReader = {
  /** The ids of the tenders it received, in order. */
  readonly receivedIds: readonly string[];
  readonly stop: () => void;
};

const fetchResponse = (url: string, agent: Agent | false): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => get(url, { agent }, resolve).on("error", reject));

const ID = /"id":"([0-9a-f]{32})"/;

/** Opens a stream at an offset. */
export async function openStreamReader(url: string, offset: string): Promise<ChangeReader> {
  const response = await fetchResponse(`${url}${TENDERS}/stream?offset=${encodeURIComponent(offset)}`, false);
  if (response.statusCode !== 200) throw new Error(`the stream responded with ${response.statusCode}`);
  const receivedIds: string[] = [];
  let incompleteEvent = "";
  response.setEncoding("latin1");
  response.on("error", () => {});
  response.on("data", (text: string) => {
    const events = (incompleteEvent + text).split("\n\n");
    incompleteEvent = events.pop()!;
    for (const event of events) {
      const [, id] = ID.exec(event) ?? [];
      if (id) receivedIds.push(id);
    }
  });
  return { receivedIds, stop: () => void response.destroy() };
}

const POLL_PAUSE_MS = 100;
const PAGE_SIZE = 1000;

/** Polls the feed from an offset: again at once after a page with changes, and after 100 ms otherwise. */
export async function openPollingReader(url: string, offset: string): Promise<ChangeReader> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const receivedIds: string[] = [];
  let isStopped = false;
  const poll = async () => {
    for (let position = offset; !isStopped; ) {
      const { data, next_page: next } = await fetchPage(
        `${url}${TENDERS}?limit=${PAGE_SIZE}&offset=${encodeURIComponent(position)}`,
        agent,
      );
      for (const { id } of data) receivedIds.push(id);
      position = next.offset;
      if (data.length === 0) await pause(POLL_PAUSE_MS);
    }
    agent.destroy();
  };
  void poll();
  return {
    receivedIds,
    stop: () => {
      isStopped = true;
    },
  };
}

type Page = { readonly data: readonly { readonly id: string }[]; readonly next_page: { readonly offset: string } };

async function fetchPage(url: string, agent: Agent): Promise<Page> {
  const response = await fetchResponse(url, agent);
  let text = "";
  response.setEncoding("utf8");
  for await (const chunk of response) text += chunk;
  return JSON.parse(text);
}
