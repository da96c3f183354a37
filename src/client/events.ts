/** Server-Sent Events, read from text that is cut anywhere. */

export type ServerEvent = {
  /** The last id that was told, with this event or before it. */
  readonly id: string | undefined;
  /** Absent where an event only told an id. */
  readonly data: string | undefined;
};

export type EventReader = {
  /** The events that end in this piece of text. */
  readonly read: (text: string) => readonly ServerEvent[];
  /** How long to wait before coming back, if the server has said so. */
  readonly retryMs: () => number | undefined;
};

export function openEventReader(): EventReader {
  let rest = "";
  let isFirst = true;
  let endedInReturn = false;
  let id: string | undefined;
  let toldId = false;
  let data: string[] = [];
  let retry: number | undefined;

  function take(line: string): ServerEvent | undefined {
    if (line === "") return dispatched();
    const at = line.indexOf(":");
    const name = at < 0 ? line : line.slice(0, at);
    const value = at < 0 ? "" : line.slice(at + 1).replace(/^ /, "");
    if (name === "data") data.push(value);
    else if (name === "retry" && /^\d+$/.test(value)) retry = Number(value);
    else if (name === "id" && !value.includes("\0")) {
      id = value;
      toldId = true;
    }
    return undefined;
  }

  function dispatched(): ServerEvent | undefined {
    const event = data.length > 0 || toldId ? { id, data: data.length > 0 ? data.join("\n") : undefined } : undefined;
    data = [];
    toldId = false;
    return event;
  }

  function linesOf(text: string): readonly string[] {
    // A line may end in \r\n, and a piece between the two.
    const whole = endedInReturn && text.startsWith("\n") ? text.slice(1) : text;
    if (text !== "") endedInReturn = text.endsWith("\r");
    // Only the new text is searched for ends: a long line comes in many pieces.
    const [first = "", ...others] = whole.split(/\r\n|\n|\r/);
    const lines = [rest + first, ...others];
    rest = lines.pop()!;
    return lines;
  }

  return {
    read: (text) => {
      const known = isFirst ? text.replace(/^\uFEFF/, "") : text;
      if (text !== "") isFirst = false;
      return linesOf(known).flatMap((line) => take(line) ?? []);
    },
    retryMs: () => retry,
  };
}
