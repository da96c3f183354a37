import { type IncomingHttpHeaders, type IncomingMessage, request } from "node:http";
import { setTimeout as pause } from "node:timers/promises";

/** A reader of Server-Sent Events, as browsers are: what is not whole at the end is not an event. */

export type SseEvent = { readonly id: string; readonly data: string };

export type SseState = {
  readonly events: SseEvent[];
  readonly comments: string[];
  retry: number | undefined;
  /** What a browser would send when it comes again. */
  lastEventId: string;
};

/** As the standard has it: lines end in CR LF, LF or CR; fields add up until an empty line. */
export function openSseParser(parsed: SseState): (text: string) => void {
  let rest = "";
  let id: string | undefined;
  let data: string[] = [];

  function line(text: string): void {
    if (text === "") {
      if (id !== undefined) parsed.lastEventId = id;
      if (data.length > 0) parsed.events.push({ id: parsed.lastEventId, data: data.join("\n") });
      id = undefined;
      data = [];
      return;
    }
    const colon = text.indexOf(":");
    const field = colon < 0 ? text : text.slice(0, colon);
    const value = colon < 0 ? "" : text.slice(colon + 1).replace(/^ /, "");
    if (field === "") parsed.comments.push(value);
    else if (field === "id" && !value.includes("\0")) id = value;
    else if (field === "data") data.push(value);
    else if (field === "retry" && /^\d+$/.test(value)) parsed.retry = Number(value);
    else throw new Error(`a field that no reader of ours knows: ${text}`);
  }

  return (text) => {
    const lines = (rest + text).split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop()!;
    for (const one of lines) line(one);
  };
}

export type SseConnection = SseState & {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** How it ended, once it has: by a clean end, or in the middle. */
  readonly ended: Promise<"end" | "cut">;
  readonly isOver: () => boolean;
  readonly until: (holds: (sse: SseState) => boolean, msMax?: number) => Promise<void>;
  /** Takes nothing until it is told to go on. */
  readonly hold: () => void;
  readonly goOn: () => void;
  readonly close: () => void;
};

export type SseOptions = {
  readonly lastEventId?: string;
  readonly held?: boolean;
  readonly method?: string;
  readonly headers?: { readonly [name: string]: string };
};

/** Whoever listens, from the answer's head on; what is refused is there as `comments` of one text. */
export async function openSse(url: string, asking: SseOptions = {}): Promise<SseConnection> {
  const { lastEventId, held, method = "GET" } = asking;
  const last = lastEventId && { "Last-Event-ID": lastEventId };
  const headers = { Accept: "text/event-stream", ...last, ...asking.headers };
  const asked = request(url, { method, headers, agent: false });
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    asked.on("response", resolve);
    asked.on("error", reject);
    asked.end();
  });
  const parsed: SseState = { events: [], comments: [], retry: undefined, lastEventId: lastEventId ?? "" };
  const isStream = response.headers["content-type"]?.startsWith("text/event-stream");
  const parse = isStream ? openSseParser(parsed) : (text: string) => void parsed.comments.push(text);
  let over: "end" | "cut" | undefined;
  const { promise: ended, resolve: end } = Promise.withResolvers<"end" | "cut">();
  response.setEncoding("utf8");
  if (!held) response.on("data", parse);
  response.on("error", () => {});
  asked.on("error", () => {});
  response.on("close", () => {
    over = response.complete ? "end" : "cut";
    end(over);
  });
  return Object.assign(parsed, {
    status: response.statusCode!,
    headers: response.headers,
    ended,
    isOver: () => over !== undefined,
    async until(holds: (sse: SseState) => boolean, msMax = 20_000) {
      const giveUpAt = performance.now() + msMax;
      while (!holds(parsed)) {
        if (over) throw new Error(`the stream is over (${over}) after ${parsed.events.length} events`);
        if (performance.now() > giveUpAt) throw new Error(`${parsed.events.length} events, and no more come`);
        await pause(5);
      }
    },
    hold: () => void response.pause(),
    goOn: () => {
      if (response.listenerCount("data") === 0) response.on("data", parse);
      response.resume();
    },
    close: () => void asked.destroy(),
  });
}

export const entriesIn = ({ events }: Pick<SseState, "events">): readonly { readonly [name: string]: string }[] =>
  events.map(({ data }) => JSON.parse(data));
