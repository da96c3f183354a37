/** An event of a `text/event-stream`. */
export type ServerSentEvent = {
  /** The id of this event, or of the last event before it that had one. */
  readonly id: string | undefined;
  /** The data lines, joined by line feeds; undefined for an event that has only an id. */
  readonly data: string | undefined;
  /** The type of the event, if the server has named one. */
  readonly type?: string;
};

/** An incremental parser of Server-Sent Events. */
export type EventReader = {
  /** Takes the next chunk of text, cut anywhere, and returns the events that it completes. */
  readonly read: (text: string) => readonly ServerSentEvent[];
  /** The reconnection delay that the server set with a `retry` field, if it did. */
  readonly retryMs: () => number | undefined;
};

/** Creates a parser for one connection. It follows the HTML standard, except that it also reports events without data. */
export function openEventReader(): EventReader {
  let incompleteLine = "";
  let isFirstChunk = true;
  let endedWithReturn = false;
  let id: string | undefined;
  let hasNewId = false;
  let data: string[] = [];
  let type: string | undefined;
  let retry: number | undefined;

  function readLine(line: string): ServerSentEvent | undefined {
    if (line === "") return dispatch();
    const colon = line.indexOf(":");
    const name = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (name === "data") data.push(value);
    else if (name === "event") type = value;
    else if (name === "retry" && /^\d+$/.test(value)) retry = Number(value);
    else if (name === "id" && !value.includes("\0")) {
      id = value;
      hasNewId = true;
    }
    return undefined;
  }

  function dispatch(): ServerSentEvent | undefined {
    const isEvent = data.length > 0 || hasNewId;
    const content = data.length > 0 ? data.join("\n") : undefined;
    const event = isEvent ? { id, data: content, ...(type && { type }) } : undefined;
    data = [];
    type = undefined;
    hasNewId = false;
    return event;
  }

  function linesOf(text: string): readonly string[] {
    // A chunk may end between the \r and the \n of one line end.
    const newText = endedWithReturn && text.startsWith("\n") ? text.slice(1) : text;
    if (text !== "") endedWithReturn = text.endsWith("\r");
    // Only the new text is searched for line ends: a long line arrives in many chunks.
    const [first = "", ...otherLines] = newText.split(/\r\n|\n|\r/);
    const lines = [incompleteLine + first, ...otherLines];
    incompleteLine = lines.pop() ?? "";
    return lines;
  }

  return {
    read: (text) => {
      const withoutBom = isFirstChunk ? text.replace(/^\uFEFF/, "") : text;
      if (text !== "") isFirstChunk = false;
      return linesOf(withoutBom).flatMap((line) => readLine(line) ?? []);
    },
    retryMs: () => retry,
  };
}
