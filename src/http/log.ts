import { quoted } from "../dialects/write.ts";

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
export function openLog(write: (text: string) => void, wants: { readonly info: boolean }): Log {
  let gathered = "";
  let timer: NodeJS.Timeout | undefined;

  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    if (gathered === "") return;
    const text = gathered;
    gathered = "";
    write(text);
  }

  function line(level: string, what: string, facts: string): void {
    gathered += `{"time":"${now()}","level":"${level}","what":"${what}"${facts}}\n`;
    if (gathered.length >= BYTES_BEFORE_FLUSH) flush();
    else timer ??= setTimeout(flush, 20);
  }

  return {
    info: wants.info ? (what, facts = {}) => line("info", what, factsOf(facts)) : () => {},
    request: wants.info ? (facts) => line("info", "request", factsOfRequest(facts)) : () => {},
    error: (what, error, facts) => line("error", what, factsOf({ ...facts, error: describe(error) })),
    flush,
  };
}

let lastMs = 0;
let lastTime = "";

function now(): string {
  const ms = Date.now();
  if (ms !== lastMs) {
    lastMs = ms;
    lastTime = new Date(ms).toISOString();
  }
  return lastTime;
}

function factsOf(facts: object): string {
  const text = JSON.stringify(facts);
  return text === "{}" ? "" : `,${text.slice(1, -1)}`;
}

function factsOfRequest({ requestId, method, path, status, ms, user, address }: RequestFacts): string {
  const name = user === undefined ? "" : `,"user":${quoted(user)}`;
  const who = address === undefined ? name : `${name},"address":${quoted(address)}`;
  return `,"requestId":"${requestId}","method":"${method}","path":${quoted(path)},"status":${status},"ms":${ms}${who}`;
}

const describe = (error: unknown): string => (error instanceof Error ? (error.stack ?? error.message) : String(error));
