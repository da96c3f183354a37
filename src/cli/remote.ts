import { setTimeout as pause } from "node:timers/promises";
import type { Environment } from "../config.ts";
import type { Options, Values } from "./operated.ts";

/** The registry over HTTP: all that commands know of it goes through here. */

// biome-ignore lint/suspicious/noExplicitAny: what a server answered is looked into freely.
export type Seen = any;

export type Sending = {
  /** Instead of the key that the command was given. */
  readonly key?: string;
  readonly token?: string;
  readonly headers?: { readonly [name: string]: string };
};

export type Page = { readonly data: readonly Seen[]; readonly next_page: { readonly offset: string } };
export type Query = { readonly [name: string]: string | undefined };

export type Remote = {
  readonly url: string;
  readonly version: string;
  /** A path below the version's root, such as `/tenders`. */
  readonly get: (path: string, sending?: Sending) => Promise<Seen>;
  readonly getText: (path: string, sending?: Sending) => Promise<string>;
  readonly post: (path: string, data: unknown, sending?: Sending) => Promise<Seen>;
  readonly patch: (path: string, data: unknown, sending?: Sending) => Promise<Seen>;
  readonly upload: (path: string, file: Upload, sending?: Sending) => Promise<Seen>;
  readonly page: (query: Query) => Promise<Page>;
  /** What stands beside the API: a path below the address itself. */
  readonly beside: (method: string, path: string, data?: unknown) => Promise<Seen>;
  /** The same registry in the words of another version. */
  readonly as: (version: string) => Remote;
};

export type Upload = {
  readonly name: string;
  readonly type: string;
  readonly content: string | Uint8Array<ArrayBuffer>;
};

/** The service answered, and said no. */
export class Refused extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

export const REMOTE_OPTIONS: Options = {
  url: { takes: "URL", means: "the server; default: TENDERHALL_URL, else http://127.0.0.1:8080" },
  key: { takes: "KEY", means: "the key to ask with; default: TENDERHALL_KEY, else broker" },
};

const DEFAULT_URL = "http://127.0.0.1:8080";
const NEWEST = "2.5";
const TRIES = 6;
const PAUSE_MS = 200;
const PAUSE_MS_MAX = 10_000;
const ANSWER_MS_MAX = 60_000;

/** `patient`: whoever runs for long waits for a server that is away for a moment. */
export function remoteOf(values: Values, environment: Environment, { patient = false } = {}): Remote {
  const url = ((values.url as string | undefined) ?? (environment.TENDERHALL_URL?.trim() || DEFAULT_URL)).replace(
    /\/+$/,
    "",
  );
  const key = (values.key as string | undefined) ?? (environment.TENDERHALL_KEY?.trim() || "broker");
  if (!/^https?:\/\//.test(url) || !URL.canParse(url)) throw new Error(`${url} is not an http or https address`);
  return openRemote({ url, key, version: NEWEST, patient });
}

type Access = { readonly url: string; readonly key: string; readonly version: string; readonly patient: boolean };

export function openRemote(access: Access): Remote {
  const { url, key, version, patient } = access;
  const root = `${url}/api/${version}`;
  const ask = async (method: string, at: string, { body, ...sending }: Sending & { body?: string | FormData } = {}) => {
    const headers = {
      Authorization: `Bearer ${sending.key ?? key}`,
      ...(typeof body === "string" && { "Content-Type": "application/json" }),
      ...(sending.token && { "X-Access-Token": sending.token }),
      ...sending.headers,
    };
    return asked(at, { method, headers, ...(body !== undefined && { body }) }, { url, patient });
  };
  const send =
    (method: string) =>
    async (path: string, data: unknown, sending: Sending = {}) =>
      JSON.parse(await ask(method, `${root}${path}`, { ...sending, body: JSON.stringify({ data }) }));
  const getText: Remote["getText"] = (path, sending) => ask("GET", `${root}${path}`, sending);
  return {
    url,
    version,
    getText,
    get: async (path, sending) => JSON.parse(await getText(path, sending)),
    post: send("POST"),
    patch: send("PATCH"),
    upload: async (path, { name, type, content }, sending = {}) => {
      const body = new FormData();
      body.append("file", new Blob([content], { type }), name);
      return JSON.parse(await ask("POST", `${root}${path}`, { ...sending, body }));
    },
    page: async (query) => JSON.parse(await ask("GET", `${root}/tenders?${queryOf(query)}`)),
    beside: async (method, path, data) =>
      JSON.parse(await ask(method, `${url}${path}`, data === undefined ? {} : { body: JSON.stringify({ data }) })),
    as: (other) => openRemote({ ...access, version: other }),
  };
}

const queryOf = (query: Query): string =>
  new URLSearchParams(
    Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as [string, string]])),
  ).toString();

/** What only asks is asked again while the server is away for a moment, or says that it is. */
async function asked(
  at: string,
  init: RequestInit,
  { url, patient }: Pick<Access, "url" | "patient">,
): Promise<string> {
  for (let round = 1; ; round++) {
    const isLast = round === TRIES || init.method !== "GET";
    let waitMs = Math.min(PAUSE_MS_MAX, PAUSE_MS * 2 ** round);
    try {
      const response = await fetch(at, { ...init, signal: AbortSignal.timeout(ANSWER_MS_MAX) });
      const text = await response.text();
      if (response.ok) return text;
      if (isLast || (response.status !== 503 && response.status !== 429)) throw refusalOf(response, text);
      waitMs = Math.min(PAUSE_MS_MAX, Number(response.headers.get("Retry-After") ?? 0) * 1000 || waitMs);
    } catch (error) {
      if (error instanceof Refused) throw error;
      if (isLast || !patient) throw new Error(`${url} does not answer: ${reasonOf(error as Error)}`, { cause: error });
    }
    await pause(waitMs);
  }
}

function reasonOf(error: Error): string {
  const cause = error.cause as { readonly code?: string; readonly message?: string } | undefined;
  return cause?.code ?? cause?.message ?? error.message;
}

type Entry = { readonly location?: string; readonly name?: string; readonly description?: unknown };

/** As `422: body/value: This field is required.`, a line for each. */
function refusalOf({ status, url }: Response, text: string): Refused {
  let entries: readonly Entry[] = [];
  try {
    entries = JSON.parse(text).errors ?? [];
  } catch {
    // Whoever stands between may answer with a page.
  }
  const told = entries.map(({ location, name, description }) => {
    const what = typeof description === "string" ? description : JSON.stringify(description);
    return `${status} ${location}/${name}: ${what}`;
  });
  return new Refused(status, told.join("\n") || `${status} from ${url}`);
}
