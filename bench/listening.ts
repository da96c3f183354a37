import { Agent, get, type IncomingMessage } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { TENDERS } from "./requests.ts";

/** Those who want to know of every change: by a stream, or by asking for the feed again and again. */
export type Listener = {
  /** What it was told of, in that order. */
  readonly heard: readonly string[];
  readonly stop: () => void;
};

const responseTo = (url: string, agent: Agent | false): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => get(url, { agent }, resolve).on("error", reject));

const ID = /"id":"([0-9a-f]{32})"/;

export async function openStream(url: string, offset: string): Promise<Listener> {
  const response = await responseTo(`${url}${TENDERS}/stream?offset=${encodeURIComponent(offset)}`, false);
  if (response.statusCode !== 200) throw new Error(`a stream is answered with ${response.statusCode}`);
  const heard: string[] = [];
  let rest = "";
  response.setEncoding("latin1");
  response.on("error", () => {});
  response.on("data", (text: string) => {
    const events = (rest + text).split("\n\n");
    rest = events.pop()!;
    for (const event of events) {
      const [, id] = ID.exec(event) ?? [];
      if (id) heard.push(id);
    }
  });
  return { heard, stop: () => void response.destroy() };
}

const POLL_REST_MS = 100;
const PAGE = 1000;

/** Asks again at once where there was something, and after a tenth of a second where there was nothing. */
export async function openPolling(url: string, offset: string): Promise<Listener> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const heard: string[] = [];
  let isStopped = false;
  const poll = async () => {
    for (let place = offset; !isStopped; ) {
      const { data, next_page: next } = await pageAt(
        `${url}${TENDERS}?limit=${PAGE}&offset=${encodeURIComponent(place)}`,
        agent,
      );
      for (const { id } of data) heard.push(id);
      place = next.offset;
      if (data.length === 0) await pause(POLL_REST_MS);
    }
    agent.destroy();
  };
  void poll();
  return {
    heard,
    stop: () => {
      isStopped = true;
    },
  };
}

type Page = { readonly data: readonly { readonly id: string }[]; readonly next_page: { readonly offset: string } };

async function pageAt(url: string, agent: Agent): Promise<Page> {
  const response = await responseTo(url, agent);
  let text = "";
  response.setEncoding("utf8");
  for await (const chunk of response) text += chunk;
  return JSON.parse(text);
}
