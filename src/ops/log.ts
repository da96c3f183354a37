import { quoted } from "../dialects/writer.ts";

/** One JSON line for each thing worth knowing. Never a key, a token or what a bid says: paths go in without their query. */

export type Log = {
  readonly info: (what: string, facts?: object) => void;
  /** One for each request, so it is written by hand. */
  readonly request: (facts: RequestFacts) => void;
  readonly error: (what: string, error: unknown, facts?: object) => void;
  readonly flush: () => void;
};

export type RequestFacts = {
  /** Letters, digits and a few signs that need no escape, as is the method. */
  readonly requestId: string;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly ms: number;
  readonly user: string | undefined;
  /** Of the client, where that is wanted. */
  readonly address: string | undefined;
};

const BYTES_BEFORE_FLUSH = 16 * 1024;

/** Lines are gathered for a moment: one write for many requests costs far less than one for each. */
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
    else timer ??= setTimeout(flush, 20);
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
