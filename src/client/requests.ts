import { errorOf, TenderhallError, unknownKeyIn } from "./errors.ts";
import { fetchFollowing } from "./redirects.ts";
import type { Tokens } from "./tokens.ts";
import type { Transport } from "./transport.ts";
import { isTransient, openLimit, pause, pauseMs, type Retries } from "./waiting.ts";

/** What every method takes besides its own. */
export type Asking = {
  /** Gives up, whether the request is under way or waits for its next try. */
  readonly signal?: AbortSignal | undefined;
  /** The owner token, in place of the one that the client knows; an empty one sends none. */
  readonly token?: string | undefined;
  /** How often to try again, in place of the client's own setting. */
  readonly retries?: number | undefined;
  /** Further headers. */
  readonly headers?: { readonly [name: string]: string } | undefined;
};

/** What methods that read take besides. */
export type Reading = Asking & {
  /** The `etag` of an earlier answer: if nothing has changed since, the answer is `notModified`. */
  readonly ifNoneMatch?: string | undefined;
};

/** What methods that write take besides. */
export type Writing = Asking & {
  /** Names the request, so that sending it again does nothing twice. Without it the client makes one up for each call. */
  readonly idempotencyKey?: string | undefined;
  /** The `etag` of what was read: if it has changed since, the write is refused with 412. */
  readonly ifMatch?: string | undefined;
  /** Says what the answer would be, and stores nothing. */
  readonly dryRun?: boolean | undefined;
};

/** What a client works with; made once, when it is opened. */
export type Settings = {
  readonly url: string;
  readonly version: string;
  readonly key: string | undefined;
  readonly fetch: typeof fetch | undefined;
  readonly retries: Retries;
  readonly timeoutMs: number;
  readonly tokens: Tokens;
};

export type QueryValue = string | number | boolean | Date | readonly string[] | undefined;
export type Query = { readonly [name: string]: QueryValue };

export type Request = {
  readonly method: string;
  /** Below the address of the registry, or a whole address. */
  readonly path: string;
  readonly query?: Query | undefined;
  readonly json?: unknown;
  /** A body that is sent as it is. */
  readonly raw?: { readonly body: Blob; readonly type: string; readonly transport: Transport };
  readonly options?: (Reading & Writing) | undefined;
  /** The token that belongs to the path. */
  readonly token?: string | undefined;
  /** Sent without the key, as nothing about the answer depends on it. */
  readonly keyless?: true;
  /** For one try, from the first byte sent to the last received; 0 is no limit. */
  readonly timeoutMs?: number | undefined;
};

const KEYED = ["POST", "PUT", "PATCH"];

/** The request as `fetch` takes it, the same for every try. */
type Prepared = { readonly url: string; readonly init: RequestInit; readonly transport: Transport };

export const newKey = (): string => {
  if (typeof crypto.randomUUID === "function") return crypto.randomUUID();
  // Pages that did not come by https have chance, but no names made of it.
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
};

export function prepare(settings: Settings, request: Request): Prepared {
  const { method, json, raw, options = {} } = request;
  const { idempotencyKey = newKey(), ifMatch, ifNoneMatch, dryRun } = options;
  const url = addressOf(settings, request);
  const isOurs = url.origin === new URL(settings.url).origin;
  const token = options.token ?? request.token;
  const headers = new Headers({
    Accept: "application/json",
    // Whoever else an address leads to learns neither the key nor a token.
    ...(settings.key && isOurs && !request.keyless && { Authorization: `Bearer ${settings.key}` }),
    ...(token && isOurs && { "X-Access-Token": token }),
    ...(json !== undefined && { "Content-Type": "application/json" }),
    ...(raw && { "Content-Type": raw.type }),
    ...(KEYED.includes(method) && !dryRun && { "Idempotency-Key": idempotencyKey }),
    ...(ifMatch && { "If-Match": ifMatch }),
    ...(ifNoneMatch && { "If-None-Match": ifNoneMatch }),
    ...options.headers,
  });
  const body = raw?.body ?? (json === undefined ? undefined : JSON.stringify(json));
  const plain: Transport = (address, init) => (settings.fetch ?? fetch)(address, init);
  // The key is in the headers: a browser that is refused must not ask its user for another one.
  return { url: url.href, init: { method, headers, body, credentials: "omit" }, transport: raw?.transport ?? plain };
}

function addressOf({ url }: Settings, { path, query = {}, options }: Request): URL {
  const address = new URL(/^https?:/.test(path) ? path : `${url}${path}`);
  for (const [name, value] of Object.entries(query)) {
    const text = textOf(value);
    if (text !== "") address.searchParams.set(name, text);
  }
  if (options?.dryRun) address.searchParams.set("dry_run", "1");
  return address;
}

function textOf(value: QueryValue): string {
  if (value === undefined || value === false) return "";
  if (value === true) return "1";
  if (value instanceof Date) return value.toISOString();
  return typeof value === "object" ? value.join(",") : String(value);
}

export type Answered = { readonly response: Response; readonly text: string };

/** Asks until there is an answer, and throws whatever is neither good nor "not modified". */
export async function ask(settings: Settings, request: Request): Promise<Answered> {
  const prepared = prepare(settings, request);
  const timeoutMs = request.timeoutMs ?? settings.timeoutMs;
  return persist(settings, request, async (signal) => {
    const limit = openLimit(timeoutMs, signal);
    try {
      const response = await prepared.transport(prepared.url, { ...prepared.init, signal: limit.signal });
      return { response, text: await response.text() };
    } finally {
      limit.end();
    }
  });
}

/** The same for an answer that is not JSON and may be long: its body is the caller's to read. */
export async function askForBody(settings: Settings, request: Request): Promise<Response> {
  const { method } = request;
  const { url, init, transport } = prepare(settings, request);
  const { response } = await persist(settings, request, async (signal) => {
    const answer = await fetchFollowing(transport, url, { ...init, signal });
    // Nobody reads the body of what is refused for its key.
    if (unknownKeyIn(method, answer)) await answer.body?.cancel();
    const isRead = answer.ok || answer.status === 304 || answer.bodyUsed;
    return { response: answer, text: isRead ? "" : await answer.text() };
  });
  return response;
}

type Try = (signal: AbortSignal | undefined) => Promise<Answered>;

async function persist(settings: Settings, { method, path, options = {} }: Request, attempt: Try): Promise<Answered> {
  const { retries } = settings;
  const { signal, retries: max = retries.max } = options;
  const asked = `${method} ${path}`;
  for (let failures = 0; ; failures++) {
    if (signal?.aborted) throw signal.reason;
    const tried = await attempt(signal).catch((cause: unknown) =>
      failed(asked, new URL(path, settings.url), cause, signal),
    );
    const error = tried instanceof TenderhallError ? tried : refusalIn(asked, tried);
    if (!error) return tried as Answered;
    const most = error.status === 0 ? Math.min(max, retries.unanswered ?? max) : max;
    if (failures >= most || !isTransient(error.status)) throw error;
    await pause(pauseMs(failures, retries, error.retryAfterMs), signal);
  }
}

/** What never got an answer, told as a refusal is. */
export function failed(asked: string, { host }: URL, cause: unknown, signal: AbortSignal | undefined): TenderhallError {
  if (signal?.aborted) throw signal.reason;
  return new TenderhallError(`${asked} got no answer from ${host} (${reasonOf(cause)})`, {
    status: 0,
    cause,
  });
}

/** Node says only that it failed, and has the reason below; browsers tell none. */
function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  const { code, message } = (cause.cause ?? cause) as { readonly code?: unknown; readonly message?: unknown };
  return String(code || message || cause.message);
}

const refusalIn = (asked: string, { response, text }: Answered): TenderhallError | undefined =>
  unknownKeyIn(asked, response) ??
  (response.ok || response.status === 304 ? undefined : errorOf(asked, response, text));
