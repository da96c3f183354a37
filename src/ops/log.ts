import { quoted } from "../dialects/writer.ts";

/** The log: JSON lines. They never contain a key, a token or the content of a bid, and paths have no query. */

export type Log = {
  readonly info: (message: string, facts?: object) => void;
  /** The line of a request: as `info("request", facts)`, but faster. */
  readonly request: (facts: RequestFacts) => void;
  readonly error: (message: string, error: unknown, facts?: object) => void;
  /** Writes the lines that are still buffered. */
  readonly flush: () => void;
};

export type RequestFacts = {
  /** Consists of characters that need no escaping in JSON, as does the method. */
  readonly requestId: string;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly ms: number;
  readonly user: string | undefined;
  /** The client's address, if it is to be logged. */
  readonly address: string | undefined;
};

const BYTES_BEFORE_FLUSH = 16 * 1024;
const FLUSH_MS = 20;

/** Opens a log. Lines are buffered for a moment: one write for many requests is far cheaper than one for each. */
export function openLog(write: (text: string) => void, options: { readonly info: boolean }): Log {
  let buffer = "";
  let timer: NodeJS.Timeout | undefined;

  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    if (buffer === "") return;
    const text = buffer;
    buffer = "";
    write(text);
  }

  function writeLine(level: string, message: string, facts: string): void {
    buffer += `{"time":"${timestamp()}","level":"${level}","what":"${message}"${facts}}\n`;
    if (buffer.length >= BYTES_BEFORE_FLUSH) flush();
    else timer ??= setTimeout(flush, FLUSH_MS);
  }

  return {
    info: options.info ? (message, facts = {}) => writeLine("info", message, formatFacts(facts)) : () => {},
    request: options.info ? (facts) => writeLine("info", "request", formatRequestFacts(facts)) : () => {},
    error: (message, error, facts) =>
      writeLine("error", message, formatFacts({ ...facts, error: describeError(error) })),
    flush,
  };
}

let lastMs = 0;
let lastTime = "";

function timestamp(): string {
  const ms = Date.now();
  if (ms !== lastMs) {
    lastMs = ms;
    lastTime = new Date(ms).toISOString();
  }
  return lastTime;
}

function formatFacts(facts: object): string {
  const text = JSON.stringify(facts);
  return text === "{}" ? "" : `,${text.slice(1, -1)}`;
}

function formatRequestFacts({ requestId, method, path, status, ms, user, address }: RequestFacts): string {
  const userFact = user === undefined ? "" : `,"user":${quoted(user)}`;
  const caller = address === undefined ? userFact : `${userFact},"address":${quoted(address)}`;
  return `,"requestId":"${requestId}","method":"${method}","path":${quoted(path)},"status":${status},"ms":${ms}${caller}`;
}

const describeError = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? error.message) : String(error);
