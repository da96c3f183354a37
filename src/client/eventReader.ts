/** Server-Sent Events, read from text that is cut anywhere. */

export type ServerSentEvent = {
  /** The last id that was told, with this event or before it. */
  readonly id: string | undefined;
  /** Absent where an event only told an id. */
  readonly data: string | undefined;
};

export type EventReader = {
  /** The events that end in this piece of text. */
  readonly read: (text: string) => readonly ServerSentEvent[];
  /** How long to wait before coming back, if the server has said so. */
  readonly retryMs: () => number | undefined;
};

export function openEventReader(): EventReader {
  let incompleteLine = "";
  let isFirst = true;
  let endedInReturn = false;
  let id: string | undefined;
  let hasNewId = false;
  let data: string[] = [];
  let retry: number | undefined;

  function readLine(line: string): ServerSentEvent | undefined {
    if (line === "") return dispatch();
    const colon = line.indexOf(":");
    const name = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (name === "data") data.push(value);
    else if (name === "retry" && /^\d+$/.test(value)) retry = Number(value);
    else if (name === "id" && !value.includes("\0")) {
      id = value;
      hasNewId = true;
    }
    return undefined;
  }

  function dispatch(): ServerSentEvent | undefined {
    const event = data.length > 0 || hasNewId ? { id, data: data.length > 0 ? data.join("\n") : undefined } : undefined;
    data = [];
    hasNewId = false;
    return event;
  }

  function linesOf(text: string): readonly string[] {
    // A line may end in \r\n, and a piece between the two.
    const newText = endedInReturn && text.startsWith("\n") ? text.slice(1) : text;
    if (text !== "") endedInReturn = text.endsWith("\r");
    // Only the new text is searched for ends: a long line comes in many pieces.
    const [first = "", ...otherLines] = newText.split(/\r\n|\n|\r/);
    const lines = [incompleteLine + first, ...otherLines];
    incompleteLine = lines.pop()!;
    return lines;
  }

  return {
    read: (text) => {
      const withoutBom = isFirst ? text.replace(/^\uFEFF/, "") : text;
      if (text !== "") isFirst = false;
      return linesOf(withoutBom).flatMap((line) => readLine(line) ?? []);
    },
    retryMs: () => retry,
  };
}
