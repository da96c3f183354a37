import { type IncomingHttpHeaders, type IncomingMessage, request } from "node:http";
import { waitUntil } from "./processes.ts";

/** An event of a `text/event-stream`. */
export type SseEvent = {
  readonly id: string;
  readonly data: string;
  /** The name of the event, if it has one. */
  readonly name?: string;
};

/** What a reader has received so far. */
export type SseState = {
  readonly events: SseEvent[];
  readonly comments: string[];
  retry: number | undefined;
  /** What a browser would send as `Last-Event-ID` when it reconnects. */
  lastEventId: string;
};

/** A parser by the HTML standard: lines end in CRLF, LF or CR; an empty line dispatches the event. Fails on unknown fields. */
export function openSseParser(parsed: SseState): (text: string) => void {
  let rest = "";
  let id: string | undefined;
  let data: string[] = [];
  let name: string | undefined;

  function readLine(text: string): void {
    if (text === "") {
      if (id !== undefined) parsed.lastEventId = id;
      if (data.length > 0) parsed.events.push({ id: parsed.lastEventId, data: data.join("\n"), ...(name && { name }) });
      name = undefined;
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
    else if (field === "event") name = value;
    else if (field === "retry" && /^\d+$/.test(value)) parsed.retry = Number(value);
    else throw new Error(`unknown field: ${text}`);
  }

  return (text) => {
    const lines = (rest + text).split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop()!;
    for (const completeLine of lines) readLine(completeLine);
  };
}

/** A reader of a stream. */
export type SseConnection = SseState & {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Resolves when the stream ends: `end` for a complete response, `cut` for a broken one. */
  readonly ended: Promise<"end" | "cut">;
  readonly isOver: () => boolean;
  /** Waits until the condition holds; throws if the stream ends before. */
  readonly waitUntil: (condition: (sse: SseState) => boolean) => Promise<void>;
  /** Stops reading until `resume`. */
  readonly pause: () => void;
  readonly resume: () => void;
  readonly close: () => void;
};

export type SseOptions = {
  readonly lastEventId?: string;
  readonly held?: boolean;
  readonly method?: string;
  readonly headers?: { readonly [name: string]: string };
};

/** Opens a stream and waits for the head of the response. The body of a refusal is the only entry of `comments`. */
export async function openSse(url: string, options: SseOptions = {}): Promise<SseConnection> {
  const { lastEventId, held, method = "GET" } = options;
  const last = lastEventId && { "Last-Event-ID": lastEventId };
  const headers = { Accept: "text/event-stream", ...last, ...options.headers };
  const outgoing = request(url, { method, headers, agent: false });
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    outgoing.on("response", resolve);
    outgoing.on("error", reject);
    outgoing.end();
  });
  const parsed: SseState = { events: [], comments: [], retry: undefined, lastEventId: lastEventId ?? "" };
  const isStream = response.headers["content-type"]?.startsWith("text/event-stream");
  const parse = isStream ? openSseParser(parsed) : (text: string) => void parsed.comments.push(text);
  let ending: "end" | "cut" | undefined;
  const { promise: ended, resolve: end } = Promise.withResolvers<"end" | "cut">();
  response.setEncoding("utf8");
  if (!held) response.on("data", parse);
  response.on("error", () => {});
  outgoing.on("error", () => {});
  response.on("close", () => {
    ending = response.complete ? "end" : "cut";
    end(ending);
  });
  return Object.assign(parsed, {
    status: response.statusCode!,
    headers: response.headers,
    ended,
    isOver: () => ending !== undefined,
    waitUntil: (condition: (sse: SseState) => boolean) =>
      waitUntil(
        () => {
          if (condition(parsed)) return true;
          if (ending) throw new Error(`the stream ended (${ending}) after ${parsed.events.length} events`);
          return false;
        },
        () => `${parsed.events.length} events`,
      ),
    pause: () => void response.pause(),
    resume: () => {
      if (response.listenerCount("data") === 0) response.on("data", parse);
      response.resume();
    },
    close: () => void outgoing.destroy(),
  });
}

export const entriesIn = ({ events }: Pick<SseState, "events">): readonly { readonly [name: string]: string }[] =>
  events.map(({ data }) => JSON.parse(data));
